/*
 * wheel.h - a pipeline packed as a Python wheel (spec/bundle.md, section 9).
 *
 * The same members give the same bytes: members in path order, stored, one fixed time, one mode. Members hold the text before
 * formatting, as the peer packs it.
 */
#ifndef LHP_BUNDLE_WHEEL_H
#define LHP_BUNDLE_WHEEL_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

struct wheel_member {
	struct str path, text;
};

struct wheel {
	struct arena *arena;
	struct str pipeline, env;
	struct str package;       /* import name */
	VEC_OF(struct wheel_member)
	/* made by wheel_build */
	struct str file;          /* NAME-VERSION-py3-none-any.whl */
	struct str bytes;
};

void wheel_init(struct wheel *w, struct arena *a, struct str pipeline, struct str env);
/* A file of the pipeline by its path below the pipeline's folder, at its place in the wheel. */
void wheel_add(struct wheel *w, struct str path, struct str text);
/* 0, or -1 when the archive could not be made: libzip_problem (libzip.h) says whether for want of the library. */
int wheel_build(struct wheel *w);
/* Name and text of the module that imports the package when the pipeline starts. */
struct str wheel_runner_name(const struct wheel *w);
struct str wheel_runner_text(const struct wheel *w);

/* --- reading --- */

struct wheel_entry {
	struct str path;      /* as the archive has it: it may lead anywhere */
	uint64_t size;        /* as the archive says */
	struct str text;      /* when its text was asked for */
	size_t order;         /* its place in the archive: of two with one path the later one counts */
};

struct wheel_entries {
	VEC_OF(struct wheel_entry)
};

enum wheel_fault { WHEEL_GOOD, WHEEL_NO_LIBRARY, WHEEL_NO_ARCHIVE, WHEEL_DAMAGED, WHEEL_TOO_BIG };

/*
 * The modules (`.py`) of an archive that may come from anywhere, by path, and what they hold, `most` bytes together (0: their
 * names alone). Nothing that the archive says of itself is believed: memory grows with what is really there.
 */
enum wheel_fault wheel_read(struct arena *a, struct str bytes, size_t most, struct wheel_entries *out);
/* What is wrong, to follow the archive's name in a sentence. */
extern const char *const wheel_fault_text[];

#endif
