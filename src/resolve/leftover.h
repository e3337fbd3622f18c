/*
 * leftover.h - references that nothing resolved, and where they stand.
 */
#ifndef LHP_RESOLVE_LEFTOVER_H
#define LHP_RESOLVE_LEFTOVER_H

#include "base/vec.h"
#include "project/expand.h"
#include "yaml/node.h"

struct leftover {
	struct str path;            /* "config.actions[1].write_target.table" */
	struct str names;           /* "{a}, {b}": as written, each once */
	const struct node *text;
};

struct leftovers {
	VEC_OF(struct leftover)
	size_t total; /* places, also those beyond the bound */
};

/* Text values below `n` in which `find` finds something; the first `max` are kept. The top-level key `variables` is left out. */
void leftovers_find(struct arena *a, const struct node *n, reference_find *find, size_t max, struct leftovers *out);

#endif
