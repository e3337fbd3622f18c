/*
 * sql_stream.h - which names a SQL text reads as a stream: `stream(T)` and `STREAM T`.
 *
 * Looks at words outside comments and strings only, so that it has an answer for
 * texts that graph/sql.h does not parse, and for streams of functions
 * (write_test.md, section 8.2). `STREAM T` counts where a table may stand: behind FROM, JOIN or a comma after them.
 */
#ifndef LHP_CHECK_SQL_STREAM_H
#define LHP_CHECK_SQL_STREAM_H

#include "model/sources.h"

/* Names in order, parts joined with '.', without quotes and blanks; "" for a stream of something that is no name. */
void sql_streams(struct arena *a, struct str sql, struct names *out);

#endif
