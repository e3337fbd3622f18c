/*
 * schema_changes.h - what a schema transform does to columns: renames, casts, and columns that pass.
 *
 * Definitions come as YAML (a file, or inline text): `columns`, a list of arrow
 * entries, or the older `column_mapping` and `type_casting` maps; or inline as bare
 * arrow lines `old -> new: TYPE`, `old -> new`, `column: TYPE`, `column`
 * (spec/load_transform.md 4.6). Texts live in the arena.
 */
#ifndef LHP_MODEL_SCHEMA_CHANGES_H
#define LHP_MODEL_SCHEMA_CHANGES_H

#include "base/vec.h"
#include "yaml/node.h"

struct column_change {
	struct str from; /* the column */
	struct str to;   /* new name of a rename, type of a cast; empty for a column that passes */
};

struct column_changes {
	VEC_OF(struct column_change)
};

struct schema_changes {
	struct column_changes rename, cast, pass; /* in the order written */
	const struct node *enforcement; /* the key `enforcement` beside the definitions, which has no effect; or NULL */
	/* The fault, when it could not be read; `misshapen`: a value of a wrong type rather than a wrong text. */
	bool misshapen;
	struct mark at;
	struct str problem, hint;
};

/* What to say of the key `enforcement`. */
extern const char schema_enforcement_detail[], schema_enforcement_hint[];

/* A definition in YAML. 0, or -1 with out->problem. */
int schema_changes_of_node(struct arena *a, const struct node *root, struct schema_changes *out);
/* An inline definition, a text node: YAML with one of the three keys, else arrow lines. */
int schema_changes_of_text(struct arena *a, const struct node *text, struct schema_changes *out);

#endif
