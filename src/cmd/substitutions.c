#include "cmd/substitutions.h"

#include "resolve/token.h"

/* One entry of a map as a branch of a tree; maps go deeper. */
static void branches_print(FILE *out, struct arena *a, const struct node *map, struct str margin)
{
	for (size_t i = 0; i < map->map.n; i++) {
		const struct node *value = map->map.pair[i].value;
		bool last = i + 1 == map->map.n;
		struct str key = node_text(a, map->map.pair[i].key);

		fprintf(out, "%.*s%s %.*s", STR_ARG(margin), last ? "└──" : "├──", STR_ARG(key));
		if (value->kind == NODE_MAP) {
			fputc('\n', out);
			branches_print(out, a, value, str_cat(a, margin, last ? STR("    ") : STR("│   ")));
		} else {
			fprintf(out, ": \"%.*s\"\n", STR_ARG(node_text(a, value)));
		}
	}
}

int cmd_substitutions(struct project *p, struct str env, FILE *out, struct diags *ds, struct buf *log)
{
	struct arena a = { 0 };
	struct tokens *t = tokens_load(p, &a, env, false, ds, log);
	const struct node **value;
	struct str *name;
	bool heading = false;
	size_t n;

	if (t == NULL) {
		arena_release(&a);
		return -1;
	}
	n = tokens_list(t, &a, &name, &value);
	fprintf(out, "Substitutions for environment: %.*s\nTokens\nToken\tValue\n", STR_ARG(env));
	for (size_t i = 0; i < n; i++)
		if (value[i]->kind != NODE_MAP)
			fprintf(out, "${%.*s}\t%.*s\n", STR_ARG(name[i]), STR_ARG(node_text(&a, value[i])));
	for (size_t i = 0; i < n; i++) {
		if (value[i]->kind != NODE_MAP)
			continue;
		fprintf(out, "%s%.*s\n", heading ? "" : "Maps\n", STR_ARG(name[i]));
		branches_print(out, &a, value[i], STR(""));
		heading = true;
	}
	if (tokens_default_scope(t).n != 0)
		fprintf(out, "Default secret scope: %.*s\n", STR_ARG(tokens_default_scope(t)));
	arena_release(&a);
	return 0;
}
