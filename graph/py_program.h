/*
 * py_program.h - what the parts of the Python reader share. Private to graph/py*.c.
 *
 * A program is the text and the project files that it imports. Names are bound in
 * scopes, in source order; an expression has one value for the whole run (NULL:
 * unknown), because parameters are the union over all call sites.
 */
#ifndef LHP_GRAPH_PY_PROGRAM_H
#define LHP_GRAPH_PY_PROGRAM_H

#include "base/map.h"
#include "graph/pyreads.h"
#include "python/tree.h"

enum {
	PY_MAX_TEXTS = 256,      /* texts of one value */
	PY_MAX_VALUE = 64 << 10, /* bytes of one text */
	PY_MAX_CALLS = 20,       /* calls inside calls */
	PY_MAX_NESTING = 250,    /* expressions inside expressions */
	PY_MAX_STEPS = 400000,   /* evaluations of one program */
	PY_MAX_FILES = 40,       /* imported files */
};

enum py_kind { PY_TEXTS, PY_LIST, PY_MAP };

struct py_value {
	enum py_kind kind;
	struct { VEC_OF(struct str) } text; /* PY_TEXTS: each once, in order of appearance; PY_LIST: its items */
	struct map map;                     /* PY_MAP: text -> struct py_value */
};

/* --- py_value.c: NULL is unknown, and makes unknown what it is put in --- */
struct py_value *py_value_new(struct arena *a, enum py_kind kind);
void py_value_add(struct arena *a, struct py_value *texts, struct str text);
struct py_value *py_value_union(struct arena *a, const struct py_value *x, const struct py_value *y);
struct py_value *py_value_product(struct arena *a, const struct py_value *x, const struct py_value *y);
struct py_value *py_value_elements(struct arena *a, const struct py_value *v); /* of a list, set, or the keys of a map */
struct py_value *py_value_values(struct arena *a, const struct py_value *map);
struct py_value *py_value_method(struct arena *a, const struct py_value *self, struct str method,
                                 struct py_value *const *arg, size_t n);

/* --- scopes and bindings --- */
enum py_bind {
	PY_BIND_VALUE,   /* name = node */
	PY_BIND_AND,     /* name += node */
	PY_BIND_ELEMENT, /* for name in node */
	PY_BIND_KEY,     /* for name, _ in node.items() */
	PY_BIND_ENTRY,   /* for _, name in node.items() */
	PY_BIND_PARAMETER,
	PY_BIND_FUNCTION,
	PY_BIND_CLASS,
	PY_BIND_IMPORT,  /* a name of another file of the project, or the file itself */
	PY_BIND_UNKNOWN,
};

struct py_routine {
	TSNode node;      /* function_definition */
	struct py_module *module;
	struct str name;
	size_t scope;     /* of its body */
	bool method;
	bool seeded;      /* the entry: values from outside */
	bool reached;
};

struct py_binding {
	enum py_bind kind;
	uint32_t at;      /* byte behind which it holds */
	TSNode node;
	struct py_routine *function; /* PY_BIND_FUNCTION, PY_BIND_PARAMETER */
	struct py_module *module;     /* PY_BIND_IMPORT */
	struct str name;              /* PY_BIND_IMPORT: in that file; empty: the file itself */
};

struct py_bindings {
	VEC_OF(struct py_binding)
};

struct py_scope {
	uint32_t start, end;
	size_t outer;        /* index; its own for the module */
	bool class_body;
	struct py_routine *function; /* whose body it is, or NULL */
	struct map name;     /* -> struct py_bindings */
};

struct py_call {
	TSNode node;
	struct str name;     /* of the function called: f of f(x), m.f(x) */
};

struct py_module {
	const char *file;
	struct py_source *source;
	uint32_t indent;     /* columns taken off every line */
	struct { VEC_OF(struct py_scope) } scope; /* by start */
	struct { VEC_OF(struct py_routine *) } function;
	struct { VEC_OF(struct py_call) } call;
	struct map attribute; /* X of `self.X = …` and of class bodies -> struct py_bindings */
};

struct py_program {
	struct arena *arena;
	const struct py_entry *entry;
	bool newer;
	const struct py_opener *opener;
	struct { VEC_OF(struct py_module *) } module; /* [0] is the text itself */
	struct map memo;     /* node -> value */
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
struct py_routine *py_function_find(struct py_program *p, TSNode called); /* the expression that is called */

/* --- py_eval.c --- */
struct py_value *py_eval(struct py_program *p, TSNode n);
struct py_value *py_eval_bindings(struct py_program *p, const struct py_bindings *b, uint32_t before);
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
