/*
 * expr_value.h - the values of the template language, and one rendering.
 *
 * Values behave as Python's do (spec/resolve.md, section 7.1): a list is a
 * reference that methods may change, an iterator is used up by walking it. They
 * live in the arena of the rendering and die with it; parameters are copied when
 * a name is first read, so nothing a text does is seen outside.
 *
 * Functions that can fail return NULL, false or -1 and have set the error of the
 * rendering; the first error stays. Every loop over user data calls render_step.
 */
#ifndef LHP_RESOLVE_EXPR_VALUE_H
#define LHP_RESOLVE_EXPR_VALUE_H

#include "base/vec.h"
#include "resolve/expr.h"

enum val_kind {
	VAL_UNDEFINED, /* text: what was looked for; flag: never an error, even when strict */
	VAL_NONE,
	VAL_BOOL,
	VAL_INT,   /* text is set when it does not fit 64 bits: it can only be printed */
	VAL_FLOAT,
	VAL_STR,   /* flag: marked safe, escape leaves it alone */
	VAL_DATE,  /* a date or time of YAML: text only */
	VAL_LIST,
	VAL_TUPLE, /* flag: of groupby, with .grouper and .list */
	VAL_VIEW,  /* text: dict_items … */
	VAL_RANGE, /* text: range(0, 3) */
	VAL_ITER,  /* walked once, from pos */
	VAL_MAP,
	VAL_SPACE, /* namespace(): a map whose entries are attributes */
	VAL_LOOP,  /* the variable `loop` */
	VAL_FUNC,  /* a function, or a method bound to self */
};

struct val;
struct val_pair {
	struct val *key, *value;
};
struct val_loop {
	struct val **item;
	size_t n, index, depth;
	struct val *changed; /* arguments of the last changed() */
};
struct val {
	enum val_kind kind;
	bool flag; /* VAL_BOOL: the value */
	struct str text;
	size_t pos;
	union {
		int64_t i;
		double d;
		struct { VEC_OF(struct val *) } list;
		struct { VEC_OF(struct val_pair) } map;
		struct val_loop loop;
		struct {
			const struct func *func;
			struct val *self;
		} call;
	};
};

struct scope;
struct render {
	struct arena *a;
	struct str text;   /* the template */
	size_t at;         /* where in it we are, for errors */
	const struct node *params;
	bool strict;
	struct expr_error *err;
	size_t steps, depth;
	struct scope *scope;
	struct buf *out;
};

bool render_fail(struct render *r, enum expr_fault fault, const char *fmt, ...) __attribute__((format(printf, 3, 4))); /* false */
bool render_step(struct render *r, size_t n);  /* false: out of steps */
bool render_enter(struct render *r);           /* one level deeper; false: too deep */
void render_leave(struct render *r);
bool render_undefined(struct render *r, const struct val *v); /* may this undefined value be used as nothing? else the error */
bool render_size(struct render *r, size_t n);  /* false: a text of n bytes is too long; else paid for */

struct val *val_new(struct render *r, enum val_kind kind);
struct val *val_bool(struct render *r, bool b);
struct val *val_int(struct render *r, int64_t i);
struct val *val_float(struct render *r, double d);
struct val *val_text(struct render *r, struct str s);
struct val *val_undefined(struct render *r, struct str what);
struct val *val_of_node(struct render *r, const struct node *n);
struct val *val_take(struct render *r, struct buf *b); /* the text of b, which is released */

#endif
