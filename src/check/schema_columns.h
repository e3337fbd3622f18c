/*
 * schema_columns.h - the columns that a schema transform renames or casts.
 *
 * Reads the definitions of load_transform.md, section 4.6 (arrow lines, `columns`
 * lists, column_mapping and type_casting maps) far enough to know their names. What is
 * wrong with a definition is for emit/ to say, which reads it again: here it is only "not readable".
 */
#ifndef LHP_CHECK_SCHEMA_COLUMNS_H
#define LHP_CHECK_SCHEMA_COLUMNS_H

#include "model/sources.h"

struct schema_columns {
	struct names renamed; /* names before renaming */
	struct names target;  /* their new names, in the same order */
	struct names cast;
	struct names passed;
};

/* A definition in YAML (of a file or inline). False when it is not readable. */
bool schema_columns_of_map(struct arena *a, const struct node *map, struct schema_columns *out);
/* An inline definition: YAML with one of the three keys, else arrow lines. */
bool schema_columns_of_text(struct arena *a, struct str text, struct schema_columns *out);

#endif
