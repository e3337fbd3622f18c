/*
 * py_scope.h - one file of a Python program: its scopes, what names are bound to in them, its functions and calls.
 *
 * Private to graph/py*.c. A name is bound in source order; a function's parameters are bindings of its scope.
 */
#ifndef LHP_GRAPH_PY_SCOPE_H
#define LHP_GRAPH_PY_SCOPE_H

#include "base/map.h"
#include "base/vec.h"
#include "python/tree.h"

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

#endif
