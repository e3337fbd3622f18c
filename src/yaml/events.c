#include "yaml/events.h"
#include "base/utf8.h"

#include <stdlib.h>

/* The place in the file as it was before repairs, each of which put one character in. */
static struct mark mark_original(const struct events *ev, struct mark m)
{
	uint32_t before = 0;

	for (size_t i = 0; i < ev->repairs.n; i++)
		before += ev->repairs.p[i].line == m.line && ev->repairs.p[i].col < m.col;
	m.col -= before;
	return m;
}

struct mark events_mark(const struct events *ev, yaml_mark_t m)
{
	struct mark at = { ev->file, (uint32_t)m.line + 1, (uint32_t)m.column + 1 };

	return ev->repairs.n != 0 ? mark_original(ev, at) : at;
}

/* libyaml counts characters: in a file with others than ASCII the value is missed, never mistaken. */
struct str events_literal(const struct events *ev, const yaml_event_t *e)
{
	struct str value = { (const char *)e->data.scalar.value, e->data.scalar.length }, there;
	size_t at = e->start_mark.index;

	if (e->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE || e->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE)
		at++;
	there = str_sub(ev->bytes, at, at + value.n);
	return ev->repaired.n == 0 && str_eq(there, value) ? there : STR_NONE;
}

/* Behind the line break at `i`, or `i` when there is none. */
static size_t line_break_skip(struct str s, size_t i)
{
	static const struct str breaks[] = { STR_INIT("\r\n"), STR_INIT("\n"),           STR_INIT("\r"),
		                             STR_INIT("\xC2\x85"), STR_INIT("\xE2\x80\xA8"), STR_INIT("\xE2\x80\xA9") };

	for (size_t k = 0; k < sizeof breaks / sizeof *breaks; k++)
		if (str_starts(str_skip(s, i), breaks[k]))
			return i + breaks[k].n;
	return i;
}

static struct mark mark_at_byte(const struct events *ev, size_t at)
{
	struct mark m = { ev->file, 1, 1 };
	size_t line = 0;

	for (size_t i = 0, next; i < at; i = next) {
		next = line_break_skip(ev->bytes, i);
		if (next != i) {
			m.line++;
			line = next;
		} else {
			next++;
		}
	}
	m.col = line < at ? (uint32_t)utf8_len(str_sub(ev->bytes, line, at)) + 1 : 1;
	return mark_original(ev, m);
}

/* --- what libyaml takes and PyYAML does not: tabs outside of texts and comments, '?' in flow --- */

/* Byte offset of character `index`, which never goes back. */
static size_t byte_of(struct events *ev, size_t index)
{
	size_t at = ev->tabs.at;

	for (; ev->tabs.index < index && at < ev->bytes.n; ev->tabs.index++)
		for (at++; at < ev->bytes.n && ((unsigned char)ev->bytes.p[at] & 0xC0) == 0x80;)
			at++;
	return at;
}

/* Offset of the first tab that is in no comment, or `to`. */
static size_t tab_find(struct str s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (s.p[i] == '\t')
			return i;
		if (s.p[i] == '#')
			while (i + 1 < to && s.p[i + 1] != '\n' && s.p[i + 1] != '\r')
				i++;
	}
	return to;
}

/* The same inside of a scalar [from, to): quotes and the lines of a block may hold tabs. */
static size_t scalar_tab_find(struct str s, yaml_scalar_style_t style, size_t from, size_t to)
{
	ptrdiff_t hit;

	if (style == YAML_PLAIN_SCALAR_STYLE) {
		hit = str_find_char(str_sub(s, 0, to), '\t', from);
		return hit >= 0 ? (size_t)hit : to;
	}
	if (style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE) {
		size_t head = from, tab;

		while (head < to && s.p[head] != '\n' && s.p[head] != '\r')
			head++;
		tab = tab_find(s, from, head);
		return tab < head ? tab : to;
	}
	return to;
}

static bool tabs_check(struct events *ev, const yaml_event_t *e)
{
	size_t from = ev->tabs.at, start = byte_of(ev, e->start_mark.index), end, tab;

	ev->tabs.at = start;
	tab = tab_find(ev->bytes, from, start);
	ev->tabs.at = end = byte_of(ev, e->end_mark.index);
	if (tab == start) {
		tab = e->type == YAML_SCALAR_EVENT ? scalar_tab_find(ev->bytes, e->data.scalar.style, start, end) : end;
		if (tab == end)
			return true;
	}
	tree_fault(ev->tree, YAML_SYNTAX, mark_at_byte(ev, tab),
	      "found a tab where only blanks may stand; use blanks, or put a text with tabs in quotes");
	return false;
}

/* In flow context PyYAML takes every '?' for the mark of a key. */
static bool flow_check(struct events *ev, const yaml_event_t *e)
{
	bool flow = ev->flow != 0;

	switch (e->type) {
	case YAML_SEQUENCE_START_EVENT:
		ev->flow += flow || e->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
		return true;
	case YAML_MAPPING_START_EVENT:
		ev->flow += flow || e->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
		return true;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		ev->flow -= flow;
		return true;
	case YAML_SCALAR_EVENT:
		if (!flow || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
		    memchr(e->data.scalar.value, '?', e->data.scalar.length) == NULL)
			return true;
		tree_fault(ev->tree, YAML_SYNTAX, events_mark(ev, e->start_mark),
		           "found a '?' in a text between brackets or braces; put the text in quotes");
		return false;
	default: return true;
	}
}

/*
 * --- what PyYAML takes and libyaml does not ---
 *
 * Repaired by putting one character in and reading again:
 *   {a:, b}      a blank behind the colon
 *   x: |<break>  the indentation digit that libyaml does not find for a first
 *     <tab>y     line that begins with a tab
 */

enum { MAX_REPAIRS = 100 }; /* each costs reading the file once */

static size_t byte_from_start(struct events *ev, size_t index)
{
	ev->tabs.at = ev->tabs.index = 0;
	return byte_of(ev, index);
}

static void repair(struct events *ev, size_t at, char c)
{
	struct mark m = mark_at_byte(ev, at);
	struct buf fixed = { 0 };

	for (size_t i = 0; i < ev->repairs.n; i++)
		m.col += ev->repairs.p[i].line == m.line; /* back to the text as it is now */
	*VEC_PUSH(&ev->repairs, ev->tree->arena) = m;
	buf_add(&fixed, str_sub(ev->bytes, 0, at));
	buf_addc(&fixed, c);
	buf_add(&fixed, str_skip(ev->bytes, at));
	buf_release(&ev->repaired);
	ev->repaired = fixed;
	ev->bytes = buf_str(&fixed);
}

/* The digit that the block scalar at byte `head` needs for a first line of `blanks` blanks, or 0. */
static int indentation_digit(const struct events *ev, size_t head, size_t blanks)
{
	size_t outer = ev->parser.indent > 0 ? (size_t)ev->parser.indent : 0;
	char next = head + 1 < ev->bytes.n ? ev->bytes.p[head + 1] : '\0';
	char after = head + 2 < ev->bytes.n ? ev->bytes.p[head + 2] : '\0';

	if ((next >= '0' && next <= '9') || ((next == '+' || next == '-') && after >= '0' && after <= '9'))
		return 0;
	return blanks > outer && blanks - outer <= 9 ? (int)(blanks - outer) : 0;
}

static bool try_repair(struct events *ev)
{
	const yaml_parser_t *p = &ev->parser;
	size_t head;
	int digit;

	if (p->error != YAML_SCANNER_ERROR || ev->repairs.n == MAX_REPAIRS)
		return false;
	if (strcmp(p->problem, "found unexpected ':'") == 0) {
		repair(ev, byte_from_start(ev, p->problem_mark.index) + 1, ' ');
		return true;
	}
	if (strcmp(p->problem, "found a tab character where an indentation space is expected") != 0)
		return false;
	head = byte_from_start(ev, p->context_mark.index);
	digit = indentation_digit(ev, head, p->problem_mark.column);
	if (digit != 0)
		repair(ev, head + 1, (char)('0' + digit));
	return digit != 0;
}

/* --- faults of libyaml --- */

static void parser_fault(struct events *ev)
{
	yaml_parser_t *p = &ev->parser;
	size_t byte = p->error == YAML_READER_ERROR ? p->problem_offset : byte_from_start(ev, p->problem_mark.index);
	/* libyaml puts the end of the file on a line of its own */
	struct mark at = byte < ev->bytes.n && p->error != YAML_READER_ERROR ? events_mark(ev, p->problem_mark)
	                                                                      : mark_at_byte(ev, byte);
	struct mark context = events_mark(ev, p->context_mark);

	if (p->error == YAML_MEMORY_ERROR)
		abort();
	if (p->error == YAML_READER_ERROR)
		tree_fault(ev->tree, YAML_SYNTAX, at, "found the character U+%04X, which is not allowed in YAML",
		           (unsigned)p->problem_value);
	else if (byte < ev->bytes.n && strcmp(p->problem, "found character that cannot start any token") == 0)
		tree_fault(ev->tree, YAML_SYNTAX, at,
		           ev->bytes.p[byte] == '\t' ? "found a tab; lines are indented with blanks only"
		                                     : "found '%c', which cannot begin a text; put the text in quotes",
		           ev->bytes.p[byte]);
	else if (p->context != NULL)
		tree_fault(ev->tree, YAML_SYNTAX, at, "%s (%s that begins at line %u, column %u)", p->problem, p->context,
		           context.line, context.col);
	else
		tree_fault(ev->tree, YAML_SYNTAX, at, "%s", p->problem);
}

bool events_next(struct events *ev, yaml_event_t *e)
{
	if (!yaml_parser_parse(&ev->parser, e)) {
		ev->again = try_repair(ev);
		if (!ev->again)
			parser_fault(ev);
		return false;
	}
	if (!flow_check(ev, e) || (ev->tabs.on && !tabs_check(ev, e))) {
		yaml_event_delete(e);
		return false;
	}
	return true;
}

static void parser_open(struct events *ev)
{
	if (!yaml_parser_initialize(&ev->parser))
		abort();
	yaml_parser_set_encoding(&ev->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&ev->parser, (const unsigned char *)ev->bytes.p, ev->bytes.n);
}

void events_open(struct events *ev, struct tree *t, const char *file, struct str bytes)
{
	static const struct str byte_order_mark = STR_INIT("\xEF\xBB\xBF");

	if (str_starts(bytes, byte_order_mark))
		bytes = str_skip(bytes, byte_order_mark.n);
	if (bytes.n == 0)
		bytes = STR("");
	*ev = (struct events){ .tree = t, .file = file, .bytes = bytes };
	ev->tabs.on = str_find_char(bytes, '\t', 0) >= 0;
	parser_open(ev);
}

bool events_restart(struct events *ev)
{
	if (!ev->again)
		return false;
	yaml_parser_delete(&ev->parser);
	ev->again = false;
	ev->flow = ev->tabs.at = ev->tabs.index = 0;
	parser_open(ev);
	return true;
}

bool events_check_encoding(struct events *ev)
{
	ptrdiff_t bad = utf8_invalid(ev->bytes);

	if (bad >= 0)
		tree_fault(ev->tree, YAML_NOT_UTF8, mark_at_byte(ev, (size_t)bad),
		           "the file is not UTF-8: found the byte 0x%02X", (unsigned char)ev->bytes.p[bad]);
	return bad < 0;
}

void events_close(struct events *ev)
{
	yaml_parser_delete(&ev->parser);
	buf_release(&ev->repaired);
}
