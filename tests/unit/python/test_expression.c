#include "python/pysrc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void only_one_whole_expression_counts(void **state)
{
	static const char *const GOOD[] = { "F.lit(1)", " a + b ", "(a,\n b)", "a, b", "lambda x: x", "'text'", "x if y else z" };
	static const char *const BAD[] = { "", "a = 1", "a; b", "a\nb", "a;", "return 1", "a := 1", "import x", "a)(b", "yield x",
		                           "# c", "a # c", "pass", "F.lit(" };

	(void)state;
	for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++)
		if (!py_is_expression(str_of(GOOD[i]), NULL))
			fail_msg("refused: %s", GOOD[i]);
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
		if (py_is_expression(str_of(BAD[i]), NULL))
			fail_msg("accepted: %s", BAD[i]);
}

struct expected {
	const char *text, *names; /* names joined by ','; NULL: does not parse */
};

static const struct expected TABLE[] = {
	{ "F.lit(1)", "F,F." },
	{ "((F)).lit(1)", "F,F." },
	{ "(x).F.y + (F)", "x,x.,F" },
	{ "F.col('a').cast(StringType())", "F,F.,StringType" },
	{ "udf(f, returnType=IntegerType())(F.lit(F.x))", "udf,f,IntegerType,F,F." },
	{ "'F.lit(x)'", "" },
	{ "f'{F.x}'", "F,F." },
	{ "lambda a, b=c: a.d", "c,a,a." },
	{ "[x for y in z]", "x,z" },
	{ "spark.conf.get('a', \"b\")", "spark,spark." },
	{ "a[b:c]", "a,b,c" },
	{ "F.lit(", NULL },
	{ "x = 1", NULL },
};

static void names_that_are_read_come_once_and_in_order(void **state)
{
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
		struct str *name;
		struct buf b = { 0 };
		size_t n;

		assert_int_equal(py_names_read(str_of(TABLE[i].text), &a, &name, &n), TABLE[i].names != NULL);
		for (size_t k = 0; k < n; k++)
			buf_addf(&b, "%s%.*s", k != 0 ? "," : "", STR_ARG(name[k]));
		assert_string_equal(str_cstr(&a, buf_str(&b)), TABLE[i].names != NULL ? TABLE[i].names : "");
		buf_release(&b);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_one_whole_expression_counts),
		cmocka_unit_test(names_that_are_read_come_once_and_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
