/*
 * txtar.h - a golden case as one text file: sections of named bytes (see tests/golden/convert).
 */
#ifndef LHP_TESTS_TXTAR_H
#define LHP_TESTS_TXTAR_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct section {
	struct str name, bytes;
};

struct txtar {
	VEC_OF(struct section)
};

void txtar_parse(struct txtar *t, struct arena *a, struct str text);
/* Bytes of a section; p == NULL when there is none. */
struct str txtar_get(const struct txtar *t, struct str name);
/* The next section at or after *i whose name begins with `prefix`: false at the end. *rest is the name behind it. */
bool txtar_next(const struct txtar *t, size_t *i, struct str prefix, struct str *rest, struct str *bytes);

#endif
