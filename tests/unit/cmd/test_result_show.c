#include "cmd/project_run.h"
#include "cmd_case.h"
#include "model/rules.h"

/* A run that ended with a result of the test's own. */
struct shown {
	struct arena arena;
	char *out, *err;
	size_t n_out, n_err;
	struct io io;
	struct call call;
	struct str env[2];
	struct run_result result[2];
	struct project_run run;
};

static void shown_init(struct shown *s, enum run_task task)
{
	*s = (struct shown){ 0 };
	s->io = (struct io){ .out = open_memstream(&s->out, &s->n_out),
		             .err = open_memstream(&s->err, &s->n_err),
		             .columns = 60,
		             .getenv = no_env };
	s->call = (struct call){ .io = &s->io, .arena = &s->arena };
	screen_of(&s->call.screen, &s->io, false, false);
	s->env[0] = STR("dev");
	s->env[1] = STR("prod");
	for (int i = 0; i < 2; i++)
		s->result[i] = (struct run_result){ .fatal = { .arena = &s->arena },
			                            .findings = { .arena = &s->arena },
			                            .warnings = { .arena = &s->arena },
			                            .seconds = 1 };
	s->run = (struct project_run){ .call = &s->call, .task = task, .result = s->result };
	s->run.options.env = s->env;
	s->run.options.n_env = 1;
}

static struct diag *finding_add(struct shown *s, const char *pipeline, const char *flowgroup)
{
	struct diag *d =
	    diag_add(&s->result[0].findings, &rule_copy_conflict, (struct mark){ 0 }, "detail of %s", pipeline);

	d->pipeline = str_of(pipeline);
	d->flowgroup = str_of(flowgroup);
	s->result[0].status = 1;
	return d;
}

static void shown_close(struct shown *s, const char *err)
{
	fclose(s->io.out);
	fclose(s->io.err);
	assert_string_equal(s->err, err);
	assert_string_equal(s->out, "");
	free(s->out);
	free(s->err);
	arena_release(&s->arena);
}

static void validate_lists_each_finding_with_its_body(void **state)
{
	struct shown s;

	(void)state;
	shown_init(&s, RUN_VALIDATE);
	s.result[0].pipelines_good = 2;
	finding_add(&s, "alpha", "a1")->file = "pipelines/x.yaml";
	finding_add(&s, "mid", "");
	result_show(&s.run, 0);
	shown_close(&s, "2 validated · 2 failed · 1.0s\n"
	                "alpha / a1  pipelines/x.yaml  LHP-VAL-019  Two source files for one copied Python file\n"
	                "    detail of alpha\n"
	                "mid  LHP-VAL-019  Two source files for one copied Python file\n"
	                "    detail of mid\n"
	                "Re-run with details: lhp validate --env dev --show-details\n");
}

static void a_preflight_finding_of_validate_needs_no_panel(void **state)
{
	struct shown s;

	(void)state;
	shown_init(&s, RUN_VALIDATE);
	diag_add(&s.result[0].fatal, &rule_duplicate_flowgroup, (struct mark){ 0 }, "p.f: a and b");
	s.result[0].preflight_failed = true;
	result_show(&s.run, 0);
	shown_close(
	    &s, "0 validated · 1 failed · 1.0s\n"
	        "LHP-VAL-009  preflight failed — later stages not run  ·  Error [LHP-VAL-009]: Duplicate pipeline and "
	        "flowgroup pairs\n"
	        "LHP-VAL-009  Duplicate pipeline and flowgroup pairs\n"
	        "    p.f: a and b\n");
}

static void generate_shows_one_failing_pipeline_as_a_panel(void **state)
{
	struct shown s;

	(void)state;
	shown_init(&s, RUN_GENERATE);
	finding_add(&s, "p", "f");
	result_show(&s.run, 0);
	shown_close(&s, "╭─ LHP-VAL-019   Validation Error ─────────────────────────╮\n"
	                "│                                                          │\n"
	                "│  Two source files for one copied Python file             │\n"
	                "│                                                          │\n"
	                "│  detail of p                                             │\n"
	                "│                                                          │\n"
	                "│  Context                                                 │\n"
	                "│    Pipeline: p                                           │\n"
	                "│    FlowGroup: f                                          │\n"
	                "│                                                          │\n"
	                "│  More info: lhp explain LHP-VAL-019                      │\n"
	                "│                                                          │\n"
	                "╰──────────────────────────────────────────────────────────╯\n");
}

static void generate_sums_up_several_failing_pipelines(void **state)
{
	struct shown s;

	(void)state;
	shown_init(&s, RUN_GENERATE);
	finding_add(&s, "p", "f");
	finding_add(&s, "p", "g");
	finding_add(&s, "q", "f");
	result_show(&s.run, 0);
	shown_close(&s, "p / f  LHP-VAL-019  Two source files for one copied Python file\n"
	                "    detail of p\n"
	                "p / g  LHP-VAL-019  Two source files for one copied Python file\n"
	                "    detail of p\n"
	                "q / f  LHP-VAL-019  Two source files for one copied Python file\n"
	                "    detail of q\n"
	                "╭─ LHP-VAL-902   Validation Error ─────────────────────────╮\n"
	                "│                                                          │\n"
	                "│  2 pipelines failed; nothing was written                 │\n"
	                "│                                                          │\n"
	                "│  p: LHP-VAL-019 (Two source files for one copied Python  │\n"
	                "│  file)                                                   │\n"
	                "│  q: LHP-VAL-019 (Two source files for one copied Python  │\n"
	                "│  file)                                                   │\n"
	                "│                                                          │\n"
	                "│  More info: lhp explain LHP-VAL-902                      │\n"
	                "│                                                          │\n"
	                "╰──────────────────────────────────────────────────────────╯\n");
}

static void what_ends_all_environments_is_said_once(void **state)
{
	struct shown s;

	(void)state;
	shown_init(&s, RUN_GENERATE);
	s.run.format = MESSAGES_JSON;
	s.run.options.n_env = 2;
	for (int i = 0; i < 2; i++)
		diag_add(&s.result[i].fatal, &rule_no_flowgroups, (struct mark){ 0 }, "none");
	result_show(&s.run, 0);
	result_show(&s.run, 1);
	shown_close(&s, "env dev\n");
}

static void machines_get_no_text_of_findings(void **state)
{
	struct shown s;

	(void)state;
	shown_init(&s, RUN_VALIDATE);
	s.run.format = MESSAGES_SARIF;
	finding_add(&s, "p", "f");
	result_show(&s.run, 0);
	shown_close(&s, "0 validated · 1 failed · 1.0s\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(validate_lists_each_finding_with_its_body),
		cmocka_unit_test(a_preflight_finding_of_validate_needs_no_panel),
		cmocka_unit_test(generate_shows_one_failing_pipeline_as_a_panel),
		cmocka_unit_test(generate_sums_up_several_failing_pipelines),
		cmocka_unit_test(what_ends_all_environments_is_said_once),
		cmocka_unit_test(machines_get_no_text_of_findings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
