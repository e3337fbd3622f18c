/*
 * py_program.h - what the parts of the Python reader share. Private to graph/py*.c.
 *
 * A program is the text and the project files that it imports. Names are bound in
 * scopes, in source order; an expression has one value for the whole run (NULL:
 * unknown), because parameters are the union over all call sites.
 */
#ifndef LHP_GRAPH_PY_PROGRAM_H
#define LHP_GRAPH_PY_PROGRAM_H

#include "graph/py_scope.h"
#include "graph/py_value.h"

enum {
	PY_MAX_CALLS = 20,       /* calls inside calls */
	PY_MAX_NESTING = 250,    /* expressions inside expressions */
	PY_MAX_STEPS = 400000,   /* evaluations of one program */
	PY_MAX_FILES = 40,       /* imported files */
};

struct py_program {
	struct arena *arena;
	const struct py_entry *entry;
	bool newer, narrow; /* of the entry */
	const struct py_opener *opener;
	struct { VEC_OF(struct py_module *) } module; /* [0] is the text itself */
	struct map memo;     /* node, or bindings that another file imports -> value; NULL while it is being worked out */
	size_t steps;
	unsigned calls, nesting;
	struct py_reads *out;
};

/* --- py_scope.c --- */
struct py_module *py_module_open(struct py_program *p, const char *file, struct str text);
struct py_module *py_module_of(const struct py_program *p, TSNode n);
struct str py_node_text(const struct py_program *p, TSNode n);
size_t py_scope_at(const struct py_module *m, uint32_t at);
/* The bindings of a name in the innermost scope that has it (class bodies only when `at` stands in one), or NULL. */
struct py_bindings *py_name_find(const struct py_module *m, uint32_t at, struct str name, size_t *scope);
/* What a file that imports `name` gets: the bindings of the whole file, or NULL. */
struct py_bindings *py_import_find(const struct py_module *m, struct str name);
struct py_routine *py_function_find(struct py_program *p, TSNode called); /* the expression that is called */

/* --- py_eval.c --- */
struct py_value *py_eval(struct py_program *p, TSNode n);
/* A literal without fields: false for f-strings with fields and bytes. */
bool py_literal(struct py_program *p, TSNode n, struct str *out);

/* --- py_call.c --- */
struct py_value *py_eval_call(struct py_program *p, TSNode n);
struct py_value *py_eval_parameter(struct py_program *p, struct py_routine *f, TSNode parameter);
struct str py_parameter_name(const struct py_program *p, TSNode parameter);
/* The k-th positional argument (from 0), or a null node. */
TSNode py_argument(TSNode call, size_t k);
TSNode py_keyword(const struct py_program *p, TSNode call, const char *name);

#endif
