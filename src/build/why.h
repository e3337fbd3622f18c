/*
 * why.h - stored traces against now: what would be rebuilt, and because of what.
 *
 * Reads a copy of the store, never takes the lock. Texts live in the arena, records as long as the store.
 */
#ifndef LHP_BUILD_WHY_H
#define LHP_BUILD_WHY_H

#include "build/snapshot.h"
#include "cache/store.h"

struct stored_unit {
	struct record record;
};

struct stored_token {
	struct hash128 hash;
	struct str text;
};

struct stored {
	struct arena *arena;
	struct store *store;
	struct str env;
	struct map unit;   /* PIPELINE\nFLOWGROUP -> struct stored_unit */
	struct map token;  /* name -> struct stored_token */
	struct {
		VEC_OF(struct str)
	} output;          /* folders that modules were put into, the latest first; never none */
	size_t damaged;    /* records that could not be read */
};

/* Everything that the store has of an environment; left out are sandboxes, and flowgroups that runs of others (-p) only looked at. */
void stored_read(struct stored *st, struct store *s, struct str env, struct arena *a);
const struct stored_unit *stored_find(const struct stored *st, struct str pipeline, struct str flowgroup);

enum output_state { OUTPUT_RIGHT, OUTPUT_GONE, OUTPUT_EDITED };

/* Is an output as it was written? `modules`: the one of st->output that its run filled. */
enum output_state stored_output_state(const struct stored *st, struct fs *fs, struct str modules, struct str path);

/* A run that published, and what it depended on beside units: what resource files, hooks and lists are made from. */
struct stored_run {
	uint64_t generation;
	struct str modules; /* where its modules went */
	struct trace trace;
};

/* The last one that left `path` as an output. False: the store knows of none. */
bool stored_run_find(const struct stored *st, struct fs *fs, struct str path, struct stored_run *out);

/* A value then and now. */
struct change {
	struct hash128 before, now;
	struct str before_text, now_text; /* of a token that is no secret; else empty */
	struct mark where;                /* where it stands now */
};

struct difference {
	const struct dep *dep;
	struct change change;
	struct {
		VEC_OF(struct cause { struct str token; struct change change; })
	} by; /* of a token: those inside of its value that changed by themselves */
};

struct differences {
	VEC_OF(struct difference) /* most important first */
};

/* `src`: the flowgroup of the trace as it is now, NULL when it is gone or the trace is of no unit. */
void differences_find(struct snapshot *now, const struct stored *st, const struct trace *t, const struct flowgroup_source *src,
                      struct differences *out);

#endif
