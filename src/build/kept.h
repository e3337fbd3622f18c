/*
 * kept.h - the units of one pipeline in one view, as the store keeps them.
 *
 * They are two records. 'P' says what each unit depends on, every file and dependency once: it is looked through in each run
 * that has something to do, so that there is no reverse index that could be wrong. 'U' holds what the units are (record.h)
 * and is opened for the pipelines that need it. When a few units were redone, a third, 'N', has them alone, in both forms: they take
 * the place of those of the same name, so that an edit with readers in many pipelines does not write all of these again.
 *
 * Packed layouts (base/pack.h):
 *	P: generation n_file { path } n_dep { kind file+1 rest hash } n_unit { file name depth<<1|findings n { dep } }
 *	U: generation lz (base/lz.h) of n_unit { body: n { path } { file line col } of its dependencies, the record's body }
 *	N: generation of the P and U that it is laid over, P of its units, U of its units
 * A file is an index into the list of P; file+1 is 0 for none. The key of a dependency is the file's path and `rest`. A body says
 * nothing by numbers of P, so that it can be copied unread: its files are 0, none; 1, the unit's own; 2 and on, those of its list. In it
 * the bytes FE 01 stand for the flowgroup's name, which is in most of its names, and FE 00 for FE: so flowgroups of a kind look alike.
 * Both records have the generation of the commit that made them; it tells that they belong together. The units of a pipeline that has
 * an N are good for the generation of that.
 */
#ifndef LHP_BUILD_KEPT_H
#define LHP_BUILD_KEPT_H

#include "build/record.h"
#include "build/work.h"

struct kept_unit {
	struct str name;           /* of the flowgroup */
	const char *file;
	enum work_depth depth;
	bool has_findings;
	uint32_t *dep;             /* indexes into kept.dep */
	size_t n_dep;
};

struct kept {
	struct arena *arena;
	struct str pipeline;
	uint64_t generation;       /* of the commit that its units were good for; 0: of none */
	const char **file;
	size_t n_file;
	struct dep *dep;           /* without places */
	size_t n_dep;
	struct kept_unit *unit;
	size_t n;
	struct str *body;          /* of each unit, as it is stored, when opened; else NULL */
	struct {
		size_t n;
		uint32_t *unit;    /* indexes of the units that come from N, in order */
		struct str bodies; /* its U */
		uint64_t base;     /* generation of the P and U below it */
	} over;
};

/* 'P'. Everything is borrowed from `bytes` or in the arena. 0, or -1 when they are damaged. */
int kept_read(struct kept *k, struct arena *a, struct str pipeline, struct str bytes);
/* 'N', over what was read. 0, or -1 when it is damaged, or of another P. */
int kept_overlay(struct kept *k, struct str bytes);
/*
 * Looks through 'P' without making anything of it: *found when a dependency changed (of one on a file, what is asked about is the
 * file alone), or moved, and one of the units has findings, which show places. 0, or -1 when the bytes are damaged.
 */
enum kept_answer { KEPT_STANDS, KEPT_MOVED, KEPT_CHANGED };
int kept_ask(struct str bytes, enum kept_answer (*ask)(void *ctx, const struct dep *d), void *ctx, uint64_t *generation,
             bool *found);
/* The P in an 'N'. p == NULL when it is damaged. */
struct str kept_overlay_index(struct str bytes);
/* 'U', so that records can be made. 0, or -1. Once. */
int kept_open(struct kept *k, struct str bytes);
/* The record of an opened unit. 0, or -1. */
int kept_record(const struct kept *k, size_t unit, struct record *out);

/* A unit to be kept: worked on in this run, or copied from what was kept, opened, before. */
struct kept_source {
	const struct record *record;   /* NULL: copied */
	enum work_depth depth;
	const struct kept *kept;
	const struct kept_unit *unit;
};
/* Packs units into both records. */
void kept_pack(struct buf *p, struct buf *u, uint64_t generation, const struct kept_source *unit, size_t n);
/* Some of a pipeline's units, in its order, to be laid over those of `base`, a generation. */
void kept_overlay_pack(struct buf *b, uint64_t base, uint64_t generation, const struct kept_source *unit, size_t n);

#endif
