/*
 * pyreads.h - which tables a Python text reads through Spark.
 *
 * Calls like spark.table(x), spark.readStream.table(x), spark.sql(q) are found all
 * over the text; what x may be is worked out without running anything: a set of
 * possible texts, a list, or a mapping (spec/dag.md, section 8, and the wants of
 * section 12). What cannot be known stays unknown and is a doubt with its place.
 *
 * Work is bounded: steps, nesting of calls (20), texts per value (256), their size.
 * Everything lives in the arena given; texts may be slices of `text`.
 */
#ifndef LHP_GRAPH_PYREADS_H
#define LHP_GRAPH_PYREADS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* --- values known from outside: parameters in YAML --- */
struct py_value;
struct py_value *py_value_text(struct arena *a, struct str text);
struct py_value *py_value_list(struct arena *a, const struct str *item, size_t n);
struct py_value *py_value_map(struct arena *a);
void py_value_put(struct arena *a, struct py_value *map, struct str key, const struct py_value *value);

/* What the pipeline calls. A zeroed one: everything in the text counts. */
struct py_entry {
	struct str function;          /* a module-level def; only what it reaches counts. Not there: everything does */
	unsigned position;            /* from 1: the positional parameter that gets `value`; 0: none */
	bool keywords;                /* instead, the keys of `value` bind parameters; the others **name */
	const struct py_value *value; /* NULL: nothing is bound */
	bool newer;                   /* the text may have f-strings of Python 3.12 (py_parse_newer) */
	/*
	 * Only what LHP itself works out is known: for who treats the rest at run time. Not `a if c else b`, `%`, `+=`,
	 * `:=`, sets, comprehensions, pairs of loops, attributes, constants below (spec/dag.md, 8.2).
	 */
	bool narrow;
};

/* How imports of other files of the project are found. */
struct py_opener {
	void *ctx;
	/* The text of `module` ("pkg.mod"; `level` dots in front) for the file `from`; false: no file of the project. */
	bool (*open)(void *ctx, const char *from, struct str module, unsigned level, struct str *text, const char **file);
};

struct py_read {
	struct str name;   /* as it would be at run time; LHP's tokens stay */
	bool streaming;
	const char *file;
	uint32_t line, col;
};

enum py_doubt_kind {
	PY_UNRESOLVED, /* a read whose table is only known at run time: LHP-DEP-002 */
	PY_BAD_SQL,    /* SQL that does not parse: LHP-DEP-003 */
	PY_BAD_SOURCE, /* the text is no Python: LHP-DEP-003 */
};

struct py_doubt {
	enum py_doubt_kind kind;
	struct str message; /* one line */
	const char *file;
	uint32_t line, col;
};

enum py_argument { PY_ARG_NONE, PY_ARG_LITERAL, PY_ARG_FSTRING, PY_ARG_STATIC, PY_ARG_RUNTIME };

/* A call that reads, for whoever rewrites it (the sandbox): spans are bytes of the text given. */
struct py_site {
	size_t at, end;         /* the call */
	size_t arg_at, arg_end; /* its first argument; 0, 0 when there is none */
	enum py_argument argument;
	bool sql;               /* the argument is SQL, not a table's name */
	bool plain;             /* one of the forms of spec/bundle.md, section 10 */
	struct str *value;      /* possible values of the argument; none for PY_ARG_RUNTIME */
	size_t n;
	uint32_t line, col;
};

struct py_reads {
	struct { VEC_OF(struct py_read) } read;
	struct { VEC_OF(struct py_doubt) } doubt;
	struct { VEC_OF(struct py_site) } site; /* of the text itself, not of its imports; all of them, reached or not */
};

/* `entry` and `opener` may be NULL. `file` names the text in reads and doubts. */
void py_reads(struct arena *a, struct str text, const char *file, const struct py_entry *entry,
              const struct py_opener *opener, struct py_reads *out);

#endif
