#include "resolve/expr_ops.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>

/* --- case --- */

static void upper_add(struct buf *b, uint32_t c, bool whole)
{
	if (c == 0xDF) /* the one common letter whose capital is two */
		buf_adds(b, whole ? "SS" : "Ss");
	else
		buf_add_utf8(b, c == UTF8_BAD ? '?' : ucs_upper(c));
}

/* What ends a word for the filter title: blanks, '-' and opening brackets. */
static bool is_word_break(uint32_t c)
{
	return ucs_is_space(c) || c == '-' || c == '(' || c == '{' || c == '[' || c == '<';
}

struct str text_fold(struct render *r, struct str s, enum text_fold fold)
{
	struct buf b = { 0 };
	struct str out;
	bool first = true;

	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);

		if (fold == TEXT_UPPER || (first && fold != TEXT_LOWER))
			upper_add(&b, c, fold == TEXT_UPPER || fold == TEXT_TITLE);
		else
			buf_add_utf8(&b, c == UTF8_BAD ? '?' : ucs_lower(c));
		first = fold == TEXT_TITLE && is_word_break(c);
	}
	out = buf_take(&b, r->a);
	buf_release(&b);
	return out;
}

/* --- pieces --- */

static bool is_line_end(uint32_t c)
{
	return (c >= '\n' && c <= '\r') || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

struct val *text_lines(struct render *r, struct str s, bool keep)
{
	struct val *list = val_new(r, VAL_LIST), *line;
	size_t from = 0, i = 0;

	while (i < s.n) {
		size_t end = i;
		uint32_t c = utf8_next(s, &i);

		if (!is_line_end(c) && i < s.n)
			continue;
		if (!is_line_end(c))
			end = i;
		if (c == '\r' && i < s.n && s.p[i] == '\n')
			i++;
		line = val_text(r, str_sub(s, from, keep ? i : end));
		if (line == NULL || !list_add(r, list, line))
			return NULL;
		from = i;
	}
	return list;
}

/* An empty `from` stands before every character and at the end. */
static void replace_between(struct buf *b, struct str s, struct str to, int64_t count)
{
	size_t i = 0;

	while (count != 0) {
		size_t at = i;

		buf_add(b, to);
		count--;
		if (i >= s.n || b->n > EXPR_MAX_OUTPUT)
			break;
		utf8_next(s, &i);
		buf_add(b, str_sub(s, at, i));
	}
	buf_add(b, str_skip(s, i));
}

struct val *text_replace(struct render *r, struct str s, struct str from, struct str to, int64_t count)
{
	struct buf b = { 0 };
	size_t i = 0;

	if (from.n == 0) {
		replace_between(&b, s, to, count);
		return val_take(r, &b);
	}
	for (; count != 0 && b.n <= EXPR_MAX_OUTPUT; count--) {
		ptrdiff_t hit = str_find(s, from, i);

		if (hit < 0)
			break;
		buf_add(&b, str_sub(s, i, (size_t)hit));
		buf_add(&b, to);
		i = (size_t)hit + from.n;
	}
	buf_add(&b, str_skip(s, i));
	return val_take(r, &b);
}

/* --- numbers, as Python reads them from text --- */

/* Without blanks at the ends and single '_' between digits. False for a '_' elsewhere. */
static bool number_clean(struct str s, struct buf *b)
{
	char before = '\0';

	s = utf8_strip(s, STR_NONE, true, true);
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool between = i > 0 && i + 1 < s.n && ascii_is_word(before) && before != '_' && ascii_is_word(s.p[i + 1]);

		if (c == '\0' || (c == '_' && !between))
			return false;
		if (c != '_')
			buf_addc(b, c);
		before = c;
	}
	buf_addc(b, '\0');
	return b->n > 1;
}

/* The base that a prefix asks for, and how long the prefix is. */
static int base_prefix(const char *p, int base, size_t *skip)
{
	int named = p[0] != '0' ? 0 : (p[1] | 32) == 'x' ? 16 : (p[1] | 32) == 'o' ? 8 : (p[1] | 32) == 'b' ? 2 : 0;

	*skip = named != 0 && (base == 0 || base == named) ? 2 : 0;
	return base != 0 ? base : named != 0 ? named : 10;
}

bool text_parse_int(struct str s, int base, int64_t *out)
{
	struct buf b = { 0 };
	bool good = number_clean(s, &b), negative = false;
	const char *p;
	char *end = NULL;
	size_t skip;

	if (good) {
		p = b.p;
		negative = *p == '-';
		p += negative || *p == '+';
		base = base_prefix(p, base, &skip);
		p += skip;
		errno = 0;
		good = ascii_is_word(*p);
		/* with the sign put back, for INT64_MIN */
		if (good && negative) {
			b.p[p - b.p - 1] = '-';
			p--;
		}
		if (good)
			*out = strtoll(p, &end, base);
		good = good && errno == 0 && *end == '\0' && end != p;
	}
	buf_release(&b);
	return good;
}

/* strtod takes more than Python does: hexadecimal, nan(…), and it skips blanks. */
static bool is_float_text(const char *p)
{
	static const char *const words[] = { "inf", "infinity", "nan" };

	p += *p == '-' || *p == '+';
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_is_nocase(str_of(p), words[i]))
			return true;
	return p[strspn(p, "0123456789.eE+-")] == '\0' && *p != '-' && *p != '+';
}

bool text_parse_float(struct str s, double *out)
{
	struct buf b = { 0 };
	bool good = number_clean(s, &b) && is_float_text(b.p);
	char *end;

	if (good) {
		*out = strtod(b.p, &end);
		good = *end == '\0';
	}
	buf_release(&b);
	return good;
}
