/*
 * preset.h - the presets of a project by name, their chains merged.
 *
 * Rules: spec/resolve.md, section 6. Files are read on first use and kept for the
 * run; a file that cannot be used is skipped with a line for the log. Each
 * list of names is merged once. Threads may ask at the same time.
 *
 * Who uses a part of a merged chain records it as DEP_KEY "preset/A,B/PART"
 * ('%', ',' and '/' of names as %25, %2C, %2F) with the hash of that part: editing
 * another part dirties nobody. A chain that cannot be merged has the hash of its
 * finding under every part.
 */
#ifndef LHP_RESOLVE_PRESET_H
#define LHP_RESOLVE_PRESET_H

#include "base/vec.h"
#include "project/project.h"

struct preset {
	struct str name;
	const char *file;
	const struct node *node;
	struct str extends; /* or empty */
};

struct chain {
	struct str key;             /* "A,B" */
	const struct node *merged;  /* a map; NULL when there is a fault */
	const struct rule *fault;
	struct str title, detail, hint;
	size_t culprit;             /* position in the list of the name that brought the fault */
};

/*
 * Reads the files when that was not done yet. Every command does it at its start, so that unusable files are
 * told of: their lines go to `log`, which may be NULL. Records the listing and the files.
 */
void presets_read(struct project *p, struct trace *t, struct buf *log);
void presets_release(struct project *p);

/*
 * The preset files in order of name, read into `out`, whose arena, and trace and log when wanted, are set. With
 * `all` those named *.yml too, which are listed but cannot be used.
 */
struct preset_files {
	struct arena *arena;
	struct trace *trace;
	struct buf *log;
	VEC_OF(struct preset)
};
void preset_files_read(struct project *p, bool all, struct preset_files *out);

const struct chain *preset_chain(struct project *p, const struct str *name, size_t n);
/* The part of a chain at a dotted name ("load_actions.cloudfiles"), recorded. NULL when absent. */
const struct node *chain_part(const struct chain *c, struct trace *t, const char *dotted);
/* What DEP_KEY "preset/…" holds now. */
struct hash128 chain_part_hash(struct project *p, struct str key);

/* A copy of `base` with `over` put over it: maps recursively, anything else replaced. `via` marks what came from `over`. */
struct via {
	const char *what;
	struct str name;
	struct mark at;
};
const struct node *node_merge(struct arena *a, const struct node *base, const struct node *over, const struct via *via);

#endif
