#include "base/fs_mem.h"
#include "model/rules.h"
#include "ui/finding.h"
#include "ui/panel.h"
#include "ui_case.h"

static const struct rule folding = { "flowgroup.x", "LHP-VAL-007", SEV_ERROR, "FlowGroup validation failed" };
static const struct rule unknown_key = { "load.key.unknown", "LHP-CFG-001", SEV_ERROR, "Unknown key 'pth'" };
static const struct rule missing = { "load.path", "LHP-VAL-007", SEV_ERROR, "Key missing" };

struct fixture {
	struct arena arena;
	struct fs fs;
	struct diags findings, parts;
	struct finding_view view;
	struct pen pen;
};

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){ 0 };
	f->findings.arena = f->parts.arena = &f->arena;
	fs_mem_open(&f->fs, &f->arena);
	fs_mem_write(&f->fs, "pipelines/x.yaml", "pipeline: p\nsource:\n  pth: /data\n");
	f->view = (struct finding_view){ .arena = &f->arena, .fs = &f->fs, .columns = 60 };
}

static struct diag *folded_add(struct fixture *f)
{
	struct diag *d = diag_add(&f->parts, &unknown_key, (struct mark){ "pipelines/x.yaml", 3, 3 },
	                          "A cloudfiles source has no key pth");

	diag_hint(&f->parts, d, "did you mean path?");
	diag_add(&f->parts, &missing, (struct mark){ "pipelines/x.yaml", 2, 1 }, "path is missing");
	d = diag_add(&f->findings, &folding, (struct mark){ "pipelines/x.yaml", 1, 1 }, "both of them");
	d->pipeline = STR("p");
	d->flowgroup = STR("f");
	d->file = "pipelines/x.yaml";
	d->parts = &f->parts;
	return d;
}

static void a_box_is_as_wide_as_the_screen(void **state)
{
	struct pen p = { 0 };

	(void)state;
	panel_draw(&p, TONE_RED, STR("Error"), STR("No such command.\n\n  indented text that goes on and on and on"),
	           40);
	assert_written(&p, "╭─ Error ──────────────────────────────╮\n"
	                   "│                                      │\n"
	                   "│  No such command.                    │\n"
	                   "│                                      │\n"
	                   "│    indented text that goes on and    │\n"
	                   "│    on and on                         │\n"
	                   "│                                      │\n"
	                   "╰──────────────────────────────────────╯\n");
}

static void colours_are_used_only_when_allowed(void **state)
{
	struct pen p = { .weights = true };

	(void)state;
	pen_adds(&p, TONE_RED, "a");
	pen_adds(&p, TONE_BOLD, "b");
	assert_written(&p, "a\033[1mb\033[0m");
}

static void each_folded_finding_has_its_place_excerpt_and_hint(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	finding_body(&f.pen, &f.view, folded_add(&f), 2);
	assert_written(&f.pen, "  pipelines/x.yaml:3:3  Error [LHP-CFG-001]: Unknown key 'pth'\n"
	                       "    A cloudfiles source has no key pth\n"
	                       "    3 │   pth: /data\n"
	                       "      │   ^~~\n"
	                       "    -> did you mean path?\n"
	                       "  pipelines/x.yaml:2:1  Key missing\n"
	                       "    path is missing\n"
	                       "    2 │ source:\n"
	                       "      │ ^~~~~~\n");
	arena_release(&f.arena);
}

static void a_finding_stands_on_one_line_with_its_absolute_file(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	finding_line(&f.pen, &f.view, folded_add(&f));
	assert_written(&f.pen, "p / f  /mem/pipelines/x.yaml  LHP-VAL-007  FlowGroup validation failed\n");
	arena_release(&f.arena);
}

static void a_chain_and_the_rule_are_shown_with_details(void **state)
{
	static const struct origin token = { "token", STR_INIT("catalog"), { "substitutions/dev.yaml", 2, 3 }, NULL };
	static const struct origin template = { "template", STR_INIT("t"), { "templates/t.yaml", 9, 1 }, &token };
	struct fixture f;
	struct diag *d;

	(void)state;
	fixture_init(&f);
	f.view.rule_names = true;
	d = diag_add(&f.findings, &missing, (struct mark){ 0 }, "x");
	d->via = &template;
	finding_body(&f.pen, &f.view, d, 0);
	assert_written(&f.pen,
	               "x\nvia template t  templates/t.yaml:9:1\nvia token catalog  substitutions/dev.yaml:2:3\n"
	               "rule: load.path\n");
	arena_release(&f.arena);
}

static void a_long_line_is_shown_around_its_place(void **state)
{
	struct fixture f;
	struct diag *d;

	(void)state;
	fixture_init(&f);
	fs_mem_write(&f.fs, "a.yaml",
	             "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bad: value\n");
	f.view.columns = 40;
	d = diag_add(&f.findings, &missing, (struct mark){ "a.yaml", 1, 70 }, "%s", "");
	finding_body(&f.pen, &f.view, d, 0);
	assert_written(&f.pen, "a.yaml:1:70\n"
	                       "1 │ aaaaaaaaaaa bad: value\n"
	                       "  │             ^~~\n");
	arena_release(&f.arena);
}

static void a_panel_holds_the_whole_finding(void **state)
{
	struct fixture f;
	struct diag *d;

	(void)state;
	fixture_init(&f);
	d = diag_add(&f.findings, &missing, (struct mark){ "pipelines/x.yaml", 2, 1 }, "path is missing");
	d->pipeline = STR("p");
	finding_panel(&f.pen, &f.view, d);
	assert_written(&f.pen, "╭─ LHP-VAL-007   Validation Error ─────────────────────────╮\n"
	                       "│                                                          │\n"
	                       "│  Key missing                                             │\n"
	                       "│                                                          │\n"
	                       "│  pipelines/x.yaml:2:1                                    │\n"
	                       "│  path is missing                                         │\n"
	                       "│  2 │ source:                                             │\n"
	                       "│    │ ^~~~~~                                              │\n"
	                       "│                                                          │\n"
	                       "│  Context                                                 │\n"
	                       "│    Pipeline: p                                           │\n"
	                       "│                                                          │\n"
	                       "│  More info: lhp explain LHP-VAL-007                      │\n"
	                       "│                                                          │\n"
	                       "╰──────────────────────────────────────────────────────────╯\n");
	arena_release(&f.arena);
}

static void an_unreadable_file_costs_only_the_excerpt(void **state)
{
	struct fixture f;
	struct diag *d;

	(void)state;
	fixture_init(&f);
	d = diag_add(&f.findings, &missing, (struct mark){ "gone.yaml", 4, 1 }, "x");
	finding_body(&f.pen, &f.view, d, 0);
	assert_written(&f.pen, "gone.yaml:4:1\nx\n");
	arena_release(&f.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_is_as_wide_as_the_screen),
		cmocka_unit_test(colours_are_used_only_when_allowed),
		cmocka_unit_test(each_folded_finding_has_its_place_excerpt_and_hint),
		cmocka_unit_test(a_finding_stands_on_one_line_with_its_absolute_file),
		cmocka_unit_test(a_chain_and_the_rule_are_shown_with_details),
		cmocka_unit_test(a_long_line_is_shown_around_its_place),
		cmocka_unit_test(a_panel_holds_the_whole_finding),
		cmocka_unit_test(an_unreadable_file_costs_only_the_excerpt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
