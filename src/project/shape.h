/*
 * shape.h - the keys of flowgroups and actions and the types their values must have.
 *
 * Tables that read like spec/errors.md, section 9. Unknown keys pass. The first
 * violation is the finding: a required key is missing (LHP-VAL-001), a value has
 * a wrong type (LHP-VAL-008), a word is none of those allowed (LHP-VAL-006, or
 * LHP-ACT-001 for the type of an action).
 */
#ifndef LHP_PROJECT_SHAPE_H
#define LHP_PROJECT_SHAPE_H

#include "yaml/node.h"

enum shape {
	SHAPE_ANY,
	SHAPE_TEXT,
	SHAPE_BOOL,      /* or a word or number that says so: see shape_truth */
	SHAPE_INT,       /* or a text or float that is a whole number */
	SHAPE_MAP,       /* with text keys */
	SHAPE_TEXT_MAP,  /* text to text */
	SHAPE_TEXTS,     /* list of text */
	SHAPE_MAPS,      /* list of maps */
	SHAPE_BOOL_OR_TEXTS,
	SHAPE_SOURCE,    /* text, list of text and maps, map */
	SHAPE_TRANSFORM, /* a word of transform_type */
};

bool shape_fits(const struct node *n, enum shape shape);
const char *shape_name(enum shape shape); /* "a text", "a list of texts" … */

/* A setting of SHAPE_BOOL: true, yes, on, 1, t, y in any case, or 1; absent and null give `fallback`. */
bool shape_truth(const struct node *n, bool fallback);

/* A flowgroup's map with its actions; `at` is its place. 0, or -1 with a finding. */
int flowgroup_shape_check(struct diags *ds, const struct node *n, struct mark at);
/* One action, also of a template. `position` counts from 0. */
int action_shape_check(struct diags *ds, const struct node *action, size_t position, struct mark at);

/* Is the key of an action text, are the items of its list text, is a key of a source or write target text? */
bool action_key_is_text(struct str key);
bool action_items_are_text(struct str key);
bool block_key_is_text(struct str key);

#endif
