#include "cmd/cli.h"

#include "base/path.h"
#include "cmd/call.h"
#include "cmd/dag.h"
#include "cmd/help.h"
#include "ui/panel.h"

/* The level of the Python tool that this program stands in for. */
static const char VERSION[] = "0.9.3";

/* Paths of the command line are relative to io->cwd. */
static bool cwd_has(void *ctx, struct str path, enum fs_type type)
{
	struct io *io = ctx;
	struct arena a = { 0 };
	struct fs fs;
	struct fs_stat st;
	bool has = false;

	if (fs_open(&fs, &a, io->cwd) == 0) {
		has = path.n != 0 && fs_stat(&fs, path, &st) == 0 && st.type == type;
		fs_close(&fs);
	}
	arena_release(&a);
	return has;
}

static bool cwd_has_dir(void *ctx, struct str path)
{
	return cwd_has(ctx, path, FS_DIR);
}

static bool cwd_has_file(void *ctx, struct str path)
{
	return cwd_has(ctx, path, FS_FILE);
}

static int usage_print(struct io *io, struct arena *a, const struct parsed *parsed, struct str problem, struct str hint)
{
	struct screen s;

	screen_of(&s, io, false, false);
	struct pen p = screen_pen(&s, s.err);
	struct str path = parsed_path(a, parsed);
	help_usage(&p.buf, parsed);
	buf_addf(&p.buf, "\nTry '%.*s -h' for help.\n", STR_ARG(path));
	if (hint.n != 0)
		problem = str_fmt(a, "%.*s\n-> %.*s", STR_ARG(problem), STR_ARG(hint));
	panel_draw(&p, TONE_RED, STR("Error"), problem, s.columns);
	screen_write(s.err, &p);
	buf_release(&p.buf);
	return STATUS_USAGE;
}

static int help_print(struct io *io, const struct parsed *parsed, FILE *stream, int status)
{
	struct buf b = { 0 };

	help_text(&b, parsed, io->columns > 0 ? (size_t)io->columns : 80);
	fwrite(b.p, 1, b.n, stream);
	buf_release(&b);
	return status;
}

/* Options that exclude each other, which no table says. NULL when there is none. */
static const char *combination_wrong(const struct args *args)
{
	const char *name = args->command->name;

	if (opt_given(args, "--sandbox") && opt_given(args, "--pipeline"))
		return "'--sandbox' takes its pipelines from the profile: it cannot be used with '-p'.";
	if (strcmp(name, "init") == 0 && opt_given(args, "--sample") && opt_given(args, "--no-bundle"))
		return "'--sample' is a project with a bundle: it cannot be used with '--no-bundle'.";
	if (strcmp(name, "affected") == 0 && !opt_given(args, "--since") && !opt_given(args, "--files"))
		return "Missing option '--since' (or '--files -').";
	return NULL;
}

static bool progress_is_off(const struct args *root, const struct args *args)
{
	return opt_given(root, "--no-progress") || opt_given(args, "--no-progress");
}

static bool for_machine(const struct args *args)
{
	struct str format = opt_text(args, "--message-format");

	return format.n != 0 && !str_is_nocase(format, "text");
}

static int command_run(struct io *io, struct arena *a, const struct parsed *parsed)
{
	const struct args *args = &parsed->level[parsed->n - 1];
	struct call c = { .io = io, .arena = a, .root = &parsed->level[0], .args = args };
	const char *wrong = combination_wrong(args);
	int status;

	if (wrong != NULL)
		return usage_print(io, a, parsed, str_of(wrong), STR_NONE);
	if (args->command->run == NULL) {
		fprintf(io->err, "'%.*s' is not part of this program.\n", STR_ARG(parsed_path(a, parsed)));
		return STATUS_FAILED;
	}
	screen_of(&c.screen, io, !progress_is_off(c.root, args), for_machine(args));
	status = args->command->run(&c);
	if (c.opened)
		fs_close(&c.fs);
	return c.problem.n != 0 ? usage_print(io, a, parsed, c.problem, STR_NONE) : status;
}

int lhp_main(int argc, char **argv, struct io *io)
{
	const struct path_check check = { io, cwd_has_dir, cwd_has_file };
	struct arena a = { 0 };
	struct parsed parsed;
	int status = 0;

	options_parse(&a, &command_root, argc, argv, &check, &parsed);
	switch (parsed.outcome) {
	case PARSE_HELP: status = help_print(io, &parsed, io->out, 0); break;
	case PARSE_VERSION: fprintf(io->out, "%s\n", VERSION); break;
	case PARSE_NO_COMMAND: status = help_print(io, &parsed, io->err, STATUS_USAGE); break;
	case PARSE_BAD: status = usage_print(io, &a, &parsed, parsed.problem, parsed.hint); break;
	case PARSE_RUN: status = command_run(io, &a, &parsed); break;
	}
	/* A full disk or a closed pipe must not look like success. */
	if (fflush(io->out) != 0 || ferror(io->out)) {
		fputs("lhp: cannot write to standard output\n", io->err);
		status = status != 0 ? status : STATUS_MACHINE;
	}
	arena_release(&a);
	return status;
}

static int dag_run(struct call *c, bool deprecated)
{
	const struct args *a = c->args;
	struct dag_options o = { .format = opt_text(a, "--format"),
		                 .output = opt_text(a, "--output"),
		                 .job_name = opt_text(a, "--job-name"),
		                 .job_config = opt_text(a, "--job-config"),
		                 .pipeline = opt_text(a, "--pipeline"),
		                 .blueprint = opt_text(a, "--blueprint"),
		                 .env = opt_text(a, "--env"),
		                 .bundle_output = opt_given(a, "--bundle-output"),
		                 .trust_depends_on = opt_given(a, "--trust-depends-on"),
		                 .no_cache = opt_given(a, "--no-cache"),
		                 .expand_blueprints = opt_given(a, "--expand-blueprints"),
		                 .deprecated_alias = deprecated,
		                 .has_max_workers = opt_given(a, "--max-workers"),
		                 .max_workers = opt_number(a, "--max-workers") };

	return cmd_dag(c->io, &o);
}

int call_dag(struct call *c)
{
	return dag_run(c, false);
}

int call_deps(struct call *c)
{
	return dag_run(c, true);
}

int cmd_telemetry(struct call *c)
{
	fputs("Nothing is reported: this program sends no data about its use.\n", c->io->out);
	return 0;
}
