/* Interning: one copy for equal texts. */
#include "base/intern.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void equal_texts_give_the_same_pointer(void **state)
{
	struct arena a = { 0 };
	struct intern in = { .arena = &a };
	char other[] = "pipelines/a.yaml";
	const char *first = intern_cstr(&in, STR("pipelines/a.yaml"));

	(void)state;
	assert_ptr_equal(intern_cstr(&in, (struct str){ other, sizeof other - 1 }), first);
	assert_string_equal(first, "pipelines/a.yaml");
	assert_ptr_not_equal(intern_cstr(&in, STR("pipelines/b.yaml")), first);
	arena_release(&a);
}

static void a_part_of_a_text_is_a_text_of_its_own(void **state)
{
	struct arena a = { 0 };
	struct intern in = { .arena = &a };

	(void)state;
	assert_string_equal(intern_cstr(&in, str_sub(STR("abc"), 0, 2)), "ab");
	assert_string_equal(intern_cstr(&in, STR("abc")), "abc");
	assert_string_equal(intern_cstr(&in, STR("")), "");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_give_the_same_pointer),
		cmocka_unit_test(a_part_of_a_text_is_a_text_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
