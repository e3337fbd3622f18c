#include "test_expr.h"

struct error_case {
	const char *text;
	enum expr_fault fault;
	uint32_t line, col;
	const char *problem; /* part of it */
};

static void errors_check(const struct error_case *row, size_t n, bool strict)
{
	for (size_t i = 0; i < n; i++) {
		struct arena a = { 0 };
		struct expr_error error;
		struct str out;

		if (render(&a, str_of(row[i].text), strict, &out, &error) == 0)
			fail_msg("%s\nprints %.*s", row[i].text, STR_ARG(out));
		if (error.fault != row[i].fault || error.line != row[i].line || error.col != row[i].col ||
		    !str_has(error.problem, str_of(row[i].problem)))
			fail_msg("%s\nfault %d at %u:%u: %.*s", row[i].text, error.fault, error.line, error.col, STR_ARG(error.problem));
		arena_release(&a);
	}
}

#define ERRORS(table, strict) errors_check(table, sizeof table / sizeof *table, strict)

static const struct error_case syntax[] = {
	{ "a {{ n", EXPR_SYNTAX, 1, 3, "\"{{\" without its \"}}\"" },
	{ "\n {% if n", EXPR_SYNTAX, 2, 2, "\"{%\" without its \"%}\"" },
	{ "{# n", EXPR_SYNTAX, 1, 1, "\"{#\" without its \"#}\"" },
	{ "{% raw %} x", EXPR_SYNTAX, 1, 1, "endraw" },
	{ "{{ 'abc }}", EXPR_SYNTAX, 1, 4, "closing quote" },
	{ "{{ }}", EXPR_SYNTAX, 1, 4, "expected an expression, found the end of the tag" },
	{ "{{ 1 + }}", EXPR_SYNTAX, 1, 8, "expected an expression" },
	{ "{{ 1 2 }}", EXPR_SYNTAX, 1, 6, "found \"2\"" },
	{ "{{ (1 }}", EXPR_SYNTAX, 1, 7, "expected \")\", found \"}\"" },
	{ "{{ 1) }}", EXPR_SYNTAX, 1, 5, "\")\" closes nothing" },
	{ "{{ (1] }}", EXPR_SYNTAX, 1, 6, "expected \")\", found \"]\"" },
	{ "{{ n ? 1 }}", EXPR_SYNTAX, 1, 6, "unexpected character \"?\"" },
	{ "{{ 012 }}", EXPR_SYNTAX, 1, 4, "cannot start with 0" },
	{ "{{ a. }}", EXPR_SYNTAX, 1, 7, "after \".\"" },
	{ "{{ f(a=1, 2) }}", EXPR_SYNTAX, 1, 11, "named argument" },
	{ "{{ '\\xZ1' }}", EXPR_SYNTAX, 1, 4, "\\x" },
	{ "{{ '\\ud800' }}", EXPR_SYNTAX, 1, 4, "\\u" },
	{ "{{ n|shout }}", EXPR_SYNTAX, 1, 6, "unknown filter \"shout\"" },
	{ "{{ n|wordwrap }}", EXPR_SYNTAX, 1, 6, "filter \"wordwrap\" is not supported" },
	{ "{{ n is tall }}", EXPR_SYNTAX, 1, 6, "unknown test \"tall\"" },
	{ "{{ n is odd is even }}", EXPR_SYNTAX, 1, 13, "join them" },
	{ "{{ cols|map('shout')|list }}", EXPR_SYNTAX, 1, 9, "unknown filter \"shout\"" },
	{ "{{ cols|select('tall')|list }}", EXPR_SYNTAX, 1, 9, "unknown test \"tall\"" },
	{ "SELECT {% for %} AS a", EXPR_SYNTAX, 1, 15, "name of a variable" },
	{ "{% for x of cols %}{% endfor %}", EXPR_SYNTAX, 1, 10, "expected \"in\", found \"of\"" },
	{ "{% for x in cols recursive %}{% endfor %}", EXPR_SYNTAX, 1, 18, "recursive" },
	{ "{% for x in cols %}x", EXPR_SYNTAX, 1, 21, "endfor" },
	{ "{% if n %}x", EXPR_SYNTAX, 1, 12, "endif" },
	{ "{% if n %}x{% endfor %}", EXPR_SYNTAX, 1, 15, "\"endfor\" without the statement" },
	{ "{% else %}", EXPR_SYNTAX, 1, 4, "\"else\" without the statement" },
	{ "{% set 1 = 2 %}", EXPR_SYNTAX, 1, 8, "name of a variable" },
	{ "{% set none = 2 %}", EXPR_SYNTAX, 1, 8, "name of a variable" },
	{ "{% set x 2 %}", EXPR_SYNTAX, 1, 10, "expected \"=\"" },
	{ "{% frob %}", EXPR_SYNTAX, 1, 4, "unknown statement \"frob\"" },
	{ "{% macro m() %}{% endmacro %}", EXPR_SYNTAX, 1, 4, "\"macro\" is not supported" },
	{ "{% include 'x' %}", EXPR_SYNTAX, 1, 4, "\"include\" is not supported" },
	{ "{% import 'x' as y %}", EXPR_SYNTAX, 1, 4, "\"import\" is not supported" },
	{ "{% from 'x' import y %}", EXPR_SYNTAX, 1, 4, "\"from\" is not supported" },
	{ "{% extends 'x' %}", EXPR_SYNTAX, 1, 4, "\"extends\" is not supported" },
	{ "{% block b %}{% endblock %}", EXPR_SYNTAX, 1, 4, "\"block\" is not supported" },
	{ "{% filter upper %}{% endfilter %}", EXPR_SYNTAX, 1, 4, "\"filter\" is not supported" },
	{ "{% call m() %}{% endcall %}", EXPR_SYNTAX, 1, 4, "\"call\" is not supported" },
	{ "é\r\n{% do x %}", EXPR_SYNTAX, 2, 4, "\"do\" is not supported" },
	{ "{{ word.encode() }}", EXPR_SYNTAX, 1, 8, "method \"encode\"" },
	{ "{{ word.__class__ }}", EXPR_SYNTAX, 1, 8, "\"__class__\" is not supported" },
	{ "{{ conf['__init__'] }}", EXPR_SYNTAX, 1, 8, "\"__init__\" is not supported" },
	{ "{{ day.year }}", EXPR_SYNTAX, 1, 7, "of a date is not supported" },
};

static void what_does_not_parse_is_named_with_its_place(void **state)
{
	(void)state;
	ERRORS(syntax, false);
}

static const struct error_case undefined[] = {
	{ "{{ nope.x }}", EXPR_UNDEFINED, 1, 8, "\"nope\" is undefined" },
	{ "{{ nope['x'] }}", EXPR_UNDEFINED, 1, 8, "\"nope\" is undefined" },
	{ "a\n{{ conf.nope.x }}", EXPR_UNDEFINED, 2, 13, "\"nope\" of a map is undefined" },
	{ "{{ nope() }}", EXPR_UNDEFINED, 1, 8, "\"nope\" is undefined" },
	{ "{{ nope + 1 }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ 1 - nope }}", EXPR_UNDEFINED, 1, 6, "\"nope\" is undefined" },
	{ "{{ -nope }}", EXPR_UNDEFINED, 1, 4, "\"nope\" is undefined" },
	{ "{{ nope < 1 }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ nope|int }}", EXPR_UNDEFINED, 1, 9, "undefined" },
	{ "{{ nope|tojson }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ '%d' % nope }}", EXPR_UNDEFINED, 1, 9, "undefined" },
	{ "{{ dict(nope) }}", EXPR_UNDEFINED, 1, 8, "\"nope\" is undefined" },
};

static void an_undefined_value_cannot_be_worked_with(void **state)
{
	(void)state;
	ERRORS(undefined, false);
}

static const struct error_case values[] = {
	{ "{{ 1 / 0 }}", EXPR_VALUE, 1, 6, "division by zero" },
	{ "{{ 1 // 0 }}", EXPR_VALUE, 1, 6, "division by zero" },
	{ "{{ 1.5 % 0 }}", EXPR_VALUE, 1, 8, "division by zero" },
	{ "{{ 0 ** -1 }}", EXPR_VALUE, 1, 6, "division by zero" },
	{ "{{ 1 + 2 ~ 3 }}", EXPR_VALUE, 1, 6, "\"+\" cannot take an integer and a text" },
	{ "{{ 'a' - 1 }}", EXPR_VALUE, 1, 8, "\"-\" cannot take a text and an integer" },
	{ "{{ 'a' < 1 }}", EXPR_VALUE, 1, 8, "\"<\" cannot compare" },
	{ "{{ 1 in 'abc' }}", EXPR_VALUE, 1, 6, "looks for a text" },
	{ "{{ 1 in 2 }}", EXPR_VALUE, 1, 6, "an integer cannot be iterated" },
	{ "{{ n() }}", EXPR_VALUE, 1, 5, "an integer cannot be called" },
	{ "{{ n[1:] }}", EXPR_VALUE, 1, 5, "an integer cannot be sliced" },
	{ "{{ n|length }}", EXPR_VALUE, 1, 6, "an integer has no length" },
	{ "{{ n|join }}", EXPR_VALUE, 1, 6, "an integer cannot be iterated" },
	{ "{{ word|abs }}", EXPR_VALUE, 1, 9, "abs takes a number, found a text" },
	{ "{{ mixed|sort }}", EXPR_VALUE, 1, 10, "cannot compare" },
	{ "{{ {[1]: 2} }}", EXPR_VALUE, 1, 4, "a list cannot be the key of a map" },
	{ "{{ '%d' % 'a' }}", EXPR_VALUE, 1, 9, "\"%d\" wants a number" },
	{ "{{ '%s %s' % 'a' }}", EXPR_VALUE, 1, 12, "more values" },
	{ "{{ '%s' % (1, 2) }}", EXPR_VALUE, 1, 9, "fewer values" },
	{ "{{ '{} {}'.format(1) }}", EXPR_VALUE, 1, 18, "more values" },
	{ "{{ '{'.format(1) }}", EXPR_VALUE, 1, 14, "\"{\" without its \"}\"" },
	{ "{{ word.split('') }}", EXPR_VALUE, 1, 14, "separator is empty" },
	{ "{{ word.split(1, 2, 3) }}", EXPR_VALUE, 1, 14, "at most 2 arguments" },
	{ "{{ word|replace('a') }}", EXPR_VALUE, 1, 9, "needs the argument \"new\"" },
	{ "{{ word|trim(x=1) }}", EXPR_VALUE, 1, 9, "no parameter \"x\"" },
	{ "{% for a, b in nums %}{% endfor %}", EXPR_VALUE, 1, 8, "" },
	{ "{% for x in n %}{% endfor %}", EXPR_VALUE, 1, 4, "an integer cannot be iterated" },
	{ "{% set a, b = 1, 2, 3 %}", EXPR_VALUE, 1, 8, "2 names for 3 values" },
	{ "{% set conf.site = 1 %}", EXPR_VALUE, 1, 8, "only a namespace()" },
	{ "{{ cols|map('upper') }}", EXPR_VALUE, 1, 9, "put \"| list\" behind it" },
	{ "{{ word.upper }}", EXPR_VALUE, 1, 8, "call it with ()" },
	{ "{{ range(1, 5, 0) }}", EXPR_VALUE, 1, 9, "step of range() cannot be 0" },
	{ "{{ 9223372036854775807 + 1 }}", EXPR_VALUE, 1, 24, "64 bits" },
	{ "{{ 10 ** 40 }}", EXPR_VALUE, 1, 7, "64 bits" },
	{ "{{ 99999999999999999999 * 2 }}", EXPR_VALUE, 1, 25, "64 bits" },
	{ "{{ 1e200 ** 2 }}", EXPR_VALUE, 1, 10, "too large" },
};

static void a_value_of_the_wrong_kind_is_an_error(void **state)
{
	(void)state;
	ERRORS(values, false);
}

static const struct error_case strict[] = {
	{ "{{ nope }}", EXPR_UNDEFINED, 1, 4, "\"nope\" is undefined" },
	{ "a\n  {{ conf.nope }}", EXPR_UNDEFINED, 2, 10, "\"nope\" of a map is undefined" },
	{ "{{ 'a' ~ nope }}", EXPR_UNDEFINED, 1, 8, "\"nope\" is undefined" },
	{ "{{ nope|upper }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ nope|length }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ nope|join }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ nope == 1 }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ nope or 1 }}", EXPR_UNDEFINED, 1, 9, "\"nope\" is undefined" },
	{ "{{ 1 if nope else 2 }}", EXPR_UNDEFINED, 1, 6, "\"nope\" is undefined" },
	{ "{{ 'a' in nope }}", EXPR_UNDEFINED, 1, 8, "\"nope\" is undefined" },
	{ "{% if nope %}{% endif %}", EXPR_UNDEFINED, 1, 4, "\"nope\" is undefined" },
	{ "{% for x in nope %}{% endfor %}", EXPR_UNDEFINED, 1, 4, "\"nope\" is undefined" },
	{ "{{ nope|default('a') ~ nope }}", EXPR_UNDEFINED, 1, 22, "\"nope\" is undefined" },
	{ "{{ 1|default('a', nope) }}", EXPR_UNDEFINED, 1, 6, "\"nope\" is undefined" },
};

static void strictly_an_undefined_name_cannot_be_used(void **state)
{
	(void)state;
	ERRORS(strict, true);
}

static void strictly_an_undefined_name_can_be_asked_for(void **state)
{
	static const struct expr_case rows[] = {
		{ "{{ nope is defined }} {{ nope is undefined }}", "False True" },
		{ "{{ nope|default('a') }}", "a" },
		{ "{{ conf.nope|d('b') }}", "b" },
		{ "{% if nope is defined %}a{% else %}b{% endif %}", "b" },
		{ "[{{ 'a' if false }}]", "[]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena a = { 0 };
		struct expr_error error;
		struct str out;

		assert_int_equal(render(&a, str_of(rows[i].text), true, &out, &error), 0);
		assert_true(str_is(out, rows[i].want));
		arena_release(&a);
	}
}

static const struct error_case bounds[] = {
	{ "{{ range(10000000000)|list }}", EXPR_LIMIT, 1, 9, "steps" },
	{ "{{ 'a' * 10 ** 9 }}", EXPR_LIMIT, 1, 8, "bytes" },
	{ "{{ [1] * 10 ** 9 }}", EXPR_LIMIT, 1, 8, "steps" },
	{ "{{ '%1000000000d' % 1 }}", EXPR_LIMIT, 1, 19, "bytes" },
	{ "{{ '{:>1000000000}'.format(1) }}", EXPR_LIMIT, 1, 27, "bytes" },
	{ "{{ 'a'.ljust(10 ** 12) }}", EXPR_LIMIT, 1, 13, "bytes" },
	{ "{{ 'a'|center(10 ** 12) }}", EXPR_LIMIT, 1, 8, "bytes" },
	{ "{{ 'a'|indent(10 ** 12) }}", EXPR_LIMIT, 1, 8, "bytes" },
	{ "{{ ('a' * 10000)|replace('', 'b' * 10000) }}", EXPR_LIMIT, 1, 18, "bytes" },
	{ "{{ [1]|batch(10 ** 12, 0)|list }}", EXPR_LIMIT, 1, 8, "steps" },
	{ "{% for a in range(2000) %}{% for b in range(2000) %}{% endfor %}{% endfor %}", EXPR_LIMIT, 1, 30, "steps" },
	{ "{% set s = namespace(x=[1]) %}{% for i in range(64) %}{% set s.x = [s.x, s.x] %}{% endfor %}{{ s.x }}", EXPR_LIMIT, 1,
	  97, "steps" },
	{ "{% set s = namespace(x=[]) %}{% for i in range(999) %}{% set s.x = [s.x] %}{% endfor %}{{ s.x }}", EXPR_LIMIT, 1, 92,
	  "levels" },
	{ "{% set x = [] %}{% set _ = x.append(x) %}{{ x }}", EXPR_LIMIT, 1, 45, "levels" },
	{ "{% for i in range(2000) %}{{ 'a' * 10000 }}{% endfor %}", EXPR_LIMIT, 1, 34, "output" },
};

static void work_and_output_are_bounded(void **state)
{
	(void)state;
	ERRORS(bounds, false);
}

static void nesting_is_bounded(void **state)
{
	static const char *const open[] = { "(", "[", "not ", "-", "1 if 1 else ", "{1:", "x[", "x(" };

	(void)state;
	for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
		struct arena a = { 0 };
		struct buf b = { 0 };
		struct expr_error error;
		struct str out;

		buf_adds(&b, "{{ ");
		for (int k = 0; k < 100000; k++)
			buf_adds(&b, open[i]);
		buf_adds(&b, "1 }}");
		assert_int_equal(render(&a, buf_str(&b), false, &out, &error), -1);
		assert_int_equal(error.fault, EXPR_LIMIT);
		buf_release(&b);
		arena_release(&a);
	}
}

static void a_long_chain_of_elif_or_joins_is_not_deep(void **state)
{
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct expr_error error;
	struct str out;

	(void)state;
	buf_adds(&b, "{% if false %}");
	for (int k = 0; k < 1000; k++)
		buf_adds(&b, "{% elif false %}");
	buf_adds(&b, "{% else %}{{ 0");
	for (int k = 0; k < 1000; k++)
		buf_adds(&b, " ~ 1");
	buf_adds(&b, " }}{% endif %}");
	assert_int_equal(render(&a, buf_str(&b), false, &out, &error), 0);
	assert_int_equal(out.n, 1001);
	buf_release(&b);
	arena_release(&a);
}

static void a_text_changes_no_parameter_of_the_next(void **state)
{
	struct arena a = { 0 };
	struct yaml_file file = { 0 };
	struct expr_error error;
	struct str out;

	(void)state;
	assert_int_equal(yaml_read(&a, "p", STR("xs: [1]\n"), &file), YAML_GOOD);
	assert_int_equal(expr_render(&a, STR("{{ xs.append(2) }}{{ xs }}"), file.doc[0], false, &out, &error), 0);
	assert_true(str_is(out, "None[1, 2]"));
	assert_int_equal(expr_render(&a, STR("{{ xs }}"), file.doc[0], false, &out, &error), 0);
	assert_true(str_is(out, "[1]"));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_does_not_parse_is_named_with_its_place),
		cmocka_unit_test(an_undefined_value_cannot_be_worked_with),
		cmocka_unit_test(a_value_of_the_wrong_kind_is_an_error),
		cmocka_unit_test(strictly_an_undefined_name_cannot_be_used),
		cmocka_unit_test(strictly_an_undefined_name_can_be_asked_for),
		cmocka_unit_test(work_and_output_are_bounded),
		cmocka_unit_test(nesting_is_bounded),
		cmocka_unit_test(a_long_chain_of_elif_or_joins_is_not_deep),
		cmocka_unit_test(a_text_changes_no_parameter_of_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
