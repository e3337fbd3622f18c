/*
 * options.h - the command line, read by tables. A program is a tree of `struct command`: the root, groups, commands. Each has one
 * table of options; reading, help and checks all come from it. Rules (spec/errors.md 18):
 * no abbreviations; --env=dev, -edev, -e dev; flags may be repeated and bundled (-sv);
 * an option's value is the next word, whatever it looks like; the last value wins; `--`
 * ends options; -h/--help and --version win over wrong values, but not over unknown options.
 *
 * Nothing is printed. Texts of the result point into argv or the arena.
 */
#ifndef LHP_CMD_OPTIONS_H
#define LHP_CMD_OPTIONS_H

#include "base/arena.h"
#include "base/str.h"

enum option_kind {
	OPT_FLAG,
	OPT_TEXT,
	OPT_INT,      /* any integer */
	OPT_POSITIVE, /* an integer from 1 */
	OPT_CHOICE,   /* one of `words` */
	OPT_WORDS,    /* a comma list of `words`, case ignored, empty ones skipped */
	OPT_FILE,     /* not a folder */
	OPT_FOLDER,   /* not a file */
};

struct option {
	const char *name;    /* "--env" */
	const char *brief;   /* "-e", "-pc" (long-style with one dash), or NULL */
	enum option_kind kind;
	const char *metavar; /* "ENV"; NULL for a flag */
	const char *words;   /* "text|json" of OPT_CHOICE and OPT_WORDS */
	const char *initial; /* value when not given, or NULL */
	bool required, hidden;
	const char *help;
};

extern const struct option option_help; /* -h, --help of every command */

struct call;
struct command {
	const char *name;
	const char *summary;          /* one line */
	const char *text;             /* more of it, or NULL */
	const struct option *option;  /* ends with a NULL name; -h and --help are implied */
	const char *argument;         /* metavar of the one positional argument, or NULL */
	bool optional, many;          /* the argument may be left out; may be repeated */
	bool hidden;
	const struct command *const *sub; /* a group: its commands by name, ends with NULL */
	int (*run)(struct call *c);   /* exit status */
};

struct option_value {
	struct str text;     /* the last one given, or the initial one; p == NULL: none */
	unsigned times;      /* how often it was given */
	long number;         /* OPT_INT, OPT_POSITIVE */
};

struct args {
	const struct command *command;
	struct option_value *value;  /* parallel to command->option */
	struct str *word;            /* positional arguments */
	size_t n;
};

enum parse_outcome {
	PARSE_RUN,
	PARSE_HELP,     /* asked for: standard output, status 0 */
	PARSE_VERSION,
	PARSE_NO_COMMAND, /* a group alone: its help on standard error, status 2 */
	PARSE_BAD,      /* status 2 with `problem` */
};

enum { PARSE_DEPTH = 3 };

struct parsed {
	enum parse_outcome outcome;
	struct args level[PARSE_DEPTH]; /* root, group, command */
	size_t n;                       /* levels reached, at least 1 */
	struct str problem;
	struct str hint;                /* or empty */
};

/* What a path is, for OPT_FILE and OPT_FOLDER; relative to the current folder. NULL: not checked. */
struct path_check {
	void *ctx;
	bool (*is_dir)(void *ctx, struct str path);
	bool (*is_file)(void *ctx, struct str path);
};

void options_parse(struct arena *a, const struct command *root, int argc, char *const *argv,
                   const struct path_check *check, struct parsed *out);

/* An option that the command does not have is not given. */
bool opt_given(const struct args *args, const char *name);
struct str opt_text(const struct args *args, const char *name);
long opt_number(const struct args *args, const char *name);

#endif
