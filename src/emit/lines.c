#include "emit/lines.h"

#include "base/utf8.h"
#include "emit/emit.h"

/* Length of the line end at s.p[i], or 0. */
static size_t line_end(struct str s, size_t i)
{
	unsigned char c = (unsigned char)s.p[i];

	if (c == '\r')
		return i + 1 < s.n && s.p[i + 1] == '\n' ? 2 : 1;
	if (c < 0x80)
		return (c >= '\n' && c <= '\f') || (c >= 0x1c && c <= 0x1e) ? 1 : 0;
	if (c == 0xc2)
		return i + 1 < s.n && (unsigned char)s.p[i + 1] == 0x85 ? 2 : 0;
	if (c == 0xe2 && i + 2 < s.n && (unsigned char)s.p[i + 1] == 0x80)
		return ((unsigned char)s.p[i + 2] & 0xfe) == 0xa8 ? 3 : 0;
	return 0;
}

bool text_line_cut(struct str *rest, struct str *line)
{
	size_t i = 0, end = 0;

	if (rest->n == 0)
		return false;
	while (i < rest->n && (end = line_end(*rest, i)) == 0)
		i++;
	*line = str_sub(*rest, 0, i);
	*rest = str_skip(*rest, i + end);
	return true;
}

/* White space as Python's str.isspace has it, no-break spaces included. */
static bool is_space(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f) || c == 0x85 || c == 0xa0 ||
	       c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
	       c == 0x205f || c == 0x3000;
}

struct str text_trim_end(struct str s)
{
	while (s.n > 0) {
		size_t at = s.n - 1, next;

		while (at > 0 && ((unsigned char)s.p[at] & 0xc0) == 0x80)
			at--;
		next = at;
		if (!is_space(utf8_next(s, &next)) || next != s.n)
			break;
		s.n = at;
	}
	return s;
}

struct str text_normalise(struct arena *a, struct str text)
{
	char *out = arena_alloc(a, text.n + 2), *end = out;
	struct str line;

	while (text_line_cut(&text, &line)) {
		line = text_trim_end(line);
		if (line.n > 0)
			memcpy(end, line.p, line.n);
		end += line.n;
		*end++ = '\n';
	}
	/* Lines are joined, not ended: of several empty ones at the end one is lost. */
	if (end - out > 1 && end[-1] == '\n' && end[-2] == '\n')
		end--;
	*end = '\0';
	return (struct str){ out, (size_t)(end - out) };
}
