/*
 * variable.h - local variables: %{name} in the texts of a flowgroup.
 *
 * Rules: spec/resolve.md, section 11. Variables may name each other; those that
 * go round keep their references, which are then left over.
 */
#ifndef LHP_PROJECT_VARIABLE_H
#define LHP_PROJECT_VARIABLE_H

#include "base/map.h"
#include "yaml/node.h"

struct variables {
	struct map value; /* name -> struct str * */
};

/* From a map of texts; scalars of other types count as their text. */
void variables_read(struct variables *v, struct arena *a, const struct node *map);
/* `s` with every known %{name} replaced; `s` itself when there is none. */
struct str variables_apply(const struct variables *v, struct arena *a, struct str s);
/* The next %{name} at or after `from`: its span and its name. False when there is none. */
bool variable_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name);

#endif
