/*
 * expr.h - the template language of LHP: texts with {{ expressions }}, {% statements %}, {# comments #}.
 *
 * A real expression language over YAML values (spec/resolve.md, section 7.1):
 * parsed, typed, bounded in steps, depth and output. What is not supported is an
 * error that names it and where, never silently wrong. Nothing but the parameters
 * can be read, nothing can be changed.
 */
#ifndef LHP_RESOLVE_EXPR_H
#define LHP_RESOLVE_EXPR_H

#include "yaml/node.h"

enum { EXPR_MAX_STEPS = 1000000, EXPR_MAX_DEPTH = 200, EXPR_MAX_OUTPUT = 16 << 20 };

enum expr_fault {
	EXPR_GOOD,
	EXPR_SYNTAX,    /* does not parse; unknown filter, test or statement */
	EXPR_UNDEFINED, /* an undefined name was used where that is an error */
	EXPR_VALUE,     /* wrong type, division by zero … */
	EXPR_LIMIT,     /* a bound was passed */
};

struct expr_error {
	enum expr_fault fault;
	uint32_t line, col;  /* in the text, from 1 */
	struct str problem;  /* one line: what was found, what was expected */
};

/*
 * Renders `text` with the names of the map `params`. `strict`: an undefined name
 * in output, loop or attribute is EXPR_UNDEFINED (`is defined` and default() work).
 * 0 with *out in the arena, or -1 with *err.
 */
int expr_render(struct arena *a, struct str text, const struct node *params, bool strict, struct str *out,
                struct expr_error *err);

#endif
