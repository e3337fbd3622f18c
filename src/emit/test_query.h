/*
 * test_query.h - the query of a test action.
 *
 * One text per kind of test, with holes that the action's keys fill: spec/write_test.md, section 10.
 * Internal to the test_*.c of emit/.
 */
#ifndef LHP_EMIT_TEST_QUERY_H
#define LHP_EMIT_TEST_QUERY_H

#include "emit/module.h"

struct test_kind {
	const char *type;
	const char *query;       /* with {holes}; continued lines are indented as the peer's are */
	const char *expectation; /* name of the built-in one; NULL: the action's `expectations` */
	const char *condition;   /* its condition, with {holes} */
};

/* NULL for an unknown type. */
const struct test_kind *test_kind_find(struct str type);
/* A text with its holes filled from the action. In the unit's arena. */
struct str test_text_fill(struct module *m, const struct action *a, const char *text);

#endif
