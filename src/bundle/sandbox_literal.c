/* sandbox_literal.c - Python string literals: how one is written, and writing it anew. */
#include "bundle/sandbox_rename.h"
#include "yaml/node.h"

#include <ctype.h>

/* Behind blanks, line joins and comments. */
static size_t filler_end(struct str s, size_t i)
{
	while (i < s.n) {
		if (isspace((unsigned char)s.p[i]) || s.p[i] == '\\')
			i++;
		else if (s.p[i] == '#')
			for (; i < s.n && s.p[i] != '\n';)
				i++;
		else
			break;
	}
	return i;
}

/* One literal at `i`; its end, or 0. */
static size_t one_read(struct str s, size_t i, struct literal *l)
{
	struct literal one = { .quotes = 1 };

	for (; i < s.n && isalpha((unsigned char)s.p[i]); i++) {
		one.prefixed = true;
		one.raw |= (s.p[i] | 0x20) == 'r';
		one.format |= (s.p[i] | 0x20) == 'f';
	}
	if (i >= s.n || (s.p[i] != '"' && s.p[i] != '\''))
		return 0;
	one.quote = s.p[i];
	if (i + 5 < s.n && s.p[i + 1] == one.quote && s.p[i + 2] == one.quote)
		one.quotes = 3;
	one.body = i + one.quotes;
	for (i = one.body; i < s.n; i++) {
		if (s.p[i] == '\\') {
			one.escaped = true;
			i++;
		} else if (s.p[i] == one.quote &&
		           (one.quotes == 1 || (i + 2 < s.n && s.p[i + 1] == one.quote && s.p[i + 2] == one.quote))) {
			break;
		}
	}
	if (i >= s.n)
		return 0;
	one.body_end = i;
	if (l->parts == 0)
		*l = one;
	l->parts++;
	l->prefixed |= one.prefixed;
	l->raw |= one.raw;
	l->format |= one.format;
	l->escaped |= one.escaped;
	return i + one.quotes;
}

bool literal_parts_read(struct str source, struct literal *out)
{
	size_t i = 0;

	*out = (struct literal){ 0 };
	while (i < source.n) {
		i = one_read(source, i, out);
		if (i == 0)
			return false;
		i = filler_end(source, i);
	}
	return out->parts != 0;
}

/* Does the value stand between these quotes as it is? */
static bool fits(struct str value, char quote, size_t quotes)
{
	char q[3] = { quote, quote, quote };

	for (size_t i = 0; i < value.n; i++)
		if ((unsigned char)value.p[i] < ' ' && value.p[i] != '\t' && (value.p[i] != '\n' || quotes == 1))
			return false;
	return str_find_char(value, '\\', 0) < 0 && !str_has(value, (struct str){ q, quotes }) &&
	       (value.n == 0 || value.p[value.n - 1] != quote);
}

struct str literal_write(struct arena *a, const struct literal *l, struct str value)
{
	bool lines = str_find_char(value, '\n', 0) >= 0;
	size_t quotes = lines ? 3 : l->quotes;
	char quote = lines ? '"' : l->quote;
	struct buf b = { 0 };
	struct str out;

	if (fits(value, quote, quotes)) {
		buf_add_repeat(&b, quote, quotes);
		buf_add(&b, value);
		buf_add_repeat(&b, quote, quotes);
	} else {
		buf_add_str_repr(&b, value);
	}
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}
