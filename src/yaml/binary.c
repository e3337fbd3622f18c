#include "yaml/binary.h"
#include "base/arena.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* As Python's decoder: characters outside of the alphabet are skipped, bits that fill no byte need their '='. */
static bool base64_decode(struct str s, struct buf *out)
{
	unsigned bits = 0, n = 0, pad = 0;

	for (size_t i = 0; i < s.n; i++) {
		const char *digit = s.p[i] != '\0' ? strchr(alphabet, s.p[i]) : NULL;

		if ((unsigned char)s.p[i] >= 0x80)
			return false;
		if (s.p[i] == '=' && n % 4 >= 2 && ++pad + n % 4 >= 4)
			return true;
		if (digit == NULL)
			continue;
		pad = 0;
		bits = (bits << 6 | (unsigned)(digit - alphabet)) & 0xFFFFFF;
		if (n++ % 4 != 0)
			buf_addc(out, (char)(bits >> (8 - n % 4 * 2) % 8));
	}
	return n % 4 == 0;
}

bool binary_text(struct arena *a, struct str base64, struct str *text)
{
	struct buf bytes = { 0 }, b = { 0 };
	bool good = base64_decode(base64, &bytes);
	struct str s = buf_str(&bytes);
	char quote = str_find_char(s, '\'', 0) >= 0 && str_find_char(s, '"', 0) < 0 ? '"' : '\'';

	buf_addf(&b, "b%c", quote);
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '\n' || c == '\r' || c == '\t')
			buf_adds(&b, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
		else if (c < 0x20 || c >= 0x7F)
			buf_addf(&b, "\\x%02x", c);
		else
			buf_addf(&b, "%s%c", c == '\\' || c == (unsigned char)quote ? "\\" : "", c);
	}
	buf_addc(&b, quote);
	*text = buf_take(&b, a);
	buf_release(&b);
	buf_release(&bytes);
	return good;
}
