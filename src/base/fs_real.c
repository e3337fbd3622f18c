/* fs_real.c - the file system of the operating system. The only file of the program that knows it. */
#include "base/fs.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct real {
	int root; /* the folder, held open: a renamed root is still ours */
};

/* A path for the kernel: NUL-terminated, "." for the root. -ENAMETOOLONG, or -ENOENT for a NUL inside. */
static int kernel_path(struct str path, char out[PATH_MAX])
{
	if (path.n == 0)
		path = STR(".");
	if (path.n >= PATH_MAX)
		return -ENAMETOOLONG;
	if (memchr(path.p, '\0', path.n) != NULL)
		return -ENOENT;
	memcpy(out, path.p, path.n);
	out[path.n] = '\0';
	return 0;
}

static int root_of(struct fs *fs)
{
	return ((struct real *)fs->state)->root;
}

static int64_t ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static enum fs_type type_of(mode_t mode)
{
	return S_ISREG(mode) ? FS_FILE : S_ISDIR(mode) ? FS_DIR : S_ISLNK(mode) ? FS_LINK : FS_OTHER;
}

static void stat_fill(struct fs_stat *out, const struct stat *st)
{
	*out = (struct fs_stat){ .ino = st->st_ino,
		                 .size = (uint64_t)st->st_size,
		                 .mtime_ns = ns_of(st->st_mtim),
		                 .ctime_ns = ns_of(st->st_ctim),
		                 .mode = st->st_mode,
		                 .type = type_of(st->st_mode) };
}

static int real_stat(struct fs *fs, struct str path, bool follow, struct fs_stat *out)
{
	char p[PATH_MAX];
	struct stat st;
	int rc = kernel_path(path, p);

	if (rc != 0)
		return rc;
	if (fstatat(root_of(fs), p, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOTDIR ? -ENOENT : -errno;
	stat_fill(out, &st);
	return 0;
}

static void real_stat_names(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *out, int *rc)
{
	char p[PATH_MAX];
	int bad = kernel_path(dir, p), fd = bad == 0 ? openat(root_of(fs), p, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

	for (size_t i = 0; i < n; i++) {
		struct stat st;

		rc[i] = fd < 0 ? -ENOENT : kernel_path(name[i], p);
		if (rc[i] != 0)
			continue;
		if (fstatat(fd, p, &st, AT_SYMLINK_NOFOLLOW) == 0)
			stat_fill(&out[i], &st);
		else
			rc[i] = -errno;
	}
	if (fd >= 0)
		close(fd);
}

/* A file without a name: it gets the time that a file written now would get, and leaves no trace. */
static int64_t real_now(struct fs *fs, struct str dir)
{
	char p[PATH_MAX];
	struct timespec t;
	struct stat st;
	int fd = kernel_path(dir, p) == 0 ? openat(root_of(fs), p, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600) : -1;

	if (fd >= 0 && fstat(fd, &st) == 0) {
		close(fd);
		return ns_of(st.st_mtim);
	}
	if (fd >= 0)
		close(fd);
	clock_gettime(CLOCK_REALTIME_COARSE, &t);
	return ns_of(t);
}

static int read_all(int fd, size_t size, struct arena *a, struct str *bytes)
{
	char *p = arena_alloc(a, size + 1);
	size_t n = 0;

	while (n < size) {
		ssize_t got = read(fd, p + n, size - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break; /* it shrank under us: what we have is what we hash */
		n += (size_t)got;
	}
	*bytes = (struct str){ p, n };
	return 0;
}

static int real_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *out)
{
	char p[PATH_MAX];
	struct stat st;
	int rc = kernel_path(path, p), fd;

	if (rc != 0)
		return rc;
	/* O_NONBLOCK: a fifo put in the place of a file must not hang us. */
	fd = openat(root_of(fs), p, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOTDIR ? -ENOENT : -errno;
	if (fstat(fd, &st) != 0)
		rc = -errno;
	else if (S_ISDIR(st.st_mode))
		rc = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		rc = -EINVAL;
	else if (st.st_size > FS_MAX_FILE)
		rc = -EFBIG;
	else
		rc = read_all(fd, (size_t)st.st_size, a, bytes);
	if (rc == 0)
		stat_fill(out, &st);
	close(fd);
	return rc;
}

static int entry_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct fs_entry *)x)->name, ((const struct fs_entry *)y)->name);
}

static enum fs_type entry_type(DIR *d, const struct dirent *e)
{
	struct stat st;

	switch (e->d_type) {
	case DT_REG: return FS_FILE;
	case DT_DIR: return FS_DIR;
	case DT_LNK: return FS_LINK;
	case DT_UNKNOWN:
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			return type_of(st.st_mode);
		return FS_OTHER;
	default: return FS_OTHER;
	}
}

static int real_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	struct {
		VEC_OF(struct fs_entry)
	} v = { 0 };
	char p[PATH_MAX];
	struct dirent *e;
	int rc = kernel_path(dir, p), fd;
	DIR *d;

	if (rc != 0)
		return rc;
	fd = openat(root_of(fs), p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d = fd >= 0 ? fdopendir(fd) : NULL;
	if (d == NULL) {
		rc = -errno;
		if (fd >= 0)
			close(fd);
		return rc;
	}
	while (errno = 0, (e = readdir(d)) != NULL) {
		struct str name = str_of(e->d_name);

		if (!str_is(name, ".") && !str_is(name, ".."))
			*VEC_PUSH(&v, a) = (struct fs_entry){ str_dup(a, name), entry_type(d, e) };
	}
	rc = -errno;
	closedir(d);
	if (v.n > 1)
		qsort(v.p, v.n, sizeof *v.p, entry_cmp);
	*l = (struct fs_listing){ v.p, v.n };
	return rc;
}

static int write_all(int fd, struct str bytes)
{
	while (bytes.n != 0) {
		ssize_t put = write(fd, bytes.p, bytes.n);

		if (put < 0 && errno != EINTR)
			return -errno;
		if (put > 0)
			bytes = str_skip(bytes, (size_t)put);
	}
	return 0;
}

static int real_create(struct fs *fs, struct str path, struct str bytes, uint32_t mode)
{
	char p[PATH_MAX];
	int rc = kernel_path(path, p), fd;

	if (rc != 0)
		return rc;
	fd = openat(root_of(fs), p, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return -errno;
	rc = write_all(fd, bytes);
	if (close(fd) != 0 && rc == 0)
		rc = -errno;
	if (rc != 0)
		unlinkat(root_of(fs), p, 0);
	return rc;
}

static int real_rename(struct fs *fs, struct str from, struct str to)
{
	char p[PATH_MAX], q[PATH_MAX];
	int rc = kernel_path(from, p);

	if (rc == 0)
		rc = kernel_path(to, q);
	if (rc != 0)
		return rc;
	return renameat(root_of(fs), p, root_of(fs), q) == 0 ? 0 : -errno;
}

static int remove_at(struct fs *fs, struct str path, int flags)
{
	char p[PATH_MAX];
	int rc = kernel_path(path, p);

	if (rc != 0)
		return rc;
	return unlinkat(root_of(fs), p, flags) == 0 ? 0 : -errno;
}

static int real_unlink(struct fs *fs, struct str path)
{
	return remove_at(fs, path, 0);
}

static int real_rmdir(struct fs *fs, struct str path)
{
	return remove_at(fs, path, AT_REMOVEDIR);
}

static int real_mkdir(struct fs *fs, struct str path)
{
	char p[PATH_MAX];
	int rc = kernel_path(path, p);

	if (rc != 0)
		return rc;
	return mkdirat(root_of(fs), p, 0777) == 0 ? 0 : -errno;
}

static const struct fs_ops real_ops = {
	.stat = real_stat,
	.read = real_read,
	.list = real_list,
	.create = real_create,
	.rename = real_rename,
	.unlink = real_unlink,
	.mkdir = real_mkdir,
	.rmdir = real_rmdir,
	.stat_names = real_stat_names,
	.now = real_now,
};

int fs_open(struct fs *fs, struct arena *a, struct str root)
{
	char p[PATH_MAX], full[PATH_MAX];
	struct real *real;
	int rc = kernel_path(root, p), fd;

	if (rc != 0)
		return rc;
	fd = open(p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (realpath(p, full) == NULL) {
		rc = -errno;
		close(fd);
		return rc;
	}
	real = ARENA_NEW(a, struct real);
	real->root = fd;
	*fs = (struct fs){ &real_ops, real, str_dup(a, str_of(full)) };
	return 0;
}

void fs_close(struct fs *fs)
{
	if (fs->state != NULL && fs->ops == &real_ops)
		close(root_of(fs));
	*fs = (struct fs){ 0 };
}
