#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bundle/sandbox_internal.h"
#include "unit/fixture.h"
#include "model/rules.h"
#include "python/syntax.h"
#include "sandbox_set.h"

#include <stdio.h>

/* One file made by a unit in a sandbox whose R is `docks`. */
struct made {
	struct fixture f;
	struct sandbox sandbox;
	struct env env;
	struct unit unit;
	struct out_file file;
	struct out_files files;
};

static void made_open(struct made *m, const char *text)
{
	memset(m, 0, sizeof *m);
	fixture_open(&m->f);
	m->sandbox = (struct sandbox){ .arena = &m->f.arena, .r = set_of(&m->f.arena, docks) };
	m->env = (struct env){ .name = STR("dev"), .sandbox = &m->sandbox };
	m->unit = (struct unit){ &m->f.project, &m->env, &m->f.arena, &m->f.trace, &m->f.diags, STR("p"), STR("f"), "f.yaml" };
	m->file = (struct out_file){ .path = STR("p/f.py"), .raw = str_of(text), .python = true };
	m->files.p = &m->file;
	m->files.n = 1;
}

static int rewrite(struct made *m)
{
	return sandbox_files_rewrite(&m->unit, &m->files);
}

/* Findings as "VAL-066: detail" lines. */
static const char *said(const struct made *m)
{
	struct buf b = { 0 };
	const char *out;

	for (size_t i = 0; i < m->f.diags.n; i++)
		buf_addf(&b, "%s%s: %.*s", i != 0 ? "\n" : "", m->f.diags.p[i].rule->code + 4, STR_ARG(m->f.diags.p[i].detail));
	out = str_cstr((struct arena *)&m->f.arena, buf_str(&b));
	buf_release(&b);
	return out;
}

struct row {
	const char *before, *after; /* after: NULL when nothing changes */
	const char *said;           /* NULL: nothing */
};

static void check(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct made m;

		made_open(&m, "");
		m.file.raw = str_fmt(&m.f.arena, "%s\n", row[i].before);
		assert_int_equal(rewrite(&m), 0);
		assert_same(&m.f.arena, str_trim_end(m.file.raw), row[i].after != NULL ? row[i].after : row[i].before);
		assert_string_equal(said(&m), row[i].said != NULL ? row[i].said : "");
		fixture_close(&m.f);
	}
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

static void literal_names_are_renamed_in_their_quotes(void **state)
{
	static const struct row row[] = {
		{ "spark.table(\"raw.moorings\")", "spark.table(\"raw.kari_moorings\")" },
		{ "spark.read.table('port_a.raw.Berths')", "spark.read.table('port_a.raw.kari_Berths')" },
		{ "spark.readStream.table(\"\"\"raw.moorings\"\"\")", "spark.readStream.table(\"\"\"raw.kari_moorings\"\"\")" },
		{ "self.x.spark.table('raw.`moorings`')", "self.x.spark.table('raw.`kari_moorings`')" },
		{ "spark.read.format('Delta').load('raw.moorings')", "spark.read.format('Delta').load('raw.kari_moorings')" },
		{ "spark.readStream.format('iceberg').table('raw.moorings')",
		  "spark.readStream.format('iceberg').table('raw.kari_moorings')" },
		{ "spark.catalog.tableExists('raw.moorings')", "spark.catalog.tableExists('raw.kari_moorings')" },
		{ "spark.catalog.dropTempView('raw.moorings')", "spark.catalog.dropTempView('raw.kari_moorings')" },
		{ "spark.table(r\"raw.moorings\")", "spark.table('raw.kari_moorings')" },
		{ "spark.table(\"raw.\" \"moorings\")", "spark.table('raw.kari_moorings')" },
		{ "spark.table(\"raw\\x2emoorings\")", "spark.table('raw.kari_moorings')" },
		{ "spark.table((\"raw.moorings\"))", "spark.table((\"raw.kari_moorings\"))" },
		{ "spark.table('raw.moorings', 1)", "spark.table('raw.kari_moorings', 1)" },
	};

	(void)state;
	CHECK(row);
}

static void other_texts_and_calls_are_no_sites(void **state)
{
	static const struct row row[] = {
		{ "spark.table('raw.berths')" },
		{ "spark.table('v_moorings')" },
		{ "print('raw.moorings')  # raw.moorings" },
		{ "session.table('raw.moorings')" },
		{ "spark.read.format('csv').load('raw.moorings')" },
		{ "spark.read.format(f).table('raw.moorings')" },
		{ "spark.read.option('a', 1).table('raw.moorings')" },
		{ "spark.table(tableName='raw.moorings')" },
		{ "spark.table(*names)" },
		{ "spark.table()" },
	};

	(void)state;
	CHECK(row);
}

static void names_known_elsewhere_are_missed(void **state)
{
	static const struct row row[] = {
		{ "t = 'raw.moorings'\nspark.table(t)", NULL, "VAL-066: p/f.py:2 reads raw.moorings" },
		{ "for t in ['raw.wind', 'raw.moorings']:\n    spark.table(t)", NULL, "VAL-066: p/f.py:2 reads raw.moorings" },
		{ "def t():\n    return 'raw.moorings'\nspark.table(t())", NULL, "VAL-066: p/f.py:3 reads raw.moorings" },
		{ "spark.table(f'raw.moorings')", NULL, "VAL-066: p/f.py:1 reads raw.moorings" },
		{ "s = 'raw'\nspark.table(f'{s}.moorings')", NULL, "VAL-066: p/f.py:2 reads raw.moorings" },
		{ "t = 'raw.wind'\nspark.table(t)" },
		{ "q = 'SELECT * FROM raw.moorings'\nspark.sql(q)\nspark.sql(q)", NULL,
		  "VAL-066: p/f.py:2 reads raw.moorings\np/f.py:3 reads raw.moorings" },
		{ "spark.sql('SELECT * ' + 'FROM raw.moorings')", NULL, "VAL-066: p/f.py:1 reads raw.moorings" },
		{ "t = 'raw'\nt += '.moorings'\nspark.table(t)" }, /* LHP sees `raw` only */
	};

	(void)state;
	CHECK(row);
}

/* What LHP does not work out (spec/dag.md, 8.2) is known at run time only, whatever the table graph knows of it. */
static void names_that_lhp_does_not_work_out_are_wrapped(void **state)
{
	static const char *const argument[] = {
		"'raw.moorings' if a else 'raw.wind'", "'raw.%s' % 'moorings'", "a or 'raw.moorings'", "C.X", "str('raw.moorings')", "below",
	};
	static const char *const before = "class C:\n    X = 'raw.moorings'\ndef f():\n    return ", *const after = "\nbelow = 'raw.moorings'";

	(void)state;
	for (size_t i = 0; i < sizeof argument / sizeof *argument; i++) {
		struct made m;

		made_open(&m, "");
		m.file.raw = str_fmt(&m.f.arena, "%sspark.table(%s)%s\n", before, argument[i], after);
		assert_int_equal(rewrite(&m), 0);
		assert_true(str_has(m.file.raw, str_fmt(&m.f.arena, "spark.table(__lhp_sandbox_table(%s))", argument[i])));
		assert_string_equal(said(&m), "");
		fixture_close(&m.f);
	}
}

static void sql_is_rewritten_as_it_is_written(void **state)
{
	static const struct row row[] = {
		{ "spark.sql(\"SELECT * FROM raw.moorings\")", "spark.sql(\"SELECT * FROM raw.kari_moorings\")" },
		{ "spark.sql('''a\nFROM raw.moorings''')", "spark.sql('''a\nFROM raw.kari_moorings''')" },
		{ "spark.sql(u'FROM raw.moorings')", "spark.sql(u'FROM raw.kari_moorings')" },
		{ "spark.sql(r'FROM raw.moorings RLIKE \"\\d\"')", "spark.sql(r'FROM raw.kari_moorings RLIKE \"\\d\"')" },
		/* on the value, as a new literal */
		{ "spark.sql('a ' 'FROM raw.moorings')", "spark.sql('a FROM raw.kari_moorings')" },
		{ "spark.sql('a\\tFROM raw.moorings')", "spark.sql('a\tFROM raw.kari_moorings')" },
		{ "spark.sql('a\\nFROM raw.moorings')", "spark.sql(\"\"\"a\nFROM raw.kari_moorings\"\"\")" },
		{ "spark.sql('a\\'s FROM raw.moorings')", "spark.sql(\"a's FROM raw.kari_moorings\")" },
		{ "spark.sql(\"\\\"a\\\" FROM raw.moorings\")", "spark.sql('\"a\" FROM raw.kari_moorings')" },
		{ "spark.sql('\"\\\\\" FROM raw.moorings')", "spark.sql('\"\\\\\" FROM raw.kari_moorings')" },
		{ "spark.sql('\\x41 FROM raw.wind')" },
		/* f-strings */
		{ "spark.sql(f'FROM raw.moorings WHERE d = {d}')", "spark.sql(f'FROM raw.kari_moorings WHERE d = {d}')" },
		{ "spark.sql(f'FROM {c}.raw.moorings')", NULL, "VAL-066: p/f.py:1 reads raw.moorings" },
		{ "spark.sql(f'FROM {catalog}.raw.moorings')", NULL, "VAL-066: p/f.py:1 reads raw.moorings" },
		{ "spark.sql(f'FROM {c}.{s}.{t}')", NULL, "VAL-067: p/f.py:1" },
		{ "spark.sql(q)", NULL, "VAL-067: p/f.py:1" },
		{ "spark.sql(q)\nspark.sql(f'FROM raw.{t}')", NULL, "VAL-066: p/f.py:2 reads raw.{...}\nVAL-067: p/f.py:1" },
		{ "spark.sql(f\"FROM raw.moorings WHERE d = {p[\"d\"]}\")", NULL, "VAL-066: p/f.py:1 reads raw.moorings" },
	};

	(void)state;
	CHECK(row);
}

static bool has(const struct made *m, const char *text)
{
	return str_has(m->file.raw, str_of(text));
}

static void names_known_at_run_time_are_wrapped(void **state)
{
	struct made m;

	(void)state;
	made_open(&m, "def f(spark, t):\n    return spark.table(t), spark.read.table(f\"raw.{t}\")\n");
	assert_int_equal(rewrite(&m), 0);
	assert_true(has(&m, "spark.table(__lhp_sandbox_table(t)), spark.read.table(__lhp_sandbox_table(f\"raw.{t}\"))"));
	assert_int_equal(str_find(m.file.raw, STR("def __lhp_sandbox_table(name"), 0), 2);
	assert_int_equal(str_find(m.file.raw, STR("def __lhp_sandbox_table("), 3), -1);
	assert_string_equal(said(&m), "");
	fixture_close(&m.f);
}

static void what_is_wrapped_is_not_wrapped_again(void **state)
{
	struct made m;
	const char *text = "spark.table(__lhp_sandbox_table(t))\n";

	(void)state;
	made_open(&m, text);
	assert_int_equal(rewrite(&m), 0);
	assert_same(&m.f.arena, m.file.raw, text);
	fixture_close(&m.f);
}

static void sites_inside_sites_are_both_rewritten(void **state)
{
	struct made m;

	(void)state;
	made_open(&m, "spark.table(pick(spark.table('raw.moorings')))\n");
	assert_int_equal(rewrite(&m), 0);
	assert_true(has(&m, "spark.table(__lhp_sandbox_table(pick(spark.table('raw.kari_moorings'))))"));
	fixture_close(&m.f);
}

/* `text` with the shim's place marked by '@'. */
static void assert_place(const char *marked)
{
	struct arena a = { 0 };
	struct str text = str_replace(&a, str_of(marked), STR("@"), STR(""));

	assert_int_equal(shim_place(&a, text), str_find_char(str_of(marked), '@', 0));
	arena_release(&a);
}

static void the_shim_stands_behind_docstring_and_future_imports(void **state)
{
	(void)state;
	assert_place("@import os\n");
	assert_place("# a\n\n# b\n@\nimport os\n");
	assert_place("# a\n\"\"\"Doc.\n\nMore.\"\"\"  # b\n@import os\n");
	assert_place("# a\n\n'Doc.'\nfrom __future__ import annotations\n@import os\n");
	assert_place("from __future__ import annotations\nfrom __future__ import division  # x\n@x = 1\n");
	assert_place("@x = 'text'\n");
	assert_place("@'a'.join(b)\n");
	assert_place("@");
}

static void warnings_name_the_line_of_the_projects_file(void **state)
{
	struct made m;

	(void)state;
	made_open(&m, "# LHP-SOURCE: py/a.py\n# b\n# c\n\nfrom x import (a, b)\nt = 'raw.moorings'\nspark.table(t)\n");
	put(&m.f, "py/a.py", "from x import (a,\n               b)\nt = 'raw.moorings'\nspark.table(t)\n");
	assert_int_equal(load(&m.f), 0);
	m.file.source = STR("py/a.py");
	assert_int_equal(rewrite(&m), 0);
	assert_string_equal(said(&m), "VAL-066: py/a.py:4 reads raw.moorings");
	assert_string_equal(m.f.diags.p[0].file, "p/f.py");
	assert_string_equal(m.f.diags.p[0].at.file, "py/a.py");
	assert_int_equal(m.f.diags.p[0].at.line, 4);
	fixture_close(&m.f);
}

static void texts_that_are_no_python_files_stay(void **state)
{
	struct made m;

	(void)state;
	made_open(&m, "spark.table('raw.moorings')\n");
	m.file.python = false;
	assert_int_equal(rewrite(&m), 0);
	assert_same(&m.f.arena, m.file.raw, "spark.table('raw.moorings')\n");
	fixture_close(&m.f);
}

/* A name known at run time is wrapped in one more pair of brackets than Python nests. */
static void what_is_no_python_afterwards_is_refused(void **state)
{
	struct buf text = { 0 };
	struct made m;

	(void)state;
	buf_adds(&text, "x = ");
	buf_add_repeat(&text, '(', PY_MAX_BRACKETS - 1);
	buf_adds(&text, "spark.table(name)");
	buf_add_repeat(&text, ')', PY_MAX_BRACKETS - 1);
	buf_adds(&text, "\n");
	buf_addc(&text, '\0');
	made_open(&m, text.p);
	assert_int_equal(rewrite(&m), -1);
	assert_string_equal(m.f.diags.p[0].rule->name, "sandbox.not-python");
	fixture_close(&m.f);
	buf_release(&text);
}

/* The shim under python3, asked for some names. */
static void the_shim_renames_as_the_references_rule_does(void **state)
{
	static const char *const name[] = { "port_a.raw.berths", "PORT_B.raw. `Berths` ", "raw.berths", "raw.moorings",
		                            "x.raw.moorings", "any.out.Sent", "out.sent", "moorings", "a.b.c.d", "" };
	struct made m;
	struct buf script = { 0 }, want = { 0 }, got = { 0 };
	FILE *python;
	char line[256];

	(void)state;
	made_open(&m, "");
	buf_add(&script, shim_text(&m.sandbox.r, &m.f.arena));
	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		buf_addf(&script, "print(__lhp_sandbox_table('%s'))\n", name[i]);
		buf_addf(&want, "%.*s\n", STR_ARG(renames_reference(&m.sandbox.r, &m.f.arena, str_of(name[i]))));
	}
	buf_adds(&script, "assert __lhp_sandbox_table(None) is None\n");
	put(&m.f, "shim.py", str_cstr(&m.f.arena, buf_str(&script)));
	python = popen(str_fmt(&m.f.arena, "python3 -W error %s/shim.py", m.f.folder).p, "r");
	assert_non_null(python);
	while (fgets(line, sizeof line, python) != NULL)
		buf_adds(&got, line);
	if (pclose(python) == 127 << 8) {
		print_message("no python3\n");
	} else {
		assert_same(&m.f.arena, buf_str(&got), str_cstr(&m.f.arena, buf_str(&want)));
	}
	buf_release(&script);
	buf_release(&want);
	buf_release(&got);
	fixture_close(&m.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(literal_names_are_renamed_in_their_quotes),
		cmocka_unit_test(other_texts_and_calls_are_no_sites),
		cmocka_unit_test(names_known_elsewhere_are_missed),
		cmocka_unit_test(names_that_lhp_does_not_work_out_are_wrapped),
		cmocka_unit_test(sql_is_rewritten_as_it_is_written),
		cmocka_unit_test(names_known_at_run_time_are_wrapped),
		cmocka_unit_test(what_is_wrapped_is_not_wrapped_again),
		cmocka_unit_test(sites_inside_sites_are_both_rewritten),
		cmocka_unit_test(the_shim_stands_behind_docstring_and_future_imports),
		cmocka_unit_test(warnings_name_the_line_of_the_projects_file),
		cmocka_unit_test(texts_that_are_no_python_files_stay),
		cmocka_unit_test(what_is_no_python_afterwards_is_refused),
		cmocka_unit_test(the_shim_renames_as_the_references_rule_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
