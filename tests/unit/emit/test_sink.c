#include "emit_case.h"

#define SINK(target) "actions:\n- name: send\n  type: write\n  source: v\n  write_target: {type: sink, sink_name: out, " target "}\n"

#define DELTA_CODE                         \
	"# Delta sink to a.b.c\n"              \
	"\n"                                   \
	"# Create Delta sink\n"                \
	"dp.create_sink(\n"                    \
	"    name=\"out\",\n"                  \
	"    format=\"delta\",\n"              \
	"    options={\"tableName\": \"a.b.c\"}\n" \
	")\n"                                  \
	"\n"                                   \
	"# Define append flow(s)\n"            \
	"@dp.append_flow(\n"                   \
	"    target=\"out\",\n"                \
	"    name=\"f_out_1\",\n"              \
	"    comment=\"Delta sink to a.b.c\"\n" \
	")\n"                                  \
	"def f_out_1():\n"                     \
	"    df = spark.readStream.table(\"v\")\n"

static void a_delta_sink_has_its_text(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_section(&c, SINK("sink_type: delta, options: {tableName: a.b.c}"), "TARGET TABLES"),
	                    DELTA_CODE "\n\n    return df\n\n\n\n\n\n");
	case_close(&c);
}

static void metadata_columns_stand_before_the_return(void **state)
{
	struct meta_column meta = { .name = STR("_at"), .expression = STR("F.current_timestamp()") };
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit_with(&c, SINK("sink_type: delta, options: {tableName: a.b.c}"), &meta, 1), "");
	assert_non_null(strstr(case_text(&c, "p/f.py"), DELTA_CODE "\n"
	                                                           "    # Add operational metadata columns\n"
	                                                           "    df = df.withColumn('_at', F.current_timestamp())\n"
	                                                           "\n"
	                                                           "    return df\n"));
	case_close(&c);
}

static void a_user_s_topic_overwrites_in_place(void **state)
{
	struct emit_case c;
	const char *text;

	(void)state;
	case_open(&c);
	text = case_section(&c,
	                    SINK("sink_type: kafka, bootstrap_servers: b, topic: t, options: {x: 1, topic: u, "
	                         "kafka.sasl.mechanism: OAUTHBEARER}"),
	                    "TARGET TABLES");
	assert_non_null(strstr(text, "# Event Hubs sink to t\n\n# Create Event Hubs sink\n"));
	assert_non_null(strstr(text, "    options={\"kafka.bootstrap.servers\": \"b\", \"topic\": \"u\", \"x\": 1, "
	                             "\"kafka.sasl.mechanism\": \"OAUTHBEARER\"}\n"));
	assert_non_null(strstr(text, "    df = spark.readStream.table(\"v\")\n"
	                             "\n"
	                             "\n"
	                             "    # Runtime validation for strict mode (user must provide key and value columns)\n"
	                             "    if \"value\" not in df.columns:\n"));
	case_close(&c);
}

static void a_custom_sink_brings_its_module(void **state)
{
	struct emit_case c;
	const char *text;

	(void)state;
	case_open(&c);
	case_file(&c, "py/hook.py", "class Hook:\n    @classmethod\n    def name(cls):\n        \"\"\"Its name.\"\"\"\n        return \"hook\"\n");
	assert_string_equal(case_emit(&c, SINK("sink_type: custom, module_path: py/hook.py, custom_sink_class: Hook")), "");
	text = case_text(&c, "p/f.py");
	assert_non_null(strstr(text, "import custom_python_functions\n"));
	assert_non_null(strstr(text, "from custom_python_functions.hook import Hook\n"));
	assert_non_null(strstr(text, "\n_lhp_cloudpickle.register_pickle_by_value(custom_python_functions)\n"));
	assert_non_null(strstr(text, "# Custom sink: Hook\n"
	                             "\n"
	                             "# Register custom data sink\n"
	                             "spark.dataSource.register(Hook)\n"
	                             "\n"
	                             "# Create custom sink\n"
	                             "dp.create_sink(\n"
	                             "    name=\"out\",\n"
	                             "    format=\"hook\",\n"
	                             "    options={}\n"
	                             ")\n"));
	assert_non_null(strstr(text, "    comment=\"\"\"Custom sink: Hook\"\"\"\n"));
	assert_non_null(case_text(&c, "p/custom_python_functions/hook.py"));
	case_close(&c);
}

static void a_missing_module_of_a_sink_is_found(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit(&c, SINK("sink_type: custom, module_path: py/none.py, custom_sink_class: A")), "LHP-IO-001");
	case_close(&c);
	case_open(&c);
	assert_string_equal(case_emit(&c, SINK("sink_type: foreachbatch, module_path: py/none.py")), "LHP-IO-001");
	case_close(&c);
}

static void a_batch_handler_becomes_the_body_of_a_function(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(
	    case_section(&c, SINK("sink_type: foreachbatch, batch_handler: \"a = 1\\n\\nif a:\\n    b = '${secret:s/k}'\\n\""), "TARGET TABLES"),
	    "# ForEachBatch sink: send\n"
	    "\n"
	    "@dp.foreach_batch_sink(name=\"out\")\n"
	    "def out(df, batch_id):\n"
	    "    \"\"\"ForEachBatch sink: send\"\"\"\n"
	    "    a = 1\n"
	    "\n"
	    "    if a:\n"
	    "        b = dbutils.secrets.get(scope='s', key='k')\n"
	    "\n"
	    "    return\n"
	    "\n"
	    "@dp.append_flow(target=\"out\", name=\"f_out_1\", comment=\"ForEachBatch sink: send\")\n"
	    "def f_out_1():\n"
	    "    df = spark.readStream.table(\"v\")\n"
	    "\n"
	    "\n"
	    "    return df\n");
	case_close(&c);
}

static void a_handler_that_is_no_python_is_found(void **state)
{
	struct emit_case c;

	(void)state;
	case_open(&c);
	assert_string_equal(case_emit(&c, SINK("sink_type: foreachbatch, batch_handler: \"x = (\"")), "LHP-CFG-031");
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_delta_sink_has_its_text),
		cmocka_unit_test(metadata_columns_stand_before_the_return),
		cmocka_unit_test(a_user_s_topic_overwrites_in_place),
		cmocka_unit_test(a_custom_sink_brings_its_module),
		cmocka_unit_test(a_missing_module_of_a_sink_is_found),
		cmocka_unit_test(a_batch_handler_becomes_the_body_of_a_function),
		cmocka_unit_test(a_handler_that_is_no_python_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
