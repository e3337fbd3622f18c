/*
 * git.h - asking git: one process for each question, and one that hands out objects.
 *
 * Errors are what git itself wrote. Answers are in the arena given.
 */
#ifndef LHP_BUILD_GIT_H
#define LHP_BUILD_GIT_H

#include "base/str.h"

#include <pthread.h>
#include <sys/types.h>

/*
 * Standard output of `git ARG…` run in `dir`: 0, or -1 with its standard error in `*out`. `arg` ends with NULL, without `git`.
 * `env`: NULL is ours.
 */
int git_run(struct arena *a, struct str dir, char *const *env, const char *const *arg, struct str *out);
/* Ours, but for what leads git to a repository: in a hook that is the outer one, whatever folder git is started in. */
char **git_env_inside(struct arena *a);

/* Objects of one repository, by `git cat-file --batch`. */
struct git_objects {
	pthread_mutex_t lock;
	pid_t pid;
	int fd; /* both ways */
};

/* 0, or a negative errno. */
int git_objects_open(struct git_objects *o, struct arena *a, struct str dir, char *const *env);
/* The bytes of a blob. 0, or a negative errno. Safe from several threads. */
int git_object_read(struct git_objects *o, struct str name, struct arena *a, struct str *bytes);
void git_objects_close(struct git_objects *o);

#endif
