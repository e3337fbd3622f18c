/* --stats tells what the store knew already, kind by kind, and how many bytes were hashed to find out. */
#include "two_flowgroups.h"

static const char GENERATE[] = "generate -e dev --no-format --stats";

/* The row `name`, from its number on, as far as the end of the line. */
static struct str row(struct cmd_case *c, const char *name)
{
	struct str rest = str_of(c->err), line;

	while (str_cut(&rest, '\n', &line))
		if (str_starts(str_trim(line), str_of(name)))
			return str_trim(str_skip(str_trim(line), strlen(name)));
	fail_msg("no row %s in\n%s", name, c->err);
	return STR_NONE;
}

static void assert_row(struct cmd_case *c, const char *name, const char *text)
{
	struct str found = row(c, name);

	if (!str_is(found, text))
		fail_msg("%s: %.*s, expected %s", name, STR_ARG(found), text);
}

static void a_cold_run_knows_nothing(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, GENERATE), 0);
	assert_row(c, "inputs: stat was enough", "0 of 0");
	assert_row(c, "outputs: stat was enough", "0 of 0");
	assert_row(c, "flowgroup files not parsed", "0 of 2");
	assert_row(c, "flowgroups reused", "0 of 2");
	assert_row(c, "hashed", "0 bytes");
}

static void an_edit_costs_its_flowgroup(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "sql/recent.sql", "SELECT *, 42 AS answer FROM stream(bronze.orders)\n");
	assert_int_equal(case_run(c, GENERATE), 0);
	assert_row(c, "flowgroups reused", "1 of 2");
}

static void environments_of_one_run_have_one_table(void **state)
{
	struct cmd_case *c = *state;
	const char *first;

	case_put(c, "substitutions/prod.yaml", "prod:\n  catalog: prod_catalog\n  schema_silver: silver\n");
	assert_int_equal(case_run(c, "generate -e dev,prod --no-format --stats"), 0);
	assert_row(c, "flowgroups reused", "2 of 4");
	first = strstr(c->err, "flowgroups reused");
	assert_null(strstr(first + 1, "flowgroups reused"));
	assert_null(strstr(first, "env prod"));
}

static void verify_hashes_everything(void **state)
{
	static const char *const all[] = { "lhp.yaml", "substitutions/dev.yaml", "sql/recent.sql", "pipelines/recent.yaml",
		                           "pipelines/mirror.yaml",
		                           "generated/dev/silver_orders/orders_recent.py", "generated/dev/gold_orders/orders_mirror.py" };
	unsigned known, of;
	struct cmd_case *c = *state;
	struct str bytes;
	size_t sum = 0;

	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		assert_int_equal(fs_read(&c->fs, str_of(all[i]), &c->arena, &bytes, NULL), 0);
		sum += bytes.n;
	}
	assert_int_equal(case_run(c, "generate -e dev --no-format --stats --verify"), 0);
	assert_row(c, "hashed", str_cstr(&c->arena, str_fmt(&c->arena, "%zu bytes", sum)));
	assert_row(c, "flowgroups reused", "2 of 2");
	assert_int_equal(sscanf(str_cstr(&c->arena, row(c, "outputs: stat was enough")), "%u of %u", &known, &of), 2);
	assert_int_equal(of - known, 2); /* folders are listed */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(a_cold_run_knows_nothing, two_flowgroups),
		case_test(an_edit_costs_its_flowgroup, two_flowgroups_made),
		case_test(environments_of_one_run_have_one_table, two_flowgroups_made),
		case_test(verify_hashes_everything, two_flowgroups_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
