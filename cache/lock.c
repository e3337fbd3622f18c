#include "cache/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* When a process began, or 0: field 22 of its stat, in ticks since the machine did. The name before, in (), may hold anything. */
static long started_at(int pid)
{
	char path[64], text[1024], *p;
	unsigned long long ticks = 0;
	struct timespec up;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	p = strrchr(text, ')');
	for (int field = 2; p != NULL && field < 22; field++)
		p = strchr(p + 1, ' ');
	if (p == NULL || sscanf(p, "%llu", &ticks) != 1 || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
		return 0;
	return (long)time(NULL) - (up.tv_sec - (long)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK)));
}

/* Command line and start of a process, as far as /proc tells. */
static void holder_describe(struct lock_holder *h)
{
	char path[64];
	FILE *f;
	size_t n;

	if (h->since == 0)
		h->since = started_at(h->pid);
	snprintf(path, sizeof path, "/proc/%d/cmdline", h->pid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	n = fread(h->command, 1, sizeof h->command - 1, f);
	fclose(f);
	for (size_t i = 0; i + 1 < n; i++)
		if (h->command[i] == '\0')
			h->command[i] = ' ';
	h->command[n] = '\0';
}

/* Who has a flock on this inode: /proc/locks says "1: FLOCK ADVISORY WRITE PID MAJ:MIN:INODE 0 EOF". */
static void flock_holder(int fd, struct lock_holder *h)
{
	char line[256];
	struct stat st;
	FILE *f = fopen("/proc/locks", "re");

	*h = (struct lock_holder){ 0 };
	if (f == NULL || fstat(fd, &st) != 0)
		goto out;
	while (fgets(line, sizeof line, f) != NULL) {
		unsigned long ino;
		int pid;

		if (sscanf(line, "%*d: FLOCK %*s %*s %d %*x:%*x:%lu", &pid, &ino) == 2 && ino == st.st_ino && pid > 0) {
			h->pid = pid;
			holder_describe(h);
			break;
		}
	}
out:
	if (f != NULL)
		fclose(f);
}

static int file_path(const struct lock *l, char out[PATH_MAX])
{
	int n = snprintf(out, PATH_MAX, "%.*s/lock", STR_ARG(l->dir));

	return n > 0 && n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

enum { UNNAMED_S = 10 };

/* Its holder died; or before it could write its name, which takes no time. */
static bool is_abandoned(const char *path, const struct lock_holder *h)
{
	struct stat st;

	if (h->pid > 0)
		return kill(h->pid, 0) != 0 && errno == ESRCH;
	return stat(path, &st) == 0 && time(NULL) - st.st_mtime > UNNAMED_S;
}

/* 0 taken, -EWOULDBLOCK held by a living process. A dead one's file is removed. */
static int file_try(struct lock *l, struct lock_holder *h)
{
	char path[PATH_MAX];
	int rc = file_path(l, path), fd;
	FILE *f;

	if (rc != 0)
		return rc;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0) {
		dprintf(fd, "%d %ld\n", (int)getpid(), (long)time(NULL));
		close(fd);
		l->is_file = true;
		return 0;
	}
	if (errno != EEXIST)
		return -errno;
	*h = (struct lock_holder){ 0 };
	f = fopen(path, "re");
	if (f != NULL) {
		if (fscanf(f, "%d %ld", &h->pid, &h->since) == 2)
			holder_describe(h);
		fclose(f);
	}
	if (is_abandoned(path, h))
		unlink(path);
	return -EWOULDBLOCK;
}

static int lock_try(struct lock *l, struct lock_holder *h)
{
	if (flock(l->fd, LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK) {
		flock_holder(l->fd, h);
		return -EWOULDBLOCK;
	}
	return file_try(l, h);
}

int lock_take(struct lock *l, struct str dir, bool wait, struct lock_holder *holder,
              void (*waiting)(void *, const struct lock_holder *), void *ctx)
{
	char path[PATH_MAX];
	bool said = false;
	int rc;

	*l = (struct lock){ .fd = -1, .dir = dir };
	if (dir.n >= sizeof path)
		return -ENAMETOOLONG;
	memcpy(path, dir.p, dir.n);
	path[dir.n] = '\0';
	l->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->fd < 0)
		return -errno;
	while ((rc = lock_try(l, holder)) == -EWOULDBLOCK && wait) {
		if (!said && waiting != NULL)
			waiting(ctx, holder);
		said = true;
		nanosleep(&(struct timespec){ .tv_nsec = 20 * 1000 * 1000 }, NULL);
	}
	if (rc != 0)
		lock_give(l);
	return rc;
}

void lock_give(struct lock *l)
{
	char path[PATH_MAX];

	if (l->is_file && file_path(l, path) == 0)
		unlink(path);
	if (l->fd >= 0)
		close(l->fd);
	*l = (struct lock){ .fd = -1 };
}
