#include "law/text.h"

struct line {
	size_t at, end; /* end: behind the line break */
};

static struct line line_any(struct edits *e, struct str s)
{
	size_t n = str_count_char(s, '\n') + 1, k = edits_random(e, (unsigned)n), at = 0;
	ptrdiff_t end;

	while (k-- > 0)
		at = (size_t)str_find_char(s, '\n', at) + 1;
	end = str_find_char(s, '\n', at);
	return (struct line){ at, end < 0 ? s.n : (size_t)end + 1 };
}

static struct str spliced(struct edits *e, struct str s, size_t at, size_t end, struct str with)
{
	return str_cat(&e->arena, str_cat(&e->arena, str_sub(s, 0, at), with), str_skip(s, end));
}

static struct str line_delete(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);

	return spliced(e, s, l.at, l.end, STR(""));
}

static struct str line_double(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);

	return spliced(e, s, l.at, l.at, str_sub(s, l.at, l.end));
}

static struct str comment_above(struct edits *e, struct str s)
{
	return str_cat(&e->arena, STR("# a comment\n"), s);
}

static struct str comment_below(struct edits *e, struct str s)
{
	return str_cat(&e->arena, s, STR("\n# the end\n"));
}

static struct str blank_line(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);

	return spliced(e, s, l.at, l.at, STR("\n"));
}

static bool is_name(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z');
}

struct str letter_change(struct edits *e, struct str s)
{
	char *p = (char *)(uintptr_t)str_dup(&e->arena, s).p;

	for (int tries = 0; tries < 50 && s.n != 0; tries++) {
		size_t at = edits_random(e, (unsigned)s.n);

		if (!is_name(p[at]))
			continue;
		p[at] = (char)('a' + edits_random(e, 26));
		break;
	}
	return (struct str){ p, s.n };
}

static struct str value_change(struct edits *e, struct str s)
{
	for (int tries = 0; tries < 20; tries++) {
		struct line l = line_any(e, s);
		size_t at = l.end - (l.end > l.at && s.p[l.end - 1] == '\n');

		if (str_find(str_sub(s, 0, l.end), STR(": "), l.at) >= 0)
			return spliced(e, s, at, at, edits_random(e, 2) ? STR("x") : STR(" # note"));
	}
	return s;
}

static struct str truncated(struct edits *e, struct str s)
{
	return str_sub(s, 0, edits_random(e, (unsigned)s.n + 1));
}

static struct str crlf(struct edits *e, struct str s)
{
	return str_has(s, STR("\r\n")) ? str_replace(&e->arena, s, STR("\r\n"), STR("\n"))
	                               : str_replace(&e->arena, s, STR("\n"), STR("\r\n"));
}

/* As an editor leaves it in the middle of a word. */
static struct str tail_cut(struct edits *e, struct str s)
{
	(void)e;
	return str_sub(s, 0, s.n - (s.n != 0));
}

static struct str number_change(struct edits *e, struct str s)
{
	char *p = (char *)(uintptr_t)str_dup(&e->arena, s).p;

	for (size_t i = 0; i < s.n; i++)
		if (p[i] >= '0' && p[i] <= '9') {
			p[i] = (char)('0' + edits_random(e, 10));
			break;
		}
	return (struct str){ p, s.n };
}

/* A line of any other file. */
static struct str line_borrow(struct edits *e, struct str s)
{
	struct line to = line_any(e, s), from;
	struct str other = edits_any_text(e);

	from = line_any(e, other);
	return spliced(e, s, to.at, to.at, str_sub(other, from.at, from.end));
}

/* The lines of one key, moved to the end: another order of the same keys. */
static struct str block_move(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);
	size_t end = l.end;

	while (end < s.n && (s.p[end] == ' ' || s.p[end] == '-'))
		end = (size_t)(str_find_char(s, '\n', end) < 0 ? (ptrdiff_t)s.n : str_find_char(s, '\n', end) + 1);
	return str_cat(&e->arena, spliced(e, s, l.at, end, STR("")), str_sub(s, l.at, end));
}

static struct str emptied(struct edits *e, struct str s)
{
	(void)e;
	(void)s;
	return STR("");
}

static const struct text_edit table[] = {
	{ "delete a line of", line_delete },     { "double a line of", line_double },   { "put a comment above", comment_above },
	{ "put a comment below", comment_below }, { "put a blank line into", blank_line }, { "change a letter of", letter_change },
	{ "change a letter of", letter_change },  { "change a value of", value_change },  { "change a value of", value_change },
	{ "cut the tail of", tail_cut },         { "change a number of", number_change }, { "move a block of", block_move },
	{ "truncate", truncated },               { "flip line ends of", crlf },          { "empty", emptied },
	{ "borrow a line for", line_borrow },     { "borrow a line for", line_borrow },
};

const struct text_edit *text_edit_any(struct edits *e)
{
	return &table[edits_random(e, sizeof table / sizeof *table)];
}
