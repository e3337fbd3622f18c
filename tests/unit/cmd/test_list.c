/* test_list.c - what the list commands print. */
#include "cmd_case.h"

static void templates_and_parameters_are_listed_as_the_reference_does(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: listed\n");
	case_put(c, "templates/a.yaml",
	         "name: odd\nparameters: [{name: a, required: true}, {required: true, type: text}, {name: null}, {name: 5, default: 3}]\n");
	case_put(c, "templates/b.yaml", "name: skipped\nactions: [5]\n");
	assert_prints(c, "list templates", 0,
	              "Available templates\n"
	              "Name\tFile\tVersion\tParams\tActions\n"
	              "odd\ta.yaml\t1.0\t2/4\t0\n"
	              "Total templates: 1\n"
	              "Template Details\n"
	              "odd:\n"
	              "   Parameters:\n"
	              "      - a (string, required)\n"
	              "      - unknown (text, required)\n"
	              "      - None (string, optional)\n"
	              "      - 5 (string, optional)\n"
	              "        Default: 3\n");
	assert_non_null(strstr(c->err, "templates/b.yaml is skipped"));
}

int main(void)
{
	const struct CMUnitTest tests[] = { case_test(templates_and_parameters_are_listed_as_the_reference_does, case_setup) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
