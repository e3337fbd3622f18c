/*
 * txtar.h - a golden case as one text file: sections of named bytes (see tests/golden/convert).
 *
 * A file may hold several cases. Each begins with a section `case NAME`; the sections before the first one belong to
 * every case that has none of the same name.
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

struct txtar_case {
	struct str name; /* empty when the file is one case */
	struct txtar sections;
};

struct txtar_cases {
	VEC_OF(struct txtar_case)
};

void txtar_parse(struct txtar *t, struct arena *a, struct str text);
/* The cases of a file, one at least. */
void txtar_split(struct txtar_cases *cases, struct arena *a, const struct txtar *t);
/* Bytes of a section; p == NULL when there is none. */
struct str txtar_get(const struct txtar *t, struct str name);
/* The next section at or after *i whose name begins with `prefix`: false at the end. *rest is the name behind it. */
bool txtar_next(const struct txtar *t, size_t *i, struct str prefix, struct str *rest, struct str *bytes);

#endif
