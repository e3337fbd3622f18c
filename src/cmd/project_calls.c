/* project_calls.c - commands that show a part of the project: list, substitutions and inspect-wheel. */
#include "cmd/call.h"
#include "cmd/list.h"
#include "cmd/substitutions.h"

/* A project that is read, for as long as the command runs. */
struct opened {
	struct door *door;
	struct project project;
	struct trace trace;
	struct diags diags;
	struct buf log;
};

static void log_print(struct call *c, struct buf *log)
{
	struct str rest = buf_str(log), line;

	while (rest.n != 0 && str_cut(&rest, '\n', &line))
		if (line.n != 0)
			fprintf(c->io->err, "WARNING: %.*s\n", STR_ARG(line));
	buf_reset(log);
}

static int project_enter(struct call *c, struct opened *o)
{
	int status = call_open(c);

	*o = (struct opened){ .trace = { .arena = c->arena }, .diags = { .arena = c->arena } };
	if (status != 0)
		return status;
	o->door = door_open(&c->fs);
	door_set_getenv(o->door, c->io->getenv);
	if (project_load(&o->project, o->door, c->arena, &o->trace, &o->diags, &o->log) == 0)
		return 0;
	panels_print(c->io, &c->fs, &o->diags);
	return 1;
}

/* What was logged and found on the way out; the exit status. */
static int project_leave(struct call *c, struct opened *o, int status)
{
	log_print(c, &o->log);
	if (status < 0) {
		panels_print(c->io, &c->fs, &o->diags);
		status = 1;
	}
	buf_release(&o->log);
	door_close(o->door);
	return status;
}

int call_list_presets(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o);

	return project_leave(c, &o, status != 0 ? status : cmd_list_presets(&o.project, c->io->out, &o.log));
}

int call_list_templates(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o);

	return project_leave(c, &o, status != 0 ? status : cmd_list_templates(&o.project, c->io->out, &o.log));
}

int call_list_blueprints(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o);

	if (status == 0)
		status =
		    cmd_list_blueprints(&o.project, c->io->out, opt_given(c->args, "--instances"), &o.diags, &o.log);
	return project_leave(c, &o, status);
}

int call_substitutions(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o);

	if (status == 0)
		status = cmd_substitutions(&o.project, opt_text(c->args, "--env"), c->io->out, &o.diags, &o.log);
	return project_leave(c, &o, status);
}

int call_inspect_wheel(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o);

	return project_leave(c, &o, status != 0 ? status : cmd_inspect_wheel(c));
}
