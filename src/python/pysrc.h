/*
 * pysrc.h - users' Python, read by tree-sitter with the Python grammar.
 *
 * What the program asks of Python text: does it parse, what does it import, which
 * functions does it define with which parameters, is this text one expression, which names does it read.
 * tree-sitter is error-tolerant and knows more dialects than one: here a tree with an error in it, or with
 * something that Python 3.11 refuses (syntax.h), is "does not parse". What only the compiler refuses
 * (`return` outside a function, a name used before `global`) does parse, as for ast.parse.
 *
 * Positions are byte offsets, and lines and columns from 1 (columns count bytes). Nothing here recurses with
 * the depth of the text. A source belongs to one thread at a time.
 */
#ifndef LHP_PYTHON_PYSRC_H
#define LHP_PYTHON_PYSRC_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct py_error {
	uint32_t line, col;
	struct str problem; /* a literal: "print needs parentheses" */
};

struct py_source; /* a parsed text */

/* NULL with *err when it does not parse as Python 3. The text is borrowed. */
struct py_source *py_parse(struct str text, struct py_error *err);
/*
 * The same, with what Python 3.12 lets stand inside f-string fields (the string's own quotes, backslashes, comments): generated
 * code before the formatter rewrites it (spec/write_test.md 12, item 7).
 */
struct py_source *py_parse_newer(struct str text, struct py_error *err);
void py_free(struct py_source *s); /* accepts NULL */

/* One name of an import statement, blanks removed. */
struct py_import_name {
	struct str name; /* dotted for "import a.b"; "*" for a wildcard */
	struct str as;   /* or empty */
};

struct py_import {
	size_t at, end;        /* byte span of the statement */
	bool from;             /* from M import … */
	unsigned level;        /* leading dots */
	struct str module;     /* dotted name; empty for "from . import x" and for "import a, b" */
	struct str names;      /* text of what is imported, on one line: "a as b, c" or "*" */
	struct py_import_name *name; /* the same, one by one */
	size_t n_name;
	uint32_t line, col;
};
/* Every import statement, those inside functions too, in order. */
void py_imports(const struct py_source *s, struct arena *a, struct py_import **out, size_t *n);

struct py_span {
	size_t at, end;
};
/* Comments and string literals without fields, those inside f-strings left out, in order. */
void py_plain_texts(const struct py_source *s, struct arena *a, struct py_span **out, size_t *n);
/* Every string literal that is not inside another one, f-strings too, prefix and quotes included, in order. */
void py_strings(const struct py_source *s, struct arena *a, struct py_span **out, size_t *n);

struct py_function {
	struct str name;
	struct str *keyword_only;
	size_t n_keyword_only;
	bool takes_kwargs;     /* has **x */
	uint32_t line;
};
/* The first module-level `def NAME` (not async, not nested, not in a class). False when there is none. */
bool py_find_function(const struct py_source *s, struct arena *a, struct str name, struct py_function *out);
/* The names that it can find; how many. */
size_t py_function_names(const struct py_source *s, struct arena *a, struct str **out);

/* Is the text one well-formed expression, and nothing else (no comment, blanks around it are fine)? */
bool py_is_expression(struct str text, struct py_error *err);

/*
 * Names that an expression reads: "StringType" of StringType(); where an attribute is taken also with a dot, "F" and "F." of
 * F.lit(x). Each once, in order. False when it does not parse.
 */
bool py_names_read(struct str expression, struct arena *a, struct str **name, size_t *n);

#endif
