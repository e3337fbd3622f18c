/*
 * syntax.h - what Python 3.11 refuses although tree-sitter takes it.
 *
 * tree-sitter's grammar is a union: Python 2 statements, later versions' syntax, keywords as names, loose
 * indentation. Each refusal is one row of a table: node type, check. The judge was python3.11's ast.parse.
 */
#ifndef LHP_PYTHON_SYNTAX_H
#define LHP_PYTHON_SYNTAX_H

#include "python/tree.h"

enum {
	PY_MAX_TEXT = 16 << 20,
	PY_MAX_BRACKETS = 200, /* CPython's own bound */
};

/* NULL when the whole tree is Python 3.11, else the problem, and where it starts in *at. */
const char *syntax_check(const struct py_source *s, size_t *at);

/* --- checks by subject; each NULL or a problem --- */
const char *literal_check_string(const struct py_source *s, TSNode n);  /* prefix, escapes, f-string fields */
const char *literal_check_number(const struct py_source *s, TSNode n);
const char *literal_check_concatenation(const struct py_source *s, TSNode n); /* bytes beside text */
const char *call_check_arguments(const struct py_source *s, TSNode n);
const char *call_check_parameters(const struct py_source *s, TSNode n); /* of def and lambda */
const char *target_check_assignment(const struct py_source *s, TSNode n);
const char *target_check_augmented(const struct py_source *s, TSNode n);
const char *target_check_delete(const struct py_source *s, TSNode n);
const char *target_check_as(const struct py_source *s, TSNode n);
const char *layout_check_block(const struct py_source *s, TSNode n);    /* empty, or not all at one column */
/* Only blanks may stand between tokens. The problem's place goes to *at. */
const char *layout_check_gap(const struct py_source *s, size_t from, size_t to, size_t *at);

#endif
