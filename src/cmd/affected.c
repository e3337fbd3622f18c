/* affected.c - `lhp affected`: what a change reaches (spec/engine.md, "affected"). */
#include "build/affected.h"

#include "build/fs_git.h"
#include "build/resources.h"
#include "cmd/call.h"
#include "cmd/readers.h"
#include "ui/json.h"

#include <errno.h>
#include <stdlib.h>

static const char *const kind_word[] = { [CHANGE_ADDED] = "added", [CHANGE_CHANGED] = "changed", [CHANGE_REMOVED] = "removed" };

struct downstream {
	struct str pipeline, flowgroup, table;
	const char *file;
	const struct change *because;
};

struct file_change {
	enum change_kind kind;
	struct str pipeline, path;
};

struct affected {
	struct call *call;
	struct arena *arena;
	struct str commit;
	struct git_paths changed;
	struct fs old_fs;
	struct snapshot before, after;
	bool has_before, has_after;
	struct changes changes;
	struct { VEC_OF(struct downstream) } downstream;
	struct map seen;       /* of downstream: pipeline, flowgroup */
	struct map tables;     /* of the changes -> struct change */
	struct map pipelines;  /* to deploy */
	struct { VEC_OF(struct file_change) } files; /* that no flowgroup makes */
};

/* --- the two sides --- */

static int said_print(struct call *c, struct str said, int status)
{
	said = str_trim(said);
	fprintf(c->io->err, "lhp: %.*s\n", STR_ARG(said));
	return status;
}

/* Paths of standard input are relative to the root of the project. 0, or a negative errno: a list that broke off is none. */
static int listed_read(struct arena *a, struct git_paths *out)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	int rc;

	while ((n = getline(&line, &cap, stdin)) >= 0) {
		struct str path = str_trim((struct str){ line, (size_t)n });

		if (path.n != 0)
			*VEC_PUSH(out, a) = str_dup(a, path);
	}
	rc = ferror(stdin) ? -errno : 0;
	free(line);
	return rc;
}

static int changed_find(struct affected *f)
{
	struct call *c = f->call;
	struct str ref = opt_given(c->args, "--since") ? opt_text(c->args, "--since") : STR("HEAD"), said;
	bool has_list = opt_given(c->args, "--files");
	struct git_paths listed = { 0 };
	int rc = 0;

	if (has_list && !str_is(opt_text(c->args, "--files"), "-")) {
		fputs("lhp: --files takes only '-': the paths are read from standard input\n", c->io->err);
		return STATUS_USAGE;
	}
	if (git_base(f->arena, c->fs.root, ref, &f->commit) != 0)
		return said_print(c, f->commit, STATUS_USAGE);
	if (has_list)
		rc = listed_read(f->arena, &listed);
	if (rc != 0)
		return said_print(c, str_fmt(f->arena, "the paths cannot be read from standard input: %s", strerror(-rc)), STATUS_MACHINE);
	if (fs_git_open(&f->old_fs, &c->fs, f->arena, f->commit, has_list ? &listed : NULL, &f->changed, &said) != 0)
		return said_print(c, said, STATUS_MACHINE);
	return 0;
}

static struct str resource_key(struct arena *a, const struct resource *r)
{
	return str_cat_sep(a, r->pipeline, '\n', r->path);
}

static void resource_change(struct affected *f, const struct resource *r, enum change_kind kind)
{
	*VEC_PUSH(&f->files, f->arena) = (struct file_change){ kind, r->pipeline, r->path };
}

static int file_change_cmp(const void *x, const void *y)
{
	const struct file_change *a = x, *b = y;
	int c = str_cmp(a->pipeline, b->pipeline);

	return c != 0 ? c : str_cmp(a->path, b->path);
}

static void resources_compare(struct affected *f, const struct resources *before, const struct resources *after)
{
	struct map was = { 0 }, is = { 0 };

	for (size_t i = 0; i < before->file.n; i++)
		map_put(&was, f->arena, resource_key(f->arena, &before->file.p[i]), &before->file.p[i]);
	for (size_t i = 0; i < after->file.n; i++) {
		struct str key = resource_key(f->arena, &after->file.p[i]);
		const struct resource *old = map_get(&was, key);

		map_add(&is, f->arena, key);
		if (old == NULL || !str_eq(old->text, after->file.p[i].text))
			resource_change(f, &after->file.p[i], old == NULL ? CHANGE_ADDED : CHANGE_CHANGED);
	}
	for (size_t i = 0; i < before->file.n; i++)
		if (map_find(&is, resource_key(f->arena, &before->file.p[i])) == NULL)
			resource_change(f, &before->file.p[i], CHANGE_REMOVED);
	if (f->files.n > 1)
		qsort(f->files.p, f->files.n, sizeof *f->files.p, file_change_cmp);
}

/* 0, or -1 with findings in its diags. */
static int side_work(struct affected *f, struct fs *fs, struct snapshot *s, struct resources *r)
{
	struct call *c = f->call;

	if (snapshot_open(s, fs, opt_text(c->args, "--env"), false, c->io->getenv) != 0 ||
	    resources_open(r, s, opt_text(c->args, "--pipeline-config")) != 0)
		return -1;
	snapshot_work(s, WORK_EMIT);
	return 0;
}

static int sides_build(struct affected *f)
{
	struct call *c = f->call;
	struct resources was, is;
	bool had;

	f->has_after = true;
	if (side_work(f, &c->fs, &f->after, &is) != 0 || resources_render(&is) != 0) {
		panels_print(c->io, &c->fs, &f->after.diags);
		return STATUS_FAILED;
	}
	if (is.has_bundle && opt_text(c->args, "--pipeline-config").n == 0)
		fputs("lhp: without -pc FILE the settings of pipelines in the bundle are not compared\n", c->io->err);
	f->has_before = true;
	/* What could not be read in the commit was not there: all is new. */
	had = side_work(f, &f->old_fs, &f->before, &was) == 0;
	if (!had || resources_render(&was) != 0)
		was = (struct resources){ 0 };
	changes_find(f->arena, had ? &f->before : NULL, &f->after, &f->changes);
	resources_compare(f, &was, &is);
	return 0;
}

static void doubts_print(struct affected *f)
{
	struct git_paths doubt = { 0 };

	fs_git_doubts(&f->old_fs, f->arena, &doubt);
	for (size_t i = 0; i < doubt.n; i++)
		said_print(f->call, doubt.p[i], 0);
}

/* --- who reads what they make --- */

struct reading {
	struct affected *f;
	const struct change *because;
	struct str table;
};

static void reader_add(void *ctx, struct str pipeline, struct str flowgroup, const char *file)
{
	struct reading *r = ctx;
	struct affected *f = r->f;

	if (str_eq(pipeline, r->because->pipeline) ||
	    !map_add(&f->seen, f->arena, str_cat_sep(f->arena, pipeline, '\n', flowgroup)))
		return;
	*VEC_PUSH(&f->downstream, f->arena) = (struct downstream){ pipeline, flowgroup, r->table, file, r->because };
}

static void tables_take(struct affected *f, const struct change *ch, const struct snapshot_unit *u)
{
	for (size_t i = 0; u != NULL && i < u->record.facts.n_write; i++) {
		struct str table = u->record.facts.write[i].table;

		if (map_find(&f->tables, table) == NULL)
			map_put(&f->tables, f->arena, table, (void *)(uintptr_t)ch);
	}
}

static int downstream_cmp(const void *x, const void *y)
{
	const struct downstream *a = x, *b = y;
	int c = str_cmp(a->pipeline, b->pipeline);

	return c != 0 ? c : str_cmp(a->flowgroup, b->flowgroup);
}

static void reach_find(struct affected *f)
{
	struct readers readers;

	for (size_t i = 0; i < f->changes.n; i++) {
		const struct change *ch = &f->changes.p[i];

		map_add(&f->pipelines, f->arena, ch->pipeline);
		tables_take(f, ch, ch->after);
		tables_take(f, ch, ch->before);
	}
	for (size_t i = 0; i < f->files.n; i++)
		map_add(&f->pipelines, f->arena, f->files.p[i].pipeline);
	if (f->tables.n == 0 || readers_open(&readers, &f->after, f->arena, f->call->io) != 0)
		return;
	for (size_t i = 0; i < f->tables.n; i++) {
		struct reading r = { f, f->tables.entry[i].value, f->tables.entry[i].key };

		readers_of(&readers, r.table, reader_add, &r);
	}
	if (f->downstream.n > 1)
		qsort(f->downstream.p, f->downstream.n, sizeof *f->downstream.p, downstream_cmp);
}

/* --- texts --- */

static struct str reason(struct affected *f, const struct downstream *d)
{
	const struct change *ch = d->because;

	return str_fmt(f->arena, "reads %.*s, made by %.*s.%.*s (%s)", STR_ARG(d->table), STR_ARG(ch->pipeline),
	               STR_ARG(ch->flowgroup), kind_word[ch->kind]);
}

/* A line for each name, sorted. */
static void names_print(struct affected *f, const struct map *names, const char *margin)
{
	uint32_t *order = map_sorted(names, f->arena);

	for (size_t i = 0; i < names->n; i++)
		fprintf(f->call->io->out, "%s%.*s\n", margin, STR_ARG(names->entry[order[i]].key));
}

static void changes_print(FILE *out, const struct changes *list)
{
	if (list->n != 0)
		fputs("Flowgroups:\n", out);
	for (size_t i = 0; i < list->n; i++) {
		const struct change *ch = &list->p[i];

		fprintf(out, "  %-8s %.*s.%.*s  %s  (%s)\n", kind_word[ch->kind], STR_ARG(ch->pipeline), STR_ARG(ch->flowgroup),
		        ch->file, ch->why);
	}
}

static void files_print(struct affected *f, FILE *out)
{
	if (f->files.n != 0)
		fputs("Files around them:\n", out);
	for (size_t i = 0; i < f->files.n; i++) {
		const struct file_change *c = &f->files.p[i];

		fprintf(out, "  %-8s %.*s  (%.*s)\n", kind_word[c->kind], STR_ARG(c->path), STR_ARG(c->pipeline));
	}
}

static void text_print(struct affected *f)
{
	FILE *out = f->call->io->out;

	if (f->pipelines.n == 0) {
		fprintf(out, "Nothing is affected: %zu changed %s.\n", f->changed.n, f->changed.n == 1 ? "path" : "paths");
		return;
	}
	changes_print(out, &f->changes);
	if (f->tables.n != 0)
		fputs("Tables:\n", out);
	names_print(f, &f->tables, "  ");
	files_print(f, out);
	fputs("Pipelines to deploy:\n", out);
	names_print(f, &f->pipelines, "  ");
	if (f->downstream.n != 0)
		fputs("Readers in other pipelines:\n", out);
	for (size_t i = 0; i < f->downstream.n; i++) {
		const struct downstream *d = &f->downstream.p[i];

		fprintf(out, "  %.*s.%.*s  %.*s\n", STR_ARG(d->pipeline), STR_ARG(d->flowgroup), STR_ARG(reason(f, d)));
	}
}

static void json_pair(struct buf *b, const char *key, struct str value, bool last)
{
	buf_addf(b, "\"%s\": ", key);
	json_text(b, value);
	buf_adds(b, last ? "" : ", ");
}

static void json_names(struct buf *b, struct arena *a, const char *key, const struct map *m)
{
	uint32_t *order = map_sorted(m, a);

	buf_addf(b, ",\n  \"%s\": [", key);
	for (size_t i = 0; i < m->n; i++) {
		buf_adds(b, i != 0 ? ", " : "");
		json_text(b, m->entry[order[i]].key);
	}
	buf_addc(b, ']');
}

/* A list of objects, each in a line of its own: `n` calls of `each`, which writes what is between the braces. */
static void json_list(struct buf *b, const char *key, size_t n, void (*each)(struct buf *b, struct affected *f, size_t i),
                      struct affected *f)
{
	buf_addf(b, ",\n  \"%s\": [", key);
	for (size_t i = 0; i < n; i++) {
		buf_adds(b, i != 0 ? ",\n    {" : "\n    {");
		each(b, f, i);
		buf_addc(b, '}');
	}
	buf_adds(b, n != 0 ? "\n  ]" : "]");
}

static void json_change(struct buf *b, struct affected *f, size_t i)
{
	const struct change *ch = &f->changes.p[i];

	json_pair(b, "change", str_of(kind_word[ch->kind]), false);
	json_pair(b, "pipeline", ch->pipeline, false);
	json_pair(b, "flowgroup", ch->flowgroup, false);
	json_pair(b, "file", str_of(ch->file), false);
	json_pair(b, "reason", str_of(ch->why), true);
}

static void json_file(struct buf *b, struct affected *f, size_t i)
{
	json_pair(b, "change", str_of(kind_word[f->files.p[i].kind]), false);
	json_pair(b, "pipeline", f->files.p[i].pipeline, false);
	json_pair(b, "file", f->files.p[i].path, true);
}

static void json_reader(struct buf *b, struct affected *f, size_t i)
{
	const struct downstream *d = &f->downstream.p[i];

	json_pair(b, "pipeline", d->pipeline, false);
	json_pair(b, "flowgroup", d->flowgroup, false);
	json_pair(b, "file", str_of(d->file), false);
	json_pair(b, "table", d->table, false);
	json_pair(b, "reason", reason(f, d), true);
}

static void json_print(struct affected *f)
{
	struct buf b = { 0 };

	buf_adds(&b, "{\n  ");
	json_pair(&b, "base", f->commit, false);
	json_pair(&b, "env", opt_text(f->call->args, "--env"), true);
	buf_adds(&b, ",\n  \"changed_paths\": [");
	for (size_t i = 0; i < f->changed.n; i++) {
		buf_adds(&b, i != 0 ? ", " : "");
		json_text(&b, f->changed.p[i]);
	}
	buf_addc(&b, ']');
	json_list(&b, "flowgroups", f->changes.n, json_change, f);
	json_names(&b, f->arena, "tables", &f->tables);
	json_names(&b, f->arena, "pipelines", &f->pipelines);
	json_list(&b, "resource_files", f->files.n, json_file, f);
	json_list(&b, "readers", f->downstream.n, json_reader, f);
	buf_adds(&b, "\n}\n");
	fwrite(b.p, 1, b.n, f->call->io->out);
	buf_release(&b);
}

int cmd_affected(struct call *c)
{
	struct affected f = { .call = c, .arena = c->arena };
	struct str format = opt_text(c->args, "--format");
	int status = call_open(c);

	if (status == 0)
		status = changed_find(&f);
	if (status == 0)
		status = sides_build(&f);
	if (status == 0) {
		doubts_print(&f);
		reach_find(&f);
		if (str_is_nocase(format, "names"))
			names_print(&f, &f.pipelines, "");
		else if (str_is_nocase(format, "json"))
			json_print(&f);
		else
			text_print(&f);
		if (f.pipelines.n != 0 && opt_given(c->args, "--exit-code"))
			status = STATUS_FAILED;
	}
	if (f.has_before)
		snapshot_close(&f.before);
	if (f.has_after)
		snapshot_close(&f.after);
	if (f.old_fs.state != NULL)
		fs_git_close(&f.old_fs);
	return status;
}
