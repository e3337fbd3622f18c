/*
 * tree.h - the inside of the reader: collections from the nodes read so far.
 */
#ifndef LHP_YAML_TREE_H
#define LHP_YAML_TREE_H

#include "base/map.h"
#include "yaml/reader.h"

/* Stands as the key of a pair that merges its value. */
extern const struct node merge_key;

struct tree {
	struct arena *arena;  /* of the documents */
	struct arena scratch; /* of the stack and of indexes */
	struct yaml_file *out;
	struct {
		VEC_OF(const struct node *)
	} stack; /* finished nodes that wait for their collection; of a map: key, value, key, … */
	struct {
		VEC_OF(const struct node *)
	} docs;
	struct {
		VEC_OF(struct yaml_duplicate)
	} duplicates;
	size_t n_node; /* nodes so far, those behind aliases counted each time */
};

/* Sets the fault, unless there is one already. */
void tree_fault(struct tree *t, enum yaml_fault fault, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Takes the items above `base` off the stack. */
void tree_list(struct tree *t, struct node *list, size_t base);
/* Takes the pairs above `base` off the stack: merges, duplicates, order. False: faulted. */
bool tree_map(struct tree *t, struct node *map, size_t base);

#endif
