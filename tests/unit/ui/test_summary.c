#include "ui/summary.h"
#include "ui_case.h"

static const struct rule bare_token = { "token.bare", "LHP-DEPR-001", SEV_WARNING, "Bare token" };
static const struct rule database = { "key.database", "LHP-DEPR-002", SEV_WARNING, "Old key database" };

static void assert_counts(struct summary s, const char *want)
{
	struct pen p = { 0 };

	summary_counts(&p, &s);
	assert_written(&p, want);
}

static void validate_counts_pipelines_warnings_and_findings(void **state)
{
	(void)state;
	assert_counts((struct summary){ .pipelines = 1, .seconds = 4.42 }, "1 validated · 4.4s\n");
	assert_counts((struct summary){ .pipelines = 2, .warnings = 1, .failed = 3, .seconds = 0.021 },
	              "2 validated; 1 warning · 3 failed · 0.02s\n");
}

static void generate_counts_pipelines_and_files(void **state)
{
	(void)state;
	assert_counts((struct summary){ .generate = true, .pipelines = 1, .files = 1, .seconds = 1 },
	              "1 pipeline generated · 1 file · 1.0s\n");
	assert_counts((struct summary){ .generate = true, .pipelines = 2, .files = 3, .warnings = 2, .seconds = 1 },
	              "2 pipelines generated · 3 files; 2 warnings · 1.0s\n");
}

static void what_was_reused_is_said_once(void **state)
{
	(void)state;
	assert_counts(
	    (struct summary){ .generate = true,
	                      .pipelines = 9,
	                      .files = 2802,
	                      .units = 2802,
	                      .rebuilt = 3,
	                      .written = 2,
	                      .removed = 1,
	                      .seconds = 0.02 },
	    "9 pipelines generated · 2802 files · 3 of 2802 flowgroups rebuilt · 2 files written · 1 removed · "
	    "0.02s\n");
	assert_counts(
	    (struct summary){
	        .generate = true, .up_to_date = true, .pipelines = 2, .files = 4, .units = 4, .seconds = 0.02 },
	    "up to date · 2 pipelines · 4 files · 0.02s\n");
}

static void warnings_are_counted_by_code_in_order_of_appearance(void **state)
{
	struct arena a = { 0 };
	struct diags ws = { .arena = &a };
	struct pen p = { 0 };

	(void)state;
	diag_add(&ws, &bare_token, (struct mark){ 0 }, "{x} is an old form\nof ${x}");
	diag_add(&ws, &database, (struct mark){ 0 }, "short");
	diag_add(&ws, &bare_token, (struct mark){ 0 }, "{y}");
	summary_warnings(&p, &a, &ws, 48);
	assert_written(&p, "⚠ 3 warnings (2 types) — run with --show-details to list\n"
	                   "  LHP-DEPR-001  Bare token {x} is an old fo…  ×2\n"
	                   "  LHP-DEPR-002  Old key database short  ×1\n");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(validate_counts_pipelines_warnings_and_findings),
		cmocka_unit_test(generate_counts_pipelines_and_files),
		cmocka_unit_test(what_was_reused_is_said_once),
		cmocka_unit_test(warnings_are_counted_by_code_in_order_of_appearance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
