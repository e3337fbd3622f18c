#include "base/glob.h"
#include "base/utf8.h"

/*
 * Takes the set that opens at pat.p[*i] == '[' and moves *i behind it; false
 * when it is not closed. `]` right after `[` or `[!` is a member.
 */
static bool set_match(struct str pat, size_t *i, uint32_t c, bool *hit)
{
	size_t at = *i + 1;
	bool negate = at < pat.n && pat.p[at] == '!', in = false, first = true;

	at += negate;
	for (; at < pat.n; first = false) {
		uint32_t from, to;

		if (pat.p[at] == ']' && !first) {
			*i = at + 1;
			*hit = in != negate;
			return true;
		}
		from = to = utf8_next(pat, &at);
		if (at + 1 < pat.n && pat.p[at] == '-' && pat.p[at + 1] != ']') {
			at++;
			to = utf8_next(pat, &at);
		}
		in = in || (c >= from && c <= to);
	}
	return false;
}

/* One element of the pattern, not '*', against one character. */
static bool element_match(struct str pat, size_t *i, uint32_t c)
{
	bool hit;
	uint32_t want;

	if (pat.p[*i] == '?') {
		(*i)++;
		return true;
	}
	if (pat.p[*i] == '[' && set_match(pat, i, c, &hit))
		return hit;
	want = utf8_next(pat, i);
	return want == c;
}

bool glob_match(struct str text, struct str pat)
{
	size_t t = 0, p = 0, star_p = SIZE_MAX, star_t = 0;

	while (t < text.n) {
		size_t next_t = t, next_p = p;
		uint32_t c = utf8_next(text, &next_t);

		if (p < pat.n && pat.p[p] == '*') {
			star_p = ++p;
			star_t = t;
			if (p == pat.n)
				return true;
		} else if (p < pat.n && element_match(pat, &next_p, c)) {
			t = next_t;
			p = next_p;
		} else if (star_p != SIZE_MAX) {
			utf8_next(text, &star_t);
			t = star_t;
			p = star_p;
		} else {
			return false;
		}
	}
	while (p < pat.n && pat.p[p] == '*')
		p++;
	return p == pat.n;
}

bool glob_is_pattern(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '*' || s.p[i] == '?' || s.p[i] == '[')
			return true;
	return false;
}
