/*
 * fs_git.h - a folder as it was at a commit, without a checkout.
 *
 * It shows the working tree, but for a set of paths, which it shows as the commit has
 * them: read from git objects, or absent. The rest is read from disk, what git ignores too.
 * Nothing can be written. Paths are relative to the folder, which may lie inside a repository.
 *
 * git is started once to list the commit and once to read from it; calls are safe from several threads.
 */
#ifndef LHP_BUILD_FS_GIT_H
#define LHP_BUILD_FS_GIT_H

#include "base/fs.h"
#include "base/vec.h"

struct git_paths {
	VEC_OF(struct str)
};

/* Standard output of `git ARG…` run in `dir`: 0, or -1 with its standard error in `*out`. `arg` ends with NULL; `git` itself is added. */
int git_run(struct arena *a, struct str dir, const char *const *arg, struct str *out);
/* The commit that `ref` and HEAD have in common. 0, or -1 with what git said. */
int git_base(struct arena *a, struct str dir, struct str ref, struct str *commit);
/* Paths below `dir` that are not as the commit has them, new and deleted ones too. 0, or -1 with what git said in `*said`. */
int git_changes(struct arena *a, struct str dir, struct str commit, struct git_paths *out, struct str *said);

/* `now` must outlive it. 0, or -1 with what git said in `*said`. */
int fs_git_open(struct fs *fs, struct fs *now, struct arena *a, struct str commit, const struct git_paths *changed,
                struct str *said);
void fs_git_close(struct fs *fs);

#endif
