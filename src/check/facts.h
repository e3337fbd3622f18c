/*
 * facts.h - what other flowgroups need to know of one: its exported signature.
 *
 * Small, flat, and stored with the unit: the rules across flowgroups, the table
 * graph and the bundle lists are made from facts alone, without the YAML. The
 * hash of a table's facts is its exported signature: while it stays, readers stay clean.
 */
#ifndef LHP_CHECK_FACTS_H
#define LHP_CHECK_FACTS_H

#include "base/diag.h"
#include "base/hash.h"
#include "model/flowgroup.h"
#include "project/unit.h"

/* One write to a table. */
struct table_write {
	struct str table;      /* catalog.schema.table as written; canonical by str_lower */
	struct str action, mode; /* mode: standard, cdc, snapshot_cdc, replace, replace_where; empty for a materialized view */
	bool creates;
	struct str fan_in;     /* the fields that cdc writers must agree on, as "key=repr" lines (write_test.md 3.5 rule 3) */
	struct mark at;
};

/* One streaming read of a table, by its dotted name, that rules across flowgroups look at. */
struct table_read {
	struct str table, action;
	bool streaming, change_feed;
	struct mark at;
};

/* A view made inside the flowgroup, for the streaming-chain rule (write_test.md 8.2). */
struct view_made {
	struct str view, action;
	bool streaming;            /* decided by the action itself */
	struct str *source;        /* else by these */
	size_t n_source;
	bool unstable_metadata;    /* writes a metadata column with a non-deterministic expression (8.4) */
	struct mark at;
};

/* A quarantine: rejected rows of source_table go to dlq_table. */
struct quarantine_made {
	struct str dlq_table, source_table, action;
	struct mark at;
};

/* A test with a test_id; table: target or tmp_test_NAME. */
struct test_reported {
	struct str table, test_id, action;
	struct mark at;
};

/* A write of mode replace_where, with its source view. */
struct replace_where_write {
	struct str action, view;
	struct mark at;
};

/* Unity Catalog tags that a write declares for its table or for one column (spec/bundle.md, section 7). */
struct tagged {
	struct str table, column;  /* column: empty for the table itself */
	struct str named;          /* the table that the tags file is about, when it is another one */
	struct str pairs;          /* packed: key, value, key, value … */
};

struct facts {
	struct str pipeline, flowgroup, job_name;
	const char *file;
	bool selected;             /* set by the caller: report findings about this one */
	struct table_write *write;
	size_t n_write;
	struct table_read *read;
	size_t n_read;
	struct view_made *view;
	size_t n_view;
	struct quarantine_made *quarantine;
	size_t n_quarantine;
	struct test_reported *test;
	size_t n_test;
	struct replace_where_write *replace_where;
	size_t n_replace_where;
	struct tagged *tag;
	size_t n_tag;
};

/* Needs a resolved flowgroup, not a checked one. Reads the SQL files of its actions; reports nothing. */
void facts_take(struct unit *u, const struct flowgroup *fg, struct facts *out);

/* Only the views, and the source view of a write (empty: none). */
void facts_take_views(struct unit *u, const struct flowgroup *fg, struct facts *out);
struct str write_source_view(struct arena *a, const struct action *write);

/* Bytes for the store, and back (strings borrowed from `bytes`). -1 when they are damaged. */
struct str facts_pack(struct arena *a, const struct facts *f);
/* The same without places: equal when nobody could tell one from the other but by a line number. */
struct str facts_signature(struct arena *a, const struct facts *f);
int facts_unpack(struct arena *a, struct str bytes, struct facts *out);

#endif
