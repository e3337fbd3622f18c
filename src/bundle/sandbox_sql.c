/*
 * sandbox_sql.c - members of R in SQL text (spec/bundle.md, section 10, Sites in SQL text).
 *
 * The text may be any dialect and need not parse: names are looked for everywhere but in
 * literals and comments. A literal that names a table, the first argument of table_changes or identifier, is
 * looked into.
 */
#include "bundle/sandbox_rename.h"

#include "base/utf8.h"

static bool is_word(char c)
{
	return ascii_is_word(c) || (c & 0x80) != 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t blanks_end(struct str s, size_t i)
{
	while (i < s.n && is_blank(s.p[i]))
		i++;
	return i;
}

/* Offset behind the last byte before `i` that is not blank. */
static size_t blanks_begin(struct str s, size_t i)
{
	while (i > 0 && is_blank(s.p[i - 1]))
		i--;
	return i;
}

size_t sql_part_end(struct str s, size_t i)
{
	if (i < s.n && s.p[i] == '`') {
		ptrdiff_t close = str_find_char(s, '`', i + 1);

		return close > (ptrdiff_t)i + 1 ? (size_t)close + 1 : i;
	}
	while (i < s.n && is_word(s.p[i]))
		i++;
	return i;
}

size_t sql_dot_end(struct str s, size_t i)
{
	size_t dot = blanks_end(s, i);

	return dot < s.n && s.p[dot] == '.' ? blanks_end(s, dot + 1) : i;
}

/* --- literals and comments --- */

/* One that never ends goes to the end of the text, and *closed becomes false. */
static size_t literal_end(struct str s, size_t i, bool *closed)
{
	for (i++; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '\'' && i + 1 < s.n && s.p[i + 1] == '\'')
			i++;
		else if (s.p[i] == '\'')
			return i + 1;
	}
	*closed = false;
	return s.n;
}

static size_t found_end(struct str s, struct str needle, size_t from, bool *closed)
{
	ptrdiff_t at = str_find(s, needle, from);

	*closed = at >= 0;
	return at < 0 ? s.n : (size_t)at + needle.n;
}

/* End of the literal or comment at `i`; `i` when none begins there. */
static size_t hidden_end(struct str s, size_t i, bool *closed)
{
	bool line_ends;

	*closed = true;
	if (s.p[i] == '\'')
		return literal_end(s, i, closed);
	if (str_starts(str_skip(s, i), STR("--")))
		return found_end(s, STR("\n"), i, &line_ends);
	return str_starts(str_skip(s, i), STR("/*")) ? found_end(s, STR("*/"), i + 2, closed) : i;
}

bool sql_hides(struct str s, char mark)
{
	size_t i = 0, end;
	bool closed;

	while (i < s.n) {
		end = s.p[i] == '`' ? i : hidden_end(s, i, &closed);
		if (str_find_char(str_sub(s, i, end), mark, 0) >= 0)
			return true;
		i = end > i ? end : sql_part_end(s, i) > i ? sql_part_end(s, i) : i + 1;
	}
	return false;
}

/* Is the literal at [i, end) the first argument of a function that takes a table's name as text? */
static bool literal_is_name(struct str s, size_t i, size_t end)
{
	size_t open = blanks_begin(s, i), name, begin, after = blanks_end(s, end);
	struct str word;

	if (open == 0 || s.p[open - 1] != '(' || after >= s.n || (s.p[after] != ',' && s.p[after] != ')'))
		return false;
	name = begin = blanks_begin(s, open - 1);
	while (begin > 0 && is_word(s.p[begin - 1]))
		begin--;
	word = str_sub(s, begin, name);
	if (begin > 0 && s.p[begin - 1] == '.')
		return false;
	return str_is_nocase(word, "table_changes") || str_is_nocase(word, "identifier");
}

/* --- names --- */

/* Can a name begin at `i`? Not behind a dot: then it is the rest of a longer one. */
static bool name_starts(struct str s, size_t i)
{
	char before = i > 0 ? s.p[i - 1] : ' ';
	size_t last = blanks_begin(s, i);

	return !is_word(before) && before != '$' && before != '`' && (last == 0 || s.p[last - 1] != '.');
}

static bool name_ends(struct str s, size_t i)
{
	return i >= s.n || (!is_word(s.p[i]) && s.p[i] != '$' && s.p[i] != '`');
}

/* The longest member at `i`; its end, or `i` when there is none. */
static size_t name_rename(const struct renames *r, struct arena *a, struct str s, size_t i, struct splices *out)
{
	size_t at[3], end[3], n = 0;

	for (size_t next = i; n < 3; n++) {
		at[n] = next;
		end[n] = sql_part_end(s, next);
		if (end[n] == next)
			break;
		next = sql_dot_end(s, end[n]);
		if (next == end[n]) {
			n++;
			break;
		}
	}
	for (; n >= 2; n--) {
		struct str name = str_sub(s, i, end[n - 1]);

		if (!name_ends(s, end[n - 1]) || !renames_match(r, a, name))
			continue;
		splices_add(out, a, at[n - 1], end[n - 1], renames_last_part(r, a, str_sub(s, at[n - 1], end[n - 1])));
		out->p[out->n - 1].name = name;
		return end[n - 1];
	}
	return i;
}

/* One step at `i`, which is code: behind the member or the part that begins there. */
static size_t code_step(const struct renames *r, struct arena *a, struct str s, size_t i, struct splices *out)
{
	size_t end = name_starts(s, i) ? name_rename(r, a, s, i, out) : i;

	if (end == i)
		end = sql_part_end(s, i);
	return end > i ? end : i + 1;
}

void sql_renames(const struct renames *r, struct arena *a, struct str s, struct splices *out)
{
	size_t i = 0;

	while (i < s.n) {
		bool closed;
		size_t end = hidden_end(s, i, &closed);

		/* A quote that nothing closes, such as one between double quotes, hides nothing. */
		if (end == i || !closed) {
			i = code_step(r, a, s, i, out);
			continue;
		}
		if (s.p[i] == '\'' && literal_is_name(s, i, end))
			for (i++; i + 1 < end;)
				i = code_step(r, a, s, i, out);
		i = end;
	}
}
