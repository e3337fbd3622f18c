#include "ui/text.h"

#include "base/utf8.h"

/* Ranges that terminals show two columns wide (East Asian Wide and Fullwidth, emoji). */
static const struct {
	uint32_t from, to;
} wide[] = {
	{ 0x1100, 0x115F }, { 0x2E80, 0x303E },   { 0x3041, 0x33FF },   { 0x3400, 0x4DBF },   { 0x4E00, 0x9FFF },
	{ 0xA000, 0xA4CF }, { 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },   { 0xFE30, 0xFE6F },   { 0xFF00, 0xFF60 },
	{ 0xFFE0, 0xFFE6 }, { 0x1F300, 0x1F64F }, { 0x1F900, 0x1F9FF }, { 0x20000, 0x3FFFD },
};

static size_t column_count(uint32_t c)
{
	if (c < 0x300)
		return c >= 0x20 && c != 0x7F;
	if (c <= 0x36F || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F))
		return 0;
	for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
		if (c >= wide[i].from && c <= wide[i].to)
			return 2;
	return 1;
}

/* Width of the character or escape sequence at s.p[*i], moved behind it. */
static size_t step(struct str s, size_t *i)
{
	if (s.p[*i] == '\033' && *i + 1 < s.n && s.p[*i + 1] == '[') {
		while (*i < s.n && s.p[*i] != 'm')
			++*i;
		*i += *i < s.n;
		return 0;
	}
	return column_count(utf8_next(s, i));
}

size_t text_width(struct str s)
{
	size_t w = 0;

	for (size_t i = 0; i < s.n;)
		w += step(s, &i);
	return w;
}

static bool is_code_char(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

/* Where to cut a word that fills a line: `at`, or before the error code that `at` falls into. */
static size_t cut_outside_code(struct str s, size_t at)
{
	size_t from = at;

	while (from > 0 && is_code_char(s.p[from - 1]))
		from--;
	ptrdiff_t code = str_find(str_sub(s, from, s.n), STR("LHP-"), 0);
	size_t start = from + (size_t)(code < 0 ? 0 : code);
	return code < 0 || start == 0 || start >= at ? at : start;
}

bool text_wrap(struct str *rest, size_t width, struct str *line)
{
	struct str s = *rest;
	size_t w = 0, blank = 0;

	if (s.p == NULL)
		return false;
	for (size_t i = 0; i < s.n;) {
		size_t at = i;

		if (s.p[i] == '\n') {
			*line = str_sub(s, 0, i);
			*rest = str_skip(s, i + 1);
			return true;
		}
		if (s.p[i] == ' ' && !str_blank(str_sub(s, 0, i)))
			blank = i;
		w += step(s, &i);
		if (w <= width || at == 0)
			continue;
		size_t end = blank != 0 ? blank : cut_outside_code(s, at);
		*line = str_trim_end(str_sub(s, 0, end));
		*rest = str_skip(s, end + (blank != 0));
		return true;
	}
	*line = s;
	*rest = STR_NONE;
	return true;
}

struct str text_flat(struct arena *a, struct str s)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < s.n; i++) {
		bool blank = (unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7F;

		if (!blank)
			buf_addc(&b, s.p[i]);
		else if (b.n > 0 && b.p[b.n - 1] != ' ')
			buf_addc(&b, ' ');
	}
	struct str flat = str_trim_end(buf_take(&b, a));
	buf_release(&b);
	return flat;
}

struct str text_cut(struct arena *a, struct str s, size_t width)
{
	size_t w = 0, keep = 0;

	if (text_width(s) <= width)
		return s;
	for (size_t i = 0; i < s.n; keep = i) {
		w += step(s, &i);
		if (w + 1 > width)
			break;
	}
	return str_cat(a, str_sub(s, 0, keep), STR("…"));
}

struct str text_safe(struct arena *a, struct str s)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F)
			buf_addf(&b, "\\x%02x", c);
		else
			buf_addc(&b, s.p[i]);
	}
	struct str safe = b.n == s.n ? s : buf_take(&b, a);
	buf_release(&b);
	return safe;
}

void buf_add_wrapped(struct buf *b, struct str text, size_t indent, size_t columns)
{
	size_t width = columns > indent + 20 ? columns - indent : 20;
	struct str line;

	while (text_wrap(&text, width, &line)) {
		buf_add_repeat(b, ' ', line.n != 0 ? indent : 0);
		buf_add(b, line);
		buf_addc(b, '\n');
	}
}
