/*
 * sql_read.h - what the parts of the SQL reader share: tokens, scopes, and the reader that walks them.
 *
 * Private to graph/sql*.c. Functions that read advance r->i; the first problem is
 * kept, and everything ends at once because sql_fail moves r->i to the end.
 */
#ifndef LHP_GRAPH_SQL_READ_H
#define LHP_GRAPH_SQL_READ_H

#include "graph/sql.h"
#include "graph/sql_token.h"

/* Names that hide tables, innermost first. */
struct sql_scope {
	struct str name;
	const struct sql_scope *outer;
};

struct sql_reader {
	struct arena *arena;
	struct str text;
	struct sql_token *token; /* ends with one SQL_END */
	size_t n, i;
	unsigned depth;
	const struct sql_scope *scope; /* common table expressions; whoever opens one restores it */
	const struct sql_scope *views; /* temporary views made by the statements before */
	struct str catalog, schema; /* set by USE */
	struct sql_reads *out;
};

/* --- sql_lex.c --- */
int sql_lex(struct sql_reader *r);
unsigned sql_word_flags(enum sql_word w);
void sql_place(struct str text, size_t at, uint32_t *line, uint32_t *col);
void sql_fail(struct sql_reader *r, size_t at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void sql_fail_here(struct sql_reader *r, const char *expected);

/* --- walking --- */
static inline const struct sql_token *sql_peek(const struct sql_reader *r, size_t k)
{
	return &r->token[r->i + k < r->n ? r->i + k : r->n - 1];
}
static inline enum sql_word sql_word_at(const struct sql_reader *r, size_t k)
{
	return sql_peek(r, k)->word;
}
static inline bool sql_punct_at(const struct sql_reader *r, size_t k, char c)
{
	return sql_peek(r, k)->kind == SQL_PUNCT && sql_peek(r, k)->punct == c && sql_peek(r, k)->text.n == 1;
}
static inline bool sql_ended(const struct sql_reader *r)
{
	return sql_peek(r, 0)->kind == SQL_END || sql_punct_at(r, 0, ';');
}
void sql_next(struct sql_reader *r);
bool sql_take_word(struct sql_reader *r, enum sql_word w);
bool sql_take_punct(struct sql_reader *r, char c);
bool sql_is_name(const struct sql_reader *r, size_t k); /* a bare or quoted word */

/* --- sql_query.c --- */
bool sql_query_starts(const struct sql_reader *r, size_t k);
bool sql_clause_starts(const struct sql_reader *r); /* also a join or a set operation */
bool sql_join_starts(const struct sql_reader *r);
void sql_with(struct sql_reader *r);
void sql_query(struct sql_reader *r);
void sql_scope_add(struct sql_reader *r, const struct sql_scope **scope, struct str name);

/* --- sql_expr.c --- */
/* At '(': to behind its ')', reading the queries inside. `call`: the arguments of a function. */
void sql_parens(struct sql_reader *r, bool call);
/* Anything up to a clause, ')' or the end of the statement; false when there was nothing. */
bool sql_soup(struct sql_reader *r, bool stop_at_comma);
/* One expression, where it ends by itself: false when there was nothing. */
bool sql_expr(struct sql_reader *r);
/* Everything to the end of the statement, with its sub-queries. */
void sql_rest(struct sql_reader *r);

/* --- sql_from.c --- */
struct sql_name {
	struct str text;
	size_t parts;
	size_t at, end;
	bool dropped;
	struct str first; /* first part */
};
bool sql_name(struct sql_reader *r, struct sql_name *out);
void sql_read_add(struct sql_reader *r, const struct sql_name *n, bool streaming);
/* A literal that names a table: IDENTIFIER('c.s.t'). */
void sql_read_literal(struct sql_reader *r, const struct sql_token *t, bool streaming);
void sql_relations(struct sql_reader *r);
void sql_relation(struct sql_reader *r);
void sql_join(struct sql_reader *r);
void sql_lateral_view(struct sql_reader *r);
void sql_alias(struct sql_reader *r, struct str *alias);

#endif
