#include "resolve/expr_ops.h"

#include "base/utf8.h"

static struct val *answer(struct render *r, int yes)
{
	return yes < 0 ? NULL : val_bool(r, yes != 0);
}

/* --- of the value alone --- */

/* clang-format off */
#define VALUE_TEST(name, condition) \
	static struct val *test_##name(struct render *r, struct val *v, struct val **arg, const struct args *args) \
	{ \
		(void)arg; \
		(void)args; \
		return val_bool(r, condition); \
	}
/* clang-format on */

VALUE_TEST(defined, v->kind != VAL_UNDEFINED)
VALUE_TEST(undefined, v->kind == VAL_UNDEFINED)
VALUE_TEST(none, v->kind == VAL_NONE)
VALUE_TEST(boolean, v->kind == VAL_BOOL)
VALUE_TEST(true, v->kind == VAL_BOOL && v->flag)
VALUE_TEST(false, v->kind == VAL_BOOL && !v->flag)
VALUE_TEST(integer, v->kind == VAL_INT)
VALUE_TEST(float, v->kind == VAL_FLOAT)
VALUE_TEST(number, val_is_number(v))
VALUE_TEST(string, v->kind == VAL_STR)
VALUE_TEST(mapping, v->kind == VAL_MAP)
VALUE_TEST(callable, v->kind == VAL_FUNC || v->kind == VAL_UNDEFINED)
VALUE_TEST(escaped, v->kind == VAL_STR && v->flag)
VALUE_TEST(filter, v->kind == VAL_STR && filter_find(v->text) != NULL)
VALUE_TEST(test, v->kind == VAL_STR && test_find(v->text) != NULL)
VALUE_TEST(sequence, v->kind == VAL_LIST || v->kind == VAL_TUPLE || v->kind == VAL_RANGE || v->kind == VAL_STR ||
                     v->kind == VAL_MAP || (v->kind == VAL_UNDEFINED && (!r->strict || v->flag)))

/* Some letters, and all of them of this case. */
static struct val *case_test(struct render *r, struct val *v, bool upper)
{
	bool some = false;
	struct str s;

	if (!val_str(r, v, &s))
		return NULL;
	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);
		bool is_upper = ucs_lower(c) != c, is_lower = c == 0xDF || ucs_upper(c) != c;

		if (upper ? is_lower && !is_upper : is_upper && !is_lower)
			return val_bool(r, false);
		some = some || (upper ? is_upper : is_lower);
	}
	return val_bool(r, some);
}

static struct val *test_upper(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)arg;
	(void)args;
	return case_test(r, v, true);
}

static struct val *test_lower(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)arg;
	(void)args;
	return case_test(r, v, false);
}

/* Is v % by equal to `rest`? */
static struct val *rest_test(struct render *r, struct val *v, struct val *by, int64_t rest)
{
	struct val *mod = val_binary(r, TOK_MOD, v, by);

	return mod != NULL ? answer(r, val_equal(r, mod, val_int(r, rest))) : NULL;
}

static struct val *test_odd(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)arg;
	(void)args;
	return rest_test(r, v, val_int(r, 2), 1);
}

static struct val *test_even(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)arg;
	(void)args;
	return rest_test(r, v, val_int(r, 2), 0);
}

static struct val *test_iterable(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)arg;
	(void)args;
	return v->kind != VAL_UNDEFINED || render_undefined(r, v) ? val_bool(r, val_is_iterable(v)) : NULL;
}

/* --- of two values --- */

static struct val *test_divisibleby(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return rest_test(r, v, arg[0], 0);
}

static struct val *test_in(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_contains(r, arg[0], v));
}

/* The same object; values without an identity of their own are the same when they are equal. */
static struct val *test_sameas(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	bool plain = v->kind == VAL_NONE || v->kind == VAL_BOOL || v->kind == VAL_INT || v->kind == VAL_STR;

	(void)args;
	return plain && v->kind == arg[0]->kind ? answer(r, val_equal(r, v, arg[0])) : val_bool(r, v == arg[0]);
}

static struct val *test_eq(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_compare(r, TOK_EQ, v, arg[0]));
}

static struct val *test_ne(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_compare(r, TOK_NE, v, arg[0]));
}

static struct val *test_lt(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_compare(r, TOK_LT, v, arg[0]));
}

static struct val *test_le(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_compare(r, TOK_LE, v, arg[0]));
}

static struct val *test_gt(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_compare(r, TOK_GT, v, arg[0]));
}

static struct val *test_ge(struct render *r, struct val *v, struct val **arg, const struct args *args)
{
	(void)args;
	return answer(r, val_compare(r, TOK_GE, v, arg[0]));
}

static const struct func tests[] = {
	{ "defined", test_defined },
	{ "undefined", test_undefined },
	{ "none", test_none },
	{ "boolean", test_boolean },
	{ "true", test_true },
	{ "false", test_false },
	{ "integer", test_integer },
	{ "float", test_float },
	{ "number", test_number },
	{ "string", test_string },
	{ "mapping", test_mapping },
	{ "iterable", test_iterable },
	{ "callable", test_callable },
	{ "escaped", test_escaped },
	{ "filter", test_filter },
	{ "test", test_test },
	{ "sequence", test_sequence },
	{ "upper", test_upper },
	{ "lower", test_lower },
	{ "odd", test_odd },
	{ "even", test_even },
	{ "divisibleby", test_divisibleby, 1, false, { "num" } },
	{ "in", test_in, 1, false, { "seq" } },
	{ "sameas", test_sameas, 1, false, { "other" } },
	{ "eq", test_eq, 1, false, { "other" } },
	{ "equalto", test_eq, 1, false, { "other" } },
	{ "==", test_eq, 1, false, { "other" } },
	{ "ne", test_ne, 1, false, { "other" } },
	{ "!=", test_ne, 1, false, { "other" } },
	{ "lt", test_lt, 1, false, { "other" } },
	{ "lessthan", test_lt, 1, false, { "other" } },
	{ "<", test_lt, 1, false, { "other" } },
	{ "le", test_le, 1, false, { "other" } },
	{ "<=", test_le, 1, false, { "other" } },
	{ "gt", test_gt, 1, false, { "other" } },
	{ "greaterthan", test_gt, 1, false, { "other" } },
	{ ">", test_gt, 1, false, { "other" } },
	{ "ge", test_ge, 1, false, { "other" } },
	{ ">=", test_ge, 1, false, { "other" } },
};

const struct func *test_find(struct str name)
{
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		if (str_is(name, tests[i].name))
			return &tests[i];
	return NULL;
}
