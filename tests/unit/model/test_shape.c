#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/shape.h"
#include "yaml/reader.h"

static const struct field inner_fields[] = { { "x", FIELD_TEXT | FIELD_REQUIRED } };
static const struct entity inner = { "inner", "", NULL, NULL, inner_fields, 1 };

static const struct field fields[] = {
	{ "text", FIELD_TEXT, 0, 0, "", "\"1.0\"" },
	{ "needed", FIELD_TEXT | FIELD_REQUIRED | FIELD_NOT_NULL },
	{ "strict", FIELD_BOOL },
	{ "flag", FIELD_BOOL | FIELD_LOOSE, 0, 0, "", "true" },
	{ "count", FIELD_INT | FIELD_LOOSE, 0, 0, "", "7" },
	{ "texts", FIELD_TEXTS },
	{ "filled", FIELD_TEXTS | FIELD_FILLED },
	{ "maps", FIELD_MAPS },
	{ "inners", FIELD_MAPS, 0, 0, "", NULL, NULL, &inner },
	{ "mixed", FIELD_TEXT | FIELD_MIXED | FIELD_TEXT_KEYS },
	{ "textmap", FIELD_TEXT_MAP },
	{ "list", FIELD_LIST },
	{ "word", FIELD_TEXT | FIELD_WORD, 0, 0, "", NULL, "red green blue" },
	{ "open", FIELD_TEXT, 0, 0, "", NULL, "red green blue" },
	{ "elsewhere", FIELD_INT | FIELD_CHECKED },
	{ "any", FIELD_ANY },
};
static const struct entity sample = { "sample", "", NULL, NULL, fields, sizeof fields / sizeof *fields };

static const struct node *map_of(struct arena *a, const char *text)
{
	struct yaml_file y;

	assert_int_equal(yaml_read(a, "t.yaml", str_of(text), &y), YAML_GOOD);
	return y.doc[0];
}

static void the_first_misfit_is_told_with_its_part(void **state)
{
	static const struct {
		const char *text, *problem; /* "" fits */
	} rows[] = {
		{ "{needed: a}", "" },
		{ "{}", "the key 'needed' is missing" },
		{ "{needed: }", "'needed' must be a text; it is null" },
		{ "{needed: a, 1: x, unknown: y}", "" },
		{ "{needed: a, text: }", "" },
		{ "{needed: a, text: 5}", "'text' must be a text; it is an integer" },
		{ "{needed: a, text: 5, strict: 5}", "'text' must be a text; it is an integer" },
		{ "{needed: a, strict: 'yes'}", "'strict' must be true or false; it is a text" },
		{ "{needed: a, flag: 'Yes'}", "" },
		{ "{needed: a, flag: 0}", "" },
		{ "{needed: a, flag: 1.0}", "" },
		{ "{needed: a, flag: 2}", "'flag' must be true or false; it is an integer" },
		{ "{needed: a, count: ' -7 '}", "" },
		{ "{needed: a, count: 7.0}", "" },
		{ "{needed: a, count: true}", "" },
		{ "{needed: a, count: 7.5}", "'count' must be an integer; it is a number" },
		{ "{needed: a, count: .inf}", "'count' must be an integer; it is a number" },
		{ "{needed: a, count: '-'}", "'count' must be an integer; it is a text" },
		{ "{needed: a, texts: [a, 5]}", "'texts' must be a list of text; a part of it is 5" },
		{ "{needed: a, texts: a}", "'texts' must be a list of text; it is a text" },
		{ "{needed: a, texts: []}", "" },
		{ "{needed: a, filled: []}", "'filled' is empty" },
		{ "{needed: a, maps: [{a: b}, {5: b}]}", "'maps' must be a list of mappings; a part of it is {5: 'b'}" },
		{ "{needed: a, inners: [{a: b}, {5: b}]}", "" },
		{ "{needed: a, inners: [a]}", "'inners' must be a list of mappings; a part of it is 'a'" },
		{ "{needed: a, mixed: [a, {b: c}]}", "" },
		{ "{needed: a, mixed: {on: c}}",
		  "'mixed' must be a text or a list of text or mappings or a mapping with text keys; a part of it is True" },
		{ "{needed: a, textmap: {a: 1}}", "'textmap' must be a mapping from text to text; a part of it is 1" },
		{ "{needed: a, list: [1, {a: b}, []]}", "" },
		{ "{needed: a, list: {}}", "'list' must be a list; it is a mapping" },
		{ "{needed: a, word: green}", "" },
		{ "{needed: a, word: grean}", "'word' must be red, green or blue; it is 'grean'" },
		{ "{needed: a, word: 5}", "'word' must be a text; it is an integer" },
		{ "{needed: a, open: grean}", "" },
		{ "{needed: a, elsewhere: text}", "" },
		{ "{needed: a, any: {5: 6}}", "" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *problem = document_misfit(&a, &sample, map_of(&a, rows[i].text));

		if (strcmp(problem != NULL ? problem : "", rows[i].problem) != 0)
			fail_msg("%s: \"%s\", not \"%s\"", rows[i].text, problem, rows[i].problem);
	}
	assert_string_equal(document_misfit(&a, &sample, map_of(&a, "[a]")), "it must hold a mapping, not a list");
	arena_release(&a);
}

static void a_hint_says_what_to_write(void **state)
{
	static const struct {
		const char *text, *hint;
	} rows[] = {
		{ "{}", "add needed: …" },
		{ "{needed: 2024}", "put it in quotes to make it a text: \"2024\"" },
		{ "{needed: a, texts: b}", "write a list: [b]" },
		{ "{needed: a, texts: [5]}", "put it in quotes to make it a text: \"5\"" },
		{ "{needed: a, word: grean}", "did you mean 'green'?" },
		{ "{needed: a, list: {}}", "" },
	};
	struct arena a = { 0 };
	struct misfit m;

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_false(entity_fits(&sample, map_of(&a, rows[i].text), &m));
		if (!str_is(misfit_hint(&a, &m), rows[i].hint))
			fail_msg("%s: \"%.*s\"", rows[i].text, STR_ARG(misfit_hint(&a, &m)));
	}
	arena_release(&a);
}

static void defaults_come_from_the_table(void **state)
{
	struct arena a = { 0 };
	const struct node *given = map_of(&a, "{text: b, flag: 'no', count: 3}"), *null = map_of(&a, "{text: , flag: }");

	(void)state;
	assert_true(str_is(entity_text(&sample, NULL, "text"), "1.0"));
	assert_true(str_is(entity_text(&sample, null, "text"), "1.0"));
	assert_true(str_is(entity_text(&sample, given, "text"), "b"));
	assert_true(str_is(entity_text(&sample, given, "needed"), ""));
	assert_true(entity_truth(&sample, null, "flag"));
	assert_false(entity_truth(&sample, given, "flag"));
	assert_false(entity_truth(&sample, NULL, "strict"));
	assert_int_equal(entity_int(&sample, NULL, "count"), 7);
	assert_int_equal(entity_int(&sample, given, "count"), 3);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_misfit_is_told_with_its_part),
		cmocka_unit_test(a_hint_says_what_to_write),
		cmocka_unit_test(defaults_come_from_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
