#include "graph/py_program.h"

#include "base/utf8.h"

#include <stdlib.h>

/* --- text literals --- */

/* A simple escape's character, or 0. */
static char escape_char(char c)
{
	static const char from[] = "nrtabfv\\'\"", to[] = "\n\r\t\a\b\f\v\\'\"";
	const char *at = memchr(from, c, sizeof from - 1);
	return at != NULL ? to[at - from] : '\0';
}

static size_t escape_digits(char c)
{
	return c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
}

static void unescape(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\\' || i + 1 == s.n) {
			buf_addc(b, s.p[i]);
			continue;
		}
		char c = s.p[++i], digits[12] = { 0 };
		size_t n = escape_digits(c);
		int base = 16;
		if (c >= '0' && c <= '7') {
			base = 8;
			for (n = 1; n < 3 && i + n < s.n && s.p[i + n] >= '0' && s.p[i + n] <= '7';)
				n++;
			i--;
		}
		if (n > 0 && i + n < s.n) {
			memcpy(digits, s.p + i + 1, n);
			buf_add_utf8(b, (uint32_t)strtoul(digits, NULL, base));
			i += n;
		} else if (escape_char(c) != '\0')
			buf_addc(b, escape_char(c));
		else if (c != '\n') {
			buf_addc(b, '\\');
			buf_addc(b, c);
		}
	}
}

struct prefix {
	bool raw, bytes, format;
};

static struct prefix prefix_of(struct str start)
{
	struct prefix p = { 0 };
	for (size_t i = 0; i < start.n && start.p[i] != '\'' && start.p[i] != '"'; i++) {
		p.raw |= (start.p[i] | 0x20) == 'r';
		p.bytes |= (start.p[i] | 0x20) == 'b';
		p.format |= (start.p[i] | 0x20) == 'f';
	}
	return p;
}

static struct str content_text(struct py_program *p, TSNode content, struct prefix prefix)
{
	struct buf b = { 0 };
	struct str text = py_node_text(p, content);
	if (prefix.format) {
		text = str_replace(p->arena, text, STR("{{"), STR("{"));
		text = str_replace(p->arena, text, STR("}}"), STR("}"));
	}
	if (prefix.raw)
		return text;
	unescape(&b, text);
	struct str out = buf_take(&b, p->arena);
	buf_release(&b);
	return out;
}

/* Names that stay as {name} in an f-string when nothing is known of them. */
static bool is_placeholder(struct str name)
{
	static const char *const names[] = { "catalog",          "schema",        "table",
		                             "bronze_schema",    "silver_schema", "gold_schema",
		                             "migration_schema", "old_schema" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_is(name, names[i]))
			return true;
	return false;
}

static struct py_value *field_value(struct py_program *p, TSNode field)
{
	TSNode expression = tree_field(field, "expression");
	if (!ts_node_is_null(tree_field(field, "type_conversion")) ||
	    !ts_node_is_null(tree_field(field, "format_specifier")) || tree_has_token(field, "="))
		return NULL;
	struct py_value *v = py_eval(p, expression);
	if (v == NULL && tree_is(expression, "identifier") && is_placeholder(py_node_text(p, expression)))
		v = py_value_text(p->arena, str_fmt(p->arena, "{%.*s}", STR_ARG(py_node_text(p, expression))));
	return v != NULL && v->kind == PY_TEXTS ? v : NULL;
}

static struct py_value *string_value(struct py_program *p, TSNode n)
{
	struct py_value *v = py_value_text(p->arena, STR(""));
	struct prefix prefix = { 0 };
	for (uint32_t i = 0; i < ts_node_named_child_count(n) && v != NULL; i++) {
		TSNode child = ts_node_named_child(n, i);
		if (tree_is(child, "string_start"))
			prefix = prefix_of(py_node_text(p, child));
		else if (tree_is(child, "string_content"))
			v = py_value_product(p->arena, v, py_value_text(p->arena, content_text(p, child, prefix)));
		else if (tree_is(child, "interpolation"))
			v = py_value_product(p->arena, v, field_value(p, child));
	}
	return prefix.bytes ? NULL : v;
}

static struct py_value *strings_value(struct py_program *p, TSNode n)
{
	struct py_value *v = py_value_text(p->arena, STR(""));
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++)
		if (!tree_is_filler(ts_node_named_child(n, i)))
			v = py_value_product(p->arena, v, py_eval(p, ts_node_named_child(n, i)));
	return v;
}

static bool has_fields(TSNode n)
{
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++) {
		TSNode child = ts_node_named_child(n, i);
		if (tree_is(child, "interpolation") || (tree_is(child, "string") && has_fields(child)))
			return true;
	}
	return false;
}

bool py_literal(struct py_program *p, TSNode n, struct str *out)
{
	if (!(tree_is(n, "string") || tree_is(n, "concatenated_string")) || has_fields(n))
		return false;
	struct py_value *v = py_eval(p, n);
	if (v == NULL || v->text.n != 1)
		return false;
	*out = v->text.p[0];
	return true;
}

/* --- what is worked out once --- */

static struct str memo_key(const void *const *of)
{
	return (struct str){ (const char *)of, sizeof *of };
}

/* Is the value of `of` known, or being worked out (unknown: recursion)? If not, it is being worked out from now on. */
static bool memo_get(struct py_program *p, const void *of, struct py_value **value)
{
	const struct map_entry *known = map_find(&p->memo, memo_key(&of));
	if (known == NULL)
		map_put(&p->memo, p->arena, str_dup(p->arena, memo_key(&of)), NULL);
	*value = known != NULL ? known->value : NULL;
	return known != NULL;
}

static void memo_put(struct py_program *p, const void *of, struct py_value *value)
{
	map_put(&p->memo, p->arena, memo_key(&of), value);
}

/* --- names --- */

static struct py_value *bindings_value(struct py_program *p, const struct py_bindings *b, uint32_t before);

/* What another file gets that imports the name. */
static struct py_value *import_value(struct py_program *p, const struct py_module *m, struct str name)
{
	const struct py_bindings *b = py_import_find(m, name);
	struct py_value *v;
	if (b == NULL || memo_get(p, b, &v))
		return b != NULL ? v : NULL;
	v = bindings_value(p, b, UINT32_MAX);
	memo_put(p, b, v);
	return v;
}

/* Does the statement that binds `value` stand outside every branch and loop of its function? */
static bool runs_always(TSNode value)
{
	TSNode statement = ts_node_parent(value);
	TSNode block = ts_node_parent(ts_node_parent(statement));
	return tree_is(block, "module") ||
	       (tree_is(block, "block") && tree_is(ts_node_parent(block), "function_definition"));
}

static struct py_value *binding_value(struct py_program *p, const struct py_binding *b, struct py_value *old)
{
	switch (b->kind) {
	case PY_BIND_VALUE:
	case PY_BIND_AND: return py_eval(p, b->node);
	case PY_BIND_ELEMENT:
	case PY_BIND_KEY: return py_value_elements(p->arena, py_eval(p, b->node));
	case PY_BIND_ENTRY: return py_value_values(p->arena, py_eval(p, b->node));
	case PY_BIND_PARAMETER: return py_eval_parameter(p, b->function, b->node);
	case PY_BIND_IMPORT: return b->name.n > 0 ? import_value(p, b->module, b->name) : NULL;
	default: return old;
	}
}

static struct py_value *bindings_value(struct py_program *p, const struct py_bindings *b, uint32_t before)
{
	struct py_value *all = NULL;
	if (p->nesting >= PY_MAX_NESTING)
		return NULL;
	p->nesting++;
	for (size_t i = 0; i < b->n; i++) {
		if (b->p[i].at > before)
			continue;
		struct py_value *v = binding_value(p, &b->p[i], all);
		if (b->p[i].kind == PY_BIND_AND && p->narrow)
			continue;
		if (b->p[i].kind == PY_BIND_AND) {
			struct py_value *sum = py_value_product(p->arena, all, v);
			all = sum == NULL || runs_always(b->p[i].node) ? sum : py_value_union(p->arena, all, sum);
		} else if (v != NULL)
			all = all != NULL && all->kind == PY_TEXTS && v->kind == PY_TEXTS
			          ? py_value_union(p->arena, all, v)
			          : v;
	}
	p->nesting--;
	return all;
}

static bool bound_before(const struct py_bindings *b, uint32_t at)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->p[i].at <= at)
			return true;
	return false;
}

static struct py_value *name_value(struct py_program *p, TSNode n)
{
	struct py_module *m = py_module_of(p, n);
	uint32_t at = ts_node_start_byte(n);
	size_t scope;
	struct py_bindings *b = py_name_find(m, at, py_node_text(p, n), &scope);
	if (b == NULL)
		return NULL;
	/* A constant below the function that reads it is bound by the time the function runs. */
	bool later = !p->narrow && !bound_before(b, at) && scope != py_scope_at(m, at);
	return bindings_value(p, b, later ? UINT32_MAX : at);
}

/* self.X, cls.X, Class.X, module.X */
static struct py_value *attribute_value(struct py_program *p, TSNode n)
{
	TSNode object = tree_field(n, "object");
	struct py_module *m = py_module_of(p, n);
	if (p->narrow || !tree_is(object, "identifier"))
		return NULL;
	struct str name = py_node_text(p, object), attribute = py_node_text(p, tree_field(n, "attribute"));
	size_t scope;
	struct py_bindings *b = py_name_find(m, ts_node_start_byte(object), name, &scope);
	bool own = str_is(name, "self") || str_is(name, "cls");
	for (size_t i = 0; b != NULL && i < b->n; i++) {
		own |= b->p[i].kind == PY_BIND_CLASS;
		if (b->p[i].kind == PY_BIND_IMPORT && b->p[i].name.n == 0)
			return import_value(p, b->p[i].module, attribute);
	}
	struct py_bindings *found = own ? map_get(&m->attribute, attribute) : NULL;
	return found != NULL ? bindings_value(p, found, UINT32_MAX) : NULL;
}

/* --- collections --- */

static struct py_value *list_value(struct py_program *p, TSNode n)
{
	struct py_value *v = py_value_new(p->arena, tree_is(n, "set") ? PY_TEXTS : PY_LIST);
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++) {
		TSNode child = ts_node_named_child(n, i);
		if (tree_is_filler(child))
			continue;
		struct py_value *item = py_eval(p, child);
		if (item == NULL || item->kind != PY_TEXTS || item->text.n != 1 || v->text.n == PY_MAX_TEXTS)
			return NULL;
		if (v->kind == PY_LIST)
			*VEC_PUSH(&v->text, p->arena) = item->text.p[0];
		else
			py_value_add(p->arena, v, item->text.p[0]);
	}
	return v;
}

static struct py_value *dictionary_value(struct py_program *p, TSNode n)
{
	struct py_value *v = py_value_map(p->arena);
	struct str key;
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++) {
		TSNode pair = ts_node_named_child(n, i);
		if (!tree_is(pair, "pair") || !py_literal(p, tree_field(pair, "key"), &key))
			continue;
		struct py_value *value = py_eval(p, tree_field(pair, "value"));
		if (value != NULL)
			py_value_put(p->arena, v, key, value);
	}
	return v;
}

static struct py_value *item_value(struct py_program *p, const struct py_value *list, TSNode index)
{
	struct str text = py_node_text(p, index);
	bool negative = text.n > 1 && text.p[0] == '-';
	struct str digits = str_trim(str_skip(text, negative));
	bool number = digits.n > 0 && digits.n < 6;
	size_t k = 0;
	for (size_t i = 0; i < digits.n && number; i++) {
		number = digits.p[i] >= '0' && digits.p[i] <= '9';
		k = k * 10 + (size_t)(digits.p[i] - '0');
	}
	if (tree_is(index, "slice"))
		return NULL;
	if (!number)
		return py_value_elements(p->arena, list);
	if (negative ? k == 0 || k > list->text.n : k >= list->text.n)
		return NULL;
	return py_value_text(p->arena, list->text.p[negative ? list->text.n - k : k]);
}

static struct py_value *subscript_value(struct py_program *p, TSNode n)
{
	struct py_value *v = py_eval(p, tree_field(n, "value"));
	TSNode index = tree_field(n, "subscript");
	struct str key;
	if (v == NULL)
		return NULL;
	if (v->kind == PY_MAP)
		return py_literal(p, index, &key) ? map_get(&v->map, key) : NULL;
	return v->kind == PY_LIST ? item_value(p, v, index) : NULL;
}

/* --- operators --- */

/* "%s.%s" % (a, b): only %s, one text each. */
static struct py_value *percent_value(struct py_program *p, const struct py_value *text, TSNode right)
{
	if (text == NULL || text->kind != PY_TEXTS || text->text.n != 1)
		return NULL;
	struct py_value *v = py_value_text(p->arena, STR("")), *argument = NULL;
	struct str rest = text->text.p[0];
	bool tuple = tree_is(right, "tuple");
	uint32_t next = 0, n = tuple ? ts_node_named_child_count(right) : 1;
	for (;;) {
		ptrdiff_t at = str_find_char(rest, '%', 0);
		if (at < 0)
			break;
		char kind = (size_t)at + 1 < rest.n ? rest.p[at + 1] : '\0';
		v = py_value_product(p->arena, v, py_value_text(p->arena, str_sub(rest, 0, (size_t)at)));
		rest = str_skip(rest, (size_t)at + 2);
		if (kind == '%')
			argument = py_value_text(p->arena, STR("%"));
		else if (kind == 's' && next < n)
			argument = py_eval(p, tuple ? ts_node_named_child(right, next++) : (next++, right));
		else
			return NULL;
		v = py_value_product(p->arena, v, argument);
	}
	return next == n ? py_value_product(p->arena, v, py_value_text(p->arena, rest)) : NULL;
}

static struct py_value *binary_value(struct py_program *p, TSNode n)
{
	TSNode left = tree_field(n, "left"), right = tree_field(n, "right"), operator= tree_field(n, "operator");
	if (tree_is(operator, "+"))
		return py_value_product(p->arena, py_eval(p, left), py_eval(p, right));
	return !p->narrow && tree_is(operator, "%") ? percent_value(p, py_eval(p, left), right) : NULL;
}

static struct py_value *either_value(struct py_program *p, TSNode x, TSNode y)
{
	return py_value_union(p->arena, py_eval(p, x), py_eval(p, y));
}

static struct py_value *conditional_value(struct py_program *p, TSNode n)
{
	return either_value(p, ts_node_named_child(n, 0), ts_node_named_child(n, ts_node_named_child_count(n) - 1));
}

static struct py_value *boolean_value(struct py_program *p, TSNode n)
{
	return either_value(p, tree_field(n, "left"), tree_field(n, "right"));
}

static struct py_value *inner_value(struct py_program *p, TSNode n)
{
	for (uint32_t i = 0; i < ts_node_named_child_count(n); i++)
		if (!tree_is_filler(ts_node_named_child(n, i)))
			return py_eval(p, ts_node_named_child(n, i));
	return NULL;
}

static struct py_value *named_value(struct py_program *p, TSNode n)
{
	return py_eval(p, tree_field(n, "value"));
}

static struct py_value *comprehension_value(struct py_program *p, TSNode n)
{
	struct py_value *v = py_eval(p, tree_field(n, "body"));
	return v != NULL && v->kind == PY_TEXTS ? v : NULL;
}

static const struct {
	const char *type;
	struct py_value *(*value)(struct py_program *p, TSNode n);
	bool ours; /* LHP does not know it */
} forms[] = {
	{ "string", string_value },
	{ "concatenated_string", strings_value },
	{ "identifier", name_value },
	{ "attribute", attribute_value },
	{ "call", py_eval_call },
	{ "subscript", subscript_value },
	{ "binary_operator", binary_value },
	{ "boolean_operator", boolean_value, true },
	{ "conditional_expression", conditional_value, true },
	{ "parenthesized_expression", inner_value },
	{ "await", inner_value },
	{ "named_expression", named_value, true },
	{ "list", list_value },
	{ "tuple", list_value },
	{ "expression_list", list_value },
	{ "set", list_value, true },
	{ "dictionary", dictionary_value },
	{ "list_comprehension", comprehension_value, true },
	{ "set_comprehension", comprehension_value, true },
	{ "generator_expression", comprehension_value, true },
};

struct py_value *py_eval(struct py_program *p, TSNode n)
{
	if (ts_node_is_null(n) || p->nesting >= PY_MAX_NESTING || ++p->steps > PY_MAX_STEPS)
		return NULL;
	struct py_value *v;
	if (memo_get(p, n.id, &v))
		return v;
	p->nesting++;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (tree_is(n, forms[i].type)) {
			v = forms[i].ours && p->narrow ? NULL : forms[i].value(p, n);
			break;
		}
	p->nesting--;
	memo_put(p, n.id, v);
	return v;
}
