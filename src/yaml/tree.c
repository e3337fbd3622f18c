#include "yaml/tree.h"

#include <math.h>

const struct node merge_key = { .kind = NODE_STR, .text = STR_INIT("<<") };

void tree_fault(struct tree *t, enum yaml_fault fault, struct mark at, const char *fmt, ...)
{
	va_list ap;

	if (t->out->fault != YAML_GOOD)
		return;
	va_start(ap, fmt);
	t->out->fault = fault;
	t->out->at = at;
	t->out->problem = str_vfmt(t->arena, fmt, ap);
	va_end(ap);
}

void tree_list(struct tree *t, struct node *list, size_t base)
{
	size_t n = t->stack.n - base;

	if (n != 0) {
		list->list.item = ARENA_ARRAY(t->arena, const struct node *, n);
		memcpy(list->list.item, t->stack.p + base, n * sizeof *list->list.item);
	}
	list->list.n = n;
	t->stack.n = base;
}

/* --- maps --- */

enum { INDEX_FROM = 12 }; /* pairs from which on an index is worth it */

/* A map that grows in room enough for all it may get. */
struct growing {
	struct tree *t;
	struct node_pair *pair;
	const struct node **own; /* per pair: its key as first written in this map; NULL: merged */
	size_t n;
	struct map text, other; /* identity of a key -> its index, from INDEX_FROM on */
	size_t n_indexed;
};

/* What makes two keys the same beside being texts or not: 1, 1.0 and true are one key. */
static struct str key_identity(struct arena *scratch, const struct node *key)
{
	if (key->kind == NODE_BOOL)
		return key->boolean ? STR("1") : STR("0");
	if (key->kind != NODE_FLOAT || !isfinite(key->number) || key->number != trunc(key->number))
		return key->text;
	return key->number == 0 ? STR("0") : str_fmt(scratch, "%.0f", key->number);
}

static void index_fill(struct growing *g)
{
	for (; g->n_indexed < g->n; g->n_indexed++) {
		const struct node *key = g->pair[g->n_indexed].key;

		map_put(key->kind == NODE_STR ? &g->text : &g->other, &g->t->scratch,
		        key_identity(&g->t->scratch, key), &g->pair[g->n_indexed]);
	}
}

static struct node_pair *pair_find(struct growing *g, const struct node *key)
{
	bool text = key->kind == NODE_STR;
	struct str id = key_identity(&g->t->scratch, key);

	if (key->kind == NODE_FLOAT && isnan(key->number))
		return NULL; /* equals nothing, not even itself */
	if (g->n >= INDEX_FROM) {
		index_fill(g);
		return map_get(text ? &g->text : &g->other, id);
	}
	for (size_t i = 0; i < g->n; i++) {
		const struct node *k = g->pair[i].key;

		if ((k->kind == NODE_STR) == text && str_eq(key_identity(&g->t->scratch, k), id))
			return &g->pair[i];
	}
	return NULL;
}

static void pair_merge(struct growing *g, const struct node_pair *p)
{
	if (pair_find(g, p->key) == NULL) /* the earlier map wins */
		g->pair[g->n++] = *p;
}

static void pair_write(struct growing *g, const struct node *key, const struct node *value)
{
	struct node_pair *p = pair_find(g, key);
	const struct node **own;

	if (p == NULL) {
		g->own[g->n] = key;
		g->pair[g->n++] = (struct node_pair){ key, value };
		return;
	}
	own = &g->own[p - g->pair];
	if (*own != NULL)
		*VEC_PUSH(&g->t->duplicates, g->t->arena) = (struct yaml_duplicate){ key->text, (*own)->at, key->at };
	else
		*own = key;
	if (p->key->kind == key->kind)
		p->key = key; /* the place of the value that counts */
	p->value = value;
}

/* Pairs that merging `value` may add, at most. False: nothing that can be merged. */
static bool merge_size(struct tree *t, const struct node *value, size_t *n)
{
	const struct node *bad = value->kind == NODE_MAP || value->kind == NODE_LIST ? NULL : value;

	if (value->kind == NODE_MAP)
		*n += value->map.n;
	for (size_t i = 0; value->kind == NODE_LIST && bad == NULL && i < value->list.n; i++)
		if (value->list.item[i]->kind == NODE_MAP)
			*n += value->list.item[i]->map.n;
		else
			bad = value->list.item[i];
	if (bad == NULL)
		return true;
	tree_fault(t, YAML_SYNTAX, bad->at, "expected a mapping, or a list of mappings, to merge with '<<', but found %s",
	           node_kind_name(bad));
	return false;
}

static void merge_all(struct growing *g, const struct node *value)
{
	if (value->kind == NODE_MAP)
		for (size_t i = 0; i < value->map.n; i++)
			pair_merge(g, &value->map.pair[i]);
	else
		for (size_t i = 0; i < value->list.n; i++)
			merge_all(g, value->list.item[i]);
}

bool tree_map(struct tree *t, struct node *map, size_t base)
{
	size_t n = t->stack.n - base, room = n / 2;
	const struct node **item = n != 0 ? t->stack.p + base : NULL;
	struct growing g = { .t = t };

	for (size_t i = 0; i < n; i += 2)
		if (item[i] == &merge_key && !merge_size(t, item[i + 1], &room))
			return false;
	if (n != 0) {
		g.pair = ARENA_ARRAY(t->arena, struct node_pair, room);
		g.own = ARENA_ARRAY(&t->scratch, const struct node *, room);
	}
	for (size_t i = 0; i < n; i += 2)
		if (item[i] == &merge_key)
			merge_all(&g, item[i + 1]);
	for (size_t i = 0; i < n; i += 2)
		if (item[i] != &merge_key)
			pair_write(&g, item[i], item[i + 1]);
	map->map.pair = g.pair;
	map->map.n = g.n;
	t->stack.n = base;
	return true;
}
