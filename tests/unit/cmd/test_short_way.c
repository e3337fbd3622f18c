/* An edit that changes nothing for others is done without looking at them; any other edit is looked at as a whole. */
#include "two_flowgroups.h"

/* --stats has a row for each phase that was gone through: discovery is one of the long way. */
static bool is_long(struct cmd_case *c, const char *line)
{
	assert_int_equal(case_run(c, line), 0);
	return strstr(c->err, "  discover ") != NULL;
}

static const char GENERATE[] = "generate -e dev --no-format --stats";

static bool has(struct cmd_case *c, const char *path, const char *text)
{
	struct str bytes;

	return fs_read(&c->fs, str_of(path), &c->arena, &bytes, NULL) == 0 && str_has(bytes, str_of(text));
}

static void a_file_that_one_unit_reads_is_a_matter_of_that_unit(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/recent.sql", "SELECT *, 42 AS answer FROM stream(bronze.orders)\n");
	assert_false(is_long(c, GENERATE));
	assert_non_null(strstr(c->err, "1 of 2 flowgroups rebuilt"));
	assert_true(has(c, "generated/dev/silver_orders/orders_recent.py", "42 AS answer"));
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c->err, "up to date"));
}

static void a_comment_moves_lines_and_no_more(void **state)
{
	struct cmd_case *c = *state;

	recent_put(c, "# a comment\n", "orders_recent");
	assert_false(is_long(c, GENERATE));
	assert_non_null(strstr(c->err, "0 of 2 flowgroups rebuilt"));
}

static void a_token_is_a_matter_of_its_readers(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "substitutions/dev.yaml", "dev:\n  catalog: dev_catalog\n  schema_silver: silver\n  unused: 1\n");
	assert_false(is_long(c, GENERATE));
	assert_non_null(strstr(c->err, "0 of 2 flowgroups rebuilt"));
}

static void another_table_is_a_matter_of_all(void **state)
{
	struct cmd_case *c = *state;

	recent_put(c, "", "orders_latest");
	assert_true(is_long(c, GENERATE));
	assert_true(has(c, "generated/dev/silver_orders/orders_recent.py", "orders_latest"));
}

static void another_name_is_a_matter_of_all(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "pipelines/recent.yaml", str_replace(&c->arena, str_fmt(&c->arena, RECENT, "orders_recent"), STR("flowgroup: orders_recent"),
	                                                 STR("flowgroup: orders_new")).p);
	assert_true(is_long(c, GENERATE));
	assert_true(has(c, "generated/dev/silver_orders/orders_new.py", "orders_recent"));
	assert_false(fs_is_file(&c->fs, STR("generated/dev/silver_orders/orders_recent.py")));
}

static void settings_are_a_matter_of_all(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: demo\nversion: '2.0'\n");
	assert_true(is_long(c, GENERATE));
}

static void a_new_error_is_told_by_the_long_way(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/recent.sql", "SELECT ${no_such_token}\n");
	assert_int_equal(case_run(c, GENERATE), 1);
	assert_true(has(c, "generated/dev/silver_orders/orders_recent.py", "bronze.orders"));
	case_put(c, "sql/recent.sql", "SELECT 1 AS one\n");
	assert_int_equal(case_run(c, GENERATE), 0);
	assert_true(has(c, "generated/dev/silver_orders/orders_recent.py", "1 AS one"));
}

static void an_edited_output_is_put_right_by_the_long_way(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "generated/dev/gold_orders/orders_mirror.py", "# mine\n");
	case_put(c, "sql/recent.sql", "SELECT 1 AS one\n");
	assert_true(is_long(c, GENERATE));
	assert_false(has(c, "generated/dev/gold_orders/orders_mirror.py", "# mine"));
	assert_true(has(c, "generated/dev/silver_orders/orders_recent.py", "1 AS one"));
}

static void monitored_put(struct cmd_case *c, const char *name)
{
	case_put(c, "lhp.yaml", str_fmt(&c->arena, "name: %s\nversion: '1.0'\nevent_log: {catalog: ops, schema: logs}\n"
	                                           "monitoring: {checkpoint_path: /Volumes/cp, job_config_path: config/job.yaml}\n", name).p);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
}

static void a_job_file_that_went_is_not_missed_by_the_next_run(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "config/job.yaml", "max_concurrent_runs: 1\n");
	monitored_put(c, "one");
	monitored_put(c, "two");
	assert_false(fs_is_file(&c->fs, STR("resources/one_event_log_monitoring.job.yml")));
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_non_null(strstr(c->err, "up to date"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_file_that_one_unit_reads_is_a_matter_of_that_unit, two_flowgroups_made),
		case_test(a_comment_moves_lines_and_no_more, two_flowgroups_made),
		case_test(a_token_is_a_matter_of_its_readers, two_flowgroups_made),
		case_test(another_table_is_a_matter_of_all, two_flowgroups_made),
		case_test(another_name_is_a_matter_of_all, two_flowgroups_made),
		case_test(settings_are_a_matter_of_all, two_flowgroups_made),
		case_test(a_new_error_is_told_by_the_long_way, two_flowgroups_made),
		case_test(an_edited_output_is_put_right_by_the_long_way, two_flowgroups_made),
		case_test(a_job_file_that_went_is_not_missed_by_the_next_run, two_flowgroups_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
