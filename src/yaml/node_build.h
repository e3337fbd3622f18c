/*
 * node_build.h - making the nodes of node.h: never changes a tree that is shared. What grows is made by
 * these functions: arrays of the reader have no room.
 */
#ifndef LHP_YAML_NODE_BUILD_H
#define LHP_YAML_NODE_BUILD_H

#include "yaml/node.h"

struct node *node_new(struct arena *a, enum node_kind kind, struct mark at);
struct node *node_new_str(struct arena *a, struct mark at, struct str text); /* text borrowed */
struct node *node_new_bool(struct arena *a, struct mark at, bool value);
struct node *node_new_int(struct arena *a, struct mark at, int64_t value);
struct node *node_new_float(struct arena *a, struct mark at, double value);
/* A plain scalar's text read as YAML 1.1 types it. */
struct node *node_new_plain(struct arena *a, struct mark at, struct str text);
void node_push(struct arena *a, struct node *list, const struct node *item);
/* Replaces the value of a text key in place (first position kept), or appends. */
void node_set(struct arena *a, struct node *map, struct str key, const struct node *value);
void node_set_pair(struct arena *a, struct node *map, const struct node *key, const struct node *value);
void node_remove(struct node *map, const char *key);
/* A copy whose items/pairs may be changed; children are shared. */
struct node *node_copy(struct arena *a, const struct node *n);
/* A copy of the scalar/collection header with one more step in front of its chain. */
struct node *node_via(struct arena *a, const struct node *n, const char *what, struct str name, struct mark at);

/*
 * A tree in which every NODE_STR value (never a key) was given to `map`. Nodes
 * under which nothing changed are shared with `n`. `map` returns its argument
 * for "unchanged", a new node, or NULL to stop (then NULL is returned).
 */
typedef const struct node *node_map_fn(void *ctx, const struct node *str);
const struct node *node_map_strings(struct arena *a, const struct node *n, node_map_fn *map, void *ctx);

#endif
