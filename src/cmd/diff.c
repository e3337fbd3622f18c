#include "cmd/project_run.h"
#include "ui/unified.h"

static const struct {
	const char *head;
	enum tone tone;
} state_line[] = {
	[DIFF_CREATE] = { "+ would-create  ", TONE_GREEN },
	[DIFF_MODIFIED] = { "~ modified  ", TONE_YELLOW },
	[DIFF_ORPHAN] = { "- orphan  ", TONE_RED },
};

static void entry_show(struct pen *p, struct arena *a, const struct diff_entry *d, bool unified)
{
	pen_adds(p, state_line[d->state].tone, state_line[d->state].head);
	pen_add(p, TONE_PLAIN, d->path);
	buf_addc(&p->buf, '\n');
	if (unified && d->state == DIFF_MODIFIED)
		unified_diff(p, a, d->before, d->after, str_fmt(a, "%.*s (on disk)", STR_ARG(d->path)),
		             str_fmt(a, "%.*s (planned)", STR_ARG(d->path)));
}

static void diff_show(const struct project_run *run, size_t env)
{
	struct call *c = run->call;
	const struct run_result *r = &run->result[env];
	struct pen p = screen_pen(&c->screen, c->screen.out);

	if (run->options.n_env > 1)
		pen_addf(&p, TONE_BOLD, "env %.*s\n", STR_ARG(run->options.env[env]));
	for (size_t i = 0; i < r->n_diff; i++)
		entry_show(&p, c->arena, &r->diff[i], run->details);
	if (r->n_diff == 0)
		pen_adds(&p, TONE_PLAIN, "No changes — output is up to date.\n");
	screen_write(c->screen.out, &p);
	buf_release(&p.buf);
}

int cmd_diff(struct call *c)
{
	struct project_run run;
	int status = project_run(c, RUN_DIFF, &run);
	bool differs = false;

	if (status != 0)
		return status;
	for (size_t i = 0; i < run.options.n_env; i++) {
		diff_show(&run, i);
		differs = differs || run.result[i].n_diff != 0;
	}
	return differs && opt_given(c->args, "--exit-code") ? STATUS_FAILED : 0;
}
