#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "resolve/preset.h"
#include "unit/resolve/setting.h"

/* spec/resolve.md, section 6: maps meet key by key, lists of metadata columns add up, anything else is replaced. */
static void defaults_merge_as_the_table_says(void **state)
{
	static const struct {
		const char *base, *over, *merged;
	} rows[] = {
		{ "{a: 1}", "{b: 2}", "{'a': 1, 'b': 2}" },
		{ "{a: 1, b: 2}", "{b: 3, a: 4}", "{'a': 4, 'b': 3}" },
		{ "{m: {x: 1, y: {z: 2}}}", "{m: {y: {w: 3}}}", "{'m': {'x': 1, 'y': {'z': 2, 'w': 3}}}" },
		{ "{l: [1, 2]}", "{l: [3]}", "{'l': [3]}" },
		{ "{l: [1]}", "{l: []}", "{'l': []}" },
		{ "{m: {x: 1}}", "{m: 5}", "{'m': 5}" },
		{ "{m: 5}", "{m: {x: 1}}", "{'m': {'x': 1}}" },
		{ "{m: {x: 1}}", "{m: null}", "{'m': None}" },
		{ "{m: {x: 1}}", "{m: {}}", "{'m': {'x': 1}}" },
		{ "{}", "{a: 1}", "{'a': 1}" },
		{ "{operational_metadata: [b, a]}", "{operational_metadata: [a, c]}", "{'operational_metadata': ['b', 'a', 'c']}" },
		{ "{operational_metadata: [a]}", "{operational_metadata: true}", "{'operational_metadata': True}" },
		{ "{operational_metadata: false}", "{operational_metadata: [a]}", "{'operational_metadata': ['a']}" },
		{ "{m: {operational_metadata: [a, a]}}", "{m: {operational_metadata: [b]}}",
		  "{'m': {'operational_metadata': ['a', 'b']}}" },
	};
	static const struct str child[] = { STR_INIT("over") }, both[] = { STR_INIT("base"), STR_INIT("alone") };
	struct setting s;

	(void)state;
	setting_open(&s);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *a = &s.f.arena;
		const struct chain *c;

		put(&s.f, "presets/a.yaml", str_fmt(a, "{name: base, defaults: %s}", rows[i].base).p);
		put(&s.f, "presets/b.yaml", str_fmt(a, "{name: over, extends: base, defaults: %s}", rows[i].over).p);
		put(&s.f, "presets/c.yaml", str_fmt(a, "{name: alone, defaults: %s}", rows[i].over).p);
		assert_int_equal(start(&s), 0);
		c = preset_chain(&s.f.project, child, 1);
		if (c->fault != NULL || !str_is(node_repr(a, c->merged), rows[i].merged))
			fail_msg("%s over %s: %.*s", rows[i].over, rows[i].base, STR_ARG(node_repr(a, c->merged)));
		c = preset_chain(&s.f.project, both, 2); /* a list of presets merges like a chain */
		assert_true(str_is(node_repr(a, c->merged), rows[i].merged));
	}
	setting_close(&s);
}

static void a_circle_or_an_unknown_parent_is_the_fault_of_who_uses_it(void **state)
{
	static const struct {
		const char *name, *code; /* NULL: none */
	} rows[] = { { "a", "LHP-DEP-022" }, { "b", "LHP-DEP-022" }, { "self", "LHP-DEP-022" }, { "orphan", "LHP-ACT-001" },
		     { "none", "LHP-ACT-001" }, { "good", NULL } };
	struct setting s;

	(void)state;
	setting_open(&s);
	put(&s.f, "presets/a.yaml", "{name: a, extends: b}");
	put(&s.f, "presets/b.yaml", "{name: b, extends: a}");
	put(&s.f, "presets/c.yaml", "{name: self, extends: self}");
	put(&s.f, "presets/d.yaml", "{name: orphan, extends: gone}");
	put(&s.f, "presets/e.yaml", "{name: good}");
	assert_int_equal(start(&s), 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str name = str_of(rows[i].name);
		const struct chain *c = preset_chain(&s.f.project, &name, 1);

		if (rows[i].code == NULL)
			assert_null(c->fault);
		else
			assert_string_equal(c->fault->code, rows[i].code);
	}
	setting_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_merge_as_the_table_says),
		cmocka_unit_test(a_circle_or_an_unknown_parent_is_the_fault_of_who_uses_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
