#include "law/edit.h"
#include "base/path.h"

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
		struct input *in = ARENA_NEW(&e->arena, struct input);

		in->original = in->now = str_dup(&e->arena, bytes);
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

	return in != NULL && in->now.p != NULL;
}

static void input_put(struct edits *e, struct fs *fs, struct str path, struct str bytes)
{
	struct input *in = map_get(&e->input, path);

	if (in == NULL) {
		in = ARENA_NEW(&e->arena, struct input);
		map_put(&e->input, &e->arena, str_dup(&e->arena, path), in);
	}
	in->now = bytes.p != NULL ? str_dup(&e->arena, bytes) : STR_NONE;
	if (bytes.p == NULL) {
		fs->ops->unlink(fs, path);
		return;
	}
	fs_mkdirs(fs, path_parent(path));
	fs->ops->unlink(fs, path);
	fs->ops->create(fs, path, bytes, 0666);
}

void edits_lay(const struct edits *e, struct fs *fs)
{
	for (size_t i = 0; i < e->input.n; i++) {
		const struct input *in = e->input.entry[i].value;

		if (in->now.p == NULL)
			continue;
		fs_mkdirs(fs, path_parent(e->input.entry[i].key));
		fs->ops->create(fs, e->input.entry[i].key, in->now, 0666);
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

/* --- what an edit makes of a text --- */

struct line {
	size_t at, end; /* end: behind the line break */
};

static struct line line_any(struct edits *e, struct str s)
{
	size_t n = str_count_char(s, '\n') + 1, k = edits_random(e, (unsigned)n), at = 0;
	ptrdiff_t end;

	while (k-- > 0)
		at = (size_t)str_find_char(s, '\n', at) + 1;
	end = str_find_char(s, '\n', at);
	return (struct line){ at, end < 0 ? s.n : (size_t)end + 1 };
}

static struct str spliced(struct edits *e, struct str s, size_t at, size_t end, struct str with)
{
	return str_cat(&e->arena, str_cat(&e->arena, str_sub(s, 0, at), with), str_skip(s, end));
}

static struct str line_delete(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);

	return spliced(e, s, l.at, l.end, STR(""));
}

static struct str line_double(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);

	return spliced(e, s, l.at, l.at, str_sub(s, l.at, l.end));
}

static struct str comment_above(struct edits *e, struct str s)
{
	return str_cat(&e->arena, STR("# a comment\n"), s);
}

static struct str comment_below(struct edits *e, struct str s)
{
	return str_cat(&e->arena, s, STR("\n# the end\n"));
}

static struct str blank_line(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);

	return spliced(e, s, l.at, l.at, STR("\n"));
}

static bool is_name(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z');
}

/* One letter of some word is another one: same size. */
static struct str letter_change(struct edits *e, struct str s)
{
	char *p = (char *)(uintptr_t)str_dup(&e->arena, s).p;

	for (int tries = 0; tries < 50 && s.n != 0; tries++) {
		size_t at = edits_random(e, (unsigned)s.n);

		if (!is_name(p[at]))
			continue;
		p[at] = (char)('a' + edits_random(e, 26));
		break;
	}
	return (struct str){ p, s.n };
}

static struct str value_change(struct edits *e, struct str s)
{
	for (int tries = 0; tries < 20; tries++) {
		struct line l = line_any(e, s);
		ptrdiff_t colon = str_find(str_sub(s, 0, l.end), STR(": "), l.at);

		if (colon < 0)
			continue;
		return spliced(e, s, l.end - (l.end > l.at && s.p[l.end - 1] == '\n'), l.end - (l.end > l.at && s.p[l.end - 1] == '\n'),
		               edits_random(e, 2) ? STR("x") : STR(" # note"));
	}
	return s;
}

static struct str truncated(struct edits *e, struct str s)
{
	return str_sub(s, 0, edits_random(e, (unsigned)s.n + 1));
}

static struct str crlf(struct edits *e, struct str s)
{
	return str_has(s, STR("\r\n")) ? str_replace(&e->arena, s, STR("\r\n"), STR("\n"))
	                               : str_replace(&e->arena, s, STR("\n"), STR("\r\n"));
}

/* As an editor leaves it in the middle of a word. */
static struct str tail_cut(struct edits *e, struct str s)
{
	(void)e;
	return str_sub(s, 0, s.n - (s.n != 0));
}

static struct str number_change(struct edits *e, struct str s)
{
	char *p = (char *)(uintptr_t)str_dup(&e->arena, s).p;

	for (size_t i = 0; i < s.n; i++)
		if (p[i] >= '0' && p[i] <= '9') {
			p[i] = (char)('0' + edits_random(e, 10));
			break;
		}
	return (struct str){ p, s.n };
}

/* The lines of one key, moved to the end: another order of the same keys. */
static struct str block_move(struct edits *e, struct str s)
{
	struct line l = line_any(e, s);
	size_t end = l.end;

	while (end < s.n && (s.p[end] == ' ' || s.p[end] == '-'))
		end = (size_t)(str_find_char(s, '\n', end) < 0 ? (ptrdiff_t)s.n : str_find_char(s, '\n', end) + 1);
	return str_cat(&e->arena, spliced(e, s, l.at, end, STR("")), str_sub(s, l.at, end));
}

static struct str emptied(struct edits *e, struct str s)
{
	(void)e;
	(void)s;
	return STR("");
}

static const struct text_edit {
	const char *name;
	struct str (*make)(struct edits *e, struct str s);
} text_edits[] = {
	{ "delete a line of", line_delete },     { "double a line of", line_double },   { "put a comment above", comment_above },
	{ "put a comment below", comment_below }, { "put a blank line into", blank_line }, { "change a letter of", letter_change },
	{ "change a letter of", letter_change },  { "change a value of", value_change },  { "change a value of", value_change },
	{ "cut the tail of", tail_cut },         { "change a number of", number_change }, { "move a block of", block_move },
	{ "truncate", truncated },               { "flip line ends of", crlf },          { "empty", emptied },
};

/* --- which file --- */

static struct map_entry *input_any(struct edits *e)
{
	for (int tries = 0; tries < 100 && e->input.n != 0; tries++) {
		struct map_entry *m = &e->input.entry[edits_random(e, (unsigned)e->input.n)];

		if (((struct input *)m->value)->now.p != NULL)
			return m;
	}
	return NULL;
}

static struct str new_name(struct edits *e, struct str path)
{
	return str_fmt(&e->arena, "%.*s/%.*s_%d%.*s", STR_ARG(path_parent(path)), STR_ARG(path_stem(path)), ++e->names,
	               STR_ARG(path_ext(path)));
}

static const char *full_path(struct edits *e, const struct fs *fs, struct str path)
{
	return str_fmt(&e->arena, "%.*s/%.*s", STR_ARG(fs->root), STR_ARG(path)).p;
}

static void file_move(struct edits *e, struct fs *fs, struct str from, struct str to)
{
	struct input *in = map_get(&e->input, from);

	input_put(e, fs, to, in->now);
	input_put(e, fs, from, STR_NONE);
}

/* The folder of an input, with all in it, gets another name. */
static void folder_rename(struct edits *e, struct fs *fs, struct str path, struct buf *said)
{
	struct str from = path_parent(path), to = str_fmt(&e->arena, "%.*s_%d", STR_ARG(from), ++e->names);
	size_t n = e->input.n;

	if (from.n == 0 || path_is_below(from, STR(".lhp")))
		return;
	buf_addf(said, "rename the folder %.*s to %.*s", STR_ARG(from), STR_ARG(to));
	for (size_t i = 0; i < n; i++) {
		struct str one = e->input.entry[i].key;

		if (path_is_below(one, from) && edits_has(e, one))
			file_move(e, fs, one, str_cat(&e->arena, to, str_skip(one, from.n)));
	}
	if (fs->ops->rmdir(fs, from) != 0)
		buf_adds(said, " (it holds more)");
}

/* Files that are looked for and are mostly absent. */
static const struct {
	const char *path, *text;
} wanted[] = {
	{ "databricks.yml", "bundle: {name: law}\n" },
	{ "substitutions/prod.yaml", "prod: {catalog: prod_catalog, schema: prod}\n" },
	{ "presets/extra.yaml", "name: extra\ndefaults: {}\n" },
	{ "templates/extra.yaml", "name: extra\nactions: []\n" },
	{ "blueprints/extra.yaml", "name: extra\nparameters: []\nflowgroups: []\n" },
	{ "pipelines/extra.yaml", "pipeline: extra\nflowgroup: extra\nactions:\n"
	                          "  - {name: l, type: load, source: {type: sql, sql: SELECT 1 AS a}, target: v}\n"
	                          "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c, schema: s, table: extra}}\n" },
	{ "config/pipeline_config.yaml", "project_defaults: {serverless: false}\n" },
	{ "notes.txt", "nobody reads this\n" },
};

static void wanted_put(struct edits *e, struct fs *fs, struct buf *said)
{
	size_t i = edits_random(e, sizeof wanted / sizeof *wanted);
	struct str path = str_of(wanted[i].path);
	bool there = edits_has(e, path);

	buf_addf(said, "%s %.*s", there ? "delete" : "make", STR_ARG(path));
	input_put(e, fs, path, there ? STR_NONE : str_of(wanted[i].text));
}

/* A time far away, as a clock set wrong or an unpacked archive gives. */
static void time_set(struct edits *e, struct fs *fs, struct str path, bool future)
{
	struct timespec times[2] = { { .tv_sec = future ? 4000000000 : 1000000000 }, { .tv_sec = future ? 4000000000 : 1000000000 } };

	utimensat(AT_FDCWD, full_path(e, fs, path), times, 0);
}

/* Same size, and the times put back as they were: only the inode's change time tells. */
static void stealthy(struct edits *e, struct fs *fs, struct str path, struct str bytes)
{
	const char *full = full_path(e, fs, path);
	struct timespec times[2];
	struct stat st;
	FILE *f;

	if (stat(full, &st) != 0)
		return;
	f = fopen(full, "r+b");
	if (f == NULL)
		return;
	fwrite(bytes.p, 1, bytes.n, f);
	fclose(f);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	utimensat(AT_FDCWD, full, times, 0);
	((struct input *)map_get(&e->input, path))->now = bytes;
}

static void original_restore(struct edits *e, struct fs *fs)
{
	for (size_t i = 0; i < e->input.n; i++) {
		struct input *in = e->input.entry[i].value;

		if (!str_eq(in->now, in->original) || (in->now.p == NULL) != (in->original.p == NULL))
			input_put(e, fs, e->input.entry[i].key, in->original);
	}
}

static struct str output_any(struct edits *e, struct fs *fs, struct str dir)
{
	struct fs_listing l;

	if (fs_list(fs, dir, &e->arena, &l) != 0 || l.n == 0)
		return STR("");
	for (;;) {
		const struct fs_entry *x = &l.entry[edits_random(e, (unsigned)l.n)];
		struct str path = path_join(&e->arena, dir, x->name);

		return x->type == FS_DIR ? output_any(e, fs, path) : path;
	}
}

static void output_edit(struct edits *e, struct fs *fs, struct buf *said)
{
	static const char *const top[] = { "generated", "generated", "resources/lhp", "monitoring" };
	struct str dir = str_of(top[edits_random(e, sizeof top / sizeof *top)]), path = output_any(e, fs, dir);

	for (size_t i = 0; i < e->input.n; i++)
		if (path_is_below(e->input.entry[i].key, dir))
			return; /* the project itself has something there: no output to play with */
	if (path.n == 0)
		return;
	switch (edits_random(e, 7)) {
	case 0:
		buf_addf(said, "delete output %.*s", STR_ARG(path));
		fs->ops->unlink(fs, path);
		return;
	case 1:
		buf_addf(said, "edit output %.*s", STR_ARG(path));
		fs_replace(fs, path, STR("# edited by hand\n"));
		return;
	case 2:
		path = str_fmt(&e->arena, "%.*s/mine_%d.txt", STR_ARG(path_parent(path)), ++e->names);
		buf_addf(said, "put %.*s", STR_ARG(path));
		fs->ops->create(fs, path, STR("mine\n"), 0666);
		return;
	case 3:
		buf_addf(said, "link %.*s elsewhere", STR_ARG(path));
		fs->ops->unlink(fs, path);
		if (symlink("/etc/passwd", full_path(e, fs, path)) != 0)
			buf_adds(said, " (not done)");
		return;
	case 4:
		buf_addf(said, "put a folder in the place of %.*s", STR_ARG(path));
		fs->ops->unlink(fs, path);
		fs->ops->mkdir(fs, path);
		return;
	case 5:
		if (path_parent(path_parent(path)).n <= dir.n)
			return;
		path = path_parent(path);
		buf_addf(said, "put a file in the place of %.*s", STR_ARG(path));
		fs_remove_tree(fs, path);
		fs->ops->create(fs, path, STR("mine\n"), 0666);
		return;
	default:
		buf_addf(said, "remove %.*s", STR_ARG(path_parent(path)));
		fs_remove_tree(fs, path_parent(path));
	}
}

static void file_edit(struct edits *e, struct fs *fs, struct map_entry *m, struct buf *said)
{
	struct input *in = m->value;
	const struct text_edit *t = &text_edits[edits_random(e, sizeof text_edits / sizeof *text_edits)];
	struct str path = m->key, to;

	switch (edits_random(e, 14)) {
	case 0:
		buf_addf(said, "delete %.*s", STR_ARG(path));
		input_put(e, fs, path, STR_NONE);
		return;
	case 1:
		to = new_name(e, path);
		buf_addf(said, "rename %.*s to %.*s", STR_ARG(path), STR_ARG(to));
		file_move(e, fs, path, to);
		return;
	case 2:
		to = new_name(e, path);
		buf_addf(said, "copy %.*s to %.*s", STR_ARG(path), STR_ARG(to));
		input_put(e, fs, to, in->now);
		return;
	case 3:
		buf_addf(said, "touch %.*s", STR_ARG(path));
		input_put(e, fs, path, in->now);
		return;
	case 4:
		buf_addf(said, "change a letter of %.*s, times put back", STR_ARG(path));
		stealthy(e, fs, path, letter_change(e, in->now));
		return;
	case 5:
		folder_rename(e, fs, path, said);
		return;
	case 6:
		buf_addf(said, "%s %.*s, with a time far away", t->name, STR_ARG(path));
		input_put(e, fs, path, t->make(e, in->now));
		time_set(e, fs, path, edits_random(e, 2) == 0);
		return;
	default:
		buf_addf(said, "%s %.*s", t->name, STR_ARG(path));
		input_put(e, fs, path, t->make(e, in->now));
	}
}

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
		output_edit(e, fs, said);
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
			file_edit(e, fs, m, said);
	}
}

struct str edits_any_pipeline(struct edits *e)
{
	struct map_entry *m = input_any(e);
	struct str rest, line;

	if (m == NULL)
		return STR("");
	rest = ((struct input *)m->value)->now;
	while (str_cut(&rest, '\n', &line))
		if (str_starts(line, STR("pipeline: ")) && str_find_char(line, '"', 0) < 0 && str_find_char(line, ' ', 10) < 0)
			return str_trim(str_skip(line, 10));
	return STR("");
}
