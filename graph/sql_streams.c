#include "graph/sql_read.h"

static bool is_word(const struct sql_reader *r, size_t i)
{
	return r->token[i].kind == SQL_NAME || r->token[i].kind == SQL_QUOTED;
}

static bool is_punct(const struct sql_reader *r, size_t i, char c)
{
	return r->token[i].kind == SQL_PUNCT && r->token[i].punct == c && r->token[i].text.n == 1;
}

/* The dotted name that begins at token `i`; empty when there is none. */
static struct str name_at(const struct sql_reader *r, size_t i)
{
	struct str name = STR("");
	for (; is_word(r, i); i += 2) {
		name = name.n == 0 ? r->token[i].text : str_cat_sep(r->arena, name, '.', r->token[i].text);
		if (!is_punct(r, i + 1, '.'))
			break;
	}
	return name;
}

/* Does a list of relations end here? */
static bool is_clause(enum sql_word w)
{
	static const enum sql_word clauses[] = { W_SELECT, W_WHERE, W_GROUP, W_HAVING, W_ORDER, W_ON, W_USING, W_LIMIT, W_QUALIFY };
	for (size_t k = 0; k < sizeof clauses / sizeof *clauses; k++)
		if (w == clauses[k])
			return true;
	return false;
}

/* Most texts do not even have the word. */
static bool may_stream(struct str text)
{
	for (size_t i = 0; i + 6 <= text.n; i++)
		if ((text.p[i] | 0x20) == 's' && str_is_nocase(str_sub(text, i, i + 6), "stream"))
			return true;
	return false;
}

void sql_streams(struct arena *a, struct str text, struct sql_streams *out)
{
	struct sql_reads problem = { 0 };
	struct sql_reader r = { .arena = a, .text = text, .out = &problem };
	bool in_from = false, table_place = false;
	*out = (struct sql_streams){ 0 };
	if (!may_stream(text))
		return;
	sql_lex(&r); /* what was read before a problem counts */
	for (size_t i = 0; i < r.n && r.token[i].kind != SQL_END; i++) {
		enum sql_word w = r.token[i].word;
		bool parens = is_punct(&r, i + 1, '(');
		if (w == W_STREAM && (parens || (table_place && is_word(&r, i + 1))))
			*VEC_PUSH(out, a) = name_at(&r, i + 1 + parens);
		bool from = w == W_FROM || w == W_JOIN;
		in_from = from || (in_from && !is_clause(w));
		table_place = from || (in_from && is_punct(&r, i, ','));
	}
}
