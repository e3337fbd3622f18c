/*
 * shape.h - shapes of flowgroups and actions, as findings.
 *
 * The tables of model/fields.h judge (spec/errors.md, section 9); the first misfit is
 * the finding: a required key is missing (LHP-VAL-001), a value has a wrong type
 * (LHP-VAL-008), a word is none of those allowed (LHP-VAL-006, or LHP-ACT-001 for the
 * type of an action).
 */
#ifndef LHP_PROJECT_SHAPE_H
#define LHP_PROJECT_SHAPE_H

#include "yaml/node.h"

/* A flowgroup's map with its actions; `at` is its place. 0, or -1 with a finding. */
int flowgroup_shape_check(struct diags *ds, const struct node *n, struct mark at);
/* One action, also of a template. `position` counts from 0. */
int action_shape_check(struct diags *ds, const struct node *action, size_t position, struct mark at);

#endif
