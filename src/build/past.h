/*
 * past.h - files of a repository and its submodules that are not now what they were at a commit.
 *
 * Paths are real ones from the root of the file system, without the first '/'. Once opened, nothing changes.
 */
#ifndef LHP_BUILD_PAST_H
#define LHP_BUILD_PAST_H

#include "base/fs.h"
#include "base/map.h"
#include "build/fs_git.h"
#include "build/git.h"

struct past_file {
	struct git_objects *from;
	struct str object;
	enum fs_type type;
};

struct past {
	struct arena *arena;
	struct fs *now;     /* the disk */
	struct map changed; /* path, of a folder with all in it -> anything; NULL: a submodule that is known from inside */
	struct map above;   /* folders that changed paths are in */
	struct map file;    /* of the changed ones, those that were there -> struct past_file */
	struct map dir;     /* folders that those are in */
	struct map unwatched; /* files that git was told to take for unchanged; NULL: or not to check out */
	struct map kept;    /* every file that was there, and every submodule that is as it was */
	struct git_paths absent; /* submodules that changed and whose commit is not here: all in them counts as changed */
	struct { VEC_OF(struct git_objects *) } repository;
};

/*
 * `now`: the disk, which must outlive it; `top`: of the repository's working tree there. `listed`: paths that changed; NULL: git is
 * asked. 0, or -1 with what git said.
 */
int past_open(struct past *p, struct arena *a, struct fs *now, struct str top, struct str commit, const struct git_paths *listed,
              struct str *said);
/* It changed, and was not there. */
bool past_lacks(const struct past *p, struct str path);
/* Git tells whether it changed. */
bool past_knows(const struct past *p, struct str path);
void past_close(struct past *p);

#endif
