/*
 * expectations.h - the rules of data quality transforms, from their file or from the action.
 *
 * Forms: spec/load_transform.md 4.3 and, for names in mode quarantine, 4.4.
 */
#ifndef LHP_EMIT_EXPECTATIONS_H
#define LHP_EMIT_EXPECTATIONS_H

#include "emit/module.h"

enum expectation_kind { EXPECT_FAIL, EXPECT_DROP, EXPECT_WARN, EXPECT_KINDS };

/* Name to condition by kind, as maps: of equal names the last condition wins, at the first place. */
struct expectations {
	struct node *kind[EXPECT_KINDS];
};

/* 0, or -1 with a finding of the action. In mode quarantine all rules are of kind EXPECT_DROP. */
int expectations_read(struct module *m, const struct action *a, bool quarantine, struct expectations *out);

#endif
