/* repr.c - values as Python's str() and repr() spell them. */
#include "base/utf8.h"
#include "yaml/scalar.h"

/* Blanks, format and private characters: printable to the C library, escaped by Python. */
static const struct {
	uint32_t from, to;
} escaped[] = {
	{ 0xA0, 0xA0 },       { 0xAD, 0xAD },       { 0x600, 0x605 },     { 0x61C, 0x61C },       { 0x6DD, 0x6DD },
	{ 0x70F, 0x70F },     { 0x890, 0x891 },     { 0x8E2, 0x8E2 },     { 0x1680, 0x1680 },     { 0x180E, 0x180E },
	{ 0x2000, 0x200F },   { 0x2028, 0x202F },   { 0x205F, 0x2064 },   { 0x2066, 0x206F },     { 0x3000, 0x3000 },
	{ 0xE000, 0xF8FF },   { 0xFEFF, 0xFEFF },   { 0xFFF9, 0xFFFB },   { 0x110BD, 0x110BD },   { 0x110CD, 0x110CD },
	{ 0x13430, 0x1343F }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0001, 0xE007F },   { 0xF0000, 0x10FFFF },
};

static bool is_printable(uint32_t c)
{
	if (c < 0x7F)
		return c >= 0x20;
	for (size_t i = 0; i < sizeof escaped / sizeof *escaped && c >= escaped[i].from; i++)
		if (c <= escaped[i].to)
			return false;
	return ucs_is_print(c);
}

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
		if (is_printable(c))
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
