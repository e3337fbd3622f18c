#include "two_flowgroups.h"

#include "base/utf8.h"

#include <stdio.h>

/* Fails the test when the command does. */
static void shell(const struct cmd_case *c, const char *command)
{
	char line[512];

	snprintf(line, sizeof line, "cd %s && %s", c->folder, command);
	assert_int_equal(system(line), 0);
}

static void repository_make(struct cmd_case *c)
{
	case_put(c, ".gitignore", "generated/\n.lhp/\n");
	shell(c, "git init -q . && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm one");
}

/* The project of two flowgroups, committed. */
static int repository(void **state)
{
	two_flowgroups(state);
	repository_make(*state);
	return 0;
}

static void nothing_changed_is_nothing_affected(void **state)
{
	struct cmd_case *c = *state;

	assert_prints(c, "affected --since HEAD --exit-code", 0, "Nothing is affected: 0 changed paths.\n");
	case_put(c, "pipelines/recent.yaml.txt", "x");
	case_put(c, "substitutions/dev.yaml", "# c\ndev:\n  catalog: dev_catalog\n  schema_silver: silver\n");
	assert_prints(c, "affected --since HEAD --exit-code", 0, "Nothing is affected: 2 changed paths.\n");
}

static void a_changed_file_reaches_flowgroup_table_pipeline_and_reader(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_prints(c, "affected --since HEAD", 0,
	              "Flowgroups:\n"
	              "  changed  silver_orders.orders_recent  pipelines/recent.yaml  (code)\n"
	              "Tables:\n"
	              "  dev_catalog.silver.orders_recent\n"
	              "Pipelines to deploy:\n"
	              "  silver_orders\n"
	              "Readers in other pipelines:\n"
	              "  gold_orders.orders_mirror  reads dev_catalog.silver.orders_recent, made by "
	              "silver_orders.orders_recent (changed)\n");
	assert_prints(c, "affected --since HEAD --format names --exit-code", 1, "silver_orders\n");
	assert_false(fs_is_dir(&c->fs, STR(".lhp")));
}

static void renamed_and_new_flowgroups_are_removed_and_added(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "sed 's/orders_mirror/orders_copy/' pipelines/mirror.yaml > pipelines/copy.yaml && rm pipelines/mirror.yaml");
	assert_prints(c, "affected --since HEAD", 0,
	              "Flowgroups:\n"
	              "  added    gold_orders.orders_copy  pipelines/copy.yaml  (is new)\n"
	              "  removed  gold_orders.orders_mirror  pipelines/mirror.yaml  (is gone)\n"
	              "Tables:\n"
	              "  dev_catalog.gold.orders_copy\n"
	              "  dev_catalog.gold.orders_mirror\n"
	              "Pipelines to deploy:\n"
	              "  gold_orders\n");
}

static void a_moved_file_affects_nothing(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "mkdir pipelines/deep && git mv pipelines/mirror.yaml pipelines/deep/m.yaml");
	assert_int_equal(case_run(c, "affected --since HEAD --format json"), 0);
	assert_non_null(strstr(c->out, "\"changed_paths\": [\"pipelines/deep/m.yaml\", \"pipelines/mirror.yaml\"],\n  \"flowgroups\": []"));
}

static void json_is_utf8_whatever_files_are_called(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/\xe9t\xc3\xa9.sql", "SELECT 1\n");
	assert_int_equal(case_run(c, "affected --since HEAD --format json"), 0);
	assert_non_null(strstr(c->out, "\"changed_paths\": [\"sql/\uFFFDt\u00e9.sql\"]"));
	assert_int_equal(utf8_invalid(str_of(c->out)), -1);
}

static void a_token_is_a_change_since_the_commit_where_the_branches_parted(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "git branch main_line && sed -i 's/: silver/: v2/' substitutions/dev.yaml && "
	         "git -c user.name=a -c user.email=a@example.com commit -qam two");
	assert_prints(c, "affected --since main_line --format names", 0, "gold_orders\nsilver_orders\n");
}

/* The same as a bundle, with settings of one pipeline. */
static int bundle(void **state)
{
	struct cmd_case *c;

	repository(state);
	c = *state;
	case_put(c, "databricks.yml", "bundle:\n  name: demo\n");
	case_put(c, "config/pc.yaml", "project_defaults:\n  catalog: main\n  schema: '${lake_schema}'\n---\n"
	                              "pipeline: gold_orders\nschema: gold\nserverless: true\n");
	shell(c, "echo '  lake_schema: lake' >> substitutions/dev.yaml && git add -A && "
	         "git -c user.name=a -c user.email=a@example.com commit -qm two");
	return 0;
}

static void a_setting_in_the_bundle_reaches_its_pipeline_alone(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "sed -i 's/schema: gold/schema: rich/' config/pc.yaml");
	assert_prints(c, "affected --since HEAD -pc config/pc.yaml --exit-code", 1,
	              "Files around them:\n"
	              "  changed  resources/lhp/gold_orders.pipeline.yml  (gold_orders)\n"
	              "Pipelines to deploy:\n  gold_orders\n");
	assert_int_equal(case_run(c, "affected --since HEAD -pc config/pc.yaml --format json"), 0);
	assert_non_null(strstr(c->out, "\"pipelines\": [\"gold_orders\"],\n  \"resource_files\": [\n"
	                               "    {\"change\": \"changed\", \"pipeline\": \"gold_orders\", "
	                               "\"file\": \"resources/lhp/gold_orders.pipeline.yml\"}\n  ]"));
}

static void a_token_of_settings_reaches_the_pipelines_that_show_it(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "sed -i 's/: lake$/: pond/' substitutions/dev.yaml");
	assert_prints(c, "affected --since HEAD -pc config/pc.yaml --format names", 0, "silver_orders\n");
}

static void a_setting_written_otherwise_affects_nothing(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "sed -i 's/serverless: true/serverless: yes # as before/' config/pc.yaml");
	assert_prints(c, "affected --since HEAD -pc config/pc.yaml --exit-code", 0, "Nothing is affected: 1 changed path.\n");
}

static const char MONITORED[] = "name: demo\nversion: '1.0'\nevent_log: {catalog: ops, schema: logs}\n"
                                "monitoring:\n  checkpoint_path: /Volumes/cp\n  job_config_path: config/job.yaml\n";

static void commit(const struct cmd_case *c)
{
	shell(c, "git add -A && git -c user.name=a -c user.email=a@example.com commit -qm more");
}

static void monitoring_and_the_bundle_itself_add_and_remove_files(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "config/job.yaml", "max_concurrent_runs: 1\n");
	case_put(c, "lhp.yaml", MONITORED);
	assert_prints(c, "affected --since HEAD -pc config/pc.yaml", 0,
	              "Flowgroups:\n"
	              "  added    demo_event_log_monitoring.monitoring  lhp.yaml  (is new)\n"
	              "Tables:\n"
	              "  ops.logs.events_summary\n"
	              "Files around them:\n"
	              "  added    monitoring/dev/union_event_logs.py  (demo_event_log_monitoring)\n"
	              "  added    resources/demo_event_log_monitoring.job.yml  (demo_event_log_monitoring)\n"
	              "  added    resources/lhp/demo_event_log_monitoring.pipeline.yml  (demo_event_log_monitoring)\n"
	              "  changed  resources/lhp/gold_orders.pipeline.yml  (gold_orders)\n"
	              "  changed  resources/lhp/silver_orders.pipeline.yml  (silver_orders)\n"
	              "Pipelines to deploy:\n"
	              "  demo_event_log_monitoring\n"
	              "  gold_orders\n"
	              "  silver_orders\n");
	shell(c, "git checkout -q lhp.yaml && rm databricks.yml");
	assert_prints(c, "affected --since HEAD -pc config/pc.yaml --format names", 0, "gold_orders\nsilver_orders\n");
}

static void the_parts_of_monitoring_change_each_by_itself(void **state)
{
	static const struct { const char *edit, *out; } EDITS[] = {
		{ "sed -i 's#/Volumes/cp#/Volumes/new#' lhp.yaml",
		  "Files around them:\n  changed  monitoring/dev/union_event_logs.py  (demo_event_log_monitoring)\n" },
		{ "echo 'timeout_seconds: 60' >> config/job.yaml",
		  "Files around them:\n  changed  resources/demo_event_log_monitoring.job.yml  (demo_event_log_monitoring)\n" },
		{ "echo '  materialized_views: [{name: events_summary, sql: SELECT 1}]' >> lhp.yaml",
		  "Flowgroups:\n  changed  demo_event_log_monitoring.monitoring  lhp.yaml  (code)\n"
		  "Tables:\n  ops.logs.events_summary\n" },
	};
	struct cmd_case *c = *state;

	case_put(c, "config/job.yaml", "max_concurrent_runs: 1\n");
	case_put(c, "lhp.yaml", MONITORED);
	commit(c);
	for (size_t i = 0; i < sizeof EDITS / sizeof *EDITS; i++) {
		shell(c, EDITS[i].edit);
		assert_prints(c, "affected --since HEAD --exit-code", 1,
		              str_fmt(&c->arena, "%sPipelines to deploy:\n  demo_event_log_monitoring\n", EDITS[i].out).p);
		shell(c, "git checkout -q .");
	}
}

static void the_volume_of_wheels_reaches_all_wheels(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "echo 'packaging: wheel' >> config/pc.yaml");
	case_put(c, "lhp.yaml", "name: demo\nversion: '1.0'\nwheel: {artifact_volume: /Volumes/a}\n");
	commit(c);
	shell(c, "sed -i s#/Volumes/a#/Volumes/b# lhp.yaml");
	assert_prints(c, "affected --since HEAD -pc config/pc.yaml", 0,
	              "Files around them:\n  changed  resources/lhp/_wheels.bundle.yml  (gold_orders)\n"
	              "Pipelines to deploy:\n  gold_orders\n");
}

static void a_tag_reaches_the_hook_that_sets_it(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "sed -i 's/table: orders_mirror/&, tags: {owner: kari}/' pipelines/*.yaml");
	assert_prints(c, "affected --since HEAD", 0,
	              "Files around them:\n  added    generated/dev/gold_orders/_uc_tagging_hook.py  (gold_orders)\n"
	              "Pipelines to deploy:\n  gold_orders\n");
}

static void settings_that_are_not_named_are_said_to_be_left_out(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "sed -i 's/schema: gold/schema: rich/' config/pc.yaml");
	assert_int_equal(case_run(c, "affected --since HEAD"), 0);
	assert_string_equal(c->err, "lhp: without -pc FILE the settings of pipelines in the bundle are not compared\n");
	case_put(c, "config/pc.yaml", "project_defaults: {catalog: [\n");
	assert_int_equal(case_run(c, "affected --since HEAD -pc config/pc.yaml"), 1);
}

static void an_unknown_revision_is_wrong_usage(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "affected --since nowhere"), 2);
	assert_string_equal(c->err, "lhp: fatal: Not a valid object name nowhere\n");
	assert_int_equal(case_run(c, "affected --since -x"), 2);
	assert_string_equal(c->err, "lhp: '-x' is no revision\n");
}

/* About line ends, on standard error: no part of the answer. */
static void a_warning_of_git_is_no_path(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "git config core.autocrlf true");
	case_put(c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_int_equal(case_run(c, "affected --since HEAD --format json"), 0);
	assert_non_null(strstr(c->out, "\"changed_paths\": [\"sql/recent.sql\"],"));
	assert_non_null(strstr(c->out, "\"pipelines\": [\"silver_orders\"],"));
	assert_string_equal(c->err, "");
}

static void a_tag_and_a_branch_may_share_a_name(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "git branch both && git tag both");
	case_put(c, "sql/recent.sql", "SELECT 1 AS x\n");
	assert_prints(c, "affected --since both --format names", 0, "silver_orders\n");
}

/* What is changed by `edit` is the code of orders_recent, and nothing is doubtful. */
static void recent_is_affected(struct cmd_case *c, const char *edit)
{
	shell(c, edit);
	assert_prints(c, "affected --since HEAD --format names", 0, "silver_orders\n");
	assert_string_equal(c->err, "");
}

static void a_file_is_an_input_through_links_too(void **state)
{
	static const char *const LINKS[] = {
		"mkdir lib && mv sql/recent.sql lib && ln -s ../lib/recent.sql sql/recent.sql",
		"mkdir -p lib/deep && mv sql/recent.sql lib/deep && rmdir sql && ln -s lib/deep sql",
		"mkdir lib && mv sql/recent.sql lib && ln -s \"$PWD/lib/recent.sql\" hop && ln -s ../hop sql/recent.sql",
	};

	(void)state;
	for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++) {
		struct cmd_case c;

		case_open(&c);
		two_flowgroups_put(&c);
		repository_make(&c);
		shell(&c, LINKS[i]);
		commit(&c);
		assert_int_equal(case_run(&c, "affected --since HEAD~1 --exit-code"), 0);
		assert_int_equal(case_run(&c, "affected --since HEAD --exit-code"), 0);
		recent_is_affected(&c, "echo 'SELECT 1 AS x' > sql/recent.sql");
		case_close(&c);
	}
}

static void a_link_is_read_as_it_was(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "mkdir new && echo 'SELECT 1 AS x' > new/recent.sql && mv sql old && ln -s old sql");
	commit(c);
	recent_is_affected(c, "ln -sfn new sql");
	recent_is_affected(c, "rm sql && cp -r new sql");
	shell(c, "rm -r sql && cp -r old sql");
	assert_int_equal(case_run(c, "affected --since HEAD --exit-code"), 0);
}

static void a_circle_of_links_ends(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "cp sql/recent.sql keep && ln -sf a sql/recent.sql && ln -s recent.sql sql/a");
	commit(c);
	recent_is_affected(c, "rm sql/recent.sql && cp keep sql/recent.sql");
}

static void a_submodule_is_compared_with_its_recorded_commit(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "git init -q sql && cd sql && git add -A && git -c user.name=a -c user.email=a@example.com commit -qm sub");
	shell(c, "git rm -rq --cached sql && git add sql 2>/dev/null");
	commit(c);
	assert_int_equal(case_run(c, "affected --since HEAD --exit-code"), 0);
	assert_string_equal(c->err, "");
	recent_is_affected(c, "echo 'SELECT 1 AS x' > sql/recent.sql");
	assert_int_equal(case_run(c, "affected --since HEAD --format json"), 0);
	assert_non_null(strstr(c->out, "\"changed_paths\": [\"sql/recent.sql\"],"));
	setenv("GIT_DIR", str_fmt(&c->arena, "%s/.git", c->folder).p, 1); /* as in a hook */
	setenv("GIT_INDEX_FILE", str_fmt(&c->arena, "%s/.git/index", c->folder).p, 1);
	assert_prints(c, "affected --since HEAD --format names", 0, "silver_orders\n");
	assert_string_equal(c->err, "");
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	shell(c, "cd sql && git -c user.name=a -c user.email=a@example.com commit -qam two");
	commit(c);
	assert_int_equal(case_run(c, "affected --since HEAD --exit-code"), 0);
	assert_prints(c, "affected --since HEAD~1 --format names", 0, "silver_orders\n");
	shell(c, "rm -rf sql/.git && cd sql && git init -q");
	assert_prints(c, "affected --since HEAD~1 --format names", 0, "silver_orders\n");
	assert_string_equal(c->err, "lhp: the submodule sql lacks the commit that it was at: all in it counts as new\n");
}

/* For git's own answers, not for what a build makes of them. */
static void files_that_git_was_told_not_to_look_at_are_looked_at(void **state)
{
	static const char *const mark[] = { "skip-worktree", "assume-unchanged" };
	struct cmd_case *c = *state;

	for (size_t i = 0; i < 2; i++) {
		const char *other = i == 0 ? "assume-unchanged" : "skip-worktree";

		shell(c, str_fmt(&c->arena, "git update-index --no-%s sql/recent.sql lhp.yaml && git update-index --%s sql/recent.sql lhp.yaml",
		                 other, mark[i]).p);
		assert_prints(c, "affected --since HEAD", 0, "Nothing is affected: 0 changed paths.\n");
		recent_is_affected(c, "echo 'SELECT 1 AS a' > sql/recent.sql");
		assert_int_equal(case_run(c, "affected --since HEAD --format json"), 0);
		assert_non_null(strstr(c->out, "\"changed_paths\": [\"sql/recent.sql\"],\n"));
		shell(c, "git show HEAD:sql/recent.sql > sql/recent.sql");
	}
	shell(c, "rm pipelines/mirror.yaml && git update-index --skip-worktree pipelines/mirror.yaml");
	assert_prints(c, "affected --since HEAD", 0, "Nothing is affected: 0 changed paths.\n");
	shell(c, "git update-index --no-skip-worktree pipelines/mirror.yaml && git update-index --assume-unchanged pipelines/mirror.yaml");
	assert_prints(c, "affected --since HEAD --format names", 0, "gold_orders\n");
}

static void a_file_beside_the_project_is_an_input(void **state)
{
	struct cmd_case *c = *state;
	size_t n;

	n = strlen(c->folder);
	shell(c, "mkdir p shared && mv sql/recent.sql shared && mv lhp.yaml pipelines substitutions p && "
	         "sed -i s#sql/recent.sql#../shared/recent.sql# p/pipelines/recent.yaml");
	commit(c);
	strcat(c->folder, "/p");
	assert_int_equal(case_run(c, "affected --since HEAD --exit-code"), 0);
	recent_is_affected(c, "echo 'SELECT 1 AS x' > ../shared/recent.sql");
	assert_int_equal(case_run(c, "affected --since HEAD --format json"), 0);
	assert_non_null(strstr(c->out, "\"changed_paths\": [\"../shared/recent.sql\"],"));
	shell(c, "ln -s shared ../q && echo ../q/recent.sql > ../list");
	assert_non_null(freopen(str_fmt(&c->arena, "%s/../list", c->folder).p, "r", stdin));
	assert_prints(c, "affected --files - --format names", 0, "silver_orders\n");
	c->folder[n] = '\0';
}

static void listed(struct cmd_case *c, const char *paths)
{
	case_put(c, ".lhp/list", paths);
	assert_non_null(freopen(str_fmt(&c->arena, "%s/.lhp/list", c->folder).p, "r", stdin));
}

static void a_folder_in_the_list_stands_for_what_is_in_it(void **state)
{
	struct cmd_case *c = *state;

	listed(c, "pipelines/\n.\nsql\n");
	assert_prints(c, "affected --files -", 0, "Nothing is affected: 3 changed paths.\n");
	shell(c, "echo 'SELECT 1 AS x' > sql/recent.sql && sed 's/orders_mirror/more/' pipelines/mirror.yaml > pipelines/more.yaml && "
	         "rm pipelines/mirror.yaml");
	listed(c, "sql/\n");
	assert_prints(c, "affected --files - --format names", 0, "silver_orders\n");
	listed(c, "pipelines\n");
	assert_prints(c, "affected --files -", 0,
	              "Flowgroups:\n"
	              "  added    gold_orders.more  pipelines/more.yaml  (is new)\n"
	              "  removed  gold_orders.orders_mirror  pipelines/mirror.yaml  (is gone)\n"
	              "Tables:\n"
	              "  dev_catalog.gold.more\n"
	              "  dev_catalog.gold.orders_mirror\n"
	              "Pipelines to deploy:\n"
	              "  gold_orders\n");
}

/* Not an empty one: nothing would be said to be affected. */
static void a_list_that_cannot_be_read_is_a_failure_of_the_machine(void **state)
{
	struct cmd_case *c = *state;

	assert_non_null(freopen(c->folder, "r", stdin));
	assert_int_equal(case_run(c, "affected --files -"), 3);
	assert_string_equal(c->err, "lhp: the paths cannot be read from standard input: Is a directory\n");
	assert_string_equal(c->out, "");
}

static void an_input_that_git_does_not_keep_is_said(void **state)
{
	struct cmd_case *c = *state;

	shell(c, "echo sql/ >> .gitignore && git rm -rq --cached sql");
	commit(c);
	assert_int_equal(case_run(c, "affected --since HEAD --exit-code"), 0);
	assert_string_equal(c->err, "lhp: changes of sql/recent.sql are not seen, git does not keep them\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(nothing_changed_is_nothing_affected, repository),
		case_test(a_changed_file_reaches_flowgroup_table_pipeline_and_reader, repository),
		case_test(renamed_and_new_flowgroups_are_removed_and_added, repository),
		case_test(a_moved_file_affects_nothing, repository),
		case_test(json_is_utf8_whatever_files_are_called, repository),
		case_test(a_token_is_a_change_since_the_commit_where_the_branches_parted, repository),
		case_test(a_setting_in_the_bundle_reaches_its_pipeline_alone, bundle),
		case_test(a_token_of_settings_reaches_the_pipelines_that_show_it, bundle),
		case_test(a_setting_written_otherwise_affects_nothing, bundle),
		case_test(monitoring_and_the_bundle_itself_add_and_remove_files, bundle),
		case_test(the_parts_of_monitoring_change_each_by_itself, repository),
		case_test(the_volume_of_wheels_reaches_all_wheels, bundle),
		case_test(a_tag_reaches_the_hook_that_sets_it, repository),
		case_test(settings_that_are_not_named_are_said_to_be_left_out, bundle),
		case_test(a_warning_of_git_is_no_path, repository),
		case_test(a_tag_and_a_branch_may_share_a_name, repository),
		cmocka_unit_test(a_file_is_an_input_through_links_too),
		case_test(a_link_is_read_as_it_was, repository),
		case_test(a_circle_of_links_ends, repository),
		case_test(a_submodule_is_compared_with_its_recorded_commit, repository),
		case_test(files_that_git_was_told_not_to_look_at_are_looked_at, repository),
		case_test(a_file_beside_the_project_is_an_input, repository),
		case_test(a_folder_in_the_list_stands_for_what_is_in_it, repository),
		case_test(a_list_that_cannot_be_read_is_a_failure_of_the_machine, repository),
		case_test(an_input_that_git_does_not_keep_is_said, repository),
		case_test(an_unknown_revision_is_wrong_usage, repository),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
