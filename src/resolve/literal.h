/*
 * literal.h - lists and maps written as JSON, or as a Python literal, in one text.
 *
 * For what template expressions print (spec/resolve.md, section 7). Bounded in
 * depth; nothing is evaluated.
 */
#ifndef LHP_RESOLVE_LITERAL_H
#define LHP_RESOLVE_LITERAL_H

#include "yaml/node.h"

enum literal_form { LITERAL_JSON, LITERAL_PYTHON };

/* The whole text as one value, or NULL with `*problem` at byte `*where`. */
const struct node *literal_read(struct arena *a, struct mark at, struct str text, enum literal_form form,
                                const char **problem, size_t *where);

#endif
