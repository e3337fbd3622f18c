/*
 * view.h - the part of the engine that is about one view: what can be reused, what can be said again, what is kept.
 *
 * A view's records are listed in build/engine.h. Everything here lives as long as the engine's arena.
 */
#ifndef LHP_BUILD_VIEW_H
#define LHP_BUILD_VIEW_H

#include "build/engine.h"
#include "build/kept.h"
#include "build/place.h"

enum dep_fate { DEP_UNSEEN, DEP_UNTOUCHED, DEP_TOUCHED, DEP_SAME, DEP_DIFFERENT };

/* What the store has of a pipeline. */
struct old_pipeline {
	struct kept kept;
	struct map unit;             /* flowgroup -> struct kept_unit; made by view_old_unit */
	enum dep_fate *fate;         /* of its dependencies */
	uint64_t since;              /* generation that its units are good for */
	bool is_opened;
};

/* 'V': the last run of the whole project with the same options, and the pipelines whose units it left good. */
struct standing {
	uint64_t since;
	struct map pipeline;
};
void standing_read(struct standing *st, struct store *s, struct arena *a, struct str options);
/* Generation that a pipeline's units are good for; of those made while an input changed: 0, none. */
uint64_t standing_since(const struct standing *st, const struct kept *k);

/* The part of the engine that is about one view. */
struct view {
	struct engine *en;
	struct str name;             /* environment, in a sandbox or not: what its units are made for */
	uint32_t group;
	struct str options;          /* all that changes what a run makes, spelled out */
	struct place place[PLACES];
	bool places_seen;
	struct standing standing;
	struct {
		bool collected;
		struct map pipeline; /* -> its records in the store, unread */
	} stored;
	struct map old;              /* pipeline -> struct old_pipeline */
	uint64_t oldest;             /* generation that all of them are good for */
	struct {
		struct map path;
		struct map env;      /* environments whose tokens are in one of them */
		bool presets;        /* one of them is a preset */
	} changed;                   /* inputs, since `oldest` */
	bool was_looked_at;          /* its units were, as far as the run is about them */
	struct str transcript;       /* of the last run of this task, when it still stands; */
	struct str variables, rest;  /* and what it depended on: of the environment, and beside units */
};

/* Group of a view's records. */
uint32_t view_group(struct str name);
/* Opens the view of an environment, the run's `last` one or not. */
void view_open(struct view *v, struct engine *en, struct str env, bool last);
/* Looks at the places that the run fills; once. Before, their tables are what runs left, and not compared with the disk. */
void view_look(struct view *v);
/* Name of the record of this task's transcript. */
struct str view_transcript_name(const struct view *v);
/* Fills `transcript`. False: something changed since that the scan does not show as new. */
bool view_transcript_read(struct view *v);
/* Has nothing changed since the last run of this task? Then its transcript can be said again. */
bool view_is_current(struct view *v);
/* Says it again, as of `env`; with what was said before the first environment, or without. -1 when it is damaged. */
int view_replay(struct view *v, struct str env, bool with_before, struct run_result *result);
/* Marks the units whose records are still good (reused), given the depth this run needs. */
void view_reuse(struct view *v, struct env_run *e, enum work_depth depth);

/* reuse.c, piece by piece. NULL: the store has nothing of the pipeline. */
struct old_pipeline *view_old_pipeline(struct view *v, struct str pipeline);
/* The same from several threads: first collected, then read by any of them, added by one. */
void view_stored_collect(struct view *v);
struct old_pipeline *view_old_read(const struct view *v, struct arena *a, struct str pipeline);
void view_old_add(struct view *v, struct old_pipeline *old);
/* One of its units, or NULL. */
const struct kept_unit *view_old_unit(struct view *v, struct old_pipeline *old, struct str flowgroup);
/*
 * Did anything change that units of the pipeline depend on, or may it have? False in *good: the store does not know, or only
 * for earlier changes. After view_stored_collect, from any thread.
 */
bool view_pipeline_touched(struct env_run *e, struct str pipeline, bool *good);
/* So that there are records. From any thread that the pipeline's arena belongs to. */
int view_old_open(const struct view *v, struct old_pipeline *old);
int view_old_record(const struct view *v, struct old_pipeline *old, const struct kept_unit *unit, struct record *out);
/* Fills `changed` by what this scan saw; view_changes_collect also by earlier ones, when all old pipelines that count were read. */
void view_changes_see(struct view *v);
void view_changes_collect(struct view *v);
bool view_dep_touched(const struct view *v, const struct dep *d);
/* Is one that a pipeline's units depend on touched? DEP_UNTOUCHED, or what else is known of it so far. */
enum dep_fate view_dep_glance(const struct view *v, struct old_pipeline *old, uint32_t index);
/* UNIT_TEXTS: nothing changed, but its texts are wanted. UNIT_AGAIN: its values are what they were, but lines moved. */
enum unit_state { UNIT_CLEAN, UNIT_TEXTS, UNIT_AGAIN, UNIT_DIRTY };
/* `src` may be NULL for a unit whose own file and text are not touched. */
enum unit_state view_unit_state(struct env_run *e, const struct flowgroup_source *src, struct old_pipeline *old,
                                const struct kept_unit *unit, enum work_depth depth);
struct str pipeline_record_name(const struct view *v, struct arena *a, struct str pipeline);
/*
 * Hash of an output that is on disk as we wrote it, made from what `tag` is a hash of; HASH_NONE when it is not, or
 * not known.
 */
struct hash128 view_output_hash(struct view *v, struct str path, struct hash128 tag);
/* Is this output on disk with a text that no run of ours wrote? */
bool view_output_is_edited(struct view *v, struct str path);
/* After a run: units, outputs (when published) and transcript into the store. */
void view_save(struct view *v, struct env_run *e);

#endif
