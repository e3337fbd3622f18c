/*
 * What must dirty a flowgroup, and nothing else may: the table of spec/engine.md, row by row. Each edit is one run of the shop; what
 * is redone and which files are written and removed is literal, and a cold run must then find nothing to write.
 */
#include "shop.h"

#include "build/build_id.h"

#define RES "resources/lhp/"

/* An edit of a file and what it must cost. */
struct row {
	const char *name, *path;
	const char *from, *to; /* from NULL: the file becomes `to`; to NULL too: it is deleted */
	size_t rebuilt;
	const char *written, *removed;
};

static const char recent_with_comments[] = "# recent orders\n"
                                           "pipeline: silver\n"
                                           "\n"
                                           "flowgroup: 'recent' # the newest\n"
                                           "presets:\n"
                                           "  - kept\n"
                                           "actions:\n"
                                           "  - name: load_it\n"
                                           "    type: load\n"
                                           "    source: {type: \"sql\", sql_path: sql/recent.sql}\n"
                                           "    target: v_recent\n"
                                           "  - name: write_it\n"
                                           "    type: write\n"
                                           "    source: v_recent\n"
                                           "    write_target: {type: streaming_table, catalog: '${catalog}',"
                                           " schema: silver, table: recent}\n";

static const char recent_reordered[] = "flowgroup: recent\n"
                                       "pipeline: silver\n"
                                       "presets: [kept]\n"
                                       "actions:\n"
                                       "  - type: load\n"
                                       "    name: load_it\n"
                                       "    target: v_recent\n"
                                       "    source: {type: sql, sql_path: sql/recent.sql}\n"
                                       "  - name: write_it\n"
                                       "    source: v_recent\n"
                                       "    type: write\n"
                                       "    write_target: {type: streaming_table, catalog: '${catalog}', schema: silver, table: recent}\n";

static const struct row rows[] = {
	/* its YAML, by form only */
	{ "comments_blank_lines_and_quotes_redo_nothing", "pipelines/recent.yaml", NULL, recent_with_comments, 0, "", "" },
	{ "key_order_without_meaning_redoes_nothing", "pipelines/recent.yaml", NULL, recent_reordered, 0, "", "" },
	{ "key_order_with_meaning_redoes_the_flowgroup", "pipelines/plain.yaml", "{x: one, y: two}", "{y: two, x: one}", 1, GEN "gold/plain.py",
	  "" },
	/* a value */
	{ "a_value_redoes_its_flowgroup_and_no_reader", "pipelines/recent.yaml", "table: recent", "table: newest", 1, GEN "silver/recent.py", "" },
	{ "a_table_that_comes_to_be_another_kind_leaves_its_readers_code", "pipelines/recent.yaml", "type: streaming_table",
	  "type: materialized_view", 1, GEN "silver/recent.py", "" },
	{ "the_sql_of_a_table_leaves_its_readers_code", "pipelines/plain.yaml", "SELECT 1 AS a", "SELECT 2 AS a", 1, GEN "gold/plain.py", "" },
	/* tokens */
	{ "a_token_redoes_the_reader_of_the_sql_file_that_has_it", "substitutions/dev.yaml", "'10'", "'20'", 1, GEN "silver/recent.py", "" },
	{ "a_token_redoes_the_reader_of_the_python_file_that_has_it", "substitutions/dev.yaml", "'5'", "'6'", 1,
	  GEN "silver/custom_python_functions/words.py", "" },
	{ "a_token_reaches_through_another_token", "substitutions/dev.yaml", "layer: top", "layer: low", 1, GEN "gold/mirror.py", "" },
	{ "an_unused_token_redoes_nothing", "substitutions/dev.yaml", "unused: x", "unused: y", 0, "", "" },
	{ "a_comment_among_tokens_redoes_nothing", "substitutions/dev.yaml", "  days", "  # how far back\n  days", 0, "", "" },
	{ "a_token_of_another_environment_redoes_nothing", "substitutions/prod.yaml", "'90'", "'80'", 0, "", "" },
	/* presets and templates */
	{ "a_template_redoes_its_users", "templates/landed.yaml", "format: json", "format: csv", 1, GEN "ingest/raw.py", "" },
	{ "a_comment_in_a_template_redoes_nothing", "templates/landed.yaml", "name: landed", "# files\nname: landed", 0, "", "" },
	{ "a_preset_key_redoes_all_whose_merged_result_it_changes", "presets/kept.yaml", "a: one", "a: three", 2,
	  GEN "silver/checked.py " GEN "silver/recent.py", "" },
	{ "a_preset_key_that_another_preset_replaces_does_not_redo_its_users", "presets/kept.yaml", "b: two", "b: three", 1,
	  GEN "silver/recent.py", "" },
	/* files beside */
	{ "an_sql_file_redoes_its_readers", "sql/recent.sql", "age", "years", 1, GEN "silver/recent.py", "" },
	{ "a_schema_file_redoes_its_readers", "schemas/clean.yaml", "{a: b}", "{a: c}", 1, GEN "silver/clean.py", "" },
	{ "an_expectations_file_redoes_its_readers", "expectations/checks.json", "a > 0", "a > 1", 1, GEN "silver/checked.py", "" },
	{ "a_python_file_redoes_its_readers", "functions/clean.py", "df.where(word)", "df.filter(word)", 1,
	  GEN "silver/custom_python_functions/clean.py", "" },
	{ "a_python_file_redoes_readers_through_imports", "functions/words.py", "a > 0", "a > 1", 1,
	  GEN "silver/custom_python_functions/words.py", "" },
	/* created where absent */
	{ "a_file_that_was_looked_for_redoes_those_who_looked", "functions/extra.py", NULL, "more = 1\n", 1,
	  GEN "silver/custom_python_functions/clean.py " GEN "silver/custom_python_functions/extra.py", "" },
	{ "a_file_that_nobody_looked_for_redoes_nothing", "sql/unread.sql", NULL, "SELECT 1\n", 0, "", "" },
	/* flowgroups and pipelines */
	{ "a_new_flowgroup_is_made_alone", "pipelines/extra.yaml", NULL,
	  "pipeline: gold\nflowgroup: extra\nactions:\n"
	  "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v_a}\n"
	  "  - {name: w, type: write, source: v_a, write_target: {type: materialized_view, catalog: c, schema: gold, table: extra}}\n",
	  1, GEN "gold/extra.py", "" },
	{ "a_new_pipeline_is_listed_by_monitoring_and_the_bundle", "pipelines/extra.yaml", NULL,
	  "pipeline: extra\nflowgroup: extra\nactions:\n"
	  "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v_a}\n"
	  "  - {name: w, type: write, source: v_a, write_target: {type: materialized_view, catalog: c, schema: gold, table: extra}}\n",
	  1, GEN "extra/extra.py monitoring/dev/union_event_logs.py " RES "extra.pipeline.yml", "" },
	{ "a_removed_flowgroup_takes_its_file_along", "pipelines/plain.yaml", NULL, NULL, 0, "", GEN "gold/plain.py" },
	{ "a_removed_pipeline_is_listed_no_more", "pipelines/raw.yaml", NULL, NULL, 0, "monitoring/dev/union_event_logs.py",
	  GEN "ingest/raw.py " RES "ingest.pipeline.yml" },
	/* lhp.yaml, and the bundle's settings */
	{ "a_key_of_lhp_yaml_redoes_its_readers", "lhp.yaml", "F.current_timestamp()", "F.now()", 1, GEN "ingest/raw.py", "" },
	{ "another_name_among_keys_redoes_those_who_read_the_names", "lhp.yaml", "    _other:",
	  "    _more: {expression: F.lit(2), applies_to: [view]}\n    _other:", 1, "", "" },
	{ "a_key_of_lhp_yaml_without_readers_redoes_nothing", "lhp.yaml", "all that is sold", "all that is bought", 0, "", "" },
	{ "a_comment_in_lhp_yaml_redoes_nothing", "lhp.yaml", "version:", "# it is ours\nversion:", 0, "", "" },
	{ "pipeline_settings_redo_a_resource_file", "config.yaml", "serverless: false", "serverless: true", 0, RES "gold.pipeline.yml", "" },
};

static void row_check(struct shop *s, const struct row *r)
{
	assert_int_equal(shop_run(s), 0);
	assert_int_equal(s->result->rebuilt, s->result->units);
	if (r->from != NULL)
		shop_edit(s, r->path, r->from, r->to);
	else if (r->to != NULL)
		shop_put(s, r->path, r->to);
	else
		assert_int_equal(s->fs.ops->unlink(&s->fs, str_of(r->path)), 0);
	assert_run(s, r->rebuilt, r->written, r->removed);
	assert_like_cold(s);
}

static void row_holds(void **state)
{
	struct shop s;

	shop_open(&s);
	row_check(&s, *state);
	shop_close(&s);
}

/* --- rows that need more than the shop has --- */

static void blueprint_put(struct shop *s)
{
	shop_put(s, "blueprints/site.yaml",
	         "name: site\nparameters: [{name: name, required: true}]\nflowgroups:\n"
	         "  - pipeline: far\n    flowgroup: '%{name}'\n    actions:\n"
	         "      - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v}\n"
	         "      - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c, schema: far,"
	         " table: '%{name}'}}\n");
	shop_put(s, "pipelines/a.yaml", "use_blueprint: site\nparameters: {name: a}\n");
	shop_put(s, "pipelines/b.yaml", "use_blueprint: site\nparameters: {name: b}\n");
}

static void a_blueprint_redoes_its_flowgroups(void **state)
{
	static const struct row value = { NULL, "blueprints/site.yaml", "SELECT 1", "SELECT 2", 2, GEN "far/a.py " GEN "far/b.py", "" };
	static const struct row one = { NULL, "pipelines/b.yaml", "name: b", "name: c", 1, GEN "far/c.py", GEN "far/b.py" };
	static const struct row *const rows_of[] = { &value, &one };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct shop s;

		shop_open(&s);
		blueprint_put(&s);
		row_check(&s, rows_of[i]);
		shop_close(&s);
	}
}

/* Its values are what they were; only where they are read is another file. */
static void a_blueprint_with_another_file_name_redoes_nothing(void **state)
{
	struct shop s;

	(void)state;
	shop_open(&s);
	blueprint_put(&s);
	assert_int_equal(shop_run(&s), 0);
	assert_int_equal(s.fs.ops->rename(&s.fs, STR("blueprints/site.yaml"), STR("blueprints/place.yaml")), 0);
	assert_run(&s, 0, "", "");
	assert_like_cold(&s);
	shop_close(&s);
}

#define VIEW_OF(n) \
	"pipeline: gold\nflowgroup: f" n "\nactions:\n" \
	"  - {name: l, type: load, source: {type: sql, sql: SELECT " n " AS a}, target: v}\n" \
	"  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c, schema: g, table: f" n "}}\n"

/* Its place in the file is none of its values. */
static void a_flowgroup_among_others_of_its_file_redoes_itself_alone(void **state)
{
	struct shop s;

	(void)state;
	shop_open(&s);
	shop_put(&s, "pipelines/many.yaml", VIEW_OF("1") "---\n" VIEW_OF("2") "---\n" VIEW_OF("3"));
	assert_int_equal(shop_run(&s), 0);
	shop_put(&s, "pipelines/many.yaml", VIEW_OF("3") "---\n" VIEW_OF("2") "---\n" VIEW_OF("1"));
	assert_run(&s, 0, "", "");
	shop_put(&s, "pipelines/many.yaml", VIEW_OF("2") "---\n" VIEW_OF("1"));
	assert_run(&s, 0, "", GEN "gold/f3.py");
	shop_put(&s, "pipelines/many.yaml", VIEW_OF("4") "---\n" VIEW_OF("2") "---\n" VIEW_OF("1"));
	assert_run(&s, 1, GEN "gold/f4.py", "");
	assert_like_cold(&s);
	shop_close(&s);
}

static void a_ddl_file_redoes_its_readers(void **state)
{
	static const struct row row = { NULL, "schemas/ddl.sql", "BIGINT", "STRING", 1, GEN "gold/ddl.py", "" };
	struct shop s;

	(void)state;
	shop_open(&s);
	shop_put(&s, "schemas/ddl.sql", "a BIGINT\n");
	shop_put(&s, "pipelines/ddl.yaml", "pipeline: gold\nflowgroup: ddl\nactions:\n"
	                                   "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v}\n"
	                                   "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c,"
	                                   " schema: gold, table: ddl, table_schema: schemas/ddl.sql}}\n");
	row_check(&s, &row);
	shop_close(&s);
}

/* The linker takes this one, not the library's: which program it is that runs. */
static const char *program = "one";

struct str build_id(struct arena *a)
{
	(void)a;
	return str_of(program);
}

/* It says nothing of edits by hand: what it finds, another one may well have made. */
static void another_program_redoes_every_flowgroup_and_writes_what_it_makes_otherwise(void **state)
{
	struct shop s;

	(void)state;
	shop_open(&s);
	assert_int_equal(shop_run(&s), 0);
	shop_put(&s, GEN "gold/plain.py", "# Generated by LakehousePlumber\nhow = 'it was'\n");
	shop_put(&s, GEN "gold/old.py", "# Generated by LakehousePlumber\n");
	program = "other";
	assert_run(&s, 7, GEN "gold/plain.py", GEN "gold/old.py");
	assert_true(str_starts(buf_str(&s.said), STR("The cache is of another version of lhp and was moved to ")));
	assert_int_equal(str_count_char(buf_str(&s.said), '\n'), 1);
	shop_edit(&s, "sql/recent.sql", "age", "years");
	assert_run(&s, 1, GEN "silver/recent.py", "");
	assert_like_cold(&s);
	program = "one";
	assert_run(&s, 7, "", "");
	assert_like_cold(&s);
	shop_close(&s);
}

/* Tables of the sandbox have other names for each namespace; the profile is no concern of a run without one. */
static void a_profile_redoes_the_flowgroups_of_its_sandbox(void **state)
{
	struct shop s;

	(void)state;
	shop_open(&s);
	shop_put(&s, ".lhp/profile.yaml", "sandbox: {namespace: me, pipelines: [gold]}\n");
	assert_int_equal(shop_run(&s), 0);
	shop_edit(&s, ".lhp/profile.yaml", "namespace: me", "namespace: he");
	assert_run(&s, 0, "", "");
	s.options.sandbox = true;
	assert_int_equal(shop_run(&s), 0);
	shop_edit(&s, ".lhp/profile.yaml", "namespace: he", "namespace: you");
	assert_run(&s, 2, GEN "gold/mirror.py " GEN "gold/plain.py " RES "gold.pipeline.yml", "");
	shop_close(&s);
}

int main(void)
{
	enum { ROWS = sizeof rows / sizeof *rows };
	struct CMUnitTest tests[ROWS + 6];

	for (size_t i = 0; i < ROWS; i++)
		tests[i] = (struct CMUnitTest){ rows[i].name, row_holds, NULL, NULL, (void *)(uintptr_t)&rows[i] };
	tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(a_blueprint_redoes_its_flowgroups);
	tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(a_ddl_file_redoes_its_readers);
	tests[ROWS + 2] = (struct CMUnitTest)cmocka_unit_test(a_profile_redoes_the_flowgroups_of_its_sandbox);
	tests[ROWS + 3] = (struct CMUnitTest)cmocka_unit_test(another_program_redoes_every_flowgroup_and_writes_what_it_makes_otherwise);
	tests[ROWS + 4] = (struct CMUnitTest)cmocka_unit_test(a_flowgroup_among_others_of_its_file_redoes_itself_alone);
	tests[ROWS + 5] = (struct CMUnitTest)cmocka_unit_test(a_blueprint_with_another_file_name_redoes_nothing);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
