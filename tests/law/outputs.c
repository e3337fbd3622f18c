#include "law/outputs.h"
#include "base/path.h"

struct reach reach_of(struct str line)
{
	bool both = str_has(line, STR(" -e dev,prod"));
	struct reach r = { .dev = both || str_has(line, STR(" -e dev")), .prod = both || str_has(line, STR(" -e prod")),
		           .out = str_has(line, STR(" -o ")), .bundle = !str_has(line, STR(" --no-bundle")),
		           .sandbox = str_has(line, STR(" --sandbox")),
		           .generates = str_starts(line, STR("generate")) };
	ptrdiff_t p = str_find(line, STR(" -p "), 0);

	if (p >= 0)
		str_cut(&(struct str){ line.p + p + 4, line.n - (size_t)p - 4 }, ' ', &r.pipeline);
	return r;
}

static bool is_reached(const struct reach *r, struct str path)
{
	/* What there is of monitoring, a sandbox leaves alone. */
	const struct {
		const char *dir;
		bool reached;
	} place[] = {
		{ "generated/dev", r->dev && !r->out },  { "generated/prod", r->prod && !r->out }, { "generated", false },
		{ "monitoring/dev", r->dev && !r->sandbox }, { "monitoring/prod", r->prod && !r->sandbox }, { "out", r->out },
		{ "resources/lhp", r->bundle },          { "resources", !r->sandbox },             { ".lhp", false },
	};

	for (size_t i = 0; i < sizeof place / sizeof *place; i++)
		if (path_is_below(path, str_of(place[i].dir)))
			return place[i].reached;
	return true;
}

void outputs_of(const struct edits *e, struct scratch *s, struct arena *a, const struct reach *r, struct map *out)
{
	struct map tree = { 0 };

	scratch_tree(s, a, &tree);
	for (size_t i = 0; i < tree.n; i++)
		if (!edits_has(e, tree.entry[i].key) && is_reached(r, tree.entry[i].key))
			map_put(out, a, tree.entry[i].key, tree.entry[i].value);
}

bool trees_equal(const struct map *want, const struct map *got, struct buf *why)
{
	size_t before = why->n;

	for (size_t i = 0; i < want->n; i++) {
		const struct str *w = want->entry[i].value, *g = map_get(got, want->entry[i].key);

		if (g == NULL || !str_eq(*w, *g))
			buf_addf(why, "  %.*s: %s\n", STR_ARG(want->entry[i].key), g == NULL ? "missing" : "differs");
	}
	for (size_t i = 0; i < got->n; i++)
		if (map_find(want, got->entry[i].key) == NULL)
			buf_addf(why, "  %.*s: surplus\n", STR_ARG(got->entry[i].key));
	return why->n == before;
}
