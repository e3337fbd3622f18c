#include "python/pysrc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct expected {
	const char *text;
	bool found, kwargs;
	const char *keyword_only; /* joined by ',' */
};

static const struct expected TABLE[] = {
	{ "def f(): pass", true, false, "" },
	{ "def f(a, b=1): pass", true, false, "" },
	{ "def f(v, *, a, b: int, c=1, d: int = 2): pass", true, false, "a,b,c,d" },
	{ "def f(*args, a): pass", true, false, "a" },
	{ "def f(*args: int, a): pass", true, false, "a" },
	{ "def f(v, **k): pass", true, true, "" },
	{ "def f(v, *, a, **k: int): pass", true, true, "a" },
	{ "@d\n@e(1)\ndef f(*, a): pass", true, false, "a" },
	{ "def g(): pass\ndef f(*, a): pass\ndef f(*, b): pass", true, false, "a" },
	{ "async def f(): pass", false, false, "" },
	{ "class A:\n    def f(self): pass", false, false, "" },
	{ "def g():\n    def f(): pass", false, false, "" },
	{ "if x:\n    def f(): pass", false, false, "" },
	{ "f = lambda: 1", false, false, "" },
	{ "", false, false, "" },
};

static void functions_are_found_at_the_top_level_only(void **state)
{
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
		struct py_source *s = py_parse(str_of(TABLE[i].text), NULL);
		struct py_function f = { 0 };
		struct buf b = { 0 };

		assert_non_null(s);
		assert_int_equal(py_find_function(s, &a, STR("f"), &f), TABLE[i].found);
		assert_int_equal(f.takes_kwargs, TABLE[i].kwargs);
		for (size_t k = 0; k < f.n_keyword_only; k++)
			buf_addf(&b, "%s%.*s", k != 0 ? "," : "", STR_ARG(f.keyword_only[k]));
		assert_string_equal(str_cstr(&a, buf_str(&b)), TABLE[i].keyword_only);
		buf_release(&b);
		py_free(s);
	}
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_found_at_the_top_level_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
