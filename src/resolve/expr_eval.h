/*
 * expr_eval.h - running the trees of a template: expressions to values, statements to text.
 *
 * A scope is the variables of a loop body or block; names not found in any are
 * parameters, then functions.
 */
#ifndef LHP_RESOLVE_EXPR_EVAL_H
#define LHP_RESOLVE_EXPR_EVAL_H

#include "resolve/expr_ops.h"

struct scope {
	struct scope *outer;
	struct {
		VEC_OF(struct scope_name)
	} names;
};
struct scope_name {
	struct str name;
	struct val *value;
};

void scope_set(struct render *r, struct str name, struct val *v); /* in the innermost one */
struct val *expr_eval(struct render *r, const struct ast *x);
/* x|filter… of a set block: the chain ends at an operand that is not there, which is `of`. */
struct val *expr_eval_filters(struct render *r, const struct ast *x, struct val *of);
bool statements_run(struct render *r, const struct stmt *s);

#endif
