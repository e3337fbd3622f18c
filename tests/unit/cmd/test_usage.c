#include "cmd_case.h"

/* What a line of words leads to: a status, and the first words of what is said on either stream. */
static const struct {
	const char *line;
	int status;
	const char *says; /* contained in standard output (status 0) or standard error */
} usage[] = {
	{ "", 2, "Usage: lhp [OPTIONS] COMMAND [ARGS]..." },
	{ "--help", 0, "Usage: lhp [OPTIONS] COMMAND [ARGS]..." },
	{ "-h validate", 0, "Usage: lhp [OPTIONS] COMMAND [ARGS]..." },
	{ "--version", 0, "0.9.3\n" },
	{ "--version extra", 0, "0.9.3\n" },
	{ "--nope --version", 2, "No such option '--nope'." },
	{ "frobnicate", 2, "No such command 'frobnicate'." },
	{ "valdate", 2, "did you mean 'validate'?" },
	{ "VALIDATE", 2, "No such command 'VALIDATE'." },
	{ "-", 2, "No such command '-'." },
	{ "validate --colour", 2, "No such option '--colour'." },
	{ "validate --pipe x", 2, "No such option '--pipe'." },
	{ "validate --bad --help", 2, "No such option '--bad'." },
	{ "validate --max-workers few --help", 0, "Usage: lhp validate [OPTIONS]" },
	{ "validate -e", 2, "Option '-e' requires an argument." },
	{ "validate -pc", 2, "Option '-pc' requires an argument." },
	{ "validate --max-workers 0", 2, "0 is not in the range x>=1." },
	{ "validate --max-workers few", 2, "'few' is not a valid integer." },
	{ "validate extra", 2, "Got unexpected extra argument (extra)" },
	{ "validate -", 2, "Got unexpected extra argument (-)" },
	{ "validate -- -x", 2, "Got unexpected extra argument (-x)" },
	{ "validate --sandbox -p a", 2, "'--sandbox'" },
	{ "validate --message-format xml", 2, "'xml' is not one of text, json," },
	{ "generate", 2, "Missing option '--env' / '-e'." },
	{ "generate --env", 2, "Option '--env' requires an argument." },
	{ "generate -e dev --max-workers few", 2, "'few' is not a valid integer." },
	{ "diff --exit-code=1", 2, "Option '--exit-code' does not take a value." },
	{ "dag --format pdf", 2, "'pdf' is none of dot, json, text, job" },
	{ "dag --format json,svg", 2, "'svg' is none of" },
	{ "dag --max-workers 0", 2, "0 is not in the range x>=1." },
	{ "dag -o lhp.yaml", 2, "'lhp.yaml' is a file, not a folder." },
	{ "dag -jc pipelines", 2, "'pipelines' is a folder, not a file." },
	{ "list", 2, "Usage: lhp list [OPTIONS] COMMAND [ARGS]..." },
	{ "list wheels", 2, "No such command 'wheels'." },
	{ "list presets x --help", 0, "Usage: lhp list presets [OPTIONS]" },
	{ "inspect-wheel", 2, "Missing argument 'SELECTOR'." },
	{ "inspect-wheel bronze", 2, "'-e' is required" },
	{ "init", 2, "Missing argument 'NAME'." },
	{ "init a b", 2, "Got unexpected extra argument (b)" },
	{ "init --sample --no-bundle x", 2, "'--sample'" },
	{ "substitutions --format json", 2, "No such option '--format'." },
	{ "affected", 2, "Missing option '--since'" },
	{ "skill", 2, "Usage: lhp skill [OPTIONS] COMMAND [ARGS]..." },
	{ "telemetry", 2, "Usage: lhp telemetry [OPTIONS] COMMAND [ARGS]..." },
	{ "cache", 2, "Usage: lhp cache [OPTIONS] COMMAND [ARGS]..." },
	{ "schema", 2, "Missing argument 'KIND'." },
	{ "schema wheel", 2, "There is no schema 'wheel'." },
	{ "explain nope", 1, "There is no code 'nope'" },
	{ "telemetry status", 0, "Nothing is reported" },
};

static void each_line_has_its_status_and_words(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: unit\n");
	case_put(c, "pipelines/readme.txt", "");
	for (size_t i = 0; i < sizeof usage / sizeof usage[0]; i++) {
		case_run(c, usage[i].line);
		const char *said = usage[i].status == 0 ? c->out : c->err;

		if (c->status != usage[i].status || strstr(said, usage[i].says) == NULL)
			fail_msg("lhp %s: status %d, %s", usage[i].line, c->status, said);
		if (usage[i].status == 2 && c->n_out != 0)
			fail_msg("lhp %s: writes to standard output", usage[i].line);
	}
}

/* Every form in which a value may be written; all of them are a good, clean run. */
static void values_are_taken_in_every_form(void **state)
{
	static const char *const line[] = { "validate --env=dev",
		                            "validate -edev",
		                            "validate -e dev",
		                            "validate -se dev",
		                            "validate --strict --strict",
		                            "validate --env prod --env dev",
		                            "--no-progress validate",
		                            "-v -v validate",
		                            "-vv validate --no-progress",
		                            "--perf --log-file validate",
		                            "validate --max-workers 1 -j2",
		                            "validate --" };
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: unit\n");
	for (size_t i = 0; i < sizeof line / sizeof line[0]; i++)
		if (case_run(c, line[i]) != 0)
			fail_msg("lhp %s: status %d, %s", line[i], c->status, c->err);
}

static void the_value_of_an_option_may_look_like_an_option(void **state)
{
	struct cmd_case *c = *state;

	case_put(c, "lhp.yaml", "name: unit\n");
	assert_int_equal(case_run(c, "validate -p --strict"), 1);
	assert_non_null(strstr(c->err, "--strict"));
}

static void without_a_project_there_is_one_finding(void **state)
{
	static const char *const line[] = { "validate", "generate -e dev", "diff", "list presets", "substitutions", "dag" };
	struct cmd_case *c = *state;

	for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
		assert_int_equal(case_run(c, line[i]), 1);
		assert_non_null(strstr(c->err, "LHP-CFG-011"));
	}
}

static void without_a_project_machines_get_the_finding(void **state)
{
	struct cmd_case *c = *state;

	assert_int_equal(case_run(c, "validate --message-format json"), 1);
	assert_non_null(strstr(c->out, "\"code\":\"LHP-CFG-011\""));
	assert_non_null(strstr(c->out, "\"env\":\"dev\",\"status\":1"));
	assert_string_equal(c->err, "");
	assert_int_equal(case_run(c, "generate -e dev --message-format sarif"), 1);
	assert_non_null(strstr(c->out, "\"ruleId\""));
}

static void help_is_aligned_and_lists_what_is_not_hidden(void **state)
{
	struct cmd_case *c = *state;

	case_run(c, "diff --help");
	assert_string_equal(c->out, "Usage: lhp diff [OPTIONS]\n"
	                            "\n"
	                            "  Show what generate would change.\n"
	                            "\n"
	                            "  Plans everything, writes nothing, and prints one line per path: +\n"
	                            "  would-create, ~ modified, - orphan.\n"
	                            "\n"
	                            "Options:\n"
	                            "  -e, --env ENV        Environment; a comma list, or `all`, for several.\n"
	                            "                       [default: dev]\n"
	                            "  -s, --show-details   Show a unified diff of each modified file.\n"
	                            "      --no-progress    No live display.\n"
	                            "      --include-tests  With test actions.\n"
	                            "  -p, --pipeline NAME  Compare this pipeline only.\n"
	                            "      --exit-code      Status 1 when anything differs.\n"
	                            "      --no-cache       Neither read nor write the store: a cold run.\n"
	                            "  -h, --help           Show this message and exit.\n");
	case_run(c, "--help");
	assert_null(strstr(c->out, "deps"));
	assert_null(strstr(c->out, "--perf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(each_line_has_its_status_and_words, case_setup),
		case_test(values_are_taken_in_every_form, case_setup),
		case_test(the_value_of_an_option_may_look_like_an_option, case_setup),
		case_test(without_a_project_there_is_one_finding, case_setup),
		case_test(without_a_project_machines_get_the_finding, case_setup),
		case_test(help_is_aligned_and_lists_what_is_not_hidden, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
