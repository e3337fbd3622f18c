/*
 * record.h - what is kept of a unit: its trace, findings, facts and the files it makes.
 *
 * A unit's result always goes through its packed form, in a cold run too: what is
 * reported and published is what a warm run would find in the store. That is
 * how the two cannot differ.
 *
 * Packed layout (base/pack.h):
 *	pipeline flowgroup file
 *	n_dep   { kind key hash file line col }
 *	body: failed failed-check n-check
 *	n_diag  { rule title detail hint mark via… pipeline flowgroup action file parts… }
 *	facts   (check/facts.h, empty when the unit failed)
 *	n_file  { path raw-hash python source mark }
 *
 * The store has the units of a pipeline together (build/kept.h): names and dependencies apart from the bodies.
 */
#ifndef LHP_BUILD_RECORD_H
#define LHP_BUILD_RECORD_H

#include "base/intern.h"
#include "cache/trace.h"
#include "check/facts.h"
#include "emit/emit.h"

struct record_file {
	struct str path;         /* below the output folder */
	struct hash128 raw_hash;
	bool python;
	struct str source;
	struct mark at;
	struct str raw;          /* the text, when the unit was worked on in this run, until the formatter has it; else p == NULL */
};

struct record {
	struct str pipeline, flowgroup;
	const char *file;
	bool failed;             /* has an error */
	bool failed_check;       /* and already before emission */
	size_t n_check;          /* so many findings came before emission: those that validate shows */
	struct trace trace;
	struct diags diags;
	struct facts facts;      /* when !failed_check */
	struct str facts_bytes;
	struct record_file *out;
	size_t n_out;
};

/* Packs a worked unit. `facts` is NULL for one that failed before emission, when it had `n_check` findings. */
struct str record_pack(struct arena *a, const struct unit *u, const struct facts *facts, size_t n_check,
                       const struct out_files *files);
/* The record as a run that does not emit would have made it. */
void record_without_emission(struct record *r);
/* Everything borrowed from `bytes` or put into the arena of `in`, which knows the names of files. -1 when they are damaged. */
int record_unpack(struct intern *in, struct str bytes, struct record *out);

/* The body alone; the rest of `out` is there already. 0, or -1. */
struct unpack;
void record_body_pack(struct buf *b, const struct record *r);
int record_body_unpack(struct arena *a, struct unpack *u, struct record *out);

/* Findings alone, for what belongs to no unit. */
void diags_pack(struct buf *b, const struct diags *ds);
int diags_unpack(struct arena *a, struct unpack *u, struct diags *out);

#endif
