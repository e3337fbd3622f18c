#include "cmd/call.h"

#include "model/rules.h"
#include "project/project.h"
#include "ui/text.h"

int folder_open(struct io *io, struct arena *a, struct fs *fs, struct str dir)
{
	int rc = fs_open(fs, a, dir);

	if (rc == 0)
		return 0;
	fprintf(io->err, "lhp: cannot open %.*s: %s\n", STR_ARG(dir), strerror(-rc));
	return STATUS_MACHINE;
}

int root_open(struct io *io, struct arena *a, struct fs *fs, struct diags *ds)
{
	struct str root = project_find_root(a, io->cwd);
	struct diag *d;

	if (root.n == 0) {
		d = diag_add(ds, &rule_not_a_project, (struct mark){ 0 }, "There is no lhp.yaml in %.*s or in any folder above it",
		             STR_ARG(io->cwd));
		diag_hint(ds, d, "Go to the folder of a project\nOr start one here: lhp init NAME");
		return STATUS_FAILED;
	}
	return folder_open(io, a, fs, root);
}

int call_open(struct call *c)
{
	struct diags ds = { .arena = c->arena };
	int status = root_open(c->io, c->arena, &c->fs, &ds);

	c->opened = status == 0;
	panels_print(c->io, NULL, &ds);
	return status;
}

struct finding_view call_view(struct call *c, bool rule_names)
{
	return (struct finding_view){ .arena = c->arena,
		                      .fs = c->opened ? &c->fs : NULL,
		                      .rule_names = rule_names,
		                      .columns = c->screen.columns };
}

void screen_of(struct screen *s, struct io *io, bool progress, bool machine)
{
	struct screen_facts facts = { .out = io->out,
		                      .err = io->err,
		                      .out_is_terminal = io->out_is_terminal,
		                      .err_is_terminal = io->err_is_terminal,
		                      .columns = io->columns,
		                      .getenv = io->getenv,
		                      .no_progress = !progress,
		                      .machine = machine };

	screen_init(s, &facts);
}

void warning_print(struct io *io, struct str line)
{
	struct arena a = { 0 };

	fprintf(io->err, "WARNING: %.*s\n", STR_ARG(text_safe(&a, line)));
	arena_release(&a);
}

void log_print(struct io *io, struct buf *log)
{
	struct str rest = buf_str(log), line;

	while (rest.n != 0 && str_cut(&rest, '\n', &line))
		if (line.n != 0)
			warning_print(io, line);
	buf_reset(log);
}

void panels_print(struct io *io, struct fs *fs, const struct diags *ds)
{
	struct arena a = { 0 };
	struct screen s;

	screen_of(&s, io, false, false);
	struct finding_view v = { .arena = &a, .fs = fs, .rule_names = true, .columns = s.columns };
	struct pen p = screen_pen(&s, s.err);
	for (size_t i = 0; i < ds->n; i++)
		finding_panel(&p, &v, &ds->p[i]);
	screen_write(s.err, &p);
	buf_release(&p.buf);
	arena_release(&a);
}
