#include "base/fs.h"
#include "base/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

int fs_stat(struct fs *fs, struct str path, struct fs_stat *st)
{
	return fs->ops->stat(fs, path, true, st);
}

int fs_lstat(struct fs *fs, struct str path, struct fs_stat *st)
{
	return fs->ops->stat(fs, path, false, st);
}

static bool has_type(struct fs *fs, struct str path, enum fs_type type)
{
	struct fs_stat st;

	return fs_stat(fs, path, &st) == 0 && st.type == type;
}

bool fs_is_file(struct fs *fs, struct str path)
{
	return has_type(fs, path, FS_FILE);
}

bool fs_is_dir(struct fs *fs, struct str path)
{
	return has_type(fs, path, FS_DIR);
}

bool fs_is_led_away(struct fs *fs, struct str dir, struct str top)
{
	struct fs_stat st;

	for (; dir.n > top.n; dir = path_parent(dir))
		if (fs_lstat(fs, dir, &st) == 0 && st.type == FS_LINK)
			return true;
	return false;
}

int fs_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st)
{
	struct fs_stat unused;

	*bytes = STR_NONE;
	return fs->ops->read(fs, path, a, bytes, st != NULL ? st : &unused);
}

int fs_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l)
{
	*l = (struct fs_listing){ 0 };
	return fs->ops->list(fs, dir, a, l);
}

struct hash128 fs_listing_hash(const struct fs_listing *l)
{
	struct hasher h;

	hasher_init(&h);
	for (size_t i = 0; i < l->n; i++) {
		hasher_str(&h, l->entry[i].name);
		hasher_u64(&h, l->entry[i].type);
	}
	return hasher_finish(&h);
}

void fs_stat_names(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *st, int *rc)
{
	struct arena a = { 0 };

	if (fs->ops->stat_names != NULL) {
		fs->ops->stat_names(fs, dir, name, n, st, rc);
		return;
	}
	for (size_t i = 0; i < n; i++)
		rc[i] = fs_lstat(fs, path_join(&a, dir, name[i]), &st[i]);
	arena_release(&a);
}

int64_t fs_now(struct fs *fs, struct str dir)
{
	struct timespec t;

	if (fs->ops->now != NULL)
		return fs->ops->now(fs, dir);
	clock_gettime(CLOCK_REALTIME_COARSE, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int fs_mkdirs(struct fs *fs, struct str dir)
{
	struct fs_stat st;
	int rc;

	if (dir.n == 0 || str_is(dir, "/"))
		return 0;
	rc = fs_stat(fs, dir, &st);
	if (rc == 0)
		return st.type == FS_DIR ? 0 : -ENOTDIR;
	if (rc != -ENOENT)
		return rc;
	rc = fs_mkdirs(fs, path_parent(dir));
	if (rc == 0)
		rc = fs->ops->mkdir(fs, dir);
	if (rc != -EEXIST)
		return rc;
	return fs_is_dir(fs, dir) ? 0 : -ENOTDIR; /* made by another, or a link that leads nowhere */
}

/* As long for any name, since a name may be as long as the system takes them; the same for each run, which finds what a killed one left. */
static struct str temporary_name(struct buf *b, struct str path)
{
	if (path_parent(path).n != 0)
		buf_addf(b, "%.*s/", STR_ARG(path_parent(path)));
	buf_addf(b, ".%016" PRIx64 ".lhp-tmp", hash64(path_base(path)));
	return buf_str(b);
}

int fs_replace(struct fs *fs, struct str path, struct str bytes)
{
	struct buf tmp = { 0 };
	struct str name = temporary_name(&tmp, path);
	int rc = fs->ops->create(fs, name, bytes, 0666);

	if (rc == -EEXIST) { /* left by a killed run */
		rc = fs_remove_tree(fs, name);
		if (rc == 0)
			rc = fs->ops->create(fs, name, bytes, 0666);
	}
	if (rc == 0) {
		rc = fs->ops->rename(fs, name, path);
		if (rc != 0)
			fs->ops->unlink(fs, name);
	}
	buf_release(&tmp);
	return rc;
}

static int dir_remove(struct fs *fs, struct str dir);

static int entry_remove(struct fs *fs, struct str path, enum fs_type type)
{
	return type == FS_DIR ? dir_remove(fs, path) : fs->ops->unlink(fs, path);
}

static int dir_remove(struct fs *fs, struct str dir)
{
	struct arena a = { 0 };
	struct fs_listing l;
	int rc = fs_list(fs, dir, &a, &l);

	for (size_t i = 0; rc == 0 && i < l.n; i++)
		rc = entry_remove(fs, path_join(&a, dir, l.entry[i].name), l.entry[i].type);
	if (rc == 0)
		rc = fs->ops->rmdir(fs, dir);
	arena_release(&a);
	return rc;
}

int fs_remove_tree(struct fs *fs, struct str path)
{
	struct fs_stat st;
	int rc = fs_lstat(fs, path, &st);

	return rc == 0 ? entry_remove(fs, path, st.type) : rc == -ENOENT ? 0 : rc;
}
