#include "graph/sql_read.h"

static void statement(struct sql_reader *r);

/* To the next `;` at the top, parentheses checked, nothing read. */
static void statement_skip(struct sql_reader *r)
{
	size_t before = r->out->n;
	sql_rest(r);
	r->out->n = before;
}

static void query_find(struct sql_reader *r)
{
	while (!sql_ended(r) && (!sql_query_starts(r, 0) || sql_word_at(r, 0) == W_TABLE) && !sql_punct_at(r, 0, '(') &&
	       !sql_punct_at(r, 0, ')'))
		sql_next(r);
}

/* The target of a statement: a name, STREAM and other words in front of it gone by then. */
static void target(struct sql_reader *r, struct sql_name *name)
{
	if (sql_word_at(r, 0) == W_TABLE && sql_is_name(r, 1))
		sql_next(r);
	if (sql_word_at(r, 0) == W_IDENTIFIER && sql_punct_at(r, 1, '(')) {
		sql_next(r);
		sql_parens(r, true);
	} else if (sql_punct_at(r, 0, ':')) {
		sql_next(r);
		sql_next(r);
	} else
		sql_name(r, name);
}

/* INSERT INTO|OVERWRITE [TABLE] t [PARTITION (…)] [(columns)] [BY NAME] query */
static void insert_statement(struct sql_reader *r)
{
	struct sql_name name = { 0 };
	sql_next(r);
	if (!sql_take_word(r, W_INTO) && !sql_take_word(r, W_OVERWRITE)) {
		sql_fail_here(r, "INTO or OVERWRITE");
		return;
	}
	sql_take_word(r, W_INTO);
	if (!sql_take_word(r, W_DIRECTORY))
		target(r, &name);
	while (!sql_ended(r) && !sql_query_starts(r, 0)) {
		if (!sql_punct_at(r, 0, '('))
			sql_next(r);
		else if (sql_query_starts(r, 1) || (sql_punct_at(r, 1, '(') && r->token[r->i - 1].word == W_NONE))
			break;
		else
			sql_parens(r, false);
	}
	if (!sql_ended(r))
		sql_query(r);
}

/* CREATE FLOW f AS AUTO CDC INTO t FROM s …, APPLY CHANGES INTO t FROM s … */
static bool changes_statement(struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0), next = sql_word_at(r, 1);
	struct sql_name name;
	if (!(w == W_APPLY && next == W_CHANGES) && !(w == W_AUTO && next == W_CDC))
		return false;
	while (!sql_ended(r) && sql_word_at(r, 0) != W_INTO)
		sql_next(r);
	sql_next(r);
	target(r, &name);
	if (sql_take_word(r, W_FROM))
		sql_relation(r);
	sql_rest(r);
	return true;
}

/* LIKE t, CLONE t: the table copied from. */
static void copied_from(struct sql_reader *r)
{
	struct sql_name name;
	sql_next(r);
	if (sql_name(r, &name))
		sql_read_add(r, &name, false);
	sql_rest(r);
}

/* Words between CREATE and the name tell what is made; a view stays visible to the statements after it. */
static void create_statement(struct sql_reader *r)
{
	bool view = false, temporary = false;
	struct sql_name name = { 0 };
	enum sql_word w = W_NONE;
	sql_next(r);
	while (!sql_ended(r) && w != W_TABLE && w != W_VIEW && w != W_FLOW && sql_is_name(r, 0)) {
		w = sql_word_at(r, 0);
		temporary |= w == W_TEMP || w == W_TEMPORARY;
		sql_next(r);
	}
	view = w == W_VIEW;
	if (sql_word_at(r, 0) == W_IF) /* NOT EXISTS */
		for (size_t k = 0; k < 3; k++)
			sql_next(r);
	if (w == W_TABLE || view)
		target(r, &name);
	while (!sql_ended(r)) {
		w = sql_word_at(r, 0);
		if (sql_punct_at(r, 0, '('))
			sql_parens(r, false);
		else if (w == W_LIKE || w == W_CLONE) {
			copied_from(r);
		} else if (w == W_AS || w == W_RETURN) {
			sql_next(r);
			if (sql_query_starts(r, 0) || sql_word_at(r, 0) == W_INSERT || sql_word_at(r, 0) == W_APPLY ||
			    sql_word_at(r, 0) == W_AUTO || sql_punct_at(r, 0, '(')) {
				statement(r);
				break;
			}
		} else
			sql_next(r);
	}
	if (view && temporary && name.parts == 1)
		sql_scope_add(r, &r->views, name.text);
}

/* MERGE [WITH SCHEMA EVOLUTION] INTO t USING relation ON … */
static void merge_statement(struct sql_reader *r)
{
	struct sql_name name;
	struct str alias;
	while (!sql_ended(r) && sql_word_at(r, 0) != W_INTO)
		sql_next(r);
	sql_next(r);
	target(r, &name);
	if (sql_word_at(r, 0) != W_USING)
		sql_alias(r, &alias);
	if (!sql_take_word(r, W_USING)) {
		sql_fail_here(r, "USING");
		return;
	}
	sql_relation(r);
	sql_rest(r);
}

static void delete_statement(struct sql_reader *r)
{
	struct sql_name name;
	sql_next(r);
	sql_take_word(r, W_FROM);
	target(r, &name);
	while (!sql_ended(r) && sql_word_at(r, 0) != W_WHERE)
		sql_next(r);
	if (sql_take_word(r, W_WHERE) && sql_ended(r))
		sql_fail_here(r, "a condition");
	sql_rest(r);
}

static void update_statement(struct sql_reader *r)
{
	struct sql_name name;
	sql_next(r);
	target(r, &name);
	while (!sql_ended(r) && sql_word_at(r, 0) != W_FROM) {
		if (sql_punct_at(r, 0, '('))
			sql_parens(r, false);
		else
			sql_next(r);
	}
	if (sql_take_word(r, W_FROM))
		sql_relations(r);
	sql_rest(r);
}

/* USE c.s, USE CATALOG c, USE SCHEMA s, SET CATALOG c: what shorter names mean from here on. */
static void use_statement(struct sql_reader *r)
{
	struct sql_name name;
	sql_next(r);
	bool catalog = sql_take_word(r, W_CATALOG);
	if (!catalog && !sql_take_word(r, W_SCHEMA))
		sql_take_word(r, W_DATABASE);
	if (!sql_name(r, &name) || name.dropped)
		return;
	if (catalog) {
		r->catalog = name.text;
		r->schema = STR_NONE;
	} else if (name.parts == 2) {
		r->catalog = name.first;
		r->schema = str_skip(name.text, name.first.n + 1);
	} else
		r->schema = name.text;
	sql_rest(r);
}

/* CACHE TABLE x AS SELECT …, SET VAR x = (SELECT …), DECLARE x DEFAULT (SELECT …). */
static void queries_only(struct sql_reader *r)
{
	query_find(r);
	if (sql_query_starts(r, 0))
		sql_query(r);
	sql_rest(r);
}

/* A condition up to `word`, then the statement behind it: IF x THEN …, WHILE x DO …. */
static void block_head(struct sql_reader *r, enum sql_word word)
{
	sql_next(r);
	while (!sql_ended(r) && sql_word_at(r, 0) != word) {
		if (sql_query_starts(r, 0))
			sql_query(r);
		else if (sql_punct_at(r, 0, '('))
			sql_parens(r, true);
		else if (sql_punct_at(r, 0, ')'))
			break;
		else
			sql_next(r);
	}
	if (sql_take_word(r, word) && !sql_ended(r))
		statement(r);
}

/* The words of SQL scripting. False when the statement is none of them. */
static bool script_statement(struct sql_reader *r)
{
	enum sql_word w = sql_word_at(r, 0);
	if (sql_is_name(r, 0) && sql_punct_at(r, 1, ':') &&
	    (sql_word_at(r, 2) == W_BEGIN || sql_word_at(r, 2) == W_LOOP || sql_word_at(r, 2) == W_WHILE)) {
		sql_next(r);
		sql_next(r);
		return script_statement(r);
	}
	switch (w) {
	case W_IF:
	case W_ELSEIF: block_head(r, W_THEN); return true;
	case W_WHILE:
	case W_FOR: block_head(r, W_DO); return true;
	case W_END:
		while (!sql_ended(r) && sql_is_name(r, 0))
			sql_next(r);
		return true;
	case W_BEGIN:
	case W_LOOP:
	case W_REPEAT:
	case W_ELSE:
		if (sql_punct_at(r, 1, '(') || sql_punct_at(r, 1, ','))
			return false;
		sql_next(r);
		if (w == W_BEGIN)
			sql_take_word(r, W_ATOMIC);
		if (!sql_ended(r))
			statement(r);
		return true;
	default: return false;
	}
}

/* Not a statement: an expression, which Spark's parser takes alone. */
static void expression_statement(struct sql_reader *r)
{
	struct str alias;
	if (sql_is_name(r, 0) && (sql_is_name(r, 1) || sql_peek(r, 1)->kind == SQL_END || sql_punct_at(r, 1, ';'))) {
		sql_next(r); /* one word, or two of which one names the other, whatever they are */
		if (!sql_ended(r))
			sql_next(r);
		return;
	}
	if (!sql_expr(r))
		sql_fail_here(r, "a statement");
	else if (sql_is_name(r, 0))
		sql_alias(r, &alias);
}

static const struct {
	enum sql_word word;
	void (*read)(struct sql_reader *r);
} statements[] = {
	{ W_INSERT, insert_statement }, { W_CREATE, create_statement }, { W_MERGE, merge_statement },
	{ W_DELETE, delete_statement }, { W_UPDATE, update_statement }, { W_USE, use_statement },
	{ W_CACHE, queries_only },      { W_SET, queries_only },        { W_DECLARE, queries_only },
	{ W_RETURN, queries_only },
};

static void explain_skip(struct sql_reader *r)
{
	if (!sql_take_word(r, W_EXPLAIN))
		return;
	static const char *const modes[] = { "extended", "codegen", "cost", "formatted" };
	for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
		if (str_is_nocase(sql_peek(r, 0)->text, modes[k])) {
			sql_next(r);
			return;
		}
}

static void statement(struct sql_reader *r)
{
	if (++r->depth > SQL_MAX_DEPTH)
		sql_fail(r, sql_peek(r, 0)->at, "Nested more than %d deep", SQL_MAX_DEPTH);
	const struct sql_scope *scope = r->scope;
	explain_skip(r);
	if (sql_word_at(r, 0) == W_WITH && sql_is_name(r, 1))
		sql_with(r);
	enum sql_word w = sql_word_at(r, 0);
	void (*read)(struct sql_reader * r) = NULL;
	for (size_t k = 0; k < sizeof statements / sizeof *statements; k++)
		if (statements[k].word == w)
			read = statements[k].read;
	if (w == W_SET && sql_word_at(r, 1) == W_CATALOG)
		read = use_statement;
	if (read != NULL)
		read(r);
	else if (changes_statement(r) || script_statement(r))
		;
	else if (sql_word_flags(w) & UTILITY && (sql_is_name(r, 1) || sql_peek(r, 1)->kind == SQL_STRING))
		statement_skip(r);
	else if (sql_query_starts(r, 0) || sql_punct_at(r, 0, '('))
		sql_query(r);
	else
		expression_statement(r);
	r->scope = scope;
	r->depth--;
}

static void statement_whole(struct sql_reader *r)
{
	statement(r);
	if (r->out->line == 0 && !sql_ended(r))
		sql_fail(r, sql_peek(r, 0)->at, "Invalid expression / Unexpected token (near '%.*s')",
		         STR_ARG(sql_peek(r, 0)->text));
}

int sql_reads(struct arena *a, struct str text, struct sql_reads *out)
{
	struct sql_reader r = { .arena = a, .text = text, .out = out };
	*out = (struct sql_reads){ 0 };
	if (sql_lex(&r) == 0)
		while (sql_peek(&r, 0)->kind != SQL_END)
			if (!sql_take_punct(&r, ';'))
				statement_whole(&r);
	if (out->line == 0)
		return 0;
	out->n = 0;
	return -1;
}
