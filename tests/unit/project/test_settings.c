#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/fixture.h"

#define LOG_ON "event_log: {catalog: a, schema: b}\n"
#define MONITOR(more) LOG_ON "monitoring: {checkpoint_path: /a, job_config_path: lhp.yaml" more "}\n"

static void every_part_is_checked_with_its_code(void **state)
{
	static const struct {
		const char *text, *code; /* "" passes */
	} rows[] = {
		{ "", "LHP-IO-003" },
		{ "# only a comment\n", "LHP-IO-003" },
		{ "a: 1\n---\nb: 1\n", "LHP-IO-003" },
		{ "null\n", "" },
		{ "{}\n", "" },
		{ "\tname: x\n", "LHP-CFG-009" },
		{ "- a\n", "LHP-CFG-002" },
		{ "name: 7\n", "LHP-CFG-002" },
		{ "version: 1.0\n", "LHP-CFG-002" },
		{ "description:\n", "" },
		{ "name:\n", "LHP-CFG-002" },
		{ "apply_formatting: perhaps\n", "LHP-CFG-002" },
		{ "apply_formatting: \"no\"\n", "" },
		{ "unknown: [1]\n", "" },
		{ "include: a\n", "LHP-CFG-003" },
		{ "include:\n", "LHP-CFG-003" },
		{ "blueprint_include: [1]\n", "LHP-CFG-004" },
		{ "instance_include: ['']\n", "LHP-CFG-005" },
		{ "include: []\n", "" },
		{ "operational_metadata: [a]\n", "LHP-CFG-002" },
		{ "operational_metadata: {columns: [a]}\n", "LHP-CFG-002" },
		{ "operational_metadata: {columns: {a: 5}}\n", "LHP-CFG-003" },
		{ "operational_metadata: {columns: {a: {expression: 5}}}\n", "LHP-CFG-003" },
		{ "operational_metadata: {columns: {a: {expression: x, applies_to: view}}}\n", "LHP-CFG-003" },
		{ "operational_metadata: {columns: {a: x}, presets: {p: text}}\n", "LHP-CFG-004" },
		{ "operational_metadata: {columns: {a: x}, presets: {p: [5]}}\n", "LHP-CFG-004" },
		{ "operational_metadata: {columns: {a: x}, presets: {p: [b]}}\n", "LHP-CFG-005" },
		{ "operational_metadata: {columns: {a: x}, presets: {p: {columns: [a]}}}\n", "" },
		{ "event_log:\n", "LHP-CFG-006" },
		{ "event_log: {catalog: 5, schema: b}\n", "LHP-CFG-006" },
		{ "event_log: {}\n", "LHP-CFG-007" },
		{ "event_log: {enabled: \"no\"}\n", "" },
		{ "event_log: {enabled: maybe, catalog: a, schema: b}\n", "LHP-CFG-006" },
		{ LOG_ON, "" },
		{ LOG_ON "monitoring: {enabled: false, enable_job_monitoring: }\n", "LHP-CFG-008" },
		{ LOG_ON "monitoring: {enabled: false, enable_job_monitoring: 'yes'}\n", "" },
		{ "monitoring:\n", "LHP-CFG-008" },
		{ "monitoring: {enabled: false}\n", "" },
		{ "monitoring: {enabled: false, max_concurrent_streams: 99}\n", "LHP-CFG-008" },
		{ LOG_ON "monitoring:\n", "LHP-CFG-008" },
		{ "event_log: {enabled: false}\nmonitoring: {checkpoint_path: /a, job_config_path: lhp.yaml}\n", "LHP-CFG-008" },
		{ MONITOR(""), "" },
		{ MONITOR(", max_concurrent_streams: true"), "LHP-CFG-008" },
		{ MONITOR(", max_concurrent_streams: 20"), "" },
		{ MONITOR(", materialized_views: {}"), "LHP-CFG-008" },
		{ MONITOR(", materialized_views: [a]"), "LHP-CFG-008" },
		{ MONITOR(", materialized_views: [{sql: x}]"), "LHP-CFG-008" },
		{ MONITOR(", materialized_views: [{name: a}, {name: a}]"), "LHP-CFG-008" },
		{ MONITOR(", materialized_views: [{name: a, sql: x, sql_path: y}]"), "LHP-CFG-008" },
		{ MONITOR(", materialized_views: [{name: a, sql: x}]"), "" },
		{ LOG_ON "monitoring: {checkpoint_path: /a, job_config_path: none.yaml}\n", "LHP-CFG-008" },
		{ LOG_ON "monitoring: {checkpoint_path: /a, job_config_path: 'x/${env}.yaml'}\n", "" },
		{ "test_reporting: {}\n", "LHP-CFG-009" },
		{ "test_reporting: {module_path: a, function_name: 7}\n", "LHP-CFG-009" },
		{ "test_reporting: {module_path: a, function_name: f, config_file: }\n", "" },
		{ "uc_tagging:\n", "" },
		{ "uc_tagging: text\n", "LHP-CFG-009" },
		{ "uc_tagging: {enabled: \"yes\"}\n", "LHP-CFG-009" },
		{ "uc_tagging: {tag_update_concurrency: 21}\n", "LHP-CFG-009" },
		{ "uc_tagging: {max_allowable_consecutive_failures: -1}\n", "LHP-CFG-009" },
		{ "uc_tagging: {max_allowable_consecutive_failures: }\n", "" },
		{ "wheel: {artifact_volume: 5}\n", "LHP-CFG-060" },
		{ "wheel: {artifact_volume: }\n", "" },
		{ "sandbox: {strategy: schema}\n", "LHP-CFG-062" },
		{ "sandbox: {allowed_envs: []}\n", "LHP-CFG-062" },
		{ "sandbox: {table_pattern: '{namespace}-{table}'}\n", "LHP-CFG-063" },
		{ "sandbox: {table_pattern: '{{namespace}}_{table}'}\n", "LHP-CFG-063" },
		{ "sandbox: {table_pattern: 'x_{namespace}_{table}'}\n", "" },
		{ "required_lhp_version: '>=9'\n", "LHP-CFG-007" },
		{ "required_lhp_version: newest\n", "LHP-CFG-008" },
		{ "required_lhp_version: ''\n", "" },
	};
	struct fixture f;

	(void)state;
	fixture_open(&f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put(&f, "lhp.yaml", rows[i].text);
		load(&f);
		if (strcmp(first_code(&f), rows[i].code) != 0)
			fail_msg("%s gave \"%s\", not \"%s\"", rows[i].text, first_code(&f), rows[i].code);
	}
	fixture_close(&f);
}

static void the_first_part_in_order_is_reported(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "lhp.yaml", "name: 7\nwheel: text\ninclude: text\n");
	assert_int_equal(load(&f), -1);
	assert_int_equal(f.diags.n, 1);
	assert_string_equal(first_code(&f), "LHP-CFG-003");
	assert_int_equal(f.diags.p[0].at.line, 3);
	fixture_close(&f);
}

static const char *ignoring(const char *name)
{
	return strcmp(name, "LHP_IGNORE_VERSION") == 0 ? "Yes" : NULL;
}

static void version_check_can_be_ignored(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "lhp.yaml", "required_lhp_version: '>=9'\n");
	load(&f);
	door_set_getenv(f.door, ignoring);
	f.diags.n = 0;
	assert_int_equal(project_load(&f.project, f.door, &f.arena, &f.trace, &f.diags, &f.log), 0);
	assert_int_not_equal(f.log.n, 0);
	fixture_close(&f);
}

static void a_key_is_recorded_by_its_subtree(void **state)
{
	struct hash128 before;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "lhp.yaml", "wheel: {artifact_volume: a}\nname: x\n");
	assert_int_equal(load(&f), 0);
	f.trace = (struct trace){ .arena = &f.arena };
	project_key(&f.project, &f.trace, "wheel.artifact_volume");
	assert_text(f.trace.p[0].key, "lhp.yaml/wheel.artifact_volume");
	before = f.trace.p[0].hash;
	put(&f, "lhp.yaml", "# moved\nname: other\nwheel: {artifact_volume: \"a\"}\n");
	assert_int_equal(load(&f), 0);
	f.trace = (struct trace){ .arena = &f.arena };
	project_key(&f.project, &f.trace, "wheel.artifact_volume");
	assert_true(hash_eq(f.trace.p[0].hash, before));
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_part_is_checked_with_its_code),
		cmocka_unit_test(the_first_part_in_order_is_reported),
		cmocka_unit_test(version_check_can_be_ignored),
		cmocka_unit_test(a_key_is_recorded_by_its_subtree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
