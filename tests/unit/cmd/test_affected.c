#include "two_flowgroups.h"

#include <stdio.h>

/* Fails the test when the command does. */
static void shell(const struct cmd_case *c, const char *command)
{
	char line[512];

	snprintf(line, sizeof line, "cd %s && %s", c->folder, command);
	assert_int_equal(system(line), 0);
}

static void case_make(struct cmd_case *c)
{
	case_open(c);
	two_flowgroups_put(c);
	case_put(c, ".gitignore", "generated/\n.lhp/\n");
	shell(c, "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm one");
}

static void nothing_changed_is_nothing_affected(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "affected --since HEAD --exit-code"), 0);
	assert_string_equal(c.out, "Nothing is affected: 0 changed paths.\n");
	case_put(&c, "pipelines/recent.yaml.txt", "x");
	case_put(&c, "substitutions/dev.yaml", "# c\ndev:\n  catalog: dev_catalog\n  schema_silver: silver\n");
	assert_int_equal(case_run(&c, "affected --since HEAD --exit-code"), 0);
	assert_string_equal(c.out, "Nothing is affected: 2 changed paths.\n");
	case_close(&c);
}

static void a_changed_file_reaches_flowgroup_table_pipeline_and_reader(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	case_put(&c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(&c, "affected --since HEAD"), 0);
	assert_string_equal(c.out, "Flowgroups:\n"
	                           "  changed  silver_orders.orders_recent  pipelines/recent.yaml  (code)\n"
	                           "Tables:\n"
	                           "  dev_catalog.silver.orders_recent\n"
	                           "Pipelines to deploy:\n"
	                           "  silver_orders\n"
	                           "Readers in other pipelines:\n"
	                           "  gold_orders.orders_mirror  reads dev_catalog.silver.orders_recent, made by "
	                           "silver_orders.orders_recent (changed)\n");
	assert_int_equal(case_run(&c, "affected --since HEAD --format names --exit-code"), 1);
	assert_string_equal(c.out, "silver_orders\n");
	assert_false(fs_is_dir(&c.fs, STR(".lhp")));
	case_close(&c);
}

static void renamed_and_new_flowgroups_are_removed_and_added(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	shell(&c, "sed 's/orders_mirror/orders_copy/' pipelines/mirror.yaml > pipelines/copy.yaml && rm pipelines/mirror.yaml");
	assert_int_equal(case_run(&c, "affected --since HEAD"), 0);
	assert_string_equal(c.out, "Flowgroups:\n"
	                           "  added    gold_orders.orders_copy  pipelines/copy.yaml  (is new)\n"
	                           "  removed  gold_orders.orders_mirror  pipelines/mirror.yaml  (is gone)\n"
	                           "Tables:\n"
	                           "  dev_catalog.gold.orders_copy\n"
	                           "  dev_catalog.gold.orders_mirror\n"
	                           "Pipelines to deploy:\n"
	                           "  gold_orders\n");
	case_close(&c);
}

static void a_moved_file_affects_nothing(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	shell(&c, "mkdir pipelines/deep && git mv pipelines/mirror.yaml pipelines/deep/m.yaml");
	assert_int_equal(case_run(&c, "affected --since HEAD --format json"), 0);
	assert_non_null(strstr(c.out, "\"changed_paths\": [\"pipelines/deep/m.yaml\", \"pipelines/mirror.yaml\"],\n  \"flowgroups\": []"));
	case_close(&c);
}

static void a_token_is_a_change_since_the_commit_where_the_branches_parted(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	shell(&c, "git branch main_line && sed -i 's/: silver/: v2/' substitutions/dev.yaml && "
	          "git -c user.name=a -c user.email=a@example.com commit -qam two");
	assert_int_equal(case_run(&c, "affected --since main_line --format names"), 0);
	assert_string_equal(c.out, "gold_orders\nsilver_orders\n");
	case_close(&c);
}

static void an_unknown_revision_is_wrong_usage(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "affected --since nowhere"), 2);
	assert_string_equal(c.err, "lhp: fatal: Not a valid object name nowhere\n");
	assert_int_equal(case_run(&c, "affected --since -x"), 2);
	assert_string_equal(c.err, "lhp: '-x' is no revision\n");
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_changed_is_nothing_affected),
		cmocka_unit_test(a_changed_file_reaches_flowgroup_table_pipeline_and_reader),
		cmocka_unit_test(renamed_and_new_flowgroups_are_removed_and_added),
		cmocka_unit_test(a_moved_file_affects_nothing),
		cmocka_unit_test(a_token_is_a_change_since_the_commit_where_the_branches_parted),
		cmocka_unit_test(an_unknown_revision_is_wrong_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
