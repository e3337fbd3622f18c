#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "project/discover.h"
#include "unit/fixture.h"

static void a_slip_of_yaml_comes_with_what_lies_behind_it(void **state)
{
	static const struct {
		const char *text, *hint; /* the hint holds this; NULL: there is none */
	} rows[] = {
		{ "comment: first: second\n", "quotes" },
		{ "source: [${a}.s.t, b]\n", "quotes: \"${token}\"" },
		{ "source: {table: ${t}}\n", "quotes: \"${token}\"" },
		{ "a:\n  b: 1\n c: 2\n", "below each other" },
		{ "a:\n- b\n  - c: 1\n - d\n", "below each other" },
		{ "pipeline: p\nflowgroup\nactions: []\n", "a blank behind the colon" },
		{ "a: \"open\n", "close the quote" },
		{ "a: \"\\d+\"\n", "single quotes" },
		{ "a: *none\n", NULL },
	};
	struct discovery found;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct str hint;

		put(&f, "pipelines/a.yaml", rows[i].text);
		assert_int_equal(load(&f), 0);
		assert_int_equal(discover(&f.project, &f.trace, &f.arena, &f.diags, &f.log, &found), -1);
		hint = f.diags.p[0].hint;
		if (rows[i].hint == NULL ? hint.n > 0 : str_find(hint, str_of(rows[i].hint), 0) < 0)
			fail_msg("%s came with \"%.*s\"", rows[i].text, STR_ARG(hint));
	}
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_of_yaml_comes_with_what_lies_behind_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
