#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "resolve/token_scan.h"

typedef bool find_fn(struct str s, size_t from, size_t *at, size_t *end, struct str *name);

/* Everything found in `s`, as "at-end:name" separated by blanks. */
static void expect(find_fn *find, const char *s, const char *expected)
{
	char out[256] = "";
	struct str name;
	size_t at, end, n = 0;

	for (size_t i = 0; find(str_of(s), i, &at, &end, &name); i = end)
		n += (size_t)snprintf(out + n, sizeof out - n, "%s%zu-%zu:%.*s", n != 0 ? " " : "", at, end, STR_ARG(name));
	assert_string_equal(out, expected);
}

static void dollar_tokens_are_plain_words_in_braces(void **state)
{
	(void)state;
	expect(dollar_find, "${a}${b_1}", "0-4:a 4-10:b_1");
	expect(dollar_find, "$${x}", "1-5:x");
	expect(dollar_find, "${größe}", "0-10:größe");
	expect(dollar_find, "${${a}}", "2-6:a");
	expect(dollar_find, "${a.b} ${a:b} ${ a } ${} ${a-b} $a { a } ${a", "");
}

static void bare_tokens_are_found_in_any_braces(void **state)
{
	(void)state;
	expect(brace_find, "{a} %{b} {{c}} {8}", "0-3:a 5-8:b 10-13:c 15-18:8");
	expect(brace_find, "{} { a } {a,b} {", "");
}

static void references_take_their_dollar_along(void **state)
{
	(void)state;
	expect(reference_next, "${a}{b}", "0-4:a 4-7:b");
}

static void secrets_end_at_the_first_closing_brace(void **state)
{
	(void)state;
	expect(secret_next, "x${secret:a/b}y", "1-14:a/b");
	expect(secret_next, "${secret:}", "0-10:");
	expect(secret_next, "${secret:a", "");
	expect(secret_next, "${secrets:a}", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dollar_tokens_are_plain_words_in_braces),
		cmocka_unit_test(bare_tokens_are_found_in_any_braces),
		cmocka_unit_test(references_take_their_dollar_along),
		cmocka_unit_test(secrets_end_at_the_first_closing_brace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
