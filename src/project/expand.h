/*
 * expand.h - definitions whose texts name each other, expanded once and for all.
 *
 * For variables and tokens alike. The result does not depend on the order of the
 * definitions. One that goes round, or leads to one that does, keeps its text as
 * written, as does one that would grow over EXPAND_MAX bytes.
 */
#ifndef LHP_PROJECT_EXPAND_H
#define LHP_PROJECT_EXPAND_H

#include "base/map.h"

enum { EXPAND_MAX = 1 << 20 };

/* The next reference in `s` at or after `from`: its span and name. */
typedef bool reference_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name);

/* `value` maps names to struct str *, which are replaced in place. False when some were left as written. */
bool definitions_expand(struct map *value, struct arena *a, reference_find *find);

/* `s` with the references to known names replaced; `s` itself when there is none. */
struct str references_replace(const struct map *value, struct arena *a, struct str s, reference_find *find);

#endif
