#include "resolve/expr_ops.h"

#include <math.h>

static struct val *overflow(struct render *r)
{
	render_fail(r, EXPR_VALUE, "the result has more than 64 bits");
	return NULL;
}

static struct val *zero_division(struct render *r)
{
	render_fail(r, EXPR_VALUE, "division by zero");
	return NULL;
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

static struct val *int_power(struct render *r, int64_t base, int64_t exp)
{
	int64_t x = 1;

	if (exp < 0)
		return base == 0 ? zero_division(r) : val_float(r, pow((double)base, (double)exp));
	if (base == 0 || base == 1)
		return val_int(r, exp == 0 ? 1 : base);
	if (base == -1)
		return val_int(r, exp % 2 == 0 ? 1 : -1);
	for (; exp > 0; exp--)
		if (__builtin_mul_overflow(x, base, &x))
			return overflow(r);
	return val_int(r, x);
}

static struct val *int_binary(struct render *r, enum tok op, int64_t a, int64_t b)
{
	int64_t x;
	bool over = false;

	if ((op == TOK_DIV || op == TOK_FLOORDIV || op == TOK_MOD) && b == 0)
		return zero_division(r);
	switch (op) {
	case TOK_ADD: over = __builtin_add_overflow(a, b, &x); break;
	case TOK_SUB: over = __builtin_sub_overflow(a, b, &x); break;
	case TOK_MUL: over = __builtin_mul_overflow(a, b, &x); break;
	case TOK_DIV: return val_float(r, (double)((long double)a / (long double)b));
	case TOK_FLOORDIV:
		if (a == INT64_MIN && b == -1)
			return overflow(r);
		x = floor_div(a, b);
		break;
	case TOK_MOD: x = b == -1 ? 0 : a - floor_div(a, b) * b; break;
	default: return int_power(r, a, b);
	}
	return over ? overflow(r) : val_int(r, x);
}

/* Quotient rounded down, and the rest with the sign of b: as Python does it. */
static void float_divmod(double a, double b, double *div, double *mod)
{
	*mod = fmod(a, b);
	*div = (a - *mod) / b;
	if (*mod != 0) {
		if ((b < 0) != (*mod < 0)) {
			*mod += b;
			*div -= 1.0;
		}
	} else {
		*mod = copysign(0.0, b);
	}
	if (*div != 0) {
		double whole = floor(*div);

		*div = *div - whole > 0.5 ? whole + 1.0 : whole;
	} else {
		*div = copysign(0.0, a / b);
	}
}

static struct val *float_power(struct render *r, double a, double b)
{
	double x;

	if (a == 0 && b < 0)
		return zero_division(r);
	if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b)) {
		render_fail(r, EXPR_VALUE, "\"**\" of a negative number with a fraction has no real result");
		return NULL;
	}
	x = pow(a, b);
	if (isinf(x) && isfinite(a) && isfinite(b)) {
		render_fail(r, EXPR_VALUE, "the result is too large for a float");
		return NULL;
	}
	return val_float(r, x);
}

static struct val *float_binary(struct render *r, enum tok op, double a, double b)
{
	double div, mod;

	switch (op) {
	case TOK_ADD: return val_float(r, a + b);
	case TOK_SUB: return val_float(r, a - b);
	case TOK_MUL: return val_float(r, a * b);
	case TOK_POW: return float_power(r, a, b);
	default: break;
	}
	if (b == 0)
		return zero_division(r);
	if (op == TOK_DIV)
		return val_float(r, a / b);
	float_divmod(a, b, &div, &mod);
	return val_float(r, op == TOK_FLOORDIV ? div : mod);
}

static struct val *number_binary(struct render *r, enum tok op, const struct val *a, const struct val *b)
{
	int64_t i = 0, k = 0;

	if (a->kind != VAL_FLOAT && !val_integer(r, a, &i))
		return NULL;
	if (b->kind != VAL_FLOAT && !val_integer(r, b, &k))
		return NULL;
	if (a->kind == VAL_FLOAT || b->kind == VAL_FLOAT)
		return float_binary(r, op, val_number(a), val_number(b));
	return int_binary(r, op, i, k);
}

static struct val *text_repeat(struct render *r, const struct val *text, int64_t times)
{
	struct buf b = { 0 };
	size_t n = text->text.n, k = times > 0 ? (size_t)times : 0;
	struct val *v;

	if (k > EXPR_MAX_OUTPUT)
		k = n > 0 ? EXPR_MAX_OUTPUT + 1 : 0;
	if (!render_size(r, n * k))
		return NULL;
	for (size_t i = 0; i < k && n > 0; i++)
		buf_add(&b, text->text);
	v = val_take(r, &b);
	if (v != NULL)
		v->flag = text->flag;
	return v;
}

static struct val *list_repeat(struct render *r, const struct val *list, int64_t times)
{
	struct val *v = val_new(r, list->kind);

	for (int64_t k = 0; k < times && list->list.n > 0; k++)
		for (size_t i = 0; i < list->list.n; i++)
			if (!list_add(r, v, list->list.p[i]))
				return NULL;
	return v;
}

static struct val *repeat(struct render *r, const struct val *what, const struct val *times)
{
	int64_t n;

	if (!val_integer(r, times, &n))
		return NULL;
	return what->kind == VAL_STR ? text_repeat(r, what, n) : list_repeat(r, what, n);
}

static bool is_repeatable(const struct val *v)
{
	return v->kind == VAL_STR || v->kind == VAL_LIST || v->kind == VAL_TUPLE;
}

/* A safe text escapes what is joined to it. */
static struct val *text_add(struct render *r, struct val *a, struct val *b)
{
	struct val *v;

	if (a->flag || b->flag) {
		a = val_escape(r, a);
		b = a != NULL ? val_escape(r, b) : NULL;
		if (b == NULL)
			return NULL;
	}
	if (!render_size(r, a->text.n + b->text.n))
		return NULL;
	v = val_text(r, str_cat(r->a, a->text, b->text));
	if (v != NULL)
		v->flag = a->flag;
	return v;
}

static struct val *list_join(struct render *r, const struct val *a, const struct val *b)
{
	struct val *v = val_new(r, a->kind);

	for (int side = 0; side < 2; side++, a = b)
		for (size_t i = 0; i < a->list.n; i++)
			if (!list_add(r, v, a->list.p[i]))
				return NULL;
	return v;
}

struct val *val_binary(struct render *r, enum tok op, struct val *a, struct val *b)
{
	static const char *const signs[] = {
		[TOK_ADD] = "+", [TOK_SUB] = "-", [TOK_MUL] = "*", [TOK_DIV] = "/", [TOK_FLOORDIV] = "//", [TOK_MOD] = "%",
		[TOK_POW] = "**",
	};
	const struct val *undefined = a->kind == VAL_UNDEFINED ? a : b->kind == VAL_UNDEFINED ? b : NULL;

	if (op == TOK_MOD && a->kind == VAL_STR)
		return text_percent(r, a, b);
	if (undefined != NULL) {
		render_fail(r, EXPR_UNDEFINED, "%.*s is undefined, \"%s\" needs a value", STR_ARG(undefined->text), signs[op]);
		return NULL;
	}
	if (val_is_number(a) && val_is_number(b))
		return number_binary(r, op, a, b);
	if (op == TOK_ADD && a->kind == VAL_STR && b->kind == VAL_STR)
		return text_add(r, a, b);
	if (op == TOK_ADD && a->kind == b->kind && (a->kind == VAL_LIST || a->kind == VAL_TUPLE))
		return list_join(r, a, b);
	if (op == TOK_MUL && is_repeatable(a) && (b->kind == VAL_INT || b->kind == VAL_BOOL))
		return repeat(r, a, b);
	if (op == TOK_MUL && is_repeatable(b) && (a->kind == VAL_INT || a->kind == VAL_BOOL))
		return repeat(r, b, a);
	render_fail(r, EXPR_VALUE, "\"%s\" cannot take %s and %s", signs[op], val_type(a), val_type(b));
	return NULL;
}

struct val *val_negate(struct render *r, struct val *v)
{
	int64_t i;

	if (v->kind == VAL_UNDEFINED) {
		render_fail(r, EXPR_UNDEFINED, "%.*s is undefined", STR_ARG(v->text));
		return NULL;
	}
	if (v->kind == VAL_FLOAT)
		return val_float(r, -v->d);
	if (!val_integer(r, v, &i))
		return NULL;
	return i == INT64_MIN ? overflow(r) : val_int(r, -i);
}
