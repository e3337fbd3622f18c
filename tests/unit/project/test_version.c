#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "project/version.h"

static void specifiers_are_judged_as_pep_440_says(void **state)
{
	static const struct {
		const char *specifiers;
		enum version_answer answer;
	} rows[] = {
		{ "", VERSION_MET },
		{ " ", VERSION_MET },
		{ ">=0.9,<1.0", VERSION_MET },
		{ ">= 0.9 , < 2", VERSION_MET },
		{ ">=0.9,", VERSION_MET },
		{ ">=0.9,<1.0,!=0.9.3", VERSION_NOT_MET },
		{ "!=0.9.2", VERSION_MET },
		{ "~=0.9", VERSION_MET },
		{ "~=0.9.4", VERSION_NOT_MET },
		{ "~=0.8.0", VERSION_NOT_MET },
		{ "~=1", VERSION_UNREADABLE },
		{ "==0.9.*", VERSION_MET },
		{ "!=0.9.*", VERSION_NOT_MET },
		{ "==0.9.3.0", VERSION_MET },
		{ "==0.9.3+local", VERSION_NOT_MET },
		{ "!=0.9.3+local", VERSION_MET },
		{ "===0.9.3", VERSION_MET },
		{ "===0.9.3.0", VERSION_NOT_MET },
		{ ">0.9.3.dev1", VERSION_MET },
		{ ">0.9.3.post1", VERSION_NOT_MET },
		{ ">=0.9.4a1", VERSION_NOT_MET },
		{ "<0.9.4rc1", VERSION_MET },
		{ ">=v0.9", VERSION_MET },
		{ ">=1!0.1", VERSION_NOT_MET },
		{ "0.9.3", VERSION_UNREADABLE },
		{ ">=0.9.*", VERSION_UNREADABLE },
		{ ">=0.9 <1", VERSION_UNREADABLE },
		{ ">=0.9+x", VERSION_UNREADABLE },
		{ ">=", VERSION_UNREADABLE },
		{ "latest", VERSION_UNREADABLE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (version_check(STR("0.9.3"), str_of(rows[i].specifiers)) != rows[i].answer)
			fail_msg("\"%s\" was not answered with %d", rows[i].specifiers, rows[i].answer);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(specifiers_are_judged_as_pep_440_says) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
