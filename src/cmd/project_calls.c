/* project_calls.c - commands that show a part of the project: list, substitutions and inspect-wheel. */
#include "cmd/call.h"
#include "cmd/list.h"
#include "cmd/substitutions.h"
#include "resolve/preset.h"
#include "resolve/resolve.h"

/* A project that is read, for as long as the command runs. */
struct opened {
	struct door *door;
	struct project project;
	struct trace trace;
	struct diags diags;
	struct buf log;
};

/* `presets_said`: the command tells of unusable presets itself. */
static int project_enter(struct call *c, struct opened *o, bool presets_said)
{
	int status = call_open(c);

	*o = (struct opened){ .trace = { .arena = c->arena }, .diags = { .arena = c->arena } };
	if (status != 0)
		return status;
	o->door = door_open(&c->fs);
	door_set_getenv(o->door, c->io->getenv);
	if (project_load(&o->project, o->door, c->arena, &o->trace, &o->diags, &o->log) != 0) {
		panels_print(c->io, &c->fs, &o->diags);
		return STATUS_FAILED;
	}
	if (!presets_said)
		presets_read(&o->project, NULL, &o->log);
	return 0;
}

/* What was logged and found on the way out; the exit status. */
static int project_leave(struct call *c, struct opened *o, int status)
{
	log_print(c->io, &o->log);
	if (status < 0) {
		panels_print(c->io, &c->fs, &o->diags);
		status = STATUS_FAILED;
	}
	project_release(&o->project);
	buf_release(&o->log);
	door_close(o->door);
	return status;
}

int call_list_presets(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o, true);

	return project_leave(c, &o, status != 0 ? status : cmd_list_presets(&o.project, c->io->out, &o.log));
}

int call_list_templates(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o, false);

	return project_leave(c, &o, status != 0 ? status : cmd_list_templates(&o.project, c->io->out, &o.log));
}

int call_list_blueprints(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o, false);

	if (status == 0)
		status =
		    cmd_list_blueprints(&o.project, c->io->out, opt_given(c->args, "--instances"), &o.diags, &o.log);
	return project_leave(c, &o, status);
}

int call_substitutions(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o, false);

	if (status == 0)
		status = cmd_substitutions(&o.project, opt_text(c->args, "--env"), c->io->out, &o.diags, &o.log);
	return project_leave(c, &o, status);
}

int call_inspect_wheel(struct call *c)
{
	struct opened o;
	int status = project_enter(c, &o, false);

	return project_leave(c, &o, status != 0 ? status : cmd_inspect_wheel(c));
}
