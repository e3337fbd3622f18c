/*
 * sql.h - which tables a Spark SQL text reads.
 *
 * A tokenizer and a reader of the FROM grammar of Spark and Databricks SQL:
 * every statement form is followed as far as its tables, expressions only as far
 * as the sub-queries in them. What is a read and what is not: spec/dag.md, section
 * 6. LHP's tokens (`${cat}`, `{cat}`) are name parts and come back byte for byte;
 * a name with a `$word` in it is dropped.
 *
 * A text that does not parse (6.3) is a problem with its place, and then nothing
 * in it counts as read. Bounded: nesting (SQL_MAX_DEPTH); time is linear.
 *
 * Texts live in the arena or in `text`.
 */
#ifndef LHP_GRAPH_SQL_H
#define LHP_GRAPH_SQL_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

enum { SQL_MAX_DEPTH = 150 };

struct sql_read {
	struct str name;     /* parts joined with '.', without quotes, case as written */
	bool streaming;      /* STREAM t, STREAM(t) */
	uint32_t line, col;  /* of its first character, from 1 in the text */
	size_t at, end;      /* its bytes in the text, quotes and blanks included */
};

struct sql_reads {
	VEC_OF(struct sql_read) /* in order of the text; a table read twice is there twice */
	uint32_t line, col;     /* of the problem; 0 when there is none */
	struct str problem;     /* one line: what was found, what was expected */
};

/* 0, or -1 with out->problem set and no reads. */
int sql_reads(struct arena *a, struct str text, struct sql_reads *out);

/*
 * What a text reads as a stream, by its words alone, so that there is an answer for texts that do not parse and for
 * streams of functions (spec/write_test.md, 8.2): `stream(T)` anywhere, `STREAM T` behind FROM, JOIN or a comma after
 * them. In order; "" for a stream of something that is no name.
 */
struct sql_streams {
	VEC_OF(struct str)
};
void sql_streams(struct arena *a, struct str text, struct sql_streams *out);

#endif
