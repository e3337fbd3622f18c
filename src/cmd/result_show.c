/* result_show.c - what a finished run says (spec/errors.md, section 8). */
#include "cmd/project_run.h"
#include "model/rules.h"
#include "ui/summary.h"

size_t failing_units(struct arena *a, const struct diags *findings, const struct diag ***unit)
{
	struct map seen = { 0 };
	size_t n = 0;

	*unit = ARENA_ARRAY(a, const struct diag *, findings->n + 1);
	for (size_t i = 0; i < findings->n; i++) {
		const struct diag *d = &findings->p[i];

		if (d->pipeline.n == 0 || map_add(&seen, a, d->pipeline))
			(*unit)[n++] = d;
	}
	return n;
}

static void panels_add(struct pen *p, struct finding_view *v, const struct diags *ds)
{
	for (size_t i = 0; i < ds->n; i++)
		finding_panel(p, v, &ds->p[i]);
}

static void listing_add(struct pen *p, struct finding_view *v, const struct diags *ds)
{
	struct pen line = { .weights = p->weights, .colours = p->colours };

	for (size_t i = 0; i < ds->n; i++) {
		finding_line(&line, v, &ds->p[i]);
		buf_add(&p->buf, buf_str(&line.buf));
		buf_reset(&line.buf);
		finding_body(p, v, &ds->p[i], 4);
	}
	buf_release(&line.buf);
}

/* One panel for all: each failing unit with its code and title. */
static void several_add(struct pen *p, struct finding_view *v, const struct diag **unit, size_t n)
{
	struct diags ds = { .arena = v->arena };
	struct buf list = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct str title = diag_title_of(unit[i]);

		buf_addf(&list, "%s%.*s: %s (%.*s)", i != 0 ? "\n" : "",
		         STR_ARG(unit[i]->pipeline.n != 0 ? unit[i]->pipeline : STR("project")), unit[i]->rule->code,
		         STR_ARG(title));
	}
	struct diag *d = diag_add(&ds, &rule_several_failed, (struct mark){ 0 }, "%.*s", STR_ARG(buf_str(&list)));
	diag_title(&ds, d, "%zu pipelines failed; nothing was written", n);
	buf_release(&list);
	finding_panel(p, v, d);
}

static void failures_add(struct pen *p, struct finding_view *v, const struct diags *findings)
{
	const struct diag **unit;
	size_t n = failing_units(v->arena, findings, &unit);

	if (n == 1) {
		panels_add(p, v, findings);
		return;
	}
	listing_add(p, v, findings);
	several_add(p, v, unit, n);
}

static void counts_add(struct pen *p, const struct project_run *run, const struct run_result *r)
{
	struct summary s = { .generate = run->task == RUN_GENERATE,
		             .up_to_date = r->up_to_date,
		             .pipelines = r->pipelines_good,
		             .files = r->files,
		             .warnings = r->warnings.n,
		             .failed = r->findings.n + r->fatal.n,
		             .units = r->units,
		             .rebuilt = r->rebuilt,
		             .written = r->written,
		             .removed = r->removed,
		             .seconds = r->seconds };

	summary_counts(p, &s);
	if (!run->details)
		summary_warnings(p, run->call->arena, &r->warnings, run->call->screen.columns);
}

static void preflight_add(struct pen *p, struct finding_view *v, const struct diags *fatal)
{
	const struct diag *first = &fatal->p[0];
	struct str title = diag_title_of(first);

	pen_adds(p, category_tone(first->rule->code), first->rule->code);
	pen_addf(p, TONE_PLAIN, "  preflight failed — later stages not run  ·  Error [%s]: %.*s\n", first->rule->code,
	         STR_ARG(title));
	listing_add(p, v, fatal);
}

static void validate_show(const struct project_run *run, const struct run_result *r, struct pen *p,
                          struct finding_view *v)
{
	const struct str env = run->options.env[r - run->result];
	bool text = run->format == MESSAGES_TEXT;

	if (r->fatal.n != 0 && !r->preflight_failed) {
		if (text)
			panels_add(p, v, &r->fatal);
		return;
	}
	counts_add(p, run, r);
	if (!text)
		return;
	if (r->fatal.n != 0)
		preflight_add(p, v, &r->fatal);
	else if (run->details)
		panels_add(p, v, &r->findings);
	else
		listing_add(p, v, &r->findings);
	if (r->findings.n == 0)
		return;
	pen_addf(p, TONE_DIM,
	         run->details ? "Fix the issues above, then re-run: lhp validate --env %.*s\n"
	                      : "Re-run with details: lhp validate --env %.*s --show-details\n",
	         STR_ARG(env));
}

/* generate and diff: panels end them; only a clean generate has a summary. */
static void planned_show(const struct project_run *run, const struct run_result *r, struct pen *p,
                         struct finding_view *v)
{
	if (run->format == MESSAGES_TEXT) {
		panels_add(p, v, &r->fatal);
		if (r->findings.n != 0)
			failures_add(p, v, &r->findings);
	}
	if (r->fatal.n + r->findings.n == 0 && r->status <= 1 && run->task == RUN_GENERATE)
		counts_add(p, run, r);
}

static bool same_finding(const struct diag *a, const struct diag *b)
{
	return a->rule == b->rule && a->at.line == b->at.line && str_eq(str_of(a->at.file), str_of(b->at.file)) &&
	       str_eq(a->detail, b->detail);
}

void result_show(const struct project_run *run, size_t env)
{
	struct call *c = run->call;
	const struct run_result *r = &run->result[env], *before = &run->result[0];
	struct finding_view v = call_view(c, run->details);
	struct pen p = screen_pen(&c->screen, c->screen.err);

	/* What ends the run for all environments is said once. */
	if (env > 0 && r->fatal.n != 0 && before->fatal.n != 0 && same_finding(&r->fatal.p[0], &before->fatal.p[0]))
		return;
	if (run->options.n_env > 1)
		pen_addf(&p, TONE_BOLD, "env %.*s\n", STR_ARG(run->options.env[env]));
	if (run->task == RUN_VALIDATE)
		validate_show(run, r, &p, &v);
	else
		planned_show(run, r, &p, &v);
	screen_write(c->screen.err, &p);
	buf_release(&p.buf);
}
