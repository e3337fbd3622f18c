#include "cmd_case.h"
#include "model/rules.h"

static void every_code_is_explained_by_its_name_and_its_end(void **state)
{
	struct cmd_case *c = *state;

	for (const struct code_doc *d = code_docs; d->code != NULL; d++) {
		assert_int_equal(case_run(c, str_fmt(&c->arena, "explain %s", d->code).p), 0);
		assert_non_null(strstr(c->out, d->code));
		assert_non_null(strstr(c->out, "What to do\n"));
	}
	assert_int_equal(case_run(c, "explain val-007"), 0);
	assert_true(str_starts(str_of(c->out), STR("LHP-VAL-007  Validation Error\n")));
}

static void a_rule_is_explained_by_its_code(void **state)
{
	struct cmd_case *c = *state;

	for (size_t i = 0; all_rules[i] != NULL; i++) {
		assert_int_equal(case_run(c, str_fmt(&c->arena, "explain %s", all_rules[i]->name).p), 0);
		assert_true(str_starts(str_of(c->out), str_of(all_rules[i]->code)));
	}
}

static void without_a_code_all_are_listed_on_a_line_each(void **state)
{
	struct cmd_case *c = *state;
	size_t n = 0;

	assert_int_equal(case_run(c, "explain"), 0);
	for (const struct code_doc *d = code_docs; d->code != NULL; d++)
		n++;
	assert_int_equal(str_count_char(str_of(c->out), '\n'), n);
}

static void every_schema_is_json(void **state)
{
	static const char *const kind[] = { "flowgroup", "preset", "template", "project", "substitution", "blueprint" };
	struct cmd_case *c = *state;

	for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++) {
		assert_int_equal(case_run(c, str_fmt(&c->arena, "schema %s", kind[i]).p), 0);
		assert_true(str_starts(str_of(c->out), STR("{\n\t\"$schema\":")));
		assert_true(str_ends(str_of(c->out), STR("}\n")));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(every_code_is_explained_by_its_name_and_its_end, case_setup),
		case_test(a_rule_is_explained_by_its_code, case_setup),
		case_test(without_a_code_all_are_listed_on_a_line_each, case_setup),
		case_test(every_schema_is_json, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
