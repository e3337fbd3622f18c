#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/secrecy.h"

static void names_tell_by_whole_words(void **state)
{
	static const char *const secret[] = { "password",     "db_password",         "PASSWORD",       "sslKeyPassword", "dbpassword",
		                              "kafka.sasl.jaas.config", "client_secret", "apiKey",     "x-api-key",      "storage_account_key",
		                              "token",        "pwd" };
	static const char *const plain[] = { "keys", "primary_key", "tokenizer", "passwords_of", "secretary", "catalog", "", "key", "monkey" };

	(void)state;
	for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
		if (!name_is_secret(str_of(secret[i])))
			fail_msg("%s", secret[i]);
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (name_is_secret(str_of(plain[i])))
			fail_msg("%s", plain[i]);
}

static void values_become_stars_and_columns_stay(void **state)
{
	static const struct {
		const char *line, *concealed;
	} row[] = {
		{ "password: hunter2", "password: *******" },
		{ "password: hunter2, and more # x", "password: *********************" },
		{ "{user: u, password: hunter2, url: x}", "{user: u, password: *******, url: x}" },
		{ "\"password\": \"hun, ter\\\"2\", a: b", "\"password\": \"***********\", a: b" },
		{ ".option(\"password\", \"hunter2\")", ".option(\"password\", \"*******\")" },
		{ "connect(password='h', user='u')", "connect(password='*', user='u')" },
		{ "PASSWORD = 'hunter2' AND 1", "PASSWORD = '*******' AND 1" },
		{ "{'my.password': 'h', 'a.secret': 'i'}", "{'my.password': '*', 'a.secret': '*'}" },
		{ "password: h\xc3\xbcter", "password: *****" },
		{ "password: ${secret:s/k}", "password: ${secret:s/k}" },
		{ "password: \"${token}\"", "password: \"${token}\"" },
		{ "password: \"{{ p }}\"", "password: \"{{ p }}\"" },
		{ "path: /x/${secret:s/k}, password: hunter2", "path: /x/${secret:s/k}, password: *******" },
		{ "password:", "password:" },
		{ "password: {a: b}", "password: {a: b}" },
		{ "password: 'open", "password: '****" },
		{ "the password is wrong", "the password is wrong" },
		{ "keys: [a]", "keys: [a]" },
		{ "", "" },
	};
	struct arena a = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		assert_string_equal(str_cstr(&a, line_concealed(&a, str_of(row[i].line))), row[i].concealed);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_tell_by_whole_words),
		cmocka_unit_test(values_become_stars_and_columns_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
