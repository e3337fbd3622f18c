#include "ui/trail.h"
#include "ui_case.h"

#include <stdio.h>
#include <stdlib.h>

static const struct rule cycle = { "x.y", "LHP-DEP-022", SEV_ERROR, "A circle" };

/* Streams that can be read back, and an environment of one variable. */
struct terminal {
	char *out, *err;
	size_t n_out, n_err;
	struct screen_facts facts;
	struct screen screen;
	struct arena arena;
};

static const char *variable, *value;

static const char *env_get(const char *name)
{
	return variable != NULL && strcmp(name, variable) == 0 ? value : NULL;
}

static void terminal_open(struct terminal *t, bool is_terminal)
{
	*t = (struct terminal){ 0 };
	t->facts = (struct screen_facts){ .out = open_memstream(&t->out, &t->n_out),
		                          .err = open_memstream(&t->err, &t->n_err),
		                          .out_is_terminal = is_terminal,
		                          .err_is_terminal = is_terminal,
		                          .getenv = env_get };
	screen_init(&t->screen, &t->facts);
}

static void terminal_close(struct terminal *t, const char *out, const char *err)
{
	fclose(t->facts.out);
	fclose(t->facts.err);
	assert_string_equal(t->out, out);
	assert_string_equal(t->err, err);
	free(t->out);
	free(t->err);
	arena_release(&t->arena);
}

static void a_run(struct terminal *t, bool details)
{
	struct diags ds = { .arena = &t->arena };
	struct trail trail;

	trail_start(&trail, &t->screen, &t->arena, details, STR("/p"));
	trail_phase(&trail, "discover", true, 0.123);
	trail_pipeline(&trail, STR("bronze"), 2, NULL);
	trail_pipeline(&trail, STR("silver"), 0, diag_add(&ds, &cycle, (struct mark){ 0 }, "x"));
	trail_phase(&trail, "generate", false, 1.25);
	trail_finish(&trail);
}

static void without_a_terminal_all_lines_go_to_standard_error(void **state)
{
	struct terminal t;

	(void)state;
	terminal_open(&t, false);
	a_run(&t, false);
	terminal_close(&t, "",
	               "✓ discover (0.12s)\n✓ bronze  2 files\n✗ silver  LHP-DEP-022  A circle\n✗ generate (1.25s)\n");
}

static void a_terminal_shows_clean_pipelines_only_with_details(void **state)
{
	struct terminal t;

	(void)state;
	variable = "TERM";
	value = "dumb";
	terminal_open(&t, true);
	a_run(&t, false);
	terminal_close(&t, "✓ discover  0.1s\n✗ silver  LHP-DEP-022  A circle\n✗ generate  1.2s\n", "");
	terminal_open(&t, true);
	a_run(&t, true);
	terminal_close(&t, "✓ discover  0.1s\n✓ bronze  2 files\n✗ silver  LHP-DEP-022  A circle\n✗ generate  1.2s\n",
	               "");
	variable = NULL;
}

static void warnings_are_listed_with_details_only(void **state)
{
	static const struct rule old = { "a.b", "LHP-DEPR-001", SEV_WARNING, "Bare token" };
	struct terminal t;
	struct trail trail;
	struct diags ds = { .arena = &t.arena };

	(void)state;
	terminal_open(&t, false);
	struct diag *d = diag_add(&ds, &old, (struct mark){ "pipelines/x.yaml", 3, 7 }, "{a}\nis old");
	trail_start(&trail, &t.screen, &t.arena, false, STR("/p"));
	trail_warning(&trail, d);
	trail_finish(&trail);
	trail_start(&trail, &t.screen, &t.arena, true, STR("/p"));
	trail_warning(&trail, d);
	trail_finish(&trail);
	terminal_close(&t, "", "! LHP-DEPR-001  Bare token {a} is old  /p/pipelines/x.yaml:3:7\n");
}

static void the_environment_decides_what_is_drawn(void **state)
{
	static const struct {
		const char *variable, *value;
		bool live, live_form, colours, weights;
	} row[] = {
		{ NULL, NULL, true, true, true, true },       { "TERM", "dumb", false, true, false, false },
		{ "CI", "true", false, false, true, true },   { "CI", "", true, true, true, true },
		{ "NO_COLOR", "1", true, true, false, true }, { "LHP_NO_PROGRESS", "1", false, false, true, true },
	};
	struct terminal t;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		variable = row[i].variable;
		value = row[i].value;
		terminal_open(&t, true);
		assert_int_equal(t.screen.live, row[i].live);
		assert_int_equal(t.screen.live_form, row[i].live_form);
		assert_int_equal(t.screen.out_colours, row[i].colours);
		assert_int_equal(t.screen.out_weights, row[i].weights);
		terminal_close(&t, "", "");
	}
	variable = NULL;
}

static void a_machine_gets_standard_output_for_itself(void **state)
{
	struct terminal t;

	(void)state;
	terminal_open(&t, true);
	t.facts.machine = true;
	screen_init(&t.screen, &t.facts);
	assert_false(t.screen.live);
	assert_ptr_equal(t.screen.trail, t.facts.err);
	terminal_close(&t, "", "");
}

static void live_lines_are_erased_at_the_end(void **state)
{
	struct terminal t;
	struct trail trail;

	(void)state;
	variable = "NO_COLOR";
	value = "1";
	terminal_open(&t, true);
	trail_start(&trail, &t.screen, &t.arena, false, STR("/p"));
	trail_progress(&trail, 1, 2, STR("bronze"));
	trail_finish(&trail);
	fflush(t.facts.out);
	assert_non_null(strstr(t.out, " 1/2  "));
	assert_string_equal(t.out + t.n_out - strlen("\033[1A\033[2K\033[1A\033[2K"), "\033[1A\033[2K\033[1A\033[2K");
	fclose(t.facts.out);
	fclose(t.facts.err);
	free(t.out);
	free(t.err);
	arena_release(&t.arena);
	variable = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_terminal_all_lines_go_to_standard_error),
		cmocka_unit_test(a_terminal_shows_clean_pipelines_only_with_details),
		cmocka_unit_test(warnings_are_listed_with_details_only),
		cmocka_unit_test(the_environment_decides_what_is_drawn),
		cmocka_unit_test(a_machine_gets_standard_output_for_itself),
		cmocka_unit_test(live_lines_are_erased_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
