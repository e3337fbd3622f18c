#include "python/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void an_answer_is_the_same_the_second_time(void **state)
{
	struct py_memory *m = py_memory_create();

	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_true(py_memory_parses(m, STR("import a\n")));
		assert_false(py_memory_parses(m, STR("import a, (\n")));
		assert_true(py_memory_is_expression(m, STR("F.lit(1)")));
		assert_false(py_memory_is_expression(m, STR("x = 1")));
	}
	py_memory_destroy(m);
}

static void questions_are_not_taken_for_each_other(void **state)
{
	struct py_memory *m = py_memory_create();

	(void)state;
	assert_true(py_memory_parses(m, STR("x = 1")));
	assert_false(py_memory_is_expression(m, STR("x = 1")));
	py_memory_destroy(m);
}

static void names_outlive_the_text_and_the_arena_that_they_were_asked_with(void **state)
{
	struct py_memory *m = py_memory_create();
	struct arena a = { 0 };
	char text[] = "F.col(x)";
	struct str *name;
	size_t n;

	(void)state;
	assert_true(py_memory_names(m, &a, str_of(text), &name, &n));
	text[0] = 'G';
	arena_release(&a);
	assert_true(py_memory_names(m, &a, STR("F.col(x)"), &name, &n));
	assert_int_equal(n, 3);
	assert_true(str_is(name[0], "F") && str_is(name[1], "F.") && str_is(name[2], "x"));
	assert_false(py_memory_names(m, &a, STR("F.col("), &name, &n));
	arena_release(&a);
	py_memory_destroy(m);
}

static void a_full_memory_still_answers(void **state)
{
	struct py_memory *m = py_memory_create();
	struct arena a = { 0 };
	struct str *name;
	size_t n;

	(void)state;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 1500; i++) {
			struct str expected = str_fmt(&a, "x%d", i);

			assert_true(py_memory_names(m, &a, expected, &name, &n));
			assert_int_equal(n, 1);
			assert_true(str_eq(name[0], expected));
		}
	arena_release(&a);
	py_memory_destroy(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_the_same_the_second_time),
		cmocka_unit_test(questions_are_not_taken_for_each_other),
		cmocka_unit_test(names_outlive_the_text_and_the_arena_that_they_were_asked_with),
		cmocka_unit_test(a_full_memory_still_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
