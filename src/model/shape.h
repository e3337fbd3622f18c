/*
 * shape.h - has a document the shape that its table in fields.h says?
 *
 * One judgement for every kind of document: whoever reads one decides under which
 * rule a misfit is reported (spec/errors.md, sections 9 and 13). Unknown keys pass.
 */
#ifndef LHP_MODEL_SHAPE_H
#define LHP_MODEL_SHAPE_H

#include "model/fields.h"

struct misfit {
	const struct field *field;
	const struct node *value; /* what is wrong: an item or key inside the value, or all of it; NULL: it is missing */
	bool part;                /* it is inside the value */
	bool word;                /* a text, but none of field->values */
};

/* Does `map` have the required keys, each with a value that its row takes? Else the first misfit in table order. */
bool entity_fits(const struct entity *e, const struct node *map, struct misfit *out);
/* Is the value of this row's key good? NULL: the key is absent. */
bool field_fits(const struct field *f, const struct node *value, struct misfit *out);

/* "'presets' must be a list of text; a part of it is 7". */
struct str misfit_text(struct arena *a, const struct misfit *m);
/* What to write instead; empty when nothing better than misfit_text comes to mind. */
struct str misfit_hint(struct arena *a, const struct misfit *m);
/* Why a document that must be a map of `e` is none, or NULL when it is one. */
const char *document_misfit(struct arena *a, const struct entity *e, const struct node *doc);

#endif
