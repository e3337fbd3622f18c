/* fs_git.c - see fs_git.h. */
#include "base/path.h"
#include "build/past.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINKS = 40 };

struct git {
	struct fs *now;
	struct past past;
	struct str root; /* as paths of the past are written */
	pthread_mutex_t lock;
	struct arena own; /* of the next, both under the lock */
	struct map unseen; /* files that were read from the disk and that no commit keeps */
};

static struct git *git_of(struct fs *fs)
{
	return fs->state;
}

/* --- paths --- */

static struct str absolute(struct arena *a, struct str path)
{
	return str_fmt(a, "/%.*s", STR_ARG(path));
}

/* Where a link of then led, or false when it was none. */
static bool link_read(struct git *g, struct str path, struct arena *a, struct str *target)
{
	const struct past_file *f = map_get(&g->past.file, path);
	char text[PATH_MAX];
	ssize_t n;

	if (f != NULL)
		return f->type == FS_LINK && git_object_read(f->from, f->object, a, target) == 0;
	n = map_find(&g->past.dir, path) == NULL ? readlink(absolute(a, path).p, text, sizeof text) : -1;
	if (n > 0)
		*target = str_dup(a, (struct str){ text, (size_t)n });
	return n > 0;
}

/* The path without links of then on the way; the last part only when `follow`. 0, -ENOENT or -ELOOP. */
static int real_find(struct git *g, struct arena *a, struct str path, bool follow, struct str *at)
{
	struct str part, next, target;
	size_t links = 0;

	*at = path_is_absolute(path) ? STR("") : g->root;
	while (path.n != 0 && str_cut(&path, '/', &part)) {
		if (part.n == 0 || str_is(part, "."))
			continue;
		next = str_is(part, "..") ? path_parent(*at) : path_join(a, *at, part);
		if (past_lacks(&g->past, next))
			return -ENOENT;
		if ((path.n == 0 && !follow) || !link_read(g, next, a, &target)) {
			*at = next;
			continue;
		}
		if (++links > LINKS)
			return -ELOOP;
		*at = path_is_absolute(target) ? STR("") : *at;
		path = path.n != 0 ? str_cat_sep(a, target, '/', path) : target;
	}
	return 0;
}

/* --- the seam --- */

static int old_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *st)
{
	struct git *g = git_of(fs);
	struct arena own = { 0 };
	const struct past_file *f;
	struct str real;
	int rc = real_find(g, &own, path, follow, &real);

	*st = (struct fs_stat){ .type = FS_DIR };
	f = rc == 0 ? map_get(&g->past.file, real) : NULL;
	if (f != NULL)
		st->type = f->type;
	else if (rc == 0 && map_find(&g->past.dir, real) == NULL)
		rc = g->now->ops->stat(g->now, absolute(&own, real), false, st);
	arena_release(&own);
	return rc;
}

/* A file of the disk that git does not know may have been another one. */
static void unseen_note(struct git *g, struct str path)
{
	if (past_knows(&g->past, path))
		return;
	pthread_mutex_lock(&g->lock);
	if (map_find(&g->unseen, path) == NULL)
		map_add(&g->unseen, &g->own, str_dup(&g->own, path));
	pthread_mutex_unlock(&g->lock);
}

static int old_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	struct git *g = git_of(fs);
	const struct past_file *f;
	struct str real;
	int rc = real_find(g, a, path, true, &real);

	if (rc != 0)
		return rc;
	f = map_get(&g->past.file, real);
	if (f != NULL) {
		rc = git_object_read(f->from, f->object, a, bytes);
		*st = (struct fs_stat){ .type = FS_FILE, .size = bytes->n };
		return rc;
	}
	if (map_find(&g->past.dir, real) != NULL)
		return -EISDIR;
	rc = g->now->ops->read(g->now, absolute(a, real), a, bytes, st);
	if (rc == 0)
		unseen_note(g, real);
	return rc;
}

static int entry_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct fs_entry *)x)->name, ((const struct fs_entry *)y)->name);
}

/* Entries of then in `dir`: the type of each, or NULL for a folder. */
static void old_entries(const struct map *from, bool folders, struct str dir, struct arena *a, struct map *seen)
{
	for (size_t i = 0; i < from->n; i++) {
		struct str path = from->entry[i].key;

		if (path.n != 0 && str_eq(path_parent(path), dir))
			map_put(seen, a, path_base(path), folders ? NULL : from->entry[i].value);
	}
}

static int old_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	struct git *g = git_of(fs);
	struct { VEC_OF(struct fs_entry) } v = { 0 };
	struct map seen = { 0 };
	struct str d;
	int rc = real_find(g, a, dir, true, &d);

	if (rc != 0 || map_find(&g->past.file, d) != NULL)
		return rc != 0 ? rc : -ENOTDIR;
	/* What is a link or a file now has nothing to show of then. */
	rc = map_get(&g->past.changed, d) != NULL ? -ENOTDIR : g->now->ops->list(g->now, absolute(a, d), a, l);
	if (rc != 0 && map_find(&g->past.dir, d) == NULL)
		return rc;
	old_entries(&g->past.file, false, d, a, &seen);
	old_entries(&g->past.dir, true, d, a, &seen);
	for (size_t i = 0; i < seen.n; i++) {
		const struct past_file *f = seen.entry[i].value;

		*VEC_PUSH(&v, a) = (struct fs_entry){ seen.entry[i].key, f == NULL ? FS_DIR : f->type };
	}
	for (size_t i = 0; rc == 0 && i < l->n; i++)
		if (map_find(&seen, l->entry[i].name) == NULL && !past_lacks(&g->past, path_join(a, d, l->entry[i].name)))
			*VEC_PUSH(&v, a) = l->entry[i];
	if (v.n > 1)
		qsort(v.p, v.n, sizeof *v.p, entry_cmp);
	*l = (struct fs_listing){ v.p, v.n };
	return 0;
}

static int refuse_create(struct fs *fs, struct str path, struct str bytes, uint32_t mode)
{
	(void)fs, (void)path, (void)bytes, (void)mode;
	return -EROFS;
}

static int refuse_rename(struct fs *fs, struct str from, struct str to)
{
	(void)fs, (void)from, (void)to;
	return -EROFS;
}

static int refuse(struct fs *fs, struct str path)
{
	(void)fs, (void)path;
	return -EROFS;
}

static const struct fs_ops git_ops = {
	.stat = old_stat,
	.read = old_read,
	.list = old_list,
	.create = refuse_create,
	.rename = refuse_rename,
	.unlink = refuse,
	.mkdir = refuse,
	.rmdir = refuse,
};

/* --- opening --- */

/* `path` from the folder `root`, which it need not be in. */
static struct str relative(struct arena *a, struct str root, struct str path)
{
	struct str up = STR("");

	for (; !path_is_below(path, root); root = path_parent(root))
		up = str_cat(a, up, STR("../"));
	return str_cat(a, up, str_skip(path, root.n + (root.n != 0 && path.n > root.n)));
}

static void changed_tell(struct git *g, struct arena *a, struct git_paths *out)
{
	for (size_t i = 0; i < g->past.changed.n; i++)
		if (g->past.changed.entry[i].value != NULL)
			*VEC_PUSH(out, a) = relative(a, g->root, g->past.changed.entry[i].key);
}

int fs_git_open(struct fs *fs, struct fs *now, struct arena *a, struct str commit, const struct git_paths *listed,
                struct git_paths *changed, struct str *said)
{
	const char *const where[] = { "rev-parse", "--show-toplevel", NULL };
	struct git *g = ARENA_NEW(a, struct git);
	struct git_paths real = { 0 };
	struct str top, path;

	*g = (struct git){ .now = now, .root = str_skip(now->root, 1) };
	pthread_mutex_init(&g->lock, NULL);
	*fs = (struct fs){ &git_ops, g, now->root };
	if (git_run(a, now->root, NULL, where, said) != 0 || said->n < 2)
		return -1;
	top = str_sub(*said, 1, said->n - 1);
	/* Without a past yet, these are real paths of now: git names files by their folders. */
	for (size_t i = 0; listed != NULL && i < listed->n; i++)
		if (real_find(g, a, listed->p[i], false, &path) == 0)
			*VEC_PUSH(&real, a) = path;
	if (past_open(&g->past, a, now, top, commit, listed != NULL ? &real : NULL, said) != 0)
		return -1;
	changed_tell(g, a, changed);
	return 0;
}

void fs_git_doubts(struct fs *fs, struct arena *a, struct git_paths *out)
{
	struct git *g = git_of(fs);

	for (size_t i = 0; i < g->past.absent.n; i++)
		*VEC_PUSH(out, a) = str_fmt(a, "the submodule %.*s lacks the commit that it was at: all in it counts as new",
		                            STR_ARG(relative(a, g->root, g->past.absent.p[i])));
	if (g->unseen.n != 0) {
		struct str first = relative(a, g->root, g->unseen.entry[map_sorted(&g->unseen, a)[0]].key);
		struct str more = g->unseen.n > 1 ? str_fmt(a, " and %zu more", g->unseen.n - 1) : STR("");

		*VEC_PUSH(out, a) = str_fmt(a, "changes of %.*s%.*s are not seen, git does not keep them", STR_ARG(first), STR_ARG(more));
	}
}

void fs_git_close(struct fs *fs)
{
	struct git *g = git_of(fs);

	if (g == NULL)
		return;
	past_close(&g->past);
	arena_release(&g->own);
	pthread_mutex_destroy(&g->lock);
	fs->state = NULL;
}
