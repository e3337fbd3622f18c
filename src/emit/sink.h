/*
 * sink.h - writes to places that are no tables: spec/write_test.md 9.2 to 9.6.
 *
 * Internal to the sink_*.c of emit/.
 */
#ifndef LHP_EMIT_SINK_H
#define LHP_EMIT_SINK_H

#include "emit/write.h"

struct sink {
	struct write *w;
	const struct action *a;
	const struct node *target;
	struct str name;      /* sink_name */
	struct str comment;   /* of the code: the target's, else the description, else the default */
	struct str flow_text; /* of the flows: the description, else `comment` */
	struct str standard;  /* the default comment */
};

int sink_delta(struct sink *s);
int sink_kafka(struct sink *s);
int sink_custom(struct sink *s);
int sink_foreachbatch(struct sink *s);

/* Fills the three texts; `standard` is the default comment. */
void sink_comments(struct sink *s, struct str standard);
/* `# COMMENT`, an empty line. */
void sink_head_write(struct sink *s);
/* `# Create KIND sink` and the call, an empty line behind it. */
int sink_create_write(struct sink *s, const char *kind, struct str format, const struct node *options);

enum sink_flow {
	SINK_FLOW_PLAIN,
	SINK_FLOW_CHECKED, /* Kafka: the columns are checked when it runs */
	SINK_FLOW_BLOCK,   /* its comment is a block */
	SINK_FLOW_SHORT,   /* its decorator is one line */
};
/* `# Define append flow(s)` and one flow per view, each ending behind `return df` and a newline. */
void sink_flows_write(struct sink *s, enum sink_flow form);
/* One flow: the k-th, from 1. */
void sink_flow_write(struct sink *s, enum sink_flow form, struct str view, size_t k);

#endif
