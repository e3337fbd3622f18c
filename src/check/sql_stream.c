#include "check/sql_stream.h"

#include "base/utf8.h"

struct scan {
	struct str sql;
	size_t i;
	struct str word; /* of the token just read: a word or a quoted name; empty for punctuation */
	char punct;      /* of a token that is no word */
	bool quoted;
};

/* Two characters at the current place. */
static bool at(const struct scan *s, const char *what)
{
	return s->i + 1 < s->sql.n && s->sql.p[s->i] == what[0] && s->sql.p[s->i + 1] == what[1];
}

static void line_skip(struct scan *s)
{
	while (s->i < s->sql.n && s->sql.p[s->i] != '\n')
		s->i++;
}

/* Spark nests them. */
static void block_skip(struct scan *s)
{
	size_t depth = 0;

	do {
		depth += at(s, "/*");
		depth -= at(s, "*/");
		s->i += at(s, "/*") || at(s, "*/") ? 2 : 1;
	} while (depth > 0 && s->i < s->sql.n);
}

static void blanks_skip(struct scan *s)
{
	for (;;) {
		if (at(s, "--"))
			line_skip(s);
		else if (at(s, "/*"))
			block_skip(s);
		else if (s->i < s->sql.n && strchr(" \t\r\n\v\f", s->sql.p[s->i]) != NULL)
			s->i++;
		else
			return;
	}
}

/* A text in quotes, with backslashes except in backticks. */
static struct str quoted_read(struct scan *s)
{
	char quote = s->sql.p[s->i++];
	size_t from = s->i;

	while (s->i < s->sql.n && s->sql.p[s->i] != quote)
		s->i += s->sql.p[s->i] == '\\' && quote != '`' && s->i + 1 < s->sql.n ? 2 : 1;
	return str_sub(s->sql, from, s->i < s->sql.n ? s->i++ : s->i);
}

static bool is_word_byte(char c)
{
	return ascii_is_word(c) || (unsigned char)c >= 0x80 || c == '$' || c == '{' || c == '}';
}

/* The next token; false at the end. A string counts as punctuation. */
static bool token_read(struct scan *s)
{
	size_t from;

	blanks_skip(s);
	if (s->i >= s->sql.n)
		return false;
	s->quoted = s->sql.p[s->i] == '`';
	s->punct = s->sql.p[s->i];
	s->word = STR_NONE;
	if (s->punct == '`' || s->punct == '\'' || s->punct == '"') {
		struct str text = quoted_read(s);

		s->word = s->quoted ? text : STR_NONE;
		return true;
	}
	for (from = s->i; s->i < s->sql.n && is_word_byte(s->sql.p[s->i]);)
		s->i++;
	if (s->i == from)
		s->i++;
	else
		s->word = str_sub(s->sql, from, s->i);
	return true;
}

/* A dotted name behind the current place; the scan stays behind it. */
static struct str name_read(struct arena *a, struct scan *s)
{
	struct buf b = { 0 };
	struct scan before = *s;
	struct str name;

	while (token_read(s) && s->word.n != 0) {
		buf_add(&b, s->word);
		before = *s;
		if (!token_read(s) || s->punct != '.' || s->word.n != 0)
			break;
		buf_addc(&b, '.');
	}
	*s = before;
	name = buf_take(&b, a);
	buf_release(&b);
	return name;
}

static bool is_clause(const struct scan *s)
{
	static const char *const clause[] = { "select", "where", "group", "having", "order", "on", "using", "limit", "qualify" };

	for (size_t i = 0; !s->quoted && i < sizeof clause / sizeof *clause; i++)
		if (str_is_nocase(s->word, clause[i]))
			return true;
	return false;
}

static bool is_bare(const struct scan *s, const char *word)
{
	return !s->quoted && str_is_nocase(s->word, word);
}

/* Behind the word `stream`. */
static void stream_read(struct arena *a, struct scan *s, bool table_place, struct names *out)
{
	struct scan next = *s;

	if (!token_read(&next))
		return;
	if (next.punct == '(' && next.word.n == 0)
		*s = next;
	else if (!table_place || next.word.n == 0)
		return;
	*VEC_PUSH(out, a) = name_read(a, s);
}

void sql_streams(struct arena *a, struct str sql, struct names *out)
{
	struct scan s = { .sql = sql };
	bool in_from = false, table_place = false;

	while (token_read(&s)) {
		if (is_bare(&s, "stream"))
			stream_read(a, &s, table_place, out);
		if (is_bare(&s, "from") || is_bare(&s, "join"))
			in_from = true;
		else if (is_clause(&s))
			in_from = false;
		table_place = is_bare(&s, "from") || is_bare(&s, "join") || (in_from && s.word.n == 0 && s.punct == ',');
	}
}
