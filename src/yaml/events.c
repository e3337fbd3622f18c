#include "yaml/events.h"
#include "base/utf8.h"

#include <stdlib.h>

struct mark events_mark(const struct events *ev, yaml_mark_t m)
{
	return (struct mark){ ev->file, (uint32_t)m.line + 1, (uint32_t)m.column + 1 };
}

/* --- what libyaml takes and PyYAML does not: tabs outside of texts and comments --- */

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

static struct mark mark_at_byte(const struct events *ev, size_t at)
{
	struct mark m = { ev->file, 1, 1 };
	size_t line = 0;

	for (size_t i = 0; i < at; i++)
		if (ev->bytes.p[i] == '\n' || (ev->bytes.p[i] == '\r' && (i + 1 >= ev->bytes.n || ev->bytes.p[i + 1] != '\n'))) {
			m.line++;
			line = i + 1;
		}
	m.col = (uint32_t)utf8_len(str_sub(ev->bytes, line, at)) + 1;
	return m;
}

static bool tabs_check(struct events *ev, const yaml_event_t *e)
{
	size_t from = ev->tabs.at, start = byte_of(ev, e->start_mark.index), end, tab;

	ev->tabs.at = start;
	tab = tab_find(ev->bytes, from, start);
	ev->tabs.at = end = byte_of(ev, e->end_mark.index);
	if (tab == start) {
		if (e->type != YAML_SCALAR_EVENT)
			return true;
		if (e->data.scalar.style == YAML_LITERAL_SCALAR_STYLE || e->data.scalar.style == YAML_FOLDED_SCALAR_STYLE) {
			ptrdiff_t line = str_find_char(ev->bytes, '\n', start); /* only its head line */

			end = line >= 0 && (size_t)line < end ? (size_t)line : end;
		} else if (e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) {
			return true;
		}
		tab = tab_find(ev->bytes, start, end);
		if (tab == end)
			return true;
	}
	tree_fault(ev->tree, YAML_SYNTAX, mark_at_byte(ev, tab),
	      "found a tab where only blanks may stand; use blanks, or put a text with tabs in quotes");
	return false;
}

/* --- faults of libyaml --- */

static void parser_fault(struct events *ev)
{
	yaml_parser_t *p = &ev->parser;
	struct mark at = events_mark(ev, p->problem_mark);
	size_t byte;

	if (p->error == YAML_MEMORY_ERROR)
		abort();
	if (p->error == YAML_READER_ERROR) {
		tree_fault(ev->tree, YAML_SYNTAX, mark_at_byte(ev, p->problem_offset), "found the character U+%04X, which is not allowed in YAML",
		      (unsigned)p->problem_value);
		return;
	}
	ev->tabs.at = ev->tabs.index = 0;
	byte = byte_of(ev, p->problem_mark.index);
	if (byte < ev->bytes.n && str_is(str_of(p->problem), "found character that cannot start any token"))
		tree_fault(ev->tree, YAML_SYNTAX, at, ev->bytes.p[byte] == '\t' ? "found a tab; lines are indented with blanks only"
		      : "found '%c', which cannot begin a text; put the text in quotes", ev->bytes.p[byte]);
	else if (p->context != NULL)
		tree_fault(ev->tree, YAML_SYNTAX, at, "%s (%s that begins at line %zu, column %zu)", p->problem, p->context,
		      p->context_mark.line + 1, p->context_mark.column + 1);
	else
		tree_fault(ev->tree, YAML_SYNTAX, at, "%s", p->problem);
}

bool events_next(struct events *ev, yaml_event_t *e)
{
	if (!yaml_parser_parse(&ev->parser, e)) {
		parser_fault(ev);
		return false;
	}
	if (ev->tabs.on && !tabs_check(ev, e)) {
		yaml_event_delete(e);
		return false;
	}
	return true;
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
	if (!yaml_parser_initialize(&ev->parser))
		abort();
	yaml_parser_set_encoding(&ev->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&ev->parser, (const unsigned char *)bytes.p, bytes.n);
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
}
