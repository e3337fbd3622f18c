/* repr.c - values as Python's str() and repr() spell them. */
#include "base/utf8.h"
#include "yaml/scalar.h"

static void add_escape(struct buf *b, uint32_t c)
{
	switch (c) {
	case '\n': buf_adds(b, "\\n"); return;
	case '\r': buf_adds(b, "\\r"); return;
	case '\t': buf_adds(b, "\\t"); return;
	default: buf_addf(b, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
	}
}

void buf_add_str_repr(struct buf *b, struct str s)
{
	char quote = str_find_char(s, '\'', 0) >= 0 && str_find_char(s, '"', 0) < 0 ? '"' : '\'';

	buf_addc(b, quote);
	for (size_t i = 0; i < s.n;) {
		size_t from = i;
		uint32_t c = utf8_next(s, &i);

		if (c == (unsigned char)quote || c == '\\')
			buf_addc(b, '\\');
		if (ucs_is_print(c))
			buf_add(b, str_sub(s, from, i));
		else
			add_escape(b, c != UTF8_BAD ? c : (unsigned char)s.p[from]);
	}
	buf_addc(b, quote);
}

static void add_list(struct buf *b, const struct node *n)
{
	buf_addc(b, '[');
	for (size_t i = 0; i < n->list.n; i++) {
		if (i != 0)
			buf_adds(b, ", ");
		buf_add_repr(b, n->list.item[i]);
	}
	buf_addc(b, ']');
}

static void add_map(struct buf *b, const struct node *n)
{
	buf_addc(b, '{');
	for (size_t i = 0; i < n->map.n; i++) {
		if (i != 0)
			buf_adds(b, ", ");
		buf_add_repr(b, n->map.pair[i].key);
		buf_adds(b, ": ");
		buf_add_repr(b, n->map.pair[i].value);
	}
	buf_addc(b, '}');
}

void buf_add_repr(struct buf *b, const struct node *n)
{
	if (n == NULL) {
		buf_adds(b, "None");
		return;
	}
	switch (n->kind) {
	case NODE_STR: buf_add_str_repr(b, n->text); break;
	case NODE_DATE:
	case NODE_TIMESTAMP: buf_add_time_repr(b, n); break;
	case NODE_LIST: add_list(b, n); break;
	case NODE_MAP: add_map(b, n); break;
	default: buf_add(b, n->text);
	}
}

struct str node_repr(struct arena *a, const struct node *n)
{
	struct buf b = { 0 };
	struct str s;

	buf_add_repr(&b, n);
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}

struct str node_text(struct arena *a, const struct node *n)
{
	if (n == NULL)
		return STR("None");
	return n->kind == NODE_LIST || n->kind == NODE_MAP ? node_repr(a, n) : n->text;
}
