#include "ui/text.h"
#include "ui_case.h"

#include "base/arena.h"

static void width_counts_columns_of_wide_combining_and_escaped_text(void **state)
{
	(void)state;
	assert_int_equal(text_width(STR("abc")), 3);
	assert_int_equal(text_width(STR("größe")), 5);
	assert_int_equal(text_width(STR("表")), 2);
	assert_int_equal(text_width(STR("e\u0301")), 1);
	assert_int_equal(text_width(STR("\033[31mred\033[0m")), 3);
}

static void assert_wrapped(const char *text, size_t width, const char *const *want)
{
	struct str rest = str_of(text), line;

	while (text_wrap(&rest, width, &line)) {
		assert_non_null(*want);
		assert_int_equal(line.n, strlen(*want));
		assert_memory_equal(line.p, *want, line.n);
		want++;
	}
	assert_null(*want);
}

static void lines_break_at_blanks(void **state)
{
	(void)state;
	assert_wrapped("one two three", 8, (const char *[]){ "one two", "three", NULL });
	assert_wrapped("one\n\ntwo", 8, (const char *[]){ "one", "", "two", NULL });
	assert_wrapped("fits", 4, (const char *[]){ "fits", NULL });
}

static void an_error_code_is_never_cut(void **state)
{
	(void)state;
	assert_wrapped("(see:LHP-VAL-007)", 10, (const char *[]){ "(see:", "LHP-VAL-00", "7)", NULL });
	assert_wrapped("aaaa/bbbb/LHP-VAL-007", 14, (const char *[]){ "aaaa/bbbb/", "LHP-VAL-007", NULL });
	assert_wrapped("Error [LHP-CFG-001]: x", 16, (const char *[]){ "Error", "[LHP-CFG-001]: x", NULL });
}

static void a_long_word_is_cut_at_the_width(void **state)
{
	(void)state;
	assert_wrapped("abcdefgh", 3, (const char *[]){ "abc", "def", "gh", NULL });
}

static void flat_text_has_one_line_and_no_control_characters(void **state)
{
	struct arena a = { 0 };
	struct str flat = text_flat(&a, STR(" a\n\tb\x1b[2J  c "));

	(void)state;
	assert_true(str_is(flat, "a b [2J c"));
	arena_release(&a);
}

static void cut_text_ends_with_an_ellipsis(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_true(str_is(text_cut(&a, STR("abcdef"), 4), "abc…"));
	assert_true(str_is(text_cut(&a, STR("abcd"), 4), "abcd"));
	assert_true(str_is(text_cut(&a, STR("表表表"), 4), "表…"));
	arena_release(&a);
}

static void safe_text_shows_control_characters(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_true(str_is(text_safe(&a, STR("a\x1b[2J\nb")), "a\\x1b[2J\nb"));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(width_counts_columns_of_wide_combining_and_escaped_text),
		cmocka_unit_test(lines_break_at_blanks),
		cmocka_unit_test(an_error_code_is_never_cut),
		cmocka_unit_test(a_long_word_is_cut_at_the_width),
		cmocka_unit_test(flat_text_has_one_line_and_no_control_characters),
		cmocka_unit_test(cut_text_ends_with_an_ellipsis),
		cmocka_unit_test(safe_text_shows_control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
