#include "resolve/expr_ops.h"

#include "base/utf8.h"
#include "yaml/node_build.h"

#include <math.h>
#include <stdlib.h>

static const struct mark nowhere = { 0 };

static bool print_fits(struct render *r, const struct buf *b)
{
	return b->n <= EXPR_MAX_OUTPUT ? render_step(r, 1)
	                               : render_fail(r, EXPR_LIMIT, "a text longer than %d bytes", EXPR_MAX_OUTPUT);
}

static bool list_print(struct render *r, struct buf *b, const struct val *v)
{
	bool round = v->kind == VAL_TUPLE;

	buf_addc(b, round ? '(' : '[');
	for (size_t i = 0; i < v->list.n; i++) {
		if (i > 0)
			buf_adds(b, ", ");
		if (!buf_add_val_repr(r, b, v->list.p[i]))
			return false;
	}
	if (round && v->list.n == 1)
		buf_addc(b, ',');
	buf_addc(b, round ? ')' : ']');
	return true;
}

static bool map_print(struct render *r, struct buf *b, const struct val *v)
{
	buf_addc(b, '{');
	for (size_t i = 0; i < v->map.n; i++) {
		if (i > 0)
			buf_adds(b, ", ");
		if (!buf_add_val_repr(r, b, v->map.p[i].key))
			return false;
		buf_adds(b, ": ");
		if (!buf_add_val_repr(r, b, v->map.p[i].value))
			return false;
	}
	buf_addc(b, '}');
	return true;
}

static bool collection_print(struct render *r, struct buf *b, const struct val *v)
{
	bool good;

	if (!render_enter(r))
		return false;
	if (v->kind == VAL_VIEW) {
		buf_add(b, v->text);
		buf_addc(b, '(');
	}
	good = v->kind == VAL_MAP ? map_print(r, b, v) : list_print(r, b, v);
	if (v->kind == VAL_VIEW)
		buf_addc(b, ')');
	render_leave(r);
	return good;
}

static void safe_print(struct buf *b, struct str s, bool safe)
{
	if (safe)
		buf_adds(b, "Markup(");
	buf_add_str_repr(b, s);
	if (safe)
		buf_addc(b, ')');
}

bool buf_add_val_repr(struct render *r, struct buf *b, const struct val *v)
{
	if (!print_fits(r, b))
		return false;
	switch (v->kind) {
	case VAL_UNDEFINED: buf_adds(b, "Undefined"); return true;
	case VAL_STR:
		safe_print(b, v->text, v->flag);
		return render_size(r, v->text.n);
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_VIEW:
	case VAL_MAP: return collection_print(r, b, v);
	case VAL_DATE: return render_fail(r, EXPR_VALUE, "a date inside of a list or map has no text, print it on its own");
	default: return buf_add_val(r, b, v);
	}
}

bool buf_add_val(struct render *r, struct buf *b, const struct val *v)
{
	if (!print_fits(r, b))
		return false;
	switch (v->kind) {
	case VAL_UNDEFINED: return render_undefined(r, v);
	case VAL_NONE: buf_adds(b, "None"); return true;
	case VAL_BOOL: buf_adds(b, v->flag ? "True" : "False"); return true;
	case VAL_INT:
		if (v->text.n > 0)
			buf_add(b, v->text);
		else
			buf_addf(b, "%lld", (long long)v->i);
		return true;
	case VAL_FLOAT: buf_add(b, node_text(r->a, node_new_float(r->a, nowhere, v->d))); return true;
	case VAL_STR:
		buf_add(b, v->text);
		return render_size(r, v->text.n);
	case VAL_RANGE:
		if (v->text.n == 0) /* a part of a range */
			return render_fail(r, EXPR_VALUE, "a slice of a range has no text, put \"| list\" behind it");
		/* fall through */
	case VAL_DATE: buf_add(b, v->text); return true;
	case VAL_ITER: return render_fail(r, EXPR_VALUE, "an iterator has no text, put \"| list\" behind it");
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_VIEW:
	case VAL_MAP: return collection_print(r, b, v);
	case VAL_SPACE:
	case VAL_LOOP:
	case VAL_FUNC: break;
	}
	return render_fail(r, EXPR_VALUE, "%s has no text%s", val_type(v), v->kind == VAL_FUNC ? ", call it with ()" : "");
}

bool val_str(struct render *r, const struct val *v, struct str *out)
{
	struct buf b = { 0 };
	struct val *text;

	if (v->kind == VAL_STR) {
		*out = v->text;
		return true;
	}
	if (!buf_add_val(r, &b, v)) {
		buf_release(&b);
		return false;
	}
	text = val_take(r, &b);
	*out = text != NULL ? text->text : STR_NONE;
	return text != NULL;
}

struct val *val_escape(struct render *r, struct val *v)
{
	struct buf b = { 0 };
	struct str s;

	if (v->kind == VAL_STR && v->flag)
		return v;
	if (!val_str(r, v, &s))
		return NULL;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '&')
			buf_adds(&b, "&amp;");
		else if (c == '<')
			buf_adds(&b, "&lt;");
		else if (c == '>')
			buf_adds(&b, "&gt;");
		else if (c == '\'')
			buf_adds(&b, "&#39;");
		else if (c == '"')
			buf_adds(&b, "&#34;");
		else
			buf_addc(&b, c);
	}
	v = val_take(r, &b);
	if (v != NULL)
		v->flag = true;
	return v;
}

/* --- JSON: ASCII only, and safe inside of HTML --- */

static void json_unit(struct buf *b, uint32_t c)
{
	if (c >= 0x10000) {
		buf_addf(b, "\\u%04x", 0xD800 + ((c - 0x10000) >> 10));
		c = 0xDC00 + ((c - 0x10000) & 0x3FF);
	}
	buf_addf(b, "\\u%04x", c);
}

static void json_text(struct buf *b, struct str s)
{
	static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";

	buf_addc(b, '"');
	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);
		const char *hit = c != 0 && c < 0x80 ? strchr(plain, (int)c) : NULL;

		if (hit != NULL)
			buf_addf(b, "\\%c", letter[hit - plain]);
		else if (c < 0x20 || c > 0x7E || c == '<' || c == '>' || c == '&' || c == '\'')
			c == 0x7F ? buf_addc(b, 0x7F) : json_unit(b, c);
		else
			buf_addc(b, (char)c);
	}
	buf_addc(b, '"');
}

static void json_newline(struct buf *b, int64_t indent, size_t level)
{
	if (indent < 0)
		return;
	buf_addc(b, '\n');
	buf_add_repeat(b, ' ', (size_t)indent * level);
}

static bool json_value(struct render *r, struct buf *b, const struct val *v, int64_t indent, size_t level);

static bool json_list(struct render *r, struct buf *b, const struct val *v, int64_t indent, size_t level)
{
	if (v->list.n == 0) {
		buf_adds(b, "[]");
		return true;
	}
	buf_addc(b, '[');
	for (size_t i = 0; i < v->list.n; i++) {
		if (i > 0)
			buf_adds(b, indent < 0 ? ", " : ",");
		json_newline(b, indent, level + 1);
		if (!json_value(r, b, v->list.p[i], indent, level + 1))
			return false;
	}
	json_newline(b, indent, level);
	buf_addc(b, ']');
	return true;
}

static bool json_key(struct render *r, struct buf *b, const struct val *key)
{
	struct buf text = { 0 };

	if (key->kind == VAL_STR) {
		json_text(b, key->text);
		return true;
	}
	if (key->kind != VAL_NONE && !val_is_number(key))
		return render_fail(r, EXPR_VALUE, "%s cannot be a key in JSON", val_type(key));
	json_value(r, &text, key, -1, 0);
	json_text(b, buf_str(&text));
	buf_release(&text);
	return true;
}

/* Insertion into sorted order: maps are small, and their keys must compare. */
static struct val_pair *pairs_sorted(struct render *r, const struct val *v)
{
	struct val_pair *pair = ARENA_ARRAY(r->a, struct val_pair, v->map.n);

	for (size_t i = 0; i < v->map.n; i++) {
		size_t k = i;

		for (; k > 0; k--) {
			int less = val_compare(r, TOK_LT, v->map.p[i].key, pair[k - 1].key);

			if (less < 0 || !render_step(r, 1))
				return NULL;
			if (!less)
				break;
			pair[k] = pair[k - 1];
		}
		pair[k] = v->map.p[i];
	}
	return pair;
}

static bool json_map(struct render *r, struct buf *b, const struct val *v, int64_t indent, size_t level)
{
	struct val_pair *pair = v->map.n > 0 ? pairs_sorted(r, v) : NULL;

	if (v->map.n == 0)
		buf_adds(b, "{}");
	if (pair == NULL)
		return v->map.n == 0;
	buf_addc(b, '{');
	for (size_t i = 0; i < v->map.n; i++) {
		if (i > 0)
			buf_adds(b, indent < 0 ? ", " : ",");
		json_newline(b, indent, level + 1);
		if (!json_key(r, b, pair[i].key))
			return false;
		buf_adds(b, ": ");
		if (!json_value(r, b, pair[i].value, indent, level + 1))
			return false;
	}
	json_newline(b, indent, level);
	buf_addc(b, '}');
	return true;
}

static bool json_value(struct render *r, struct buf *b, const struct val *v, int64_t indent, size_t level)
{
	bool good;

	if (!print_fits(r, b))
		return false;
	switch (v->kind) {
	case VAL_NONE: buf_adds(b, "null"); return true;
	case VAL_BOOL: buf_adds(b, v->flag ? "true" : "false"); return true;
	case VAL_INT: return buf_add_val(r, b, v);
	case VAL_FLOAT:
		if (isfinite(v->d))
			return buf_add_val(r, b, v);
		buf_adds(b, isnan(v->d) ? "NaN" : v->d > 0 ? "Infinity" : "-Infinity");
		return true;
	case VAL_STR:
		json_text(b, v->text);
		return render_size(r, v->text.n);
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_MAP:
		if (!render_enter(r))
			return false;
		good = v->kind == VAL_MAP ? json_map(r, b, v, indent, level) : json_list(r, b, v, indent, level);
		render_leave(r);
		return good;
	case VAL_UNDEFINED: return render_fail(r, EXPR_UNDEFINED, "%.*s is undefined, JSON needs a value", STR_ARG(v->text));
	default: return render_fail(r, EXPR_VALUE, "%s cannot be written as JSON", val_type(v));
	}
}

bool buf_add_json(struct render *r, struct buf *b, const struct val *v, int64_t indent)
{
	if (indent > 100)
		return render_fail(r, EXPR_LIMIT, "JSON indented by more than 100 blanks");
	return json_value(r, b, v, indent, 0);
}
