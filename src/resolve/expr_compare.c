#include "resolve/expr_ops.h"

static int undefined_used(struct render *r, const struct val *v)
{
	render_fail(r, EXPR_UNDEFINED, "%.*s is undefined", STR_ARG(v->text));
	return -1;
}

static bool is_big(const struct val *v)
{
	return v->kind == VAL_INT && v->text.n > 0;
}

static int lists_equal(struct render *r, const struct val *a, const struct val *b)
{
	if (a->list.n != b->list.n)
		return 0;
	for (size_t i = 0; i < a->list.n; i++) {
		int eq = val_equal(r, a->list.p[i], b->list.p[i]);

		if (eq != 1)
			return eq;
	}
	return 1;
}

/* Whatever the order of their keys. */
static int maps_equal(struct render *r, const struct val *a, const struct val *b)
{
	if (a->map.n != b->map.n)
		return 0;
	for (size_t i = 0; i < a->map.n; i++) {
		struct val *other = dict_find(r, b, a->map.p[i].key);
		int eq = other == NULL ? 0 : val_equal(r, a->map.p[i].value, other);

		if (r->err->fault != EXPR_GOOD)
			return -1;
		if (eq != 1)
			return eq;
	}
	return 1;
}

static int numbers_equal(const struct val *a, const struct val *b)
{
	if (is_big(a) || is_big(b))
		return is_big(a) && is_big(b) ? str_eq(a->text, b->text) : 0;
	if (a->kind != VAL_FLOAT && b->kind != VAL_FLOAT)
		return (a->kind == VAL_BOOL ? a->flag : a->i) == (b->kind == VAL_BOOL ? b->flag : b->i);
	return val_number(a) == val_number(b);
}

static int same_kind_equal(struct render *r, const struct val *a, const struct val *b)
{
	int eq;

	switch (a->kind) {
	case VAL_UNDEFINED:
	case VAL_NONE: return 1;
	case VAL_STR:
	case VAL_DATE: return str_eq(a->text, b->text);
	case VAL_LIST:
	case VAL_TUPLE:
	case VAL_VIEW:
	case VAL_RANGE:
	case VAL_MAP:
		if (!render_step(r, 1) || !render_enter(r))
			return -1;
		eq = a->kind == VAL_MAP ? maps_equal(r, a, b) : lists_equal(r, a, b);
		render_leave(r);
		return eq;
	default: return a == b;
	}
}

int val_equal(struct render *r, const struct val *a, const struct val *b)
{
	if ((a->kind == VAL_UNDEFINED && !render_undefined(r, a)) || (b->kind == VAL_UNDEFINED && !render_undefined(r, b)))
		return -1;
	if (val_is_number(a) && val_is_number(b))
		return numbers_equal(a, b);
	if (a->kind != b->kind)
		return 0;
	return same_kind_equal(r, a, b);
}

/* Of a sign: what the operator says. */
static int order_is(enum tok op, int sign)
{
	return op == TOK_LT ? sign < 0 : op == TOK_LE ? sign <= 0 : op == TOK_GT ? sign > 0 : sign >= 0;
}

static int numbers_order(struct render *r, enum tok op, const struct val *a, const struct val *b)
{
	double x, y;

	if (is_big(a) || is_big(b)) {
		int64_t unused;

		val_integer(r, is_big(a) ? a : b, &unused);
		return -1;
	}
	if (a->kind != VAL_FLOAT && b->kind != VAL_FLOAT) {
		int64_t i = a->kind == VAL_BOOL ? a->flag : a->i, k = b->kind == VAL_BOOL ? b->flag : b->i;

		return order_is(op, (i > k) - (i < k));
	}
	x = val_number(a);
	y = val_number(b);
	return op == TOK_LT ? x < y : op == TOK_LE ? x <= y : op == TOK_GT ? x > y : x >= y;
}

/* By the first items that differ, else the shorter one first. */
static int lists_order(struct render *r, enum tok op, const struct val *a, const struct val *b)
{
	int result;

	if (!render_enter(r))
		return -1;
	for (size_t i = 0; i < a->list.n && i < b->list.n; i++) {
		int eq = val_equal(r, a->list.p[i], b->list.p[i]);

		if (eq == 1 && render_step(r, 1))
			continue;
		result = eq != 0 ? -1 : val_compare(r, op, a->list.p[i], b->list.p[i]);
		render_leave(r);
		return result;
	}
	render_leave(r);
	return order_is(op, (a->list.n > b->list.n) - (a->list.n < b->list.n));
}

int val_compare(struct render *r, enum tok op, const struct val *a, const struct val *b)
{
	static const char *const signs[] = { [TOK_LT] = "<", [TOK_LE] = "<=", [TOK_GT] = ">", [TOK_GE] = ">=" };
	int eq;

	if (op == TOK_EQ || op == TOK_NE) {
		eq = val_equal(r, a, b);
		return eq < 0 ? -1 : op == TOK_EQ ? eq : !eq;
	}
	if (a->kind == VAL_UNDEFINED || b->kind == VAL_UNDEFINED)
		return undefined_used(r, a->kind == VAL_UNDEFINED ? a : b);
	if (val_is_number(a) && val_is_number(b))
		return numbers_order(r, op, a, b);
	if (a->kind == b->kind && (a->kind == VAL_STR || a->kind == VAL_DATE))
		return order_is(op, str_cmp(a->text, b->text));
	if (a->kind == b->kind && (a->kind == VAL_LIST || a->kind == VAL_TUPLE))
		return lists_order(r, op, a, b);
	render_fail(r, EXPR_VALUE, "\"%s\" cannot compare %s with %s", signs[op], val_type(a), val_type(b));
	return -1;
}

int val_contains(struct render *r, struct val *in, const struct val *v)
{
	struct val *items;

	if (in->kind == VAL_STR) {
		if (v->kind != VAL_STR) {
			render_fail(r, EXPR_VALUE, "\"in\" a text looks for a text, found %s", val_type(v));
			return -1;
		}
		return render_step(r, in->text.n / 256 + 1) ? str_find(in->text, v->text, 0) >= 0 : -1;
	}
	if (in->kind == VAL_MAP) {
		if (v->kind == VAL_UNDEFINED && !render_undefined(r, v))
			return -1;
		if (!val_is_hashable(v)) {
			render_fail(r, EXPR_VALUE, "%s cannot be the key of a map", val_type(v));
			return -1;
		}
		items = dict_find(r, in, v);
		return r->err->fault != EXPR_GOOD ? -1 : items != NULL;
	}
	items = val_items(r, in);
	if (items == NULL)
		return -1;
	for (size_t i = 0; i < items->list.n; i++) {
		int eq = items->list.p[i] == v ? 1 : val_equal(r, items->list.p[i], v);

		if (eq != 0)
			return eq;
	}
	return 0;
}
