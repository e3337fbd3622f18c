/*
 * scalar.h - which type a scalar has, and its value (spec: resolve, 3.2).
 *
 * Types follow the implicit resolvers of YAML 1.1 in PyYAML; a tag in the file
 * overrules them.
 */
#ifndef LHP_YAML_SCALAR_H
#define LHP_YAML_SCALAR_H

#include "yaml/node.h"

enum scalar_type {
	SCALAR_STR,
	SCALAR_NULL,
	SCALAR_BOOL,
	SCALAR_INT,
	SCALAR_FLOAT,
	SCALAR_TIMESTAMP, /* a date too */
	SCALAR_MERGE,     /* << */
	SCALAR_VALUE,     /* = */
};

/* Type of an unquoted scalar. */
enum scalar_type scalar_resolve(struct str plain);
/*
 * Gives `n` the kind, text and value of `text` read as `type` (none of the last
 * two). `text` is kept, not copied. False when it has no such value (2024-02-31):
 * then `n` is a text.
 */
bool scalar_set(struct arena *a, struct node *n, enum scalar_type type, struct str text);
/* Python's repr() of a date or timestamp. */
void buf_add_time_repr(struct buf *b, const struct node *n);

#endif
