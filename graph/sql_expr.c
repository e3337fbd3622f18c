#include "graph/sql_read.h"

/*
 * Expressions are followed only so far that their sub-queries are found and their
 * end is. Two walkers: sql_expr stops where an operand follows an operand (an alias, or a
 * misspelt FROM), sql_soup runs up to the next clause.
 */

static void brackets(struct sql_reader *r);

/* One token with all that it opens. */
static void token_walk(struct sql_reader *r, bool after_name)
{
	if (sql_punct_at(r, 0, '('))
		sql_parens(r, after_name);
	else if (sql_punct_at(r, 0, '['))
		brackets(r);
	else
		sql_next(r);
}

static bool name_before(const struct sql_reader *r)
{
	if (r->i == 0)
		return false;
	const struct sql_token *t = &r->token[r->i - 1];
	return t->kind == SQL_QUOTED ||
	       (t->kind == SQL_NAME && !(sql_word_flags(t->word) & (INFIX | PREFIX)) && t->word != W_AS);
}

static void brackets(struct sql_reader *r)
{
	size_t at = sql_peek(r, 0)->at;
	if (++r->depth > SQL_MAX_DEPTH)
		sql_fail(r, at, "Nested more than %d deep", SQL_MAX_DEPTH);
	sql_next(r);
	while (!sql_ended(r) && !sql_punct_at(r, 0, ']') && !sql_punct_at(r, 0, ')'))
		token_walk(r, name_before(r));
	if (!sql_take_punct(r, ']'))
		sql_fail(r, at, "'[' without ']'");
	r->depth--;
}

/* TABLE(c.s.t) and TABLE c.s.t as an argument: a read. */
static bool table_argument(struct sql_reader *r)
{
	if (sql_word_at(r, 0) != W_TABLE || r->i == 0)
		return false;
	const struct sql_token *before = &r->token[r->i - 1];
	bool argument =
	    before->kind == SQL_PUNCT && (before->punct == '(' || before->punct == ',' || before->punct == '=');
	bool parens = sql_punct_at(r, 1, '(');
	if (!argument || !sql_is_name(r, parens ? 2 : 1) || (parens && sql_query_starts(r, 2)))
		return false;
	sql_next(r);
	if (parens)
		sql_next(r);
	struct sql_name name;
	if (!sql_name(r, &name))
		return true;
	if (sql_punct_at(r, 0, '('))
		sql_parens(r, true);
	else
		sql_read_add(r, &name, false);
	if (parens && !sql_take_punct(r, ')'))
		sql_fail_here(r, "')'");
	return true;
}

static void parens_walk(struct sql_reader *r, bool call)
{
	if (sql_query_starts(r, 0) && !(call && (sql_word_at(r, 0) == W_FROM || sql_word_at(r, 0) == W_TABLE))) {
		sql_query(r);
		return;
	}
	while (!sql_ended(r) && !sql_punct_at(r, 0, ')') && !sql_punct_at(r, 0, ']'))
		if (!(call && table_argument(r)))
			token_walk(r, name_before(r));
}

void sql_parens(struct sql_reader *r, bool call)
{
	size_t at = sql_peek(r, 0)->at;
	if (++r->depth > SQL_MAX_DEPTH)
		sql_fail(r, at, "Nested more than %d deep", SQL_MAX_DEPTH);
	sql_next(r);
	parens_walk(r, call);
	if (!sql_take_punct(r, ')')) {
		if (sql_ended(r))
			sql_fail(r, at, "'(' without ')'");
		else
			sql_fail_here(r, "')'");
	}
	r->depth--;
}

/* FROM that belongs to an expression: IS [NOT] DISTINCT FROM. */
static bool distinct_from(const struct sql_reader *r)
{
	return sql_word_at(r, 0) == W_FROM && r->i > 1 && r->token[r->i - 1].word == W_DISTINCT &&
	       (r->token[r->i - 2].word == W_IS || r->token[r->i - 2].word == W_NOT);
}

static bool after_dot(const struct sql_reader *r)
{
	return r->i > 0 && r->token[r->i - 1].kind == SQL_PUNCT && r->token[r->i - 1].punct == '.';
}

/*
 * Does an operator stand last? A star may be a column, '>' the end of a type (a::array<int>), and most words
 * a column's name.
 */
static bool operand_missing(const struct sql_reader *r)
{
	const struct sql_token *last = &r->token[r->i - 1];
	if (last->kind == SQL_PUNCT)
		return strchr("=<+-/%|&^", last->punct) != NULL && last->text.p[last->text.n - 1] != '>';
	bool dotted = r->i > 1 && r->token[r->i - 2].kind == SQL_PUNCT && r->token[r->i - 2].punct == '.';
	return last->kind == SQL_NAME && !dotted &&
	       (last->word == W_AND || last->word == W_OR || last->word == W_NOT || last->word == W_IS || last->word == W_LIKE);
}

bool sql_soup(struct sql_reader *r, bool stop_at_comma)
{
	size_t start = r->i;
	while (!sql_ended(r) && !sql_punct_at(r, 0, ')') && !sql_punct_at(r, 0, ']')) {
		if (stop_at_comma && sql_punct_at(r, 0, ','))
			break;
		if (!after_dot(r) && !distinct_from(r) && sql_clause_starts(r))
			break;
		token_walk(r, name_before(r));
	}
	if (r->i > start && operand_missing(r))
		sql_fail_here(r, "an operand");
	return r->i > start;
}

void sql_rest(struct sql_reader *r)
{
	while (!sql_ended(r) && !sql_punct_at(r, 0, ')') && !sql_punct_at(r, 0, ']'))
		token_walk(r, name_before(r));
}

/* --- one expression --- */

static void case_walk(struct sql_reader *r)
{
	size_t at = sql_peek(r, 0)->at;
	unsigned open = 0;
	do {
		enum sql_word w = after_dot(r) ? W_NONE : sql_word_at(r, 0);
		open += w == W_CASE;
		open -= w == W_END;
		token_walk(r, name_before(r));
	} while (open > 0 && !sql_ended(r) && !sql_punct_at(r, 0, ')'));
	if (open > 0)
		sql_fail(r, at, "CASE without END");
}

static bool typed_literal(const struct sql_reader *r)
{
	static const enum sql_word types[] = {
		W_DATE, W_TIMESTAMP, W_TIMESTAMP_LTZ, W_TIMESTAMP_NTZ, W_TIME, W_X, W_R
	};
	for (size_t k = 0; k < sizeof types / sizeof *types; k++)
		if (sql_word_at(r, 0) == types[k])
			return sql_peek(r, 1)->kind == SQL_STRING;
	return false;
}

/* INTERVAL 3 DAYS, INTERVAL '1-2' YEAR TO MONTH; a column may be called so. */
static bool interval_walk(struct sql_reader *r)
{
	const struct sql_token *t = sql_peek(r, 1);
	if (sql_word_at(r, 0) != W_INTERVAL || sql_clause_starts(r))
		return false;
	bool amount = t->kind == SQL_NUMBER || t->kind == SQL_STRING || sql_punct_at(r, 1, '(') ||
	              sql_punct_at(r, 1, '-') || (sql_is_name(r, 1) && sql_word_flags(sql_word_at(r, 2)) & UNIT);
	if (!amount)
		return false;
	sql_next(r);
	for (;;) {
		sql_take_punct(r, '-');
		token_walk(r, false);
		while (sql_word_flags(sql_word_at(r, 0)) & UNIT)
			sql_next(r);
		if (sql_peek(r, 0)->kind != SQL_NUMBER || !(sql_word_flags(sql_word_at(r, 1)) & UNIT))
			return true;
	}
}

static void name_walk(struct sql_reader *r)
{
	sql_next(r);
	while (sql_punct_at(r, 0, '.') && (sql_is_name(r, 1) || sql_punct_at(r, 1, '*'))) {
		sql_next(r);
		sql_next(r);
	}
}

/* A word that is no column: SELECT a, SELECT b. */
static bool reserved_starts(const struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0);
	return sql_word_flags(w) & NAMELESS && w != W_NULL && !sql_punct_at(r, 1, '(') && !sql_punct_at(r, 1, '.');
}

/* False when no operand starts here. */
static bool operand_walk(struct sql_reader *r)
{
	const struct sql_token *t = sql_peek(r, 0);
	if (t->word == W_CASE)
		case_walk(r);
	else if (typed_literal(r)) {
		sql_next(r);
		sql_next(r);
	} else if (interval_walk(r))
		return true;
	else if (reserved_starts(r))
		return false;
	else if (sql_is_name(r, 0))
		name_walk(r);
	else if (t->kind == SQL_STRING)
		while (sql_peek(r, 0)->kind == SQL_STRING)
			sql_next(r);
	else if (t->kind == SQL_NUMBER || sql_punct_at(r, 0, '*') || sql_punct_at(r, 0, '?'))
		sql_next(r);
	else if (sql_punct_at(r, 0, '('))
		sql_parens(r, false);
	else if (sql_punct_at(r, 0, '[')) /* column:['key'], or a list */
		brackets(r);
	else if (sql_punct_at(r, 0, ':')) { /* :parameter */
		sql_next(r);
		sql_next(r);
	} else
		return false;
	return true;
}

/* What goes on behind an operand without needing another one. */
static bool suffix_walk(struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0);
	if (sql_punct_at(r, 0, '('))
		sql_parens(r, name_before(r));
	else if (sql_punct_at(r, 0, '['))
		brackets(r);
	else if ((w == W_IGNORE || w == W_RESPECT) && sql_word_at(r, 1) == W_NULLS) {
		sql_next(r);
		sql_next(r);
	} else if ((w == W_FILTER && sql_punct_at(r, 1, '(')) ||
	           (w == W_OVER && (sql_punct_at(r, 1, '(') || (sql_is_name(r, 1) && sql_word_at(r, 1) != W_FROM)))) {
		sql_next(r);
		token_walk(r, false);
	} else if (w == W_WITHIN && sql_word_at(r, 1) == W_GROUP) {
		sql_next(r);
		sql_next(r);
	} else if ((w == W_EXCEPT || w == W_REPLACE) && sql_punct_at(r, 1, '(')) { /* * EXCEPT (a, b) */
		sql_next(r);
		sql_parens(r, false);
	} else
		return false;
	return true;
}

/* An operator that wants an operand after it. */
static bool infix_walk(struct sql_reader *r)
{
	const struct sql_token *t = sql_peek(r, 0);
	if (t->word == W_AT && sql_word_at(r, 1) == W_TIME && sql_word_at(r, 2) == W_ZONE) {
		sql_next(r);
		sql_next(r);
	} else if (t->kind == SQL_PUNCT ? strchr(",()[];", t->punct) != NULL || str_is(t->text, "|>")
	                                : !(sql_word_flags(t->word) & INFIX))
		return false;
	sql_next(r);
	return true;
}

static bool prefix_walk(struct sql_reader *r)
{
	const struct sql_token *t = sql_peek(r, 0);
	bool sign = t->kind == SQL_PUNCT && strchr("+-~!", t->punct) != NULL;
	if (!sign && !distinct_from(r) && !(sql_word_flags(t->word) & PREFIX))
		return false;
	sql_next(r);
	return true;
}

bool sql_expr(struct sql_reader *r)
{
	size_t start = r->i;
	bool operand = false;
	while (!sql_ended(r) && !sql_punct_at(r, 0, ')') && !sql_punct_at(r, 0, ',')) {
		if (!distinct_from(r) && sql_clause_starts(r))
			break;
		if (!operand) {
			if (prefix_walk(r))
				continue;
			operand = operand_walk(r);
			if (!operand && !infix_walk(r)) /* int> in a cast to array<int> */
				break;
		} else if (!suffix_walk(r)) {
			if (!infix_walk(r))
				break;
			operand = false;
		}
	}
	bool infix = r->i > start && sql_word_flags(r->token[r->i - 1].word) & INFIX;
	if (!operand && r->i > start && (infix || operand_missing(r)) && r->out->line == 0)
		sql_fail_here(r, "an operand");
	return r->i > start;
}
