#include "yaml/node.h"

bool node_is(const struct node *n, enum node_kind kind)
{
	return n != NULL && n->kind == kind;
}

bool node_is_null(const struct node *n)
{
	return n == NULL || n->kind == NODE_NULL;
}

bool node_is_str(const struct node *n)
{
	return node_is(n, NODE_STR);
}

bool node_is_number(const struct node *n)
{
	return node_is(n, NODE_INT) || node_is(n, NODE_FLOAT);
}

bool node_truthy(const struct node *n)
{
	if (n == NULL)
		return false;
	switch (n->kind) {
	case NODE_NULL: return false;
	case NODE_BOOL: return n->boolean;
	case NODE_INT: return n->integer != 0;
	case NODE_FLOAT: return n->number != 0;
	case NODE_STR: return n->text.n != 0;
	case NODE_LIST: return n->list.n != 0;
	case NODE_MAP: return n->map.n != 0;
	default: return true;
	}
}

const struct node *node_get_s(const struct node *map, struct str key)
{
	if (!node_is(map, NODE_MAP))
		return NULL;
	for (size_t i = 0; i < map->map.n; i++)
		if (map->map.pair[i].key->kind == NODE_STR && str_eq(map->map.pair[i].key->text, key))
			return map->map.pair[i].value;
	return NULL;
}

const struct node *node_get(const struct node *map, const char *key)
{
	return node_get_s(map, str_of(key));
}

const struct node *node_path(const struct node *map, const char *dotted)
{
	struct str rest = str_of(dotted), part;

	while (map != NULL && str_cut(&rest, '.', &part))
		map = node_get_s(map, part);
	return map;
}

bool node_has(const struct node *map, const char *key)
{
	return node_get(map, key) != NULL;
}

struct str node_str(const struct node *n)
{
	return node_is_str(n) ? n->text : STR("");
}

struct str node_get_text(const struct node *map, const char *key)
{
	return node_str(node_get(map, key));
}

struct mark node_mark(const struct node *n)
{
	return n != NULL ? n->at : (struct mark){ 0 };
}

size_t node_len(const struct node *n)
{
	return node_is(n, NODE_LIST) ? n->list.n : node_is(n, NODE_MAP) ? n->map.n : 0;
}

const char *node_kind_name(const struct node *n)
{
	static const char *const name[] = {
		[NODE_NULL] = "null",
		[NODE_BOOL] = "a boolean",
		[NODE_INT] = "an integer",
		[NODE_FLOAT] = "a number",
		[NODE_STR] = "a text",
		[NODE_DATE] = "a date",
		[NODE_TIMESTAMP] = "a timestamp",
		[NODE_LIST] = "a list",
		[NODE_MAP] = "a mapping",
	};

	return n != NULL ? name[n->kind] : "nothing";
}
