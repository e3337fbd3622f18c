/*
 * cli.h - the program as a function: arguments in, texts and an exit status out.
 *
 * main.c calls it with the process's own streams; tests call it in-process. The
 * current folder is io->cwd, never the process's. Exit statuses: spec/errors.md 2.
 */
#ifndef LHP_CMD_CLI_H
#define LHP_CMD_CLI_H

#include "base/str.h"

#include <stdio.h>

/*
 * For errors in the project and what --exit-code asks for, wrong words, a full disk or no permission. Runs have more:
 * build/run_result.h.
 */
enum { STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_MACHINE = 3 };

struct io {
	FILE *out, *err;
	struct str cwd;              /* absolute */
	bool out_is_terminal, err_is_terminal;
	int columns;                 /* width for text, from the terminal or COLUMNS, else 80 */
	const char *(*getenv)(const char *name);
};

int lhp_main(int argc, char **argv, struct io *io);

#endif
