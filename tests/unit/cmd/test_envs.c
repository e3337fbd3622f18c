#include "cmd_case.h"

static void case_make(struct cmd_case *c)
{
	case_open(c);
	case_put(c, "lhp.yaml", "name: unit\n");
	case_put(c, "substitutions/prod.yaml", "prod: {a: b}\n");
	case_put(c, "substitutions/dev.yaml", "dev: {a: b}\n");
	case_put(c, "substitutions/notes.txt", "x\n");
}

static size_t summaries(const struct cmd_case *c)
{
	return str_count_char(str_of(c->out), '\n');
}

static void all_is_every_file_of_substitutions(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "validate -e all --message-format json"), 0);
	assert_int_equal(summaries(&c), 2);
	assert_true(str_starts(str_of(c.out), STR("{\"type\":\"summary\",\"command\":\"validate\",\"env\":\"dev\"")));
	assert_non_null(strstr(c.out, "\"env\":\"prod\""));
	case_close(&c);
}

static void each_name_of_a_list_counts_once(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "validate -e prod,dev,,prod --message-format json"), 0);
	assert_int_equal(summaries(&c), 2);
	assert_non_null(strstr(c.err, "env prod\n"));
	case_close(&c);
}

static void one_environment_has_no_heading(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "validate -e dev"), 0);
	assert_null(strstr(c.err, "env dev"));
	case_close(&c);
}

static void all_without_any_environment_is_an_error(void **state)
{
	struct cmd_case c;

	(void)state;
	case_open(&c);
	case_put(&c, "lhp.yaml", "name: unit\n");
	assert_int_equal(case_run(&c, "validate -e all"), 1);
	assert_non_null(strstr(c.err, "there is no environment"));
	case_close(&c);
}

static void a_list_of_no_names_is_wrong_usage(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "validate -e ,"), 2);
	assert_non_null(strstr(c.err, "Invalid value for '--env': ',' names no environment."));
	case_close(&c);
}

/* The worst status of all environments is the program's. */
static void one_bad_environment_fails_the_run(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	case_put(&c, "substitutions/prod.yaml", "- a list\n");
	assert_int_equal(case_run(&c, "validate -e dev,prod --message-format json"), 1);
	assert_non_null(strstr(c.out, "\"code\":\"LHP-CFG-020\""));
	assert_non_null(strstr(c.out, "\"env\":\"dev\",\"status\":0"));
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_every_file_of_substitutions),
		cmocka_unit_test(each_name_of_a_list_counts_once),
		cmocka_unit_test(one_environment_has_no_heading),
		cmocka_unit_test(all_without_any_environment_is_an_error),
		cmocka_unit_test(a_list_of_no_names_is_wrong_usage),
		cmocka_unit_test(one_bad_environment_fails_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
