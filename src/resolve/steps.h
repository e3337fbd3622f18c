/*
 * steps.h - the steps that flowgroup_resolve chains; each takes a flowgroup's map or its actions and gives a new one.
 *
 * All return 0, or -1 with a finding in u->diags. Trees are never changed in place.
 */
#ifndef LHP_RESOLVE_STEPS_H
#define LHP_RESOLVE_STEPS_H

#include "model/fields.h"
#include "model/flowgroup.h"
#include "project/unit.h"

/* A map without the keys that the model does not know: they may hold what they like (spec/resolve.md, 2.2). */
const struct node *known_keys(struct arena *a, const struct entity *e, const struct node *map);

/* %{variables} in every text but those of `variables` (LHP-CFG-011). */
int variables_resolve(struct unit *u, const struct node *map, const struct node **out);

/* The presets of a list (texts, or NULL) on all actions (ACT-001, DEP-022; warning DEPR-004). */
int presets_apply(struct unit *u, const struct node *presets, struct node *actions);

/* ${word}, {word} or %{word} left in a value (LHP-CFG-010). */
int leftovers_check(struct unit *u, const struct node *map);

/* Scope and key of every secret in the actions (LHP-VAL-008). */
int secret_names_check(struct unit *u, const struct node *map);

/* '\' to '/' in the keys that name files. */
const struct node *action_slashes(struct arena *a, const struct node *action);

#endif
