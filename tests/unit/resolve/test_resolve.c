#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "project/current.h"
#include "unit/resolve/setting.h"

#define HEAD "pipeline: p\nflowgroup: f\n"
#define LOAD "actions:\n- {name: l, type: load, source: {type: cloudfiles, path: /v}, target: v}\n"

static void stages_follow_each_other_in_order(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "substitutions/dev.yaml", "dev: {tok: '{{ x }} %{v}'}");
	put(&s.f, "templates/t.yaml",
	    "name: t\nparameters: [{name: x, required: true}, {name: y, default: '${tok}'}]\npresets: [tp]\n"
	    "actions:\n- {name: '{{ x }}', type: load, source: {type: cloudfiles, path: '/{{ y }}', format: a}, target: '%{v}'}\n");
	put(&s.f, "presets/tp.yaml", "name: tp\ndefaults: {load_actions: {cloudfiles: {format: tp, path: '${tok}'}}}");
	put(&s.f, "presets/fp.yaml", "name: fp\ndefaults: {load_actions: {cloudfiles: {format: fp}}}");
	put(&s.f, "pipelines/a.yaml",
	    HEAD "variables: {v: var}\nuse_template: t\ntemplate_parameters: {x: '%{v}'}\npresets: [fp]\n" LOAD);
	assert_int_equal(resolve_first(&s), -1); /* the template's own %{v} is text, and its braces are left over */
	assert_string_equal(first_code(&s.f), "LHP-CFG-010");
	put(&s.f, "templates/t.yaml",
	    "name: t\nparameters: [{name: x, required: true}, {name: y, default: '${tok}'}]\npresets: [tp]\n"
	    "actions:\n- {name: '{{ x }}', type: load, source: {type: cloudfiles, path: '/{{ y }}', format: a}, target: w}\n");
	put(&s.f, "substitutions/dev.yaml", "dev: {tok: '{{ x }}', x: 1}");
	assert_int_equal(resolve_first(&s), 0);
	assert_int_equal(s.made.n, 2);
	assert_string_equal(part(&s, 0, "source"), "{'type': 'cloudfiles', 'path': '{{ x }}', 'format': 'fp'}");
	assert_string_equal(part(&s, 1, "name"), "'var'");
	assert_string_equal(part(&s, 1, "source.format"), "'fp'");
	assert_false(s.made.action[0].from_template);
	assert_true(s.made.action[1].from_template);
	setting_close(&s);
}

static void each_step_ends_the_flowgroup_with_its_code(void **state)
{
	static const struct {
		const char *flowgroup, *code;
	} rows[] = {
		{ HEAD LOAD, "" },
		{ HEAD "variables: {a: x}\njob_name: '%{b}'\n", "LHP-CFG-011" },
		{ HEAD "variables: {a: '%{b}', b: '%{a}'}\njob_name: '%{a}'\n", "LHP-CFG-011" },
		{ HEAD "variables: {a: '%{b}', b: x}\njob_name: '%{a}'\n", "" },
		{ HEAD "job_name: '%{b}'\n", "LHP-CFG-010" },
		{ HEAD "job_name: '${b}'\n", "LHP-CFG-010" },
		{ HEAD "job_name: 'a{8}'\n", "LHP-CFG-010" },
		{ HEAD "variables: {a: '${none}'}\n", "" },
		{ HEAD "nobody: '${b} ${secret:k}'\n", "" },
		{ HEAD "variables: {a: x}\nnobody: {asks: ['%{b}']}\n", "" },
		{ HEAD "actions: [{name: l, type: load, source: {type: cloudfiles}, nobody: '${b}'}]\n", "" },
		{ HEAD "actions: [{name: l, type: load, source: {type: cloudfiles, nobody: '${b}'}}]\n", "LHP-CFG-010" },
		{ HEAD "use_template: noise\n", "" },
		{ HEAD "use_template: none\n", "LHP-CFG-027" },
		{ HEAD "use_template: ../lhp\n", "LHP-CFG-027" },
		{ HEAD "use_template: broken\n", "LHP-CFG-027" },
		{ HEAD "use_template: nameless\n", "LHP-CFG-027" },
		{ HEAD "use_template: t\n", "LHP-CFG-012" },
		{ HEAD "use_template: t\ntemplate_parameters: {x: null}\n", "LHP-VAL-008" },
		{ HEAD "use_template: t\ntemplate_parameters: {x: '[a]'}\n", "LHP-VAL-009" },
		{ HEAD "use_template: t\ntemplate_parameters: {x: '{\"a\": }'}\n", "LHP-VAL-009" },
		{ HEAD "use_template: t\ntemplate_parameters: {x: 42}\n", "" },
		{ HEAD "use_template: typo\ntemplate_parameters: {kind: lod}\n", "LHP-ACT-001" },
		{ HEAD "use_template: parameter\n", "LHP-VAL-009" },
		{ "pipeline: ../../evil\nflowgroup: f\n", "LHP-VAL-008" },
		{ "pipeline: /evil\nflowgroup: f\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: ..\n", "LHP-VAL-008" },
		{ "pipeline: p\nflowgroup: a/b\n", "LHP-VAL-008" },
		{ "pipeline: a/b c\nflowgroup: ..d\n", "" },
		{ HEAD "presets: [none]\n", "LHP-ACT-001" },
		{ HEAD "presets: [orphan]\n", "LHP-ACT-001" },
		{ HEAD "presets: [round]\n", "LHP-DEP-022" },
		{ HEAD "job_name: '${secret:k}'\n", "LHP-CFG-008" },
		{ HEAD "job_name: '${secret:s/}'\n", "LHP-CFG-059" },
		{ HEAD "job_name: '${secret:s/a b}'\n", "LHP-VAL-008" },
		{ HEAD "job_name: '${secret:s s/a}'\n", "LHP-VAL-008" },
		{ HEAD "job_name: '${secret:größe/a-b_1}'\n", "" },
		{ HEAD "job_name: '${secret:s/größe}'\n", "LHP-VAL-008" },
		{ HEAD "actions: [{name: w, type: write, write_target: {type: streaming_table, database: a, table: t}}]\n",
		  "LHP-CFG-011" },
		{ HEAD "actions: [{name: l, type: load, source: {type: delta, database: a, table: t}}]\n", "LHP-CFG-012" },
		{ HEAD "actions: [{name: w, type: write, write_target: {type: streaming_table, catalog: c, schema: 'a int', table: t}}]\n",
		  "LHP-CFG-013" },
		{ HEAD "actions: [{name: w, type: write, write_target: {type: streaming_table, catalog: c, schema: 'a.int', table: t}}]\n",
		  "" },
		{ HEAD "actions: [{name: l, type: load, source: {type: cloudfiles}, operational_metadata: [secret]}]\n",
		  "LHP-CFG-070" },
		{ HEAD "actions: [{name: l, type: load, source: {type: cloudfiles}, operational_metadata: [left]}]\n",
		  "LHP-CFG-010" },
		{ HEAD "actions: [{name: l, type: load, source: {type: cloudfiles}, operational_metadata: [table]}]\n",
		  "LHP-CFG-010" },
		{ HEAD "actions: [{name: l, type: load, source: {type: delta}, operational_metadata: [table, unknown]}]\n", "" },
	};
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "lhp.yaml",
	    "operational_metadata: {columns: {secret: {expression: 'F.lit(\"${secret:a/b}\")', applies_to: [view]},"
	    " left: {expression: 'F.lit(\"${none}\")', applies_to: [view]},"
	    " table: {expression: 'F.lit(\"${source_table}\")', applies_to: [view]}}}\n");
	put(&s.f, "templates/broken.yaml", "name: [");
	put(&s.f, "templates/nameless.yaml", "actions: []");
	put(&s.f, "templates/t.yaml",
	    "name: t\nparameters: [{name: x, required: true, default: a}]\nactions: [{name: '{{ x }}', type: load}]");
	put(&s.f, "templates/typo.yaml", "name: t\nactions: [{name: a, type: '{{ kind }}'}]");
	put(&s.f, "templates/noise.yaml", "name: t\nactions: [{name: a, type: load, source: {type: sql}, nobody: '${b}'}]");
	put(&s.f, "templates/parameter.yaml", "name: t\nparameters: [{required: true}]");
	put(&s.f, "presets/a.yaml", "name: orphan\nextends: nobody");
	put(&s.f, "presets/b.yaml", "name: round\nextends: again");
	put(&s.f, "presets/c.yaml", "name: again\nextends: round");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put(&s.f, "pipelines/a.yaml", rows[i].flowgroup);
		resolve_first(&s);
		if (strcmp(first_code(&s.f), rows[i].code) != 0)
			fail_msg("%s gave \"%s\", not \"%s\"", rows[i].flowgroup, first_code(&s.f), rows[i].code);
	}
	setting_close(&s);
}

static void presets_merge_over_actions_key_by_key(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "presets/x.yaml",
	    "name: base\ndefaults: {operational_metadata: [b, a], load_actions: {cloudfiles: {options: {k: 1, l: [1, 2]}, format: x}}}");
	put(&s.f, "presets/y.yaml",
	    "name: child\nextends: base\ndefaults: {operational_metadata: [a, c], load_actions: {cloudfiles: {options: {l: [3]}}}}");
	put(&s.f, "pipelines/a.yaml",
	    HEAD "presets: [child]\nactions:\n"
	         "- {name: l, type: load, source: {type: cloudfiles, options: {own: 1, k: 0}}, target: v}\n"
	         "- {name: m, type: load, source: text, target: w}\n");
	assert_int_equal(resolve_first(&s), 0);
	assert_string_equal(part(&s, 0, "source"),
	                    "{'type': 'cloudfiles', 'options': {'own': 1, 'k': 1, 'l': [3]}, 'format': 'x'}");
	assert_string_equal(part(&s, 1, "source"), "'text'");
	setting_close(&s);
}

/* Who says `format` of a load, each rung over those below it (spec/resolve.md, sections 0, 6 and 7). */
static void the_ladder_of_precedence(void **state)
{
	static const char *const rung[] = { "default", "given", "template preset", "parent", "child", "next" };
	struct setting s;

	(void)state;
	setting_open(&s);
	for (size_t top = 0; top < sizeof rung / sizeof *rung; top++) {
		struct arena *a = &s.f.arena;

		put(&s.f, "templates/t.yaml",
		    str_fmt(a, "name: t\nparameters: [{name: x, default: default}]\npresets: [%s]\nactions:\n"
		               "- {name: l, type: load, source: {type: cloudfiles, path: /v, format: '{{ x }}'}, target: v}\n",
		            top >= 2 ? "template preset" : "").p);
		put(&s.f, "presets/a.yaml", "{name: template preset, defaults: {load_actions: {cloudfiles: {format: template preset}}}}");
		put(&s.f, "presets/b.yaml", "{name: parent, defaults: {load_actions: {cloudfiles: {format: parent}}}}");
		put(&s.f, "presets/c.yaml",
		    str_fmt(a, "{name: child, extends: parent, defaults: {load_actions: {cloudfiles: {%s}}}}",
		            top >= 4 ? "format: child" : "").p);
		put(&s.f, "presets/d.yaml", "{name: next, defaults: {load_actions: {cloudfiles: {format: next}}}}");
		put(&s.f, "pipelines/a.yaml",
		    str_fmt(a, HEAD "use_template: t\ntemplate_parameters: {%s}\npresets: [%s%s]\n", top >= 1 ? "x: given" : "",
		            top >= 3 ? "child" : "", top >= 5 ? ", next" : "").p);
		assert_int_equal(resolve_first(&s), 0);
		assert_string_equal(part(&s, 0, "source.format"), str_fmt(a, "'%s'", rung[top]).p);
	}
	setting_close(&s);
}

static void the_old_database_key_is_split_with_a_warning(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "pipelines/a.yaml",
	    HEAD "actions:\n"
	         "- {name: w, type: write, write_target: {type: streaming_table, database: a.b.c, schema: x INT, table: t}}\n"
	         "- {name: l, type: load, source: {type: delta, catalog: c, database: d, table: t}}\n"
	         "- {name: m, type: load, source: {type: delta, catalog: c, schema: s, database: d, table: t}}\n");
	assert_int_equal(resolve_first(&s), 0);
	assert_string_equal(part(&s, 0, "write_target"),
	                    "{'type': 'streaming_table', 'table': 't', 'table_schema': 'x INT', 'catalog': 'a', 'schema': 'b.c'}");
	assert_string_equal(part(&s, 1, "source.schema"), "'d'");
	assert_string_equal(part(&s, 2, "source.database"), "'d'");
	assert_int_equal(s.f.diags.n, 2);
	assert_string_equal(first_code(&s.f), "LHP-DEPR-002");
	setting_close(&s);
}

static void metadata_columns_come_sorted_with_their_imports(void **state)
{
	struct setting s;
	const struct action *a;

	(void)state;
	setting_open(&s);
	put(&s.f, "lhp.yaml",
	    "operational_metadata:\n  columns:\n"
	    "    short: F.lit(1)\n"
	    "    _b: {expression: 'F.lit(\"${pipeline_name}/${tok}/\\d{8}\").cast(StringType())', applies_to: [view]}\n"
	    "    _A: {expression: 'mine(1)', applies_to: [view], additional_imports: [from lib import mine]}\n");
	put(&s.f, "substitutions/dev.yaml", "dev: {tok: t, '8': no}");
	put(&s.f, "presets/p.yaml", "name: p\ndefaults: {operational_metadata: [_A]}");
	put(&s.f, "pipelines/a.yaml",
	    HEAD "presets: [p]\noperational_metadata: [_b, short]\nactions:\n"
	         "- {name: l, type: load, source: {type: sql, sql: x}, target: v}\n"
	         "- {name: m, type: load, source: {type: sql, sql: x}, target: w, operational_metadata: false}\n"
	         "- {name: t, type: transform, transform_type: schema, source: v, target: x}\n");
	assert_int_equal(resolve_first(&s), 0);
	a = &s.made.action[0];
	assert_int_equal(a->n_meta, 2);
	assert_string_equal(str_cstr(&s.f.arena, a->meta[0].name), "_A");
	assert_string_equal(str_cstr(&s.f.arena, a->meta[0].imports[0]), "from lib import mine");
	assert_string_equal(str_cstr(&s.f.arena, a->meta[1].expression), "F.lit(\"p/t/\\d{8}\").cast(StringType())");
	assert_int_equal(a->meta[1].n_imports, 2);
	assert_string_equal(str_cstr(&s.f.arena, a->meta[1].imports[1]), "from pyspark.sql.types import StringType");
	assert_int_equal(s.made.action[1].n_meta, 0);
	assert_int_equal(s.made.action[2].n_meta, 0);
	setting_close(&s);
}

static void tests_are_dropped_unless_asked_for(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "pipelines/a.yaml", HEAD "actions: [{name: t, type: test, sql: '${none}'}]\n");
	assert_int_equal(resolve_first(&s), 0);
	assert_int_equal(s.made.n, 0);
	assert_true(s.made.only_tests_dropped);
	s.env.include_tests = true;
	assert_int_equal(resolve_first(&s), -1);
	setting_close(&s);
}

static void a_template_value_says_where_it_comes_from(void **state)
{
	const struct node *path;
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "templates/t.yaml", "name: t\nactions:\n- name: a\n  type: load\n  source:\n    type: sql\n    sql: 'SELECT {{ x }}'\n");
	put(&s.f, "pipelines/a.yaml", HEAD "use_template: t\ntemplate_parameters: {x: 1}\n");
	assert_int_equal(resolve_first(&s), 0);
	path = node_path(s.made.action[0].map, "source.sql");
	assert_string_equal(part(&s, 0, "source.sql"), "'SELECT 1'");
	assert_string_equal(path->at.file, "templates/t.yaml");
	assert_int_equal(path->at.line, 7);
	assert_non_null(path->via);
	assert_string_equal(path->via->what, "template");
	assert_string_equal(path->via->at.file, "pipelines/a.yaml");
	assert_int_equal(path->via->at.line, 3);
	setting_close(&s);
}

static void the_sql_file_of_a_template_is_rendered_with_its_parameters(void **state)
{
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "sql/a.sql", "\nSELECT {{ x }} {# note #}\n");
	put(&s.f, "templates/t.yaml", "name: t\nactions:\n- {name: a, type: load, source: {type: sql, sql_path: sql/a.sql}}\n");
	put(&s.f, "pipelines/a.yaml", HEAD "use_template: t\ntemplate_parameters: {x: 1}\n");
	assert_int_equal(resolve_first(&s), 0);
	assert_string_equal(part(&s, 0, "source"), "{'type': 'sql', 'sql': 'SELECT 1'}");
	assert_true(depends_on(&s, DEP_FILE, "sql/a.sql"));
	put(&s.f, "sql/a.sql", "SELECT {{ y }}");
	assert_int_equal(resolve_first(&s), -1);
	assert_string_equal(first_code(&s.f), "LHP-CFG-071");
	put(&s.f, "sql/a.sql", " {# nothing #} ");
	assert_int_equal(resolve_first(&s), -1);
	assert_string_equal(first_code(&s.f), "LHP-CFG-071");
	setting_close(&s);
}

/* --- what a flowgroup depends on --- */

static void small_project(struct setting *s)
{
	put(&s->f, "substitutions/dev.yaml", "dev: {used: x, inner: y, outer: '${inner}', unused: z}\nsecrets: {default_scope: d}");
	put(&s->f, "presets/p.yaml", "name: p\ndefaults: {load_actions: {cloudfiles: {format: json}, delta: {a: b}}}");
	put(&s->f, "templates/t.yaml", "name: t\nactions:\n- {name: l, type: load, source: {type: cloudfiles, path: '/${outer}/${secret:k}'}, target: v}\n");
	put(&s->f, "pipelines/a.yaml", HEAD "use_template: t\npresets: [p]\njob_name: '${used}'\n");
}

static void a_trace_names_what_was_read_and_nothing_else(void **state)
{
	static const struct {
		enum dep_kind kind;
		const char *key;
	} expected[] = {
		{ DEP_NODE, "pipelines/a.yaml#0" },
		{ DEP_NODE, "templates/t.yaml#0" },
		{ DEP_KEY, "preset/p/load_actions.cloudfiles" },
		{ DEP_TOKEN, "dev/used" },
		{ DEP_TOKEN, "dev/outer" },
		{ DEP_TOKEN, "dev/secret:" },
		{ DEP_TOKEN, "dev/secret:d" },
		{ DEP_KEY, "preset/p/operational_metadata" },
	};
	struct setting s;

	(void)state;
	setting_open(&s);
	small_project(&s);
	assert_int_equal(resolve_first(&s), 0);
	for (size_t i = 0; i < s.f.trace.n; i++) {
		assert_true(i < sizeof expected / sizeof *expected);
		assert_string_equal(str_cstr(&s.f.arena, s.f.trace.p[i].key), expected[i].key);
		assert_int_equal(s.f.trace.p[i].kind, expected[i].kind);
	}
	assert_int_equal(s.f.trace.n, sizeof expected / sizeof *expected);
	setting_close(&s);
}

/* How many of the dependencies of before changed after `path` became `text`; the name of the first. */
static size_t changed_after(struct setting *s, const char *path, const char *text, const char **first)
{
	struct trace before;
	size_t n = 0;

	small_project(s);
	assert_int_equal(resolve_first(s), 0);
	before = s->f.trace;
	put(&s->f, path, text);
	assert_int_equal(start(s), 0);
	*first = "";
	for (size_t i = 0; i < before.n; i++) {
		struct hash128 now = dep_now(&s->f.project, &s->env, before.p[i].kind, before.p[i].key);

		if (hash_eq(now, before.p[i].hash))
			continue;
		*first = n++ == 0 ? str_cstr(&s->f.arena, before.p[i].key) : *first;
	}
	return n;
}

static void an_edit_changes_only_what_was_read_of_it(void **state)
{
	static const struct {
		const char *path, *text;
		const char *changed; /* the only dependency that changes, or "" */
	} rows[] = {
		{ "substitutions/dev.yaml", "dev: {used: x, inner: y, outer: '${inner}', unused: other}\nsecrets: {default_scope: d}", "" },
		{ "substitutions/dev.yaml", "# comment\ndev: {unused: z, used: x, inner: y, outer: 'y'}\nsecrets: {default_scope: d}", "" },
		{ "substitutions/dev.yaml", "dev: {used: x, inner: other, outer: '${inner}', unused: z}\nsecrets: {default_scope: d}", "dev/outer" },
		{ "substitutions/dev.yaml", "dev: {used: x, inner: y, outer: '${inner}', unused: z}\nsecrets: {default_scope: e}", "dev/secret:" },
		{ "substitutions/dev.yaml", "dev: {used: x, outer: y}\nsecrets: {default_scope: d, scopes: {d: real}}", "dev/secret:d" },
		{ "presets/p.yaml", "name: p\ndefaults: {load_actions: {cloudfiles: {format: json}, delta: {a: other}}}", "" },
		{ "presets/p.yaml", "name: p\ndefaults: {load_actions: {cloudfiles: {format: csv}}}", "preset/p/load_actions.cloudfiles" },
		{ "presets/p.yaml", "name: p\ndefaults: {operational_metadata: [a], load_actions: {cloudfiles: {format: json}}}",
		  "preset/p/operational_metadata" },
		{ "templates/t.yaml", "# comment\nname: t\nactions:\n- {name: l, type: load, source: {type: cloudfiles, path: '/${outer}/${secret:k}'}, target: v}\n", "" },
		{ "templates/t.yaml", "name: t\n", "templates/t.yaml#0" },
		{ "templates/u.yaml", "name: u\n", "" },
		{ "pipelines/b.yaml", "pipeline: p\nflowgroup: g\n", "" },
		{ "pipelines/a.yaml", "# comment\n" HEAD "use_template: 't'\npresets: [p]\njob_name: '${used}'\n", "" },
		{ "pipelines/a.yaml", HEAD "use_template: t\npresets: [p]\njob_name: other\n", "pipelines/a.yaml#0" },
		{ "lhp.yaml", "name: other\n", "" },
	};
	const char *changed;
	struct setting s;

	(void)state;
	setting_open(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = changed_after(&s, rows[i].path, rows[i].text, &changed);

		if (n > 1 || strcmp(changed, rows[i].changed) != 0)
			fail_msg("%s as %s changed %zu, first \"%s\"", rows[i].path, rows[i].text, n, changed);
	}
	setting_close(&s);
}

static void the_flowgroup_of_an_instance_is_verified_through_it(void **state)
{
	struct hash128 before, now;
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "blueprints/b.yaml", "name: b\nparameters: [{name: x}]\nflowgroups: [{pipeline: p, flowgroup: '%{x}'}]");
	put(&s.f, "pipelines/i.yaml", "use_blueprint: b\nparameters: {x: one}\n");
	assert_int_equal(start(&s), 0);
	before = s.found.source[0].hash;
	now = dep_now(&s.f.project, &s.env, DEP_NODE, s.found.source[0].key);
	assert_true(hash_eq(now, before));
	put(&s.f, "pipelines/i.yaml", "use_blueprint: b\nparameters: {x: two}\n");
	assert_int_equal(start(&s), 0);
	assert_false(hash_eq(dep_now(&s.f.project, &s.env, DEP_NODE, STR("pipelines/i.yaml#0")), before));
	setting_close(&s);
}

static const struct fs_ops *allowing;

static int refuse_sql(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	return str_ends(path, STR(".sql")) ? -EACCES : allowing->read(fs, path, a, bytes, st);
}

static void a_file_that_may_not_be_read_is_told_where_it_is_named(void **state)
{
	const struct mark named = { "pipelines/a.yaml", 3, 1 };
	struct fs_ops refusing;
	struct setting s;
	struct str text;

	(void)state;
	setting_open(&s);
	put(&s.f, "q.sql", "SELECT 1");
	allowing = s.f.fs.ops;
	refusing = *allowing;
	refusing.read = refuse_sql;
	s.f.fs.ops = &refusing;
	assert_int_equal(start(&s), 0);
	assert_int_equal(file_text_raw(&s.unit, STR("q.sql"), named, &text), -1);
	assert_string_equal(s.f.diags.p[0].rule->name, "file.not-permitted");
	assert_string_equal(s.f.diags.p[0].at.file, "pipelines/a.yaml");
	s.f.fs.ops = allowing;
	setting_close(&s);
}

static void names_are_resolved_before_the_work_starts(void **state)
{
	struct str pipeline, name;
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "substitutions/dev.yaml", "dev: {tok: t}");
	put(&s.f, "pipelines/a.yaml", "pipeline: 'p_${tok}'\nflowgroup: '%{v}_{none}'\nvariables: {v: '${tok}x'}\n");
	assert_int_equal(start(&s), 0);
	flowgroup_names(&s.unit, &s.found.source[0], &pipeline, &name);
	assert_string_equal(str_cstr(&s.f.arena, pipeline), "p_t");
	assert_string_equal(str_cstr(&s.f.arena, name), "tx_{none}");
	setting_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stages_follow_each_other_in_order),
		cmocka_unit_test(each_step_ends_the_flowgroup_with_its_code),
		cmocka_unit_test(presets_merge_over_actions_key_by_key),
		cmocka_unit_test(the_ladder_of_precedence),
		cmocka_unit_test(the_old_database_key_is_split_with_a_warning),
		cmocka_unit_test(metadata_columns_come_sorted_with_their_imports),
		cmocka_unit_test(tests_are_dropped_unless_asked_for),
		cmocka_unit_test(a_template_value_says_where_it_comes_from),
		cmocka_unit_test(the_sql_file_of_a_template_is_rendered_with_its_parameters),
		cmocka_unit_test(a_trace_names_what_was_read_and_nothing_else),
		cmocka_unit_test(an_edit_changes_only_what_was_read_of_it),
		cmocka_unit_test(the_flowgroup_of_an_instance_is_verified_through_it),
		cmocka_unit_test(a_file_that_may_not_be_read_is_told_where_it_is_named),
		cmocka_unit_test(names_are_resolved_before_the_work_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
