/*
 * fs_git.c - see fs_git.h.
 *
 * `git ls-tree -r` gives mode, object and path of what the commit holds; of it, only changed paths are kept. Objects
 * are read from one `git cat-file --batch`: an object's name and a newline in; "NAME TYPE SIZE\n", the bytes, "\n" out.
 */
#include "build/fs_git.h"

#include "base/map.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct old_file {
	struct str object;
	enum fs_type type;
};

struct git {
	struct fs *now;
	struct arena *arena;
	struct map changed; /* path -> itself */
	struct map file;    /* of the changed ones, those that the commit has -> struct old_file */
	struct map dir;     /* folders that hold them, up to the root */
	pthread_mutex_t lock;
	pid_t pid;
	int fd;             /* both ways */
};

static struct git *git_of(struct fs *fs)
{
	return fs->state;
}

/* "./a/../b" is the same file as "b". */
static struct str plain(struct arena *a, struct str path)
{
	struct str out;

	return path_normal(a, path, &out) ? out : path;
}

/* --- objects --- */

static int reader_start(struct git *g, struct str root)
{
	char *argv[] = { (char *)(uintptr_t) "git", (char *)(uintptr_t) "-C", (char *)(uintptr_t)str_cstr(g->arena, root),
		         (char *)(uintptr_t) "cat-file", (char *)(uintptr_t) "--batch", NULL };
	posix_spawn_file_actions_t actions;
	int fd[2], rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
	rc = posix_spawnp(&g->pid, "git", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fd[1]);
	if (rc != 0) {
		close(fd[0]);
		return -rc;
	}
	g->fd = fd[0];
	return 0;
}

static bool exactly_read(int fd, char *to, size_t n)
{
	while (n != 0) {
		ssize_t got = recv(fd, to, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

/* The size in "NAME TYPE SIZE", or -1. */
static long head_read(int fd)
{
	char line[256];
	size_t n = 0;
	const char *blank;

	while (n + 1 < sizeof line && exactly_read(fd, line + n, 1) && line[n] != '\n')
		n++;
	line[n] = '\0';
	blank = strrchr(line, ' ');
	return blank != NULL && blank[1] >= '0' && blank[1] <= '9' ? strtol(blank + 1, NULL, 10) : -1;
}

static int object_read(struct git *g, struct str object, struct arena *a, struct str *bytes)
{
	struct str ask = str_fmt(a, "%.*s\n", STR_ARG(object));
	int rc = -EIO;

	pthread_mutex_lock(&g->lock);
	if (send(g->fd, ask.p, ask.n, MSG_NOSIGNAL) == (ssize_t)ask.n) {
		long size = head_read(g->fd);
		char *p = size >= 0 && size <= (long)FS_MAX_FILE ? arena_alloc(a, (size_t)size + 1) : NULL;

		if (p != NULL && exactly_read(g->fd, p, (size_t)size + 1)) {
			p[size] = '\0';
			*bytes = (struct str){ p, (size_t)size };
			rc = 0;
		}
	}
	pthread_mutex_unlock(&g->lock);
	return rc;
}

/* --- the seam --- */

/* A link of the commit, followed. */
static int link_follow(struct fs *fs, struct str path, const struct old_file *f, struct arena *a, struct str *to)
{
	struct str target;
	int rc = object_read(git_of(fs), f->object, a, &target);

	*to = rc == 0 ? plain(a, path_join(a, path_parent(path), target)) : STR_NONE;
	return rc == 0 && str_eq(*to, path) ? -ELOOP : rc;
}

static int old_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *st)
{
	struct git *g = git_of(fs);
	struct arena own = { 0 };
	struct str p = plain(&own, path), to;
	const struct old_file *f = map_get(&g->file, p);
	int rc = 0;

	*st = (struct fs_stat){ .type = FS_DIR };
	if (f != NULL && f->type == FS_LINK && follow) {
		rc = link_follow(fs, p, f, &own, &to);
		rc = rc == 0 && map_find(&g->changed, to) == NULL ? g->now->ops->stat(g->now, to, true, st) : rc != 0 ? rc : -ELOOP;
	} else if (f != NULL) {
		st->type = f->type;
	} else if (map_find(&g->dir, p) == NULL) {
		rc = map_find(&g->changed, p) != NULL ? -ENOENT : g->now->ops->stat(g->now, path, follow, st);
	}
	arena_release(&own);
	return rc;
}

static int old_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	struct git *g = git_of(fs);
	struct str p = plain(a, path), to;
	const struct old_file *f = map_get(&g->file, p);
	int rc;

	if (f == NULL && map_find(&g->changed, p) != NULL)
		return map_find(&g->dir, p) != NULL ? -EISDIR : -ENOENT;
	if (f == NULL)
		return g->now->ops->read(g->now, path, a, bytes, st);
	if (f->type != FS_LINK) {
		rc = object_read(g, f->object, a, bytes);
		*st = (struct fs_stat){ .type = FS_FILE, .size = bytes->n };
		return rc;
	}
	rc = link_follow(fs, p, f, a, &to);
	f = rc == 0 ? map_get(&g->file, to) : NULL;
	if (rc != 0 || (f != NULL && f->type == FS_LINK))
		return rc != 0 ? rc : -ELOOP;
	return old_read(fs, to, a, bytes, st);
}

static int entry_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct fs_entry *)x)->name, ((const struct fs_entry *)y)->name);
}

/* Entries of the commit in `dir`. */
static void old_entries(struct git *g, const struct map *from, struct str dir, struct arena *a, struct map *seen)
{
	for (size_t i = 0; i < from->n; i++) {
		struct str path = from->entry[i].key;

		if (path.n != 0 && str_eq(path_parent(path), dir))
			map_put(seen, a, path_base(path), from == &g->dir ? (void *)g : from->entry[i].value);
	}
}

static int old_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	struct git *g = git_of(fs);
	struct str d = plain(a, dir);
	struct map seen = { 0 };
	struct { VEC_OF(struct fs_entry) } v = { 0 };
	int rc = g->now->ops->list(g->now, dir, a, l);

	if (rc != 0 && map_find(&g->dir, d) == NULL)
		return rc;
	old_entries(g, &g->file, d, a, &seen);
	old_entries(g, &g->dir, d, a, &seen);
	for (size_t i = 0; i < seen.n; i++) {
		const struct old_file *f = seen.entry[i].value;

		*VEC_PUSH(&v, a) = (struct fs_entry){ seen.entry[i].key, (const void *)f == (const void *)g ? FS_DIR : f->type };
	}
	for (size_t i = 0; rc == 0 && i < l->n; i++)
		if (map_find(&seen, l->entry[i].name) == NULL && map_find(&g->changed, path_join(a, d, l->entry[i].name)) == NULL)
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

static void dirs_add(struct git *g, struct str path)
{
	for (struct str d = path_parent(path); map_add(&g->dir, g->arena, d) && d.n != 0; d = path_parent(d))
		;
}

/* "100644 blob OBJECT\tPATH" */
static void tree_line(struct git *g, struct str line)
{
	ptrdiff_t tab = str_find_char(line, '\t', 0);
	struct str rest = tab >= 0 ? str_sub(line, 0, (size_t)tab) : STR(""), mode, type;
	struct str path = tab >= 0 ? str_skip(line, (size_t)tab + 1) : STR("");
	struct old_file *f;

	if (!str_cut(&rest, ' ', &mode) || !str_cut(&rest, ' ', &type) || !str_is(type, "blob") ||
	    map_find(&g->changed, path) == NULL)
		return;
	f = ARENA_NEW(g->arena, struct old_file);
	*f = (struct old_file){ rest, str_is(mode, "120000") ? FS_LINK : FS_FILE };
	map_put(&g->file, g->arena, path, f);
	dirs_add(g, path);
}

static int tree_read(struct git *g, struct str root, struct str commit, struct str *said)
{
	/* Without --full-tree, paths are relative to the folder that git runs in, and only those below it are listed. */
	const char *const arg[] = { "ls-tree", "-r", "-z", str_cstr(g->arena, commit), NULL };
	struct str rest, line;

	if (git_run(g->arena, root, arg, said) != 0)
		return -1;
	for (rest = *said; rest.n != 0 && str_cut(&rest, '\0', &line);)
		tree_line(g, line);
	return 0;
}

int fs_git_open(struct fs *fs, struct fs *now, struct arena *a, struct str commit, const struct git_paths *changed,
                struct str *said)
{
	struct git *g = ARENA_NEW(a, struct git);
	int rc;

	*g = (struct git){ .now = now, .arena = a, .fd = -1 };
	pthread_mutex_init(&g->lock, NULL);
	*fs = (struct fs){ &git_ops, g, now->root };
	for (size_t i = 0; i < changed->n; i++)
		map_put(&g->changed, a, changed->p[i], g);
	if (tree_read(g, now->root, commit, said) != 0)
		return -1;
	rc = reader_start(g, now->root);
	if (rc != 0)
		*said = str_fmt(a, "git cannot be started: %s", strerror(-rc));
	return rc != 0 ? -1 : 0;
}

void fs_git_close(struct fs *fs)
{
	struct git *g = git_of(fs);

	if (g == NULL)
		return;
	if (g->fd >= 0) {
		close(g->fd);
		waitpid(g->pid, NULL, 0);
	}
	pthread_mutex_destroy(&g->lock);
	fs->state = NULL;
}
