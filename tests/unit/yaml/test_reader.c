/* The reader: what documents come out of which bytes, and where things stand. */
#include "yaml/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena arena;

static int arena_drop(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static struct yaml_file read_text(struct str text)
{
	struct yaml_file f;

	yaml_read(&arena, "a.yaml", text, &f);
	return f;
}

/* Python's repr of the documents, or the fault. */
static const char *shown(struct str text)
{
	struct yaml_file f = read_text(text);
	struct buf b = { 0 };
	const char *s;

	if (f.fault != YAML_GOOD)
		buf_addf(&b, "%s %u:%u", f.fault == YAML_SYNTAX ? "syntax" : f.fault == YAML_NOT_UTF8 ? "bytes" : "value",
		         f.at.line, f.at.col);
	for (size_t i = 0; i < f.n_doc; i++) {
		buf_adds(&b, i != 0 ? " --- " : "");
		buf_add_repr(&b, f.doc[i]);
	}
	s = buf_take(&b, &arena).p;
	buf_release(&b);
	return s;
}

struct row {
	const char *text, *want;
};

#define CHECK_ROWS(rows)                                                                  \
	for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++) {                      \
		const char *got = shown(str_of((rows)[i].text));                          \
		if (strcmp(got, (rows)[i].want) != 0)                                     \
			fail_msg("%s\ngave %s\nwant %s", (rows)[i].text, got, (rows)[i].want); \
	}

static void plain_scalars_are_typed_as_yaml_1_1_says(void **state)
{
	static const struct row rows[] = {
		{ "[yes, Yes, YES, on, true, TRUE]", "[True, True, True, True, True, True]" },
		{ "[no, Off, FALSE, False]", "[False, False, False, False]" },
		{ "[y, n, yEs, oFF, nULL]", "['y', 'n', 'yEs', 'oFF', 'nULL']" },
		{ "- ~\n- null\n- Null\n- NULL\n-\n", "[None, None, None, None, None]" },
		{ "[0755, 0x1F, 0b101, -0x10, +12, 1_000, -0]", "[493, 31, 5, -16, 12, 1000, 0]" },
		{ "[12:30, 190:20:30, -1:30]", "[750, 685230, -90]" },
		{ "[12:75, 089, 0o17, 0x, 0b2, 1e3, 1.0e3, +.5, 1.2.3]",
		  "['12:75', '089', '0o17', '0x', '0b2', '1e3', '1.0e3', '+.5', '1.2.3']" },
		{ "[6., .5, 1_0.5, 1.5e+3, -2.5E-1, 1:30.5]", "[6.0, 0.5, 10.5, 1500.0, -0.25, 90.5]" },
		{ "[.inf, -.INF, +.Inf, .nan, -.nan]", "[inf, -inf, inf, nan, '-.nan']" },
		{ "[123456789012345678901234567890, 0xFFFFFFFFFFFFFFFFFFFF]", "[123456789012345678901234567890, 1208925819614629174706175]" },
		{ "[-9223372036854775808, 9223372036854775808]", "[-9223372036854775808, 9223372036854775808]" },
		{ "[2024-02-29, 2024-2-9, 2024-1-1 1:02:03]", "[datetime.date(2024, 2, 29), '2024-2-9', datetime.datetime(2024, 1, 1, 1, 2, 3)]" },
		{ "- 2024-02-29T10:11:00Z\n- 2024-02-29 10:11:12.5 -1:30",
		  "[datetime.datetime(2024, 2, 29, 10, 11, tzinfo=datetime.timezone.utc), datetime.datetime(2024, 2, 29, 10, 11, 12, 500000, "
		  "tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=81000)))]" },
		{ "['1', \"yes\", 'null']", "['1', 'yes', 'null']" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void tags_overrule_looks(void **state)
{
	static const struct row rows[] = {
		{ "[!!str 12, !!int '12', !!float 1, !!bool 'YES', !!null x, ! 12]", "['12', 12, 1.0, True, None, 12]" },
		{ "[!!seq [1], !!map {a: 1}, !!binary aGVsbG8=, !!pairs [a: 1]]", "[[1], {'a': 1}, \"b'hello'\", [['a', 1]]]" },
		{ "!!set {a, b}", "{'a': None, 'b': None}" },
		{ "!!str [a]", "syntax 1:1" },
		{ "!!seq a", "syntax 1:1" },
		{ "a: !mine x", "syntax 1:4" },
		{ "a: !!int x", "value 1:4" },
		{ "- !!binary a", "syntax 1:3" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void merged_pairs_come_first_and_own_pairs_win(void **state)
{
	static const struct row rows[] = {
		{ "a: &a {x: 1, y: 1}\nc: {q: 0, y: 2, <<: *a}", "{'a': {'x': 1, 'y': 1}, 'c': {'x': 1, 'y': 2, 'q': 0}}" },
		{ "a: &a {xx: 1, y: 1}\nb: &b {z: 9, xx: 2}\nc: {<<: [*a, *b]}",
		  "{'a': {'xx': 1, 'y': 1}, 'b': {'z': 9, 'xx': 2}, 'c': {'xx': 1, 'y': 1, 'z': 9}}" },
		{ "'<<': {a: 1}", "{'<<': {'a': 1}}" },
		{ "<<: 1", "syntax 1:5" },
		{ "<<: [{a: 1}, 2]", "syntax 1:14" },
		{ "a: <<", "syntax 1:4" },
		{ "a: =", "syntax 1:4" },
		{ "=: a", "{'=': 'a'}" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void keys_that_python_takes_for_equal_are_one(void **state)
{
	static const struct row rows[] = {
		{ "{1: a, 1.0: b, true: c}", "{1: 'c'}" },
		{ "{0: a, false: b, '0': c}", "{0: 'b', '0': 'c'}" },
		{ "{.nan: a, .nan: b}", "{nan: 'a', nan: 'b'}" },
		{ "{null: a, ~: b, 2024-01-01: c}", "{None: 'b', datetime.date(2024, 1, 1): 'c'}" },
		{ "? [a]\n: b", "syntax 1:3" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void duplicates_are_reported_but_not_overrides(void **state)
{
	struct yaml_file f = read_text(STR("b: &b {k: 1}\nm:\n  <<: *b\n  k: 2\n  z: 3\n  z: 4\n"));

	(void)state;
	assert_int_equal(f.n_duplicate, 1);
	assert_true(str_is(f.duplicate[0].key, "z"));
	assert_int_equal(f.duplicate[0].first.line, 5);
	assert_int_equal(f.duplicate[0].again.line, 6);
	assert_int_equal(node_path(f.doc[0], "m.z")->integer, 4);
}

static void duplicates_are_found_in_large_maps(void **state)
{
	struct buf b = { 0 };
	struct yaml_file f;

	(void)state;
	for (int i = 0; i < 1000; i++)
		buf_addf(&b, "k%d: %d\n", i, i);
	buf_adds(&b, "k7: again\n");
	f = read_text(buf_str(&b));
	assert_int_equal(node_len(f.doc[0]), 1000);
	assert_int_equal(f.n_duplicate, 1);
	assert_true(str_is(f.doc[0]->map.pair[7].value->text, "again"));
	buf_release(&b);
}

static void aliases_share_their_node(void **state)
{
	struct yaml_file f = read_text(STR("a: &x [1]\nb: *x\n"));

	(void)state;
	assert_ptr_equal(node_get(f.doc[0], "a"), node_get(f.doc[0], "b"));
}

static void every_node_knows_its_place(void **state)
{
	struct yaml_file f = read_text(STR("\xEF\xBB\xBF" "a:\r\n  - \xC3\xA9: {b: x}\r\n"));
	const struct node *item = node_get(f.doc[0], "a")->list.item[0];
	const struct node *x = node_path(item, "\xC3\xA9.b");

	(void)state;
	assert_int_equal(node_get(f.doc[0], "a")->at.line, 2);
	assert_int_equal(node_get(f.doc[0], "a")->at.col, 3);
	assert_int_equal(x->at.line, 2);
	assert_int_equal(x->at.col, 12);
	assert_string_equal(x->at.file, "a.yaml");
}

static void documents_are_split_as_yaml_says(void **state)
{
	static const struct row rows[] = {
		{ "", "" },
		{ "# only a comment\n", "" },
		{ "---\n# c\n...\n---\na\n", "None --- 'a'" },
		{ "&x a\n---\n*x", "syntax 3:1" },
	};

	(void)state;
	CHECK_ROWS(rows);
}

static void faults_say_where(void **state)
{
	static const struct row rows[] = {
		{ "a: 1\n\tb: 2\n", "syntax 2:1" },
		{ "a:\tb", "syntax 1:3" },
		{ "a: b\tc", "syntax 1:5" },
		{ "a: 'b'\t\n", "syntax 1:7" },
		{ "a: b # x\ty\n", "{'a': 'b'}" },
		{ "a: 'x\ty'\n", "{'a': 'x\\ty'}" },
		{ "a: |\n  x\ty\n", "{'a': 'x\\ty\\n'}" },
		{ "a: |\n  \tx\n  y\n", "{'a': '\\tx\\ny\\n'}" },
		{ "a: %{x}", "syntax 1:4" },
		{ "a: ${x}", "{'a': '${x}'}" },
		{ "a: {n: ${x}}", "syntax 1:9" },
		{ "a: {n: \"${x}\"}", "{'a': {'n': '${x}'}}" },
		{ "{a:, b: 1}", "{'a': None, 'b': 1}" },
		{ "[a?b]", "syntax 1:2" },
		{ "a: b: c", "syntax 1:5" },
		{ "a: 'open", "syntax 1:9" },
		{ "a: *x", "syntax 1:4" },
		{ "a: &x [*x]", "syntax 1:8" },
		{ "a: &x 1\nb: &x 2", "syntax 2:4" },
		{ "a: 2024-02-31\nb: 1", "value 1:4" },
		{ "a: 2024-02-31\nb: {", "syntax 2:5" },
		{ "a: 2024-01-01 24:00:00", "value 1:4" },
		{ "x\n  \xFF", "bytes 2:3" },
	};

	(void)state;
	CHECK_ROWS(rows);
	assert_string_equal(shown(STR("a: x\0y")), "syntax 1:5");
}

static void places_behind_a_repaired_text_stay_true(void **state)
{
	struct yaml_file f = read_text(STR("{a:, b:, c: x}"));

	(void)state;
	assert_int_equal(node_get(f.doc[0], "c")->at.col, 13);
}

static void bombs_cost_nothing(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_adds(&b, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 12; i++) {
		buf_addf(&b, "a%d: &a%d [", i, i);
		for (int k = 0; k < 10; k++)
			buf_addf(&b, "%s*a%d", k != 0 ? ", " : "", i - 1);
		buf_adds(&b, "]\n");
	}
	assert_int_equal(read_text(buf_str(&b)).fault, YAML_SYNTAX);
	buf_reset(&b);
	buf_add_repeat(&b, '[', 100000);
	assert_int_equal(read_text(buf_str(&b)).fault, YAML_SYNTAX);
	buf_reset(&b);
	buf_adds(&b, "a: ");
	buf_add_repeat(&b, '9', 4301);
	assert_int_equal(read_text(buf_str(&b)).fault, YAML_BAD_VALUE);
	buf_release(&b);
}

static void texts_that_stand_in_the_file_are_borrowed_from_it(void **state)
{
	static const struct {
		const char *text, *want;
		bool borrowed;
	} rows[] = {
		{ "k: plain text # why", "plain text", true },
		{ "k: 'it is quoted'", "it is quoted", true },
		{ "k: \"it is quoted\"", "it is quoted", true },
		{ "\xEF\xBB\xBFk: behind a mark", "behind a mark", true },
		{ "k: before\r\n", "before", true },
		{ "k: ''", "", true },
		{ "k: 'it''s'", "it's", false },
		{ "k: \"a\\tb\"", "a\tb", false },
		{ "k: two\n  lines", "two lines", false },
		{ "k: 'two\r\n  lines'", "two lines", false },
		{ "k: |\n  two\n  lines\n", "two\nlines\n", false },
		{ "k: >\n  two\n  lines\n", "two lines\n", false },
		{ "k: &name anchored", "anchored", false },
		{ "k: !!str tagged", "tagged", false },
		{ "# \xC3\xBC\nk: further back", "further back", false },
		{ "# \xC3\xBC\nk: \xC3\xBC\xC3\xBC", "\xC3\xBC\xC3\xBC", false },
		{ "{a:, k: repaired}", "repaired", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct yaml_file f = read_text(str_of(rows[i].text));
		struct str got = node_get_text(f.doc[0], "k");

		if (!str_is(got, rows[i].want) || (got.p >= rows[i].text && got.p < rows[i].text + strlen(rows[i].text)) != rows[i].borrowed)
			fail_msg("%s\ngave %.*s", rows[i].text, STR_ARG(got));
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, arena_drop)
	const struct CMUnitTest tests[] = {
		TEST(plain_scalars_are_typed_as_yaml_1_1_says),
		TEST(tags_overrule_looks),
		TEST(merged_pairs_come_first_and_own_pairs_win),
		TEST(keys_that_python_takes_for_equal_are_one),
		TEST(duplicates_are_reported_but_not_overrides),
		TEST(duplicates_are_found_in_large_maps),
		TEST(aliases_share_their_node),
		TEST(every_node_knows_its_place),
		TEST(documents_are_split_as_yaml_says),
		TEST(faults_say_where),
		TEST(places_behind_a_repaired_text_stay_true),
		TEST(bombs_cost_nothing),
		TEST(texts_that_stand_in_the_file_are_borrowed_from_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
