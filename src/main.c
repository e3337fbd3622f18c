#include "cmd/cli.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *env_get(const char *name)
{
	return getenv(name);
}

/* Width of the terminal that standard output (or error) is, else COLUMNS, else 80. */
static int columns_find(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long n = columns != NULL ? strtol(columns, NULL, 10) : 0;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
			return size.ws_col;
	return n > 0 && n < 10000 ? (int)n : 80;
}

/* Outputs are replaced by rename and the store is written in one transaction: leaving at any point is safe. */
static void leave(int signal)
{
	_exit(128 + signal);
}

static void signals_set(void)
{
	struct sigaction on = { .sa_handler = leave };

	sigaction(SIGINT, &on, NULL);
	sigaction(SIGTERM, &on, NULL);
}

int main(int argc, char **argv)
{
	char cwd[PATH_MAX];
	struct io io = { .out = stdout, .err = stderr, .getenv = env_get };

	signals_set();
	if (getcwd(cwd, sizeof cwd) == NULL) {
		perror("lhp: current folder");
		return STATUS_MACHINE;
	}
	io.cwd = str_of(cwd);
	io.out_is_terminal = isatty(STDOUT_FILENO);
	io.err_is_terminal = isatty(STDERR_FILENO);
	io.columns = columns_find();
	return lhp_main(argc, argv, &io);
}
