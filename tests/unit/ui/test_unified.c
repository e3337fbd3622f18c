#include "ui/unified.h"
#include "ui_case.h"

static void assert_diff(const char *before, const char *after, const char *want)
{
	struct arena a = { 0 };
	struct pen p = { 0 };

	unified_diff(&p, &a, str_of(before), str_of(after), STR("old"), STR("new"));
	assert_written(&p, want);
	arena_release(&a);
}

static void equal_texts_have_no_difference(void **state)
{
	(void)state;
	assert_diff("a\n", "a\n", "");
}

static void a_changed_line_stands_between_three_lines_of_context(void **state)
{
	(void)state;
	assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nX\n6\n7\n8\n9\n",
	            "--- old\n+++ new\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+X\n 6\n 7\n 8\n");
}

static void far_changes_are_hunks_of_their_own_and_near_ones_share_one(void **state)
{
	(void)state;
	assert_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
	            "--- old\n+++ new\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
	assert_diff("a\n1\n2\nb\n", "A\n1\n2\nB\n", "--- old\n+++ new\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n-b\n+B\n");
}

static void lines_are_inserted_and_removed_at_the_ends(void **state)
{
	(void)state;
	assert_diff("", "a\nb\n", "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
	assert_diff("# stale\n", "x\ny\n", "--- old\n+++ new\n@@ -1 +1,2 @@\n-# stale\n+x\n+y\n");
	assert_diff("a\nb\nc\n", "b\nc\nd\n", "--- old\n+++ new\n@@ -1,3 +1,3 @@\n-a\n b\n c\n+d\n");
	assert_diff("a\na\na\n", "a\na\n", "--- old\n+++ new\n@@ -1,3 +1,2 @@\n a\n a\n-a\n");
}

static void a_missing_last_newline_is_a_difference(void **state)
{
	(void)state;
	assert_diff("a\nb", "a\nb\n", "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
}

static void texts_beyond_the_bound_are_one_replacement(void **state)
{
	struct arena a = { 0 };
	struct buf before = { 0 }, after = { 0 };
	struct pen p = { 0 };

	(void)state;
	for (int i = 0; i < UNIFIED_MAX_EDITS; i++) {
		buf_addf(&before, "a%d\nsame\n", i);
		buf_addf(&after, "b%d\nsame\n", i);
	}
	unified_diff(&p, &a, buf_str(&before), buf_str(&after), STR("old"), STR("new"));
	assert_true(str_has(buf_str(&p.buf), STR("@@ -1,2000 +1,2000 @@\n-a0\n-same\n-a1\n")));
	buf_release(&p.buf);
	buf_release(&before);
	buf_release(&after);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_no_difference),
		cmocka_unit_test(a_changed_line_stands_between_three_lines_of_context),
		cmocka_unit_test(far_changes_are_hunks_of_their_own_and_near_ones_share_one),
		cmocka_unit_test(lines_are_inserted_and_removed_at_the_ends),
		cmocka_unit_test(a_missing_last_newline_is_a_difference),
		cmocka_unit_test(texts_beyond_the_bound_are_one_replacement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
