#include "build/watch.h"

#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint32_t EVENTS = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                               IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

enum { MAX_DEPTH = 64, MAX_LINKS = 40 };

static bool is_output(const struct watch *w, struct str dir)
{
	for (size_t i = 0; i < WATCH_OUTPUTS; i++)
		if (str_eq(w->output[i], dir))
			return true;
	return false;
}

/* What other runs write, and folders that hold no input. */
static bool is_ignored(const struct watch *w, struct str path, bool is_dir)
{
	static const char *const ignored[] = { ".git", ".lhp", "resources/lhp", "node_modules", ".venv" };
	struct str top = path_parent(path);

	if (is_output(w, path))
		return false;
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		if (str_is(path, ignored[i]))
			return true;
	/* Each environment has a folder there. */
	return is_dir && (str_is(top, "generated") || str_is(top, "monitoring"));
}

static bool is_left_out(const struct watch *w, struct str dir)
{
	for (; dir.n != 0; dir = path_parent(dir))
		if (is_ignored(w, dir, true))
			return true;
	return false;
}

bool watch_is_outside(const struct watch *w, struct str dir)
{
	return path_is_absolute(dir) || str_is(dir, "..") || str_starts(dir, STR("../")) || is_left_out(w, dir);
}

/* In a folder that the caller fills, or beside: it makes these folders, and files beside them, too. */
static bool is_among_outputs(const struct watch *w, struct str path)
{
	for (size_t i = 0; i < WATCH_OUTPUTS; i++)
		if (w->output[i].n != 0 && path_is_below(path, path_parent(w->output[i])))
			return true;
	return false;
}

static void dir_set(struct watch *w, int wd, struct str dir, bool outside)
{
	size_t at = (size_t)wd;

	if (at >= w->n_dir) {
		size_t n = at * 2 + 64;

		w->dir = xrealloc(w->dir, n * sizeof *w->dir);
		memset(w->dir + w->n_dir, 0, (n - w->n_dir) * sizeof *w->dir);
		w->n_dir = n;
	}
	w->dir[at] = (struct watched_dir){ str_dup(&w->arena, dir), outside };
}

static bool is_watched(const struct watch *w, int wd)
{
	return (size_t)wd < w->n_dir && w->dir[wd].path.p != NULL && !w->dir[wd].outside;
}

static bool is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/*
 * Emacs marks a file that is edited by a link beside it, which leads nowhere. It stands for no other file: else the first one would
 * have everything looked at from then on.
 */
static bool is_lock(struct str name)
{
	return str_starts(name, STR(".#"));
}

/*
 * Watches a folder and then what it holds. One that is met through a link goes by that name until it is met itself, and is looked
 * through once, so that links in circles end. False when the machine gives no watch.
 */
static bool dir_watch(struct watch *w, struct arena *scratch, struct str dir, bool linked, unsigned depth)
{
	const char *path = str_cstr(scratch, path_join(scratch, w->root, dir));
	int wd = inotify_add_watch(w->fd, path, EVENTS);
	DIR *d;
	bool good = true;

	if (wd < 0) {
		good = errno != ENOSPC && errno != ENOMEM;
		if (is_link(path))
			map_add(&w->link, &w->arena, str_dup(&w->arena, dir));
		return good;
	}
	if (linked && is_watched(w, wd))
		return true;
	dir_set(w, wd, dir, false);
	d = depth < MAX_DEPTH ? opendir(path) : NULL;
	for (struct dirent *e; good && d != NULL && (e = readdir(d)) != NULL;) {
		struct str name = str_of(e->d_name), sub;

		if (str_is(name, ".") || str_is(name, "..") || e->d_type == DT_REG)
			continue;
		sub = path_join(scratch, dir, name);
		if (is_ignored(w, sub, true))
			continue;
		w->links = w->links || (e->d_type != DT_DIR && !is_lock(name));
		good = dir_watch(w, scratch, sub, linked || e->d_type != DT_DIR, depth + 1);
	}
	if (d != NULL)
		closedir(d);
	return good;
}

static void watches_drop(struct watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	free(w->dir);
	arena_release(&w->arena);
	w->arena = (struct arena){ 0 };
	w->dir = NULL;
	w->n_dir = 0;
	w->file = w->link = (struct map){ 0 };
	w->fd = -1;
}

static void seen_forget(struct watch *w)
{
	arena_release(&w->seen.arena);
	w->seen = (struct watch_seen){ 0 };
}

static void watches_take(struct watch *w)
{
	struct arena scratch = { 0 };

	watches_drop(w);
	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (w->fd < 0 || !dir_watch(w, &scratch, STR(""), false, 0)) {
		watches_drop(w);
		w->polls = true;
	}
	arena_release(&scratch);
}

void watch_open(struct watch *w, struct str root, const struct str *output, int signals)
{
	*w = (struct watch){ .fd = -1, .signals = signals, .root = root };
	for (size_t i = 0; output != NULL && i < WATCH_OUTPUTS; i++)
		w->output[i] = output[i];
	watches_take(w);
}

void watch_close(struct watch *w)
{
	watches_drop(w);
	seen_forget(w);
}

/* The folder, or what is there of the way to it: *name becomes what must come next in it. */
static int nearest_watch(struct watch *w, struct arena *scratch, struct str dir, struct str *name)
{
	struct str path = path_join(scratch, w->root, dir);
	int wd;

	while ((wd = inotify_add_watch(w->fd, str_cstr(scratch, path), EVENTS)) < 0 && (errno == ENOENT || errno == ENOTDIR) &&
	       path_parent(path).n != 0) {
		*name = path_base(path);
		path = path_parent(path);
	}
	return wd;
}

bool watch_outside(struct watch *w, struct str path, bool is_dir)
{
	struct str name = is_dir ? STR("") : path_base(path), dir = is_dir ? path : path_parent(path);
	struct arena scratch = { 0 };
	bool is_new = false;
	int wd = w->polls ? -1 : nearest_watch(w, &scratch, dir, &name);

	if (wd >= 0 && (!is_watched(w, wd) || is_left_out(w, dir))) {
		struct str key = str_fmt(&scratch, "%d/%.*s", wd, STR_ARG(name));

		if (!is_watched(w, wd))
			dir_set(w, wd, dir, true);
		is_new = map_find(&w->file, key) == NULL;
		if (is_new)
			map_add(&w->file, &w->arena, str_dup(&w->arena, key));
	}
	arena_release(&scratch);
	return is_new;
}

/* A link may lead to another. */
static void link_watch(struct watch *w, struct arena *scratch, struct str link)
{
	char target[PATH_MAX];
	ssize_t n;

	for (int i = 0; i < MAX_LINKS; i++) {
		n = readlink(str_cstr(scratch, path_join(scratch, w->root, link)), target, sizeof target);
		if (n <= 0)
			return;
		link = path_join(scratch, path_parent(link), str_dup(scratch, (struct str){ target, (size_t)n }));
		watch_outside(w, link, false);
	}
}

void watch_links(struct watch *w)
{
	struct arena scratch = { 0 };

	for (size_t i = 0; i < w->link.n; i++)
		link_watch(w, &scratch, w->link.entry[i].key);
	arena_release(&scratch);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What became of a name since the wait began. A file made and gone again, as editors do, is no change to tell of. */
enum fate { FATE_NEW = 1, FATE_CHANGED, FATE_DROPPED };

static void name_take(struct watch_seen *s, struct str name, uint32_t mask)
{
	void **slot;
	uintptr_t fate;

	s->any = true;
	if (name.n == 0 || mask & IN_ISDIR)
		return;
	slot = map_slot(&s->name, &s->arena, str_dup(&s->arena, name));
	fate = (uintptr_t)*slot;
	if (mask & (IN_MOVED_FROM | IN_DELETE))
		fate = fate == FATE_NEW ? FATE_DROPPED : FATE_CHANGED;
	else if (mask & IN_CREATE && fate == 0)
		fate = FATE_NEW;
	else if (fate != FATE_NEW || mask & IN_MOVED_TO)
		fate = FATE_CHANGED;
	*slot = (void *)fate;
}

/* What editors make beside a file is no name to show. */
static bool is_editors(struct str name)
{
	return name.p[0] == '.' || name.p[name.n - 1] == '~';
}

static void change_sum(const struct watch_seen *s, struct watch_change *c)
{
	for (size_t i = 0; i < s->name.n; i++) {
		struct str name = s->name.entry[i].key;

		if ((uintptr_t)s->name.entry[i].value == FATE_DROPPED || is_editors(name) || name.n >= sizeof c->first)
			continue;
		if (c->n++ == 0)
			memcpy(c->first, name.p, name.n);
	}
}

/* A name that is new: a link is read through what it leads to, a folder is watched; a link may lead to a folder. */
static void new_take(struct watch *w, struct str path, bool is_dir)
{
	struct arena scratch = { 0 };

	if (!is_dir && !is_lock(path_base(path)) && is_link(str_cstr(&scratch, path_join(&scratch, w->root, path))))
		w->links = true;
	if (!dir_watch(w, &scratch, path, !is_dir, 0))
		w->seen.any = w->seen.all = true;
	arena_release(&scratch);
}

static bool is_input(struct watch *w, int wd, struct str name)
{
	struct arena *a = &w->seen.arena;

	return map_find(&w->file, str_fmt(a, "%d/%.*s", wd, STR_ARG(name))) != NULL || map_find(&w->file, str_fmt(a, "%d/", wd)) != NULL;
}

/* By which of its names a file is read is not known. */
static void input_take(struct watch_seen *s, const struct inotify_event *e, struct str name)
{
	name_take(s, name, e->mask);
	s->folders = s->inputs = true;
}

static void outside_take(struct watch *w, const struct inotify_event *e, struct str name)
{
	bool went = e->mask & (IN_DELETE_SELF | IN_MOVE_SELF);

	if (!went && !is_input(w, e->wd, name))
		return;
	if (went) {
		inotify_rm_watch(w->fd, e->wd); /* of a folder that was moved away */
		w->dir[e->wd] = (struct watched_dir){ 0 };
	}
	input_take(&w->seen, e, name);
}

/* `own`: of what the caller did to outputs only new folders count. */
static void inside_take(struct watch *w, const struct inotify_event *e, struct str dir, struct str name, bool own)
{
	struct watch_seen *s = &w->seen;
	struct str path = path_join(&s->arena, dir, name);
	bool self = e->mask & (IN_DELETE_SELF | IN_MOVE_SELF), output = is_among_outputs(w, path);

	if (!self && is_ignored(w, path, e->mask & IN_ISDIR)) {
		if (is_input(w, e->wd, name)) /* or a folder on the way to one */
			input_take(s, e, name);
		return;
	}
	if (!self && e->mask & (IN_CREATE | IN_MOVED_TO))
		new_take(w, path, e->mask & IN_ISDIR);
	if (own && output) {
		s->own = true;
		return;
	}
	s->inputs = s->inputs || !output;
	name_take(s, name, e->mask);
	if (self || name.n == 0 || e->mask & IN_ISDIR)
		s->folders = true;
	else
		map_add(&s->dir, &s->arena, str_dup(&s->arena, dir));
	s->gone = s->gone || (self && dir.n == 0);
	/* The names below a moved folder are wrong now. */
	s->all = s->all || e->mask & IN_MOVE_SELF;
}

static void event_take(struct watch *w, const struct inotify_event *e, bool own)
{
	const struct watched_dir *dir = e->wd >= 0 && (size_t)e->wd < w->n_dir ? &w->dir[e->wd] : NULL;
	struct str name = e->len != 0 ? str_of(e->name) : STR("");

	if (e->mask & IN_Q_OVERFLOW && own)
		w->seen.lost = true;
	else if (e->mask & IN_Q_OVERFLOW)
		w->seen.any = w->seen.all = true;
	else if (e->mask & IN_IGNORED || dir == NULL || dir->path.p == NULL)
		return;
	else if (dir->outside)
		outside_take(w, e, name);
	else
		inside_take(w, e, dir->path, name, own);
}

static void events_read(struct watch *w, bool own)
{
	_Alignas(struct inotify_event) char block[16384];
	ssize_t n;

	while ((n = read(w->fd, block, sizeof block)) > 0)
		for (char *p = block; p < block + n;) {
			const struct inotify_event *e = (const void *)p;

			event_take(w, e, own);
			p += sizeof *e + e->len;
		}
}

/* -1: a signal; 0: time is up; 1: events. */
static int sleep_until(struct watch *w, long timeout)
{
	struct pollfd fd[] = { { .fd = w->signals, .events = POLLIN }, { .fd = w->fd, .events = POLLIN } };
	int rc = poll(fd, 2, (int)timeout);

	if (fd[0].revents & POLLIN)
		return -1;
	return rc > 0 && fd[1].revents != 0;
}

/* Until it was quiet for a while. */
static enum watch_end settle(struct watch *w, const struct watch_seen *s, long quiet_ms)
{
	long first = now_ms();

	for (;;) {
		long left = s->any ? first + WATCH_SETTLE_MAX_MS - now_ms() : quiet_ms;
		bool before = s->any;
		int rc = sleep_until(w, before && left > WATCH_SETTLE_MS ? WATCH_SETTLE_MS : before && left < 0 ? 0 : left);

		if (rc < 0)
			return WATCH_SIGNAL;
		if (rc == 0 && !before)
			return WATCH_QUIET;
		if (rc > 0)
			events_read(w, false);
		if (s->gone)
			return WATCH_GONE;
		if (!before && s->any)
			first = now_ms();
		if (before && (rc == 0 || now_ms() - first >= WATCH_SETTLE_MAX_MS))
			return WATCH_CHANGED;
	}
}

static enum watch_end poll_wait(struct watch *w)
{
	if (sleep_until(w, WATCH_POLL_MS) < 0)
		return WATCH_SIGNAL;
	return access(str_cstr(&w->seen.arena, w->root), F_OK) == 0 ? WATCH_CHANGED : WATCH_GONE;
}

enum watch_own watch_own(struct watch *w)
{
	struct watch_seen *s = &w->seen;

	if (s->told)
		seen_forget(w);
	if (!w->polls)
		events_read(w, true);
	if (s->lost)
		watches_take(w);
	return s->lost ? WATCH_OWN_LOST : s->own ? WATCH_OWN_OUTPUTS : WATCH_OWN_NOTHING;
}

enum watch_end watch_wait(struct watch *w, long quiet_ms, struct watch_change *c)
{
	struct watch_seen *s = &w->seen;
	enum watch_end end;

	*c = (struct watch_change){ 0 };
	if (s->told)
		seen_forget(w);
	if (!w->polls && w->n_dir == 0) /* the root was away when it should have been watched */
		return WATCH_GONE;
	end = w->polls ? poll_wait(w) : settle(w, s, quiet_ms);
	s->told = true;
	if (s->all)
		watches_take(w);
	else
		change_sum(s, c);
	c->everything = s->all;
	c->outputs_only = end == WATCH_CHANGED && !s->all && !s->inputs && !w->polls;
	if (end == WATCH_CHANGED && !s->all && !s->folders && !w->links && !w->polls)
		c->where = &s->dir;
	return end;
}
