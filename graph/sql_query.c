#include "graph/sql_read.h"

bool sql_query_starts(const struct sql_reader *r, size_t k)
{
	switch (sql_word_at(r, k)) {
	case W_SELECT:
	case W_FROM: return true;
	case W_WITH: return sql_is_name(r, k + 1);
	case W_VALUES: return !sql_punct_at(r, k + 1, ')') && !sql_punct_at(r, k + 1, ',');
	case W_TABLE: return sql_is_name(r, k + 1);
	default: return false;
	}
}

bool sql_join_starts(const struct sql_reader *r)
{
	size_t k = 0;
	while (k < 4 && sql_word_flags(sql_word_at(r, k)) & JOINING)
		k++;
	return sql_word_at(r, k) == W_JOIN;
}

static bool set_operation_starts(const struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0), next = sql_word_at(r, 1);
	if (w != W_UNION && w != W_EXCEPT && w != W_INTERSECT && w != W_MINUS)
		return false;
	if (next == W_ALL || next == W_DISTINCT || next == W_BY || sql_query_starts(r, 1))
		return true;
	size_t k = 1;
	while (sql_punct_at(r, k, '('))
		k++;
	return k > 1 && sql_query_starts(r, k);
}

static bool by_follows(const struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0);
	return (w == W_GROUP || w == W_ORDER || w == W_SORT || w == W_CLUSTER || w == W_DISTRIBUTE) &&
	       sql_word_at(r, 1) == W_BY;
}

bool sql_clause_starts(const struct sql_reader *r)
{
	const struct sql_token *t = sql_peek(r, 0);
	if (t->kind == SQL_PUNCT)
		return str_is(t->text, "|>");
	if (t->kind != SQL_NAME || t->word == W_NONE)
		return false;
	if (sql_word_flags(t->word) & BODY)
		return true;
	if (t->word == W_LATERAL)
		return sql_word_at(r, 1) == W_VIEW;
	if (t->word == W_WINDOW)
		return sql_is_name(r, 1) && sql_word_at(r, 2) == W_AS;
	if (t->word == W_OFFSET)
		return sql_peek(r, 1)->kind == SQL_NUMBER ||
		       (sql_is_name(r, 1) && !(sql_word_flags(sql_word_at(r, 1)) & BODY));
	if (t->word == W_INSERT)
		return sql_word_at(r, 1) == W_INTO || sql_word_at(r, 1) == W_OVERWRITE;
	return by_follows(r) || set_operation_starts(r) || (sql_word_flags(t->word) & JOINING && sql_join_starts(r)) ||
	       t->word == W_UNION || t->word == W_INTERSECT;
}

void sql_scope_add(struct sql_reader *r, const struct sql_scope **scope, struct str name)
{
	struct sql_scope *s = ARENA_NEW(r->arena, struct sql_scope);
	*s = (struct sql_scope){ name, *scope };
	*scope = s;
}

/* One `name [(columns)] AS (query)`: visible to what follows, to itself only when recursive. */
static void common_table(struct sql_reader *r, bool recursive)
{
	if (!sql_is_name(r, 0)) {
		sql_fail_here(r, "a name after WITH");
		return;
	}
	struct str name = sql_peek(r, 0)->text;
	sql_next(r);
	if (sql_punct_at(r, 0, '('))
		sql_parens(r, false);
	while (!sql_ended(r) && sql_word_at(r, 0) != W_AS && recursive &&
	       !sql_punct_at(r, 0, ')')) /* MAX RECURSION LEVEL 10 */
		sql_next(r);
	sql_take_word(r, W_AS);
	if (recursive)
		sql_scope_add(r, &r->scope, name);
	if (sql_word_at(r, 0) == W_NOT || sql_word_at(r, 0) == W_MATERIALIZED) { /* AS [NOT] MATERIALIZED ( */
		sql_take_word(r, W_NOT);
		sql_take_word(r, W_MATERIALIZED);
	}
	if (!sql_punct_at(r, 0, '(') || sql_punct_at(r, 1, ')')) {
		sql_fail_here(r, "a query in parentheses after AS");
		return;
	}
	sql_parens(r, false);
	if (!recursive)
		sql_scope_add(r, &r->scope, name);
}

void sql_with(struct sql_reader *r)
{
	sql_next(r);
	bool recursive = sql_word_at(r, 0) == W_RECURSIVE && sql_is_name(r, 1) && sql_word_at(r, 1) != W_AS;
	if (recursive)
		sql_next(r);
	do
		common_table(r, recursive);
	while (sql_take_punct(r, ','));
}

/* --- SELECT --- */

static void select_items(struct sql_reader *r)
{
	do {
		if (!sql_expr(r))
			continue;
		bool as = sql_take_word(r, W_AS);
		bool taken = sql_word_flags(sql_word_at(r, 0)) & NAMELESS;
		if (sql_peek(r, 0)->kind == SQL_STRING ||
		    (sql_is_name(r, 0) && (as || (!taken && !sql_clause_starts(r)))))
			sql_next(r);
		if (as && sql_punct_at(r, 0, '('))
			sql_parens(r, false);
		if (!sql_ended(r) && !sql_punct_at(r, 0, ',') && !sql_punct_at(r, 0, ')') && !sql_clause_starts(r))
			sql_fail(r, sql_peek(r, 0)->at, "Invalid expression / Unexpected token (near '%.*s')",
			         STR_ARG(sql_peek(r, 0)->text));
	} while (sql_take_punct(r, ','));
}

/* SELECT TRANSFORM(a, b) USING 'cat' AS (x, y) FROM t */
static void transform_script(struct sql_reader *r)
{
	while (!sql_ended(r) && !sql_punct_at(r, 0, ')') && sql_word_at(r, 0) != W_FROM)
		if (sql_punct_at(r, 0, '('))
			sql_parens(r, true);
		else
			sql_next(r);
}

/* Clauses that come once, and whether something must follow. */
static const struct {
	enum sql_word word;
	bool operand;
} once[] = {
	{ W_FROM, true },    { W_WHERE, true }, { W_HAVING, true },
	{ W_QUALIFY, true }, { W_LIMIT, true }, { W_FETCH, false },
};

enum { SEEN_HEAD = 0x0f }; /* all but LIMIT and FETCH, which may follow a set operation */

/* One clause of a query; false when there is none. `seen` has a bit for each of `once` that was there. */
static bool clause(struct sql_reader *r, unsigned *seen)
{
	enum sql_word w = sql_word_at(r, 0);
	if (r->out->line != 0 || sql_ended(r) || sql_punct_at(r, 0, ')') || set_operation_starts(r))
		return false;
	bool operand = false, known = by_follows(r) || w == W_OFFSET || w == W_WINDOW;
	for (size_t k = 0; k < sizeof once / sizeof *once; k++)
		if (once[k].word == w) {
			if (*seen & 1u << k)
				return false;
			*seen |= 1u << k;
			known = true;
			operand = once[k].operand;
		}
	if (w == W_LATERAL && sql_word_at(r, 1) == W_VIEW) {
		sql_lateral_view(r);
		return true;
	}
	if (!known || !sql_clause_starts(r))
		return false;
	sql_next(r);
	if (w == W_FROM) {
		sql_relations(r);
		return true;
	}
	sql_take_word(r, W_BY);
	if (!sql_soup(r, false) && (operand || w == W_ORDER))
		sql_fail_here(r, "an expression");
	return true;
}

static void select_block(struct sql_reader *r)
{
	sql_next(r);
	if (sql_word_at(r, 0) == W_ALL || sql_word_at(r, 0) == W_DISTINCT)
		sql_next(r);
	if (str_is_nocase(sql_peek(r, 0)->text, "transform") && sql_punct_at(r, 1, '('))
		transform_script(r);
	else
		select_items(r);
	unsigned seen = 0;
	while (clause(r, &seen))
		;
}

/* FROM t [SELECT …]; Hive's FROM t INSERT INTO a SELECT … INSERT INTO b SELECT …. */
static void from_first(struct sql_reader *r)
{
	unsigned seen = 0;
	while (clause(r, &seen))
		;
	while (sql_word_at(r, 0) == W_INSERT || sql_word_at(r, 0) == W_SELECT) {
		if (sql_word_at(r, 0) == W_INSERT)
			while (!sql_ended(r) && sql_word_at(r, 0) != W_SELECT)
				sql_next(r);
		if (sql_word_at(r, 0) == W_SELECT)
			select_block(r);
	}
}

static void query_term(struct sql_reader *r)
{
	struct sql_name name;
	switch (sql_word_at(r, 0)) {
	case W_SELECT: select_block(r); return;
	case W_FROM: from_first(r); return;
	case W_VALUES: sql_relation(r); return;
	case W_TABLE:
		sql_next(r);
		if (sql_name(r, &name))
			sql_read_add(r, &name, false);
		return;
	default: break;
	}
	if (!sql_punct_at(r, 0, '('))
		sql_fail_here(r, "SELECT");
	else if (sql_query_starts(r, 1))
		sql_parens(r, false);
	else {
		size_t at = sql_peek(r, 0)->at;
		if (++r->depth > SQL_MAX_DEPTH)
			sql_fail(r, at, "Nested more than %d deep", SQL_MAX_DEPTH);
		sql_next(r);
		sql_query(r);
		if (!sql_take_punct(r, ')'))
			sql_fail(r, at, "'(' without ')'");
		r->depth--;
	}
}

/* One operator of the pipe syntax: `|> WHERE x`, `|> JOIN t ON …`, `|> UNION ALL (SELECT …)`. */
static void pipe_step(struct sql_reader *r)
{
	sql_next(r);
	if (sql_join_starts(r)) {
		sql_join(r);
		return;
	}
	while (!sql_ended(r) && !sql_punct_at(r, 0, ')') && !str_is(sql_peek(r, 0)->text, "|>") &&
	       !set_operation_starts(r)) {
		if (sql_punct_at(r, 0, '('))
			sql_parens(r, true);
		else
			sql_next(r);
	}
}

static void query_tail(struct sql_reader *r)
{
	unsigned seen = SEEN_HEAD;
	for (;;) {
		if (set_operation_starts(r)) {
			sql_next(r);
			while (sql_word_at(r, 0) == W_ALL || sql_word_at(r, 0) == W_DISTINCT ||
			       sql_word_at(r, 0) == W_BY || sql_word_at(r, 0) == W_NAME)
				sql_next(r);
			query_term(r);
		} else if (str_is(sql_peek(r, 0)->text, "|>") && sql_peek(r, 0)->kind == SQL_PUNCT)
			pipe_step(r);
		else if (!clause(r, &seen))
			return;
	}
}

void sql_query(struct sql_reader *r)
{
	const struct sql_scope *scope = r->scope;
	if (++r->depth > SQL_MAX_DEPTH)
		sql_fail(r, sql_peek(r, 0)->at, "Nested more than %d deep", SQL_MAX_DEPTH);
	while (sql_word_at(r, 0) == W_WITH)
		sql_with(r);
	query_term(r);
	query_tail(r);
	r->depth--;
	r->scope = scope;
}
