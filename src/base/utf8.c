#include "base/utf8.h"

#include <locale.h>
#include <pthread.h>
#include <wctype.h>

static locale_t unicode;
static pthread_once_t unicode_once = PTHREAD_ONCE_INIT;

static void unicode_open(void)
{
	unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* The locale is a constant of the C library; without it only ASCII has classes. */
static locale_t unicode_locale(void)
{
	pthread_once(&unicode_once, unicode_open);
	return unicode;
}

uint32_t utf8_next(struct str s, size_t *i)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char c = (unsigned char)s.p[(*i)++];
	size_t more = c < 0x80 ? 0 : c >= 0xF0 && c < 0xF8 ? 3 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xC0 && c < 0xE0 ? 1 : 9;
	uint32_t v;

	if (more == 0)
		return c;
	if (more == 9 || s.n - *i < more)
		return UTF8_BAD;
	v = c & (0x3Fu >> more);
	for (size_t k = 0; k < more; k++) {
		unsigned char d = (unsigned char)s.p[*i + k];

		if ((d & 0xC0) != 0x80)
			return UTF8_BAD;
		v = v << 6 | (d & 0x3F);
	}
	if (v < least[more + 1] || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000))
		return UTF8_BAD;
	*i += more;
	return v;
}

ptrdiff_t utf8_invalid(struct str s)
{
	for (size_t i = 0; i < s.n;) {
		size_t at = i;

		if ((unsigned char)s.p[i] < 0x80)
			i++;
		else if (utf8_next(s, &i) == UTF8_BAD)
			return (ptrdiff_t)at;
	}
	return -1;
}

size_t utf8_len(struct str s)
{
	size_t k = 0;

	for (size_t i = 0; i < s.n; k++)
		utf8_next(s, &i);
	return k;
}

size_t utf8_put(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xE0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3F));
		out[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | c >> 18);
	out[1] = (char)(0x80 | (c >> 12 & 0x3F));
	out[2] = (char)(0x80 | (c >> 6 & 0x3F));
	out[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

void buf_add_utf8(struct buf *b, uint32_t c)
{
	char out[4];

	buf_add(b, (struct str){ out, utf8_put(c, out) });
}

bool ascii_is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool ucs_is_word(uint32_t c)
{
	return c < 0x80 ? ascii_is_word((char)c) : c != UTF8_BAD && unicode_locale() && iswalnum_l(c, unicode);
}

bool ucs_is_alpha(uint32_t c)
{
	return c < 0x80 ? ascii_is_word((char)c) && c != '_' && !(c >= '0' && c <= '9')
	                : c != UTF8_BAD && unicode_locale() && iswalpha_l(c, unicode);
}

bool ucs_is_space(uint32_t c)
{
	return c < 0x80 ? c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F)
	                : c == 0x85 || c == 0xA0 || c == 0x2007 || c == 0x202F || (unicode_locale() && iswspace_l(c, unicode));
}

bool ucs_is_print(uint32_t c)
{
	return c < 0x80 ? c >= 0x20 && c != 0x7F : c != UTF8_BAD && unicode_locale() && iswprint_l(c, unicode);
}

uint32_t ucs_lower(uint32_t c)
{
	return unicode_locale() ? (uint32_t)towlower_l(c, unicode) : c;
}

uint32_t ucs_upper(uint32_t c)
{
	return unicode_locale() ? (uint32_t)towupper_l(c, unicode) : c;
}

void buf_add_lower(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		size_t at = i;
		uint32_t c = utf8_next(s, &i);

		if (c == UTF8_BAD)
			buf_addc(b, s.p[at]);
		else if (c == 0x130) /* the one letter whose small form is two: i and a dot */
			buf_adds(b, "i\xCC\x87");
		else
			buf_add_utf8(b, ucs_lower(c));
	}
}

bool str_is_identifier(struct str s)
{
	if (s.n == 0 || (s.p[0] >= '0' && s.p[0] <= '9'))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_word(s.p[i]))
			return false;
	return true;
}

static bool is_stripped(uint32_t c, struct str chars)
{
	if (chars.p == NULL)
		return ucs_is_space(c);
	for (size_t i = 0; i < chars.n;)
		if (utf8_next(chars, &i) == c)
			return true;
	return false;
}

struct str utf8_strip(struct str s, struct str chars, bool left, bool right)
{
	while (left && s.n > 0) {
		size_t i = 0;

		if (!is_stripped(utf8_next(s, &i), chars))
			break;
		s = str_skip(s, i);
	}
	while (right && s.n > 0) {
		size_t last = s.n - 1, i;

		while (last > 0 && ((unsigned char)s.p[last] & 0xC0) == 0x80)
			last--;
		i = last;
		if (!is_stripped(utf8_next(s, &i), chars))
			break;
		s.n = last;
	}
	return s;
}

struct str utf8_trim(struct str s)
{
	return utf8_strip(s, STR_NONE, true, true);
}

bool utf8_blank(struct str s)
{
	return utf8_strip(s, STR_NONE, true, false).n == 0;
}
