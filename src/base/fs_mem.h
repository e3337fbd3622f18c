/*
 * fs_mem.h - a file system that exists only in memory, for tests.
 *
 * Timestamps come from a clock that stands still until a test moves it; inode
 * numbers count up and may be set; the k-th call of a kind can be made to fail. It
 * behaves as the real one does, links and errors included; its root is "/mem".
 *
 * All of it lives in the arena. Calls are safe from several threads at once.
 * The functions here abort on a path that cannot be: a test is wrong then.
 */
#ifndef LHP_BASE_FS_MEM_H
#define LHP_BASE_FS_MEM_H

#include "base/fs.h"

enum fs_call {
	FS_CALL_STAT,
	FS_CALL_READ,
	FS_CALL_LIST,
	FS_CALL_CREATE,
	FS_CALL_RENAME,
	FS_CALL_UNLINK,
	FS_CALL_MKDIR,
	FS_CALL_RMDIR,
	N_FS_CALLS,
};

#define FS_MEM_START 1000000000000000000 /* where the clock begins: ns since the epoch */

/* An empty folder. */
void fs_mem_open(struct fs *fs, struct arena *a);
/* A file with this content, in place of what is there (the inode stays, as for an editor that writes in place); folders are made. */
void fs_mem_write(struct fs *fs, const char *path, const char *text);
void fs_mem_mkdirs(struct fs *fs, const char *dir);
/* A link; `target` is relative to the link's folder, or below "/mem/". */
void fs_mem_link(struct fs *fs, const char *path, const char *target);
/* Content of a file, or STR_NONE; no link is followed, no call counted. */
struct str fs_mem_text(struct fs *fs, const char *path);
/* Sets what a stat of `path` says; links are not followed. Zeroes leave a value as it is. */
void fs_mem_stamp(struct fs *fs, const char *path, uint64_t ino, int64_t mtime_ns, int64_t ctime_ns);
void fs_mem_clock_set(struct fs *fs, int64_t ns);
void fs_mem_clock_add(struct fs *fs, int64_t ns);
/* The k-th call (from 1) of this kind from now on returns -error, once. A failing create leaves nothing. */
void fs_mem_fail(struct fs *fs, enum fs_call call, unsigned k, int error);
/* Calls of this kind so far. */
unsigned fs_mem_calls(struct fs *fs, enum fs_call call);

#endif
