#include "project/version.h"

#include <ctype.h>

enum { PARTS = 16 };

struct version {
	uint64_t epoch, part[PARTS], pre, post, dev;
	size_t n;            /* release parts */
	char pre_kind;       /* 'a', 'b', 'r', or 0 */
	bool has_post, has_dev, has_local;
};

/* --- reading --- */

static bool take(struct str *s, const char *word)
{
	size_t n = strlen(word);

	if (s->n < n || !str_is_nocase(str_sub(*s, 0, n), word))
		return false;
	*s = str_skip(*s, n);
	return true;
}

static bool take_number(struct str *s, uint64_t *v)
{
	size_t i = 0;

	for (*v = 0; i < s->n && isdigit((unsigned char)s->p[i]); i++)
		*v = *v > 1000000000000000000u ? *v : *v * 10 + (uint64_t)(s->p[i] - '0');
	*s = str_skip(*s, i);
	return i > 0;
}

static void take_separator(struct str *s)
{
	if (s->n != 0 && (s->p[0] == '.' || s->p[0] == '-' || s->p[0] == '_'))
		*s = str_skip(*s, 1);
}

/* `[-_.]?WORD[-_.]?N?` with one of the words; the kind goes with the word. */
static bool take_phase(struct str *s, const char *const *word, size_t n, size_t *which, uint64_t *number)
{
	struct str rest = *s;

	take_separator(&rest);
	for (size_t i = 0; i < n; i++) {
		if (!take(&rest, word[i]))
			continue;
		*which = i;
		*s = rest;
		take_separator(&rest);
		if (take_number(&rest, number))
			*s = rest;
		else
			*number = 0;
		return true;
	}
	return false;
}

static bool take_release(struct str *s, struct version *v)
{
	struct str rest;

	do {
		if (v->n == PARTS || !take_number(s, &v->part[v->n]))
			return false;
		v->n++;
		rest = *s;
	} while (take(&rest, ".") && rest.n != 0 && isdigit((unsigned char)rest.p[0]) && (*s = rest, true));
	return true;
}

static bool take_local(struct str *s)
{
	bool separated = true;

	for (; s->n != 0; *s = str_skip(*s, 1)) {
		bool separator = s->p[0] == '.' || s->p[0] == '-' || s->p[0] == '_';

		if (separator ? separated : !isalnum((unsigned char)s->p[0]))
			return false;
		separated = separator;
	}
	return !separated;
}

static bool version_read(struct str s, struct version *v)
{
	static const char *const pre[] = { "alpha", "a", "beta", "b", "preview", "pre", "c", "rc" };
	static const char kind[] = { 'a', 'a', 'b', 'b', 'r', 'r', 'r', 'r' };
	static const char *const post[] = { "post", "rev", "r" };
	static const char *const dev[] = { "dev" };
	struct str rest;
	size_t which;

	*v = (struct version){ 0 };
	take(&s, "v");
	rest = s;
	if (take_number(&rest, &v->epoch) && take(&rest, "!"))
		s = rest;
	else
		v->epoch = 0;
	if (!take_release(&s, v))
		return false;
	if (take_phase(&s, pre, sizeof pre / sizeof *pre, &which, &v->pre))
		v->pre_kind = kind[which];
	rest = s;
	if (take(&rest, "-") && take_number(&rest, &v->post)) {
		v->has_post = true;
		s = rest;
	} else {
		v->has_post = take_phase(&s, post, 3, &which, &v->post);
	}
	v->has_dev = take_phase(&s, dev, 1, &which, &v->dev);
	v->has_local = take(&s, "+");
	return v->has_local ? take_local(&s) : s.n == 0;
}

/* --- comparing --- */

static int u64_cmp(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int release_cmp(const struct version *a, const struct version *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int c = u64_cmp(i < a->n ? a->part[i] : 0, i < b->n ? b->part[i] : 0);

		if (c != 0)
			return c;
	}
	return 0;
}

/* Where a version stands among those of its release: dev < a < b < rc < final, post. */
static int phase_of(const struct version *v)
{
	if (v->pre_kind != 0)
		return v->pre_kind == 'a' ? 1 : v->pre_kind == 'b' ? 2 : 3;
	return v->has_dev && !v->has_post ? 0 : 4;
}

static int version_cmp(const struct version *a, const struct version *b)
{
	int c = u64_cmp(a->epoch, b->epoch);

	if (c == 0)
		c = release_cmp(a, b, PARTS);
	if (c == 0)
		c = phase_of(a) - phase_of(b);
	if (c == 0)
		c = u64_cmp(a->pre, b->pre);
	if (c == 0)
		c = u64_cmp(a->has_post ? a->post + 1 : 0, b->has_post ? b->post + 1 : 0);
	if (c == 0)
		c = u64_cmp(a->has_dev ? a->dev : UINT64_MAX, b->has_dev ? b->dev : UINT64_MAX);
	return c;
}

static bool prefix_equal(const struct version *v, const struct version *prefix, size_t n)
{
	return v->epoch == prefix->epoch && release_cmp(v, prefix, n) == 0;
}

/* --- specifiers --- */

enum operator { EQUAL, NOT_EQUAL, AT_MOST, AT_LEAST, BELOW, ABOVE, COMPATIBLE };

static const struct {
	const char *sign;
	enum operator op;
} operators[] = {
	{ "==", EQUAL }, { "!=", NOT_EQUAL }, { "<=", AT_MOST }, { ">=", AT_LEAST },
	{ "~=", COMPATIBLE }, { "<", BELOW }, { ">", ABOVE },
};

static bool answer(enum operator op, const struct version *have, const struct version *want)
{
	int c = version_cmp(have, want);

	switch (op) {
	case EQUAL: return c == 0;
	case NOT_EQUAL: return c != 0;
	case AT_MOST: return c <= 0;
	case AT_LEAST: return c >= 0;
	case BELOW: return c < 0;
	case ABOVE: return c > 0;
	case COMPATIBLE: return c >= 0 && prefix_equal(have, want, want->n - 1);
	}
	return false;
}

static enum version_answer specifier_check(struct str version, const struct version *have, struct str s)
{
	struct version want;
	size_t i = 0;
	bool prefix;

	if (take(&s, "==="))
		return str_eq_nocase(str_trim(s), version) ? VERSION_MET : VERSION_NOT_MET;
	while (i < sizeof operators / sizeof *operators && !take(&s, operators[i].sign))
		i++;
	if (i == sizeof operators / sizeof *operators)
		return VERSION_UNREADABLE;
	s = str_trim(s);
	prefix = str_ends(s, STR(".*")) && (operators[i].op == EQUAL || operators[i].op == NOT_EQUAL);
	if (!version_read(prefix ? str_sub(s, 0, s.n - 2) : s, &want))
		return VERSION_UNREADABLE;
	if (want.has_local)
		return operators[i].op > NOT_EQUAL || prefix         ? VERSION_UNREADABLE
		       : operators[i].op == NOT_EQUAL ? VERSION_MET : VERSION_NOT_MET;
	if (operators[i].op == COMPATIBLE && want.n < 2)
		return VERSION_UNREADABLE;
	if (prefix)
		return prefix_equal(have, &want, want.n) == (operators[i].op == EQUAL) ? VERSION_MET : VERSION_NOT_MET;
	return answer(operators[i].op, have, &want) ? VERSION_MET : VERSION_NOT_MET;
}

enum version_answer version_check(struct str version, struct str specifiers)
{
	enum version_answer all = VERSION_MET;
	struct version have;
	struct str part;

	if (!version_read(version, &have))
		return VERSION_UNREADABLE;
	while (str_cut(&specifiers, ',', &part)) {
		enum version_answer one;

		part = str_trim(part);
		one = part.n == 0 ? VERSION_MET : specifier_check(version, &have, part);
		if (one == VERSION_UNREADABLE)
			return one;
		if (one == VERSION_NOT_MET)
			all = one;
	}
	return all;
}
