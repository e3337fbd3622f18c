/*
 * py_value.h - what an expression of Python may be: texts, a list of texts, or a mapping. Private to graph/py*.c.
 *
 * NULL is unknown, and makes unknown what it is put in. Values are never changed once made.
 */
#ifndef LHP_GRAPH_PY_VALUE_H
#define LHP_GRAPH_PY_VALUE_H

#include "base/map.h"
#include "graph/pyreads.h"

enum {
	PY_MAX_TEXTS = 256,      /* texts of one value */
	PY_MAX_VALUE = 64 << 10, /* bytes of one text */
};

enum py_kind { PY_TEXTS, PY_LIST, PY_MAP };

struct py_value {
	enum py_kind kind;
	struct { VEC_OF(struct str) } text; /* PY_TEXTS: each once, in order of appearance; PY_LIST: its items */
	struct map map;                     /* PY_MAP: text -> struct py_value */
};

struct py_value *py_value_new(struct arena *a, enum py_kind kind);
void py_value_add(struct arena *a, struct py_value *texts, struct str text);
struct py_value *py_value_union(struct arena *a, const struct py_value *x, const struct py_value *y);
struct py_value *py_value_product(struct arena *a, const struct py_value *x, const struct py_value *y);
struct py_value *py_value_elements(struct arena *a, const struct py_value *v); /* of a list, set, or the keys of a map */
struct py_value *py_value_values(struct arena *a, const struct py_value *map);
struct py_value *py_value_method(struct arena *a, const struct py_value *self, struct str method,
                                 struct py_value *const *arg, size_t n);

#endif
