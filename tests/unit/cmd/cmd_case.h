/* cmd_case.h - the program called in-process: words in, both streams and the status out. */
#ifndef TESTS_CMD_CASE_H
#define TESTS_CMD_CASE_H

#include "base/fs.h"
#include "base/path.h"
#include "cmd/cli.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { CASE_WORDS = 16 };

/* A folder of its own, and what the last call left. */
struct cmd_case {
	char folder[64];
	struct arena arena;
	struct fs fs;
	char *out, *err;
	size_t n_out, n_err;
	int status;
};

static inline const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

static inline void case_open(struct cmd_case *c)
{
	*c = (struct cmd_case){ .folder = "/tmp/lhp-cmd-XXXXXX" };
	assert_non_null(mkdtemp(c->folder));
	assert_int_equal(fs_open(&c->fs, &c->arena, str_of(c->folder)), 0);
}

static inline void case_put(struct cmd_case *c, const char *path, const char *text)
{
	assert_int_equal(fs_mkdirs(&c->fs, path_parent(str_of(path))), 0);
	assert_int_equal(fs_replace(&c->fs, str_of(path), str_of(text)), 0);
}

/* Words are separated by blanks; '' is an empty one. */
static inline int case_run(struct cmd_case *c, const char *line)
{
	char *argv[CASE_WORDS] = { (char *)(uintptr_t) "lhp" };
	struct str rest = str_of(line), word;
	int argc = 1;

	free(c->out);
	free(c->err);
	while (rest.n != 0 && str_cut(&rest, ' ', &word) && argc < CASE_WORDS)
		argv[argc++] = (char *)(uintptr_t)(str_is(word, "''") ? "" : str_cstr(&c->arena, word));
	struct io io = { .out = open_memstream(&c->out, &c->n_out),
		         .err = open_memstream(&c->err, &c->n_err),
		         .cwd = str_of(c->folder),
		         .columns = 80,
		         .getenv = no_env };
	c->status = lhp_main(argc, argv, &io);
	fclose(io.out);
	fclose(io.err);
	return c->status;
}

/* The line ends with this status, and this is all of its output. */
#define assert_prints(c, line, with_status, output)                      \
	do {                                                             \
		assert_int_equal(case_run(c, line), with_status);        \
		assert_string_equal((c)->out, output);                   \
	} while (0)

static inline void case_close(struct cmd_case *c)
{
	fs_remove_tree(&c->fs, STR(""));
	fs_close(&c->fs);
	rmdir(c->folder);
	arena_release(&c->arena);
	free(c->out);
	free(c->err);
}

/* A test whose state is a case of its own: `setup` is case_setup, or does more. It is gone afterwards, also when the test fails. */
#define case_test(test, setup) cmocka_unit_test_setup_teardown(test, setup, case_teardown)

static inline int case_setup(void **state)
{
	*state = xmalloc(sizeof(struct cmd_case));
	case_open(*state);
	return 0;
}

static inline int case_teardown(void **state)
{
	case_close(*state);
	free(*state);
	return 0;
}

#endif
