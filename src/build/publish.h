/*
 * publish.h - making a folder hold exactly what the project makes, and losing nothing.
 *
 * Rules: spec/engine.md, "Publishing". Right files are not touched; others are
 * written by temporary file and rename; surplus files that lhp wrote go, and those of
 * somebody else move to .lhp/trash/TIME/PATH. Links inside an output folder are replaced,
 * never followed.
 */
#ifndef LHP_BUILD_PUBLISH_H
#define LHP_BUILD_PUBLISH_H

#include "base/diag.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/map.h"

struct output {
	struct str path;       /* root-relative (or absolute below an absolute -o folder) */
	struct str text;       /* what it must hold; p == NULL: it waits, or the file is known to be right */
	size_t waits;          /* not 0: the text is to be asked for by this number */
	struct hash128 hash;   /* of that */
	struct hash128 raw;    /* of the raw text that it is made from; HASH_NONE: made in each run, from what the run knows */
	struct mark at;        /* what it comes from, to be blamed when it cannot be laid out */
	bool written, right;   /* out: by this run; as it must be on disk now */
	struct fs_stat st;     /* out, when right: as it was when its content was last seen; */
	bool settled;          /* and nothing can have happened since that does not show in it */
};

struct outputs {
	VEC_OF(struct output)
	struct map by_path;    /* path -> index + 1 */
};

/* Room for `more` outputs, so that adding them copies nothing. */
void outputs_room(struct outputs *o, struct arena *a, size_t more);
struct output *outputs_add(struct outputs *o, struct arena *a, struct str path, struct str text);
struct output *outputs_find(const struct outputs *o, struct str path);

/* A folder of which everything is ours, or what the other members leave of it. */
struct scope {
	struct str dir;
	bool flat;             /* files directly in it only; */
	bool goes;             /* and when nothing is left in it, it goes itself */
	struct str only[2];    /* when the first is set: only these, and what is below them (-p: modules, a wheel); */
	struct {
		VEC_OF(struct str)
	} but;                 /* without these: pipelines and environments whose names lie below that of this one */
	const char *suffix, *head; /* when set: only files with this ending that begin so */
};

struct publish {
	struct fs *fs;
	struct arena *arena;
	int64_t stamp;             /* fs_now() before all of it */
	size_t workers;            /* threads that compute: those that write are more, unless it is one */
	struct diags *diags;       /* LHP-IO-005 when something cannot be written */
	struct buf *log;           /* notices: hand-edited, moved to the trash */
	struct str *keep_dir;      /* folders that stand even when empty; the first is the output folder */
	size_t n_keep_dir;
	/* Reads a text that waits, in any thread. 0, or a negative errno; may be NULL when none does. */
	int (*waiting)(void *ctx, size_t number, struct arena *a, struct str *text);
	bool (*is_ours)(void *ctx, struct str path); /* did an earlier run write this? NULL: ask the text */
	void *ctx;
	void (*removed_one)(void *ctx, struct str path); /* a file, or an emptied folder, which is not counted; may be NULL */
	size_t written, removed;
	struct str trash;          /* set when something was moved */
};

/* 0, or -1 with a finding. Files already renamed stay. */
int publish_write(struct publish *p, struct outputs *o);
int publish_sweep(struct publish *p, const struct outputs *o, const struct scope *scope);

/* Is this a part of the folder that is swept? */
bool scope_has(const struct scope *s, struct str path);
/* Is this entry of a folder none of the sweep's business? */
bool scope_leaves(const struct scope *s, struct fs *fs, struct str path, enum fs_type type);

/* Does the folder hold a file that lhp wrote, at any depth? */
bool publish_has_ours(struct publish *p, struct str dir);

/* Takes one thing out of an output folder: links and what is ours go, anything else moves to the trash. 0 or a negative errno. */
int surplus_remove(struct publish *p, struct str path, enum fs_type type);

/* Does the text carry one of the headers that generated files begin with? */
bool text_is_generated(struct str path, struct str text);

#endif
