#include "resolve/literal.h"

#include "base/utf8.h"
#include "yaml/node_build.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { LITERAL_MAX_DEPTH = 100 };

struct reader {
	struct arena *arena;
	struct mark at;
	struct str s;
	size_t i;
	bool python;
	unsigned depth;
	const char *problem;
};

static const struct node *value_read(struct reader *r);

static const struct node *bad(struct reader *r, const char *problem)
{
	if (r->problem == NULL)
		r->problem = problem;
	return NULL;
}

static char peek(const struct reader *r)
{
	return r->i < r->s.n ? r->s.p[r->i] : '\0';
}

static void blanks_skip(struct reader *r)
{
	while (r->i < r->s.n && strchr(" \t\r\n", r->s.p[r->i]) != NULL)
		r->i++;
}

static bool taken(struct reader *r, const char *word)
{
	size_t n = strlen(word);

	if (!str_is(str_sub(r->s, r->i, r->i + n), word))
		return false;
	r->i += n;
	return true;
}

/* --- texts --- */

static bool hex_read(struct reader *r, size_t digits, uint32_t *c)
{
	for (*c = 0; digits > 0; digits--, r->i++) {
		char d = peek(r);

		if (!isxdigit((unsigned char)d))
			return false;
		*c = *c * 16 + (uint32_t)(isdigit((unsigned char)d) ? d - '0' : (d | 0x20) - 'a' + 10);
	}
	return true;
}

/* The four digits of \u, with the second half of a surrogate pair when there is one. */
static bool unicode_read(struct reader *r, struct buf *b)
{
	uint32_t c, low;
	size_t mark;

	if (!hex_read(r, 4, &c))
		return false;
	mark = r->i;
	if (c >= 0xD800 && c < 0xDC00 && taken(r, "\\u") && hex_read(r, 4, &low) && low >= 0xDC00 && low < 0xE000)
		c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
	else
		r->i = mark;
	if (c >= 0xD800 && c < 0xE000)
		return false;
	buf_add_utf8(b, c);
	return true;
}

static bool escape_read(struct reader *r, struct buf *b)
{
	static const char json[] = "\"\\/bfnrt", python[] = "\"\\'abfnrtv\n";
	static const char json_to[] = "\"\\/\b\f\n\r\t", python_to[] = "\"\\'\a\b\f\n\r\t\v";
	char c = peek(r);
	const char *at = c != '\0' ? strchr(r->python ? python : json, c) : NULL;
	uint32_t code;

	r->i++;
	if (c == '\n' && r->python)
		return true;
	if (at != NULL) {
		buf_addc(b, r->python ? python_to[at - python] : json_to[at - json]);
		return true;
	}
	if (c == 'u')
		return unicode_read(r, b);
	if (!r->python)
		return false;
	if (c == 'x' || c == 'U') {
		if (!hex_read(r, c == 'x' ? 2 : 8, &code) || code > 0x10FFFF)
			return false;
		buf_add_utf8(b, code);
		return true;
	}
	buf_addc(b, '\\'); /* an unknown escape is itself */
	buf_addc(b, c);
	return true;
}

static const struct node *text_read(struct reader *r)
{
	struct buf b = { 0 };
	const struct node *out = NULL;
	char quote = peek(r);

	for (r->i++; r->i < r->s.n && peek(r) != quote;) {
		char c = r->s.p[r->i++];

		if (c == '\\' ? !escape_read(r, &b) : (unsigned char)c < ' ' && (!r->python || c == '\n')) {
			bad(r, c == '\\' ? "unknown escape" : "line break or control character in a text");
			break;
		}
		if (c != '\\')
			buf_addc(&b, c);
	}
	if (r->problem == NULL && r->i >= r->s.n)
		bad(r, "text without its closing quote");
	if (r->problem == NULL) {
		r->i++;
		out = node_new_str(r->arena, r->at, buf_take(&b, r->arena));
	}
	buf_release(&b);
	return out;
}

/* Python joins texts that stand side by side. */
static const struct node *texts_read(struct reader *r)
{
	const struct node *n = text_read(r), *more;

	for (; n != NULL && r->python; n = node_new_str(r->arena, r->at, str_cat(r->arena, n->text, more->text))) {
		size_t mark = r->i;

		blanks_skip(r);
		if (peek(r) != '"' && peek(r) != '\'') {
			r->i = mark;
			return n;
		}
		more = text_read(r);
		if (more == NULL)
			return NULL;
	}
	return n;
}

/* --- numbers --- */

static size_t digits_skip(struct reader *r)
{
	size_t from = r->i;

	while (isdigit((unsigned char)peek(r)) ||
	       (r->python && peek(r) == '_' && r->i > from && isdigit((unsigned char)r->s.p[r->i - 1])))
		r->i++;
	return r->i - from;
}

/* 0x1F, 0o17, 0b11 of Python. */
static const struct node *based_read(struct reader *r)
{
	static const char digits[] = "0123456789abcdef";
	char kind = (char)(r->s.p[r->i + 1] | 0x20);
	uint64_t base = kind == 'x' ? 16 : kind == 'o' ? 8 : 2, v = 0;
	size_t from = r->i += 2;

	for (; r->i < r->s.n; r->i++) {
		const char *d = strchr(digits, tolower((unsigned char)peek(r)));

		if (peek(r) == '_')
			continue;
		if (peek(r) == '\0' || d == NULL || (uint64_t)(d - digits) >= base)
			break;
		if (v > (uint64_t)INT64_MAX / 16)
			return bad(r, "number too large");
		v = v * base + (uint64_t)(d - digits);
	}
	return r->i > from ? node_new_int(r->arena, r->at, (int64_t)v) : bad(r, "digits expected");
}

static bool is_based(const struct reader *r)
{
	return r->python && peek(r) == '0' && r->i + 1 < r->s.n && strchr("xXoObB", r->s.p[r->i + 1]) != NULL;
}

static const struct node *number_read(struct reader *r)
{
	size_t from = r->i, whole;
	bool real = false;
	struct str text;

	if (is_based(r))
		return based_read(r);
	if (peek(r) == '-' || (r->python && peek(r) == '+'))
		r->i++;
	whole = r->i;
	if (digits_skip(r) == 0 && !(r->python && peek(r) == '.'))
		return bad(r, "value expected");
	if (r->s.p[whole] == '0' && r->i - whole > 1)
		return bad(r, "number with leading zeros");
	if (peek(r) == '.') {
		real = true;
		r->i++;
		if (digits_skip(r) == 0 && !r->python)
			return bad(r, "digits expected after the point");
	}
	if (peek(r) == 'e' || peek(r) == 'E') {
		real = true;
		r->i++;
		if (peek(r) == '+' || peek(r) == '-')
			r->i++;
		if (digits_skip(r) == 0)
			return bad(r, "digits expected in the exponent");
	}
	text = str_replace(r->arena, str_sub(r->s, from, r->i), STR("_"), STR(""));
	if (!real)
		return node_new_plain(r->arena, r->at, text);
	return node_new_float(r->arena, r->at, strtod(str_cstr(r->arena, text), NULL));
}

/* --- lists and maps --- */

/* A list, or a tuple inside of one, which becomes a list; (x) is x. */
static const struct node *list_read(struct reader *r, char close)
{
	struct node *out = node_new(r->arena, NODE_LIST, r->at);

	for (r->i++;;) {
		const struct node *item;

		blanks_skip(r);
		if (peek(r) == close && (r->python || out->list.n == 0))
			break;
		item = value_read(r);
		if (item == NULL)
			return NULL;
		node_push(r->arena, out, item);
		blanks_skip(r);
		if (peek(r) == close) {
			if (close == ')' && out->list.n == 1) {
				r->i++;
				return item;
			}
			break;
		}
		if (!taken(r, ","))
			return bad(r, close == ']' ? "',' or ']' expected" : "',' or ')' expected");
		blanks_skip(r);
		if (peek(r) == close && !r->python)
			return bad(r, "value expected after ','");
	}
	r->i++;
	return out;
}

static bool key_allowed(const struct reader *r, const struct node *key)
{
	return key->kind == NODE_STR || (r->python && key->kind != NODE_LIST && key->kind != NODE_MAP);
}

static const struct node *map_read(struct reader *r)
{
	struct node *out = node_new(r->arena, NODE_MAP, r->at);

	for (r->i++;;) {
		const struct node *key, *value;

		blanks_skip(r);
		if (peek(r) == '}' && (r->python || out->map.n == 0))
			break;
		key = value_read(r);
		if (key == NULL)
			return NULL;
		blanks_skip(r);
		if (!key_allowed(r, key) || !taken(r, ":"))
			return bad(r, "key and ':' expected");
		value = value_read(r);
		if (value == NULL)
			return NULL;
		node_set_pair(r->arena, out, key, value);
		blanks_skip(r);
		if (peek(r) == '}')
			break;
		if (!taken(r, ","))
			return bad(r, "',' or '}' expected");
		blanks_skip(r);
		if (peek(r) == '}' && !r->python)
			return bad(r, "key expected after ','");
	}
	r->i++;
	return out;
}

static const struct node *word_read(struct reader *r)
{
	static const struct {
		const char *word;
		enum node_kind kind;
		bool python, value;
	} words[] = {
		{ "true", NODE_BOOL, false, true },  { "false", NODE_BOOL, false, false }, { "null", NODE_NULL, false, false },
		{ "True", NODE_BOOL, true, true },   { "False", NODE_BOOL, true, false },  { "None", NODE_NULL, true, false },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (words[i].python != r->python || !taken(r, words[i].word))
			continue;
		if (ascii_is_word(peek(r)))
			return bad(r, "unknown word");
		if (words[i].kind == NODE_NULL)
			return node_new_plain(r->arena, r->at, STR("null"));
		return node_new_bool(r->arena, r->at, words[i].value);
	}
	if (!r->python && taken(r, "NaN"))
		return node_new_float(r->arena, r->at, (double)NAN);
	if (!r->python && taken(r, "Infinity"))
		return node_new_float(r->arena, r->at, (double)INFINITY);
	if (!r->python && taken(r, "-Infinity"))
		return node_new_float(r->arena, r->at, (double)-INFINITY);
	return isalpha((unsigned char)peek(r)) ? bad(r, "unknown word") : number_read(r);
}

static const struct node *value_read(struct reader *r)
{
	const struct node *out;

	blanks_skip(r);
	if (++r->depth > LITERAL_MAX_DEPTH)
		return bad(r, "nested too deeply");
	switch (peek(r)) {
	case '[': out = list_read(r, ']'); break;
	case '(': out = r->python ? list_read(r, ')') : bad(r, "value expected"); break;
	case '{': out = map_read(r); break;
	case '"': out = texts_read(r); break;
	case '\'': out = r->python ? texts_read(r) : bad(r, "value expected"); break;
	default: out = word_read(r); break;
	}
	r->depth--;
	return out;
}

const struct node *literal_read(struct arena *a, struct mark at, struct str text, enum literal_form form,
                                const char **problem, size_t *where)
{
	struct reader r = { .arena = a, .at = at, .s = text, .python = form == LITERAL_PYTHON };
	const struct node *n = value_read(&r);

	blanks_skip(&r);
	if (n != NULL && r.i < text.n)
		n = bad(&r, "text after the value");
	*problem = r.problem;
	*where = r.i;
	return n;
}
