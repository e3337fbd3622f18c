#include "graph/tables.h"

#include "base/utf8.h"

/* A schema.table: by whom, and under which catalogs (the empty one for `bare`). */
struct table_pair {
	struct producers bare; /* named without a catalog */
	struct producers all;
	struct str catalog;    /* of the first */
	bool several;          /* catalogs */
};

/* Most names need no more than small letters. False for one with quotes, blanks or letters beyond ASCII, or an empty end. */
static bool plain_canonical(struct arena *a, struct str name, struct str *out)
{
	bool capital = false;
	if (str_ends(name, STR(".")))
		return false;
	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		if (c == '`' || c <= ' ' || (unsigned char)c > '~')
			return false;
		capital = capital || (c >= 'A' && c <= 'Z');
	}
	*out = capital ? str_lower(a, name) : name;
	return true;
}

struct str table_canonical(struct arena *a, struct str name)
{
	struct buf b = { 0 };
	struct str rest = name, part, out;
	bool first = true;
	if (plain_canonical(a, name, &out))
		return out;
	while (str_cut(&rest, '.', &part)) {
		if (!first)
			buf_addc(&b, '.');
		first = false;
		buf_add_lower(&b, str_trim(str_replace(a, part, STR("`"), STR(""))));
	}
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

size_t table_parts(struct str canonical)
{
	return 1 + str_count_char(canonical, '.');
}

static void producers_add(struct producers *p, struct arena *a, uint32_t producer)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->p[i] == producer)
			return;
	*VEC_PUSH(p, a) = producer;
}

static void map_add_producer(struct map *m, struct arena *a, struct str key, uint32_t producer)
{
	struct producers **p = (struct producers **)map_slot(m, a, key);
	if (*p == NULL)
		*p = ARENA_NEW(a, struct producers);
	producers_add(*p, a, producer);
}

void tables_add_view(struct tables *t, struct table_scope *pipeline, struct str name, uint32_t producer)
{
	map_add_producer(&pipeline->view, t->arena, table_canonical(t->arena, name), producer);
}

void tables_add_table(struct tables *t, struct table_scope *pipeline, struct str name, uint32_t producer)
{
	struct str full = table_canonical(t->arena, name), catalog = STR(""), pair = full;
	size_t parts = table_parts(full);
	if (parts != 2 && parts != 3)
		return;
	if (parts == 3) {
		size_t dot = (size_t)str_find_char(full, '.', 0);
		catalog = str_sub(full, 0, dot);
		pair = str_skip(full, dot + 1);
		map_add_producer(&t->full, t->arena, full, producer);
	}
	struct table_pair **p = (struct table_pair **)map_slot(&t->pair, t->arena, pair);
	if (*p == NULL) {
		*p = ARENA_NEW(t->arena, struct table_pair);
		(*p)->catalog = catalog;
	}
	(*p)->several = (*p)->several || !str_eq((*p)->catalog, catalog);
	if (parts == 2)
		producers_add(&(*p)->bare, t->arena, producer);
	producers_add(&(*p)->all, t->arena, producer);
	struct str last = str_skip(pair, (size_t)str_rfind_char(pair, '.') + 1);
	map_add_producer(&pipeline->local, t->arena, last, producer);
}

static const struct producers *table_find(const struct tables *t, struct str name)
{
	size_t parts = table_parts(name);
	if (parts == 3) {
		const struct producers *exact = map_get(&t->full, name);
		if (exact != NULL)
			return exact;
		/* `schema.table` of a sink is a table of some catalog, unless it is known of which. */
		const struct table_pair *p = map_get(&t->pair, str_skip(name, (size_t)str_find_char(name, '.', 0) + 1));
		return p != NULL && !p->several && p->bare.n > 0 ? &p->bare : NULL;
	}
	const struct table_pair *p = parts == 2 ? map_get(&t->pair, name) : NULL;
	return p != NULL && !p->several ? &p->all : NULL;
}

const struct producers *tables_find(const struct tables *t, const struct table_scope *pipeline, struct str source)
{
	struct str name = table_canonical(t->arena, source);
	const struct producers *found = map_get(&pipeline->view, name);
	if (found == NULL)
		found = table_find(t, name);
	if (found != NULL || !str_starts(name, STR("live.")))
		return found;
	/* LIVE.t: a view or a table of this pipeline; LIVE.s.t: a table. */
	name = str_skip(name, sizeof "live." - 1);
	found = map_get(&pipeline->view, name);
	if (found == NULL)
		found = table_parts(name) == 1 ? map_get(&pipeline->local, name) : table_find(t, name);
	return found;
}
