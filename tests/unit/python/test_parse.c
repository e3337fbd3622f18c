#include "python/pysrc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static bool parses(const char *text, struct py_error *err)
{
	struct py_source *s = py_parse(str_of(text), err);

	py_free(s);
	return s != NULL;
}

/* Each was put to python3.11's ast.parse. */
static const char *const GOOD[] = {
	"",
	"# only a comment",
	"\xef\xbb\xbfx = 1\n",
	"x = 1\r\ny = 2\r\n",
	"def f(a, /, b=1, *c, d, e=2, **k) -> int:\n    return a\n",
	"async def f():\n\tasync with a as b:\n\t\tawait b\n",
	"class A(B, metaclass=M):\n    x: int = 1\n    def f(self): pass\n",
	"match x:\n    case {'a': 1}:\n        pass\n    case _:\n        pass\n",
	"match = print = type = exec = 1\n",
	"print(1)\nprint >>f, x\n",
	"type(x).y = 1\n",
	"try:\n    pass\nexcept* (A, B) as e:\n    pass\nelse:\n    pass\nfinally:\n    pass\n",
	"with (open(a) as f, open(b) as g):\n    pass\n",
	"if (n := len(a)) > 10: pass\n",
	"f(x := 1, *a, **k)\nf(*a, b=1, *c)\n",
	"x = f\"{a!r:>{width}} {{}} {b['k']}\"\n",
	"x = f'''{a\n+ b}'''\n",
	"x = r'\\\\' + b'\\x00' rb'\\xff'\n",
	"x = 0xFF + 1_000 + 1e10 + .5 + 1j + 00 + 0b1_0\n",
	"from a import (\n    b as c,  # why\n    d,\n)\n",
	"from . import x\nfrom ...a.b import *\n",
	"a = b = c, *d = 1, 2\n",
	"x: int\ny: list[int] = []\n(z): int = 3\n",
	"del a, b.c, d[1], (e, f)\n",
	"def f(*args: *Ts): pass\n",
	"x = a if b else lambda *, k=1: k\n",
	"x = [y async for y in z if y if not y]\n",
	"return 1\n", /* only the compiler refuses this */
	"if x:\n    a = 1; b = 2\n\n  # odd comment\n    c = 3\n",
	"x = 1 + \\\n    2\n",
};

static const char *const BAD[] = {
	"x = (",
	"x = = 1",
	"print 1",
	"exec 'x'",
	"a <> b",
	"raise A, 'b'",
	"try:\n    pass\nexcept A, e:\n    pass\n",
	"try:\n    pass\nexcept A:\n    pass\nexcept* B:\n    pass\n",
	"def class(): pass",
	"import as",
	"None = 1",
	"async = 1",
	"x.class",
	"f(True=1)",
	"f() = 1",
	"1 = x",
	"(a, b): int = 1",
	"a, b += 1",
	"del f()",
	"x: int = y = 1",
	"x := 1",
	"f(a=b := 1)",
	"f(a=1, b)",
	"f(**a, *b)",
	"f(x for x in y, 1)",
	"def f(a=1, b): pass",
	"def f(*): pass",
	"def f(**k, a): pass",
	"def f((a, b)): pass",
	"def f():\nx = 1\n",
	"  x = 1\n",
	"if x:\n    a = 1\n  b = 2\n",
	"if x:\n    a = 1\n      b = 2\n",
	"from a import b,",
	"class A[T]: pass",
	"def f[T](x): pass",
	"type X = int",
	"f\"{a[\"b\"]}\"",
	"f'{a\n}'",
	"f'{}'",
	"f'{x!z}'",
	"f'}'",
	"f'{chr(10) + \"\\n\"}'",
	"ur'x'",
	"b'\xc3\xa9'",
	"'a' b'c'",
	"'\\x4'",
	"'\\u12'",
	"'abc",
	"0777",
	"1__0",
	"10L",
	"0xg",
	"x = 1 \\ \n+ 2",
	"x = 1\\",
	"x\xc2\xa0= 1",
	"x = $y",
	"x = `y`",
	"[x for x in 1, 2]",
	"[*x for x in y]",
	"A[:*b]",
	"(*x), y = 1",
};

static void what_python_3_11_accepts_parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
		struct py_error e = { 0 };

		if (!parses(GOOD[i], &e))
			fail_msg("refused: %s\n%u:%u %.*s", GOOD[i], e.line, e.col, STR_ARG(e.problem));
	}
}

static void what_python_3_11_refuses_does_not_parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
		if (parses(BAD[i], NULL))
			fail_msg("accepted: %s", BAD[i]);
}

static void a_problem_has_its_place_and_reason(void **state)
{
	struct py_error e;

	(void)state;
	assert_false(parses("x = 1\nprint 'a'\n", &e));
	assert_int_equal(e.line, 2);
	assert_int_equal(e.col, 1);
	assert_true(str_is(e.problem, "print is a function in Python 3: it needs parentheses"));
	assert_false(parses("def f(a):\n    return a.class\n", &e));
	assert_int_equal(e.line, 2);
	assert_int_equal(e.col, 14);
	assert_true(str_is(e.problem, "a keyword cannot be a name"));
}

static void nul_bytes_and_bad_utf8_are_refused(void **state)
{
	struct py_error e;

	(void)state;
	assert_null(py_parse(STR("x = 1\0\n"), &e));
	assert_true(str_is(e.problem, "a NUL byte is not allowed in Python"));
	assert_null(py_parse(STR("# \xff\n"), &e));
	assert_true(str_is(e.problem, "the text is not UTF-8"));
	assert_int_equal(e.col, 3);
}

static void deep_nesting_is_refused_without_recursion(void **state)
{
	enum { DEPTH = 50000 };
	struct buf b = { 0 };
	struct py_error e;
	struct py_source *s;

	(void)state;
	buf_add_repeat(&b, '(', DEPTH);
	buf_add(&b, STR("1"));
	buf_add_repeat(&b, ')', DEPTH);
	assert_null(py_parse(buf_str(&b), &e));
	assert_true(str_is(e.problem, "too many nested brackets"));
	buf_reset(&b);
	buf_add(&b, STR("x"));
	for (int i = 0; i < DEPTH; i++)
		buf_add(&b, STR(".y"));
	s = py_parse(buf_str(&b), &e);
	assert_non_null(s);
	py_free(s);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_python_3_11_accepts_parses),
		cmocka_unit_test(what_python_3_11_refuses_does_not_parse),
		cmocka_unit_test(a_problem_has_its_place_and_reason),
		cmocka_unit_test(nul_bytes_and_bad_utf8_are_refused),
		cmocka_unit_test(deep_nesting_is_refused_without_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
