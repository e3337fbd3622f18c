/*
 * test_expr.h - tables of templates and what they print, over one map of parameters.
 *
 * The expected texts are those of Jinja 3.1 with its default environment.
 */
#ifndef LHP_TESTS_RESOLVE_TEST_EXPR_H
#define LHP_TESTS_RESOLVE_TEST_EXPR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "resolve/expr.h"
#include "yaml/reader.h"

struct expr_case {
	const char *text, *want;
};

static const char parameters[] =
    "n: 5\n"
    "f: 2.5\n"
    "yes_: true\n"
    "nothing: null\n"
    "word: Gas Meter\n"
    "quote: \"it's <b> & \\\"q\\\"\"\n"
    "street: \"Straße Öl\"\n"
    "lines: \"one\\n\\ntwo\\n\"\n"
    "cols: [id, name, kwh]\n"
    "nums: [3, 1, 2]\n"
    "mixed: [1, a, null, 2.5, true]\n"
    "conf: {site: north, depth: 2, items: 9}\n"
    "rows: [{a: 2, b: y}, {a: 1, b: X}, {a: 2, b: z}]\n"
    "day: 2024-02-29\n"
    "at: 2024-02-29 10:11:12\n"
    "none_: []\n";

/* Renders with the parameters above. 0 or -1, as expr_render. */
static inline int render(struct arena *a, struct str text, bool strict, struct str *out, struct expr_error *error)
{
	struct yaml_file file = { 0 };

	assert_int_equal(yaml_read(a, "parameters", str_of(parameters), &file), YAML_GOOD);
	return expr_render(a, text, file.doc[0], strict, out, error);
}

/* Every row of a table prints what it should. `expression`: the rows stand between "{{" and "}}". */
static inline void table_check(const struct expr_case *row, size_t n, bool expression)
{
	for (size_t i = 0; i < n; i++) {
		struct arena a = { 0 };
		struct str text = expression ? str_fmt(&a, "{{ %s }}", row[i].text) : str_of(row[i].text), out;
		struct expr_error error;

		if (render(&a, text, false, &out, &error) < 0)
			fail_msg("%s: %.*s", row[i].text, STR_ARG(error.problem));
		if (!str_is(out, row[i].want))
			fail_msg("%s\nprints  %.*s\ninstead %s", row[i].text, STR_ARG(out), row[i].want);
		arena_release(&a);
	}
}

#define EXPRESSIONS(table) table_check(table, sizeof table / sizeof *table, true)
#define TEMPLATES(table) table_check(table, sizeof table / sizeof *table, false)

#endif
