#include "emit_case.h"

#define ACTIONS "actions:\n"
#define WRITE(name, target) "- name: " name "\n  type: write\n  source: v\n  write_target: {catalog: c, schema: s, table: t, " target "}\n"

struct text_row {
	const char *yaml, *text;
};

static const struct text_row TABLES[] = {
	{ ACTIONS WRITE("write_t", "type: streaming_table"),
	  "# Create the streaming table\n"
	  "dp.create_streaming_table(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Streaming table: t\")\n"
	  "\n"
	  "\n"
	  "# Define append flow(s)\n"
	  "@dp.append_flow(\n"
	  "    target=\"c.s.t\",\n"
	  "    name=\"f_t\",\n"
	  "    comment=\"Append flow to c.s.t\"\n"
	  ")\n"
	  "def f_t():\n"
	  "    \"\"\"Append flow to c.s.t\"\"\"\n"
	  "    # Streaming flow\n"
	  "    df = spark.readStream.table(\"v\")\n"
	  "\n"
	  "    return df\n" },
	{ ACTIONS WRITE("w", "type: streaming_table, create_table: false, comment: x"),
	  "\n"
	  "# Define append flow(s)\n"
	  "@dp.append_flow(\n"
	  "    target=\"c.s.t\",\n"
	  "    name=\"f_w\",\n"
	  "    comment=\"Append flow to c.s.t\"\n"
	  ")\n"
	  "def f_w():\n"
	  "    \"\"\"Append flow to c.s.t\"\"\"\n"
	  "    # Streaming flow\n"
	  "    df = spark.readStream.table(\"v\")\n"
	  "\n"
	  "    return df\n" },
	{ ACTIONS WRITE("w", "type: streaming_table, mode: cdc, cdc_config: {keys: [k], sequence_by: [a, b], scd_type: 2, "
	                     "track_history_column_list: [h], column_list: [c], ignore_null_updates: false, apply_as_deletes: d}"),
	  "# Create the streaming table for CDC\n"
	  "dp.create_streaming_table(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Streaming table: t\")\n"
	  "\n"
	  "# CDC flow: f_w\n"
	  "dp.create_auto_cdc_flow(\n"
	  "    target=\"c.s.t\",\n"
	  "    source=\"v\",\n"
	  "    name=\"f_w\",\n"
	  "    keys=[\"k\"],\n"
	  "sequence_by=struct(\"a\", \"b\"),    stored_as_scd_type=2,\n"
	  "track_history_column_list=[\"h\"],\n"
	  "column_list=[\"c\"],\n"
	  "ignore_null_updates=False,\n"
	  "apply_as_deletes=\"d\",\n"
	  ")\n" },
	{ ACTIONS WRITE("w", "type: streaming_table, mode: cdc, create_table: false, cdc_config: {keys: [k], apply_as_truncates: x, "
	                     "track_history_column_list: [h]}"),
	  "# CDC flow: f_w\n"
	  "dp.create_auto_cdc_flow(\n"
	  "    target=\"c.s.t\",\n"
	  "    source=\"v\",\n"
	  "    name=\"f_w\",\n"
	  "    keys=[\"k\"],\n"
	  "    stored_as_scd_type=1,\n"
	  "apply_as_truncates=\"x\"\n"
	  ")\n" },
	{ ACTIONS WRITE("w", "type: streaming_table, mode: snapshot_cdc, create_table: false, snapshot_cdc_config: {source: a.b.c, keys: [k], "
	                     "stored_as_scd_type: 2, track_history_except_column_list: [x]}"),
	  "# Create the streaming table for snapshot CDC\n"
	  "dp.create_streaming_table(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Streaming table: t\")\n"
	  "\n"
	  "# Snapshot CDC mode using create_auto_cdc_from_snapshot_flow\n"
	  "dp.create_auto_cdc_from_snapshot_flow(\n"
	  "    target=\"c.s.t\",\n"
	  "source=\"a.b.c\",\n"
	  "    keys=[\"k\"],\n"
	  "    stored_as_scd_type=2,\n"
	  "    track_history_except_column_list=[\"x\"])\n" },
	{ ACTIONS WRITE("w", "type: streaming_table, mode: replace, replace_config: {replace_using: [k], sequence_by: at}"),
	  "# Create the streaming table for the replace-using flow\n"
	  "dp.create_streaming_table(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Streaming table: t\")\n"
	  "\n"
	  "# Replace-using flow: f_w\n"
	  "@dp.replace_flow(\n"
	  "    target=\"c.s.t\",\n"
	  "    name=\"f_w\",\n"
	  "    replace_using=[\"k\"],\n"
	  "    sequence_by=\"at\",\n"
	  "    comment=\"Replace-using flow to c.s.t\"\n"
	  ")\n"
	  "def f_w():\n"
	  "    \"\"\"Replace-using flow to c.s.t\"\"\"\n"
	  "    # Streaming flow (REPLACE USING requires a streaming source)\n"
	  "    df = spark.readStream.table(\"v\")\n"
	  "\n"
	  "    return df\n" },
	{ ACTIONS WRITE("w", "type: streaming_table, mode: replace_where, table_properties: {a: 1}, "
	                     "replace_where_config: {replace_where: \" day = '\\\"x' \"}"),
	  "@dp.table(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Streaming table: t\",\n"
	  "    table_properties={\"a\": 1, \"pipelines.reset.allowed\": \"false\"},\n"
	  "    replace_where=\" day = '\\\"x' \")\n"
	  "def t():\n"
	  "    \"\"\"Replace-where flow to c.s.t\"\"\"\n"
	  "    df = spark.read.table(\"v\")\n"
	  "\n"
	  "    return df\n" },
	{ ACTIONS WRITE("w", "type: materialized_view"),
	  "@dp.materialized_view(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Materialized view: t\",\n"
	  "    table_properties={})\n"
	  "def t():\n"
	  "    \"\"\"Write to c.s.t from multiple sources\"\"\"\n"
	  "    # Materialized views use batch processing\n"
	  "    df = spark.read.table(\"v\")\n"
	  "\n"
	  "    return df\n" },
	{ ACTIONS WRITE("w", "type: materialized_view, sql: \" SELECT 1\\n FROM x \\n\", table_schema: \"a INT,\\nb INT\", refresh_policy: full, "
	                     "temporary: true, private: true"),
	  "@dp.materialized_view(\n"
	  "    name=\"c.s.t\",\n"
	  "    comment=\"Materialized view: t\",\n"
	  "    table_properties={},\n"
	  "    schema=\"a INT,\\nb INT\",\n"
	  "    temporary=True,\n"
	  "    refresh_policy=\"full\",\n"
	  "    private=True)\n"
	  "def t():\n"
	  "    \"\"\"Write to c.s.t from multiple sources\"\"\"\n"
	  "    # Materialized views use batch processing\n"
	  "    df = spark.sql(\"\"\"SELECT 1\n"
	  " FROM x\"\"\")\n"
	  "\n"
	  "    return df\n" },
};

static void every_mode_has_its_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++) {
		struct emit_case c;

		case_open(&c);
		assert_string_equal(case_section(&c, TABLES[i].yaml, "TARGET TABLES"), TABLES[i].text);
		case_close(&c);
	}
}

static void options_of_a_table_stand_in_the_order_of_the_spec(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(
	    case_section(&c,
	                 ACTIONS WRITE("w", "type: streaming_table, private: true, temporary: true, row_filter: r, path: /p, "
	                                    "table_schema: \"a INT\", cluster_by_auto: true, cluster_columns: [\"\xc3\xa4\"], "
	                                    "partition_columns: [], spark_conf: {x: 0.5}, table_properties: {p: null}, comment: ''"),
	                 "TARGET TABLES"),
	    "# Create the streaming table\n"
	    "dp.create_streaming_table(\n"
	    "    name=\"c.s.t\",\n"
	    "    comment=\"\",\n"
	    "    table_properties={\"p\": None},\n"
	    "    spark_conf={\"x\": 0.5},\n"
	    "    cluster_by=[\"\\u00e4\"],\n"
	    "    cluster_by_auto=True,\n"
	    "    path=\"/p\",\n"
	    "    schema=\"\"\"a INT\"\"\",\n"
	    "    row_filter=\"r\",\n"
	    "    temporary=True,\n"
	    "    private=True)\n"
	    "\n"
	    "\n"
	    "# Define append flow(s)\n"
	    "@dp.append_flow(\n"
	    "    target=\"c.s.t\",\n"
	    "    name=\"f_w\",\n"
	    "    comment=\"Append flow to c.s.t\"\n"
	    ")\n"
	    "def f_w():\n"
	    "    \"\"\"Append flow to c.s.t\"\"\"\n"
	    "    # Streaming flow\n"
	    "    df = spark.readStream.table(\"v\")\n"
	    "\n"
	    "    return df\n");
	case_close(&c);
}

static const struct {
	const char *action, *flow;
} FLOWS[] = {
	{ "write-daily-rides", "f_daily_rides" },
	{ "write_f_rides", "f_rides" },
	{ "Write_Rides", "f_Write_Rides" },
	{ "write_write_rides", "f_write_rides" },
	{ "write_", "f_" },
	{ "write_a.b/c", "f_a_b_c" },
	{ "1st", "f_1st" },
	{ "two words", "f_two_words" },
	{ "write_über", "f_über" },
};

static void flows_are_named_after_their_action(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof FLOWS / sizeof *FLOWS; i++) {
		struct emit_case c;
		char yaml[512], line[64];

		case_open(&c);
		snprintf(yaml, sizeof yaml, ACTIONS WRITE("\"%s\"", "type: streaming_table"), FLOWS[i].action);
		snprintf(line, sizeof line, "\ndef %s():\n", FLOWS[i].flow);
		assert_string_equal(case_emit(&c, yaml), "");
		assert_non_null(strstr(case_text(&c, "p/f.py"), line));
		case_close(&c);
	}
}

static void writes_to_one_table_are_one_group_made_by_its_creator(void **state)
{
	struct emit_case c;
	const char *text;

	(void)state;
	case_open(&c);
	text = case_section(&c,
	                    "actions:\n"
	                    "- {name: a, type: write, source: [v, w], once: true, readMode: batch, description: D, "
	                    "write_target: {type: streaming_table, catalog: c, schema: s, table: t, create_table: false, comment: no}}\n"
	                    "- {name: b, type: write, source: [{catalog: x, schema: y, table: z}, {view: q}], "
	                    "write_target: {type: streaming_table, catalog: c, schema: s, table: t, comment: yes it is}}\n",
	                    "TARGET TABLES");
	assert_string_equal(text, "# Create the streaming table\n"
	                          "dp.create_streaming_table(\n"
	                          "    name=\"c.s.t\",\n"
	                          "    comment=\"yes it is\")\n"
	                          "\n"
	                          "\n"
	                          "# Define append flow(s)\n"
	                          "@dp.append_flow(\n"
	                          "    target=\"c.s.t\",\n"
	                          "    name=\"f_a_1\",\n"
	                          "once=True,    comment=\"D\"\n"
	                          ")\n"
	                          "def f_a_1():\n"
	                          "    \"\"\"D\"\"\"\n"
	                          "    # Batch mode\n"
	                          "    df = spark.read.table(\"v\")\n"
	                          "\n"
	                          "    return df\n"
	                          "@dp.append_flow(\n"
	                          "    target=\"c.s.t\",\n"
	                          "    name=\"f_a_2\",\n"
	                          "once=True,    comment=\"D\"\n"
	                          ")\n"
	                          "def f_a_2():\n"
	                          "    \"\"\"D\"\"\"\n"
	                          "    # Batch mode\n"
	                          "    df = spark.read.table(\"w\")\n"
	                          "\n"
	                          "    return df\n"
	                          "@dp.append_flow(\n"
	                          "    target=\"c.s.t\",\n"
	                          "    name=\"f_b_1\",\n"
	                          "    comment=\"Append flow to c.s.t from x.y.z\"\n"
	                          ")\n"
	                          "def f_b_1():\n"
	                          "    \"\"\"Append flow to c.s.t from x.y.z\"\"\"\n"
	                          "    # Streaming flow\n"
	                          "    df = spark.readStream.table(\"x.y.z\")\n"
	                          "\n"
	                          "    return df\n"
	                          "@dp.append_flow(\n"
	                          "    target=\"c.s.t\",\n"
	                          "    name=\"f_b_2\",\n"
	                          "    comment=\"Append flow to c.s.t from q\"\n"
	                          ")\n"
	                          "def f_b_2():\n"
	                          "    \"\"\"Append flow to c.s.t from q\"\"\"\n"
	                          "    # Streaming flow\n"
	                          "    df = spark.readStream.table(\"q\")\n"
	                          "\n"
	                          "    return df\n");
	case_close(&c);
}

static const char SNAPSHOT[] =
    "actions:\n"
    "- name: w\n"
    "  type: write\n"
    "  write_target:\n"
    "    {type: streaming_table, catalog: c, schema: s, table: t, mode: snapshot_cdc,\n"
    "     snapshot_cdc_config: {keys: [k], source_function: {file: py/snap.py, function: f, parameters: %s}}}\n";

static const struct {
	const char *file, *parameters, *code;
} SNAPSHOTS[] = {
	{ NULL, "{}", "LHP-IO-001" },
	{ "def f(:", "{}", "LHP-IO-003" },
	{ "async def f(v): pass", "{}", "LHP-IO-004" },
	{ "class A:\n    def f(v): pass", "{a: 1}", "LHP-IO-004" },
	{ "def f(v, a): pass", "{a: 1}", "LHP-CFG-006" },
	{ "def f(v, *, a): pass", "{a: 1}", "" },
	{ "def f(v, *, a): pass", "{a: 1, b: 2}", "LHP-CFG-006" },
	{ "def f(v, **k): pass", "{a: 1, b: 2}", "" },
	{ "def f(v): pass", "{}", "" },
	{ "def f(v): pass", "{a: 2024-01-01}", "LHP-CFG-005" },
	{ "def f(v, *, a): pass", "{a: [{b: 2024-01-01}]}", "LHP-CFG-005" },
	{ "def f(v, **k): pass", "{a b: 1}", "LHP-CFG-031" },
};

static void snapshot_functions_are_checked_one_by_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof SNAPSHOTS / sizeof *SNAPSHOTS; i++) {
		struct emit_case c;
		char yaml[1024];

		case_open(&c);
		if (SNAPSHOTS[i].file != NULL)
			case_file(&c, "py/snap.py", SNAPSHOTS[i].file);
		snprintf(yaml, sizeof yaml, SNAPSHOT, SNAPSHOTS[i].parameters);
		assert_string_equal(case_emit(&c, yaml), SNAPSHOTS[i].code);
		case_close(&c);
	}
}

static void a_snapshot_function_is_called_with_its_parameters(void **state)
{
	struct emit_case c;
	char yaml[1024];
	const char *text;

	(void)state;
	case_open(&c);
	case_file(&c, "py/snap.py", "def f(v, *, a, b, c): pass\n");
	snprintf(yaml, sizeof yaml, SNAPSHOT, "{a: \"it's\", b: [1, null, {x: 0.5}], c: \"${secret:s/k}\"}");
	assert_string_equal(case_emit(&c, yaml), "");
	text = case_text(&c, "p/f.py");
	assert_non_null(strstr(text, "source=partial(\n"
	                             "        _snap_snap.f,\n"
	                             "        a=\"it's\",\n"
	                             "        b=[1, None, {'x': 0.5}],\n"
	                             "        c=dbutils.secrets.get(scope='s', key='k')\n"
	                             "    ),\n"));
	assert_non_null(strstr(text, "from functools import partial\n"));
	assert_non_null(strstr(text, "import custom_python_functions.snap as _snap_snap\n"
	                             "\n"
	                             "_snap_snap.dbutils = dbutils\n"
	                             "_snap_snap.spark = spark\n"
	                             "\n"
	                             "# Pipeline Configuration\n"));
	assert_non_null(case_text(&c, "p/custom_python_functions/snap.py"));
	case_close(&c);
}

static void a_date_among_the_properties_cannot_be_written(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit(&c, ACTIONS WRITE("w", "type: streaming_table, table_properties: {a: 2024-01-01}")), "LHP-ACT-002");
	case_close(&c);
}

static void a_view_s_query_may_come_from_a_file(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	case_file(&c, "sql/q.sql", "\n  SELECT '${who}'\n\n");
	case_file(&c, "substitutions/dev.yaml", "dev:\n  who: me\n");
	assert_string_equal(case_emit(&c, ACTIONS WRITE("w", "type: materialized_view, sql_path: 'sql\\q.sql'")), "");
	assert_non_null(strstr(case_text(&c, "p/f.py"), "    df = spark.sql(\"\"\"SELECT 'me'\"\"\")\n"));
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_mode_has_its_text),
		cmocka_unit_test(options_of_a_table_stand_in_the_order_of_the_spec),
		cmocka_unit_test(flows_are_named_after_their_action),
		cmocka_unit_test(writes_to_one_table_are_one_group_made_by_its_creator),
		cmocka_unit_test(snapshot_functions_are_checked_one_by_one),
		cmocka_unit_test(a_snapshot_function_is_called_with_its_parameters),
		cmocka_unit_test(a_date_among_the_properties_cannot_be_written),
		cmocka_unit_test(a_view_s_query_may_come_from_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
