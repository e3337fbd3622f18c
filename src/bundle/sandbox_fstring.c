/*
 * sandbox_fstring.c - SQL in f-strings whose fields are known at run time only (spec/bundle.md, section 10).
 *
 * A field stands for one unknown part of a name. In the masked text, which is as long as the source, its
 * first byte is FIELD and the others are REST: neither is part of a name in SQL.
 */
#include "bundle/sandbox_rename.h"
#include "graph/tables.h"

#include <ctype.h>

enum { FIELD = '\1', REST = '\2' };

static bool quotes_at(struct str s, size_t i, char quote, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (i + k >= s.n || s.p[i + k] != quote)
			return false;
	return true;
}

/* Masks the field at `i`; its end, or 0 when its braces do not balance or it holds a quote. */
static size_t field_mask(char *p, size_t i, size_t end)
{
	size_t depth = 0, from = i;

	for (; i < end; i++) {
		if (p[i] == '\'' || p[i] == '"')
			return 0;
		depth += p[i] == '{';
		depth -= p[i] == '}';
		if (depth == 0)
			break;
	}
	if (i == end)
		return 0;
	memset(p + from, REST, i + 1 - from);
	p[from] = FIELD;
	return i + 1;
}

/* The body with its fields masked; false when the source is not one literal that can be split. */
static bool body_mask(struct arena *a, struct str source, size_t *at, struct str *masked)
{
	size_t i = 0, n = 1, end;
	char *p;

	while (i < source.n && isalpha((unsigned char)source.p[i]))
		if ((source.p[i++] | 0x20) == 'r')
			return false;
	if (i >= source.n || str_find_char(source, '\\', 0) >= 0)
		return false;
	if (quotes_at(source, i, source.p[i], 3) && source.n >= i + 6)
		n = 3;
	if (source.n < i + 2 * n || !quotes_at(source, source.n - n, source.p[i], n))
		return false;
	*at = i + n;
	end = source.n - n;
	p = ARENA_ARRAY(a, char, source.n + 1);
	memcpy(p, source.p, source.n);
	for (i = *at; i < end;) {
		if (quotes_at(source, i, source.p[end], n))
			return false; /* it ends here: another literal follows */
		if ((p[i] == '{' || p[i] == '}') && i + 1 < end && p[i + 1] == p[i])
			i += 2;
		else if (p[i] == '}' || (p[i] == '{' && field_mask(p, i, end) == 0))
			return false;
		else
			for (i++; i < end && p[i] == REST;)
				i++;
	}
	*masked = (struct str){ p + *at, end - *at };
	return true;
}

/* --- windows --- */

struct windows {
	const struct renames *r;
	struct arena *arena;
	struct str text;
	struct str least;    /* name of a member or possible member, or p == NULL */
	bool possible, unknown;
};

static size_t part_end(struct str s, size_t i)
{
	if (i >= s.n || s.p[i] != FIELD)
		return sql_part_end(s, i);
	for (i++; i < s.n && s.p[i] == REST;)
		i++;
	return i;
}

static void least_take(struct windows *w, struct str name)
{
	if (w->least.p == NULL || str_cmp(name, w->least) < 0)
		w->least = name;
}

/* The name as people see it, and its parts. */
static struct str window_name(const struct windows *w, const struct splice *part, size_t n, struct str *canonical,
                              size_t *fields)
{
	struct buf b = { 0 };
	struct str out;

	*fields = 0;
	for (size_t i = 0; i < n; i++) {
		struct str text = str_sub(w->text, part[i].at, part[i].end);
		bool field = str_find_char(text, FIELD, 0) >= 0;

		canonical[i] = field ? STR_NONE : table_canonical(w->arena, text);
		*fields += field;
		buf_addf(&b, "%s%.*s", i != 0 ? "." : "", STR_ARG(field ? STR("{...}") : text));
	}
	out = buf_take(&b, w->arena);
	buf_release(&b);
	return out;
}

static void window_judge(struct windows *w, const struct splice *part, size_t n)
{
	struct str canonical[3], name;
	size_t fields;

	name = window_name(w, part, n, canonical, &fields);
	if (fields == 0 && renames_match(w->r, w->arena, name)) {
		least_take(w, name);
	} else if (fields == 1 && renames_may_match(w->r, canonical, n)) {
		w->possible = true;
		least_take(w, name);
	}
	w->unknown = w->unknown || fields > 1;
}

/* Every window of 3 and 2 parts in every run of dotted parts. */
static void windows_judge(struct windows *w)
{
	size_t i = 0;

	while (i < w->text.n) {
		struct splices run = { 0 };
		size_t end;

		for (; (end = part_end(w->text, i)) > i; i = sql_dot_end(w->text, end)) {
			splices_add(&run, w->arena, i, end, STR_NONE);
			if (sql_dot_end(w->text, end) == end) {
				i = end;
				break;
			}
		}
		for (size_t n = 3; n >= 2; n--)
			for (size_t k = 0; k + n <= run.n; k++)
				window_judge(w, run.p + k, n);
		i += run.n == 0;
	}
}

enum fstring_verdict fstring_judge(const struct renames *r, struct arena *a, struct str source, struct splices *out,
                                   struct str *name)
{
	struct windows w = { .r = r, .arena = a };
	size_t at;
	bool splits = body_mask(a, source, &at, &w.text);

	if (!splits)
		w.text = source;
	windows_judge(&w);
	*name = w.least;
	if (!splits)
		return w.least.p != NULL ? FSTRING_MISSED : FSTRING_NOTHING;
	if (w.possible || sql_hides(w.text, FIELD))
		return w.least.p != NULL ? FSTRING_MISSED : w.unknown ? FSTRING_UNKNOWN : FSTRING_NOTHING;
	sql_renames(r, a, w.text, out);
	for (size_t i = 0; i < out->n; i++) {
		out->p[i].at += at;
		out->p[i].end += at;
	}
	return out->n != 0 ? FSTRING_RENAMED : w.unknown ? FSTRING_UNKNOWN : FSTRING_NOTHING;
}
