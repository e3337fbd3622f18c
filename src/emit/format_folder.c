#include "emit/format_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

static const struct str NAME = STR_INIT("lhp-format-");
static const int64_t MINUTE_NS = 60 * INT64_C(1000000000);

/* Opens and locks it. The lock, or -1: it is somebody else's, or cannot be locked. */
static int folder_lock(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	return -1;
}

/* One that is younger may not be locked yet. */
static bool is_old(struct fs *where, struct str name)
{
	struct timespec now;
	struct fs_stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	return fs_lstat(where, name, &st) == 0 &&
	       (int64_t)now.tv_sec * INT64_C(1000000000) + now.tv_nsec - st.mtime_ns > MINUTE_NS;
}

static void left_remove(struct fs *where, struct arena *a, struct str name)
{
	int lock = is_old(where, name) ? folder_lock(str_fmt(a, "%.*s/%.*s", STR_ARG(where->root), STR_ARG(name)).p) : -1;

	if (lock < 0)
		return;
	fs_remove_tree(where, name);
	close(lock);
}

static void all_left_remove(const char *where)
{
	struct arena a = { 0 };
	struct fs fs;
	struct fs_listing l;

	if (fs_open(&fs, &a, str_of(where)) == 0) {
		if (fs_list(&fs, STR(""), &a, &l) == 0)
			for (size_t i = 0; i < l.n; i++)
				if (l.entry[i].type == FS_DIR && str_starts(l.entry[i].name, NAME))
					left_remove(&fs, &a, l.entry[i].name);
		fs_close(&fs);
	}
	arena_release(&a);
}

int format_folder_make(struct format_folder *f, struct arena *a, const char *where)
{
	struct str name = str_fmt(a, "%s/%.*sXXXXXX", where, STR_ARG(NAME));
	int rc;

	all_left_remove(where);
	if (mkdtemp((char *)(uintptr_t)name.p) == NULL)
		return -errno;
	rc = fs_open(&f->fs, a, name);
	if (rc == 0)
		f->lock = folder_lock(name.p);
	else
		rmdir(name.p);
	return rc;
}

void format_folder_remove(struct format_folder *f)
{
	if (f->fs.ops == NULL)
		return;
	fs_remove_tree(&f->fs, f->fs.root);
	fs_close(&f->fs);
	if (f->lock >= 0)
		close(f->lock);
	*f = (struct format_folder){ 0 };
}
