#include "yaml/node_build.h"
#include "yaml/number.h"
#include "yaml/scalar.h"

#include <inttypes.h>

struct node *node_new(struct arena *a, enum node_kind kind, struct mark at)
{
	struct node *n = ARENA_NEW(a, struct node);

	n->kind = kind;
	n->at = at;
	if (kind == NODE_NULL)
		n->text = STR("None");
	return n;
}

struct node *node_new_str(struct arena *a, struct mark at, struct str text)
{
	struct node *n = node_new(a, NODE_STR, at);

	n->text = text;
	return n;
}

struct node *node_new_bool(struct arena *a, struct mark at, bool value)
{
	struct node *n = node_new(a, NODE_BOOL, at);

	n->boolean = value;
	n->text = value ? STR("True") : STR("False");
	return n;
}

struct node *node_new_int(struct arena *a, struct mark at, int64_t value)
{
	struct node *n = node_new(a, NODE_INT, at);

	n->integer = value;
	n->text = str_fmt(a, "%" PRId64, value);
	return n;
}

struct node *node_new_float(struct arena *a, struct mark at, double value)
{
	struct node *n = node_new(a, NODE_FLOAT, at);
	char repr[FLOAT_REPR_MAX];

	n->number = value;
	n->text = str_dup(a, (struct str){ repr, float_repr(value, repr) });
	return n;
}

struct node *node_new_plain(struct arena *a, struct mark at, struct str text)
{
	struct node *n = node_new(a, NODE_STR, at);

	scalar_set(a, n, scalar_resolve(text), text);
	return n;
}

/* Room of an array of `n`: a power of two, so that `n` alone tells when it is full. */
static size_t room_of(size_t n)
{
	size_t room = 4;

	while (room < n)
		room *= 2;
	return room;
}

static bool is_full(size_t n)
{
	return n == 0 || n == room_of(n);
}

static void *array_copy(struct arena *a, const void *from, size_t n, size_t room, size_t size)
{
	void *to = arena_calloc(a, room, size);

	if (n != 0)
		memcpy(to, from, n * size);
	return to;
}

void node_push(struct arena *a, struct node *list, const struct node *item)
{
	size_t n = list->list.n;

	if (is_full(n))
		list->list.item = array_copy(a, list->list.item, n, room_of(n + 1), sizeof *list->list.item);
	list->list.item[list->list.n++] = item;
}

static void pair_push(struct arena *a, struct node *map, const struct node *key, const struct node *value)
{
	size_t n = map->map.n;

	if (is_full(n))
		map->map.pair = array_copy(a, map->map.pair, n, room_of(n + 1), sizeof *map->map.pair);
	map->map.pair[map->map.n++] = (struct node_pair){ key, value };
}

void node_set_pair(struct arena *a, struct node *map, const struct node *key, const struct node *value)
{
	for (size_t i = 0; i < map->map.n; i++)
		if (node_equal(map->map.pair[i].key, key)) {
			map->map.pair[i].value = value;
			return;
		}
	pair_push(a, map, key, value);
}

void node_set(struct arena *a, struct node *map, struct str key, const struct node *value)
{
	for (size_t i = 0; i < map->map.n; i++)
		if (map->map.pair[i].key->kind == NODE_STR && str_eq(map->map.pair[i].key->text, key)) {
			map->map.pair[i].value = value;
			return;
		}
	pair_push(a, map, node_new_str(a, node_mark(value), key), value);
}

void node_remove(struct node *map, const char *key)
{
	struct str name = str_of(key);

	for (size_t i = 0; i < map->map.n; i++)
		if (map->map.pair[i].key->kind == NODE_STR && str_eq(map->map.pair[i].key->text, name)) {
			map->map.n--;
			memmove(&map->map.pair[i], &map->map.pair[i + 1], (map->map.n - i) * sizeof *map->map.pair);
			return;
		}
}

struct node *node_copy(struct arena *a, const struct node *n)
{
	struct node *c;

	if (n == NULL)
		return NULL;
	c = ARENA_NEW(a, struct node);
	*c = *n;
	if (n->kind == NODE_LIST)
		c->list.item = array_copy(a, n->list.item, n->list.n, room_of(n->list.n), sizeof *n->list.item);
	else if (n->kind == NODE_MAP)
		c->map.pair = array_copy(a, n->map.pair, n->map.n, room_of(n->map.n), sizeof *n->map.pair);
	return c;
}

struct node *node_via(struct arena *a, const struct node *n, const char *what, struct str name, struct mark at)
{
	struct origin *o;
	struct node *c;

	if (n == NULL)
		return NULL;
	c = ARENA_NEW(a, struct node);
	o = ARENA_NEW(a, struct origin);
	*c = *n;
	*o = (struct origin){ what, name, at, n->via };
	c->via = o;
	return c;
}

/* --- mapping strings --- */

static const struct node *map_list(struct arena *a, const struct node *n, node_map_fn *map, void *ctx)
{
	struct node *copy = NULL;

	for (size_t i = 0; i < n->list.n; i++) {
		const struct node *item = node_map_strings(a, n->list.item[i], map, ctx);

		if (item == NULL)
			return NULL;
		if (item == n->list.item[i])
			continue;
		if (copy == NULL)
			copy = node_copy(a, n);
		copy->list.item[i] = item;
	}
	return copy != NULL ? copy : n;
}

static const struct node *map_map(struct arena *a, const struct node *n, node_map_fn *map, void *ctx)
{
	struct node *copy = NULL;

	for (size_t i = 0; i < n->map.n; i++) {
		const struct node *value = node_map_strings(a, n->map.pair[i].value, map, ctx);

		if (value == NULL)
			return NULL;
		if (value == n->map.pair[i].value)
			continue;
		if (copy == NULL)
			copy = node_copy(a, n);
		copy->map.pair[i].value = value;
	}
	return copy != NULL ? copy : n;
}

const struct node *node_map_strings(struct arena *a, const struct node *n, node_map_fn *map, void *ctx)
{
	if (n == NULL)
		return NULL;
	switch (n->kind) {
	case NODE_STR: return map(ctx, n);
	case NODE_LIST: return map_list(a, n, map, ctx);
	case NODE_MAP: return map_map(a, n, map, ctx);
	default: return n;
	}
}
