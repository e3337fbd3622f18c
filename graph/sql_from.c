#include "graph/sql_read.h"

static bool scope_has(const struct sql_scope *s, struct str name)
{
	for (; s != NULL; s = s->outer)
		if (str_eq_nocase(s->name, name))
			return true;
	return false;
}

/* What USE CATALOG and USE SCHEMA put in front of a shorter name. */
static struct str name_qualified(struct sql_reader *r, const struct sql_name *n)
{
	if (n->parts == 2 && r->catalog.n > 0)
		return str_fmt(r->arena, "%.*s.%.*s", STR_ARG(r->catalog), STR_ARG(n->text));
	if (n->parts == 1 && r->catalog.n > 0 && r->schema.n > 0)
		return str_fmt(r->arena, "%.*s.%.*s.%.*s", STR_ARG(r->catalog), STR_ARG(r->schema), STR_ARG(n->text));
	return n->text;
}

void sql_read_add(struct sql_reader *r, const struct sql_name *n, bool streaming)
{
	if (n->dropped || n->text.n == 0 ||
	    (n->parts == 1 && (scope_has(r->scope, n->text) || scope_has(r->views, n->text))))
		return;
	struct sql_read *read = VEC_PUSH(r->out, r->arena);
	*read = (struct sql_read){ name_qualified(r, n), streaming, 0, 0, n->at, n->end };
	sql_place(r->text, n->at, &read->line, &read->col);
}

void sql_read_literal(struct sql_reader *r, const struct sql_token *t, bool streaming)
{
	struct str text = str_trim(t->text);
	struct sql_name n = { .parts = 1 + str_count_char(text, '.'), .at = t->at, .end = t->end };
	n.text = str_replace(r->arena, text, STR("`"), STR(""));
	sql_read_add(r, &n, streaming);
}

static bool part_starts(const struct sql_reader *r, bool first)
{
	const struct sql_token *t = sql_peek(r, 0);
	unsigned flags = sql_word_flags(t->word);
	if (t->kind == SQL_NAME)
		return !(flags & NAMELESS) || (flags & DOTTED && (!first || sql_punct_at(r, 1, '.')));
	return t->kind == SQL_QUOTED || t->kind == SQL_STRING || t->kind == SQL_NUMBER;
}

bool sql_name(struct sql_reader *r, struct sql_name *out)
{
	struct buf b = { 0 };
	*out = (struct sql_name){ .at = sql_peek(r, 0)->at };
	do {
		if (!part_starts(r, out->parts == 0)) {
			sql_fail_here(r, out->parts == 0 ? "a table name" : "the next part of a table name");
			break;
		}
		const struct sql_token *t = sql_peek(r, 0);
		if (out->parts++ > 0)
			buf_addc(&b, '.');
		else
			out->first = t->text;
		buf_add(&b, t->text);
		out->dropped |= t->dropped;
		out->end = t->end;
		sql_next(r);
	} while (sql_take_punct(r, '.'));
	out->text = buf_take(&b, r->arena);
	buf_release(&b);
	return r->out->line == 0;
}

/* --- what stands behind a relation --- */

static bool time_travel_starts(const struct sql_reader *r)
{
	size_t k = sql_word_at(r, 0) == W_FOR;
	enum sql_word w = sql_word_at(r, k);
	return (w == W_VERSION || w == W_TIMESTAMP || w == W_SYSTEM_VERSION || w == W_SYSTEM_TIME) &&
	       sql_word_at(r, k + 1) == W_AS && sql_word_at(r, k + 2) == W_OF;
}

static bool suffix_starts(const struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0);
	return time_travel_starts(r) || w == W_TABLESAMPLE || w == W_LATERAL || w == W_USING || w == W_ON ||
	       (w == W_SET && sql_is_name(r, 1)) || w == W_WHEN || (w == W_PIVOT && sql_punct_at(r, 1, '(')) ||
	       w == W_VALUES || (w == W_UNPIVOT && (sql_punct_at(r, 1, '(') || sql_is_name(r, 1))) || w == W_INSERT ||
	       w == W_SELECT || (w == W_WATERMARK && (sql_is_name(r, 1) || sql_punct_at(r, 1, '('))) || w == W_WITH ||
	       (w == W_PARTITION && sql_punct_at(r, 1, '('));
}

void sql_alias(struct sql_reader *r, struct str *alias)
{
	bool as = sql_take_word(r, W_AS);
	const struct sql_token *t = sql_peek(r, 0);
	bool taken = t->word == W_WINDOW || sql_word_flags(t->word) & (NAMELESS | JOINING);
	bool name = t->kind == SQL_QUOTED || t->kind == SQL_STRING ||
	            (t->kind == SQL_NAME &&
	             (as ? !sql_clause_starts(r) : !taken && !suffix_starts(r) && !sql_clause_starts(r)));
	if (name) {
		*alias = t->text;
		sql_next(r);
	}
	if (sql_punct_at(r, 0, '(') && (name || as))
		sql_parens(r, false);
}

static void time_travel(struct sql_reader *r)
{
	sql_take_word(r, W_FOR);
	sql_next(r);
	sql_next(r);
	sql_next(r);
	sql_expr(r);
}

void sql_lateral_view(struct sql_reader *r)
{
	sql_next(r);
	sql_next(r);
	sql_take_word(r, W_OUTER);
	struct sql_name function;
	struct str alias = STR_NONE;
	if (!sql_name(r, &function))
		return;
	if (!sql_punct_at(r, 0, '(')) {
		sql_fail_here(r, "'(' after the function of LATERAL VIEW");
		return;
	}
	sql_parens(r, true);
	if (sql_word_at(r, 0) != W_AS)
		sql_alias(r, &alias);
	if (sql_take_word(r, W_AS))
		do
			sql_next(r);
		while (sql_punct_at(r, 0, ',') && sql_is_name(r, 1) && (sql_next(r), true));
}

/* PIVOT (…), UNPIVOT INCLUDE NULLS (…), TABLESAMPLE (…) REPEATABLE (7), WITH (…). */
static void parens_suffix(struct sql_reader *r)
{
	sql_next(r);
	for (size_t k = 0; k < 2 && sql_is_name(r, 0); k++)
		sql_next(r);
	if (!sql_punct_at(r, 0, '(')) {
		sql_fail_here(r, "'('");
		return;
	}
	sql_parens(r, false);
	if (str_is_nocase(sql_peek(r, 0)->text, "repeatable") && sql_punct_at(r, 1, '(')) {
		sql_next(r);
		sql_parens(r, false);
	}
}

static bool relation_suffix(struct sql_reader *r, struct str *alias)
{
	enum sql_word w = sql_word_at(r, 0);
	if (sql_ended(r))
		return false;
	if (time_travel_starts(r))
		time_travel(r);
	else if (sql_punct_at(r, 0, '@')) { /* t@v3 */
		sql_next(r);
		sql_next(r);
	} else if (w == W_TABLESAMPLE || (suffix_starts(r) && (w == W_PIVOT || w == W_UNPIVOT)) ||
	           (w == W_WITH && sql_punct_at(r, 1, '(')))
		parens_suffix(r);
	else if (w == W_LATERAL && sql_word_at(r, 1) == W_VIEW)
		sql_lateral_view(r);
	else if (w == W_WATERMARK && suffix_starts(r)) { /* WATERMARK ts DELAY OF INTERVAL 1 HOUR */
		sql_next(r);
		sql_expr(r);
		sql_next(r);
		sql_take_word(r, W_OF);
		sql_expr(r);
	} else if (alias->n == 0 && sql_peek(r, 0)->kind != SQL_PUNCT && sql_peek(r, 0)->kind != SQL_NUMBER) {
		size_t i = r->i;
		sql_alias(r, alias);
		return r->i > i;
	} else
		return false;
	return true;
}

/* --- one relation --- */

static bool wrapper_starts(const struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0);
	return (w == W_STREAM || w == W_LIVE || w == W_SNAPSHOT) && sql_punct_at(r, 1, '(');
}

/* STREAM before a name, not `stream` as the name itself. */
static bool stream_word(const struct sql_reader *r)
{
	if (sql_word_at(r, 0) != W_STREAM || !sql_is_name(r, 1))
		return false;
	struct sql_reader next = *r;
	next.i++;
	return !(sql_word_flags(sql_word_at(r, 1)) & NAMELESS) && !sql_clause_starts(&next) && !suffix_starts(&next);
}

/* STREAM(x), LIVE(x), SNAPSHOT(x): x counts when it is a name. */
static void wrapper(struct sql_reader *r)
{
	bool streaming = sql_word_at(r, 0) == W_STREAM;
	const struct sql_token *t = sql_peek(r, 2);
	sql_next(r);
	if (sql_is_name(r, 1) ? sql_word_flags(t->word) & NAMELESS : !t->double_quoted) {
		sql_parens(r, true);
		return;
	}
	size_t open = r->i;
	struct sql_name name;
	sql_next(r);
	if (!sql_name(r, &name))
		return;
	if (sql_word_at(r, 0) == W_WITH && sql_punct_at(r, 1, '(')) { /* STREAM(t WITH (SKIPCHANGECOMMITS)) */
		sql_next(r);
		sql_parens(r, false);
	}
	if (sql_punct_at(r, 0, ')')) {
		sql_next(r);
		sql_read_add(r, &name, streaming);
		return;
	}
	r->i = open;
	sql_parens(r, true);
}

/* Table functions whose first text names a table. */
static bool literal_function(struct str name)
{
	static const char *const functions[] = { "table_changes", "identifier", "vector_search", "table_metadata" };
	for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
		if (str_is_nocase(name, functions[k]))
			return true;
	return false;
}

static void function_relation(struct sql_reader *r, const struct sql_name *name, bool streaming)
{
	size_t k = 1;
	if (sql_is_name(r, 1) && str_is(sql_peek(r, 2)->text, "=>"))
		k = 3;
	const struct sql_token *t = sql_peek(r, k);
	if (literal_function(name->text) && t->kind == SQL_STRING &&
	    (sql_punct_at(r, k + 1, ',') || sql_punct_at(r, k + 1, ')')))
		sql_read_literal(r, t, streaming);
	sql_parens(r, true);
}

static bool is_lateral_column(const struct sql_name *n, const struct str *alias, size_t aliases)
{
	for (size_t k = 0; k < aliases && n->parts > 1; k++)
		if (alias[k].n > 0 && str_eq_nocase(alias[k], n->first))
			return true;
	return false;
}

static void values_rows(struct sql_reader *r)
{
	do {
		sql_next(r);
		if (!sql_expr(r))
			sql_fail_here(r, "a row after VALUES");
	} while (sql_punct_at(r, 0, ',') && !sql_is_name(r, 1));
}

/* `( query )` or `( relation join relation )`. */
static void parens_relation(struct sql_reader *r)
{
	bool nested = sql_punct_at(r, 1, '(') || sql_is_name(r, 1) || sql_peek(r, 1)->kind == SQL_STRING;
	if (sql_query_starts(r, 1) || !nested) {
		sql_parens(r, false);
		return;
	}
	size_t at = sql_peek(r, 0)->at;
	if (++r->depth > SQL_MAX_DEPTH)
		sql_fail(r, at, "Nested more than %d deep", SQL_MAX_DEPTH);
	sql_next(r);
	sql_relations(r);
	/* ((SELECT …) UNION (SELECT …)) begins like a relation. */
	if (!sql_punct_at(r, 0, ')') && sql_clause_starts(r)) {
		while (!sql_ended(r) && !sql_punct_at(r, 0, ')')) {
			if (sql_query_starts(r, 0))
				sql_query(r);
			else if (sql_punct_at(r, 0, '('))
				sql_parens(r, false);
			else
				sql_next(r);
		}
	}
	if (!sql_take_punct(r, ')'))
		sql_fail(r, at, "'(' without ')'");
	r->depth--;
}

static void named_relation(struct sql_reader *r, bool streaming, const struct str *alias, size_t aliases)
{
	struct sql_name name;
	if (!sql_name(r, &name))
		return;
	if (sql_punct_at(r, 0, '('))
		function_relation(r, &name, streaming);
	else if (!is_lateral_column(&name, alias, aliases))
		sql_read_add(r, &name, streaming);
}

/* TABLE(c.s.t), TABLE(fn(1)), TABLE c.s.t; the word itself may be a name. */
static bool table_relation(struct sql_reader *r, bool streaming)
{
	if (sql_word_at(r, 0) != W_TABLE || !(sql_punct_at(r, 1, '(') || sql_is_name(r, 1)))
		return false;
	sql_next(r);
	bool parens = sql_take_punct(r, '(');
	named_relation(r, streaming, NULL, 0);
	if (parens && !sql_take_punct(r, ')'))
		sql_fail_here(r, "')'");
	return true;
}

static void primary(struct sql_reader *r, const struct str *alias, size_t aliases)
{
	bool streaming = false;
	if (sql_word_at(r, 0) == W_LATERAL && sql_word_at(r, 1) != W_VIEW)
		sql_next(r);
	if (stream_word(r)) {
		streaming = true;
		sql_next(r);
	}
	if (sql_punct_at(r, 0, '('))
		parens_relation(r);
	else if (sql_word_at(r, 0) == W_VALUES)
		values_rows(r);
	else if (sql_punct_at(r, 0, ':') && sql_is_name(r, 1)) { /* :parameter */
		sql_next(r);
		sql_next(r);
	} else if (sql_punct_at(r, 0, '?'))
		sql_next(r);
	else if (wrapper_starts(r))
		wrapper(r);
	else if (!table_relation(r, streaming))
		named_relation(r, streaming, alias, aliases);
}

enum { MAX_ALIASES = 64 };

struct aliases {
	struct str alias[MAX_ALIASES];
	size_t n;
};

static void relation_of(struct sql_reader *r, struct aliases *as)
{
	struct str alias = STR_NONE;
	primary(r, as->alias, as->n);
	while (r->out->line == 0 && relation_suffix(r, &alias))
		;
	if (alias.n > 0 && as->n < MAX_ALIASES)
		as->alias[as->n++] = alias;
}

static void join_of(struct sql_reader *r, struct aliases *as)
{
	while (sql_word_at(r, 0) != W_JOIN)
		sql_next(r);
	sql_next(r);
	relation_of(r, as);
	while (r->out->line == 0) {
		if (sql_take_word(r, W_ON)) {
			if (!sql_soup(r, true))
				sql_fail_here(r, "a condition after ON");
		} else if (sql_word_at(r, 0) == W_USING && sql_punct_at(r, 1, '(')) {
			struct str alias = STR_NONE;
			sql_next(r);
			sql_parens(r, false);
			if (sql_word_at(r, 0) == W_AS)
				sql_alias(r, &alias);
		} else
			break;
	}
}

void sql_join(struct sql_reader *r)
{
	struct aliases as = { .n = 0 };
	join_of(r, &as);
}

void sql_relation(struct sql_reader *r)
{
	struct aliases as = { .n = 0 };
	relation_of(r, &as);
}

void sql_relations(struct sql_reader *r)
{
	struct aliases as = { .n = 0 };
	do {
		relation_of(r, &as);
		while (r->out->line == 0 && sql_join_starts(r))
			join_of(r, &as);
		while (r->out->line == 0 && sql_word_at(r, 0) == W_LATERAL && sql_word_at(r, 1) == W_VIEW)
			sql_lateral_view(r);
	} while (sql_take_punct(r, ',') && !sql_ended(r));
}
