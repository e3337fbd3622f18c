#include "model/rules.h"
#include "resolve/literal.h"
#include "resolve/template.h"
#include "yaml/node_build.h"

#include <ctype.h>

static bool is_integer(struct str s)
{
	if (s.n != 0 && s.p[0] == '-')
		s = str_skip(s, 1);
	for (size_t i = 0; i < s.n; i++)
		if (!isdigit((unsigned char)s.p[i]))
			return false;
	return s.n != 0;
}

/* Decimal whatever leads it: 007 is 7, where YAML would read octal. */
static const struct node *integer_new(struct arena *a, struct mark at, struct str s)
{
	bool negative = s.p[0] == '-';

	if (negative)
		s = str_skip(s, 1);
	while (s.n > 1 && s.p[0] == '0')
		s = str_skip(s, 1);
	return node_new_plain(a, at, negative && !str_is(s, "0") ? str_cat(a, STR("-"), s) : s);
}

static const struct node *literal_refuse(struct unit *u, const struct node *from, struct str text, bool list,
                                         const char *problem, size_t where)
{
	struct diag *d = unit_diag(u, &rule_template_value, from->at,
	                           "%.*s is neither JSON nor a Python literal: %s at character %zu", STR_ARG(text), problem,
	                           where + 1);

	diag_title(u->diags, d, "Invalid %s template parameter", list ? "array" : "object");
	diag_hint(u->diags, d, list ? "write [\"item1\", \"item2\"], or give the parameter as a YAML list"
	                            : "write {\"key\": \"value\"}, or give the parameter as a YAML mapping");
	d->via = from->via;
	return NULL;
}

static const struct node *literal(struct unit *u, const struct node *from, struct str text, enum node_kind kind)
{
	const char *problem = NULL, *python = NULL;
	const struct node *n;
	size_t where = 0, ignored;

	n = literal_read(u->arena, from->at, text, LITERAL_JSON, &problem, &where);
	if (n == NULL)
		n = literal_read(u->arena, from->at, text, LITERAL_PYTHON, &python, &ignored);
	if (n == NULL)
		return literal_refuse(u, from, text, kind == NODE_LIST, python, ignored);
	return n;
}

const struct node *template_value(struct unit *u, const struct node *from, struct str text, bool text_only)
{
	struct node *out;

	if (str_is(text, "None"))
		return node_new_plain(u->arena, from->at, STR("null"));
	if (str_is(text, "{}"))
		return node_new(u->arena, NODE_MAP, from->at);
	if (text.n >= 2 && text.p[0] == '[' && text.p[text.n - 1] == ']')
		return literal(u, from, text, NODE_LIST);
	if (text.n >= 2 && text.p[0] == '{' && text.p[text.n - 1] == '}' && str_has(text, STR(":")) &&
	    (str_has(text, STR("\"")) || str_has(text, STR("'"))))
		return literal(u, from, text, NODE_MAP);
	if (str_is_nocase(text, "true") || str_is_nocase(text, "false"))
		return node_new_bool(u->arena, from->at, str_is_nocase(text, "true"));
	if (!text_only && is_integer(text))
		return integer_new(u->arena, from->at, text);
	out = node_new_str(u->arena, from->at, text);
	out->quoted = true;
	return out;
}
