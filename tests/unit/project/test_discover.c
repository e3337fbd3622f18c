#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "project/discover.h"
#include "project/recall.h"
#include "project/tray.h"
#include "unit/fixture.h"

#define ACTION(more) "pipeline: p\nflowgroup: f\nactions:\n- {name: a, type: load" more "}\n"

static int find(struct fixture *f, struct discovery *out)
{
	assert_int_equal(load(f), 0);
	return discover(&f->project, &f->trace, &f->arena, &f->diags, &f->log, out);
}

static void flaws_of_a_flowgroup_file_have_their_codes(void **state)
{
	static const struct {
		const char *text, *code;
	} rows[] = {
		{ "pipeline: p\nflowgroup: f\n", "" },
		{ "", "LHP-CFG-005" },
		{ "# nothing\n---\n", "LHP-CFG-005" },
		{ "a: [\n", "LHP-CFG-009" },
		{ "a: *none\n", "LHP-CFG-009" },
		{ "a: \xff\n", "LHP-IO-002" },
		{ "a: 2024-02-31\n", "LHP-IO-002" },
		{ "- a\n", "LHP-VAL-008" },
		{ "just text\n", "LHP-VAL-008" },
		{ "flowgroup: f\n", "LHP-VAL-001" },
		{ "pipeline: p\n", "LHP-VAL-001" },
		{ "pipeline: 2024\nflowgroup: f\n", "LHP-VAL-008" },
		{ "pipeline:\nflowgroup: f\n", "LHP-VAL-008" },
		{ "pipeline: ''\nflowgroup: f\n", "" },
		{ "pipeline: p\nflowgroup: f\npresets: one\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\npresets: [1]\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\njob_name:\n", "" },
		{ "pipeline: p\nflowgroup: f\nvariables: {a: 1}\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\noperational_metadata: maybe\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\noperational_metadata: true\n", "" },
		{ "pipeline: p\nflowgroup: f\nactions:\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\nactions: {a: b}\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\nactions: [text]\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\nactions: [{name: a}]\n", "LHP-VAL-001" },
		{ "pipeline: p\nflowgroup: f\nactions: [{type: load}]\n", "LHP-VAL-001" },
		{ "pipeline: p\nflowgroup: f\nactions: [{name: a, type: lod}]\n", "LHP-ACT-001" },
		{ "pipeline: p\nflowgroup: f\nactions: [{name: a, type: 5}]\n", "LHP-ACT-001" },
		{ ACTION(", target: 5"), "LHP-VAL-008" },
		{ ACTION(", target: null"), "" },
		{ ACTION(", source: 5"), "LHP-VAL-008" },
		{ ACTION(", source: [a, {b: c}]"), "" },
		{ ACTION(", source: {on: c}"), "LHP-VAL-008" },
		{ ACTION(", transform_type: pyhton"), "LHP-VAL-006" },
		{ ACTION(", transform_type: SQL"), "LHP-VAL-006" },
		{ ACTION(", depends_on: a"), "LHP-VAL-008" },
		{ ACTION(", once: yes"), "" },
		{ ACTION(", once: \"T\""), "" },
		{ ACTION(", once: 2"), "LHP-VAL-008" },
		{ ACTION(", tolerance: \"7\""), "" },
		{ ACTION(", tolerance: 7.0"), "" },
		{ ACTION(", tolerance: 7.5"), "LHP-VAL-008" },
		{ ACTION(", min_value: {a: b}"), "" },
		{ ACTION(", quarantine: {dlq_table: a.b.c}"), "LHP-VAL-001" },
		{ ACTION(", quarantine: {dlq_table: a.b.c, source_table: 5}"), "LHP-VAL-008" },
		{ ACTION(", expectations: [a]"), "LHP-VAL-008" },
		{ ACTION(", unknown: 5"), "" },
		{ "name: b\nparameters: []\nflowgroups: []\n", "LHP-CFG-040" },
		{ "flowgroups: text\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: f\n---\npipeline: q\nflowgroup: f\n", "LHP-VAL-013" },
		{ "pipeline: p\nflowgroup: f\n---\npipeline: p\nflowgroups: [{flowgroup: g}]\n", "LHP-VAL-014" },
		{ "pipeline: p\nflowgroup: f\n---\npipeline: p\nflowgroups: [{flowgroup: f}]\n", "LHP-VAL-013" },
	};
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put(&f, "pipelines/a.yaml", rows[i].text);
		find(&f, &found);
		if (strcmp(first_code(&f), rows[i].code) != 0)
			fail_msg("%s gave \"%s\", not \"%s\"", rows[i].text, first_code(&f), rows[i].code);
	}
	fixture_close(&f);
}

static void a_list_hands_down_what_its_entries_lack(void **state)
{
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml",
	    "pipeline: p\npresets: [x]\njob_name: j\nvariables: {a: b}\nflowgroups:\n"
	    "- {flowgroup: one}\n- {flowgroup: two, pipeline: q, presets: [], job_name: null}\n");
	assert_int_equal(find(&f, &found), 0);
	assert_int_equal(found.n, 2);
	assert_text(node_repr(&f.arena, found.source[0].node),
	            "{'flowgroup': 'one', 'pipeline': 'p', 'presets': ['x'], 'job_name': 'j'}");
	assert_text(node_repr(&f.arena, found.source[1].node),
	            "{'flowgroup': 'two', 'pipeline': 'q', 'presets': [], 'job_name': None}");
	assert_text(found.source[1].key, "pipelines/a.yaml#1");
	fixture_close(&f);
}

static void a_comment_changes_no_hash(void **state)
{
	struct discovery found;
	struct hash128 before;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroup: f\n");
	find(&f, &found);
	before = found.source[0].hash;
	put(&f, "pipelines/a.yaml", "# a comment\npipeline: 'p'\n\nflowgroup: f\n");
	find(&f, &found);
	assert_true(hash_eq(found.source[0].hash, before));
	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroup: g\n");
	find(&f, &found);
	assert_false(hash_eq(found.source[0].hash, before));
	fixture_close(&f);
}

static void a_bare_token_is_warned_of_once_per_file(void **state)
{
	static const struct {
		const char *text;
		bool warned;
	} rows[] = {
		{ "# {word}\n", true },   { "# ${word}\n", false }, { "# %{word}\n", false }, { "# {{word}}\n", false },
		{ "# { word }\n", false }, { "# {8}\n", true },      { "# {a.b}\n", false },   { "# {größe} {b}\n", true },
	};
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put(&f, "pipelines/a.yaml", str_fmt(&f.arena, "pipeline: p\nflowgroup: f\n%s", rows[i].text).p);
		find(&f, &found);
		if (found.warnings.n != rows[i].warned)
			fail_msg("%s: %zu warnings", rows[i].text, found.warnings.n);
	}
	assert_int_equal(found.warnings.p[0].at.line, 3);
	assert_int_equal(found.warnings.p[0].at.col, 3);
	fixture_close(&f);
}

/* --- blueprints --- */

#define SITE                                                                                \
	"name: site\nparameters: [{name: code, required: true}, {name: zone, default: 5}, {name: away}]\n" \
	"flowgroups:\n- {pipeline: 'p_%{code}', flowgroup: 'f_%{zone}', variables: {own: x}}\n"

static void an_instance_makes_the_flowgroups_of_its_blueprint(void **state)
{
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "blueprints/site.yaml", SITE);
	put(&f, "pipelines/b.yaml", "use_blueprint: site\nparameters: {code: true}\n");
	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroup: f\n");
	assert_int_equal(find(&f, &found), 0);
	assert_int_equal(found.n, 2);
	assert_text(found.source[1].pipeline, "p_True");
	assert_text(found.source[1].name, "f_5");
	assert_string_equal(found.source[1].file, "blueprints/site.yaml");
	assert_string_equal(found.source[1].instance, "pipelines/b.yaml");
	assert_text(found.source[1].key, "pipelines/b.yaml#0");
	assert_text(node_repr(&f.arena, node_get(found.source[1].node, "variables")),
	            "{'zone': '5', 'code': 'True', 'own': 'x'}");
	fixture_close(&f);
}

static void the_old_form_of_an_instance_works_with_a_notice(void **state)
{
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "blueprints/site.yaml", SITE);
	put(&f, "pipelines/b.yaml", "blueprint: site\ncode: x\n");
	assert_int_equal(find(&f, &found), 0);
	assert_text(found.source[0].pipeline, "p_x");
	assert_non_null(strstr(str_cstr(&f.arena, buf_str(&f.log)), "pipelines/b.yaml"));
	fixture_close(&f);
}

static void flaws_of_blueprints_and_instances_have_their_codes(void **state)
{
	static const struct {
		const char *blueprint, *instance, *code;
	} rows[] = {
		{ SITE, "use_blueprint: site\nparameters: {code: x}\n", "" },
		{ SITE, "use_blueprint: site\nparameters: {code: x}\noverrides: {}\n", "" },
		{ "# nothing\n", "use_blueprint: site\n", "LHP-CFG-047" },
		{ SITE "---\na: b\n", "use_blueprint: site\n", "LHP-CFG-048" },
		{ "name: site\n", "use_blueprint: site\n", "LHP-CFG-049" },
		{ "- a\n", "use_blueprint: site\n", "LHP-CFG-049" },
		{ "parameters: []\nflowgroups: []\n", "use_blueprint: site\n", "LHP-CFG-050" },
		{ "name: site\nparameters: {}\nflowgroups: []\n", "use_blueprint: site\n", "LHP-CFG-050" },
		{ "name: site\nparameters: [{required: true}]\nflowgroups: []\n", "use_blueprint: site\n", "LHP-CFG-050" },
		{ "name: site\nparameters: []\nflowgroups: [{pipeline: p}]\n", "use_blueprint: site\n", "LHP-CFG-050" },
		{ SITE, "use_blueprint: site\nparameters: {code: x}\n---\na: b\n", "LHP-CFG-052" },
		{ SITE, "use_blueprint: [site]\n", "LHP-CFG-054" },
		{ SITE, "use_blueprint: ''\n", "LHP-CFG-054" },
		{ SITE, "use_blueprint: ' '\n", "LHP-VAL-041" },
		{ SITE, "use_blueprint: site\ncode: x\n", "LHP-VAL-061" },
		{ SITE, "use_blueprint: site\nblueprint: site\n", "LHP-VAL-061" },
		{ SITE, "use_blueprint: sites\nparameters: {code: x}\n", "LHP-VAL-041" },
		{ SITE, "use_blueprint: site\nparameters: {zone: x}\n", "LHP-VAL-042" },
		{ SITE, "use_blueprint: site\nparameters: text\n", "LHP-VAL-042" },
		{ SITE, "use_blueprint: site\nparameters: {kode: x}\n", "LHP-VAL-043" },
		{ "name: site\nparameters: []\nflowgroups: [{pipeline: '${env}', flowgroup: f}]\n", "use_blueprint: site\n",
		  "LHP-VAL-044" },
		{ "name: site\nparameters: []\nflowgroups: [{pipeline: p, flowgroup: f}, {pipeline: p, flowgroup: f}]\n",
		  "use_blueprint: site\n", "LHP-VAL-045" },
		{ "name: site\nparameters: [{name: away}]\nflowgroups: [{pipeline: p, flowgroup: '%{away}'}]\n",
		  "use_blueprint: site\n", "LHP-VAL-055" },
	};
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "lhp.yaml", "instance_include: ['sites/*.yaml']\n");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put(&f, "blueprints/site.yaml", rows[i].blueprint);
		put(&f, "sites/b.yaml", rows[i].instance);
		find(&f, &found);
		if (strcmp(first_code(&f), rows[i].code) != 0)
			fail_msg("%s with %s gave \"%s\", not \"%s\"", rows[i].blueprint, rows[i].instance, first_code(&f),
			         rows[i].code);
	}
	fixture_close(&f);
}

static void link_to(struct fixture *f, const char *path, const char *target)
{
	assert_int_equal(symlink(target, str_fmt(&f->arena, "%s/%s", f->folder, path).p), 0);
}

static void a_link_to_a_file_counts_and_one_to_nowhere_is_told(void **state)
{
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroup: f\n");
	put(&f, "elsewhere/b.yaml", "pipeline: p\nflowgroup: g\n");
	link_to(&f, "pipelines/file.yaml", "../elsewhere/b.yaml");
	assert_int_equal(find(&f, &found), 0);
	assert_int_equal(found.n, 2);
	link_to(&f, "pipelines/nowhere.yaml", "../gone.yaml");
	assert_int_equal(find(&f, &found), -1);
	assert_string_equal(first_code(&f), "LHP-IO-001");
	fixture_close(&f);
}

static void one_name_for_two_blueprints_is_refused(void **state)
{
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "blueprints/a.yaml", SITE);
	put(&f, "blueprints/b.yaml", SITE);
	assert_int_equal(find(&f, &found), -1);
	assert_string_equal(first_code(&f), "LHP-VAL-046");
	fixture_close(&f);
}

static void a_tray_takes_files_until_it_is_full(void **state)
{
	struct arena a = { 0 };
	struct tray *list = NULL, *first = tray_for(&list, &a, TRAY_FILL / 2 + 1);

	(void)state;
	assert_ptr_equal(tray_for(&list, &a, TRAY_FILL - TRAY_FILL / 2 - 1), first);
	assert_ptr_not_equal(tray_for(&list, &a, 1), first);
	assert_ptr_equal(list->next, first);
	arena_release(&a);
}

static void maps_go_with_the_last_one_of_their_tray(void **state)
{
	struct discovery found;
	struct fixture f;
	struct tray *tray;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroup: a\n---\npipeline: p\nflowgroup: b\n");
	assert_int_equal(find(&f, &found), 0);
	assert_int_equal(found.n, 2);
	tray = found.source[0].tray;
	assert_ptr_equal(found.source[1].tray, tray);
	source_drop(&found.source[0]);
	assert_int_not_equal(tray->arena.total, 0);
	source_drop(&found.source[1]);
	source_drop(&found.source[1]);
	assert_int_equal(tray->arena.total, 0);
	fixture_close(&f);
}

static void a_dropped_map_is_read_again(void **state)
{
	struct discovery found;
	struct fixture f;
	struct hash128 hash;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "pipeline: \"\\\"p\\\"\"\nflowgroup: &name 'it''s'\ndescription: *name\n");
	assert_int_equal(find(&f, &found), 0);
	hash = found.source[0].hash;
	source_drop(&found.source[0]);
	assert_null(found.source[0].node);
	assert_text(found.source[0].pipeline, "\"p\"");
	assert_text(found.source[0].name, "it's");
	assert_true(source_load(&f.project, &f.arena, &found.source[0]));
	assert_true(hash_eq(found.source[0].hash, hash));
	assert_text(node_get_text(found.source[0].node, "description"), "it's");
	fixture_close(&f);
}

/* Entry 0 takes `pipeline` over: each reading makes a map of its own. */
static void a_file_of_several_is_read_again_once(void **state)
{
	struct discovery found;
	struct fixture f;
	struct flowgroup_source same;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "pipeline: p\nflowgroups: [{flowgroup: a}, {flowgroup: b}]\n");
	assert_int_equal(find(&f, &found), 0);
	source_drop(&found.source[0]);
	source_drop(&found.source[1]);
	same = found.source[0];
	assert_true(source_load(&f.project, &f.arena, &found.source[1]));
	assert_true(source_load(&f.project, &f.arena, &found.source[0]));
	assert_true(source_load(&f.project, &f.arena, &same));
	assert_text(node_get_text(found.source[1].node, "flowgroup"), "b");
	assert_text(node_get_text(same.node, "pipeline"), "p");
	assert_ptr_equal(same.node, found.source[0].node);
	fixture_close(&f);
}

static void findings_outlive_what_they_are_about(void **state)
{
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	put(&f, "pipelines/a.yaml", "pipeline: 'it''s'\nflowgroup: a\npresets: one\n");
	assert_int_equal(find(&f, &found), -1);
	assert_text(f.diags.p[0].pipeline, "it's");
	fixture_close(&f);
}

static void instances_are_found_however_they_are_written(void **state)
{
	static const char *const rows[] = {
		"use_blueprint: nobody\n",
		"\"use\\u005fblue\\x70rint\": nobody\n",
		"? \"use_blue\\\n  print\"\n: nobody\n",
		"{&k use_blueprint: nobody}\n",
		"? >-\n  use_blueprint\n: nobody\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct discovery found;
		struct fixture f;

		fixture_open(&f);
		put(&f, "pipelines/a.yaml", rows[i]);
		assert_int_equal(find(&f, &found), -1);
		assert_string_equal(first_code(&f), "LHP-VAL-041");
		fixture_close(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tray_takes_files_until_it_is_full),
		cmocka_unit_test(maps_go_with_the_last_one_of_their_tray),
		cmocka_unit_test(a_dropped_map_is_read_again),
		cmocka_unit_test(a_file_of_several_is_read_again_once),
		cmocka_unit_test(findings_outlive_what_they_are_about),
		cmocka_unit_test(instances_are_found_however_they_are_written),
		cmocka_unit_test(flaws_of_a_flowgroup_file_have_their_codes),
		cmocka_unit_test(a_list_hands_down_what_its_entries_lack),
		cmocka_unit_test(a_comment_changes_no_hash),
		cmocka_unit_test(a_bare_token_is_warned_of_once_per_file),
		cmocka_unit_test(an_instance_makes_the_flowgroups_of_its_blueprint),
		cmocka_unit_test(the_old_form_of_an_instance_works_with_a_notice),
		cmocka_unit_test(flaws_of_blueprints_and_instances_have_their_codes),
		cmocka_unit_test(a_link_to_a_file_counts_and_one_to_nowhere_is_told),
		cmocka_unit_test(one_name_for_two_blueprints_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
