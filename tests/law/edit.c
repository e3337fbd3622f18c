#include "law/edit.h"
#include "base/path.h"
#include "law/save.h"
#include "law/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

unsigned edits_random(struct edits *e, unsigned below)
{
	/* splitmix64 */
	uint64_t z = e->state += 0x9E3779B97F4A7C15u;

	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	z ^= z >> 31;
	return below != 0 ? (unsigned)(z % below) : 0;
}

void edits_init(struct edits *e, const struct txtar *t, uint64_t seed)
{
	struct str path, bytes;
	size_t i = 0;

	*e = (struct edits){ .state = seed };
	while (txtar_next(t, &i, STR("project/"), &path, &bytes)) {
		struct input *in;

		if (path_is_below(path_parent(path_parent(path)), STR("generated")))
			continue; /* left there by an earlier run: no input, and not for long */
		in = ARENA_NEW(&e->arena, struct input);
		in->original = in->now = (struct content){ .bytes = str_dup(&e->arena, bytes) };
		map_put(&e->input, &e->arena, str_dup(&e->arena, path), in);
	}
}

void edits_finish(struct edits *e)
{
	arena_release(&e->arena);
}

bool edits_has(const struct edits *e, struct str path)
{
	const struct input *in = map_get(&e->input, path);

	return in != NULL && in->now.bytes.p != NULL;
}

static const struct content nothing;

static struct input *input_at(struct edits *e, struct str path)
{
	struct input *in = map_get(&e->input, path);

	if (in == NULL) {
		in = ARENA_NEW(&e->arena, struct input);
		map_put(&e->input, &e->arena, str_dup(&e->arena, path), in);
	}
	return in;
}

/* A file comes where a folder was. */
static void inputs_below_forget(struct edits *e, struct str path)
{
	for (size_t i = 0; i < e->input.n; i++)
		if (path_is_below(e->input.entry[i].key, path))
			((struct input *)e->input.entry[i].value)->now = nothing;
}

static bool content_lay(struct edits *e, struct fs *fs, struct str path, struct content c)
{
	return c.is_link ? link_save(fs, &e->arena, path, c.bytes)
	                 : file_save(fs, &e->arena, path, c.bytes, edits_random(e, SAVES));
}

/* As git leaves a tree: without the folders that it emptied. */
static void folders_drop(struct fs *fs, struct str dir)
{
	while (dir.n != 0 && fs->ops->rmdir(fs, dir) == 0)
		dir = path_parent(dir);
}

static void input_put(struct edits *e, struct fs *fs, struct str path, struct content c)
{
	struct input *in = input_at(e, path);

	if (c.bytes.p == NULL) {
		in->now = nothing;
		fs->ops->unlink(fs, path);
		folders_drop(fs, path_parent(path));
		return;
	}
	c.bytes = str_dup(&e->arena, c.bytes);
	inputs_below_forget(e, path);
	if (content_lay(e, fs, path, c))
		in->now = c;
}

static void text_put(struct edits *e, struct fs *fs, struct str path, struct str bytes)
{
	input_put(e, fs, path, (struct content){ .bytes = bytes });
}

void edits_lay(struct edits *e, struct fs *fs)
{
	for (size_t i = 0; i < e->input.n; i++) {
		struct str path = e->input.entry[i].key;
		struct content c = ((struct input *)e->input.entry[i].value)->now;

		if (c.bytes.p != NULL && !content_lay(e, fs, path, c)) {
			fprintf(stderr, "cannot lay %.*s\n", STR_ARG(path));
			abort();
		}
	}
}

static const char *const variable_name[EDIT_VARIABLES] = { "WORKSPACE_ENV", "LOGICAL_ENV" };

void edits_environment(const struct edits *e)
{
	for (size_t i = 0; i < EDIT_VARIABLES; i++)
		if (e->variable[i] != NULL)
			setenv(variable_name[i], e->variable[i], 1);
		else
			unsetenv(variable_name[i]);
}

/* --- which file --- */

/* The k-th input that is there, or NULL; how many there are, when `n` is given. */
static struct map_entry *input_nth(struct edits *e, size_t k, size_t *n)
{
	size_t live = 0;

	for (size_t i = 0; i < e->input.n; i++)
		if (((struct input *)e->input.entry[i].value)->now.bytes.p != NULL && live++ == k)
			return &e->input.entry[i];
	if (n != NULL)
		*n = live;
	return NULL;
}

static struct map_entry *input_any(struct edits *e)
{
	size_t n = 0;

	input_nth(e, SIZE_MAX, &n);
	return input_nth(e, edits_random(e, (unsigned)n), NULL);
}

struct str edits_any_text(struct edits *e)
{
	struct map_entry *m = input_any(e);

	return m != NULL ? ((struct input *)m->value)->now.bytes : STR("");
}

static struct str new_name(struct edits *e, struct str path)
{
	struct str name = str_fmt(&e->arena, "%.*s_%d%.*s", STR_ARG(path_stem(path)), ++e->names, STR_ARG(path_ext(path)));

	return path_join(&e->arena, path_parent(path), name);
}

static const char *full_path(struct edits *e, const struct fs *fs, struct str path)
{
	return str_fmt(&e->arena, "%.*s/%.*s", STR_ARG(fs->root), STR_ARG(path)).p;
}

/* What is moved is what is there: a run may have put its own text into the place of an input that lies among outputs. */
static void file_move(struct edits *e, struct fs *fs, struct str from, struct str to)
{
	struct content c = input_at(e, from)->now;

	if (fs_mkdirs(fs, path_parent(to)) != 0 || fs->ops->rename(fs, from, to) != 0)
		return;
	if (!c.is_link)
		fs_read(fs, to, &e->arena, &c.bytes, NULL);
	input_at(e, to)->now = c;
	input_at(e, from)->now = nothing;
	folders_drop(fs, path_parent(from));
}

/* Nothing else lies in the folder, so that it can be renamed as a whole. */
static bool has_inputs_only(struct edits *e, struct fs *fs, struct str dir)
{
	struct fs_listing l;

	if (fs_list(fs, dir, &e->arena, &l) != 0)
		return false;
	for (size_t i = 0; i < l.n; i++) {
		struct str path = path_join(&e->arena, dir, l.entry[i].name);

		if (l.entry[i].type == FS_DIR ? !has_inputs_only(e, fs, path) : !edits_has(e, path))
			return false;
	}
	return true;
}

/* The folder of an input, with all in it, gets another name. */
static void folder_rename(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str from = path_parent(m->key), to = str_fmt(&e->arena, "%.*s_%d", STR_ARG(from), ++e->names);
	size_t n = e->input.n;

	if (from.n == 0 || !has_inputs_only(e, fs, from) || fs->ops->rename(fs, from, to) != 0)
		return;
	buf_addf(said, "rename the folder %.*s to %.*s", STR_ARG(from), STR_ARG(to));
	for (size_t i = 0; i < n; i++) {
		struct str one = e->input.entry[i].key;

		if (!path_is_below(one, from) || !edits_has(e, one))
			continue;
		input_at(e, str_cat(&e->arena, to, str_skip(one, from.n)))->now = input_at(e, one)->now;
		input_at(e, one)->now = nothing;
	}
}

/* Files that are looked for and are mostly absent. */
static const struct {
	const char *path, *text;
} wanted[] = {
	{ ".lhp/profile.yaml", "sandbox: {namespace: me, pipelines: ['*']}\n" },
	{ "databricks.yml", "bundle: {name: law}\n" },
	{ "substitutions/prod.yaml", "prod: {catalog: prod_catalog, schema: prod}\n" },
	{ "presets/extra.yaml", "name: extra\ndefaults: {}\n" },
	{ "templates/extra.yaml", "name: extra\nactions: []\n" },
	{ "blueprints/extra.yaml", "name: extra\nparameters: []\nflowgroups: []\n" },
	{ "pipelines/extra.yaml", "pipeline: extra\nflowgroup: extra\nactions:\n"
	                          "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v}\n"
	                          "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c,"
	                          " schema: s, table: extra}}\n" },
	{ "config/pipeline_config.yaml", "project_defaults: {serverless: false}\n" },
	{ "config/wheels.yaml", "project_defaults: {catalog: c, schema: s, packaging: wheel}\n" },
	{ "notes.txt", "nobody reads this\n" },
};

static void wanted_put(struct edits *e, struct fs *fs, struct buf *said)
{
	size_t i = edits_random(e, sizeof wanted / sizeof *wanted);
	struct str path = str_of(wanted[i].path);
	bool there = edits_has(e, path);

	buf_addf(said, "%s %.*s", there ? "delete" : "make", STR_ARG(path));
	if (there)
		input_put(e, fs, path, nothing);
	else
		text_put(e, fs, path, str_of(wanted[i].text));
}

/* A time far away, as a clock set wrong or an unpacked archive gives. */
static void time_set(struct edits *e, struct fs *fs, struct str path, bool future)
{
	struct timespec times[2] = { { .tv_sec = future ? 4000000000 : 1000000000 }, { .tv_sec = future ? 4000000000 : 1000000000 } };

	utimensat(AT_FDCWD, full_path(e, fs, path), times, 0);
}

/* Same size, and the times put back as they were: only the inode's change time tells. */
static void stealthy(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	const char *full = full_path(e, fs, m->key);
	struct input *in = m->value;
	struct str bytes = letter_change(e, in->now.bytes);
	struct timespec times[2];
	struct stat st;
	FILE *f;

	if (in->now.is_link || stat(full, &st) != 0)
		return;
	buf_addf(said, "change a letter of %.*s, times put back", STR_ARG(m->key));
	f = fopen(full, "r+b");
	if (f == NULL)
		return;
	fwrite(bytes.p, 1, bytes.n, f);
	fclose(f);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	utimensat(AT_FDCWD, full, times, 0);
	in->now.bytes = bytes;
}

static void original_restore(struct edits *e, struct fs *fs)
{
	for (size_t i = 0; i < e->input.n; i++) {
		struct input *in = e->input.entry[i].value;

		if (!str_eq(in->now.bytes, in->original.bytes) || (in->now.bytes.p == NULL) != (in->original.bytes.p == NULL) ||
		    in->now.is_link)
			input_put(e, fs, e->input.entry[i].key, in->original);
	}
}

static struct str output_any(struct edits *e, struct fs *fs, struct str dir)
{
	struct fs_listing l;
	const struct fs_entry *x;
	struct str path;

	if (fs_list(fs, dir, &e->arena, &l) != 0 || l.n == 0)
		return STR("");
	x = &l.entry[edits_random(e, (unsigned)l.n)];
	path = path_join(&e->arena, dir, x->name);
	return x->type == FS_DIR ? output_any(e, fs, path) : path;
}

/* What happens to an output `path` below `dir`. */
typedef void output_edit(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said);

static void output_delete(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)e, (void)dir;
	buf_addf(said, "delete output %.*s", STR_ARG(path));
	fs->ops->unlink(fs, path);
}

static void output_write(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)e, (void)dir;
	buf_addf(said, "edit output %.*s", STR_ARG(path));
	fs_replace(fs, path, STR("# edited by hand\n"));
}

static void output_put_beside(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)dir;
	path = str_fmt(&e->arena, "%.*s/mine_%d.txt", STR_ARG(path_parent(path)), ++e->names);
	buf_addf(said, "put %.*s", STR_ARG(path));
	fs->ops->create(fs, path, STR("mine\n"), 0666);
}

static void output_link(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)dir;
	buf_addf(said, "link %.*s elsewhere", STR_ARG(path));
	fs->ops->unlink(fs, path);
	if (symlink("/etc/passwd", full_path(e, fs, path)) != 0)
		buf_adds(said, " (not done)");
}

static void output_to_folder(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)e, (void)dir;
	buf_addf(said, "put a folder in the place of %.*s", STR_ARG(path));
	fs->ops->unlink(fs, path);
	fs->ops->mkdir(fs, path);
}

static void folder_to_file(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)e;
	if (path_parent(path_parent(path)).n <= dir.n)
		return;
	path = path_parent(path);
	buf_addf(said, "put a file in the place of %.*s", STR_ARG(path));
	fs_remove_tree(fs, path);
	fs->ops->create(fs, path, STR("mine\n"), 0666);
}

/* Moves a folder of outputs away, and puts a link to it in its place. */
static void folder_lead_away(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	struct str away;

	path = path_parent(path);
	if (path.n <= dir.n)
		return;
	away = str_fmt(&e->arena, ".lhp/away_%d", ++e->names);
	buf_addf(said, "lead %.*s away", STR_ARG(path));
	fs_mkdirs(fs, STR(".lhp"));
	if (rename(full_path(e, fs, path), full_path(e, fs, away)) == 0 && symlink(full_path(e, fs, away), full_path(e, fs, path)) != 0)
		abort(); /* its place was free a moment ago */
}

static void folder_remove(struct edits *e, struct fs *fs, struct str dir, struct str path, struct buf *said)
{
	(void)e, (void)dir;
	buf_addf(said, "remove %.*s", STR_ARG(path_parent(path)));
	fs_remove_tree(fs, path_parent(path));
}

static output_edit *const output_edits[] = {
	output_delete, output_write, output_put_beside, output_link, output_to_folder, folder_to_file, folder_lead_away, folder_remove,
};

void edits_make_output(struct edits *e, struct fs *fs, struct buf *said)
{
	static const char *const top[] = { "generated", "generated", "resources/lhp", "monitoring" };
	struct str dir = str_of(top[edits_random(e, sizeof top / sizeof *top)]), path = output_any(e, fs, dir);

	for (size_t i = 0; i < e->input.n; i++)
		if (path_is_below(e->input.entry[i].key, dir))
			return; /* the project itself has something there: no output to play with */
	if (path.n != 0 && !fs_is_dir(fs, path)) /* nor a link to one */
		output_edits[edits_random(e, sizeof output_edits / sizeof *output_edits)](e, fs, dir, path, said);
}

static void file_delete(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	buf_addf(said, "delete %.*s", STR_ARG(m->key));
	input_put(e, fs, m->key, nothing);
}

static void file_rename(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str to = new_name(e, m->key);

	buf_addf(said, "rename %.*s to %.*s", STR_ARG(m->key), STR_ARG(to));
	file_move(e, fs, m->key, to);
}

static void file_copy(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str to = new_name(e, m->key);

	buf_addf(said, "copy %.*s to %.*s", STR_ARG(m->key), STR_ARG(to));
	input_put(e, fs, to, ((struct input *)m->value)->now);
}

static void file_touch(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	buf_addf(said, "touch %.*s", STR_ARG(m->key));
	input_put(e, fs, m->key, ((struct input *)m->value)->now);
}

/* Two files change places, with their inodes and times. */
static void file_swap(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str one = m->key, other = input_any(e)->key, between = new_name(e, one);

	if (str_eq(one, other))
		return;
	buf_addf(said, "swap %.*s and %.*s", STR_ARG(one), STR_ARG(other));
	file_move(e, fs, one, between);
	file_move(e, fs, other, one);
	file_move(e, fs, between, other);
}

/* The text goes elsewhere, and a link to it stays. */
static void file_link(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str to = new_name(e, m->key), path = m->key;

	buf_addf(said, "link %.*s to %.*s", STR_ARG(path), STR_ARG(path_base(to)));
	file_move(e, fs, path, to);
	input_put(e, fs, path, (struct content){ path_base(to), true });
}

/* Links to folders, in circles, and to nothing. */
static void link_add(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str path = new_name(e, m->key);
	const struct str target[] = { path_base(m->key), STR("."), STR(".."), STR("../pipelines"), path_base(path), STR("nowhere") };
	struct str to = target[edits_random(e, sizeof target / sizeof *target)];

	buf_addf(said, "link %.*s to %.*s", STR_ARG(path), STR_ARG(to));
	input_put(e, fs, path, (struct content){ to, true });
}

/* A folder with the name of the file, and the file in it. */
static void file_nest(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct str path = m->key;
	struct content c = ((struct input *)m->value)->now;

	buf_addf(said, "put %.*s into a folder of its name", STR_ARG(path));
	input_put(e, fs, path, nothing);
	input_put(e, fs, path_join(&e->arena, path, path_base(path)), c);
}

static void file_text(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	const struct text_edit *t = text_edit_any(e);

	buf_addf(said, "%s %.*s", t->name, STR_ARG(m->key));
	text_put(e, fs, m->key, t->make(e, ((struct input *)m->value)->now.bytes));
}

static void file_far_time(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	file_text(e, fs, m, said);
	buf_adds(said, ", with a time far away");
	time_set(e, fs, m->key, edits_random(e, 2) == 0);
}

typedef void file_edit(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said);

static file_edit *const file_edits[] = {
	file_text,   file_text,   file_text, file_text,  file_text, file_text,     file_text, file_text,     file_text, file_text,
	file_text,   file_text,   file_text, file_text,  file_delete, file_rename, file_copy, file_touch,    stealthy,  stealthy,
	file_swap,   file_link,   link_add,  file_nest,  file_far_time, folder_rename,
};

static void variable_flip(struct edits *e, struct buf *said)
{
	unsigned i = edits_random(e, EDIT_VARIABLES);

	e->variable[i] = e->variable[i] == NULL ? "elsewhere" : NULL;
	buf_addf(said, "%s=%s", variable_name[i], e->variable[i] != NULL ? e->variable[i] : "");
}

void edits_make(struct edits *e, struct fs *fs, struct buf *said)
{
	struct map_entry *m = input_any(e);

	switch (edits_random(e, 14)) {
	case 0:
		variable_flip(e, said);
		return;
	case 1:
	case 2:
		edits_make_output(e, fs, said);
		return;
	case 3:
	case 4:
	case 5:
		buf_adds(said, "revert");
		original_restore(e, fs);
		return;
	case 6:
		buf_adds(said, "nothing");
		return;
	case 7:
		wanted_put(e, fs, said);
		return;
	default:
		if (m != NULL)
			file_edits[edits_random(e, sizeof file_edits / sizeof *file_edits)](e, fs, m, said);
	}
}

struct str edits_any_pipeline(struct edits *e)
{
	struct str rest = edits_any_text(e), line;

	while (str_cut(&rest, '\n', &line))
		if (str_starts(line, STR("pipeline: ")) && str_find_char(line, '"', 0) < 0 && str_find_char(line, ' ', 10) < 0)
			return str_trim(str_skip(line, 10));
	return STR("");
}
