/*
 * memory.h - what was found out about short texts of Python, so that those that come in every flowgroup (import statements,
 * expressions of metadata columns) are parsed once in a run.
 *
 * Only good answers are remembered, and those of the first texts only: the memory does not grow with the
 * project. It never forgets; what it returns lives as long as it does. Safe from several threads.
 */
#ifndef LHP_PYTHON_MEMORY_H
#define LHP_PYTHON_MEMORY_H

#include "base/arena.h"
#include "base/str.h"

struct py_memory;

struct py_memory *py_memory_create(void);
void py_memory_destroy(struct py_memory *m); /* accepts NULL */

/* Does py_parse_newer take the text? */
bool py_memory_parses(struct py_memory *m, struct str text);
/* py_is_expression, without the error. */
bool py_memory_is_expression(struct py_memory *m, struct str text);
/* py_names_read. What is not remembered is made in `a`. */
bool py_memory_names(struct py_memory *m, struct arena *a, struct str expression, struct str **name, size_t *n);

#endif
