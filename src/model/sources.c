#include "model/sources.h"

static void text_add(struct names *out, struct arena *a, const struct node *n)
{
	if (node_is_str(n))
		*VEC_PUSH(out, a) = n->text;
}

static void list_add(struct names *out, struct arena *a, const struct node *n)
{
	text_add(out, a, n);
	for (size_t i = 0; node_is(n, NODE_LIST) && i < n->list.n; i++)
		text_add(out, a, n->list.item[i]);
}

static void table_add(struct names *out, struct arena *a, const struct node *map)
{
	struct str catalog = node_get_text(map, "catalog"), schema = node_get_text(map, "schema");
	struct str table = node_get_text(map, "table");

	if (table.n != 0 && catalog.n != 0 && schema.n != 0)
		table = str_cat_sep(a, str_cat_sep(a, catalog, '.', schema), '.', table);
	if (table.n != 0)
		*VEC_PUSH(out, a) = table;
}

static void source_add(struct names *out, struct arena *a, const struct node *source)
{
	static const char *const key[] = { "view", "source", "sources" };

	if (!node_is(source, NODE_MAP)) {
		list_add(out, a, source);
		return;
	}
	for (size_t i = 0; i < sizeof key / sizeof *key; i++)
		if (node_truthy(node_get(source, key[i]))) {
			list_add(out, a, node_get(source, key[i]));
			return;
		}
	table_add(out, a, source);
}

void action_sources(struct arena *a, const struct action *act, struct names *out)
{
	struct str mode = act->type == ACTION_WRITE ? node_get_text(act->write_target, "mode") : STR_NONE;
	const struct node *own = NULL;

	if (str_is(mode, "cdc"))
		own = node_path(act->write_target, "cdc_config.source");
	if (str_is(mode, "snapshot_cdc")) {
		if (node_truthy(node_path(act->write_target, "snapshot_cdc_config.source_function")))
			return;
		own = node_path(act->write_target, "snapshot_cdc_config.source");
	}
	source_add(out, a, node_truthy(own) ? own : act->source);
}
