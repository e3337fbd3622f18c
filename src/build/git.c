/*
 * git.c - see git.h.
 *
 * An object's name and a newline go into `git cat-file --batch`; "NAME TYPE SIZE\n", the bytes and "\n" come out.
 */
#include "build/git.h"

#include "build/fs_git.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGS = 24 };

char **git_env_inside(struct arena *a)
{
	static const char *const leads[] = { "GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=", "GIT_COMMON_DIR=", "GIT_PREFIX=",
		                             "GIT_OBJECT_DIRECTORY=", "GIT_ALTERNATE_OBJECT_DIRECTORIES=" };
	struct { VEC_OF(char *) } v = { 0 };

	for (char **e = environ; *e != NULL; e++) {
		size_t i = 0;

		while (i < sizeof leads / sizeof *leads && !str_starts(str_of(*e), str_of(leads[i])))
			i++;
		if (i == sizeof leads / sizeof *leads)
			*VEC_PUSH(&v, a) = *e;
	}
	*VEC_PUSH(&v, a) = NULL;
	return v.p;
}

static void all_read(int fd, struct buf *b)
{
	ssize_t got;

	do {
		got = read(fd, buf_grow(b, 65536), 65536);
		if (got > 0)
			b->n += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
}

static int process_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* What a git that failed wrote, instead of its half answer. */
static void complaint_read(int fd, struct buf *b)
{
	b->n = 0;
	if (lseek(fd, 0, SEEK_SET) == 0)
		all_read(fd, b);
}

int git_run(struct arena *a, struct str dir, char *const *env, const char *const *arg, struct str *out)
{
	char *argv[ARGS] = { (char *)(uintptr_t) "git", (char *)(uintptr_t) "-C", (char *)(uintptr_t)str_cstr(a, dir) };
	posix_spawn_file_actions_t actions;
	int fd[2], complaint, rc;
	struct buf b = { 0 };
	pid_t pid;

	for (size_t i = 0; arg[i] != NULL && i + 4 < ARGS; i++)
		argv[i + 3] = (char *)(uintptr_t)arg[i];
	/* Warnings are no part of an answer. In memory, nobody has to read them while git runs. */
	complaint = memfd_create("git", MFD_CLOEXEC);
	if (complaint < 0 || pipe2(fd, O_CLOEXEC) != 0) {
		if (complaint >= 0)
			close(complaint);
		*out = str_of("no pipe to git");
		return -1;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, complaint, STDERR_FILENO);
	rc = posix_spawnp(&pid, "git", &actions, NULL, argv, env != NULL ? env : environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fd[1]);
	if (rc == 0) {
		all_read(fd[0], &b);
		rc = process_wait(pid);
		if (rc != 0)
			complaint_read(complaint, &b);
	} else {
		buf_addf(&b, "git cannot be started: %s", strerror(rc));
	}
	close(fd[0]);
	close(complaint);
	*out = buf_take(&b, a);
	buf_release(&b);
	return rc != 0 ? -1 : 0;
}

int git_base(struct arena *a, struct str dir, struct str ref, struct str *commit)
{
	const char *const arg[] = { "merge-base", "--", str_cstr(a, ref), "HEAD", NULL };
	int rc;

	if (ref.n == 0 || ref.p[0] == '-') {
		*commit = str_fmt(a, "'%.*s' is no revision", STR_ARG(ref));
		return -1;
	}
	rc = git_run(a, dir, NULL, arg, commit);
	*commit = str_trim(*commit);
	if (rc != 0 && commit->n == 0)
		*commit = str_fmt(a, "%.*s and HEAD have no commit in common", STR_ARG(ref));
	return rc;
}

int git_objects_open(struct git_objects *o, struct arena *a, struct str dir, char *const *env)
{
	char *argv[] = { (char *)(uintptr_t) "git", (char *)(uintptr_t) "-C", (char *)(uintptr_t)str_cstr(a, dir),
		         (char *)(uintptr_t) "cat-file", (char *)(uintptr_t) "--batch", NULL };
	posix_spawn_file_actions_t actions;
	int fd[2], rc;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0)
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
	rc = posix_spawnp(&o->pid, "git", &actions, NULL, argv, env != NULL ? env : environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fd[1]);
	if (rc != 0) {
		close(fd[0]);
		return -rc;
	}
	o->fd = fd[0];
	pthread_mutex_init(&o->lock, NULL);
	return 0;
}

static bool exactly_read(int fd, char *to, size_t n)
{
	while (n != 0) {
		ssize_t got = recv(fd, to, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

/* The size in "NAME TYPE SIZE", or -1. */
static long head_read(int fd)
{
	char line[256];
	size_t n = 0;
	const char *blank;

	while (n + 1 < sizeof line && exactly_read(fd, line + n, 1) && line[n] != '\n')
		n++;
	line[n] = '\0';
	blank = strrchr(line, ' ');
	return blank != NULL && blank[1] >= '0' && blank[1] <= '9' ? strtol(blank + 1, NULL, 10) : -1;
}

int git_object_read(struct git_objects *o, struct str name, struct arena *a, struct str *bytes)
{
	struct str ask = str_fmt(a, "%.*s\n", STR_ARG(name));
	int rc = -EIO;

	pthread_mutex_lock(&o->lock);
	if (send(o->fd, ask.p, ask.n, MSG_NOSIGNAL) == (ssize_t)ask.n) {
		long size = head_read(o->fd);
		char *p = size >= 0 && size <= (long)FS_MAX_FILE ? arena_alloc(a, (size_t)size + 1) : NULL;

		if (p != NULL && exactly_read(o->fd, p, (size_t)size + 1)) {
			p[size] = '\0';
			*bytes = (struct str){ p, (size_t)size };
			rc = 0;
		}
	}
	pthread_mutex_unlock(&o->lock);
	return rc;
}

void git_objects_close(struct git_objects *o)
{
	close(o->fd);
	process_wait(o->pid);
	pthread_mutex_destroy(&o->lock);
}
