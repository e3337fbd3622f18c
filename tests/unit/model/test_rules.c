#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/rules.h"

static void no_code_is_without_explanation(void **state)
{
	(void)state;
	for (const struct code_doc *d = code_docs; d->code != NULL; d++) {
		const char *const text[] = { d->meaning, d->example, d->fix };

		for (size_t i = 0; i < 3; i++)
			if (text[i][0] == '\0')
				fail_msg("%s: text %zu is empty", d->code, i);
		if (d->meaning[strlen(d->meaning) - 1] != '.' || d->fix[strlen(d->fix) - 1] != '.')
			fail_msg("%s: a sentence ends with a full stop", d->code);
	}
}

static void every_rule_has_a_name_of_its_own_and_an_explained_code(void **state)
{
	(void)state;
	for (size_t i = 0; all_rules[i] != NULL; i++) {
		const struct rule *r = all_rules[i];

		if (code_doc(str_of(r->code)) == NULL)
			fail_msg("%s: code %s is not explained", r->name, r->code);
		if (r->title[0] == '\0' || r->title[strlen(r->title) - 1] == '.')
			fail_msg("%s: a title is one line without a full stop", r->name);
		for (size_t k = 0; k < i; k++)
			if (strcmp(r->name, all_rules[k]->name) == 0)
				fail_msg("two rules are called %s", r->name);
	}
}

static void a_code_is_found_in_any_case(void **state)
{
	(void)state;
	assert_string_equal(code_doc(STR("lhp-val-072"))->code, "LHP-VAL-072");
	assert_null(code_doc(STR("LHP-VAL-999")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_code_is_without_explanation),
		cmocka_unit_test(every_rule_has_a_name_of_its_own_and_an_explained_code),
		cmocka_unit_test(a_code_is_found_in_any_case),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
