/* git.c - asking git: one process each, its answer whole. */
#include "build/fs_git.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ARGS = 24 };

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

int git_run(struct arena *a, struct str dir, const char *const *arg, struct str *out)
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
	rc = posix_spawnp(&pid, "git", &actions, NULL, argv, environ);
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
	rc = git_run(a, dir, arg, commit);
	*commit = str_trim(*commit);
	if (rc != 0 && commit->n == 0)
		*commit = str_fmt(a, "%.*s and HEAD have no commit in common", STR_ARG(ref));
	return rc;
}

static void paths_add(struct arena *a, struct str text, struct git_paths *out)
{
	struct str path;

	while (text.n != 0 && str_cut(&text, '\0', &path))
		if (path.n != 0)
			*VEC_PUSH(out, a) = path;
}

int git_changes(struct arena *a, struct str dir, struct str commit, struct git_paths *out, struct str *said)
{
	const char *const diff[] = { "diff", "--name-only", "--no-renames", "--relative", "-z", str_cstr(a, commit), "--", ".",
		                     NULL };
	const char *const others[] = { "ls-files", "--others", "--exclude-standard", "-z", "--", ".", NULL };

	if (git_run(a, dir, diff, said) != 0)
		return -1;
	paths_add(a, *said, out);
	if (git_run(a, dir, others, said) != 0)
		return -1;
	paths_add(a, *said, out);
	return 0;
}
