/*
 * writer.c - the dump, step by step as PyYAML's emitter decides it.
 *
 * Where lines break depends on the emitter's state (column, whether the last byte
 * was white space or indentation), so that state is kept here under the same names.
 */
#include "yaml/writer.h"
#include "base/utf8.h"
#include "yaml/scalar.h"

#include <stdio.h>

enum { WIDTH = 80, INDENT = 2, NO_INDENT = -1 };
enum { SIMPLE_KEY_END = 128 - sizeof "!!str" + 1 }; /* the emitter counts the tag that it does not write */

struct writer {
	struct buf *out;
	size_t column;
	int indent;      /* of the collection around; NO_INDENT at the root */
	bool whitespace; /* the last thing written was white space */
	bool indention;  /* the line so far is indentation and indicators */
};

enum context { IN_ROOT, IN_LIST, IN_MAP, IN_SIMPLE_KEY };

static void put(struct writer *w, struct str s) /* ASCII */
{
	buf_add(w->out, s);
	w->column += s.n;
}

static void line_break(struct writer *w)
{
	buf_addc(w->out, '\n');
	w->column = 0;
	w->whitespace = w->indention = true;
}

static void indent_line(struct writer *w)
{
	size_t indent = w->indent > 0 ? (size_t)w->indent : 0;

	if (!w->indention || w->column > indent || (w->column == indent && !w->whitespace))
		line_break(w);
	if (w->column < indent) {
		w->whitespace = true;
		buf_add_repeat(w->out, ' ', indent - w->column);
		w->column = indent;
	}
}

/* `spaced`: a blank must stand before it; `indention`: it may begin a line's nested collection. */
static void indicator(struct writer *w, struct str s, bool spaced, bool indention)
{
	if (spaced && !w->whitespace)
		put(w, STR(" "));
	put(w, s);
	w->whitespace = false;
	w->indention = w->indention && indention;
}

/* --- what a text allows --- */

struct analysis {
	bool multiline;
	bool plain, single; /* allowed styles; double quotes always are */
};

/* Other white space needs double quotes anyway. */
static bool is_space_or_end(struct str s, size_t i)
{
	return i >= s.n || s.p[i] == ' ' || s.p[i] == '\n';
}

static bool begins_indicator(struct str s)
{
	if (str_starts(s, STR("---")) || str_starts(s, STR("...")))
		return true;
	if (memchr("#,[]{}&*!|>'\"%@`", s.p[0], 16) != NULL)
		return true;
	return (s.p[0] == '?' || s.p[0] == ':' || s.p[0] == '-') && is_space_or_end(s, 1);
}

static bool holds_indicator(struct str s)
{
	for (size_t i = 1; i < s.n; i++)
		if ((s.p[i] == ':' && is_space_or_end(s, i + 1)) || (s.p[i] == '#' && is_space_or_end(s, i - 1)))
			return true;
	return false;
}

bool yaml_is_structure(struct str s)
{
	return s.n != 0 && (begins_indicator(s) || holds_indicator(s) || str_find_char(s, '\n', 0) >= 0);
}

static struct analysis analyze(struct str s)
{
	struct analysis a = { .plain = true, .single = true };

	if (s.n == 0)
		return (struct analysis){ .single = true };
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i], next = i + 1 < s.n ? s.p[i + 1] : 'x';

		a.multiline = a.multiline || c == '\n';
		if (c != '\n' && (c < 0x20 || c > 0x7E)) /* also every byte of a non-ASCII character */
			a.single = false;
		if ((c == ' ' && next == '\n') || (c == '\n' && next == ' '))
			a.single = false;
	}
	if (!a.single || a.multiline || s.p[0] == ' ' || s.p[s.n - 1] == ' ' || begins_indicator(s) || holds_indicator(s) ||
	    scalar_resolve(s) != SCALAR_STR)
		a.plain = false;
	return a;
}

/* --- the three styles --- */

/* A run of blanks [from, to): one alone may become a line break. */
static void put_blanks(struct writer *w, struct str s, size_t from, size_t to, bool may_break)
{
	if (may_break && from + 1 == to && w->column > WIDTH) {
		indent_line(w);
		w->whitespace = w->indention = false;
	} else {
		put(w, str_sub(s, from, to));
	}
}

static size_t run_end(struct str s, size_t i, const char *stop)
{
	while (i < s.n && strchr(stop, s.p[i]) == NULL)
		i++;
	return i;
}

static size_t run_of(struct str s, size_t i, char c)
{
	while (i < s.n && s.p[i] == c)
		i++;
	return i;
}

static void put_plain(struct writer *w, struct str s, bool split)
{
	if (!w->whitespace)
		put(w, STR(" "));
	w->whitespace = w->indention = false;
	for (size_t i = 0, end; i < s.n; i = end) {
		if (s.p[i] == ' ') {
			end = run_of(s, i, ' ');
			put_blanks(w, s, i, end, split);
		} else {
			end = run_end(s, i, " ");
			put(w, str_sub(s, i, end));
		}
	}
}

static void put_single_quoted(struct writer *w, struct str s, bool split)
{
	indicator(w, STR("'"), true, false);
	for (size_t i = 0, end; i < s.n; i = end) {
		if (s.p[i] == ' ') {
			end = run_of(s, i, ' ');
			put_blanks(w, s, i, end, split && i != 0 && end != s.n);
		} else if (s.p[i] == '\n') {
			end = run_of(s, i, '\n');
			for (size_t k = i; k <= end; k++) /* n breaks are n + 1 line ends */
				line_break(w);
			indent_line(w);
		} else if (s.p[i] == '\'') {
			end = i + 1;
			put(w, STR("''"));
		} else {
			end = run_end(s, i, " \n'");
			put(w, str_sub(s, i, end));
		}
	}
	indicator(w, STR("'"), false, false);
}

static struct str escape_of(uint32_t c, char out[12])
{
	static const struct {
		uint32_t c;
		char letter;
	} short_form[] = {
		{ '\0', '0' }, { '\a', 'a' }, { '\b', 'b' }, { '\t', 't' },  { '\n', 'n' }, { '\v', 'v' },   { '\f', 'f' },   { '\r', 'r' },
		{ 0x1B, 'e' }, { '"', '"' },  { '\\', '\\' }, { 0x85, 'N' }, { 0xA0, '_' }, { 0x2028, 'L' }, { 0x2029, 'P' },
	};
	int n = 0;

	for (size_t i = 0; i < sizeof short_form / sizeof *short_form; i++)
		if (short_form[i].c == c)
			n = sprintf(out, "\\%c", short_form[i].letter);
	if (n == 0)
		n = sprintf(out, c <= 0xFF ? "\\x%02X" : c <= 0xFFFF ? "\\u%04X" : "\\U%08X", c);
	return (struct str){ out, (size_t)n };
}

static void put_double_quoted(struct writer *w, struct str s, bool split)
{
	size_t start = 0; /* [start, i) is still to be written */

	indicator(w, STR("\""), true, false);
	for (size_t i = 0, end = 0; i < s.n; i = end) {
		uint32_t c = utf8_next(s, &end);
		char escape[12];
		size_t reach;

		if (c == '"' || c == '\\' || c < 0x20 || c > 0x7E) {
			put(w, str_sub(s, start, i));
			put(w, escape_of(c, escape));
			start = end;
		}
		reach = start > i ? w->column - 1 : w->column + (i - start);
		if (!split || i == 0 || end == s.n || reach <= WIDTH || (c != ' ' && start < i))
			continue;
		put(w, str_sub(s, start, i));
		put(w, STR("\\"));
		start = start < i ? i : start;
		indent_line(w);
		w->whitespace = w->indention = false;
		if (s.p[start] == ' ')
			put(w, STR("\\"));
	}
	put(w, str_sub(s, start, s.n));
	indicator(w, STR("\""), false, false);
}

/* --- nodes --- */

static void put_text(struct writer *w, struct str s, enum context in)
{
	struct analysis a = analyze(s);
	bool split = in != IN_SIMPLE_KEY;

	if (a.plain)
		put_plain(w, s, split);
	else if (a.single)
		put_single_quoted(w, s, split);
	else
		put_double_quoted(w, s, split);
}

static void put_float(struct writer *w, const struct node *n)
{
	struct str s = n->text;
	ptrdiff_t e = str_find_char(s, 'e', 0);

	if (str_is(s, "nan") || str_is(s, "inf") || str_is(s, "-inf")) {
		put_plain(w, str_is(s, "nan") ? STR(".nan") : str_is(s, "inf") ? STR(".inf") : STR("-.inf"), false);
		return;
	}
	if (e < 0 || str_find_char(s, '.', 0) >= 0) {
		put_plain(w, s, false);
		return;
	}
	put_plain(w, str_sub(s, 0, (size_t)e), false);
	put(w, STR(".0"));
	put(w, str_skip(s, (size_t)e));
}

static void put_scalar(struct writer *w, const struct node *n, enum context in)
{
	int outer = w->indent;

	w->indent = outer == NO_INDENT ? INDENT : outer + INDENT;
	switch (n->kind) {
	case NODE_NULL: put_plain(w, STR("null"), false); break;
	case NODE_BOOL: put_plain(w, n->boolean ? STR("true") : STR("false"), false); break;
	case NODE_FLOAT: put_float(w, n); break;
	case NODE_STR: put_text(w, n->text, in); break;
	default: put_plain(w, n->text, in != IN_SIMPLE_KEY); break;
	}
	w->indent = outer;
}

static void put_node(struct writer *w, const struct node *n, enum context in);

static void put_list(struct writer *w, const struct node *n, enum context in)
{
	int outer = w->indent;

	if (outer == NO_INDENT)
		w->indent = 0;
	else if (in != IN_MAP || w->indention) /* the dashes of a key's list stand below the key */
		w->indent += INDENT;
	for (size_t i = 0; i < n->list.n; i++) {
		indent_line(w);
		indicator(w, STR("-"), true, true);
		put_node(w, n->list.item[i], IN_LIST);
	}
	w->indent = outer;
}

static bool is_simple_key(const struct node *key)
{
	if (key->kind == NODE_STR && (key->text.n == 0 || str_find_char(key->text, '\n', 0) >= 0))
		return false;
	return utf8_len(key->text) < SIMPLE_KEY_END;
}

static void put_map(struct writer *w, const struct node *n)
{
	int outer = w->indent;

	w->indent = outer == NO_INDENT ? 0 : outer + INDENT;
	for (size_t i = 0; i < n->map.n; i++) {
		const struct node_pair *p = &n->map.pair[i];

		indent_line(w);
		if (is_simple_key(p->key)) {
			put_node(w, p->key, IN_SIMPLE_KEY);
			indicator(w, STR(":"), false, false);
		} else {
			indicator(w, STR("?"), true, true);
			put_node(w, p->key, IN_MAP);
			indent_line(w);
			indicator(w, STR(":"), true, true);
		}
		put_node(w, p->value, IN_MAP);
	}
	w->indent = outer;
}

static void put_node(struct writer *w, const struct node *n, enum context in)
{
	if (n == NULL)
		put_plain(w, STR("null"), false);
	else if (node_len(n) == 0 && (n->kind == NODE_LIST || n->kind == NODE_MAP))
		indicator(w, n->kind == NODE_LIST ? STR("[]") : STR("{}"), true, false);
	else if (n->kind == NODE_LIST)
		put_list(w, n, in);
	else if (n->kind == NODE_MAP)
		put_map(w, n);
	else
		put_scalar(w, n, in);
}

void yaml_dump(struct buf *b, const struct node *n)
{
	struct writer w = { .out = b, .indent = NO_INDENT, .whitespace = true, .indention = true };

	put_node(&w, n, IN_ROOT);
}

void yaml_dump_indented(struct buf *b, const struct node *n, size_t indent)
{
	struct buf plain = { 0 };
	struct str rest, line;

	yaml_dump(&plain, n);
	rest = buf_str(&plain);
	for (bool first = true; str_cut(&rest, '\n', &line); first = false) {
		if (!first)
			buf_addc(b, '\n');
		if (!first && line.n != 0)
			buf_add_repeat(b, ' ', indent);
		buf_add(b, line);
	}
	buf_release(&plain);
}

void yaml_quoted(struct buf *b, struct str s)
{
	buf_addc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\n') {
			buf_adds(b, "\\n");
			continue;
		}
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, s.p[i]);
	}
	buf_addc(b, '"');
}
