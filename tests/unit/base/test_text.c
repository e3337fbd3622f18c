/* Texts, paths, patterns, maps and findings. */
#include "base/diag.h"
#include "base/glob.h"
#include "base/map.h"
#include "base/path.h"
#include "base/pool.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void path_normal_never_leaves_the_root(void **state)
{
	static const struct {
		const char *path, *want; /* NULL: refused */
	} rows[] = {
		{ "a/b", "a/b" },   { "./a//b/", "a/b" }, { "a/../b", "b" }, { "a/..", "" },      { "", "" },
		{ "../x", NULL },   { "a/../../x", NULL }, { "/a", NULL },    { "a/./../..", NULL }, { "a\\b", "a\\b" },
		{ "..a/b", "..a/b" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str out;

		assert_int_equal(path_normal(&a, str_of(rows[i].path), &out), rows[i].want != NULL);
		assert_true(str_is(out, rows[i].want != NULL ? rows[i].want : rows[i].path));
	}
	arena_release(&a);
}

static void formatted_texts_go_on_behind_a_nul(void **state)
{
	struct buf b = { 0 };
	struct arena a = { 0 };

	(void)state;
	assert_true(str_eq(str_fmt(&a, "%.*s.%s", STR_ARG(STR("\0x\0")), "y"), STR("\0x\0.y")));
	arena_release(&a);
	buf_addf(&b, "<%.*s> %s %d%% %5.1f %zu %td %lld %02x %*d|%-4u|%c", STR_ARG(STR("a\0b")), "c", -7, 0.25, (size_t)8, (ptrdiff_t)-9,
	         1LL << 40, 0xabu, 4, 12, 3u, 'z');
	assert_true(str_eq(buf_str(&b), STR("<a\0b> c -7%   0.2 8 -9 1099511627776 ab   12|3   |z")));
	buf_release(&b);
}

static void white_space_of_every_script_is_trimmed(void **state)
{
	(void)state;
	assert_true(str_is(utf8_trim(STR("\x1f\xc2\xa0 a\xe2\x80\x87 b\xe3\x80\x80\xe2\x80\xa8\n")), "a\xe2\x80\x87 b"));
	assert_true(str_is(utf8_trim(STR("\xe2\x80\x8b")), "\xe2\x80\x8b")); /* no width, no space */
	assert_true(utf8_blank(STR("\xc2\x85\xe1\x9a\x80")));
}

static void paths_are_taken_apart(void **state)
{
	(void)state;
	assert_true(str_is(path_parent(STR("a/b/c")), "a/b"));
	assert_true(str_is(path_parent(STR("c")), ""));
	assert_true(str_is(path_stem(STR("a/b.tar.gz")), "b.tar"));
	assert_true(str_is(path_ext(STR("a/.x")), ""));
	assert_true(path_is_below(STR("a/b"), STR("a")) && !path_is_below(STR("ab"), STR("a")));
	assert_true(path_cmp(STR("a/x"), STR("a-b/x")) < 0 && path_cmp(STR("a-b/x"), STR("a.yaml")) < 0);
}

static void patterns_match_as_shells_do_over_slashes(void **state)
{
	static const struct {
		const char *text, *pattern;
		bool want;
	} rows[] = {
		{ "a/b/c.yaml", "*.yaml", true }, { "a/b", "a?b", true },   { "x", "[abx-z]", true }, { "x", "[!x]", false },
		{ "]", "[]]", true },             { "-", "[a-]", true },    { "[a", "[a", true },     { "", "*", true },
		{ "\xC3\xA9", "?", true },        { "A", "a", false },      { "abab", "*ab", true },  { "ab", "a", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(glob_match(str_of(rows[i].text), str_of(rows[i].pattern)), rows[i].want);
}

static void malformed_utf8_is_found(void **state)
{
	(void)state;
	assert_int_equal(utf8_invalid(STR("a\xC3\xA9\xF0\x9F\x98\x80")), -1);
	assert_int_equal(utf8_invalid(STR("ab\xFF")), 2);
	assert_int_equal(utf8_invalid(STR("\xC0\x80")), 0);     /* overlong */
	assert_int_equal(utf8_invalid(STR("\xED\xA0\x80")), 0); /* surrogate */
	assert_int_equal(utf8_invalid(STR("\xF4\x90\x80\x80")), 0);
	assert_int_equal(utf8_invalid(STR("\xC3")), 0);
	assert_int_equal(utf8_len(STR("\xC3\xA9x")), 2);
}

static void texts_are_cut_and_replaced(void **state)
{
	struct arena a = { 0 };
	struct str rest = STR("a,,b"), part;
	size_t n = 0;

	(void)state;
	while (str_cut(&rest, ',', &part))
		n++;
	assert_int_equal(n, 3);
	assert_true(str_is(str_replace(&a, STR("aXbX"), STR("X"), STR("yy")), "ayybyy"));
	assert_true(str_is(str_trim(STR(" \t x \n")), "x"));
	assert_int_equal(str_find(STR("abc"), STR("c"), 3), -1);
	assert_true(str_is(str_sub(STR("abc"), 2, 99), "c"));
	assert_true(str_cmp(STR("a"), STR("ab")) < 0 && str_cmp(STR("b"), STR("ab")) > 0);
	arena_release(&a);
}

static void maps_keep_the_order_of_insertion(void **state)
{
	struct arena a = { 0 };
	struct map m = { 0 };
	uint32_t *order;

	(void)state;
	for (int i = 999; i >= 0; i--)
		assert_true(map_add(&m, &a, str_fmt(&a, "k%03d", i)));
	assert_false(map_add(&m, &a, STR("k500")));
	assert_int_equal(m.n, 1000);
	assert_true(str_is(m.entry[0].key, "k999"));
	order = map_sorted(&m, &a);
	assert_true(str_is(m.entry[order[0]].key, "k000"));
	assert_null(map_find(&m, STR("none")));
	arena_release(&a);
}

static void arenas_give_zeroed_memory_again_after_a_reset(void **state)
{
	struct arena a = { 0 };
	char *p = arena_alloc(&a, 100);

	(void)state;
	memset(p, 'x', 100);
	arena_alloc(&a, 1 << 20);
	arena_reset(&a);
	p = arena_alloc(&a, 100);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(p[i], 0);
	assert_int_equal((uintptr_t)p % 16, 0);
	arena_release(&a);
	arena_release(&a);
}

static void findings_sort_by_place_and_stay_in_order(void **state)
{
	static const struct rule rule = { "r", "LHP-VAL-007", SEV_ERROR, "Title" };
	struct arena a = { 0 };
	struct diags ds = { .arena = &a };

	(void)state;
	diag_add(&ds, &rule, (struct mark){ "b", 1, 1 }, "third");
	diag_add(&ds, &rule, (struct mark){ "a", 2, 1 }, "first");
	diag_add(&ds, &rule, (struct mark){ "a", 2, 1 }, "second");
	diags_sort(&ds);
	assert_true(str_is(ds.p[0].detail, "first") && str_is(ds.p[1].detail, "second") && str_is(ds.p[2].detail, "third"));
	arena_release(&a);
}

static void item_count(void *ctx, size_t item, size_t worker)
{
	(void)worker;
	atomic_fetch_add(&((atomic_uint *)ctx)[item], 1);
}

static void every_item_is_worked_on_once(void **state)
{
	atomic_uint seen[100] = { 0 };

	(void)state;
	pool_run(4, 100, item_count, seen);
	pool_run(4, 0, item_count, seen);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(seen[i], 1);
	assert_true(pool_default_workers() >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_normal_never_leaves_the_root),
		cmocka_unit_test(formatted_texts_go_on_behind_a_nul),
		cmocka_unit_test(white_space_of_every_script_is_trimmed),
		cmocka_unit_test(paths_are_taken_apart),
		cmocka_unit_test(patterns_match_as_shells_do_over_slashes),
		cmocka_unit_test(malformed_utf8_is_found),
		cmocka_unit_test(texts_are_cut_and_replaced),
		cmocka_unit_test(maps_keep_the_order_of_insertion),
		cmocka_unit_test(arenas_give_zeroed_memory_again_after_a_reset),
		cmocka_unit_test(findings_sort_by_place_and_stay_in_order),
		cmocka_unit_test(every_item_is_worked_on_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
