/*
 * shim.c - a preloaded library that makes the disk fail, or kills, at a chosen call.
 *
 *	FAULT_AT=K    the K-th call that would change a file or folder (1 is the first) …
 *	FAULT_DO=     … kill: SIGKILL before it; a number: it fails with this errno, and so do all after it; wait: until F is gone
 *	FAULT_MARK=F  is made when that happens
 *	FAULT_ROOM=N  files may grow by so many blocks of 4 KiB: a write that finds less is a short one, or fails with ENOSPC
 *	FAULT_ORDER=S listings come in an order of seed S
 *	FAULT_NO_FLOCK  flock is not supported
 *	FAULT_NO_INOTIFY  nor is inotify
 *
 * What counts: creating or truncating opens, writes to regular files (LMDB's too), rename, link, unlink, mkdir, rmdir,
 * ftruncate. Standard streams do not count, nor do files without a name (memfd, O_TMPFILE).
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The C library's function of this name. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long calls;

static void mark(void)
{
	const char *path = getenv("FAULT_MARK");
	int fd = path != NULL ? REAL(open)(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (fd >= 0)
		close(fd);
}

/* A minute at most: whoever should take the mark away may be gone, too. */
static void mark_await(void)
{
	const char *path = getenv("FAULT_MARK");

	for (int i = 0; path != NULL && access(path, F_OK) == 0 && i < 6000; i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

/* Counts one call; the errno it must fail with, or 0. */
static int fault(void)
{
	const char *at = getenv("FAULT_AT"), *what = getenv("FAULT_DO");
	long now = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST), k = at != NULL ? atol(at) : 0;

	if (k == 0 || what == NULL || now < k)
		return 0;
	if (now == k)
		mark();
	if (strcmp(what, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(what, "wait") == 0 && now == k)
		mark_await();
	return atoi(what);
}

static int is_file(int fd)
{
	struct stat st;

	return fd > 2 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink != 0;
}

/* Fails the caller when it is its turn. */
#define FAIL_IF(counts)                        \
	do {                                   \
		int fault_ = (counts) ? fault() : 0; \
		if (fault_ != 0) {             \
			errno = fault_;        \
			return -1;             \
		}                              \
	} while (0)

static int makes(int flags)
{
	return (flags & O_TMPFILE) != O_TMPFILE && flags & (O_CREAT | O_TRUNC);
}

#define OPEN(name, params, args)                                \
	int name params                                         \
	{                                                       \
		mode_t mode = 0;                                \
		va_list more;                                   \
		va_start(more, flags);                          \
		if (flags & (O_CREAT | O_TMPFILE))              \
			mode = va_arg(more, mode_t);            \
		va_end(more);                                   \
		FAIL_IF(makes(flags));                          \
		return REAL(name) args;                         \
	}
OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))
OPEN(openat64, (int dir, const char *path, int flags, ...), (dir, path, flags, mode))

#define CALL(type, name, params, args, counts) \
	type name params                       \
	{                                      \
		FAIL_IF(counts);               \
		return REAL(name) args;        \
	}

/* --- what writes, into a disk that may be full --- */

enum { BLOCK = 4096, PARTS = 1024 };

static off_t blocks(off_t size)
{
	return (size + BLOCK - 1) / BLOCK;
}

/* How much of a write finds room: 0 is ENOSPC. `at` < 0: it goes where the file stands. */
static size_t room(int fd, size_t n, off_t at)
{
	static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
	static off_t used;
	const char *left = getenv("FAULT_ROOM");
	off_t end, more;
	struct stat st;

	if (left == NULL || !is_file(fd) || fstat(fd, &st) != 0)
		return n;
	if (at < 0)
		at = lseek(fd, 0, SEEK_CUR);
	pthread_mutex_lock(&one_at_a_time);
	end = (blocks(st.st_size) + atol(left) - used) * BLOCK;
	if (at + (off_t)n > end)
		n = at < end ? (size_t)(end - at) : 0;
	more = blocks(at + (off_t)n) - blocks(st.st_size);
	used += more > 0 && n != 0 ? more : 0;
	pthread_mutex_unlock(&one_at_a_time);
	return n;
}

#define WRITE(name, params, args, at)                    \
	ssize_t name params                              \
	{                                                \
		size_t all = n;                          \
		FAIL_IF(is_file(fd));                    \
		n = room(fd, n, at);                     \
		if (n == 0 && all != 0) {                \
			errno = ENOSPC;                  \
			return -1;                       \
		}                                        \
		return REAL(name) args;                  \
	}
WRITE(write, (int fd, const void *p, size_t n), (fd, p, n), -1)
WRITE(pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at), at)
WRITE(pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at), at)

/* The first `n` bytes of the parts; how many parts they are. */
static int parts_cut(const struct iovec *v, int parts, size_t n, struct iovec *out)
{
	int k = 0;

	for (; k < parts && n != 0; k++) {
		out[k] = (struct iovec){ v[k].iov_base, v[k].iov_len < n ? v[k].iov_len : n };
		n -= out[k].iov_len;
	}
	return k;
}

static size_t parts_size(const struct iovec *v, int parts)
{
	size_t n = 0;

	for (int i = 0; i < parts; i++)
		n += v[i].iov_len;
	return n;
}

#define WRITE_PARTS(name, params, args, at)                               \
	ssize_t name params                                               \
	{                                                                 \
		struct iovec cut[PARTS]; /* as many as the kernel takes */ \
		size_t all = parts_size(v, n);                            \
		FAIL_IF(is_file(fd));                                     \
		n = parts_cut(v, n, room(fd, all, at), cut);              \
		if (n == 0 && all != 0) {                                 \
			errno = ENOSPC;                                   \
			return -1;                                        \
		}                                                         \
		return REAL(name) args;                                   \
	}
WRITE_PARTS(writev, (int fd, const struct iovec *v, int n), (fd, cut, n), -1)
WRITE_PARTS(pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, cut, n, at), at)
WRITE_PARTS(pwritev64, (int fd, const struct iovec *v, int n, off64_t at), (fd, cut, n, at), at)

/* --- the rest of what changes a file or folder --- */

CALL(int, ftruncate, (int fd, off_t n), (fd, n), is_file(fd))
CALL(int, ftruncate64, (int fd, off64_t n), (fd, n), is_file(fd))
CALL(int, rename, (const char *from, const char *to), (from, to), 1)
CALL(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), 1)
CALL(int, link, (const char *from, const char *to), (from, to), 1)
CALL(int, unlink, (const char *path), (path), 1)
CALL(int, unlinkat, (int dir, const char *path, int flags), (dir, path, flags), 1)
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), 1)
CALL(int, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode), 1)
CALL(int, rmdir, (const char *path), (path), 1)

int flock(int fd, int how)
{
	if (getenv("FAULT_NO_FLOCK") != NULL) {
		errno = ENOLCK;
		return -1;
	}
	return REAL(flock)(fd, how);
}

int inotify_init1(int flags)
{
	if (getenv("FAULT_NO_INOTIFY") != NULL) {
		errno = ENOSYS;
		return -1;
	}
	return REAL(inotify_init1)(flags);
}

/* --- the order of listings --- */

enum { DIRS = 64, ENTRIES = 4096 };

static struct listing {
	DIR *dir;
	struct dirent *entry[ENTRIES];
	size_t n, next;
} listings[DIRS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void listing_fill(struct listing *l, DIR *d, unsigned seed)
{
	struct dirent *e;

	*l = (struct listing){ .dir = d };
	while (l->n < ENTRIES && (e = REAL(readdir)(d)) != NULL) {
		size_t k = (seed = seed * 1103515245 + 12345) / 65536 % (l->n + 1);

		l->entry[l->n] = malloc(sizeof *e);
		memcpy(l->entry[l->n], e, sizeof *e);
		e = l->entry[k];
		l->entry[k] = l->entry[l->n];
		l->entry[l->n++] = e;
	}
}

struct dirent *readdir(DIR *d)
{
	const char *order = getenv("FAULT_ORDER");
	struct listing *l = NULL, *free_one = NULL;
	struct dirent *e = NULL;

	if (order == NULL)
		return REAL(readdir)(d);
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < DIRS; i++) {
		if (listings[i].dir == d)
			l = &listings[i];
		else if (listings[i].dir == NULL)
			free_one = &listings[i];
	}
	if (l == NULL && free_one != NULL)
		listing_fill(l = free_one, d, (unsigned)atoi(order));
	if (l != NULL && l->next < l->n)
		e = l->entry[l->next++];
	pthread_mutex_unlock(&lock);
	return e;
}

struct dirent64 *readdir64(DIR *d)
{
	return (struct dirent64 *)readdir(d);
}

int closedir(DIR *d)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < DIRS; i++) {
		if (listings[i].dir != d)
			continue;
		for (size_t k = 0; k < listings[i].n; k++)
			free(listings[i].entry[k]);
		listings[i].dir = NULL;
	}
	pthread_mutex_unlock(&lock);
	return REAL(closedir)(d);
}
