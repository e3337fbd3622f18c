#include "cmd/project_run.h"

#include "base/path.h"
#include "base/vec.h"
#include "cmd/trace_file.h"
#include "ui/trail.h"

#include <inttypes.h>
#include <sys/resource.h>

struct envs {
	VEC_OF(struct str)
};

static void env_add(struct envs *envs, struct arena *a, struct str name)
{
	for (size_t i = 0; i < envs->n; i++)
		if (str_eq(envs->p[i], name))
			return;
	*VEC_PUSH(envs, a) = name;
}

/* "all": every substitutions/NAME.yaml, by name. */
static void envs_list(struct call *c, struct envs *envs)
{
	struct fs_listing l = { 0 };

	if (fs_list(&c->fs, STR("substitutions"), c->arena, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++)
		if (l.entry[i].type != FS_DIR && str_is(path_ext(l.entry[i].name), ".yaml"))
			env_add(envs, c->arena, path_stem(l.entry[i].name));
}

/* "dev", "dev,prod", "all". */
static int envs_read(struct call *c, struct run_options *o)
{
	struct str given = opt_text(c->args, "--env"), rest = given, name;
	bool all = str_is(given, "all");
	struct envs envs = { 0 };

	if (all)
		envs_list(c, &envs);
	else if (str_find_char(given, ',', 0) < 0)
		env_add(&envs, c->arena, given);
	else
		while (str_cut(&rest, ',', &name))
			if (!str_blank(name))
				env_add(&envs, c->arena, str_trim(name));
	if (envs.n == 0 && !all) {
		c->problem = str_fmt(c->arena, "Invalid value for '--env': '%.*s' names no environment.", STR_ARG(given));
		return STATUS_USAGE;
	}
	if (envs.n == 0) {
		fputs("lhp: there is no environment: substitutions/ holds no NAME.yaml\n", c->io->err);
		return STATUS_FAILED;
	}
	o->env = envs.p;
	o->n_env = envs.n;
	return 0;
}

struct run_options run_options_of(const struct args *a, enum run_task task)
{
	long workers = opt_number(a, "--max-workers");

	return (struct run_options){ .task = task,
		                     .pipeline = opt_text(a, "--pipeline"),
		                     .output = opt_text(a, "--output"),
		                     .pipeline_config = opt_text(a, "--pipeline-config"),
		                     .include_tests = opt_given(a, "--include-tests"),
		                     .no_bundle = opt_given(a, "--no-bundle") || task == RUN_DIFF,
		                     .no_format = opt_given(a, "--no-format"),
		                     .sandbox = opt_given(a, "--sandbox"),
		                     .strict = opt_given(a, "--strict"),
		                     .no_cache = opt_given(a, "--no-cache"),
		                     .verify = opt_given(a, "--verify"),
		                     .no_wait = opt_given(a, "--no-wait"),
		                     .workers = workers > 0 ? (size_t)workers : 0,
		                     .unified = opt_given(a, "--show-details") };
}

/* What the listener of a run writes to: the trail, the log file, the trace file. */
struct ear {
	struct project_run *run;
	struct trail trail;
	struct buf log;
	struct trace_file trace;
};

/* A line for the log file, and with -v for standard error. */
static void ear_info(struct ear *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void ear_info(struct ear *e, const char *fmt, ...)
{
	size_t start = e->log.n;
	va_list ap;

	buf_adds(&e->log, "INFO: ");
	va_start(ap, fmt);
	buf_vaddf(&e->log, fmt, ap);
	va_end(ap);
	buf_addc(&e->log, '\n');
	if (opt_given(e->run->call->root, "--verbose"))
		fwrite(e->log.p + start, 1, e->log.n - start, e->run->call->io->err);
}

static void ear_env(void *ctx, struct str name)
{
	struct ear *e = ctx;

	trace_file_env(&e->trace, name);
	if (e->run->options.n_env > 1)
		trail_env(&e->trail, name);
}

static void ear_phase(void *ctx, const char *name, bool good, double seconds)
{
	struct ear *e = ctx;

	ear_info(e, "phase %s %s, %.6f s", name, good ? "done" : "failed", seconds);
	trace_file_phase(&e->trace, name, seconds);
	trail_phase(&e->trail, name, good, seconds);
}

static void ear_pipeline(void *ctx, struct str name, size_t files, const struct diag *failed)
{
	struct ear *e = ctx;

	ear_info(e, "pipeline %.*s %s", STR_ARG(name), failed == NULL ? "done" : failed->rule->code);
	trail_pipeline(&e->trail, name, files, failed);
}

static void ear_warning(void *ctx, const struct diag *d)
{
	trail_warning(&((struct ear *)ctx)->trail, d);
}

static void ear_log(void *ctx, struct str line)
{
	struct ear *e = ctx;

	buf_addf(&e->log, "WARNING: %.*s\n", STR_ARG(line));
	trail_log(&e->trail, line);
}

static void ear_progress(void *ctx, size_t done, size_t total, struct str pipeline)
{
	struct ear *e = ctx;

	trace_file_count(&e->trace, done);
	trail_progress(&e->trail, done, total, pipeline);
}

static void ear_unit(void *ctx, const struct unit_span *span)
{
	trace_file_unit(&((struct ear *)ctx)->trace, span);
}

static void log_write(struct call *c, const char *path, struct buf *log)
{
	int rc = fs_mkdirs(&c->fs, STR(".lhp/logs"));

	if (rc == 0)
		rc = fs_replace(&c->fs, str_of(path), buf_str(log));
	if (rc != 0)
		warning_print(c->io, str_fmt(c->arena, "%s cannot be written: %s", path, strerror(-rc)));
}

/* The file of --trace is relative to the current folder. */
static void trace_write(struct call *c, struct trace_file *trace)
{
	struct str path = path_join(c->arena, c->io->cwd, opt_text(c->args, "--trace"));
	int rc = trace_file_write(trace, &c->fs, path);

	if (rc != 0)
		warning_print(c->io, str_fmt(c->arena, "%.*s cannot be written: %s", STR_ARG(path), strerror(-rc)));
}

static void run_start(struct project_run *run)
{
	struct call *c = run->call;
	struct ear ear = { .run = run };
	const struct run_listener listener = { .ctx = &ear,
		                               .env = ear_env,
		                               .phase = ear_phase,
		                               .pipeline = ear_pipeline,
		                               .warning = ear_warning,
		                               .log = ear_log,
		                               .unit = opt_given(c->args, "--trace") ? ear_unit : NULL,
		                               .progress = ear_progress };

	if (opt_given(c->args, "--trace"))
		trace_file_start(&ear.trace);
	trail_start(&ear.trail, &c->screen, c->arena, run->details && run->task != RUN_DIFF, c->fs.root);
	run_project(&c->fs, &run->options, &listener, c->arena, run->result);
	trail_finish(&ear.trail);
	if (opt_given(c->root, "--log-file"))
		log_write(c, ".lhp/logs/lhp.log", &ear.log);
	if (opt_given(c->root, "--perf"))
		log_write(c, ".lhp/logs/perf.log", &ear.log);
	if (opt_given(c->args, "--trace"))
		trace_write(c, &ear.trace);
	buf_release(&ear.log);
}

static void stats_show(const struct project_run *run, const struct run_result *r)
{
	static const char *const hits[HITS_KINDS] = {
		[HITS_INPUTS] = "inputs: stat was enough",
		[HITS_OUTPUTS] = "outputs: stat was enough",
		[HITS_FILES] = "flowgroup files not parsed",
		[HITS_UNITS] = "flowgroups reused",
	};
	FILE *err = run->call->io->err;
	struct rusage usage;

	for (size_t i = 0; i < r->n_stat; i++)
		fprintf(err, "  %-28.*s %10zu %10.1f ms\n", STR_ARG(r->stat[i].name), r->stat[i].count, r->stat[i].ms);
	for (enum hits_kind k = 0; k < HITS_KINDS; k++)
		fprintf(err, "  %-28s %10" PRIu64 " of %" PRIu64 "\n", hits[k], r->hits[k].known, r->hits[k].of);
	fprintf(err, "  %-28s %10" PRIu64 " bytes\n", "hashed", r->hashed_bytes);
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		fprintf(err, "  %-28s %10.1f MB\n", "peak memory", (double)usage.ru_maxrss / 1024);
}

static void messages_print(const struct project_run *run, const struct messages *m, size_t n)
{
	struct buf b = { 0 };

	messages_write(&b, run->format, m, n);
	if (b.n != 0)
		fwrite(b.p, 1, b.n, run->call->io->out);
	buf_release(&b);
}

static void results_print(const struct project_run *run)
{
	struct messages *m = ARENA_ARRAY(run->call->arena, struct messages, run->options.n_env);

	for (size_t i = 0; i < run->options.n_env; i++) {
		const struct run_result *r = &run->result[i];

		m[i] = (struct messages){ .command = run->call->args->command->name,
			                  .env = run->options.env[i],
			                  .list = { &r->fatal, &r->findings, &r->warnings },
			                  .status = r->status,
			                  .units = r->units,
			                  .rebuilt = r->rebuilt,
			                  .written = r->written,
			                  .removed = r->removed,
			                  .seconds = r->seconds };
	}
	messages_print(run, m, run->options.n_env);
}

/* That there is nothing to run is told like any other finding. */
static void absence_show(const struct project_run *run, const struct diags *found, int status)
{
	const struct args *args = run->call->args;
	const struct messages m = { .command = args->command->name, .env = opt_text(args, "--env"), .list = { found }, .status = status };

	if (run->format == MESSAGES_TEXT)
		panels_print(run->call->io, NULL, found);
	else
		messages_print(run, &m, 1);
}

int project_run(struct call *c, enum run_task task, struct project_run *run)
{
	struct diags absent = { .arena = c->arena };
	int status = root_open(c->io, c->arena, &c->fs, &absent);

	c->opened = status == 0;
	*run = (struct project_run){ .call = c,
		                     .task = task,
		                     .details = opt_given(c->args, "--show-details"),
		                     .format = message_format_of(opt_text(c->args, "--message-format")) };
	if (status != 0)
		absence_show(run, &absent, status);
	run->options = run_options_of(c->args, task);
	if (status == 0)
		status = envs_read(c, &run->options);
	if (status != 0)
		return status;
	run->result = ARENA_ARRAY(c->arena, struct run_result, run->options.n_env);
	run_start(run);
	for (size_t i = 0; i < run->options.n_env; i++) {
		result_show(run, i);
		if (run->result[i].status > status)
			status = run->result[i].status;
	}
	if (opt_given(c->args, "--stats"))
		stats_show(run, &run->result[0]); /* they are of the whole run */
	if (run->format != MESSAGES_TEXT)
		results_print(run);
	return status;
}
