/* init.c - `lhp init NAME`: a new project in an empty folder (spec/errors.md 19, spec/bundle.md 11). */
#include "base/path.h"
#include "base/vec.h"
#include "cmd/call.h"
#include "cmd/embedded.h"
#include "cmd/json_schema.h"
#include "model/rules.h"

#include <spawn.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/wait.h>

extern char **environ;

struct scaffold {
	struct arena *arena;
	struct fs *fs;
	struct str name, id;
	struct map file;   /* path -> struct str *: what will be written */
	struct map folder; /* folders, empty ones too */
};

static const char *const folders_plain[] = { "presets",       "templates", "pipelines",
	                                     "substitutions", "schemas",   "expectations",
	                                     "generated",     "config",    NULL };
static const char *const folders_bundle[] = { "resources/lhp", NULL };

static void folder_add(struct scaffold *s, struct str dir)
{
	for (; dir.n != 0; dir = path_parent(dir))
		map_add(&s->folder, s->arena, dir);
}

static void folders_add(struct scaffold *s, const char *const *dir)
{
	for (; *dir != NULL; dir++)
		folder_add(s, str_of(*dir));
}

static void file_add(struct scaffold *s, struct str path, struct str text)
{
	struct str *kept = ARENA_NEW(s->arena, struct str);

	*kept = text;
	map_put(&s->file, s->arena, path, kept);
	folder_add(s, path_parent(path));
}

/* Every file of one set; @NAME@ and @ID@ stand for the project's. */
static void set_add(struct scaffold *s, struct str set)
{
	for (const struct embedded *f = init_files; f->path.n != 0; f++) {
		if (!path_is_below(f->path, set))
			continue;
		struct str text = str_replace(s->arena, f->bytes, STR("@NAME@"), s->name);
		text = str_replace(s->arena, text, STR("@ID@"), s->id);
		file_add(s, str_skip(f->path, set.n + 1), text);
	}
}

static void schemas_add(struct scaffold *s)
{
	for (const char *const *kind = schema_kinds; *kind != NULL; kind++) {
		struct buf b = { 0 };

		schema_write(&b, str_of(*kind));
		file_add(s, str_fmt(s->arena, ".vscode/schemas/%s.schema.json", *kind), buf_take(&b, s->arena));
		buf_release(&b);
	}
}

/* A random UUID (version 4). */
static struct str id_new(struct arena *a)
{
	unsigned char r[16] = { 0 };

	if (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r)
		abort();
	r[6] = (unsigned char)((r[6] & 0x0F) | 0x40);
	r[8] = (unsigned char)((r[8] & 0x3F) | 0x80);
	return str_fmt(a, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", r[0], r[1], r[2],
	               r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15]);
}

/* A name goes into YAML texts between quotes. */
static struct str name_quoted(struct arena *a, struct str name)
{
	return str_replace(a, str_replace(a, name, STR("\\"), STR("\\\\")), STR("\""), STR("\\\""));
}

static int folder_check(struct call *c)
{
	struct diags ds = { .arena = c->arena };
	struct fs_listing l = { 0 };
	struct diag *d;

	fs_list(&c->fs, STR(""), c->arena, &l);
	if (l.n == 0)
		return 0;
	d = diag_add(&ds, &rule_init_occupied, (struct mark){ 0 }, "%.*s holds %.*s%s", STR_ARG(c->io->cwd),
	             STR_ARG(l.entry[0].name), l.n > 1 ? " and more" : "");
	diag_hint(&ds, d, "Make an empty folder for the project and run lhp init there");
	panels_print(c->io, NULL, &ds);
	return STATUS_FAILED;
}

static int scaffold_write(struct scaffold *s, FILE *err)
{
	for (size_t i = 0; i < s->folder.n + s->file.n; i++) {
		bool is_file = i >= s->folder.n;
		const struct map_entry *e = is_file ? &s->file.entry[i - s->folder.n] : &s->folder.entry[i];
		int rc = is_file ? fs_replace(s->fs, e->key, *(struct str *)e->value) : fs_mkdirs(s->fs, e->key);

		if (rc != 0) {
			fprintf(err, "lhp: %.*s cannot be made: %s\n", STR_ARG(e->key), strerror(-rc));
			return STATUS_MACHINE;
		}
	}
	return 0;
}

static void created_print(const struct scaffold *s, const struct map *m, const char *what, FILE *out)
{
	const uint32_t *order = map_sorted(m, s->arena);

	for (size_t i = 0; i < m->n; i++)
		fprintf(out, "created %s: %.*s\n", what, STR_ARG(m->entry[order[i]].key));
}

/* Without git, or when it fails, the project is as good. */
static void git_start(struct call *c)
{
	char *const argv[] = {
		"git", "-C", (char *)(uintptr_t)str_cstr(c->arena, c->io->cwd), "init", "--quiet", NULL
	};
	posix_spawn_file_actions_t quiet;
	pid_t pid;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
	if (posix_spawnp(&pid, "git", &quiet, NULL, argv, environ) == 0)
		waitpid(pid, NULL, 0);
	posix_spawn_file_actions_destroy(&quiet);
}

static void next_steps_print(FILE *out, bool sample, bool bundle)
{
	fputs("\nNext steps\n", out);
	if (sample)
		fputs("  lhp validate --env dev --no-bundle\n  lhp generate --env dev --no-bundle\n", out);
	else
		fputs("  Rename an example: drop .tmpl from its name, then adapt it.\n  lhp validate --env dev\n", out);
	if (bundle)
		fputs("  With the bundle: lhp generate --env dev -pc config/pipeline_config.yaml\n", out);
	fputs("  README.md says what is where.\n", out);
}

int cmd_init(struct call *c)
{
	bool sample = opt_given(c->args, "--sample"), bundle = !opt_given(c->args, "--no-bundle");
	struct scaffold s = { .arena = c->arena, .fs = &c->fs };
	int status = folder_open(c->io, c->arena, &c->fs, c->io->cwd);

	if (status != 0)
		return status;
	c->opened = true;
	if (folder_check(c) != 0)
		return STATUS_FAILED;
	s.name = name_quoted(c->arena, c->args->word[0]);
	s.id = id_new(c->arena);
	folders_add(&s, folders_plain);
	set_add(&s, STR("common"));
	schemas_add(&s);
	if (bundle) {
		folders_add(&s, folders_bundle);
		set_add(&s, STR("bundle"));
	}
	set_add(&s, sample ? STR("sample") : STR("plain"));
	status = scaffold_write(&s, c->io->err);
	if (status != 0)
		return status;
	created_print(&s, &s.folder, "dir", c->io->out);
	created_print(&s, &s.file, "file", c->io->out);
	if (sample && !opt_given(c->args, "--no-git"))
		git_start(c);
	next_steps_print(c->io->out, sample, bundle);
	return 0;
}
