#include "resolve/token_scan.h"

#include "base/utf8.h"

/* `{word}` whose brace stands at s.p[open]. */
static bool word_at(struct str s, size_t open, size_t *end, struct str *name)
{
	size_t i = open + 1, next = i;

	while (next < s.n && ucs_is_word(utf8_next(s, &next)))
		i = next;
	if (i == open + 1 || i >= s.n || s.p[i] != '}')
		return false;
	*name = str_sub(s, open + 1, i);
	*end = i + 1;
	return true;
}

bool brace_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name)
{
	for (ptrdiff_t open; (open = str_find_char(s, '{', from)) >= 0; from = (size_t)open + 1) {
		*at = (size_t)open;
		if (word_at(s, *at, end, name))
			return true;
	}
	return false;
}

bool reference_next(struct str s, size_t from, size_t *at, size_t *end, struct str *name)
{
	if (!brace_find(s, from, at, end, name))
		return false;
	if (*at > from && s.p[*at - 1] == '$')
		--*at;
	return true;
}

bool bare_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name)
{
	for (; brace_find(s, from, at, end, name); from = *end)
		if (*at == 0 || s.p[*at - 1] != '$')
			return true;
	return false;
}

bool dollar_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name)
{
	for (ptrdiff_t open; (open = str_find(s, STR("${"), from)) >= 0; from = (size_t)open + 2) {
		*at = (size_t)open;
		if (word_at(s, *at + 1, end, name))
			return true;
	}
	return false;
}

bool secret_next(struct str s, size_t from, size_t *at, size_t *end, struct str *body)
{
	ptrdiff_t open = str_find(s, STR("${secret:"), from), close;

	if (open < 0)
		return false;
	close = str_find_char(s, '}', (size_t)open);
	if (close < 0)
		return false;
	*at = (size_t)open;
	*end = (size_t)close + 1;
	*body = str_sub(s, *at + sizeof "${secret:" - 1, (size_t)close);
	return true;
}
