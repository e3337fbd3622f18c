#include "cmd_case.h"

static int dev_and_prod(void **state)
{
	struct cmd_case *c;

	case_setup(state);
	c = *state;
	case_put(c, "lhp.yaml", "name: unit\n");
	case_put(c, "substitutions/prod.yaml", "prod: {a: b}\n");
	case_put(c, "substitutions/dev.yaml", "dev: {a: b}\n");
	case_put(c, "substitutions/notes.txt", "x\n");
	return 0;
}

static size_t summaries(const struct cmd_case *c)
{
	return str_count_char(str_of(c->out), '\n');
}

static void all_is_every_file_of_substitutions(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "validate -e all --message-format json"), 0);
	assert_int_equal(summaries(c), 2);
	assert_true(str_starts(str_of(c->out), STR("{\"type\":\"summary\",\"command\":\"validate\",\"env\":\"dev\"")));
	assert_non_null(strstr(c->out, "\"env\":\"prod\""));
}

static void each_name_of_a_list_counts_once(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "validate -e prod,dev,,prod --message-format json"), 0);
	assert_int_equal(summaries(c), 2);
	assert_non_null(strstr(c->err, "env prod\n"));
}

static void one_environment_has_no_heading(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "validate -e dev"), 0);
	assert_null(strstr(c->err, "env dev"));
}

static void all_without_any_environment_is_an_error(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: unit\n");
	assert_int_equal(case_run(c, "validate -e all"), 1);
	assert_non_null(strstr(c->err, "there is no environment"));
}

static void a_list_of_no_names_is_wrong_usage(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "validate -e ,"), 2);
	assert_non_null(strstr(c->err, "Invalid value for '--env': ',' names no environment."));
}

/* The worst status of all environments is the program's. */
static void one_bad_environment_fails_the_run(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "substitutions/prod.yaml", "- a list\n");
	assert_int_equal(case_run(c, "validate -e dev,prod --message-format json"), 1);
	assert_non_null(strstr(c->out, "\"code\":\"LHP-CFG-020\""));
	assert_non_null(strstr(c->out, "\"env\":\"dev\",\"status\":0"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(all_is_every_file_of_substitutions, dev_and_prod),
		case_test(each_name_of_a_list_counts_once, dev_and_prod),
		case_test(one_environment_has_no_heading, dev_and_prod),
		case_test(all_without_any_environment_is_an_error, case_setup),
		case_test(a_list_of_no_names_is_wrong_usage, dev_and_prod),
		case_test(one_bad_environment_fails_the_run, dev_and_prod),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
