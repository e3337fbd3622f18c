#include "graph/pyreads.h"

#include "unit/graph/py_cases.h"

#include <setjmp.h>
#include <stdio.h>
#include <cmocka.h>

static struct str reads_text(struct arena *a, const struct py_reads *reads)
{
	static const char *const doubts[] = { "?", "!sql", "!python" };
	struct buf b = { 0 };
	for (size_t i = 0; i < reads->read.n; i++)
		buf_addf(&b, "%s%s%.*s", i > 0 ? " " : "", reads->read.p[i].streaming ? "~" : "",
		         STR_ARG(reads->read.p[i].name));
	for (size_t i = 0; i < reads->doubt.n; i++)
		buf_addf(&b, "%s%s", b.n > 0 ? " " : "", doubts[reads->doubt.p[i].kind]);
	struct str text = buf_take(&b, a);
	buf_release(&b);
	return text;
}

static void check(const struct py_case *c, size_t n)
{
	struct arena a = { 0 };
	size_t failed = 0;
	for (size_t i = 0; i < n; i++) {
		struct py_reads reads;
		py_reads(&a, str_of(c[i].body), "f.py", NULL, NULL, &reads);
		struct str found = reads_text(&a, &reads);
		if (str_is(found, c[i].reads))
			continue;
		failed++;
		printf("%s\n  expected %s\n  found    %.*s\n", c[i].body, c[i].reads, STR_ARG(found));
	}
	arena_release(&a);
	assert_int_equal(failed, 0);
}

#define CHECKS(name, cases)                                    \
	static void name(void **state)                         \
	{                                                      \
		(void)state;                                   \
		check(cases, sizeof(cases) / sizeof *(cases)); \
	}

CHECKS(calls_of_spark_that_name_a_table_are_reads, call_cases)
CHECKS(values_are_worked_out_without_running, value_cases)
CHECKS(functions_pass_values_in_and_out, function_cases)

static void expect(const char *body, const struct py_entry *entry, const struct py_opener *opener, const char *expected)
{
	struct arena a = { 0 };
	struct py_reads reads;
	py_reads(&a, str_of(body), "f.py", entry, opener, &reads);
	struct str found = reads_text(&a, &reads);
	if (!str_is(found, expected))
		printf("%s\n  expected %s\n  found    %.*s\n", body, expected, STR_ARG(found));
	assert_true(str_is(found, expected));
	arena_release(&a);
}

static void parameters_of_yaml_reach_the_entry_function(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct py_value *map = py_value_map(&a), *deep = py_value_map(&a);
	struct str extra[] = { STR("x"), STR("y") };
	py_value_put(&a, map, STR("cat"), py_value_text(&a, STR("c")));
	py_value_put(&a, map, STR("extra"), py_value_list(&a, extra, 2));
	py_value_put(&a, deep, STR("t"), py_value_text(&a, STR("c.deep")));
	py_value_put(&a, map, STR("deep"), deep);
	struct py_entry load = { .function = STR("go"), .position = 2, .value = map };
	expect("def go(spark, p):\n    c = p['cat']\n    for n in p['extra']:\n        spark.table(f'{c}.{n}')\n", &load, NULL,
	       "c.x c.y");
	expect("def go(spark, p):\n    return spark.table(p['deep']['t'])\n", &load, NULL, "c.deep");
	expect("def go(spark, p):\n    return spark.table(p.get('side', 'c.side'))\n", &load, NULL, "c.side");
	expect("def go(spark, p):\n    q = p or {}\n    return help(spark, q)\ndef help(s, q):\n    return spark.table(q['cat'])\n",
	       &load, NULL, "c");
	expect("def other(spark, p):\n    return spark.table(p['cat'])\n", &load, NULL, "?");
	struct py_entry snapshot = { .function = STR("go"), .keywords = true, .value = map };
	expect("def go(latest, *, cat):\n    return spark.table(cat), 1\n", &snapshot, NULL, "c");
	expect("def go(latest, **rest):\n    return spark.table(rest['cat']), 1\n", &snapshot, NULL, "c");
	expect("def go(latest, cat, /):\n    return spark.table(cat), 1\n", &snapshot, NULL, "?");
	expect("def go(latest, other='c.o'):\n    return spark.table(other), 1\n", &snapshot, NULL, "c.o");
	arena_release(&a);
}

static void only_what_the_entry_reaches_counts(void **state)
{
	(void)state;
	struct py_entry go = { .function = STR("go") }, none = { .function = STR("missing") };
	const char *body = "def other(spark):\n    return spark.table('a')\n"
	                   "def help(spark):\n    return spark.table('b')\n"
	                   "def go(spark, parameters):\n    return wrap(help)\n";
	expect(body, &go, NULL, "b");
	expect(body, &none, NULL, "a b");
	expect(body, NULL, NULL, "a b");
	expect("class L:\n    def m(self):\n        return spark.table('a')\ndef go(s, p):\n    return L().m()\n", &go, NULL, "a");
	expect("spark.table('m')\ndef go(s, p):\n    pass\n", &go, NULL, "m");
}

static bool helper_open(void *ctx, const char *from, struct str module, unsigned level, struct str *text, const char **file)
{
	(void)ctx, (void)from, (void)level;
	*file = "helpers.py";
	*text = STR("T = 'h.const'\n"
	            "def load(spark, t):\n    return spark.table(t)\n"
	            "def unused(spark):\n    return spark.table('h.unused')\n");
	return str_is(module, "helpers");
}

static void imports_of_project_files_are_followed(void **state)
{
	(void)state;
	struct py_opener opener = { NULL, helper_open };
	struct py_entry go = { .function = STR("go") };
	expect("from helpers import load\ndef go(spark, p):\n    return load(spark, 'h.t')\n", &go, &opener, "h.t");
	expect("from helpers import load as l\ndef go(spark, p):\n    return l(spark, 'h.t')\n", &go, &opener, "h.t");
	expect("import helpers\ndef go(spark, p):\n    return helpers.load(spark, 'h.t')\n", &go, &opener, "h.t");
	expect("from helpers import T\nspark.table(T)\n", NULL, &opener, "h.const");
	expect("import helpers as h\nspark.table(h.T)\n", NULL, &opener, "h.const");
	expect("from elsewhere import load\nload(spark, 'x')\n", NULL, &opener, "");
}

struct py_file {
	const char *module, *text;
};

static bool file_open(void *ctx, const char *from, struct str module, unsigned level, struct str *text, const char **file)
{
	(void)from, (void)level;
	for (const struct py_file *f = ctx; f->module != NULL; f++)
		if (str_is(module, f->module)) {
			*file = f->module;
			*text = str_of(f->text);
			return true;
		}
	return false;
}

static void imports_in_a_circle_end(void **state)
{
	(void)state;
	struct py_file own[] = { { "own", "from own import load, T\nfrom own import load, T\nimport own\nU = own.U\n" }, { 0 } };
	struct py_file two[] = { { "a", "from b import load, T\nfrom b import load, T\n" },
		                 { "b", "from a import load, T\nfrom a import load, T\n" },
		                 { 0 } };
	struct py_opener opener = { own, file_open };
	expect("from own import load, T\nload(spark, 'x')\nspark.table(T)\n", NULL, &opener, "?");
	expect("import own\nown.load(spark, 'x')\nspark.table(own.U)\n", NULL, &opener, "?");
	opener.ctx = two;
	expect("from a import load, T\nload(spark, 'x')\nspark.table(T)\nspark.table('c.s.t')\n", NULL, &opener, "c.s.t ?");
}

/* Followed both ways at each of the files, this would take 2^32 steps. */
static void what_is_imported_twice_is_followed_once(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct py_file chain[34] = { 0 };
	size_t last = 32;
	for (size_t i = 0; i < last; i++) {
		chain[i].module = str_cstr(&a, str_fmt(&a, "m%zu", i));
		chain[i].text = str_cstr(
		    &a, str_fmt(&a, "from m%zu import load, T\nfrom m%zu import load, T\n", i + 1, i + 1));
	}
	chain[last] = (struct py_file){ "m32", "T = 'c.s.t'\ndef load(spark, t):\n    spark.table(t)\n" };
	struct py_opener opener = { chain, file_open };
	expect("from m0 import load, T\nload(spark, 'x')\nspark.table(T)\n", NULL, &opener, "c.s.t x");
	arena_release(&a);
}

static void a_doubt_says_what_and_where(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct py_reads reads;
	py_reads(&a, STR("import os\n\nx = 1; h = spark.table(os.environ[\"EXTRA_TABLE\"])\n"), "code/load.py", NULL, NULL, &reads);
	assert_int_equal(reads.doubt.n, 1);
	assert_int_equal(reads.doubt.p[0].kind, PY_UNRESOLVED);
	assert_int_equal(reads.doubt.p[0].line, 3);
	assert_int_equal(reads.doubt.p[0].col, 12);
	assert_string_equal(reads.doubt.p[0].file, "code/load.py");
	assert_true(str_is(reads.doubt.p[0].message,
	                   "Cannot statically resolve the table argument of `spark.table(...)` \xe2\x80\x94 the value of "
	                   "`os.environ['EXTRA_TABLE']` is only known at runtime."));
	arena_release(&a);
}

static void a_site_has_its_spans_and_possible_values(void **state)
{
	(void)state;
	struct arena a = { 0 };
	struct py_reads reads;
	struct str text = STR("t = 'a'\nspark.table(t)\nspark.sql(f\"SELECT {x}\")\nspark.table(f())\n"
	                      "spark.read.option('a', 1).table('b')\nspark.catalog.dropTempView('v')\n");
	static const enum py_argument kinds[] = { PY_ARG_STATIC, PY_ARG_FSTRING, PY_ARG_RUNTIME, PY_ARG_LITERAL, PY_ARG_LITERAL };
	static const bool plain[] = { true, true, true, false, true };
	py_reads(&a, text, "f.py", NULL, NULL, &reads);
	assert_int_equal(reads.site.n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(reads.site.p[i].argument, kinds[i]);
		assert_int_equal(reads.site.p[i].plain, plain[i]);
	}
	assert_true(str_is(str_sub(text, reads.site.p[0].at, reads.site.p[0].end), "spark.table(t)"));
	assert_true(str_is(str_sub(text, reads.site.p[0].arg_at, reads.site.p[0].arg_end), "t"));
	assert_true(str_is(reads.site.p[0].value[0], "a"));
	assert_true(reads.site.p[1].sql);
	arena_release(&a);
}

static void values_are_bounded(void **state)
{
	(void)state;
	struct buf b = { 0 };
	buf_adds(&b, "a = 'x'\n");
	for (int i = 0; i < 40; i++)
		buf_adds(&b, "a = a + a\n");
	buf_adds(&b, "spark.table(a)\n");
	struct arena a = { 0 };
	struct py_reads reads;
	py_reads(&a, buf_str(&b), "f.py", NULL, NULL, &reads);
	assert_true(a.total < 64u << 20);
	buf_reset(&b);
	for (int i = 0; i < 190; i++)
		buf_adds(&b, "(");
	buf_adds(&b, "spark.table('a')");
	for (int i = 0; i < 190; i++)
		buf_adds(&b, ")");
	py_reads(&a, buf_str(&b), "f.py", NULL, NULL, &reads);
	assert_int_equal(reads.read.n, 1);
	arena_release(&a);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_of_spark_that_name_a_table_are_reads),
		cmocka_unit_test(values_are_worked_out_without_running),
		cmocka_unit_test(functions_pass_values_in_and_out),
		cmocka_unit_test(parameters_of_yaml_reach_the_entry_function),
		cmocka_unit_test(only_what_the_entry_reaches_counts),
		cmocka_unit_test(imports_of_project_files_are_followed),
		cmocka_unit_test(imports_in_a_circle_end),
		cmocka_unit_test(what_is_imported_twice_is_followed_once),
		cmocka_unit_test(a_doubt_says_what_and_where),
		cmocka_unit_test(a_site_has_its_spans_and_possible_values),
		cmocka_unit_test(values_are_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
