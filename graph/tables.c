#include "graph/tables.h"

#include "base/utf8.h"

/* A schema.table: by whom, and under which catalogs. */
struct table_pair {
	struct producers bare; /* named without a catalog */
	struct map catalog;    /* catalog -> struct producers; the empty one for `bare` */
};

struct str table_canonical(struct arena *a, struct str name)
{
	struct buf b = { 0 };
	struct str rest = name, part;
	bool first = true;
	while (str_cut(&rest, '.', &part)) {
		if (!first)
			buf_addc(&b, '.');
		first = false;
		buf_add_lower(&b, str_trim(str_replace(a, part, STR("`"), STR(""))));
	}
	struct str out = buf_take(&b, a);
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

static struct str scoped(struct arena *a, struct str pipeline, struct str name)
{
	return str_cat(a, str_cat(a, pipeline, (struct str){ "\0", 1 }), name);
}

void tables_add_view(struct tables *t, struct str pipeline, struct str name, uint32_t producer)
{
	map_add_producer(&t->view, t->arena, scoped(t->arena, pipeline, table_canonical(t->arena, name)), producer);
}

void tables_add_table(struct tables *t, struct str pipeline, struct str name, uint32_t producer)
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
	if (*p == NULL)
		*p = ARENA_NEW(t->arena, struct table_pair);
	if (parts == 2)
		producers_add(&(*p)->bare, t->arena, producer);
	map_add_producer(&(*p)->catalog, t->arena, catalog, producer);
	struct str last = str_skip(pair, (size_t)str_rfind_char(pair, '.') + 1);
	map_add_producer(&t->local, t->arena, scoped(t->arena, pipeline, last), producer);
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
		return p != NULL && p->catalog.n == 1 && p->bare.n > 0 ? &p->bare : NULL;
	}
	const struct table_pair *p = parts == 2 ? map_get(&t->pair, name) : NULL;
	return p != NULL && p->catalog.n == 1 ? p->catalog.entry[0].value : NULL;
}

const struct producers *tables_find(const struct tables *t, struct str pipeline, struct str source)
{
	struct str name = table_canonical(t->arena, source);
	const struct producers *found = map_get(&t->view, scoped(t->arena, pipeline, name));
	if (found == NULL)
		found = table_find(t, name);
	if (found != NULL || !str_starts(name, STR("live.")))
		return found;
	/* LIVE.t: a view or a table of this pipeline; LIVE.s.t: a table. */
	name = str_skip(name, sizeof "live." - 1);
	found = map_get(&t->view, scoped(t->arena, pipeline, name));
	if (found == NULL)
		found =
		    table_parts(name) == 1 ? map_get(&t->local, scoped(t->arena, pipeline, name)) : table_find(t, name);
	return found;
}
