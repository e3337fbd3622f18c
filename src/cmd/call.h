/*
 * call.h - one call of one command: its words, streams and memory.
 *
 * Made by cli.c, handed to every command. Commands return an exit status; what they
 * open in it (call_open) is closed by cli.c.
 */
#ifndef LHP_CMD_CALL_H
#define LHP_CMD_CALL_H

#include "base/diag.h"
#include "base/fs.h"
#include "cmd/cli.h"
#include "cmd/options.h"
#include "ui/finding.h"
#include "ui/screen.h"

struct call {
	struct io *io;
	struct arena *arena;
	const struct args *root;  /* options of lhp itself */
	const struct args *args;  /* of the command */
	struct screen screen;
	struct fs fs;             /* the project, when `opened` */
	bool opened;
	struct str problem;       /* set by a command that returns STATUS_USAGE: what is wrong with its words */
};

/* 0, or an exit status, with the reason on io->err. */
int folder_open(struct io *io, struct arena *a, struct fs *fs, struct str dir);
/* Opens the project that holds io->cwd. 0, or an exit status with the finding in `ds` (LHP-CFG-011). */
int root_open(struct io *io, struct arena *a, struct fs *fs, struct diags *ds);
/* Opens the project of the call. 0, or an exit status with the finding printed. */
int call_open(struct call *c);
struct finding_view call_view(struct call *c, bool rule_names);
/* Every finding as a panel on io->err, for commands without a trail. `fs` may be NULL. */
void panels_print(struct io *io, struct fs *fs, const struct diags *ds);
/* "WARNING: LINE" on io->err, with nothing in it that could steer a terminal. */
void warning_print(struct io *io, struct str line);
/* The lines of a log as warnings; empties it. */
void log_print(struct io *io, struct buf *log);
/* The screen of an io, with a live display or without; findings go to a machine on its `out` or not. */
void screen_of(struct screen *s, struct io *io, bool progress, bool machine);

int cmd_validate(struct call *c);
int cmd_generate(struct call *c);
int cmd_diff(struct call *c);
/* Commands whose own headers know nothing of a call: dag.h, list.h, substitutions.h. */
int call_dag(struct call *c);
int call_deps(struct call *c); /* the deprecated name of dag */
int call_list_presets(struct call *c);
int call_list_templates(struct call *c);
int call_list_blueprints(struct call *c);
int call_substitutions(struct call *c);
int call_inspect_wheel(struct call *c);
int cmd_inspect_wheel(struct call *c); /* in a project that was opened and read */
int cmd_telemetry(struct call *c);
int cmd_explain(struct call *c);
int cmd_schema(struct call *c);
int cmd_init(struct call *c);
int cmd_affected(struct call *c);
int cmd_watch(struct call *c);
int cmd_why(struct call *c);
int cmd_cache_stats(struct call *c);
int cmd_cache_verify(struct call *c);
int cmd_cache_clear(struct call *c);
int cmd_cache_export(struct call *c);
int cmd_cache_import(struct call *c);

extern const struct command command_root;

#endif
