#include "emit/lines.h"
#include "emit/emit.h"
#include "emit/pytext.h"
#include "yaml/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct row {
	struct str text;
	const char *expected;
};

static void check_rows(const struct row *row, size_t n, void (*write)(struct buf *b, struct str s))
{
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		buf_reset(&b);
		write(&b, row[i].text);
		buf_addc(&b, '\0');
		assert_string_equal(b.p, row[i].expected);
	}
	buf_release(&b);
}

#define CHECK(rows, write) check_rows(rows, sizeof(rows) / sizeof((rows)[0]), write)

static void a_text_keeps_all_but_what_would_end_it_or_its_line(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT(""), "\"\"" },
		{ STR_INIT("plain 'single' {braces} \t tab"), "\"plain 'single' {braces} \t tab\"" },
		{ STR_INIT("say \"x\" \\ y\\"), "\"say \\\"x\\\" \\\\ y\\\\\"" },
		{ STR_INIT("a\nb\rc\0d"), "\"a\\nb\\rc\\x00d\"" },
		{ STR_INIT("\x0b\x0c\x1c\x1d\x1e\x1f\x7f"), "\"\\x0b\\x0c\\x1c\\x1d\\x1e\x1f\x7f\"" },
		{ STR_INIT("\xc2\x85\xe2\x80\xa8\xe2\x80\xa9"), "\"\\x85\\u2028\\u2029\"" },
		{ STR_INIT("\xc3\xbc \xf0\x9f\x9a\xa2"), "\"\xc3\xbc \xf0\x9f\x9a\xa2\"" },
		{ STR_INIT("\"\"\""), "\"\\\"\\\"\\\"\"" },
	};

	(void)state;
	CHECK(ROWS, py_text);
}

static void a_single_quoted_text_escapes_the_other_quote(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT("_at"), "'_at'" },
		{ STR_INIT("it's \"x\"\n"), "'it\\'s \"x\"\\n'" },
	};

	(void)state;
	CHECK(ROWS, py_text_single);
}

static void a_block_escapes_every_third_quote_of_a_run_and_the_last_one(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT("SELECT 1\n  \\n"), "\"\"\"SELECT 1\n  \\\\n\"\"\"" },
		{ STR_INIT("\"a\""), "\"\"\"\"a\\\"\"\"\"" },
		{ STR_INIT("a\"\"b"), "\"\"\"a\"\"b\"\"\"" },
		{ STR_INIT("a\"\"\"b"), "\"\"\"a\"\"\\\"b\"\"\"" },
		{ STR_INIT("\"\"\"\"\"\"\"b"), "\"\"\"\"\"\\\"\"\"\\\"\"b\"\"\"" },
		{ STR_INIT("a\"\"\"\"\"\"\""), "\"\"\"a\\\"\"\"\\\"\"\"\\\"\"\"\"" },
		{ STR_INIT("a\"\"\n"), "\"\"\"a\"\"\n\"\"\"" },
		{ STR_INIT("a\r\n\0"), "\"\"\"a\\r\n\\x00\"\"\"" },
		{ STR_INIT("\\\""), "\"\"\"\\\\\\\"\"\"\"" },
	};

	(void)state;
	CHECK(ROWS, py_block);
}

static void data_is_spelled_as_json_with_python_s_constants(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT("[a, 1, 0.5, 1.0e+16, true, null, -7]"), "[\"a\", 1, 0.5, 1e+16, True, None, -7]" },
		{ STR_INIT("{b: {c: []}, a: {}}"), "{\"b\": {\"c\": []}, \"a\": {}}" },
		{ STR_INIT("{2: x, true: y, null: z, 1.5: w, .inf: v}"),
		  "{\"2\": \"x\", \"true\": \"y\", \"null\": \"z\", \"1.5\": \"w\", \"Infinity\": \"v\"}" },
		{ STR_INIT("[.inf, -.inf, .nan]"), "[float(\"inf\"), float(\"-inf\"), float(\"nan\")]" },
		{ STR_INIT("\"\\xfc \\u2028 \\U0001F6A2 \\t\\b\\f\\n\\r\\0\\x1f\\x7f / \\\\ \\\"\""),
		  "\"\\u00fc \\u2028 \\U0001f6a2 \\t\\b\\f\\n\\r\\u0000\\u001f\\u007f / \\\\ \\\"\"" },
	};
	struct arena a = { 0 };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
		struct yaml_file y;

		assert_int_equal(yaml_read(&a, "x", ROWS[i].text, &y), YAML_GOOD);
		buf_reset(&b);
		assert_null(py_data(&b, y.doc[0]));
		buf_addc(&b, '\0');
		assert_string_equal(b.p, ROWS[i].expected);
	}
	buf_release(&b);
	arena_release(&a);
}

static void data_with_a_date_is_refused_and_leaves_nothing(void **state)
{
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct yaml_file y;
	const struct node *bad;

	(void)state;
	buf_adds(&b, "x = ");
	assert_int_equal(yaml_read(&a, "x", STR("a: [1, 2024-02-29]"), &y), YAML_GOOD);
	bad = py_data(&b, y.doc[0]);
	assert_non_null(bad);
	assert_int_equal(bad->at.col, 8);
	assert_int_equal(b.n, 4);
	buf_release(&b);
	arena_release(&a);
}

static void an_option_s_value_keeps_its_type_or_is_text(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT("true"), "True" },
		{ STR_INIT("0x10"), "16" },
		{ STR_INIT("0.5"), "0.5" },
		{ STR_INIT("-.inf"), "float(\"-inf\")" },
		{ STR_INIT("'5'"), "\"5\"" },
		{ STR_INIT("null"), "\"None\"" },
		{ STR_INIT("[1, x]"), "\"[1, 'x']\"" },
		{ STR_INIT("{d: 1}"), "\"{'d': 1}\"" },
		{ STR_INIT("2030-01-02"), "\"2030-01-02\"" },
	};
	struct arena a = { 0 };
	struct buf b = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
		struct yaml_file y;

		assert_int_equal(yaml_read(&a, "x", ROWS[i].text, &y), YAML_GOOD);
		buf_reset(&b);
		py_option_value(&b, &a, y.doc[0]);
		buf_addc(&b, '\0');
		assert_string_equal(b.p, ROWS[i].expected);
	}
	buf_release(&b);
	arena_release(&a);
}

static void a_secret_is_a_call_and_inside_a_text_an_f_string(void **state)
{
	static const struct row TEXTS[] = {
		{ STR_INIT("${secret:s/k}"), "dbutils.secrets.get(scope='s', key='k')" },
		{ STR_INIT("a ${secret:s/k} b"), "f\"a {dbutils.secrets.get(scope='s', key='k')} b\"" },
		{ STR_INIT("${secret:a_b/c}${secret:a/b_c}"),
		  "f\"{dbutils.secrets.get(scope='a_b', key='c')}{dbutils.secrets.get(scope='a', key='b_c')}\"" },
		{ STR_INIT("{\"a\": ${secret:s/k}}"), "f\"{{\\\"a\\\": {dbutils.secrets.get(scope='s', key='k')}}}\"" },
		{ STR_INIT("it's ${secret:s/k}"), "f\"it's {dbutils.secrets.get(scope='s', key='k')}\"" },
		{ STR_INIT("'${secret:s/k}'"), "f\"'{dbutils.secrets.get(scope=\"s\", key=\"k\")}'\"" },
		{ STR_INIT("'\"${secret:s/k}'"), "f\"'\\\"{dbutils.secrets.get(scope='s', key='k')}'\"" },
	};
	static const struct row BLOCKS[] = {
		{ STR_INIT("${secret:s/k}"), "dbutils.secrets.get(scope='s', key='k')" },
		{ STR_INIT("SELECT ${secret:s/k}"), "\"\"f\"SELECT {dbutils.secrets.get(scope='s', key='k')}\"\"\"" },
		{ STR_INIT("SELECT {x}\n${secret:s/k}"), "f\"\"\"SELECT {{x}}\n{dbutils.secrets.get(scope='s', key='k')}\"\"\"" },
		{ STR_INIT("\"${secret:s/k}\""), "f\"\"\"\"{dbutils.secrets.get(scope='s', key='k')}\\\"\"\"\"" },
	};
	static const struct row DATA[] = {
		{ STR_INIT("\xc3\xbc{} ${secret:s/k}"), "f\"\\u00fc{{}} {dbutils.secrets.get(scope='s', key='k')}\"" },
	};
	static const struct row DOCS[] = {
		{ STR_INIT("at ${secret:s/k}"), "\"\"f\"at {dbutils.secrets.get(scope='s', key='k')}\"\"\"" },
		{ STR_INIT("at\n${secret:s/k}"), "\"\"\"at\n${secret:s/k}\"\"\"" },
	};

	(void)state;
	CHECK(TEXTS, py_text);
	CHECK(BLOCKS, py_block);
	CHECK(DATA, py_data_text);
	CHECK(DOCS, py_doc);
}

static void no_line_of_a_comment_becomes_code(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT("one line"), "# one line" },
		{ STR_INIT("a\nb\n\n  # c\n\td"), "# a\n# b\n\n  # c\n# \td" },
		{ STR_INIT("a\rb\xe2\x80\xa8" "c\x0c" "d"), "# a\n# b\n# c\n# d" },
		{ STR_INIT("a\n"), "# a\n" },
		{ STR_INIT("\0a\0"), "# \\x00a\\x00" },
		{ STR_INIT(""), "# " },
		{ STR_INIT("with ${secret:s/k}"), "# with __SECRET_s_k__" },
	};

	(void)state;
	CHECK(ROWS, py_comment);
}

static void names_lose_what_python_does_not_take(void **state)
{
	struct arena a = { 0 };

	(void)state;
	assert_true(str_is(py_identifier(&a, STR("my-out.x y")), "my_out_x_y"));
	assert_true(str_is(py_identifier(&a, STR("2fast")), "_2fast"));
	assert_true(str_is(py_identifier(&a, STR("\xc3\xbc" "ber")), "\xc3\xbc" "ber"));
	assert_true(str_is(py_word(&a, STR("2\xc3\xbc.x")), "2__x"));
	assert_true(py_is_name(STR("_a1")));
	assert_true(py_is_name(STR("\xc3\xbc")));
	assert_false(py_is_name(STR("1a")));
	assert_false(py_is_name(STR("a.b")));
	assert_false(py_is_name(STR("class")));
	assert_false(py_is_name(STR("")));
	arena_release(&a);
}

static void normal_text_has_trimmed_lines_and_one_kind_of_line_end(void **state)
{
	static const struct row ROWS[] = {
		{ STR_INIT("a  \r\nb\t\rc\xc2\xa0\xe2\x80\xa8 d\xe3\x80\x80"), "a\nb\nc\n d\n" },
		{ STR_INIT(""), "" },
		{ STR_INIT("a"), "a\n" },
		{ STR_INIT("a\n"), "a\n" },
		{ STR_INIT("\n\na\x0b" "b"), "\n\na\nb\n" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++)
		assert_string_equal(text_normalise(&a, ROWS[i].text).p, ROWS[i].expected);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_keeps_all_but_what_would_end_it_or_its_line),
		cmocka_unit_test(a_single_quoted_text_escapes_the_other_quote),
		cmocka_unit_test(a_block_escapes_every_third_quote_of_a_run_and_the_last_one),
		cmocka_unit_test(data_is_spelled_as_json_with_python_s_constants),
		cmocka_unit_test(data_with_a_date_is_refused_and_leaves_nothing),
		cmocka_unit_test(an_option_s_value_keeps_its_type_or_is_text),
		cmocka_unit_test(a_secret_is_a_call_and_inside_a_text_an_f_string),
		cmocka_unit_test(no_line_of_a_comment_becomes_code),
		cmocka_unit_test(names_lose_what_python_does_not_take),
		cmocka_unit_test(normal_text_has_trimmed_lines_and_one_kind_of_line_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
