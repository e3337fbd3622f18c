#include "python/pysrc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct expected {
	const char *text;
	bool from;
	unsigned level;
	const char *module, *names;
	size_t n_name;
};

static const struct expected TABLE[] = {
	{ "import os", false, 0, "", "os", 1 },
	{ "import a.b as c, d", false, 0, "", "a.b as c, d", 2 },
	{ "from a import b", true, 0, "a", "b", 1 },
	{ "from a.b import c as d, e", true, 0, "a.b", "c as d, e", 2 },
	{ "from a import (\n    b,  # one\n    c as d,\n)", true, 0, "a", "b, c as d", 2 },
	{ "from a . b import c", true, 0, "a.b", "c", 1 },
	{ "from x import *", true, 0, "x", "*", 1 },
	{ "from . import x", true, 1, "", "x", 1 },
	{ "from ...p.q import x", true, 3, "p.q", "x", 1 },
	{ "from __future__ import annotations", true, 0, "__future__", "annotations", 1 },
	{ "def f():\n    from late import x", true, 0, "late", "x", 1 },
	{ "if x:\n    pass\nelse: import y", false, 0, "", "y", 1 },
};

static void every_form_of_import_is_read(void **state)
{
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
		const struct expected *x = &TABLE[i];
		struct py_source *s = py_parse(str_of(x->text), NULL);
		struct py_import *import;
		size_t n;

		assert_non_null(s);
		py_imports(s, &a, &import, &n);
		assert_int_equal(n, 1);
		assert_int_equal(import->from, x->from);
		assert_int_equal(import->level, x->level);
		assert_string_equal(str_cstr(&a, import->module), x->module);
		assert_string_equal(str_cstr(&a, import->names), x->names);
		assert_int_equal(import->n_name, x->n_name);
		py_free(s);
	}
	arena_release(&a);
}

static void the_span_holds_the_statement_alone(void **state)
{
	const char text[] = "x = 1; from a import (b,\n  c); y = 2  # z\n";
	struct py_source *s = py_parse(str_of(text), NULL);
	struct arena a = { 0 };
	struct py_import *import;
	size_t n;

	(void)state;
	py_imports(s, &a, &import, &n);
	assert_int_equal(n, 1);
	assert_string_equal(str_cstr(&a, str_sub(str_of(text), import->at, import->end)), "from a import (b,\n  c)");
	assert_int_equal(import->line, 1);
	assert_int_equal(import->col, 8);
	py_free(s);
	arena_release(&a);
}

static void texts_and_comments_import_nothing(void **state)
{
	struct py_source *s = py_parse(STR("'''\nimport a\n'''\n# import b\nx = 'import c'\n"), NULL);
	struct arena a = { 0 };
	struct py_import *import;
	size_t n;

	(void)state;
	py_imports(s, &a, &import, &n);
	assert_int_equal(n, 0);
	py_free(s);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_import_is_read),
		cmocka_unit_test(the_span_holds_the_statement_alone),
		cmocka_unit_test(texts_and_comments_import_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
