/*
 * tags.h - the Unity Catalog tags of a table and its columns, from `tags` or `tags_file`.
 *
 * Rules: spec/bundle.md, section 7. A write counts when it creates a table that is not temporary and has a
 * full name, and tagging is not switched off in lhp.yaml; else its file is not even opened.
 * Faults: IO-001, CFG-009, CFG-010, CFG-067 of the file; CFG-066 of a tag.
 */
#ifndef LHP_CHECK_TAGS_H
#define LHP_CHECK_TAGS_H

#include "base/vec.h"
#include "model/flowgroup.h"
#include "project/unit.h"

struct tag {
	struct str key, value;
	struct mark at;
};

struct tag_set {
	bool declared;        /* an empty set that is there differs from none */
	VEC_OF(struct tag)
};

struct column_tags {
	struct str column;
	struct tag_set tags;
};

struct table_tags {
	struct str table;     /* catalog.schema.table */
	struct tag_set tags;
	struct { VEC_OF(struct column_tags) } columns; /* those that declare tags */
	struct str named;     /* table or name of the file, when it is another table: for the log (LHP-CFG-068) */
};

/* 1 with *out filled when the write declares tags, 0 when it does not or does not count, -1 with findings of the action. */
int table_tags_read(struct unit *u, const struct action *write, struct table_tags *out);

#endif
