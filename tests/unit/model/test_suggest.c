#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/suggest.h"

#define N(array) (sizeof(array) / sizeof *(array))

/* Values of Python's difflib.SequenceMatcher(None, a, b).ratio(). */
static void ratio_is_that_of_ratcliff_and_obershelp(void **state)
{
	static const struct {
		struct str a, b;
		double ratio;
	} row[] = {
		{ STR_INIT("abxcd"), STR_INIT("abcd"), 0.8888888888888888 },
		{ STR_INIT("qabxcd"), STR_INIT("abycdf"), 0.6666666666666666 },
		{ STR_INIT("private"), STR_INIT("prevent"), 0.5714285714285714 },
		{ STR_INIT("prevent"), STR_INIT("private"), 0.42857142857142855 },
		{ STR_INIT("tide"), STR_INIT("diet"), 0.25 },
		{ STR_INIT("diet"), STR_INIT("tide"), 0.5 },
		{ STR_INIT(""), STR_INIT(""), 1 },
		{ STR_INIT("größe"), STR_INIT("grösse"), 0.7272727272727273 },
	};
	(void)state;
	for (size_t i = 0; i < N(row); i++)
		assert_true(suggest_ratio(row[i].a, row[i].b) == row[i].ratio);
}

static void texts_beyond_the_bound_are_not_compared(void **state)
{
	char big[SUGGEST_MAX_CHARS + 1];
	struct str s = { big, sizeof big };

	(void)state;
	memset(big, 'x', sizeof big);
	assert_true(suggest_ratio(s, s) == 0);
	s.n--;
	assert_true(suggest_ratio(s, s) == 1);
}

static void best_names_come_first_and_equal_ones_descending(void **state)
{
	static const struct str name[] = { STR_INIT("bronze_a"), STR_INIT("bronze_b"), STR_INIT("bronze_c"),
		                           STR_INIT("bronze_d"), STR_INIT("silver"), STR_INIT("bronz") };
	struct str out[3];

	(void)state;
	assert_int_equal(suggest_names(STR("bronze"), name, N(name), out, 3), 3);
	assert_true(str_is(out[0], "bronz"));
	assert_true(str_is(out[1], "bronze_d"));
	assert_true(str_is(out[2], "bronze_c"));
	assert_int_equal(suggest_names(STR("bronze"), name, N(name), out, 1), 1);
	assert_true(str_is(out[0], "bronz"));
	assert_int_equal(suggest_names(STR("gold"), name, N(name), out, 3), 0);
}

static const struct str known[] = { STR_INIT("type"), STR_INIT("path"), STR_INIT("format"), STR_INIT("options"),
	                            STR_INIT("readMode"), STR_INIT("schema_file"), STR_INIT("schema"),
	                            STR_INIT("partition_columns"), STR_INIT("cluster_columns") };

static void keys_are_suggested(void **state)
{
	static const struct {
		struct str key;
		const char *meant;
	} row[] = {
		{ STR_INIT("mode"), "readMode" },          /* fixed hints */
		{ STR_INIT("read_mode"), "readMode" },
		{ STR_INIT("partitions"), "partition_columns" },
		{ STR_INIT("sub_type"), "type" },
		{ STR_INIT("formats"), "format" },         /* one contains the other */
		{ STR_INIT("pth"), "" },                   /* 1 of 4 at its place */
		{ STR_INIT("paht"), "" },                  /* 2 of 4 */
		{ STR_INIT("formet"), "format" },          /* 5 of 6 */
		{ STR_INIT("schem"), "schema" },           /* in schema and schema_file: the first by name */
		{ STR_INIT("zzz"), "" },
		{ STR_INIT(""), "" },
	};
	(void)state;
	for (size_t i = 0; i < N(row); i++)
		assert_true(str_is(suggest_key(row[i].key, known, N(known)), row[i].meant));
}

static void a_fixed_hint_needs_its_key_to_be_known(void **state)
{
	(void)state;
	assert_int_equal(suggest_key(STR("partitions"), known, 3).n, 0);
}

static void the_question_lists_all_near_names(void **state)
{
	static const struct str name[] = { STR_INIT("lead"), STR_INIT("load"), STR_INIT("loads"), STR_INIT("write") };
	struct arena a = { 0 };

	(void)state;
	assert_true(str_is(suggest_question(&a, STR("load"), name, N(name), 3),
	                   "did you mean 'load', 'loads' or 'lead'?"));
	assert_true(str_is(suggest_question(&a, STR("writ"), name, N(name), 3), "did you mean 'write'?"));
	assert_int_equal(suggest_question(&a, STR("xyz"), name, N(name), 3).n, 0);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratio_is_that_of_ratcliff_and_obershelp),
		cmocka_unit_test(texts_beyond_the_bound_are_not_compared),
		cmocka_unit_test(best_names_come_first_and_equal_ones_descending),
		cmocka_unit_test(keys_are_suggested),
		cmocka_unit_test(a_fixed_hint_needs_its_key_to_be_known),
		cmocka_unit_test(the_question_lists_all_near_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
