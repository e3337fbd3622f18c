/*
 * fs_git.h - a folder as it was at a commit, without a checkout.
 *
 * It shows the working tree, but for changed paths, which it shows as the commit has them: read from git objects, or absent.
 * The rest is read from disk, what git ignores too. Paths may lead through links (of then) and out of the folder: the whole
 * repository around it is seen, and its submodules at the commits that were recorded. Nothing can be written.
 *
 * All is in the arena given. Calls are safe from several threads.
 */
#ifndef LHP_BUILD_FS_GIT_H
#define LHP_BUILD_FS_GIT_H

#include "base/fs.h"
#include "base/vec.h"

struct git_paths {
	VEC_OF(struct str)
};

/* The commit that `ref` and HEAD have in common. 0, or -1 with what git said. */
int git_base(struct arena *a, struct str dir, struct str ref, struct str *commit);

/*
 * `now` must outlive it. `listed`: what changed, relative to its root; NULL: git is asked. `*changed`: files that are not as
 * the commit has them, relative to the root. 0, or -1 with what git said in `*said`.
 */
int fs_git_open(struct fs *fs, struct fs *now, struct arena *a, struct str commit, const struct git_paths *listed,
                struct git_paths *changed, struct str *said);
/* One sentence for each thing that could not be told, of what was read so far. */
void fs_git_doubts(struct fs *fs, struct arena *a, struct git_paths *out);
void fs_git_close(struct fs *fs);

#endif
