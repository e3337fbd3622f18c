#include "emit/format.h"

#include "base/pool.h"
#include "emit/format_folder.h"
#include "emit/format_live.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/*
 * One run of the program: in a temporary folder that holds the items as 0/0.py, 1/1.py … 0/8.py …, in several folders, since into one
 * only one at a time can write; or on one item, from standard input to standard output, which spares us the folder, and the program
 * the threads and the pause with which it walks one.
 */
enum { FOLDERS_MOST = 8, ITEMS_EACH = 8 };

struct format_batch {
	struct arena *arena;
	const struct formatter *formatter;
	struct format_item *item;
	size_t n;
	struct format_folder folder;
	size_t folders;     /* in it */
	atomic_int rc;      /* of writing the items: of one that failed */
	bool single;        /* one item, by standard input and output: */
	int in, out;        /* files in memory */
	struct buf said;    /* what the program wrote to standard error */
	pid_t pid;          /* of the program, while it runs; else 0 */
	int err;            /* its standard error */
	int status;         /* how it ended, as waitpid has it */
};

struct item_file {
	char name[48];
};

static struct str item_file(const struct format_batch *b, size_t i, struct item_file *f)
{
	return (struct str){ f->name, (size_t)snprintf(f->name, sizeof f->name, "%zu/%zu.py", i % b->folders, i) };
}

static struct str item_folder(size_t folder, struct item_file *f)
{
	return (struct str){ f->name, (size_t)snprintf(f->name, sizeof f->name, "%zu", folder) };
}

static void item_folder_remove(void *ctx, size_t folder, size_t worker)
{
	struct format_batch *b = ctx;
	struct item_file f;

	(void)worker;
	fs_remove_tree(&b->folder.fs, item_folder(folder, &f));
}

static void folder_remove(struct format_batch *b)
{
	if (b->folder.fs.ops == NULL)
		return;
	pool_run(b->formatter->workers, b->folders, item_folder_remove, b);
	format_folder_remove(&b->folder);
}

static void item_close(struct format_batch *b)
{
	if (b->single) {
		close(b->in);
		close(b->out);
	}
	b->single = false;
}

/* One item in memory. False: it must go through a folder. */
static bool item_open(struct format_batch *b)
{
	struct str raw = b->item[0].raw;

	if (b->n != 1)
		return false;
	b->in = memfd_create("0.py", MFD_CLOEXEC);
	b->out = memfd_create("0.py", MFD_CLOEXEC);
	b->single = true;
	if (b->in < 0 || b->out < 0 || write(b->in, raw.p, raw.n) != (ssize_t)raw.n)
		item_close(b);
	return b->single;
}

/* 0, or -1 with errno. */
static int item_rewind(struct format_batch *b)
{
	return lseek(b->in, 0, SEEK_SET) == 0 && lseek(b->out, 0, SEEK_SET) == 0 ? ftruncate(b->out, 0) : -1;
}

static int item_read(struct format_batch *b)
{
	off_t size = lseek(b->out, 0, SEEK_END);
	char *text = size >= 0 ? arena_alloc(b->arena, (size_t)size + 1) : NULL;

	if (text == NULL || pread(b->out, text, (size_t)size, 0) != size)
		return -EIO;
	b->item[0].text = (struct str){ text, (size_t)size };
	return 0;
}

static void item_write(void *ctx, size_t i, size_t worker)
{
	struct format_batch *b = ctx;
	struct item_file f;
	int rc = b->rc == 0 ? b->folder.fs.ops->create(&b->folder.fs, item_file(b, i, &f), b->item[i].raw, 0600) : 0;

	(void)worker;
	if (rc < 0)
		b->rc = rc;
}

static int items_write(struct format_batch *b)
{
	struct item_file f;

	b->rc = 0;
	for (size_t i = 0; b->rc == 0 && i < b->folders; i++)
		b->rc = b->folder.fs.ops->mkdir(&b->folder.fs, item_folder(i, &f));
	pool_run(b->formatter->workers, b->n, item_write, b);
	return b->rc;
}

char **formatter_environment(struct arena *a)
{
	static const char *const DROP[] = { "FORCE_COLOR=", "CLICOLOR_FORCE=", "RUFF_" };
	size_t n = 0, kept = 0;
	char **out;

	while (environ[n] != NULL)
		n++;
	out = ARENA_ARRAY(a, char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		bool drop = false;
		for (size_t k = 0; k < sizeof(DROP) / sizeof(DROP[0]); k++)
			drop = drop || str_starts(str_of(environ[i]), str_of(DROP[k]));
		if (!drop)
			out[kept++] = environ[i];
	}
	return out;
}

static int said_read(struct format_batch *b, int fd)
{
	for (;;) {
		ssize_t n = read(fd, buf_grow(&b->said, 4096), 4096);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		b->said.n += (size_t)n;
	}
}

static int spawn(struct format_batch *b, char *const *argv, int said)
{
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc != 0)
		return -rc;
	posix_spawn_file_actions_addchdir_np(&actions, b->single ? "/" : str_cstr(b->arena, b->folder.fs.root));
	if (b->single) {
		posix_spawn_file_actions_adddup2(&actions, b->in, STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&actions, b->out, STDOUT_FILENO);
	} else {
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	}
	posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
	rc = posix_spawn(&b->pid, argv[0], &actions, NULL, argv, formatter_environment(b->arena));
	posix_spawn_file_actions_destroy(&actions);
	if (rc != 0)
		b->pid = 0;
	return -rc;
}

static int program_start(struct format_batch *b, bool pinned)
{
	char *program = (char *)(uintptr_t)str_cstr(b->arena, b->formatter->program);
	struct str required = str_fmt(b->arena, "required-version=\"==%s\"", FORMATTER_PINNED);
	char *argv[] = { program, "format", "--isolated", "--no-cache", "--no-respect-gitignore", "--target-version", "py311",
			 "--line-length", "88", b->single ? "--stdin-filename=0/0.py" : ".", pinned ? "--config" : NULL,
			 (char *)(uintptr_t)required.p, NULL };
	int fd[2], rc;

	if ((b->single && item_rewind(b) != 0) || pipe2(fd, O_CLOEXEC) != 0)
		return -errno;
	b->said.n = 0;
	rc = spawn(b, argv, fd[1]);
	close(fd[1]);
	b->err = fd[0];
	if (rc < 0)
		close(b->err);
	return rc;
}

/* 0 when the program ran and ended, whatever its status. */
static int program_wait(struct format_batch *b)
{
	int rc = said_read(b, b->err), waited;

	close(b->err);
	while ((waited = waitpid(b->pid, &b->status, 0)) < 0 && errno == EINTR)
		;
	b->pid = 0;
	return waited < 0 ? -errno : rc;
}

static int program_run(struct format_batch *b, bool pinned)
{
	int rc = program_start(b, pinned);

	return rc == 0 ? program_wait(b) : rc;
}

static void program_stop(struct format_batch *b)
{
	if (b->pid == 0)
		return;
	kill(b->pid, SIGKILL);
	program_wait(b);
}

/* `error: Failed to parse 4/12.py:3:7: problem` is of item 12. False for other lines. */
static bool parse_failure_read(struct format_batch *b, struct str line)
{
	static const struct str LEAD = STR_INIT("error: Failed to parse ");
	struct format_item *item;
	struct str place;
	size_t i = 0, digits = 0;

	if (!str_starts(line, LEAD))
		return false;
	str_cut(&line, '/', &place);
	while (digits < line.n && line.p[digits] >= '0' && line.p[digits] <= '9' && i < b->n)
		i = i * 10 + (size_t)(line.p[digits++] - '0');
	if (digits == 0 || i >= b->n || !str_starts(str_skip(line, digits), STR(".py:")))
		return false;
	item = &b->item[i];
	place = str_dup(b->arena, str_skip(line, digits + 4));
	item->failed = true;
	item->problem = str_fmt(b->arena, "%.*s:%.*s", STR_ARG(item->name), STR_ARG(place));
	return true;
}

static size_t failures_read(struct format_batch *b)
{
	struct str rest = buf_str(&b->said), line;
	size_t n = 0;

	while (str_cut(&rest, '\n', &line))
		n += parse_failure_read(b, line);
	return n;
}

static int run_failed(struct format_batch *b, int rc, const char *what, struct str *problem)
{
	*problem = str_fmt(b->arena, "%s (%.*s): %s", what, STR_ARG(b->formatter->program), strerror(-rc));
	return rc;
}

static bool ended_well(const struct format_batch *b)
{
	return WIFEXITED(b->status) && WEXITSTATUS(b->status) == 0;
}

static int program_failed(struct format_batch *b, int rc, struct str *problem)
{
	return run_failed(b, rc, "The formatter could not be run", problem);
}

/* What came of it. Once more without asking for the version when it is another one. */
static int program_result(struct format_batch *b, struct str *problem)
{
	int rc = program_wait(b);

	if (rc == 0 && !ended_well(b) && str_has(buf_str(&b->said), STR("Required version"))) {
		*problem = str_fmt(b->arena, "%.*s is another version of ruff than %s: what is generated may be laid out differently",
				   STR_ARG(b->formatter->program), FORMATTER_PINNED);
		rc = program_run(b, false);
	}
	if (rc < 0)
		return program_failed(b, rc, problem);
	if (ended_well(b) || failures_read(b) > 0)
		return 0;
	*problem = str_fmt(b->arena, "The formatter (%.*s) failed: %.*s", STR_ARG(b->formatter->program),
			   STR_ARG(str_trim(buf_str(&b->said))));
	return -EIO;
}

/*
 * The copies live for a moment: in memory, where making a file costs a hundredth of what it costs on a disk; and where that
 * is too small or not there, in /tmp. TMPDIR has the last word.
 */
static int copies_make(struct format_batch *b)
{
	const char *own = getenv("TMPDIR"), *where[] = { "/dev/shm", "/tmp" };
	int rc = -ENOENT;

	if (item_open(b))
		return 0;
	if (own != NULL && *own != '\0')
		where[0] = where[1] = own;
	for (size_t i = 0; i < 2 && rc != 0; i++) {
		folder_remove(b);
		rc = format_folder_make(&b->folder, b->arena, where[i]);
		if (rc == 0)
			rc = items_write(b);
	}
	return rc;
}

static int results_failed(struct format_batch *b, int rc, struct str *problem)
{
	return run_failed(b, rc, "The formatter's results could not be read", problem);
}

static int batch_start(struct format_batch *b, struct str *problem)
{
	int rc = copies_make(b);

	if (rc < 0)
		return run_failed(b, rc, "The formatter's temporary files could not be written", problem);
	rc = program_start(b, true);
	return rc < 0 ? program_failed(b, rc, problem) : 0;
}

static size_t folders_wanted(size_t items)
{
	size_t n = items / ITEMS_EACH;

	return n > FOLDERS_MOST ? FOLDERS_MOST : n != 0 ? n : 1;
}

int format_start(const struct formatter *f, struct arena *a, struct format_item *item, size_t n, struct format_batch **out,
                 struct str *problem)
{
	struct format_batch *b;
	int rc;

	*problem = STR("");
	*out = NULL;
	if (n == 0 || (f->live != NULL && format_live_items(f->live, f, a, item, n) == 0))
		return 0;
	b = ARENA_NEW(a, struct format_batch);
	*b = (struct format_batch){ .arena = a, .formatter = f, .item = item, .n = n, .folders = folders_wanted(n) };
	rc = batch_start(b, problem);
	if (rc == 0)
		*out = b;
	else
		format_end(b);
	return rc;
}

static int item_result(struct format_batch *b, struct str *problem)
{
	int rc = item_read(b);

	return rc < 0 ? results_failed(b, rc, problem) : 0;
}

int format_wait(struct format_batch **batch, struct str *problem)
{
	struct format_batch *b = *batch;
	int rc;

	*problem = STR("");
	if (b == NULL)
		return 0;
	rc = program_result(b, problem);
	if (rc == 0 && !b->single)
		return 0;
	if (rc == 0)
		rc = item_result(b, problem);
	format_end(b);
	*batch = NULL;
	return rc;
}

int format_read(struct format_batch *b, size_t i, struct arena *a, struct str *text)
{
	struct item_file f;

	return fs_read(&b->folder.fs, item_file(b, i, &f), a, text, NULL);
}

void format_end(struct format_batch *b)
{
	if (b == NULL)
		return;
	program_stop(b);
	folder_remove(b);
	item_close(b);
	buf_release(&b->said);
}

int format_take(struct format_batch **batch, struct str *problem)
{
	struct format_batch *b = *batch;
	int rc = 0;

	for (size_t i = 0; b != NULL && rc == 0 && i < b->n; i++)
		rc = format_read(b, i, b->arena, &b->item[i].text);
	if (rc < 0)
		results_failed(b, rc, problem);
	format_end(b);
	*batch = NULL;
	return rc;
}

int format_batch(const struct formatter *f, struct arena *a, struct format_item *item, size_t n, struct str *problem)
{
	struct format_batch *b;
	int rc = format_start(f, a, item, n, &b, problem);

	if (rc == 0)
		rc = format_wait(&b, problem);
	if (rc == 0)
		return format_take(&b, problem);
	format_end(b);
	return rc;
}
