/*
 * fan_in.h - what all writers of a CDC table must agree on (write_test.md, section 3.5, rule 3).
 *
 * Kept in facts as lines "key=value" in the order in which they are compared;
 * values are Python's repr with map keys sorted, so that equal values are equal texts.
 */
#ifndef LHP_CHECK_FAN_IN_H
#define LHP_CHECK_FAN_IN_H

#include "yaml/node.h"

struct str fan_in_of(struct arena *a, const struct node *write_target);
/* The first key that differs, with both values. False when all agree. */
bool fan_in_differ(struct str a, struct str b, struct str *key, struct str *value_a, struct str *value_b);

#endif
