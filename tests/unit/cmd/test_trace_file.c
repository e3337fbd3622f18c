#include "two_flowgroups.h"

static void a_trace_holds_every_phase_of_every_environment(void **state)
{
	static const char *const part[] = { "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", "\"name\":\"discover\"",
		                            "\"args\":{\"name\":\"dev\"}", "\"args\":{\"name\":\"prod\"}",
		                            "\"name\":\"validate\",\"pid\":1,\"tid\":2" };
	struct cmd_case *c = *state;
	struct str text;

	case_put(c, "lhp.yaml", "name: unit\n");
	assert_int_equal(case_run(c, "validate -e dev,prod --trace t.json"), 0);
	assert_int_equal(fs_read(&c->fs, STR("t.json"), &c->arena, &text, NULL), 0);
	for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
		if (!str_has(text, str_of(part[i])))
			fail_msg("%s is not in %.*s", part[i], STR_ARG(text));
	assert_true(str_ends(text, STR("\n]}\n")));
}

/* Each as often as it was worked on. */
static void a_trace_holds_the_flowgroups_that_were_worked_on(void **state)
{
	static const struct {
		const char *line;
		bool recent, mirror;
	} run[] = { { "generate -e dev --no-format --trace t.json", true, true },
		    { "generate -e dev --no-format --trace t.json", true, false },
		    { "generate -e dev --no-format --trace t.json", false, false },
		    { "generate -e dev,prod --no-format --max-workers 1 --trace t.json", true, true } };
	struct cmd_case *c = *state;

	case_put(c, "substitutions/prod.yaml", "prod:\n  catalog: prod_catalog\n  schema_silver: silver\n");
	for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
		struct str text;

		if (i == 1)
			case_put(c, "sql/recent.sql", "SELECT 1 AS a\n");
		assert_int_equal(case_run(c, run[i].line), 0);
		assert_int_equal(fs_read(&c->fs, STR("t.json"), &c->arena, &text, NULL), 0);
		assert_int_equal(str_has(text, STR("\"name\":\"silver_orders.orders_recent\",\"cat\":\"flowgroup\"")), run[i].recent);
		assert_int_equal(str_has(text, STR("\"name\":\"gold_orders.orders_mirror\",\"cat\":\"flowgroup\"")), run[i].mirror);
		assert_int_equal(str_has(text, STR("\"tid\":2001,\"args\":{\"name\":\"thread 1\"}")), i == 3);
	}
}

static void the_log_file_holds_phases(void **state)
{
	struct cmd_case *c = *state;
	struct str text;

	case_put(c, "lhp.yaml", "name: unit\n");
	assert_int_equal(case_run(c, "--log-file validate"), 0);
	assert_int_equal(fs_read(&c->fs, STR(".lhp/logs/lhp.log"), &c->arena, &text, NULL), 0);
	assert_true(str_has(text, STR("INFO: phase preflight done")));
}

static void verbose_says_on_standard_error_what_the_log_holds(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: unit\n");
	assert_int_equal(case_run(c, "-v validate"), 0);
	assert_non_null(strstr(c->err, "INFO: phase preflight done"));
	assert_int_equal(case_run(c, "validate"), 0);
	assert_null(strstr(c->err, "INFO:"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_trace_holds_every_phase_of_every_environment, case_setup),
		case_test(a_trace_holds_the_flowgroups_that_were_worked_on, two_flowgroups),
		case_test(the_log_file_holds_phases, case_setup),
		case_test(verbose_says_on_standard_error_what_the_log_holds, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
