/* What lhp dag says beside its analysis. */
#include "cmd_case.h"

#define FLOWGROUP(pipeline, makes, reads)                                                                                   \
	"pipeline: " pipeline "\nflowgroup: f_" pipeline "\nactions:\n"                                                     \
	"- {name: l, type: load, source: {type: delta, catalog: c, schema: s, table: " reads "}, target: v}\n"              \
	"- {name: w, type: write, source: v, write_target: {type: streaming_table, catalog: c, schema: s, table: " makes "}}\n"

/* spec/dag.md, section 12, row 21: a cycle anywhere stops stages and jobs of all pipelines, and is told by their names. */
static void pipelines_of_a_cycle_are_named(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: shop\n");
	case_put(c, "pipelines/a.yaml",
	         FLOWGROUP("sell", "pear", "plum") "---\n" FLOWGROUP("buy", "plum", "pear") "---\n" FLOWGROUP("eat", "fig", "raw"));
	assert_int_equal(case_run(c, "dag --format job"), 0);
	assert_non_null(strstr(c->err, "no job files: the circular dependencies of buy, sell leave no order"));
	assert_false(fs_is_file(&c->fs, STR(".lhp/dependencies/shop_orchestration.job.yml")));
}

static void what_is_noted_of_lhp_yaml_is_a_warning(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "~\n");
	assert_int_equal(case_run(c, "dag --format text"), 0);
	assert_true(str_starts(str_of(c->err), STR("WARNING: lhp.yaml is null: no settings\n")));
}

static void what_is_shown_does_not_steer_the_terminal(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: shop\n");
	case_put(c, "pipelines/a.yaml", FLOWGROUP("sell", "pear", "\"pl\\e[31mum\""));
	assert_int_equal(case_run(c, "dag --format text"), 0);
	assert_non_null(strstr(c->err, "c.s.pl\\x1b[31mum"));
	assert_null(strchr(c->err, '\033'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(pipelines_of_a_cycle_are_named, case_setup),
		case_test(what_is_shown_does_not_steer_the_terminal, case_setup),
		case_test(what_is_noted_of_lhp_yaml_is_a_warning, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
