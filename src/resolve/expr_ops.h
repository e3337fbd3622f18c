/*
 * expr_ops.h - what can be done with the values of the template language.
 *
 * Errors as in expr_value.h: NULL, false or -1, with the error set.
 */
#ifndef LHP_RESOLVE_EXPR_OPS_H
#define LHP_RESOLVE_EXPR_OPS_H

#include "resolve/expr_ast.h"

/* Arguments of one call, evaluated. */
struct args {
	struct val **pos;
	size_t n;
	struct val *named; /* VAL_MAP of text to value, or NULL */
};

enum { FUNC_MAX_PARAMS = 6 };

/* A filter, test, method or global function. `arg` holds one value or NULL per name in `param`. */
struct func {
	const char *name;
	struct val *(*call)(struct render *r, struct val *self, struct val **arg, const struct args *args);
	uint8_t required;
	bool variadic; /* takes `args` as they are; no binding to `param` */
	const char *param[FUNC_MAX_PARAMS];
};

const struct func *filter_find(struct str name);
const struct func *test_find(struct str name);
const struct func *global_find(struct str name);
const struct func *loop_method_find(struct str name);
/* Method of the type of `v`, or NULL. One without `call` exists in Python and is not supported. */
const struct func *method_find(const struct val *v, struct str name);
const struct func *collection_methods(enum val_kind kind); /* up to one without a name, or NULL */
struct val *func_call(struct render *r, const struct func *f, struct val *self, const struct args *args);
/* Calls any value. */
struct val *val_call(struct render *r, struct val *callee, const struct args *args);

/* --- reading --- */
int val_truth(struct render *r, const struct val *v);
int val_equal(struct render *r, const struct val *a, const struct val *b);
int val_compare(struct render *r, enum tok op, const struct val *a, const struct val *b); /* any of TOK_EQ … TOK_GE */
int val_contains(struct render *r, struct val *in, const struct val *v);
bool val_is_number(const struct val *v);   /* bool, int, float */
bool val_is_sequence(const struct val *v); /* list, tuple, range or view: has list */
bool val_is_hashable(const struct val *v);
bool val_is_iterable(const struct val *v);
bool val_integer(struct render *r, const struct val *v, int64_t *out); /* of an int or bool, else an error */
double val_number(const struct val *v);    /* of a number */
const char *val_type(const struct val *v); /* "a text", "a list" … */
/* What walking `v` yields, as a list. An iterator is used up. */
struct val *val_items(struct render *r, struct val *v);
int64_t val_len(struct render *r, struct val *v); /* -1: has none */
struct val *val_attr(struct render *r, struct val *v, struct str name);
struct val *val_item(struct render *r, struct val *v, struct val *key);
struct val *val_slice(struct render *r, struct val *v, struct val *from, struct val *to, struct val *step);

/* --- building --- */
bool list_add(struct render *r, struct val *list, struct val *v);
struct val *dict_find(struct render *r, const struct val *map, const struct val *key); /* NULL: absent (or out of steps) */
bool dict_put(struct render *r, struct val *map, struct val *key, struct val *value);  /* error for a key that has no hash */
struct val *val_binary(struct render *r, enum tok op, struct val *a, struct val *b);
struct val *val_negate(struct render *r, struct val *v);

/* --- text --- */
bool buf_add_val(struct render *r, struct buf *b, const struct val *v);      /* Python's str() */
bool buf_add_val_repr(struct render *r, struct buf *b, const struct val *v); /* its repr() */
bool buf_add_json(struct render *r, struct buf *b, const struct val *v, int64_t indent); /* indent -1: one line */
bool val_str(struct render *r, const struct val *v, struct str *out);
struct val *val_escape(struct render *r, struct val *v);                     /* for HTML; marked safe */
struct val *text_percent(struct render *r, struct val *fmt, struct val *args);       /* fmt % args */
struct val *text_format(struct render *r, struct val *fmt, const struct args *args); /* fmt.format(args) */
bool buf_add_field(struct render *r, struct buf *b, const struct val *v, struct str spec); /* format(v, spec) */
enum text_fold { TEXT_UPPER, TEXT_LOWER, TEXT_TITLE, TEXT_CAPITALIZE };
struct str text_fold(struct render *r, struct str s, enum text_fold fold);
struct str text_sub(struct str s, int64_t from, int64_t to);                  /* code points [from, to) */
bool text_parse_int(struct str s, int base, int64_t *out);                    /* as Python's int(s, base) */
bool text_parse_float(struct str s, double *out);                             /* as Python's float(s) */
struct val *text_lines(struct render *r, struct str s, bool keep);            /* str.splitlines() */
struct val *text_replace(struct render *r, struct str s, struct str from, struct str to, int64_t count);

#endif
