/* test_suggestions.c - "did you mean", for every kind of name, by what exists. */
#include "cmd_case.h"

#define LOAD LOAD_OF("/x")
#define TARGET "write_target: {type: streaming_table, catalog: c, schema: s, table: t"
#define LOAD_OF(path) "{name: l, type: load, source: {type: cloudfiles, path: " path ", format: json}, target: v_orders}"
#define LOAD_SQL(path) "{name: l, type: load, source: {type: sql, sql_path: " path "}, target: v_orders}"
#define WRITE "{name: w, type: write, source: v_orders, " TARGET "}}"
#define HEAD "pipeline: silver_orders\nflowgroup: recent\n"

static const struct {
	const char *what, *flowgroup, *line, *hint;
} row[] = {
	{ "source key", HEAD "actions: [{name: l, type: load, source: {type: cloudfiles, path: /x, formt: json}, target: v_orders}, " WRITE "]\n",
	  "validate", "did you mean 'format'?" },
	{ "target key", HEAD "actions: [" LOAD ", {name: w, type: write, source: v_orders, " TARGET ", commment: x}}]\n", "validate",
	  "did you mean 'comment'?" },
	{ "action type", HEAD "actions: [{name: l, type: laod}]\n", "validate", "did you mean 'load'?" },
	{ "load type", HEAD "actions: [{name: l, type: load, source: {type: cloudfile}, target: v_orders}, " WRITE "]\n", "validate",
	  "did you mean 'cloudfiles'?" },
	{ "preset", HEAD "presets: [sliver]\nactions: [" LOAD ", " WRITE "]\n", "validate", "did you mean 'silver'?" },
	{ "template", HEAD "use_template: lnaded\n", "validate", "did you mean 'landed'?" },
	{ "blueprint", "use_blueprint: lnading\n", "validate", "did you mean 'landing'?" },
	{ "blueprint parameter", "use_blueprint: landing\nparameters: {sitte: a}\n", "validate", "did you mean 'site'?" },
	{ "token", HEAD "actions: [" LOAD_OF("'/x/${catalgo}'") ", " WRITE "]\n",
	  "validate", "did you mean 'catalog'?" },
	{ "token in a file", HEAD "actions: [" LOAD_SQL("sql/token.sql") ", " WRITE "]\n",
	  "validate", "did you mean 'catalog'?" },
	{ "environment", HEAD "actions: [" LOAD_OF("'/x/${catalog}'") ", " WRITE "]\n",
	  "validate -e prdo", "did you mean 'prod'?" },
	{ "view", HEAD "actions: [" LOAD ", {name: t, type: transform, transform_type: sql, sql: select 1, source: v_orders, target: v_clean}, "
	       "{name: w, type: write, source: v_claen, " TARGET "}}]\n",
	  "validate", "did you mean 'v_claen'?" },
	{ "SQL file", HEAD "actions: [" LOAD_SQL("sql/tokne.sql") ", " WRITE "]\n", "validate",
	  "did you mean 'sql/token.sql'?" },
	{ "Python file", HEAD "actions: [" LOAD ", {name: t, type: transform, transform_type: python, source: v_orders, module_path: py/claen.py, "
	              "function_name: clean, target: u}, {name: w, type: write, source: u, " TARGET "}}]\n",
	  "validate", "did you mean 'py/clean.py'?" },
	{ "pipeline", HEAD "actions: [" LOAD ", " WRITE "]\n", "validate -p sliver_orders", "did you mean 'silver_orders'?" },
	{ "function", HEAD "actions: [" LOAD ", {name: w, type: write, " TARGET ", mode: snapshot_cdc, snapshot_cdc_config: {keys: [a], "
	           "source_function: {file: py/clean.py, function: next_snapshto}}}}]\n",
	  "generate -e dev --no-format", "did you mean 'next_snapshot'?" },
	{ "command", HEAD, "validat", "did you mean 'validate'?" },
	{ "option", HEAD, "validate --pipelin x", "did you mean '--pipeline'?" },
	{ "code", HEAD, "explain VAL-0007", "did you mean 'LHP-VAL-007'" },
};

static void what_exists_is_suggested_for_what_does_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct cmd_case c;

		case_open(&c);
		case_put(&c, "lhp.yaml", "name: near\n");
		case_put(&c, "presets/silver.yaml", "name: silver\n");
		case_put(&c, "templates/landed.yaml", "name: landed\nactions: []\n");
		case_put(&c, "blueprints/landing.yaml",
		         "name: landing\nparameters: [{name: site}]\nflowgroups: [{pipeline: p, flowgroup: 'g_%{site}'}]\n");
		case_put(&c, "substitutions/dev.yaml", "dev: {catalog: c}\n");
		case_put(&c, "substitutions/prod.yaml", "prod: {catalog: c}\n");
		case_put(&c, "sql/token.sql", "SELECT '${catalgo}'\n");
		case_put(&c, "py/clean.py", "def clean(df, spark, parameters):\n    return df\n\n\ndef next_snapshot(version):\n    return None\n");
		case_put(&c, "pipelines/p.yaml", row[i].flowgroup);
		assert_int_not_equal(case_run(&c, row[i].line), 0);
		if (strstr(c.err, row[i].hint) == NULL && strstr(c.out, row[i].hint) == NULL)
			fail_msg("%s: no \"%s\" in\n%s", row[i].what, row[i].hint, c.err);
		case_close(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_exists_is_suggested_for_what_does_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
