#include "python/syntax.h"

/* A line's indentation as CPython counts it: tabs as 8 and as 1; both must agree on every comparison. */
struct indent {
	size_t col, alt;
};

static size_t line_start(struct str text, size_t at)
{
	while (at > 0 && text.p[at - 1] != '\n' && text.p[at - 1] != '\r')
		at--;
	return at;
}

/* Indentation of the line of `at`; false when something else stands before it, or the line continues another. */
static bool indent_read(struct str text, size_t at, struct indent *out)
{
	size_t i = line_start(text, at);

	if (i > 1 && str_ends(str_trim_end(str_sub(text, 0, i)), STR("\\")))
		return false;
	if (i == 0 && str_starts(text, STR("\xef\xbb\xbf")))
		i = 3;
	*out = (struct indent){ 0 };
	for (; i < at; i++) {
		if (text.p[i] == ' ')
			*out = (struct indent){ out->col + 1, out->alt + 1 };
		else if (text.p[i] == '\t')
			*out = (struct indent){ (out->col / 8 + 1) * 8, out->alt + 1 };
		else if (text.p[i] == '\f')
			*out = (struct indent){ 0 };
		else
			return false;
	}
	return true;
}

static const char *first_check(const struct py_source *s, TSNode block, struct indent first)
{
	TSNode owner = ts_node_parent(block);
	struct indent outer;

	if (tree_is(block, "module"))
		return first.col == 0 ? NULL : "unexpected indentation";
	/* `else` and its like stand where their statement does. */
	if (!indent_read(s->text, ts_node_start_byte(owner), &outer))
		return NULL;
	if (first.col <= outer.col)
		return "an indented block is missing";
	return first.alt > outer.alt ? NULL : "tabs and blanks are mixed";
}

const char *layout_check_block(const struct py_source *s, TSNode n)
{
	bool have_first = false, any = false;
	struct indent first = { 0 };

	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode statement = ts_node_named_child(n, i);
		const char *problem = NULL;
		struct indent here;

		if (tree_is_filler(statement))
			continue;
		any = true;
		if (!indent_read(s->text, ts_node_start_byte(statement), &here))
			continue;
		if (!have_first)
			problem = first_check(s, n, here);
		else if (here.col != first.col || here.alt != first.alt)
			problem = "this line is indented differently from its block";
		if (problem != NULL)
			return problem;
		if (!have_first)
			first = here;
		have_first = true;
	}
	return any || tree_is(n, "module") ? NULL : "an indented block is missing";
}

const char *layout_check_gap(const struct py_source *s, size_t from, size_t to, size_t *at)
{
	struct str text = s->text;

	if (from == 0 && str_starts(text, STR("\xef\xbb\xbf")))
		from = 3;
	for (size_t i = from; i < to && i < text.n; i++) {
		*at = i;
		if (text.p[i] == '\\') {
			i += i + 2 < to && text.p[i + 1] == '\r' && text.p[i + 2] == '\n' ? 2 : 1;
			if (i >= to || (text.p[i] != '\n' && text.p[i] != '\r'))
				return "something follows a backslash at the end of a line";
		} else if (strchr(" \t\f\r\n;", text.p[i]) == NULL) {
			return "a character that Python does not know";
		}
	}
	return NULL;
}
