#include "emit_case.h"

#define LOAD(source) "actions:\n- {name: l, type: load, target: v_x, source: {" source "}}\n"
#define DELTA "type: delta, catalog: c, schema: s, table: t"
#define TRANSFORM(keys) "actions:\n- {name: t, type: transform, target: v_x, " keys "}\n"
#define VIEW(doc) "@dp.temporary_view()\ndef v_x():\n    \"\"\"" doc "\"\"\"\n"
#define END "\n    return df\n"

struct row {
	const char *yaml, *text;
};

static void check_texts(const struct row *row, size_t n, const char *section)
{
	for (size_t i = 0; i < n; i++) {
		struct emit_case c;

		case_open(&c);
		case_file(&c, "m.py", "def fn(spark, parameters):\n    return 1\n");
		case_file(&c, "e.yaml", "a > 1: {action: FAIL, name: x}\nb > 1: {action: drop}\nc > 1: {}\n");
		case_file(&c, "s.yaml", "columns:\n  - {name: a b, type: 'DECIMAL(12, 3)', nullable: false, comment: c}\n");
		assert_string_equal(case_section(&c, row[i].yaml, section), row[i].text);
		case_close(&c);
	}
}

static void every_load_has_its_text(void **state)
{
	static const struct row ROWS[] = {
		{ LOAD("type: cloudfiles, path: /r, format: csv, max_files_per_trigger: 0, schema_infer_column_types: true, "
		       "options: {csv.sep: y}, format_options: {sep: x, csv.a: 1}"),
		  VIEW("Load data from csv files at /r")
		  "    df = spark.readStream \\\n"
		  "        .format(\"cloudFiles\") \\\n"
		  "        .option(\"csv.sep\", \"x\") \\\n"
		  "        .option(\"csv.a\", 1) \\\n"
		  "        .option(\"cloudFiles.inferColumnTypes\", \"true\") \\\n"
		  "        .option(\"cloudFiles.maxFilesPerTrigger\", 0) \\\n"
		  "        .option(\"cloudFiles.format\", \"csv\") \\\n"
		  "        .load(\"/r\")\n" END },
		{ LOAD("type: cloudfiles, path: /r, format: csv, options: {cloudFiles.schemaHints: \"a INT, b DECIMAL(1,2),\"}"),
		  "# Schema hints for x table\n"
		  "x_schema_hints = \"\"\"\n    a INT,\n    b DECIMAL(1,2)\n\"\"\".strip().replace(\"\\n\", \" \")\n\n\n"
		  VIEW("Load data from csv files at /r")
		  "    df = spark.readStream \\\n"
		  "        .format(\"cloudFiles\") \\\n"
		  "        .option(\"cloudFiles.format\", \"csv\") \\\n"
		  "        .option(\"cloudFiles.schemaHints\", x_schema_hints) \\\n"
		  "        .load(\"/r\")\n" END },
		{ LOAD("type: cloudfiles, path: /r, format: csv, schema: {file: s.yaml}"),
		  "# Define schema\n"
		  "v_x_schema = StructType([\n"
		  "    StructField(\"a b\", DecimalType(12, 3), False, {\"comment\": \"c\"}),\n"
		  "])\n\n"
		  VIEW("Load data from csv files at /r")
		  "    df = spark.readStream \\\n"
		  "        .format(\"cloudFiles\") \\\n"
		  "        .schema(v_x_schema) \\\n"
		  "        .option(\"cloudFiles.format\", \"csv\") \\\n"
		  "        .load(\"/r\")\n" END },
		{ LOAD(DELTA), VIEW("Delta source: c.s.t") "    df = spark.read.table(\"c.s.t\")\n" END },
		{ LOAD(DELTA ", readMode: stream, options: {a: [], b: 0}, where_clause: 'a > \"1\"', select_columns: [a, 5]"),
		  VIEW("Delta source: c.s.t")
		  "    df = spark.readStream \\\n"
		  "        .option(\"a\", \"[]\") \\\n"
		  "        .option(\"b\", 0).table(\"c.s.t\")\n"
		  "    df = df.where(\"a > \\\"1\\\"\")\n"
		  "\n"
		  "    # Apply column selection\n"
		  "    df = df.select([\"a\", 5])\n" END },
		{ LOAD("type: sql, sql: \"SELECT 1\\n  FROM x\\n\""),
		  VIEW("SQL source: l") "    df = spark.sql(\"\"\"SELECT 1\n  FROM x\n\"\"\")\n" END },
		{ LOAD("type: jdbc, url: u, user: 5, password: true, driver: d, query: '', table: t"),
		  VIEW("JDBC source: l")
		  "    df = spark.read \\\n"
		  "        .format(\"jdbc\") \\\n"
		  "        .option(\"url\", \"u\") \\\n"
		  "        .option(\"user\", \"5\") \\\n"
		  "        .option(\"password\", \"True\") \\\n"
		  "        .option(\"driver\", \"d\") \\\n"
		  "        .option(\"dbtable\", \"t\") \\\n"
		  "        .load()\n" END },
		{ LOAD("type: kafka, bootstrap_servers: b, subscribe: t, options: {kafka.bootstrap.servers: x, kafka.group.id: 5}"),
		  VIEW("Load data from Kafka topics at b")
		  "    df = spark.readStream \\\n"
		  "        .format(\"kafka\") \\\n"
		  "        .option(\"kafka.bootstrap.servers\", \"x\") \\\n"
		  "        .option(\"subscribe\", \"t\") \\\n"
		  "        .option(\"kafka.group.id\", 5) \\\n"
		  "        .load()\n" "\n" END },
		{ LOAD("type: python, module_path: m.py, function_name: fn, parameters: {a: [1, true]}"),
		  VIEW("Python source: m.fn")
		  "    # Call the external Python function with spark and parameters\n"
		  "    parameters = {\"a\": [1, True]}\n"
		  "    df = fn(spark, parameters)\n" END },
	};

	(void)state;
	check_texts(ROWS, sizeof(ROWS) / sizeof(ROWS[0]), "# SOURCE VIEWS");
}

static void every_transform_has_its_text(void **state)
{
	static const struct row ROWS[] = {
		{ TRANSFORM("transform_type: sql, source: v, sql: ' SELECT 1 '"),
		  "@dp.temporary_view(comment=\"SQL transform: t\")\n"
		  "def v_x():\n"
		  "    \"\"\"SQL transform: t\"\"\"\n"
		  "    df = spark.sql(\"\"\"SELECT 1\"\"\")\n" END },
		{ TRANSFORM("transform_type: python, source: [v_a, c.d.e], module_path: m.py, function_name: fn, readMode: stream"),
		  VIEW("Python transform: m.fn")
		  "    # Load source view(s)\n"
		  "    v_a_df = spark.readStream.table(\"v_a\")\n"
		  "    c_d_e_df = spark.readStream.table(\"c.d.e\")\n"
		  "\n"
		  "    # Apply Python transformation\n"
		  "    parameters = {}\n"
		  "    dataframes = [v_a_df, c_d_e_df]\n"
		  "    df = fn(dataframes, spark, parameters)\n\n" END },
		{ TRANSFORM("transform_type: python, source: [], module_path: m.py, function_name: fn"),
		  VIEW("Python transform: m.fn")
		  "    # No source views - function generates data\n"
		  "    parameters = {}\n"
		  "    df = fn(spark, parameters)\n\n" END },
		{ TRANSFORM("transform_type: temp_table, source: {source: v_a}, readMode: stream"),
		  "@dp.table(\n    temporary=True,\n)\n"
		  "def v_x():\n"
		  "    \"\"\"Temporary table: v_x\"\"\"\n"
		  "    df = spark.readStream.table(\"v_a\")\n" END },
		{ TRANSFORM("transform_type: schema, source: v_a, enforcement: strict, schema_inline: \"a -> b: INT\\n`c.d`: X\\ne\""),
		  VIEW("Schema application: t")
		  "    df = spark.readStream.table(\"v_a\")\n"
		  "\n"
		  "    # Apply column renaming\n"
		  "    df = df.withColumnRenamed(\"a\", \"b\")\n"
		  "\n"
		  "    # Apply type casting\n"
		  "    df = df.withColumn(\"b\", F.col(\"b\").cast(\"INT\"))\n"
		  "    df = df.withColumn(\"c.d\", F.col(\"`c.d`\").cast(\"X\"))\n"
		  "\n"
		  "    # Strict schema enforcement - select only specified columns\n"
		  "    # Schema-defined columns (will fail if missing)\n"
		  "    columns_to_select = [\n"
		  "        \"b\",        \"`c.d`\",        \"e\"    ]\n"
		  "\n\n"
		  "    df = df.select(*columns_to_select)\n" END },
	};

	(void)state;
	check_texts(ROWS, sizeof(ROWS) / sizeof(ROWS[0]), "# TRANSFORMATION VIEWS");
}

static void expectations_are_grouped_by_what_they_do(void **state)
{
	static const struct row ROW = { TRANSFORM("transform_type: data_quality, source: v_a, expectations_file: e.yaml"),
		"\n"
		"# ----------------------------------------------------------------------------\n"
		"# Expectations: v_a \xe2\x86\x92 v_x\n"
		"# ----------------------------------------------------------------------------\n"
		"\n"
		"@dp.temporary_view()\n"
		"# These expectations will fail the pipeline if violated\n"
		"@dp.expect_all_or_fail({\"x\": \"a > 1\"})\n"
		"# These expectations will drop rows that violate them\n"
		"@dp.expect_all_or_drop({\"b > 1\": \"b > 1\"})\n"
		"# These expectations will log warnings but not drop rows\n"
		"@dp.expect_all({\"c > 1\": \"c > 1\"})\n"
		"def v_x():\n"
		"    \"\"\"Data quality checks for v_a\"\"\"\n"
		"    df = spark.readStream.table(\"v_a\")\n" END };

	(void)state;
	check_texts(&ROW, 1, "# DATA QUALITY & QUARANTINE");
}

static void faults_that_only_generation_sees_have_their_codes(void **state)
{
	static const struct row ROWS[] = {
		{ LOAD("type: cloudfiles, path: /r, format: csv, readMode: batch"), "LHP-VAL-068" },
		{ LOAD("type: cloudfiles, path: /r, format: csv, options: {schemaHints: x}"), "LHP-CFG-001" },
		{ LOAD("type: cloudfiles, path: /r, format: csv, options: [x]"), "LHP-VAL-008" },
		{ LOAD("type: cloudfiles, path: /r, format: csv, schema_location: /a, options: {cloudFiles.schemaLocation: /b}"),
		  "LHP-CFG-001" },
		{ LOAD("type: cloudfiles, path: /r, format: csv, schema: none.yaml"), "LHP-IO-001" },
		{ LOAD("type: cloudfiles, path: /r, format: csv, schema: s.yaml, schema_file: s.yaml"), "LHP-CFG-001" },
		{ LOAD(DELTA ", options: {a: null}"), "LHP-VAL-010" },
		{ LOAD(DELTA ", options: {readChangeFeed: 'true'}"), "LHP-VAL-013" },
		{ LOAD(DELTA ", readMode: stream, options: {endingVersion: 3}"), "LHP-VAL-013" },
		{ LOAD(DELTA ", options: {readChangeFeed: 1}"), "LHP-VAL-013" },
		{ LOAD("type: cloudfiles, path: /r, format: csv, options: null"), "LHP-ACT-002" },
		{ LOAD("type: sql"), "LHP-VAL-001" },
		{ LOAD("type: sql, sql: null, sql_path: q.sql"), "LHP-ACT-002" },
		{ LOAD("type: sql, sql: 5"), "LHP-ACT-002" },
		{ LOAD("type: kafka, bootstrap_servers: b, subscribe: t, options: {group.id: x}"), "LHP-CFG-001" },
		{ LOAD("type: kafka, bootstrap_servers: b, subscribe: t, options: {kafka.sasl.mechanism: AWS_MSK_IAM}"), "LHP-VAL-017" },
		{ LOAD("type: kafka, bootstrap_servers: b, subscribe: t, options: {kafka.sasl.mechanism: OAUTHBEARER}"), "LHP-VAL-018" },
		{ LOAD("type: python, module_path: m.txt"), "LHP-IO-001" },
		{ LOAD("type: python, module_path: m.py, function_name: ''"), "LHP-CFG-031" },
		{ LOAD("type: python, module_path: m.py, parameters: {a: 2024-01-01}"), "LHP-ACT-002" },
		{ LOAD("type: custom_datasource, module_path: m.py"), "LHP-VAL-001" },
		{ TRANSFORM("transform_type: data_quality, source: v_a"), "LHP-VAL-001" },
		{ TRANSFORM("transform_type: data_quality, source: v_a, expectations_file: none.yaml"), "LHP-IO-001" },
		{ TRANSFORM("transform_type: data_quality, source: v_a, expectations_file: e.yaml, readMode: batch"), "LHP-VAL-068" },
		{ TRANSFORM("transform_type: schema, source: v_a, schema_inline: 'a -> : INT'"), "LHP-VAL-011" },
		{ TRANSFORM("transform_type: schema, source: v_a, schema_inline: 'columns: 5'"), "LHP-ACT-002" },
		{ "actions:\n- {name: l, type: load, target: class, source: {" DELTA "}}\n", "LHP-CFG-031" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
		struct emit_case c;

		case_open(&c);
		case_file(&c, "m.py", "def fn(spark, parameters):\n    return 1\n");
		case_file(&c, "e.yaml", "a > 1: {}\n");
		case_file(&c, "s.yaml", "columns: [{name: a, type: INT}]\n");
		assert_string_equal(case_emit(&c, ROWS[i].yaml), ROWS[i].text);
		assert_int_equal(c.out.n > 0 && c.out.p[0].path.n == 6, 0);
		case_close(&c);
	}
}

static void a_metadata_expression_must_be_one_expression(void **state)
{
	struct meta_column meta = { .name = STR("_at"), .expression = STR("F.lit(1) +"), .at = { "lhp.yaml", 7, 3 } };
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit_with(&c, LOAD(DELTA), &meta, 1), "LHP-CFG-031");
	assert_int_equal(c.diags.p[0].at.line, 7);
	case_close(&c);
}

static void imports_stand_in_their_groups(void **state)
{
	struct str lines[] = {
		STR("from datetime import date, datetime"), STR("from datetime import datetime"), STR("import socket"),
		STR("from json_pull import a"),             STR("from spark_pull import b"),      STR("from delta.tables import DeltaTable"),
		STR("from pyspark.sql.functions import *"), STR("from pyspark.sql.functions import udf"),
		STR("from __future__ import annotations"),
	};
	struct meta_column meta = { .name = STR("_at"), .expression = STR("1"), .imports = lines, .n_imports = 9 };
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit_with(&c, LOAD(DELTA), &meta, 1), "");
	assert_non_null(strstr(case_text(&c, "p/f.py"), "# FlowGroup: f\n"
	                                               "\n"
	                                               "from __future__ import annotations\n"
	                                               "\n"
	                                               "from datetime import date\n"
	                                               "from datetime import datetime\n"
	                                               "from json_pull import a\n"
	                                               "from pyspark.sql.functions import *\n"
	                                               "from spark_pull import b\n"
	                                               "from pyspark import pipelines as dp\n"
	                                               "from delta.tables import DeltaTable\n"
	                                               "import socket\n"
	                                               "\n"
	                                               "# Pipeline Configuration\n"));
	case_close(&c);
}

static void one_name_from_two_modules_is_refused(void **state)
{
	struct str lines[] = { STR("from a import x"), STR("from b import y as x") };
	struct meta_column meta = { .name = STR("_at"), .expression = STR("1"), .imports = lines, .n_imports = 2 };
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit_with(&c, LOAD(DELTA), &meta, 1), "LHP-VAL-021");
	case_close(&c);
}

static void actions_come_by_generations(void **state)
{
	static const char YAML[] =
		"actions:\n"
		"- {name: late, type: transform, source: v_b, target: v_late}\n"
		"- {name: b, type: transform, source: [v_a, v_a], target: v_b}\n"
		"- {name: free, type: transform, source: elsewhere, target: v_free}\n"
		"- {name: both, type: transform, source: {sources: [v_a, v_free]}, target: v_both}\n"
		"- {name: a, type: load, source: {table: x}, target: v_a}\n";
	static const char *const ORDER[] = { "free", "a", "b", "both", "late" };
	struct emit_case c;
	struct flowgroup fg;
	struct unit u;
	const struct action **order;

	(void)state;
	case_open(&c);
	u = (struct unit){ .arena = &c.arena, .diags = &c.diags };
	fg = case_flowgroup(&c, YAML);
	order = actions_ordered(&u, &fg);
	for (size_t i = 0; i < 5; i++)
		assert_true(str_is(order[i]->name, ORDER[i]));
	fg = case_flowgroup(&c, "actions:\n- {name: x, type: transform, source: v_y, target: v_x}\n"
	                        "- {name: y, type: transform, source: v_x, target: v_y}\n");
	assert_null(actions_ordered(&u, &fg));
	assert_string_equal(c.diags.p[0].rule->code, "LHP-DEP-001");
	case_close(&c);
}

static void two_loads_never_share_their_hints(void **state)
{
	struct emit_case c;
	const char *text;

	(void)state;
	case_open(&c);
	text = case_section(&c, "actions:\n"
	                        "- {name: a, type: load, target: v_a, source: {type: cloudfiles, path: /r, format: csv, options: {cloudFiles.schemaHints: x INT}}}\n"
	                        "- {name: b, type: load, target: v_a_raw, source: {type: cloudfiles, path: /r, format: csv, options: {cloudFiles.schemaHints: y INT}}}\n",
	                    "# SOURCE VIEWS");
	assert_non_null(strstr(text, "a_schema_hints = \"\"\"\n    x INT\n"));
	assert_non_null(strstr(text, "a_schema_hints_2 = \"\"\"\n    y INT\n"));
	assert_non_null(strstr(text, ".option(\"cloudFiles.schemaHints\", a_schema_hints_2)"));
	case_close(&c);
}

static void a_quarantine_keeps_its_names(void **state)
{
	static const char *const NAMES[] = {
		"_EXPECTATIONS_v_a = {\"rule_0\": \"a > 1\", \"n\": \"_rescued_data IS NULL\"}\n",
		"_INVERSE_FILTER_v_a = \"NOT ((a > 1) AND (_rescued_data IS NULL))\"\n",
		"DLQ_TABLE_v_a = \"c.s.dlq\"\n", "DLQ_OUTBOX_TABLE_v_a = \"c.s.dlq_outbox\"\n", "SOURCE_TABLE_v_a = \"c.s.src\"\n",
		"_EXPECTATIONS_RECYCLED_v_a = {\"rule_0\": \"a > 1\"}\n", "def _clean_v_a() ->",
		"@dp.foreach_batch_sink(name=\"dlq_sink_v_a\")\n",
		"@dp.append_flow(target=\"dlq_sink_v_a\", name=\"quarantine_flow_v_a\")\n",
		"@dp.foreach_batch_sink(name=\"recycle_sink_v_a\")\n",
		"@dp.append_flow(target=\"recycle_sink_v_a\", name=\"recycle_flow_v_a\")\n", "def _recycled_v_a() ->", "def v_x():\n",
	};
	struct emit_case c;
	const char *text, *at;

	(void)state;
	case_open(&c);
	case_file(&c, "e.yaml", "- {constraint: a > 1, failureAction: fail}\n- {constraint: _rescued_data IS NULL, name: n, message: m}\n");
	at = text = case_section(&c, TRANSFORM("transform_type: data_quality, mode: quarantine, source: v_a, expectations_file: e.yaml, "
	                                      "quarantine: {dlq_table: c.s.dlq, source_table: c.s.src}"), "# DATA QUALITY & QUARANTINE");
	assert_non_null(strstr(text, "# Quarantine: v_a \xe2\x86\x92 v_x\n"));
	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		at = strstr(at, NAMES[i]);
		assert_non_null(at);
	}
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_load_has_its_text),
		cmocka_unit_test(every_transform_has_its_text),
		cmocka_unit_test(expectations_are_grouped_by_what_they_do),
		cmocka_unit_test(faults_that_only_generation_sees_have_their_codes),
		cmocka_unit_test(a_metadata_expression_must_be_one_expression),
		cmocka_unit_test(imports_stand_in_their_groups),
		cmocka_unit_test(one_name_from_two_modules_is_refused),
		cmocka_unit_test(actions_come_by_generations),
		cmocka_unit_test(two_loads_never_share_their_hints),
		cmocka_unit_test(a_quarantine_keeps_its_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
