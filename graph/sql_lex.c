#include "graph/sql_read.h"

#include "base/utf8.h"

static const struct {
	struct str text;
	unsigned flags;
} words[W_COUNT] = {
	{ { NULL, 0 }, 0 },
#define WORD(name, flags) { STR_INIT(#name), flags },
#include "graph/sql_words.def"
#undef WORD
};

unsigned sql_word_flags(enum sql_word w)
{
	return words[w].flags;
}

static int word_cmp(struct str s, struct str upper)
{
	for (size_t i = 0; i < s.n && i < upper.n; i++) {
		int c = s.p[i] >= 'a' && s.p[i] <= 'z' ? s.p[i] - 'a' + 'A' : s.p[i];
		if (c != upper.p[i])
			return c - upper.p[i];
	}
	return s.n < upper.n ? -1 : s.n > upper.n;
}

static enum sql_word word_find(struct str s)
{
	size_t low = 1, high = W_COUNT;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = word_cmp(s, words[middle].text);
		if (order == 0)
			return (enum sql_word)middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return W_NONE;
}

void sql_place(struct str text, size_t at, uint32_t *line, uint32_t *col)
{
	size_t start = 0;
	*line = 1;
	for (size_t i = 0; i < at && i < text.n; i++)
		if (text.p[i] == '\n') {
			++*line;
			start = i + 1;
		}
	*col = (uint32_t)utf8_len(str_sub(text, start, at)) + 1;
}

void sql_fail(struct sql_reader *r, size_t at, const char *fmt, ...)
{
	r->i = r->n > 0 ? r->n - 1 : 0;
	if (r->out->line != 0)
		return;
	struct buf b = { 0 };
	va_list ap;
	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	r->out->problem = buf_take(&b, r->arena);
	buf_release(&b);
	sql_place(r->text, at, &r->out->line, &r->out->col);
}

void sql_fail_here(struct sql_reader *r, const char *expected)
{
	const struct sql_token *t = sql_peek(r, 0);
	if (t->kind == SQL_END)
		sql_fail(r, t->at, "Expected %s, found the end of the text", expected);
	else
		sql_fail(r, t->at, "Expected %s, found '%.*s'", expected, STR_ARG(str_sub(r->text, t->at, t->end)));
}

void sql_next(struct sql_reader *r)
{
	if (r->i + 1 < r->n)
		r->i++;
}

bool sql_take_word(struct sql_reader *r, enum sql_word w)
{
	if (sql_word_at(r, 0) != w)
		return false;
	sql_next(r);
	return true;
}

bool sql_take_punct(struct sql_reader *r, char c)
{
	if (!sql_punct_at(r, 0, c))
		return false;
	sql_next(r);
	return true;
}

bool sql_is_name(const struct sql_reader *r, size_t k)
{
	enum sql_kind kind = sql_peek(r, k)->kind;
	return kind == SQL_NAME || kind == SQL_QUOTED;
}

/* --- tokens --- */

struct lexer {
	struct sql_reader *r;
	struct str s;
	size_t i;
	struct {
		VEC_OF(struct sql_token)
	} token;
};

static char char_at(const struct lexer *l, size_t k)
{
	return l->i + k < l->s.n ? l->s.p[l->i + k] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word_byte(char c)
{
	return ascii_is_word(c) || (unsigned char)c >= 0x80;
}

/* Bytes of the LHP token at `i`: ${secret:…}, ${word}, {word}, $word; 0 when there is none. */
static size_t mask_length(struct str s, size_t i, bool *dropped)
{
	size_t k = i;
	bool dollar = k < s.n && s.p[k] == '$';
	k += dollar;
	if (k < s.n && s.p[k] == '{') {
		bool secret = dollar && str_starts(str_skip(s, k), STR("{secret:"));
		size_t start = ++k;
		while (k < s.n && (secret ? s.p[k] != '}' && s.p[k] != '\n' : is_word_byte(s.p[k])))
			k++;
		return k > start && k < s.n && s.p[k] == '}' ? k + 1 - i : 0;
	}
	if (!dollar)
		return 0;
	while (k < s.n && is_word_byte(s.p[k]))
		k++;
	*dropped |= k > i + 1;
	return k > i + 1 ? k - i : 0;
}

static struct sql_token *token_add(struct lexer *l, enum sql_kind kind, size_t at)
{
	struct sql_token *t = VEC_PUSH(&l->token, l->r->arena);
	*t = (struct sql_token){ .kind = kind, .at = at, .end = l->i, .text = str_sub(l->s, at, l->i) };
	return t;
}

/* To behind the comment at l->i; nested ones belong to it, as in Spark. */
static void comment_skip(struct lexer *l)
{
	if (char_at(l, 0) == '-') {
		ptrdiff_t end = str_find_char(l->s, '\n', l->i);
		l->i = end < 0 ? l->s.n : (size_t)end;
		return;
	}
	size_t at = l->i;
	unsigned depth = 0;
	while (l->i < l->s.n) {
		bool open = char_at(l, 0) == '/' && char_at(l, 1) == '*';
		bool close = char_at(l, 0) == '*' && char_at(l, 1) == '/';
		l->i += open || close ? 2 : 1;
		depth += open;
		if (close && --depth == 0)
			return;
	}
	sql_fail(l->r, at, "Comment /* without */");
}

static void quoted_take(struct lexer *l)
{
	char quote = char_at(l, 0);
	size_t at = l->i++;
	bool doubled = false, dropped = false;
	for (; l->i < l->s.n; l->i++) {
		if (quote == '`')
			mask_length(l->s, l->i, &dropped);
		if (char_at(l, 0) == '\\' && quote != '`')
			l->i++;
		else if (char_at(l, 0) == quote && char_at(l, 1) == quote) {
			l->i++;
			doubled = true;
		} else if (char_at(l, 0) == quote)
			break;
	}
	if (l->i >= l->s.n) {
		l->i = l->s.n;
		sql_fail(l->r, at, "Quote %c without its end", quote);
		return;
	}
	l->i++;
	struct sql_token *t = token_add(l, quote == '`' ? SQL_QUOTED : SQL_STRING, at);
	t->double_quoted = quote == '"';
	t->dropped = dropped;
	t->text = str_sub(l->s, at + 1, l->i - 1);
	if (doubled) {
		char twice[2] = { quote, quote };
		t->text = str_replace(l->r->arena, t->text, (struct str){ twice, 2 }, (struct str){ twice, 1 });
	}
}

/* A number; false when the digits begin a name (2024_sales) or there are none. */
static bool number_take(struct lexer *l)
{
	size_t at = l->i, i = at;
	while (i < l->s.n && is_digit(l->s.p[i]))
		i++;
	if (i + 1 < l->s.n && l->s.p[i] == '.' && is_digit(l->s.p[i + 1]))
		for (i++; i < l->s.n && is_digit(l->s.p[i]); i++)
			;
	else if (i > at && i < l->s.n && l->s.p[i] == '.' && (i + 1 == l->s.n || !is_word_byte(l->s.p[i + 1])))
		i++;
	if (i == at)
		return false;
	if (i < l->s.n && (l->s.p[i] == 'e' || l->s.p[i] == 'E')) {
		size_t e = i + 1;
		e += e < l->s.n && (l->s.p[e] == '+' || l->s.p[e] == '-');
		if (e < l->s.n && is_digit(l->s.p[e]))
			for (i = e; i < l->s.n && is_digit(l->s.p[i]); i++)
				;
	}
	static const struct str suffixes[] = { STR_INIT("BD"), STR_INIT("L"), STR_INIT("S"),
		                               STR_INIT("Y"),  STR_INIT("D"), STR_INIT("F") };
	struct str rest = str_skip(l->s, i);
	for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
		if (str_eq_nocase(str_sub(rest, 0, suffixes[k].n), suffixes[k])) {
			i += suffixes[k].n;
			break;
		}
	if (i < l->s.n && is_word_byte(l->s.p[i]))
		return false;
	l->i = i;
	token_add(l, SQL_NUMBER, at);
	return true;
}

static bool name_take(struct lexer *l)
{
	size_t at = l->i, mask;
	bool dropped = false;
	while (l->i < l->s.n) {
		if (is_word_byte(char_at(l, 0)))
			l->i++;
		else if ((mask = mask_length(l->s, l->i, &dropped)) > 0)
			l->i += mask;
		else
			break;
	}
	if (l->i == at)
		return false;
	struct sql_token *t = token_add(l, SQL_NAME, at);
	t->word = word_find(t->text);
	t->dropped = dropped;
	return true;
}

static bool punct_take(struct lexer *l)
{
	static const struct str several[] = {
		STR_INIT("<=>"), STR_INIT("|>"), STR_INIT("||"), STR_INIT("->"), STR_INIT("=>"), STR_INIT("::"),
		STR_INIT("<>"),  STR_INIT("<="), STR_INIT(">="), STR_INIT("!="), STR_INIT("=="), STR_INIT("?::"),
	};
	size_t at = l->i, length = 1;
	struct str rest = str_skip(l->s, at);
	for (size_t k = 0; k < sizeof several / sizeof *several && length == 1; k++)
		if (str_starts(rest, several[k]))
			length = several[k].n;
	if (length == 1 && strchr("()[]{},;.+-*/%=<>!~^&|:?@#\\$", rest.p[0]) == NULL) {
		sql_fail(l->r, at, "Unexpected character 0x%02x", (unsigned char)rest.p[0]);
		return false;
	}
	if (str_starts(rest, STR("%{"))) {
		sql_fail(l->r, at, "Unresolved local variable '%%{'");
		return false;
	}
	l->i += length;
	token_add(l, SQL_PUNCT, at)->punct = rest.p[0];
	return true;
}

static bool blank_at(const struct lexer *l, size_t *length)
{
	char c = char_at(l, 0);
	*length = 1;
	if (c == ' ' || (c >= '\t' && c <= '\r') || c == '\0')
		return true;
	static const struct str wide[] = { STR_INIT("\xc2\xa0"), STR_INIT("\xe3\x80\x80"), STR_INIT("\xef\xbb\xbf") };
	for (size_t k = 0; k < sizeof wide / sizeof *wide; k++)
		if (str_starts(str_skip(l->s, l->i), wide[k])) {
			*length = wide[k].n;
			return true;
		}
	return false;
}

int sql_lex(struct sql_reader *r)
{
	struct lexer l = { .r = r, .s = r->text };
	while (l.i < l.s.n && r->out->line == 0) {
		size_t length;
		char c = char_at(&l, 0);
		bool after_dot = l.token.n > 0 && l.token.p[l.token.n - 1].punct == '.';
		if (blank_at(&l, &length))
			l.i += length;
		else if ((c == '-' && char_at(&l, 1) == '-') || (c == '/' && char_at(&l, 1) == '*'))
			comment_skip(&l);
		else if (c == '\'' || c == '"' || c == '`')
			quoted_take(&l);
		else if ((!after_dot && number_take(&l)) || name_take(&l))
			continue;
		else
			punct_take(&l);
	}
	token_add(&l, SQL_END, l.i);
	r->token = l.token.p;
	r->n = l.token.n;
	r->i = 0;
	return r->out->line == 0 ? 0 : -1;
}
