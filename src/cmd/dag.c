#include "cmd/dag.h"

#include "base/path.h"
#include "build/reading.h"
#include "cmd/call.h"
#include "cmd/dag_write.h"
#include "model/rules.h"
#include "resolve/preset.h"
#include "resolve/resolve.h"
#include "resolve/token.h"

enum format { DOT = 1, JSON = 2, TEXT = 4, JOB = 8, HTML = 16, FORMATS_ALL = DOT | JSON | TEXT | JOB };

static const struct {
	const char *word;
	unsigned formats;
} format_words[] = {
	{ "dot", DOT }, { "json", JSON }, { "text", TEXT }, { "job", JOB }, { "html", HTML }, { "all", FORMATS_ALL },
};

static int usage_wrong(struct io *io, struct str problem)
{
	fprintf(io->err, "Usage: lhp dag [OPTIONS]\nTry 'lhp dag -h' for help.\nError: %.*s\n", STR_ARG(problem));
	return STATUS_USAGE;
}

static int formats_read(struct io *io, struct arena *a, struct str text, unsigned *formats)
{
	struct str word;
	*formats = 0;
	if (text.p == NULL)
		text = STR("all");
	while (str_cut(&text, ',', &word)) {
		unsigned found = 0;
		word = str_trim(word);
		for (size_t i = 0; i < sizeof format_words / sizeof *format_words; i++)
			if (str_is_nocase(word, format_words[i].word))
				found = format_words[i].formats;
		if (found == 0 && word.n > 0)
			return usage_wrong(
			    io, str_fmt(a, "'%.*s' is no format: dot, json, text, job, html or all.", STR_ARG(word)));
		*formats |= found;
	}
	return 0;
}

/* --- writing --- */

struct output {
	struct dag *d;
	struct fs *fs;
	struct str folder, shown; /* absolute; as the user would write it */
	struct {
		VEC_OF(struct str)
	} line; /* of the table of files */
};

/* 0, or an exit status with a finding; so do those below. */
static int file_write(struct output *out, struct str folder, struct str shown, const char *format, struct str label,
                      struct str name, struct str bytes)
{
	struct arena *a = out->d->arena;
	struct str path = path_join(a, folder, name);
	int rc = fs_mkdirs(out->fs, path_parent(path));
	if (rc == 0)
		rc = fs_replace(out->fs, path, bytes);
	if (rc != 0) {
		struct diag *diag = diag_add(&out->d->fatal, &rule_output_unwritable, (struct mark){ 0 }, "%.*s: %s",
		                             STR_ARG(path), strerror(-rc));
		diag_hint(&out->d->fatal, diag, "check the folder and its permissions, or choose another with -o");
		return STATUS_MACHINE;
	}
	*VEC_PUSH(&out->line, a) =
	    str_fmt(a, "%s\t%.*s\t%.*s", format, STR_ARG(label), STR_ARG(path_join(a, shown, name)));
	return 0;
}

static const struct {
	enum format format;
	const char *word, *name;
	void (*write)(const struct dag *d, struct buf *b);
	bool listed;
} plain_files[] = {
	{ DOT, "DOT", "pipeline_dependencies.dot", dag_dot_pipelines, true },
	{ DOT, "DOT", "flowgroup_dependencies.dot", dag_dot_flowgroups, true },
	{ JSON, "JSON", "pipeline_dependencies.json", dag_json_write, true },
	{ TEXT, "TEXT", "pipeline_dependencies.txt", dag_text_write, true },
	{ HTML, "HTML", "lineage.html", dag_html_write, true },
};

static int plain_files_write(struct output *out, unsigned formats)
{
	struct buf b = { 0 };
	int status = 0;
	for (size_t i = 0; i < sizeof plain_files / sizeof *plain_files && status == 0; i++) {
		if (!(formats & plain_files[i].format))
			continue;
		buf_reset(&b);
		plain_files[i].write(out->d, &b);
		status = file_write(out, out->folder, out->shown, plain_files[i].word, STR("-"),
		                    str_of(plain_files[i].name), buf_str(&b));
	}
	buf_release(&b);
	return status;
}

/* One cycle stops the jobs of all pipelines: say whose it is. */
static void cycle_tell(struct dag *d)
{
	const struct lineage *l = &d->lineage;
	struct map names = { 0 };
	for (size_t i = 0; i < l->cycle.n; i++)
		for (size_t k = 0; k < l->cycle.p[i].step.n; k++) {
			uint32_t flowgroup = l->action.p[l->cycle.p[i].step.p[k].reader].flowgroup;
			map_add(&names, d->arena, l->pipeline.p[l->flowgroup.p[flowgroup].pipeline].name);
		}
	uint32_t *order = map_sorted(&names, d->arena);
	fputs("WARNING: no job files: the circular dependencies of", d->io->err);
	for (size_t i = 0; i < names.n; i++)
		fprintf(d->io->err, "%s %.*s", i > 0 ? "," : "", STR_ARG(names.entry[order[i]].key));
	fputs(" leave no order for the tasks\n", d->io->err);
}

static int jobs_write(struct output *out)
{
	struct dag *d = out->d;
	struct dag_jobs jobs = { 0 };
	struct str folder = out->folder, shown = out->shown;
	int status = 0;
	if (d->filtered) {
		fputs("WARNING: no job files: a job is of the whole project, and -p or --blueprint leaves some of it "
		      "out\n",
		      d->io->err);
		return 0;
	}
	if (d->lineage.cycle.n > 0) {
		cycle_tell(d);
		return 0;
	}
	if (dag_jobs_make(d, &jobs) < 0)
		return STATUS_FAILED;
	if (d->o->bundle_output) {
		folder = path_join(d->arena, d->root, STR("resources"));
		shown = STR("resources");
	}
	for (size_t i = 0; i < jobs.n && status == 0; i++) {
		struct str name = str_fmt(d->arena, "%.*s.job.yml", STR_ARG(jobs.p[i].name));
		status = file_write(out, folder, shown, "JOB", jobs.p[i].master ? STR("_master") : jobs.p[i].name, name,
		                    jobs.p[i].text);
	}
	return status;
}

static void files_show(const struct output *out)
{
	FILE *f = out->d->io->out;
	if (out->line.n == 0) {
		fputs("Nothing written.\n", f);
		return;
	}
	fputs("Generated files\nFormat\tLabel\tPath\n", f);
	for (size_t i = 0; i < out->line.n; i++)
		fprintf(f, "%.*s\n", STR_ARG(out->line.p[i]));
}

static int files_write(struct dag *d, struct fs *fs, unsigned formats)
{
	struct output out = { .d = d, .fs = fs };
	out.shown = d->o->output.p != NULL ? d->o->output : STR(".lhp/dependencies");
	out.folder = path_join(d->arena, d->io->cwd, out.shown);
	path_normal(d->arena, str_skip(out.folder, 1), &out.folder);
	out.folder = str_fmt(d->arena, "/%.*s", STR_ARG(out.folder));
	fs_mkdirs(fs, out.folder);
	int status = plain_files_write(&out, formats);
	if (status == 0 && formats & JOB)
		status = jobs_write(&out);
	if (status == 0)
		files_show(&out);
	return status;
}

/* --- the command --- */

static int options_check(struct io *io, struct arena *a, const struct dag_options *o, struct fs *fs, struct str root)
{
	struct str output = path_join(a, io->cwd, o->output), config = path_join(a, root, o->job_config);
	if (o->output.n > 0 && fs_is_file(fs, output))
		return usage_wrong(io, str_fmt(a, "'%.*s' is a file: -o takes a folder.", STR_ARG(o->output)));
	if (o->job_config.n > 0 && fs_is_dir(fs, config))
		return usage_wrong(io, str_fmt(a, "'%.*s' is a folder: -jc takes a file.", STR_ARG(o->job_config)));
	return 0;
}

static void deprecated_tell(const struct io *io, const struct dag_options *o)
{
	if (o->deprecated_alias)
		fputs("'lhp deps' is deprecated: use 'lhp dag'.\n", io->err);
	if (o->expand_blueprints)
		fputs("--expand-blueprints is deprecated and has no effect: blueprints are always expanded.\n",
		      io->err);
}

static int analysis_run(struct dag *d, struct fs *fs, unsigned formats)
{
	struct buf log = { 0 };
	bool keep = d->o->env.n == 0;
	struct str env = keep ? STR("dev") : d->o->env;
	int rc = -1;
	struct tokens *tokens = tokens_load(d->project, d->arena, env, keep, &d->fatal, &log);
	if (tokens != NULL) {
		d->env = (struct env){ .name = env, .tokens = tokens, .include_tests = true, .keep_tokens = true };
		presets_read(d->project, &d->trace, &log);
		log_print(d->io, &log);
		rc = dag_analyse(d);
	}
	buf_release(&log);
	if (rc < 0)
		return STATUS_FAILED;
	dag_show(d);
	return files_write(d, fs, formats);
}

static void log_say(void *ctx, struct str line)
{
	const struct io *io = ctx;
	fprintf(io->err, "%.*s\n", STR_ARG(line));
}

static struct reading *memory_open(struct dag *d, struct fs *fs)
{
	const struct dag_options *o = d->o;
	struct str view = str_fmt(d->arena, "dag env=%.*s trust=%d", STR_ARG(o->env), o->trust_depends_on);
	size_t workers = o->has_max_workers ? (size_t)o->max_workers : 0;
	return reading_open(fs, d->project, &(struct reading_options){ view, o->no_cache, workers, log_say, d->io });
}

static int project_run_dag(struct dag *d, struct fs *fs, unsigned formats)
{
	struct project project = { 0 };
	struct buf log = { 0 };
	struct door *door = door_open(fs);
	door_set_getenv(door, d->io->getenv);
	d->project = &project;
	d->reading = memory_open(d, fs);
	int status = project_load(&project, door, d->arena, &d->trace, &d->fatal, &log) < 0 ? STATUS_FAILED : 0;
	log_print(d->io, &log);
	buf_release(&log);
	if (status == 0) {
		d->name = project.name.n > 0 ? project.name : path_base(d->root);
		status = analysis_run(d, fs, formats);
		project_release(&project);
	}
	panels_print(d->io, fs, &d->fatal);
	reading_close(d->reading);
	door_close(door);
	return status;
}

static int dag_run(struct io *io, struct arena *a, const struct dag_options *o)
{
	struct dag d = { .io = io, .o = o, .arena = a, .trace = { .arena = a }, .fatal = { .arena = a } };
	struct fs fs;
	unsigned formats;
	int status = formats_read(io, a, o->format, &formats);
	if (status != 0)
		return status;
	if (o->has_max_workers && o->max_workers < 1)
		return usage_wrong(io, STR("--max-workers takes a number from 1."));
	status = root_open(io, a, &fs, &d.fatal);
	panels_print(io, NULL, &d.fatal);
	if (status != 0)
		return status;
	d.root = fs.root;
	d.filtered = o->pipeline.n > 0 || o->blueprint.n > 0;
	status = options_check(io, a, o, &fs, d.root);
	if (status == 0) {
		deprecated_tell(io, o);
		status = project_run_dag(&d, &fs, formats);
	}
	fs_close(&fs);
	return status;
}

int cmd_dag(struct io *io, const struct dag_options *o)
{
	struct arena a = { 0 };
	int status = dag_run(io, &a, o);
	arena_release(&a);
	return status;
}
