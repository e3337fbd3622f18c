#include "build/watch.h"

#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const uint32_t EVENTS = IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                               IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

enum { MAX_DEPTH = 64 };

/* What runs write, and folders that hold no input. */
static bool is_ignored(struct str path, bool is_dir)
{
	static const char *const ignored[] = { ".git", ".lhp", "resources/lhp", "node_modules", ".venv" };
	struct str top = path_parent(path);

	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		if (str_is(path, ignored[i]))
			return true;
	/* Each environment has a folder there. */
	return is_dir && (str_is(top, "generated") || str_is(top, "monitoring"));
}

static void dir_set(struct watch *w, int wd, struct str dir)
{
	size_t at = (size_t)wd;

	if (at >= w->n_dir) {
		size_t n = at * 2 + 64;

		w->dir = xrealloc(w->dir, n * sizeof *w->dir);
		memset(w->dir + w->n_dir, 0, (n - w->n_dir) * sizeof *w->dir);
		w->n_dir = n;
	}
	w->dir[at] = str_dup(&w->arena, dir);
}

static bool is_watched(const struct watch *w, int wd)
{
	return (size_t)wd < w->n_dir && w->dir[wd].p != NULL;
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

	if (wd < 0)
		return errno != ENOSPC && errno != ENOMEM;
	if (linked && is_watched(w, wd))
		return true;
	dir_set(w, wd, dir);
	d = depth < MAX_DEPTH ? opendir(path) : NULL;
	for (struct dirent *e; good && d != NULL && (e = readdir(d)) != NULL;) {
		struct str name = str_of(e->d_name), sub;

		if (str_is(name, ".") || str_is(name, "..") || e->d_type == DT_REG)
			continue;
		sub = path_join(scratch, dir, name);
		if (is_ignored(sub, true))
			continue;
		w->links = w->links || e->d_type != DT_DIR;
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
	w->fd = -1;
}

static void touched_forget(struct watch *w)
{
	arena_release(&w->touched.arena);
	w->touched.dir = (struct map){ 0 };
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

void watch_open(struct watch *w, struct str root, int signals)
{
	*w = (struct watch){ .fd = -1, .signals = signals, .root = root };
	watches_take(w);
}

void watch_close(struct watch *w)
{
	watches_drop(w);
	touched_forget(w);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What became of a name since the wait began. A file made and gone again, as editors do, is no change to tell of. */
enum fate { FATE_NEW = 1, FATE_CHANGED, FATE_DROPPED };

struct seen {
	struct arena arena;
	struct map name;          /* -> enum fate */
	bool any, all, gone;      /* all: what changed is not known */
	bool folders;             /* one came or went: what changed is in it, and below */
};

static void name_take(struct seen *s, struct str name, uint32_t mask)
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

static void change_sum(const struct seen *s, struct watch_change *c)
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
static void new_take(struct watch *w, struct seen *s, struct str path, bool is_dir)
{
	struct stat st;

	if (!is_dir && lstat(str_cstr(&s->arena, path_join(&s->arena, w->root, path)), &st) == 0 && S_ISLNK(st.st_mode))
		w->links = true;
	if (!dir_watch(w, &s->arena, path, !is_dir, 0))
		s->all = true;
}

static void event_take(struct watch *w, struct seen *s, const struct inotify_event *e)
{
	struct str dir = e->wd >= 0 && (size_t)e->wd < w->n_dir ? w->dir[e->wd] : STR_NONE;
	struct str name = e->len != 0 ? str_of(e->name) : STR(""), path;

	if (e->mask & IN_Q_OVERFLOW) {
		s->any = s->all = true;
		return;
	}
	if (e->mask & IN_IGNORED || dir.p == NULL)
		return;
	if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) {
		s->any = s->folders = true;
		s->gone = s->gone || dir.n == 0;
		/* The names below a moved folder are wrong now. */
		s->all = s->all || (e->mask & IN_MOVE_SELF) != 0;
		return;
	}
	path = path_join(&s->arena, dir, name);
	if (is_ignored(path, e->mask & IN_ISDIR))
		return;
	name_take(s, name, e->mask);
	if (name.n == 0 || e->mask & IN_ISDIR)
		s->folders = true;
	else
		map_add(&w->touched.dir, &w->touched.arena, dir);
	if (e->mask & (IN_CREATE | IN_MOVED_TO))
		new_take(w, s, path, e->mask & IN_ISDIR);
}

static void events_read(struct watch *w, struct seen *s)
{
	_Alignas(struct inotify_event) char block[16384];
	ssize_t n;

	while ((n = read(w->fd, block, sizeof block)) > 0)
		for (char *p = block; p < block + n;) {
			const struct inotify_event *e = (const void *)p;

			event_take(w, s, e);
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
static enum watch_end settle(struct watch *w, struct seen *s, long quiet_ms)
{
	long first = 0;

	for (;;) {
		long left = s->any ? first + WATCH_SETTLE_MAX_MS - now_ms() : quiet_ms;
		bool before = s->any;
		int rc = sleep_until(w, before && left > WATCH_SETTLE_MS ? WATCH_SETTLE_MS : before && left < 0 ? 0 : left);

		if (rc < 0)
			return WATCH_SIGNAL;
		if (rc == 0 && !before)
			return WATCH_QUIET;
		if (rc > 0)
			events_read(w, s);
		if (s->gone)
			return WATCH_GONE;
		if (!before && s->any)
			first = now_ms();
		if (before && (rc == 0 || now_ms() - first >= WATCH_SETTLE_MAX_MS))
			return WATCH_CHANGED;
	}
}

static enum watch_end poll_wait(struct watch *w, struct arena *scratch)
{
	if (sleep_until(w, WATCH_POLL_MS) < 0)
		return WATCH_SIGNAL;
	return access(str_cstr(scratch, w->root), F_OK) == 0 ? WATCH_CHANGED : WATCH_GONE;
}

enum watch_end watch_wait(struct watch *w, long quiet_ms, struct watch_change *c)
{
	struct seen s = { 0 };
	enum watch_end end;

	*c = (struct watch_change){ 0 };
	touched_forget(w);
	end = w->polls ? poll_wait(w, &s.arena) : settle(w, &s, quiet_ms);
	if (s.all)
		watches_take(w);
	else
		change_sum(&s, c);
	c->everything = s.all;
	if (end == WATCH_CHANGED && !s.all && !s.folders && !w->links && !w->polls)
		c->where = &w->touched.dir;
	arena_release(&s.arena);
	return end;
}
