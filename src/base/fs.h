/*
 * fs.h - the one seam to the disk.
 *
 * Everything that touches files goes through a `struct fs`: the real one, rooted
 * at a folder that is held open, or the virtual one of tests (fs_mem.h) with chosen
 * timestamps and failing k-th calls. Paths are relative to the root with '/'
 * between parts; an absolute path is taken as it is. The empty path is the root.
 *
 * All calls return 0 or a negative errno. Contents and listings are put into the
 * arena given. Calls are safe from several threads at once.
 */
#ifndef LHP_BASE_FS_H
#define LHP_BASE_FS_H

#include "base/arena.h"
#include "base/hash.h"
#include "base/str.h"

enum fs_type { FS_NONE, FS_FILE, FS_DIR, FS_LINK, FS_OTHER };

struct fs_stat {
	uint64_t ino;
	uint64_t size;
	int64_t mtime_ns, ctime_ns; /* since the epoch */
	uint32_t mode;
	enum fs_type type;
};

struct fs_entry {
	struct str name;
	enum fs_type type; /* FS_LINK is not followed */
};

struct fs_listing {
	struct fs_entry *entry; /* sorted by name, bytewise; without . and .. */
	size_t n;
};

struct fs {
	const struct fs_ops *ops;
	void *state;
	struct str root; /* absolute path, for messages */
};

struct fs_ops {
	int (*stat)(struct fs *fs, struct str path, bool follow, struct fs_stat *st);
	int (*read)(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st);
	int (*list)(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l);
	/* Creates a new file; -EEXIST when there is one (a link too). */
	int (*create)(struct fs *fs, struct str path, struct str bytes, uint32_t mode);
	int (*rename)(struct fs *fs, struct str from, struct str to);
	int (*unlink)(struct fs *fs, struct str path);
	int (*mkdir)(struct fs *fs, struct str path);
	int (*rmdir)(struct fs *fs, struct str path);
	/* Stats (not following links) many names of one folder: rc[i] is 0 or a negative errno. NULL: one by one. */
	void (*stat_names)(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *st, int *rc);
	/* The clock that timestamps of new files in `dir` come from, ns since the epoch. NULL: the system's coarse clock. */
	int64_t (*now)(struct fs *fs, struct str dir);
};

/* Opens the real file system at `root` (made absolute). */
int fs_open(struct fs *fs, struct arena *a, struct str root);
void fs_close(struct fs *fs);

int fs_stat(struct fs *fs, struct str path, struct fs_stat *st);   /* follows links */
int fs_lstat(struct fs *fs, struct str path, struct fs_stat *st);
bool fs_is_file(struct fs *fs, struct str path);
bool fs_is_dir(struct fs *fs, struct str path);
/* Is one of the folders from `dir` up to `top`, which is not looked at, a symbolic link? */
bool fs_is_led_away(struct fs *fs, struct str dir, struct str top);
/*
 * Reads a whole file (one open, one read). `st`, when not NULL, is of the open
 * file: exactly of the bytes returned unless it is being written at this moment.
 * -EISDIR for a folder, -EFBIG above FS_MAX_FILE. The bytes are followed by a NUL that is not counted.
 */
int fs_read(struct fs *fs, struct str path, struct arena *a, struct str *bytes, struct fs_stat *st);
int fs_list(struct fs *fs, struct str dir, struct arena *a, struct fs_listing *l);
/* Hash of a listing: names and types. */
struct hash128 fs_listing_hash(const struct fs_listing *l);
void fs_stat_names(struct fs *fs, struct str dir, const struct str *name, size_t n, struct fs_stat *st, int *rc);
int64_t fs_now(struct fs *fs, struct str dir);
/* Makes `dir` and its parents; fine when they are there. -ENOTDIR when a file or link is in the way. */
int fs_mkdirs(struct fs *fs, struct str dir);
/*
 * Writes through a temporary file `.HASH.lhp-tmp` beside it and rename: old or new, never half. A link is replaced. One caller at a
 * time for a path: the name is the same for all, and what stands there is taken for what a killed run left.
 */
int fs_replace(struct fs *fs, struct str path, struct str bytes);
/* Removes a file, a link, or a folder with all in it; fine when it is absent. Links are not followed. */
int fs_remove_tree(struct fs *fs, struct str path);

#define FS_MAX_FILE (256u << 20)

#endif
