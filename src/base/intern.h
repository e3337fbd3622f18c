/*
 * intern.h - each text once, for names that recur: files in marks, above all.
 *
 * A zeroed one with an arena is valid and empty. What it returns lives as long as the
 * arena; equal texts give the same pointer. Belongs to one thread.
 */
#ifndef LHP_BASE_INTERN_H
#define LHP_BASE_INTERN_H

#include "base/arena.h"
#include "base/map.h"

struct intern {
	struct arena *arena;
	struct map seen; /* text -> its NUL-terminated copy */
};

const char *intern_cstr(struct intern *in, struct str s);

#endif
