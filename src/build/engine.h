/*
 * engine.h - what a run knows from earlier ones, and what it leaves for the next.
 *
 * Store records (cache/store.h), by kind:
 *	'G' group 0, ""            generation, last generation with other content
 *	'D' group 0, FOLDER        inputs (cache/leaves.h)
 *	'S' group 0, FOLDER        flowgroups of its files (build/sources.h)
 *	'O' group of a place, FOLDER  outputs (build/place.h); 'Q', "": those written since;
 *	                           'W', "": generation that the place has been as it is since
 *	'P' group V, VIEW\nPIPELINE  what the pipeline's units depend on; 'U', the same name: the units;
 *	                           'N': those of them that were redone since (build/kept.h)
 *	'V' group of OPTIONS, OPTIONS  what stands: generation for which the units of these pipelines are good, n { pipeline }
 *	'T' group V, OPTIONS\nTASK  transcript of a run: generation, formatter, generations of the places it filled, variables { name hash },
 *	                           what else the run depended on { kind key hash }, events, result
 *	'F' group 0, ""            the formatter: stat of its program, what is to be said of its version
 *	'K' group 0, ENV           token values of the last run, for `why`: n { name hash text }
 *	'R' group 0, ""            flowgroups of the last run that did something, and how many of them were rebuilt
 *	'I' group 0, ""            the store was imported: hash everything once
 *	'L' group V, COMMAND       what a command that only reads keeps (build/reading.h): generation, its bytes
 *
 * A view is one environment, in a sandbox or not; V is a hash of its name. Of other options units depend as of anything else, when
 * they do (DEP_ENV "--include-tests"); what a run makes is another for each set of options, which OPTIONS spells out.
 *
 * A unit is reused when nothing in its trace has another hash; only dependencies on files that
 * changed since are looked at. A whole run is replayed from its transcript when no leaf changed since.
 */
#ifndef LHP_BUILD_ENGINE_H
#define LHP_BUILD_ENGINE_H

#include "build/sources.h"
#include "build/run.h"
#include "cache/leaves.h"
#include "cache/lock.h"

struct run;
struct env_run;
struct unpack;

struct engine {
	struct run *run;
	struct store *store;         /* NULL: no cache, everything is done */
	struct store *copy;          /* of a reader that has come to write: what it read from, borrowed until the end */
	struct lock lock;
	bool locked;
	struct leaves in;
	struct source_memory sources;
	struct leaf_changes changed; /* inputs, by this scan */
	bool any_content;            /* of them */
	bool imported;               /* the store comes from another machine */
	bool raced;                  /* an input changed while we ran */
	uint64_t generation, last_change;
	int64_t stamp;
	struct hash128 formatter;    /* generate with formatting: its stat; else HASH_NONE */
	struct arena *arena;
};

/* Opens and scans. 0; or the exit status of a run that cannot go on (4: locked by another, 3), said in the results. */
int engine_open(struct engine *en, struct run *r);
/*
 * The same for a run that only reads: what the store holds is taken from a copy, without the lock. A store that is not
 * there, or not to be read at this moment, is an empty one (en->store is NULL).
 */
void engine_open_reader(struct engine *en, struct run *r);
/*
 * Makes a reader one that writes: takes the lock, if that needs no waiting. False when it does, or when somebody committed
 * meanwhile: what was read may not stand any more, and nothing is kept.
 */
bool engine_write(struct engine *en);
/* Notes every input that was read in this run. Before the views are saved. */
void engine_note_inputs(struct engine *en);
/* Everything that was noted and saved, in one transaction. */
void engine_commit(struct engine *en);
void engine_close(struct engine *en);

/* The file that a dependency is read from; empty: presets. Of a token it is made in `a`, else a part of the key. */
struct str dep_base(struct arena *a, const struct dep *d);

/* A listener that keeps what is said. */
struct transcript {
	struct run_listener to;      /* where it goes on to */
	struct run_listener listener;
	struct buf events;
};
void transcript_open(struct transcript *t, const struct run_listener *to);
void transcript_close(struct transcript *t);
/* Packs events and result; says them again, as of the environment `env`, with what was said before the first. -1 when damaged. */
void transcript_pack(struct buf *b, const struct transcript *before, const struct transcript *t, const struct run_result *res);
int transcript_replay(struct arena *a, struct unpack *u, struct str env, bool with_before, bool generated,
                      const struct run_listener *l, struct run_result *res);

#endif
