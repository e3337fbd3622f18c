#include "two_flowgroups.h"

static void case_make(struct cmd_case *c)
{
	case_open(c);
	two_flowgroups_put(c);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
}

static void without_a_stored_trace_it_says_so(void **state)
{
	struct cmd_case c;

	(void)state;
	case_open(&c);
	two_flowgroups_put(&c);
	assert_int_equal(case_run(&c, "why orders_recent"), 0);
	assert_string_equal(c.out, "There is no store yet: the first `lhp generate` or `lhp validate` makes it.\n"
	                           "silver_orders.orders_recent has no stored trace in dev: the next run builds it.\n");
	assert_false(fs_is_dir(&c.fs, STR(".lhp")));
	case_close(&c);
}

static void an_untouched_flowgroup_is_up_to_date(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "why silver_orders.orders_recent -e dev"), 0);
	assert_string_equal(c.out, "orders_recent is up to date: nothing that it was made from has changed.\n");
	case_put(&c, "substitutions/dev.yaml", "# a comment\ndev:\n  schema_silver: silver\n  catalog: dev_catalog\n");
	assert_int_equal(case_run(&c, "why silver_orders.orders_recent -e dev"), 0);
	assert_string_equal(c.out, "orders_recent is up to date: nothing that it was made from has changed.\n");
	case_close(&c);
}

static void a_token_and_a_file_are_told_with_their_places_and_new_readers(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	case_put(&c, "substitutions/dev.yaml", "dev:\n  catalog: dev_catalog\n  schema_silver: silver_v2\n");
	case_put(&c, "sql/recent.sql", "SELECT 3 AS x\n");
	assert_int_equal(case_run(&c, "why orders_recent"), 0);
	assert_string_equal(c.out,
	                    "orders_recent would be rebuilt:\n"
	                    "  token schema_silver  silver -> silver_v2  substitutions/dev.yaml:3  read at pipelines/recent.yaml:11\n"
	                    "  file sql/recent.sql  8d3398 -> e92e86                               read at pipelines/recent.yaml:6\n"
	                    "Then also, because the table dev_catalog.silver_v2.orders_recent is new to them:\n"
	                    "  gold_orders.orders_mirror\n");
	case_close(&c);
}

static void an_option_of_the_last_run_that_is_not_given_is_told(void **state)
{
	struct cmd_case c;

	(void)state;
	case_open(&c);
	two_flowgroups_put(&c);
	case_put(&c, "pipelines/tested.yaml", "pipeline: gold_orders\nflowgroup: tested\nactions:\n"
	                                      "  - {name: t, type: test, test_type: uniqueness, source: c.gold.t, columns: [a]}\n");
	assert_int_equal(case_run(&c, "generate -e dev --no-format --include-tests"), 0);
	assert_int_equal(case_run(&c, "why tested"), 0);
	assert_string_equal(c.out, "tested would be rebuilt:\n"
	                           "  option --include-tests  given -> not given  read at pipelines/tested.yaml:4\n");
	assert_int_equal(case_run(&c, "why orders_recent"), 0);
	assert_string_equal(c.out, "orders_recent is up to date: nothing that it was made from has changed.\n");
	case_close(&c);
}

static void an_output_is_looked_for_where_it_was_put(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "generate -e dev --no-format -o out"), 0);
	assert_int_equal(fs_remove_tree(&c.fs, STR("generated/dev/silver_orders")), 0);
	assert_int_equal(case_run(&c, "why orders_recent"), 0);
	assert_string_equal(c.out, "orders_recent is up to date: nothing that it was made from has changed.\n");
	assert_int_equal(case_run(&c, "why out/silver_orders/orders_recent.py"), 0);
	assert_string_equal(c.out, "orders_recent is up to date: nothing that it was made from has changed.\n");
	assert_int_equal(case_run(&c, "why generated/dev/silver_orders/orders_recent.py"), 0);
	assert_string_equal(c.out, "orders_recent would be rebuilt:\n"
	                           "  output generated/dev/silver_orders/orders_recent.py is gone\n");
	case_close(&c);
}

static void an_output_leads_to_its_flowgroup_and_its_own_state(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(fs_remove_tree(&c.fs, STR("generated/dev/silver_orders")), 0);
	case_put(&c, "generated/dev/gold_orders/orders_mirror.py", "mine = 1\n");
	assert_int_equal(case_run(&c, "why generated/dev/silver_orders/orders_recent.py"), 0);
	assert_string_equal(c.out, "orders_recent would be rebuilt:\n"
	                           "  output generated/dev/silver_orders/orders_recent.py is gone\n");
	assert_int_equal(case_run(&c, "why generated/dev/gold_orders/orders_mirror.py"), 0);
	assert_string_equal(c.out, "orders_mirror would be rebuilt:\n"
	                           "  output generated/dev/gold_orders/orders_mirror.py was edited by hand\n");
	case_close(&c);
}

static void a_resource_file_is_told_from_what_the_run_depended_on(void **state)
{
	static const char resource[] = "resources/lhp/gold_orders.pipeline.yml";
	struct cmd_case c;

	(void)state;
	case_open(&c);
	two_flowgroups_put(&c);
	case_put(&c, "databricks.yml", "bundle:\n  name: demo\ntargets:\n  dev: {}\n");
	case_put(&c, "config/pc.yaml", "project_defaults:\n  catalog: '${catalog}'\n  schema: s\n");
	assert_int_equal(case_run(&c, "generate -e dev --no-format -pc config/pc.yaml"), 0);
	assert_int_equal(case_run(&c, "why resources/lhp/gold_orders.pipeline.yml"), 0);
	assert_string_equal(c.out, "resources/lhp/gold_orders.pipeline.yml is up to date: nothing that it was made from has changed.\n");
	case_put(&c, "substitutions/dev.yaml", "dev:\n  schema_silver: silver\n  catalog: other\n");
	case_put(&c, resource, "mine: 1\n");
	assert_int_equal(case_run(&c, "why resources/lhp/gold_orders.pipeline.yml"), 0);
	assert_string_equal(c.out, "resources/lhp/gold_orders.pipeline.yml would be rebuilt:\n"
	                           "  token catalog  dev_catalog -> other  substitutions/dev.yaml:3\n"
	                           "  output resources/lhp/gold_orders.pipeline.yml was edited by hand\n");
	assert_int_equal(case_run(&c, "why resources/lhp/gold_orders.pipeline.yml --format json"), 0);
	assert_non_null(strstr(c.out, "\"kind\": \"output\", \"env\": \"dev\", \"rebuild\": true"));
	assert_non_null(strstr(c.out, "\"path\": \"resources/lhp/gold_orders.pipeline.yml\", \"state\": \"edited\"}]}\n"));
	case_close(&c);
}

static void a_table_has_producers_and_readers(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "why dev_catalog.silver.orders_recent"), 0);
	assert_string_equal(c.out, "dev_catalog.silver.orders_recent is made by:\n"
	                           "  silver_orders.orders_recent  pipelines/recent.yaml\n"
	                           "Their code reads dev_catalog.silver.orders_recent:\n"
	                           "  gold_orders.orders_mirror  pipelines/mirror.yaml\n");
	case_close(&c);
}

static void a_file_has_users(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	case_put(&c, "sql/unused.sql", "SELECT 1\n");
	assert_int_equal(case_run(&c, "why sql/recent.sql"), 0);
	assert_string_equal(c.out, "These depend on sql/recent.sql:\n"
	                           "  silver_orders.orders_recent  pipelines/recent.yaml\n");
	assert_int_equal(case_run(&c, "why substitutions/dev.yaml --format json"), 0);
	assert_string_equal(c.out, "{\"what\": \"substitutions/dev.yaml\", \"kind\": \"file\", \"env\": \"dev\",\n"
	                           "  \"flowgroups\": [{\"pipeline\": \"gold_orders\", \"flowgroup\": \"orders_mirror\", "
	                           "\"file\": \"pipelines/mirror.yaml\"}, {\"pipeline\": \"silver_orders\", "
	                           "\"flowgroup\": \"orders_recent\", \"file\": \"pipelines/recent.yaml\"}]}\n");
	assert_int_equal(case_run(&c, "why sql/unused.sql"), 0);
	assert_string_equal(c.out, "No flowgroup depends on sql/unused.sql in dev.\n");
	case_close(&c);
}

static void a_preset_file_has_the_users_of_its_chain(void **state)
{
	struct cmd_case c;

	(void)state;
	case_open(&c);
	two_flowgroups_put(&c);
	case_put(&c, "presets/base.yaml", "name: base\ndefaults:\n  write_actions:\n    streaming_table: {table_properties: {a: b}}\n");
	case_put(&c, "presets/fast.yaml", "name: fast\nextends: base\ndefaults: {}\n");
	case_put(&c, "pipelines/one.yaml",
	         "pipeline: p\nflowgroup: one\npresets: [fast]\nactions:\n"
	         "  - {name: l, type: load, target: v, source: {type: sql, sql: SELECT 1}}\n"
	         "  - {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: t}}\n");
	assert_int_equal(case_run(&c, "why presets/base.yaml"), 0);
	assert_string_equal(c.out, "These depend on presets/base.yaml:\n  p.one  pipelines/one.yaml\n");
	case_close(&c);
}

static void what_nobody_knows_is_an_error(void **state)
{
	struct cmd_case c;

	(void)state;
	case_make(&c);
	assert_int_equal(case_run(&c, "why nothing"), 1);
	assert_string_equal(c.err, "lhp: nothing is no flowgroup, table, input or output of this project in dev\n");
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_stored_trace_it_says_so),
		cmocka_unit_test(an_untouched_flowgroup_is_up_to_date),
		cmocka_unit_test(a_token_and_a_file_are_told_with_their_places_and_new_readers),
		cmocka_unit_test(an_option_of_the_last_run_that_is_not_given_is_told),
		cmocka_unit_test(an_output_is_looked_for_where_it_was_put),
		cmocka_unit_test(an_output_leads_to_its_flowgroup_and_its_own_state),
		cmocka_unit_test(a_resource_file_is_told_from_what_the_run_depended_on),
		cmocka_unit_test(a_table_has_producers_and_readers),
		cmocka_unit_test(a_file_has_users),
		cmocka_unit_test(a_preset_file_has_the_users_of_its_chain),
		cmocka_unit_test(what_nobody_knows_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
