#include "two_flowgroups.h"

#include "cache/lock.h"

#include <cJSON.h>

static void without_a_stored_trace_it_says_so(void **state)
{
	struct cmd_case *c = *state;

	assert_prints(c, "why orders_recent", 0,
	              "There is no store yet: the first `lhp generate` or `lhp validate` makes it.\n"
	              "silver_orders.orders_recent has no stored trace in dev: the next run builds it.\n");
	assert_false(fs_is_dir(&c->fs, STR(".lhp")));
}

/* A look at it for its tables is no trace of making it. */
static void what_a_run_of_another_pipeline_looked_at_has_no_stored_trace(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "generate -e dev --no-format -p gold_orders"), 0);
	assert_prints(c, "why orders_mirror", 0, "orders_mirror is up to date: nothing that it was made from has changed.\n");
	assert_prints(c, "why orders_recent", 0,
	              "silver_orders.orders_recent has no stored trace in dev: the next run builds it.\n");
}

static void a_run_of_another_pipeline_does_not_forget_what_is_gone(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "pipelines/more.yaml", "pipeline: gold_orders\nflowgroup: more\nactions:\n"
	                                   "  - {name: l, type: load, target: v, source: {type: sql, sql: SELECT 1 AS a}}\n"
	                                   "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c,"
	                                   " schema: s, table: more}}\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_int_equal(fs_remove_tree(&c->fs, STR("pipelines/more.yaml")), 0);
	assert_int_equal(case_run(c, "generate -e dev --no-format -p silver_orders"), 0);
	assert_prints(c, "why more", 0, "gold_orders.more is no flowgroup of the project any more: what it made would be removed.\n");
}

static void an_untouched_flowgroup_is_up_to_date(void **state)
{
	struct cmd_case *c = *state;

	assert_prints(c, "why silver_orders.orders_recent -e dev", 0,
	              "orders_recent is up to date: nothing that it was made from has changed.\n");
	case_put(c, "substitutions/dev.yaml", "# a comment\ndev:\n  schema_silver: silver\n  catalog: dev_catalog\n");
	assert_prints(c, "why silver_orders.orders_recent -e dev", 0,
	              "orders_recent is up to date: nothing that it was made from has changed.\n");
}

static void a_token_and_a_file_are_told_with_their_places_and_new_readers(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "substitutions/dev.yaml", "dev:\n  catalog: dev_catalog\n  schema_silver: silver_v2\n");
	case_put(c, "sql/recent.sql", "SELECT 3 AS x\n");
	assert_prints(c, "why orders_recent", 0,
	              "orders_recent would be rebuilt:\n"
	              "  token schema_silver  silver -> silver_v2  substitutions/dev.yaml:3  read at pipelines/recent.yaml:11\n"
	              "  file sql/recent.sql  8d3398 -> e92e86                               read at pipelines/recent.yaml:6\n"
	              "Then also, because the table dev_catalog.silver_v2.orders_recent is new to them:\n"
	              "  gold_orders.orders_mirror\n");
}

static void an_option_of_the_last_run_that_is_not_given_is_told(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "pipelines/tested.yaml", "pipeline: gold_orders\nflowgroup: tested\nactions:\n"
	                                     "  - {name: t, type: test, test_type: uniqueness, source: c.gold.t, columns: [a]}\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format --include-tests"), 0);
	assert_prints(c, "why tested", 0,
	              "tested would be rebuilt:\n"
	              "  option --include-tests  given -> not given  read at pipelines/tested.yaml:4\n");
	assert_prints(c, "why orders_recent", 0, "orders_recent is up to date: nothing that it was made from has changed.\n");
}

static void an_output_is_looked_for_where_it_was_put(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "generate -e dev --no-format -o out"), 0);
	assert_int_equal(fs_remove_tree(&c->fs, STR("generated/dev/silver_orders")), 0);
	assert_prints(c, "why orders_recent", 0, "orders_recent is up to date: nothing that it was made from has changed.\n");
	assert_prints(c, "why out/silver_orders/orders_recent.py", 0,
	              "orders_recent is up to date: nothing that it was made from has changed.\n");
	assert_prints(c, "why generated/dev/silver_orders/orders_recent.py", 0,
	              "orders_recent would be rebuilt:\n"
	              "  output generated/dev/silver_orders/orders_recent.py is gone\n");
}

static void an_output_leads_to_its_flowgroup_and_its_own_state(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(fs_remove_tree(&c->fs, STR("generated/dev/silver_orders")), 0);
	case_put(c, "generated/dev/gold_orders/orders_mirror.py", "mine = 1\n");
	assert_prints(c, "why generated/dev/silver_orders/orders_recent.py", 0,
	              "orders_recent would be rebuilt:\n"
	              "  output generated/dev/silver_orders/orders_recent.py is gone\n");
	assert_prints(c, "why generated/dev/gold_orders/orders_mirror.py", 0,
	              "orders_mirror would be rebuilt:\n"
	              "  output generated/dev/gold_orders/orders_mirror.py was edited by hand\n");
}

static void a_resource_file_is_told_from_what_the_run_depended_on(void **state)
{
	static const char resource[] = "resources/lhp/gold_orders.pipeline.yml";
	struct cmd_case *c = *state;

	case_put(c, "databricks.yml", "bundle:\n  name: demo\ntargets:\n  dev: {}\n");
	case_put(c, "config/pc.yaml", "project_defaults:\n  catalog: '${catalog}'\n  schema: s\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format -pc config/pc.yaml"), 0);
	assert_prints(c, "why resources/lhp/gold_orders.pipeline.yml", 0,
	              "resources/lhp/gold_orders.pipeline.yml is up to date: nothing that it was made from has changed.\n");
	case_put(c, "substitutions/dev.yaml", "dev:\n  schema_silver: silver\n  catalog: other\n");
	case_put(c, resource, "mine: 1\n");
	assert_prints(c, "why resources/lhp/gold_orders.pipeline.yml", 0,
	              "resources/lhp/gold_orders.pipeline.yml would be rebuilt:\n"
	              "  token catalog  dev_catalog -> other  substitutions/dev.yaml:3\n"
	              "  output resources/lhp/gold_orders.pipeline.yml was edited by hand\n");
	assert_int_equal(case_run(c, "why resources/lhp/gold_orders.pipeline.yml --format json"), 0);
	assert_non_null(strstr(c->out, "\"kind\": \"output\", \"env\": \"dev\", \"rebuild\": true"));
	assert_non_null(strstr(c->out, "\"path\": \"resources/lhp/gold_orders.pipeline.yml\", \"state\": \"edited\"}]}\n"));
}

/* --- JSON --- */

/* The member at a path of names and numbers, as text: "flowgroups/0/changes/1/key". */
static const char *member(const cJSON *j, const char *path)
{
	struct str rest = str_of(path), part;
	static char text[128];

	while (j != NULL && str_cut(&rest, '/', &part)) {
		snprintf(text, sizeof text, "%.*s", STR_ARG(part));
		j = part.p[0] >= '0' && part.p[0] <= '9' ? cJSON_GetArrayItem(j, atoi(text)) : cJSON_GetObjectItemCaseSensitive(j, text);
	}
	if (j == NULL || cJSON_IsNull(j))
		return j == NULL ? "absent" : "null";
	if (cJSON_IsArray(j))
		snprintf(text, sizeof text, "%d items", cJSON_GetArraySize(j));
	return cJSON_IsString(j) ? j->valuestring : cJSON_IsBool(j) ? cJSON_IsTrue(j) ? "true" : "false" : text;
}

struct told {
	const char *path, *value;
};

static void assert_told(struct cmd_case *c, const char *line, const struct told *want, size_t n)
{
	cJSON *j;

	assert_int_equal(case_run(c, line), 0);
	j = cJSON_Parse(c->out);
	assert_non_null(j);
	for (size_t i = 0; i < n; i++)
		if (strcmp(member(j, want[i].path), want[i].value) != 0)
			fail_msg("%s: %s is %s, not %s", line, want[i].path, member(j, want[i].path), want[i].value);
	cJSON_Delete(j);
}

static void json_of_a_flowgroup_has_all_that_the_text_has(void **state)
{
	static const struct told want[] = {
		{ "what", "orders_recent" },
		{ "kind", "flowgroup" },
		{ "env", "dev" },
		{ "flowgroups", "1 items" },
		{ "flowgroups/0/pipeline", "silver_orders" },
		{ "flowgroups/0/file", "pipelines/recent.yaml" },
		{ "flowgroups/0/stored", "true" },
		{ "flowgroups/0/rebuild", "true" },
		{ "flowgroups/0/changes", "2 items" },
		{ "flowgroups/0/changes/0/kind", "token" },
		{ "flowgroups/0/changes/0/key", "dev/schema_silver" },
		{ "flowgroups/0/changes/0/before_value", "silver" },
		{ "flowgroups/0/changes/0/now_value", "silver_v2" },
		{ "flowgroups/0/changes/0/where", "substitutions/dev.yaml:3" },
		{ "flowgroups/0/changes/0/read_at", "pipelines/recent.yaml:11" },
		{ "flowgroups/0/changes/1/kind", "file" },
		{ "flowgroups/0/changes/1/key", "sql/recent.sql" },
		{ "flowgroups/0/changes/1/now", "null" },
		{ "flowgroups/0/dependencies", "4 items" },
		{ "flowgroups/0/outputs", "1 items" },
		{ "flowgroups/0/outputs/0/path", "generated/dev/silver_orders/orders_recent.py" },
		{ "flowgroups/0/outputs/0/state", "edited" },
	};
	struct cmd_case *c = *state;

	case_put(c, "substitutions/dev.yaml", "dev:\n  catalog: dev_catalog\n  schema_silver: silver_v2\n");
	assert_int_equal(fs_remove_tree(&c->fs, STR("sql/recent.sql")), 0);
	case_put(c, "generated/dev/silver_orders/orders_recent.py", "mine = 1\n");
	assert_told(c, "why orders_recent --format json", want, sizeof want / sizeof *want);
}

/* Generates with one substitutions/dev.yaml and puts another in its place. */
static void tokens_change(struct cmd_case *c, const char *before, const char *now)
{
	case_put(c, "substitutions/dev.yaml", before);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	case_put(c, "substitutions/dev.yaml", now);
}

static void a_token_inside_of_another_is_told_as_the_reason(void **state)
{
	struct cmd_case *c = *state;

	tokens_change(c, "dev:\n  letter: a\n  prefix: 'p_{letter}'\n  catalog: '{prefix}_c'\n  schema_silver: silver\n",
	              "dev:\n  letter: b\n  prefix: 'p_{letter}'\n  catalog: '{prefix}_c'\n  schema_silver: silver_v2\n");
	assert_prints(c, "why orders_mirror", 0,
	              "orders_mirror would be rebuilt:\n"
	              "  token catalog        p_a_c -> p_b_c       by letter a -> b at substitutions/dev.yaml:2  "
	              "substitutions/dev.yaml:4  read at pipelines/mirror.yaml:7\n"
	              "  token schema_silver  silver -> silver_v2                                                "
	              "substitutions/dev.yaml:5  read at pipelines/mirror.yaml:7\n");
}

static void columns_are_of_letters_not_of_bytes(void **state)
{
	struct cmd_case *c = *state;

	tokens_change(c, "dev:\n  catalog: \xc3\xa9t\xc3\xa9\n  schema_silver: silver\n",
	              "dev:\n  catalog: \xc3\xa9t\xc3\xa9_2\n  schema_silver: silver_v2\n");
	assert_prints(c, "why orders_mirror", 0,
	              "orders_mirror would be rebuilt:\n"
	              "  token catalog        \xc3\xa9t\xc3\xa9 -> \xc3\xa9t\xc3\xa9_2         substitutions/dev.yaml:2  "
	              "read at pipelines/mirror.yaml:7\n"
	              "  token schema_silver  silver -> silver_v2  substitutions/dev.yaml:3  read at pipelines/mirror.yaml:7\n");
}

static void each_token_inside_that_changed_by_itself_is_told(void **state)
{
	static const struct told want[] = {
		{ "flowgroups/0/changes/0/key", "dev/catalog" },
		{ "flowgroups/0/changes/0/now_value", "y_q_z" },
		{ "flowgroups/0/changes/0/by", "2 items" },
		{ "flowgroups/0/changes/0/by/0/key", "dev/b" },
		{ "flowgroups/0/changes/0/by/0/before_value", "p" },
		{ "flowgroups/0/changes/0/by/0/now_value", "q" },
		{ "flowgroups/0/changes/0/by/0/where", "substitutions/dev.yaml:3" },
		{ "flowgroups/0/changes/0/by/1/key", "dev/a" },
	};
	struct cmd_case *c = *state;

	tokens_change(c, "dev:\n  a: x\n  b: p\n  c: z\n  ab: '{a}_{b}'\n  catalog: '${ab}_{b}_{c}'\n  schema_silver: s\n",
	              "dev:\n  a: y\n  b: q\n  c: z\n  ab: '{a}'\n  catalog: '${ab}_{b}_{c}'\n  schema_silver: s\n");
	assert_told(c, "why orders_mirror --format json", want, sizeof want / sizeof *want);
}

static void a_secret_inside_of_a_token_stays_concealed(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/recent.sql", "SELECT '${url}' AS url\n");
	tokens_change(c, "dev:\n  db_password: opensesame\n  url: 'c_{db_password}'\n  catalog: c\n  schema_silver: s\n",
	              "dev:\n  db_password: hunter22\n  url: 'c_{db_password}'\n  catalog: c\n  schema_silver: s\n");
	assert_int_equal(case_run(c, "why orders_recent"), 0);
	assert_non_null(strstr(c->out, "by db_password "));
	assert_null(strstr(c->out, "opensesame"));
	assert_null(strstr(c->out, "hunter22"));
	assert_int_equal(case_run(c, "why orders_recent --format json"), 0);
	assert_non_null(strstr(c->out, "\"by\": [{\"key\": \"dev/db_password\""));
	assert_null(strstr(c->out, "opensesame"));
	assert_null(strstr(c->out, "hunter22"));
}

static void a_token_that_changed_by_itself_has_no_other_reason(void **state)
{
	struct cmd_case *c = *state;

	tokens_change(c, "dev:\n  letter: a\n  catalog: 'one_{letter}'\n  schema_silver: s\n",
	              "dev:\n  letter: a\n  catalog: 'two_{letter}'\n  schema_silver: s\n");
	assert_prints(c, "why orders_mirror", 0,
	              "orders_mirror would be rebuilt:\n"
	              "  token catalog  one_a -> two_a  substitutions/dev.yaml:3  read at pipelines/mirror.yaml:7\n");
}

static void json_tells_who_reads_a_table_that_is_new(void **state)
{
	static const struct told want[] = {
		{ "flowgroups/0/new_tables", "1 items" },
		{ "flowgroups/0/new_tables/0", "dev_catalog.silver_v2.orders_recent" },
		{ "flowgroups/0/readers", "1 items" },
		{ "flowgroups/0/readers/0/flowgroup", "orders_mirror" },
	};
	struct cmd_case *c = *state;

	case_put(c, "substitutions/dev.yaml", "dev:\n  catalog: dev_catalog\n  schema_silver: silver_v2\n");
	assert_told(c, "why silver_orders.orders_recent --format json", want, sizeof want / sizeof *want);
}

static void json_tells_a_flowgroup_that_is_new_or_gone(void **state)
{
	static const struct told fresh[] = {
		{ "flowgroups/0/stored", "false" }, { "flowgroups/0/exists", "true" }, { "flowgroups/0/rebuild", "true" },
		{ "flowgroups/0/dependencies", "absent" },
	};
	static const struct told gone[] = {
		{ "flowgroups/0/stored", "true" }, { "flowgroups/0/exists", "false" }, { "flowgroups/0/rebuild", "false" },
		{ "flowgroups/0/file", "absent" },
	};
	struct cmd_case *c = *state;

	assert_told(c, "why orders_mirror --format json", fresh, sizeof fresh / sizeof *fresh);
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_int_equal(fs_remove_tree(&c->fs, STR("pipelines/mirror.yaml")), 0);
	assert_told(c, "why orders_mirror --format json", gone, sizeof gone / sizeof *gone);
	assert_prints(c, "why orders_mirror", 0,
	              "gold_orders.orders_mirror is no flowgroup of the project any more: what it made would be removed.\n");
}

static void json_of_a_table_has_its_producers_and_readers(void **state)
{
	static const struct told want[] = {
		{ "what", "dev_catalog.silver.orders_recent" }, { "kind", "table" },
		{ "producers", "1 items" }, { "producers/0/flowgroup", "orders_recent" },
		{ "readers", "1 items" }, { "readers/0/pipeline", "gold_orders" },
	};
	struct cmd_case *c = *state;

	assert_told(c, "why dev_catalog.silver.orders_recent --format json", want, sizeof want / sizeof *want);
}

static void a_table_has_producers_and_readers(void **state)
{
	struct cmd_case *c = *state;

	assert_prints(c, "why dev_catalog.silver.orders_recent", 0,
	              "dev_catalog.silver.orders_recent is made by:\n"
	              "  silver_orders.orders_recent  pipelines/recent.yaml\n"
	              "Their code reads dev_catalog.silver.orders_recent:\n"
	              "  gold_orders.orders_mirror  pipelines/mirror.yaml\n");
}

static void a_file_has_users(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/unused.sql", "SELECT 1\n");
	assert_prints(c, "why sql/recent.sql", 0,
	              "These depend on sql/recent.sql:\n"
	              "  silver_orders.orders_recent  pipelines/recent.yaml\n");
	assert_prints(c, "why substitutions/dev.yaml --format json", 0,
	              "{\"what\": \"substitutions/dev.yaml\", \"kind\": \"file\", \"env\": \"dev\",\n"
	              "  \"flowgroups\": [{\"pipeline\": \"gold_orders\", \"flowgroup\": \"orders_mirror\", "
	              "\"file\": \"pipelines/mirror.yaml\"}, {\"pipeline\": \"silver_orders\", "
	              "\"flowgroup\": \"orders_recent\", \"file\": \"pipelines/recent.yaml\"}]}\n");
	assert_prints(c, "why sql/unused.sql", 0, "No flowgroup depends on sql/unused.sql in dev.\n");
}

static void a_preset_file_has_the_users_of_its_chain(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "presets/base.yaml", "name: base\ndefaults:\n  write_actions:\n    streaming_table: {table_properties: {a: b}}\n");
	case_put(c, "presets/fast.yaml", "name: fast\nextends: base\ndefaults: {}\n");
	case_put(c, "pipelines/one.yaml",
	         "pipeline: p\nflowgroup: one\npresets: [fast]\nactions:\n"
	         "  - {name: l, type: load, target: v, source: {type: sql, sql: SELECT 1}}\n"
	         "  - {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: t}}\n");
	assert_prints(c, "why presets/base.yaml", 0, "These depend on presets/base.yaml:\n  p.one  pipelines/one.yaml\n");
}

static void what_nobody_knows_is_an_error(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "why nothing"), 1);
	assert_string_equal(c->err, "lhp: nothing is no flowgroup, table, input or output of this project in dev\n");
	assert_int_equal(case_run(c, "why ."), 1);
	assert_string_equal(c->err, "lhp: . is no flowgroup, table, input or output of this project in dev\n");
	assert_int_equal(case_run(c, "why order_recent"), 1);
	assert_non_null(strstr(c->err, " in dev; did you mean 'orders_recent'"));
}

static void the_flowgroup_of_monitoring_is_one_of_the_project(void **state)
{
	static const char sql[] = "monitoring/summary.sql";
	struct cmd_case *c = *state;

	case_put(c, sql, "SELECT 1\n");
	case_put(c, "config/job.yaml", "max_concurrent_runs: 1\n");
	case_put(c, "lhp.yaml", "name: demo\nversion: '1.0'\nevent_log: {catalog: c, schema: s}\nmonitoring:\n"
	                        "  checkpoint_path: /Volumes/x\n  job_config_path: config/job.yaml\n"
	                        "  materialized_views: [{name: summary, sql_path: monitoring/summary.sql}]\n");
	assert_int_equal(case_run(c, "generate -e dev --no-format"), 0);
	assert_prints(c, "why monitoring", 0, "monitoring is up to date: nothing that it was made from has changed.\n");
	assert_prints(c, "why generated/dev/demo_event_log_monitoring/monitoring.py", 0,
	              "monitoring is up to date: nothing that it was made from has changed.\n");
	assert_int_equal(case_run(c, "cache verify"), 0);
	assert_non_null(strstr(c->out, "dev: 3 of 3 traces fit the files"));
	assert_int_equal(fs_remove_tree(&c->fs, str_of(sql)), 0);
	assert_int_equal(case_run(c, "why monitoring"), 1);
}

/* Whoever writes may hold the lock: a reader neither waits nor minds. */
static void it_never_takes_the_lock(void **state)
{
	struct lock_holder holder = { 0 };
	struct cmd_case *c = *state;
	struct lock lock;

	assert_int_equal(lock_take(&lock, str_fmt(&c->arena, "%s/.lhp/cache", c->folder), false, &holder, NULL, NULL), 0);
	assert_prints(c, "why orders_recent", 0, "orders_recent is up to date: nothing that it was made from has changed.\n");
	lock_give(&lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(without_a_stored_trace_it_says_so, two_flowgroups),
		case_test(what_a_run_of_another_pipeline_looked_at_has_no_stored_trace, two_flowgroups),
		case_test(a_run_of_another_pipeline_does_not_forget_what_is_gone, two_flowgroups),
		case_test(an_untouched_flowgroup_is_up_to_date, two_flowgroups_made),
		case_test(a_token_and_a_file_are_told_with_their_places_and_new_readers, two_flowgroups_made),
		case_test(an_option_of_the_last_run_that_is_not_given_is_told, two_flowgroups),
		case_test(an_output_is_looked_for_where_it_was_put, two_flowgroups_made),
		case_test(an_output_leads_to_its_flowgroup_and_its_own_state, two_flowgroups_made),
		case_test(a_resource_file_is_told_from_what_the_run_depended_on, two_flowgroups),
		case_test(json_of_a_flowgroup_has_all_that_the_text_has, two_flowgroups_made),
		case_test(a_token_inside_of_another_is_told_as_the_reason, two_flowgroups),
		case_test(columns_are_of_letters_not_of_bytes, two_flowgroups),
		case_test(each_token_inside_that_changed_by_itself_is_told, two_flowgroups),
		case_test(a_secret_inside_of_a_token_stays_concealed, two_flowgroups),
		case_test(a_token_that_changed_by_itself_has_no_other_reason, two_flowgroups),
		case_test(json_tells_who_reads_a_table_that_is_new, two_flowgroups_made),
		case_test(json_tells_a_flowgroup_that_is_new_or_gone, two_flowgroups),
		case_test(json_of_a_table_has_its_producers_and_readers, two_flowgroups_made),
		case_test(a_table_has_producers_and_readers, two_flowgroups_made),
		case_test(a_file_has_users, two_flowgroups_made),
		case_test(a_preset_file_has_the_users_of_its_chain, two_flowgroups),
		case_test(what_nobody_knows_is_an_error, two_flowgroups_made),
		case_test(the_flowgroup_of_monitoring_is_one_of_the_project, two_flowgroups),
		case_test(it_never_takes_the_lock, two_flowgroups_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
