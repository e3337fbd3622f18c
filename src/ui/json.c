#include "ui/json.h"

#include "base/utf8.h"

/* What stands for a code point, if not it itself. */
static bool escape_add(struct buf *b, uint32_t c)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
	const char *hit = c != 0 && c < 0x80 ? strchr(plain, (int)c) : NULL;

	if (hit != NULL)
		buf_addf(b, "\\%c", letter[hit - plain]);
	else if (c < 0x20)
		buf_addf(b, "\\u%04x", c);
	else if (c == UTF8_BAD)
		buf_add_utf8(b, 0xFFFD);
	else
		return false;
	return true;
}

void json_text(struct buf *b, struct str s)
{
	buf_addc(b, '"');
	for (size_t i = 0; i < s.n;) {
		size_t at = i;

		if (!escape_add(b, utf8_next(s, &i)))
			buf_add(b, str_sub(s, at, i));
	}
	buf_addc(b, '"');
}
