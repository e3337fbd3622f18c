/*
 * place.h - the folders that a run fills, and what runs left in them.
 *
 * A place belongs to no view: runs with other options fill the same folders, and each must know what the last one left there.
 * What several environments of one run would put into the same place, the last of them does; the others only say what is wrong with it.
 *
 * Store records (build/engine.h): 'O' is what a place holds, 'Q' what was written there since, 'W' the generation that it has been so
 * since. A transcript has that generation of each place that its run filled: it stands while no other run has changed one of them.
 */
#ifndef LHP_BUILD_PLACE_H
#define LHP_BUILD_PLACE_H

#include "cache/leaves.h"

struct engine;

enum place_kind {
	PLACE_MODULES,    /* generated/ENV, or what -o names */
	PLACE_MONITORING, /* monitoring/ENV */
	PLACE_BUNDLE,     /* resources/lhp, of all environments */
	PLACE_JOBS,       /* the rest of resources */
	PLACES
};

struct place {
	struct str dir;
	bool filled;                 /* by this run */
	struct leaves out;
	struct leaf_changes changed; /* since runs left it, by somebody else */
	uint64_t since;
};

/* Group of the records of the place `dir`. */
uint32_t place_group(struct str dir);
/* Sets the folders of the places of an environment; `modules`: that of PLACE_MODULES. */
void places_name(struct place p[PLACES], struct arena *a, struct str env, struct str modules);
/* The place of an output. */
struct place *place_of(struct place p[PLACES], struct str path);

/*
 * An output as places_look found it, before that as runs left it; or NULL: nobody knows. So it is, too, when a record of the place is
 * damaged: what the look had not come to was not compared with the disk.
 */
const struct leaf *place_leaf(struct place *p, struct str path);

/* Sets up all places of an environment, the run's `last` one or not. */
void places_open(struct place p[PLACES], struct engine *en, struct str env, bool last);
/* Compares what runs left in those that the run fills with the disk; how many files and folders that were. */
size_t places_look(struct place p[PLACES], struct engine *en);
/*
 * Has nobody else changed what runs left in those that are filled, as far as they were looked at? Of a run of one pipeline (STR_NONE: of
 * all): in its part of them.
 */
bool places_are_left(const struct place p[PLACES], struct str pipeline);
/* What is new in them, and since when, into the store. */
void places_save(struct place p[PLACES], struct engine *en);

/* Generations of all places, for a transcript; does each that this run fills have the one that was packed? */
struct buf;
struct unpack;
void places_pack(struct buf *b, const struct place p[PLACES]);
bool places_are_as(const struct place p[PLACES], struct unpack *u);
void places_skip(struct unpack *u);

#endif
