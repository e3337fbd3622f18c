/* sandbox_shim.c - the function that modules call for names known at run time only (runtime/sandbox_shim.py). */
#include "bundle/sandbox_rename.h"
#include "emit/pytext.h"
#include "emit/runtime.h"
#include "python/pysrc.h"

enum choice { FULL, PAIRS, BARE };

static bool is_chosen(const struct map_entry *e, enum choice choice)
{
	const struct map *catalogs = e->value;

	return choice == FULL || (catalogs->n == 1 && (choice == PAIRS || catalogs->entry[0].key.n == 0));
}

/* frozenset({"a", "b"}) of the names, in order. */
static struct str set_text(const struct renames *r, struct arena *a, enum choice choice)
{
	const struct map *names = choice == FULL ? &r->full : &r->pair;
	uint32_t *order = map_sorted(names, a);
	struct buf b = { 0 };
	struct str out;
	size_t n = 0;

	buf_adds(&b, "frozenset(");
	for (size_t i = 0; i < names->n; i++) {
		if (!is_chosen(&names->entry[order[i]], choice))
			continue;
		buf_adds(&b, n++ == 0 ? "{" : ", ");
		py_text(&b, names->entry[order[i]].key);
	}
	buf_adds(&b, n == 0 ? ")" : "})");
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

struct str shim_text(const struct renames *r, struct arena *a)
{
	static const struct {
		const char *name, *example;
		enum choice choice;
	} sets[] = {
		{ "full: \"frozenset[str]\" = ", "frozenset({\"catalog.schema.table\"})", FULL },
		{ "pairs: \"frozenset[str]\" = ", "frozenset({\"schema.table\"})", PAIRS },
		{ "bare: \"frozenset[str]\" = ", "frozenset({\"schema.table\"})", BARE },
	};
	struct str text = str_replace(a, runtime_text(a, "sandbox_shim.py"), STR("namespace_{table}"), r->pattern);

	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct str head = str_of(sets[i].name), whole = str_cat(a, head, str_of(sets[i].example));

		text = str_replace(a, text, whole, str_cat(a, head, set_text(r, a, sets[i].choice)));
	}
	return text;
}

static size_t line_end(struct str text, size_t at)
{
	ptrdiff_t end = str_find_char(text, '\n', at);

	return end < 0 ? text.n : (size_t)end + 1;
}

/* Behind blank lines and comments. */
static size_t comments_end(struct str text)
{
	size_t at = 0, last = 0;

	while (at < text.n) {
		struct str line = str_trim(str_sub(text, at, line_end(text, at)));

		if (line.n != 0 && line.p[0] != '#')
			break;
		at = line_end(text, at);
		last = line.n != 0 ? at : last;
	}
	return last;
}

/* End of the string's line when it is the module's docstring, else 0. */
static size_t docstring_end(struct str text, struct py_span string)
{
	size_t end = line_end(text, string.end);
	struct str before = str_sub(text, 0, string.at), after = str_trim(str_sub(text, string.end, end));

	if (!str_blank(str_skip(before, comments_end(text) < before.n ? comments_end(text) : before.n)))
		return 0;
	return after.n == 0 || after.p[0] == '#' ? end : 0;
}

size_t shim_place(struct arena *a, struct str text)
{
	struct py_source *s = py_parse_newer(text, NULL);
	struct py_span *string;
	struct py_import *import;
	size_t n_string, n_import, at = comments_end(text);

	if (s == NULL)
		return at;
	py_strings(s, a, &string, &n_string);
	py_imports(s, a, &import, &n_import);
	py_free(s);
	if (n_string != 0 && docstring_end(text, string[0]) != 0)
		at = docstring_end(text, string[0]);
	for (size_t i = 0; i < n_import; i++)
		if (import[i].from && import[i].level == 0 && str_is(import[i].module, "__future__"))
			at = line_end(text, import[i].end);
	return at;
}
