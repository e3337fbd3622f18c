/* sandbox_names.c - the set R and its match rule (spec/bundle.md, section 10, What is renamed). */
#include "bundle/sandbox_rename.h"
#include "graph/tables.h"

#include <stdlib.h>

static struct str last_part(struct str name)
{
	return str_skip(name, (size_t)(str_rfind_char(name, '.') + 1));
}

static struct str without_first(struct str canonical)
{
	return str_skip(canonical, (size_t)(str_find_char(canonical, '.', 0) + 1));
}

void renames_add(struct renames *r, struct str table)
{
	struct str name = table_canonical(r->arena, table), pair = name, catalog = STR("");
	size_t parts = table_parts(name);
	struct map **catalogs;

	if (parts != 2 && parts != 3)
		return;
	if (parts == 3) {
		map_add(&r->full, r->arena, name);
		pair = without_first(name);
		catalog = str_sub(name, 0, name.n - pair.n - 1);
	}
	catalogs = (struct map **)map_slot(&r->pair, r->arena, pair);
	if (*catalogs == NULL)
		*catalogs = ARENA_NEW(r->arena, struct map);
	map_add(*catalogs, r->arena, catalog);
}

bool renames_match(const struct renames *r, struct arena *a, struct str reference)
{
	struct str name = table_canonical(a, reference);
	size_t parts = table_parts(name);
	const struct map *catalogs;

	if (parts == 3 && map_find(&r->full, name) != NULL)
		return true;
	if (parts != 2 && parts != 3)
		return false;
	catalogs = map_get(&r->pair, parts == 3 ? without_first(name) : name);
	return catalogs != NULL && catalogs->n == 1 && (parts == 2 || catalogs->entry[0].key.n == 0);
}

struct str renames_leaf(const struct renames *r, struct arena *a, struct str table)
{
	return str_replace(a, r->pattern, STR("{table}"), table);
}

struct str renames_last_part(const struct renames *r, struct arena *a, struct str name)
{
	struct str last = last_part(name), bare = str_trim(str_replace(a, last, STR("`"), STR("")));
	const char *quote = str_find_char(last, '`', 0) >= 0 ? "`" : "";

	return str_fmt(a, "%.*s%s%.*s%s", STR_ARG(str_sub(name, 0, name.n - last.n)), quote,
	               STR_ARG(renames_leaf(r, a, bare)), quote);
}

struct str renames_reference(const struct renames *r, struct arena *a, struct str reference)
{
	return renames_match(r, a, reference) ? renames_last_part(r, a, reference) : reference;
}

/* `canonical` has as many parts as there are in `part`, or more: its last ones count. */
static bool parts_agree(struct str canonical, const struct str *part, size_t n)
{
	struct str rest = canonical, found;

	if (table_parts(canonical) != n)
		return false;
	for (size_t i = 0; i < n && str_cut(&rest, '.', &found); i++)
		if (part[i].p != NULL && !str_eq(part[i], found))
			return false;
	return true;
}

bool renames_may_match(const struct renames *r, const struct str *part, size_t n)
{
	for (size_t i = 0; i < r->full.n; i++)
		if (parts_agree(r->full.entry[i].key, part, n))
			return true;
	for (size_t i = 0; i < r->pair.n; i++)
		if (((const struct map *)r->pair.entry[i].value)->n == 1 && parts_agree(r->pair.entry[i].key, part + n - 2, 2))
			return true;
	return false;
}

void splices_add(struct splices *e, struct arena *a, size_t at, size_t end, struct str text)
{
	*VEC_PUSH(e, a) = (struct splice){ .at = at, .end = end, .text = text };
}

static int splice_cmp(const void *x, const void *y)
{
	const struct splice *a = x, *b = y;

	return (a->at > b->at) - (a->at < b->at);
}

struct str splices_apply(struct splices *e, struct arena *a, struct str text)
{
	struct buf b = { 0 };
	struct str out;
	size_t from = 0;

	if (e->n > 1)
		qsort(e->p, e->n, sizeof *e->p, splice_cmp);
	for (size_t i = 0; i < e->n; i++) {
		buf_add(&b, str_sub(text, from, e->p[i].at));
		buf_add(&b, e->p[i].text);
		from = e->p[i].end;
	}
	buf_add(&b, str_skip(text, from));
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}
