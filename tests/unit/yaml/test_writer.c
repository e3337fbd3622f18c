/* The writer: byte for byte what PyYAML's safe_dump writes. */
#include "yaml/reader.h"
#include "yaml/writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void check(const char *text, const char *want)
{
	struct arena a = { 0 };
	struct yaml_file f;
	struct buf b = { 0 };

	assert_int_equal(yaml_read(&a, "a.yaml", str_of(text), &f), YAML_GOOD);
	yaml_dump(&b, f.doc[0]);
	buf_addc(&b, '\0');
	assert_string_equal(b.p, want);
	buf_release(&b);
	arena_release(&a);
}

static void collections_are_blocks_and_lists_stand_below_their_key(void **state)
{
	(void)state;
	check("{a: {b: [1, {c: d, e: f}, [2, [3]]], g: [], h: {}}}",
	      "a:\n  b:\n  - 1\n  - c: d\n    e: f\n  - - 2\n    - - 3\n  g: []\n  h: {}");
}

static void scalars_are_written_as_python_spells_them(void **state)
{
	(void)state;
	check("[null, yes, 0x1f, 014, 1.5, 1.0e+20, 1.5e-7, .inf, -.inf, .nan, 2024-01-01, 2024-01-01 10:20:30Z]",
	      "- null\n- true\n- 31\n- 12\n- 1.5\n- 1.0e+20\n- 1.5e-07\n- .inf\n- -.inf\n- .nan\n- 2024-01-01\n"
	      "- 2024-01-01 10:20:30+00:00");
}

static void texts_are_quoted_only_where_they_must(void **state)
{
	(void)state;
	check("['', 'yes', '1', '0o17', '1e3', '=', '2024-01-01', 'a: b', 'a #b', 'a#b', '-', '-x', ' x', 'x ', '[x', 'x]', 'it''s', '''q']",
	      "- ''\n- 'yes'\n- '1'\n- 0o17\n- 1e3\n- '='\n- '2024-01-01'\n- 'a: b'\n- 'a #b'\n- a#b\n- '-'\n- -x\n- ' x'\n- 'x '\n"
	      "- '[x'\n- x]\n- it's\n- '''q'");
}

static void control_and_non_ascii_characters_are_escaped(void **state)
{
	(void)state;
	check("\"\\t\\0\\xE9\\u20AC\\U0001F600\\\\ \\\"\"", "\"\\t\\0\\xE9\\u20AC\\U0001F600\\\\ \\\"\"");
}

static void breaks_become_empty_lines_in_quotes(void **state)
{
	(void)state;
	check("{k: \"a\\nb\\n\"}", "k: 'a\n\n  b\n\n  '");
}

static void long_texts_fold_at_single_blanks(void **state)
{
	(void)state;
	check("k: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cc dd",
	      "k: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  cc dd");
}

static void keys_that_are_empty_or_broken_get_a_question_mark(void **state)
{
	(void)state;
	check("{'': 1, \"a\\nb\": [2]}", "? ''\n: 1\n? 'a\n\n  b'\n: - 2");
}

static void indentation_skips_the_first_and_empty_lines(void **state)
{
	struct arena a = { 0 };
	struct yaml_file f;
	struct buf b = { 0 };

	(void)state;
	yaml_read(&a, "a.yaml", STR("a: \"x\\ny\"\nb: 1"), &f);
	yaml_dump_indented(&b, f.doc[0], 6);
	buf_addc(&b, '\0');
	assert_string_equal(b.p, "a: 'x\n\n        y'\n      b: 1");
	buf_release(&b);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collections_are_blocks_and_lists_stand_below_their_key),
		cmocka_unit_test(scalars_are_written_as_python_spells_them),
		cmocka_unit_test(texts_are_quoted_only_where_they_must),
		cmocka_unit_test(control_and_non_ascii_characters_are_escaped),
		cmocka_unit_test(breaks_become_empty_lines_in_quotes),
		cmocka_unit_test(long_texts_fold_at_single_blanks),
		cmocka_unit_test(keys_that_are_empty_or_broken_get_a_question_mark),
		cmocka_unit_test(indentation_skips_the_first_and_empty_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
