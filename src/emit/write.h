/*
 * write.h - writes to tables and sinks: what their families share.
 *
 * Rules: spec/write_test.md. A group of writes to one target becomes one piece of
 * code: what makes the table comes from its creating action, flows come from every
 * action in order. Raw texts end as the spec's raw trees do, newlines included.
 * Internal to the write_*.c and sink*.c of emit/.
 */
#ifndef LHP_EMIT_WRITE_H
#define LHP_EMIT_WRITE_H

#include "emit/module.h"

struct write {
	struct module *m;
	struct buf *b;
	const struct write_group *group;
	const struct action *creator;
	const struct node *target; /* the creator's write_target */
	struct str full;           /* catalog.schema.table */
};

/* --- families of tables: 0, or -1 with a finding --- */
int write_standard(struct write *w);
int write_cdc(struct write *w);
int write_snapshot_cdc(struct write *w);
int write_replace(struct write *w);
int write_replace_where(struct write *w);
int write_materialized_view(struct write *w);
int write_sink(struct write *w);

/* --- tables --- */
enum table_kind { TABLE_STREAMING, TABLE_VIEW, TABLE_REPLACE_WHERE };

/* `    name=…,` to the last option and `)`: the arguments of write_test.md 4.1, one a line. */
int table_arguments_write(struct write *w, enum table_kind kind);
/* `HEAD`, `dp.create_streaming_table(`, the arguments, and a newline. */
int table_create_write(struct write *w, const char *head);
/* The name of the function that makes a table: dots and other characters as '_'. */
struct str table_function(struct write *w);

/* --- flows --- */
struct views {
	VEC_OF(struct str)
};

/* The views that a write reads (write_test.md 4.2): texts; of a map its table, view or name. */
void write_views(struct write *w, const struct action *a, struct views *out);
/* Of a sink: texts, and `view` of maps. */
void sink_views(struct write *w, const struct action *a, struct views *out);
/* The k-th of n flow names of an action (1.5): k counts from 1. */
struct str flow_name(struct write *w, const struct action *a, size_t k, size_t n);
/* Each flow of the group, by action and view: calls `one` until it fails. */
int flows_write(struct write *w, int (*one)(struct write *w, const struct action *a, struct str name, struct str view));
/* `    KEY=S,` and a newline. */
void argument_text(struct buf *b, const char *key, struct str value);
/* `    KEY=P,` and a newline. */
int argument_data(struct write *w, const struct action *a, const char *key, const struct node *value);
/* `def NAME():`, the docstring and newlines; `at` is blamed for a bad name. */
void function_begin(struct write *w, struct str name, struct str doc, struct mark at);
/* `    df = READER.table("VIEW")`, an empty line, `    return df`, without a newline. */
void function_read(struct write *w, const char *reader, struct str view);

#endif
