#include "unit/check/build.h"

static const struct {
	const char *actions, *rules;
} row[] = {
#include "unit/check/flowgroup_rules.def"
};

static const struct {
	const char *path, *text;
} files[] = {
	{ "py/t.py", "def f(df, spark, parameters):\n    return df\n" },
	{ "exp/rules.yaml", "expectations:\n- {name: a, expression: b > 0}\n" },
	{ "exp/list.yaml", "- constraint: a > 0\n" },
	{ "exp/map.yaml", "\"a > 0\": {action: drop}\n" },
	{ "exp/none.yaml", "expectations: []\n" },
	{ "exp/skipped.yaml", "- name: x\n" },
	{ "exp/text.yaml", "hello\n" },
	{ "exp/tab.yaml", "a:\n\t- b\n" },
	{ "schemas/m.yaml", "columns:\n- \"_meta -> m: STRING\"\n- \"_meta2: INT\"\n" },
	{ "schemas/old.yaml", "column_mapping: {_meta: m}\ntype_casting: {a: INT}\n" },
	{ "schemas/history.yaml", "columns: [{name: a, type: INT}, {name: __START_AT, type: INT}]\n" },
};

static const char settings[] = "operational_metadata:\n"
			       "  columns:\n"
			       "    _meta: F.lit(1)\n"
			       "    _meta2: F.lit(2)\n";

static void each_flaw_is_found_by_its_rule_and_nothing_else_is(void **state)
{
	struct rig r;
	size_t wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *text;
		const char *found;

		rig_init(&r, settings);
		for (size_t k = 0; k < sizeof files / sizeof *files; k++)
			rig_file(&r, files[k].path, files[k].text);
		assert_true(asprintf(&text, "{pipeline: p, flowgroup: f, actions: %s}", row[i].actions) > 0);
		flowgroup_check(&r.unit, rig_flowgroup(&r, text));
		found = rig_rules(&r, &r.diags);
		if (strcmp(found, row[i].rules) != 0 && ++wrong)
			print_error("%s\n  expected: %s\n  found:    %s\n", row[i].actions, row[i].rules, found);
		free(text);
		rig_finish(&r);
	}
	assert_int_equal(wrong, 0);
}

static void all_findings_of_a_flowgroup_are_parts_of_one(void **state)
{
	struct rig r;
	const struct diag *d;

	(void)state;
	rig_init(&r, "{}");
	assert_int_equal(flowgroup_check(&r.unit, rig_flowgroup(&r, "pipeline: p\n"
	                                                            "flowgroup: f\n"
	                                                            "actions:\n"
	                                                            "- name: l\n"
	                                                            "  type: load\n"
	                                                            "  source: {type: delta, catalog: c, tabel: t}\n"
	                                                            "- name: w\n"
	                                                            "  type: write\n")), -1);
	assert_int_equal(r.diags.n, 1);
	d = &r.diags.p[0];
	assert_string_equal(d->rule->code, "LHP-VAL-007");
	assert_true(str_is(d->pipeline, "p"));
	assert_true(str_is(d->flowgroup, "f"));
	assert_string_equal(d->file, "pipelines/x.yaml");
	assert_int_equal(d->parts->n, 3);
	assert_string_equal(d->parts->p[1].rule->code, "LHP-CFG-001");
	assert_int_equal(d->parts->p[1].at.line, 6);
	assert_int_equal(d->parts->p[1].at.col, 37);
	assert_true(str_is(d->parts->p[1].hint, "did you mean 'table'?"));
	assert_true(str_is(d->parts->p[2].action, "w"));
	rig_finish(&r);
}

static void a_flowgroup_whose_tests_were_dropped_passes(void **state)
{
	struct rig r;
	struct flowgroup *fg;

	(void)state;
	rig_init(&r, "{}");
	fg = rig_flowgroup(&r, "{pipeline: p, flowgroup: f, actions: []}");
	fg->only_tests_dropped = true;
	assert_int_equal(flowgroup_check(&r.unit, fg), 0);
	assert_int_equal(r.diags.n, 0);
	rig_finish(&r);
}

static void a_circle_is_told_from_start_to_start(void **state)
{
	struct rig r;

	(void)state;
	rig_init(&r, "{}");
	flowgroup_check(&r.unit, rig_flowgroup(&r, "{pipeline: p, flowgroup: f, actions: ["
	                                           "{name: l, type: load, source: {type: sql, sql: s}, target: v},"
	                                           "{name: a, type: transform, transform_type: sql, sql: s, source: y, target: x},"
	                                           "{name: b, type: transform, transform_type: sql, sql: s, source: x, target: y},"
	                                           "{name: w, type: write, source: y, write_target: {type: streaming_table, "
	                                           "catalog: c, schema: s, table: t}}]}"));
	assert_true(str_has(r.diags.p[0].detail, STR("a reads b reads a")));
	rig_finish(&r);
}

static const char write_of[] = "{pipeline: p, flowgroup: f, actions: ["
			       "{name: l, type: load, source: {type: sql, sql: s}, target: v},"
			       "{name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, "
			       "table: t, %s}}]}";

static void tags_and_their_files_are_checked(void **state)
{
	static const struct {
		const char *settings, *target, *rules;
	} tag_row[] = {
		{ "{}", "tags: {a: b}", "" },
		{ "{}", "tags: {\"a:b\": c}", "write.tags.illegal" },
		{ "{}", "tags: {a: \" b\"}", "write.tags.illegal" },
		{ "{uc_tagging: {enabled: false}}", "tags: {\"a:b\": c}", "" },
		{ "{uc_tagging: {enabled: false}}", "tags_file: none.yaml", "" },
		{ "{}", "temporary: true, tags_file: none.yaml", "" },
		{ "{}", "tags_file: good.yaml", "" },
		{ "{}", "tags_file: none.yaml", "file.missing" },
		{ "{}", "tags_file: key.yaml", "write.tags-file.shape" },
		{ "{}", "tags_file: twice.yaml", "write.tags-file.shape" },
		{ "{}", "tags_file: column.yaml", "write.tags-file.shape" },
		{ "{}", "tags_file: list.yaml", "write.tags-file.shape" },
		{ "{}", "tags_file: tab.yaml", "yaml.syntax" },
		{ "{}", "tags_file: empty.yaml", "yaml.document-count" },
		{ "{}", "tags_file: two.yaml", "yaml.document-count" },
		{ "{}", "tags_file: illegal.yaml", "write.tags.illegal" },
	};
	struct rig r;

	(void)state;
	for (size_t i = 0; i < sizeof tag_row / sizeof *tag_row; i++) {
		char *text;

		rig_init(&r, tag_row[i].settings);
		rig_file(&r, "good.yaml", "{table: t, tags: {a: b}, columns: [{name: x, type: INT, tags: {c: d}}], version: 1}");
		rig_file(&r, "key.yaml", "{tagz: {a: b}}");
		rig_file(&r, "twice.yaml", "{columns: [{name: a, tags: {b: c}}, {name: a, tags: {}}]}");
		rig_file(&r, "column.yaml", "{columns: [{type: INT}]}");
		rig_file(&r, "list.yaml", "[a]");
		rig_file(&r, "tab.yaml", "a:\n\tb: c\n");
		rig_file(&r, "empty.yaml", "# nothing\n");
		rig_file(&r, "two.yaml", "tags: {a: b}\n---\ntags: {}\n");
		rig_file(&r, "illegal.yaml", "{columns: [{name: x, tags: {\"a,b\": c}}]}");
		assert_true(asprintf(&text, write_of, tag_row[i].target) > 0);
		flowgroup_check(&r.unit, rig_flowgroup(&r, text));
		assert_string_equal(rig_rules(&r, &r.diags), tag_row[i].rules);
		free(text);
		rig_finish(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_flaw_is_found_by_its_rule_and_nothing_else_is),
		cmocka_unit_test(all_findings_of_a_flowgroup_are_parts_of_one),
		cmocka_unit_test(a_flowgroup_whose_tests_were_dropped_passes),
		cmocka_unit_test(a_circle_is_told_from_start_to_start),
		cmocka_unit_test(tags_and_their_files_are_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
