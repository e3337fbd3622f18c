#include "python/syntax.h"

#include "base/utf8.h"

struct prefix {
	bool bytes, raw, format;
	struct str quote; /* ', ", ''' or """ */
};

/* False when the letters before the quotes are no prefix of Python 3. */
static bool prefix_read(struct str start, struct prefix *out)
{
	static const char *const PREFIXES[] = { "", "r", "u", "b", "f", "br", "rb", "fr", "rf" };
	size_t letters = 0;

	while (letters < start.n && start.p[letters] != '\'' && start.p[letters] != '"')
		letters++;
	*out = (struct prefix){ .quote = str_skip(start, letters) };
	for (size_t i = 0; i < letters; i++) {
		out->bytes |= (start.p[i] | 0x20) == 'b';
		out->raw |= (start.p[i] | 0x20) == 'r';
		out->format |= (start.p[i] | 0x20) == 'f';
	}
	for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++)
		if (str_is_nocase(str_sub(start, 0, letters), PREFIXES[i]))
			return true;
	return false;
}

static bool all_hex(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr("0123456789abcdefABCDEF", s.p[i]) == NULL)
			return false;
	return true;
}

/* A \x, \u or \U that lacks digits, or a \N without {NAME}. */
static const char *escape_check(struct str s, size_t at, bool bytes)
{
	static const struct {
		char letter;
		size_t digits;
	} FORMS[] = { { 'x', 2 }, { 'u', 4 }, { 'U', 8 } };
	char c = s.p[at];

	if (bytes && c != 'x')
		return NULL;
	if (c == 'N')
		return at + 1 < s.n && s.p[at + 1] == '{' && str_find_char(s, '}', at) > (ptrdiff_t)at + 2 ? NULL : "malformed \\N escape";
	for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
		struct str digits = str_sub(s, at + 1, at + 1 + FORMS[i].digits);

		if (c == FORMS[i].letter && (digits.n < FORMS[i].digits || !all_hex(digits)))
			return "an escape lacks hexadecimal digits";
		if (c == 'U' && c == FORMS[i].letter && !(digits.p[0] == '0' && digits.p[1] == '0' &&
		    (digits.p[2] == '0' || (digits.p[2] == '1' && digits.p[3] == '0'))))
			return "an escape is past the last Unicode character";
	}
	return NULL;
}

static const char *escapes_check(struct str s, bool bytes)
{
	for (size_t i = 0; i + 1 < s.n; i++) {
		const char *problem;

		if (s.p[i] != '\\')
			continue;
		problem = escape_check(s, ++i, bytes);
		if (problem != NULL)
			return problem;
	}
	return NULL;
}

static const char *bytes_check(struct str body)
{
	for (size_t i = 0; i < body.n; i++)
		if ((unsigned char)body.p[i] >= 0x80)
			return "bytes can only hold ASCII characters";
	return NULL;
}

/* The text of a replacement field, format specifier left out: before Python 3.12 no backslash, no comment, no quotes of the string. */
static const char *field_check(const struct py_source *s, TSNode field, const struct prefix *p)
{
	TSNode spec = tree_field(field, "format_specifier"), value = tree_field(field, "expression");
	struct str whole = tree_text(s, field), code = whole;

	if (ts_node_is_null(value))
		return "an f-string field is empty";
	if (tree_is(value, "lambda") || tree_is(value, "list_splat"))
		return "this needs parentheses inside an f-string field";
	if (s->newer)
		return NULL;
	if (!ts_node_is_null(spec))
		code = str_sub(s->text, ts_node_start_byte(field), ts_node_start_byte(spec));
	if (str_find_char(code, '\\', 0) >= 0)
		return "a backslash inside an f-string field needs Python 3.12";
	if (str_find(whole, p->quote, 0) >= 0)
		return "the string's own quotes inside an f-string field need Python 3.12";
	if (p->quote.n == 1 && str_find_char(whole, '\n', 0) >= 0)
		return "a line break inside an f-string field needs Python 3.12";
	return tree_has_token(field, "comment") ? "a comment inside an f-string field needs Python 3.12" : NULL;
}

/* A `}` on its own; `{{`, `}}` and the fields are left out by the caller. */
static const char *braces_check(struct str text, bool raw)
{
	for (size_t i = 0; i < text.n; i++) {
		if (!raw && text.p[i] == '\\' && i + 2 < text.n && text.p[i + 1] == 'N' && text.p[i + 2] == '{') {
			ptrdiff_t end = str_find_char(text, '}', i);

			i = end >= 0 ? (size_t)end : text.n;
		} else if (text.p[i] == '}') {
			if (i + 1 >= text.n || text.p[i + 1] != '}')
				return "a single } in an f-string: write }}";
			i++;
		} else if (text.p[i] == '{') {
			if (i + 1 >= text.n || text.p[i + 1] != '{')
				return "a single { in an f-string: write {{";
			i++;
		}
	}
	return NULL;
}

/* Fields inside format specifiers: one level of them is allowed. */
static const char *nested_fields_check(const struct py_source *s, TSNode field, const struct prefix *p)
{
	TSNode spec = tree_field(field, "format_specifier");

	if (ts_node_is_null(spec))
		return NULL;
	for (uint32_t i = 0, n = ts_node_named_child_count(spec); i < n; i++) {
		TSNode inner = ts_node_named_child(spec, i);
		const char *problem;

		if (!tree_is(inner, "format_expression"))
			continue;
		problem = field_check(s, inner, p);
		if (problem == NULL && !ts_node_is_null(tree_field(inner, "format_specifier")) &&
		    tree_has_token(tree_field(inner, "format_specifier"), "format_expression"))
			problem = "f-string fields are nested too deeply";
		if (problem != NULL)
			return problem;
	}
	return NULL;
}

static const char *format_check(const struct py_source *s, TSNode n, const struct prefix *p)
{
	size_t at = ts_node_end_byte(ts_node_child(n, 0)), end = ts_node_end_byte(n) - p->quote.n;

	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode field = ts_node_named_child(n, i);
		const char *problem;

		if (!tree_is(field, "interpolation"))
			continue;
		problem = braces_check(str_sub(s->text, at, ts_node_start_byte(field)), p->raw);
		if (problem == NULL)
			problem = field_check(s, field, p);
		if (problem == NULL)
			problem = nested_fields_check(s, field, p);
		if (problem != NULL)
			return problem;
		at = ts_node_end_byte(field);
	}
	return braces_check(str_sub(s->text, at, end), p->raw);
}

const char *literal_check_string(const struct py_source *s, TSNode n)
{
	TSNode start = ts_node_child(n, 0), last = ts_node_child(n, ts_node_child_count(n) - 1);
	struct prefix p;
	size_t end = ts_node_end_byte(n);
	struct str body;
	const char *problem = NULL;

	if (!prefix_read(tree_text(s, start), &p))
		return "this prefix of a string is not one of Python 3";
	/* Of a raw string the scanner counts backslashes before the quotes to its end. */
	if (!tree_is(last, "string_end") || end < ts_node_end_byte(start) + p.quote.n)
		return "a string does not end";
	body = str_sub(s->text, ts_node_end_byte(start), end - p.quote.n);
	if (p.bytes)
		problem = bytes_check(body);
	if (problem == NULL && p.format)
		problem = format_check(s, n, &p);
	if (problem == NULL && !p.raw)
		problem = escapes_check(body, p.bytes);
	return problem;
}

const char *literal_check_concatenation(const struct py_source *s, TSNode n)
{
	bool bytes = false, text = false;

	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode part = ts_node_named_child(n, i);
		struct prefix p;

		if (!tree_is(part, "string"))
			continue;
		prefix_read(tree_text(s, ts_node_child(part, 0)), &p);
		bytes |= p.bytes;
		text |= !p.bytes;
	}
	return bytes && text ? "bytes and text cannot be joined" : NULL;
}

static bool is_digit_of(char c, unsigned base)
{
	const char *digits = "0123456789abcdef";
	const char *hit = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;

	return hit != NULL && (unsigned)(hit - digits) < base;
}

/* Digits with single '_' between them (and after a base's letter). Returns the offset behind them; `from` when there are none. */
static size_t digits_skip(struct str s, size_t from, unsigned base, bool leading_underscore)
{
	size_t i = from;

	if (leading_underscore && i + 1 < s.n && s.p[i] == '_')
		i++;
	if (i >= s.n || !is_digit_of(s.p[i], base))
		return from;
	while (i < s.n && (is_digit_of(s.p[i], base) ||
	                   (s.p[i] == '_' && i + 1 < s.n && is_digit_of(s.p[i + 1], base))))
		i++;
	return i;
}

static bool decimal_valid(struct str s)
{
	size_t i = digits_skip(s, 0, 10, false), whole = i;
	bool real = false, imaginary;

	if (i < s.n && s.p[i] == '.') {
		size_t fraction = digits_skip(s, i + 1, 10, false);

		if (whole == 0 && fraction == i + 1)
			return false;
		i = fraction;
		real = true;
	}
	if (i < s.n && (s.p[i] | 0x20) == 'e') {
		size_t from = i + 1 < s.n && (s.p[i + 1] == '+' || s.p[i + 1] == '-') ? i + 2 : i + 1;

		i = digits_skip(s, from, 10, false);
		if (i == from)
			return false;
		real = true;
	}
	imaginary = i < s.n && (s.p[i] | 0x20) == 'j';
	if (i + (imaginary ? 1 : 0) != s.n || s.n == 0)
		return false;
	if (real || imaginary || s.p[0] != '0')
		return true;
	for (size_t k = 0; k < s.n; k++) /* 0 and 00_0, never 0777 */
		if (s.p[k] != '0' && s.p[k] != '_')
			return false;
	return true;
}

const char *literal_check_number(const struct py_source *s, TSNode n)
{
	static const struct {
		char letter;
		unsigned base;
	} BASES[] = { { 'x', 16 }, { 'o', 8 }, { 'b', 2 } };
	struct str text = tree_text(s, n);

	for (size_t i = 0; text.n > 1 && text.p[0] == '0' && i < sizeof BASES / sizeof *BASES; i++)
		if ((text.p[1] | 0x20) == BASES[i].letter)
			return digits_skip(text, 2, BASES[i].base, true) == text.n && text.n > 2 ? NULL : "this is not a number of Python 3";
	return decimal_valid(text) ? NULL : "this is not a number of Python 3";
}
