#include "resolve/expr_ast.h"
#include "resolve/expr_ops.h"

#include "base/utf8.h"

struct lexer {
	struct render *r;
	struct str text;
	size_t i;
	struct tokens_of_text *out;
	bool trim; /* the tag before ended with '-' */
	char open[EXPR_MAX_DEPTH]; /* closing brackets expected, innermost last */
	size_t depth;
};

static bool lex_fail(struct lexer *l, size_t at, const char *what)
{
	l->r->at = at;
	return render_fail(l->r, EXPR_SYNTAX, "%s", what);
}

static bool token_add(struct lexer *l, enum tok kind, size_t at, struct str text)
{
	*VEC_PUSH(l->out, l->r->a) = (struct token){ kind, at, text };
	return render_step(l->r, 1);
}

static bool text_at(const struct lexer *l, size_t i, const char *s)
{
	return str_starts(str_skip(l->text, i), str_of(s));
}

static size_t blanks_skip(struct str s, size_t i)
{
	while (i < s.n) {
		size_t next = i;

		if (!ucs_is_space(utf8_next(s, &next)))
			break;
		i = next;
	}
	return i;
}

/* Line ends of the template become \n. */
static struct str newlines_normal(struct render *r, struct str s)
{
	if (str_find_char(s, '\r', 0) < 0)
		return s;
	s = str_replace(r->a, s, STR("\r\n"), STR("\n"));
	return str_replace(r->a, s, STR("\r"), STR("\n"));
}

/* Text before the next tag, with what the tags at its sides trim off it. */
static bool data_add(struct lexer *l, size_t from, size_t to, bool trim_end)
{
	struct str s = str_sub(l->text, from, to);

	if (l->trim)
		s = utf8_strip(s, STR_NONE, true, false);
	if (trim_end)
		s = utf8_strip(s, STR_NONE, false, true);
	l->trim = false;
	return s.n == 0 || token_add(l, TOK_DATA, from, newlines_normal(l->r, s));
}

static bool comment_skip(struct lexer *l)
{
	size_t at = l->i, body = at + 2;
	ptrdiff_t end;

	if (body < l->text.n && (l->text.p[body] == '-' || l->text.p[body] == '+'))
		body++;
	end = str_find(l->text, STR("#}"), body);
	if (end < 0)
		return lex_fail(l, at, "comment \"{#\" without its \"#}\"");
	l->trim = (size_t)end > body && l->text.p[end - 1] == '-';
	l->i = (size_t)end + 2;
	return true;
}

/* Is there a tag that holds only `name` at i? Then *end is behind it; `trim_in`/`trim_out` say where '-' stands. */
static bool bare_tag(const struct lexer *l, size_t i, struct str name, bool *trim_in, bool *trim_out, size_t *end)
{
	if (!text_at(l, i, "{%"))
		return false;
	i += 2;
	*trim_in = i < l->text.n && l->text.p[i] == '-';
	if (i < l->text.n && (l->text.p[i] == '-' || l->text.p[i] == '+'))
		i++;
	i = blanks_skip(l->text, i);
	if (!str_starts(str_skip(l->text, i), name))
		return false;
	i = blanks_skip(l->text, i + name.n);
	*trim_out = text_at(l, i, "-");
	if (*trim_out || text_at(l, i, "+"))
		i++;
	if (!text_at(l, i, "%}"))
		return false;
	*end = i + 2;
	return true;
}

/* {% raw %} … {% endraw %}; false in *is when there is none here. */
static bool raw_read(struct lexer *l, bool *is)
{
	size_t at = l->i, body, end;
	bool trim_in, trim_out, end_in, end_out;

	*is = bare_tag(l, at, STR("raw"), &trim_in, &trim_out, &body);
	if (!*is)
		return true;
	l->trim = trim_out;
	for (size_t i = body;; i += 2) {
		ptrdiff_t hit = str_find(l->text, STR("{%"), i);

		if (hit < 0)
			return lex_fail(l, at, "\"{% raw %}\" without its \"{% endraw %}\"");
		i = (size_t)hit;
		if (!bare_tag(l, i, STR("endraw"), &end_in, &end_out, &end))
			continue;
		if (!data_add(l, body, i, end_in))
			return false;
		l->trim = end_out;
		l->i = end;
		return true;
	}
}

static bool string_read(struct lexer *l)
{
	size_t at = l->i, i = at + 1;
	char quote = l->text.p[at];

	while (i < l->text.n && l->text.p[i] != quote)
		i += l->text.p[i] == '\\' ? 2 : 1;
	if (i >= l->text.n)
		return lex_fail(l, at, "text without its closing quote");
	l->i = i + 1;
	return token_add(l, TOK_STR, at, str_sub(l->text, at + 1, i));
}

static bool is_digit_of(char c, int base)
{
	int v = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 99;

	return v < base;
}

/* Digits with single '_' between them; where they end. */
static size_t digits_skip(const struct lexer *l, size_t i, int base)
{
	struct str s = l->text;

	while (i < s.n && (is_digit_of(s.p[i], base) || (s.p[i] == '_' && i + 1 < s.n && is_digit_of(s.p[i + 1], base))))
		i++;
	return i;
}

static bool has_digit(const struct lexer *l, size_t i)
{
	return i < l->text.n && is_digit_of(l->text.p[i], 10);
}

static bool number_read(struct lexer *l)
{
	size_t at = l->i, i = digits_skip(l, at, 10), e;
	bool is_float = false, after_dot = at > 0 && l->text.p[at - 1] == '.';
	int base = text_at(l, at, "0x") || text_at(l, at, "0X") ? 16
	         : text_at(l, at, "0o") || text_at(l, at, "0O") ? 8
	         : text_at(l, at, "0b") || text_at(l, at, "0B") ? 2 : 10;

	if (base != 10) {
		l->i = digits_skip(l, at + 2, base);
		if (l->i == at + 2)
			return lex_fail(l, at, "number without digits");
		return token_add(l, TOK_INT, at, str_sub(l->text, at, l->i));
	}
	if (!after_dot) {
		if (i < l->text.n && l->text.p[i] == '.' && has_digit(l, i + 1)) {
			is_float = true;
			i = digits_skip(l, i + 1, 10);
		}
		e = i < l->text.n && (l->text.p[i] | 32) == 'e' ? i + 1 : 0;
		if (e != 0 && e < l->text.n && (l->text.p[e] == '+' || l->text.p[e] == '-'))
			e++;
		if (e != 0 && has_digit(l, e)) {
			is_float = true;
			i = digits_skip(l, e, 10);
		}
	}
	if (!is_float && l->text.p[at] == '0' && digits_skip(l, at, 1) != i)
		return lex_fail(l, at, "a whole number cannot start with 0");
	l->i = i;
	return token_add(l, is_float ? TOK_FLOAT : TOK_INT, at, str_sub(l->text, at, i));
}

static const struct {
	const char *text;
	enum tok kind;
} operators[] = {
	/* longest first */
	{ "//", TOK_FLOORDIV }, { "**", TOK_POW }, { "==", TOK_EQ }, { "!=", TOK_NE }, { ">=", TOK_GE }, { "<=", TOK_LE },
	{ "+", TOK_ADD }, { "-", TOK_SUB }, { "*", TOK_MUL }, { "/", TOK_DIV }, { "%", TOK_MOD }, { "~", TOK_TILDE },
	{ "<", TOK_LT }, { ">", TOK_GT }, { "(", TOK_LPAREN }, { ")", TOK_RPAREN }, { "[", TOK_LBRACKET },
	{ "]", TOK_RBRACKET }, { "{", TOK_LBRACE }, { "}", TOK_RBRACE }, { "=", TOK_ASSIGN }, { ".", TOK_DOT },
	{ ":", TOK_COLON }, { "|", TOK_PIPE }, { ",", TOK_COMMA }, { ";", TOK_SEMICOLON },
};

/* Brackets must match: "}}" closes a tag only outside of them. */
static bool bracket_track(struct lexer *l, enum tok kind, size_t at)
{
	char close = kind == TOK_LPAREN ? ')' : kind == TOK_LBRACKET ? ']' : kind == TOK_LBRACE ? '}' : '\0';
	if (close != '\0') {
		if (l->depth == EXPR_MAX_DEPTH)
			return render_fail(l->r, EXPR_LIMIT, "brackets nest deeper than %d", EXPR_MAX_DEPTH);
		l->open[l->depth++] = close;
		return true;
	}
	if (kind != TOK_RPAREN && kind != TOK_RBRACKET && kind != TOK_RBRACE)
		return true;
	if (l->depth > 0 && l->open[l->depth - 1] == l->text.p[at]) {
		l->depth--;
		return true;
	}
	l->r->at = at;
	if (l->depth > 0)
		return render_fail(l->r, EXPR_SYNTAX, "expected \"%c\", found \"%c\"", l->open[l->depth - 1], l->text.p[at]);
	return render_fail(l->r, EXPR_SYNTAX, "\"%c\" closes nothing", l->text.p[at]);
}

static bool operator_read(struct lexer *l)
{
	size_t at = l->i;

	for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
		struct str s = str_of(operators[k].text);

		if (!text_at(l, at, operators[k].text))
			continue;
		l->i += s.n;
		return bracket_track(l, operators[k].kind, at) && token_add(l, operators[k].kind, at, s);
	}
	l->r->at = at;
	return render_fail(l->r, EXPR_SYNTAX, "unexpected character \"%.*s\"", STR_ARG(text_sub(str_skip(l->text, at), 0, 1)));
}

static bool name_read(struct lexer *l)
{
	size_t at = l->i, i = at;

	while (i < l->text.n) {
		size_t next = i;

		if (!ucs_is_word(utf8_next(l->text, &next)))
			break;
		i = next;
	}
	l->i = i;
	return token_add(l, TOK_NAME, at, str_sub(l->text, at, i));
}

/* The end of the tag here? Then it is taken. */
static bool tag_end(struct lexer *l, bool block)
{
	const char *close = block ? "%}" : "}}";
	size_t sign = text_at(l, l->i, "-") || (block && text_at(l, l->i, "+")) ? 1 : 0;

	if (l->depth > 0 || !text_at(l, l->i + sign, close))
		return false;
	l->trim = sign == 1 && l->text.p[l->i] == '-';
	l->i += sign + 2;
	return true;
}

static bool tag_read(struct lexer *l)
{
	size_t at = l->i;
	bool block = l->text.p[at + 1] == '%';

	l->i += 2;
	if (text_at(l, l->i, "-") || text_at(l, l->i, "+"))
		l->i++;
	l->depth = 0;
	if (!token_add(l, block ? TOK_TAG_BEGIN : TOK_OUT_BEGIN, at, STR_NONE))
		return false;
	for (;;) {
		size_t next;
		bool good;

		l->i = next = blanks_skip(l->text, l->i);
		if (l->i >= l->text.n)
			return lex_fail(l, at, block ? "\"{%\" without its \"%}\"" : "\"{{\" without its \"}}\"");
		if (tag_end(l, block))
			return token_add(l, block ? TOK_TAG_END : TOK_OUT_END, next, STR_NONE);
		if (l->text.p[next] == '\'' || l->text.p[next] == '"')
			good = string_read(l);
		else if (has_digit(l, next))
			good = number_read(l);
		else if (ucs_is_word(utf8_next(l->text, &next)))
			good = name_read(l);
		else
			good = operator_read(l);
		if (!good)
			return false;
	}
}

/* Offset of the next "{{", "{%" or "{#"; the end when there is none. */
static size_t tag_find(const struct lexer *l)
{
	for (ptrdiff_t i = str_find_char(l->text, '{', l->i); i >= 0; i = str_find_char(l->text, '{', (size_t)i + 1))
		if ((size_t)i + 1 < l->text.n && strchr("{%#", l->text.p[i + 1]) != NULL && l->text.p[i + 1] != '\0')
			return (size_t)i;
	return l->text.n;
}

static bool lexer_run(struct lexer *l)
{
	while (l->i < l->text.n) {
		size_t at = tag_find(l);
		bool is_raw;

		if (!data_add(l, l->i, at, at + 2 < l->text.n && l->text.p[at + 2] == '-'))
			return false;
		l->i = at;
		if (at == l->text.n)
			break;
		if (l->text.p[at + 1] == '#') {
			if (!comment_skip(l))
				return false;
			continue;
		}
		if (!raw_read(l, &is_raw) || (!is_raw && !tag_read(l)))
			return false;
	}
	return token_add(l, TOK_END, l->text.n, STR_NONE);
}

bool tokens_read(struct render *r, struct tokens_of_text *out)
{
	struct lexer l = { .r = r, .text = r->text, .out = out };

	/* One line end at the end of the template does not count. */
	if (str_ends(l.text, STR("\n")))
		l.text.n--;
	if (str_ends(l.text, STR("\r")))
		l.text.n--;
	return lexer_run(&l);
}
