/*
 * steps.h - the steps of a run, each a file of build/: they share the state in run_state.h. Those that return int give -1 with a
 * finding in the result when the run cannot go on.
 */
#ifndef LHP_BUILD_STEPS_H
#define LHP_BUILD_STEPS_H

#include "build/run_state.h"

double now_seconds(void);
/* engine.c: the folders that the scan looks at; NULL: all. */
const struct map *scan_where(const struct run *r);
/* A row of --stats: `count` things done since `started`, in all environments together. Returns the time now. */
double stat_add(struct run *r, const char *name, size_t count, double started);
void say_phase(const struct run *r, const char *name, bool good, double started);
void say_log(struct run *r, struct buf *log); /* line by line; emptied */
/* Adds to the counted warnings, once per (code, file), and tells the listener. */
void warning_add(struct env_run *e, const struct diag *d);

/* units.c: makes the list of units and pipelines; runs the units; sorts their findings under their pipelines. */
int units_plan(struct env_run *e);
void units_run(struct env_run *e, enum work_depth depth);
void units_report(struct env_run *e);

/* scope.c: with --sandbox, what is in it: pipelines are selected, env.sandbox is set. */
int scope_open(struct env_run *e);

/*
 * patch.c: does the run by redoing units alone, when that gives all that has changed. False: it does not, and nothing happened
 * but that some files may be right already.
 */
bool env_patch(struct env_run *e);
/* run.c: formatter and tokens. */
int env_settings(struct env_run *e);

/*
 * run.c: writes `made`, sweeps the scope (NULL: nothing is swept), and adds the files to e->out. `keep` are folders that stand
 * even when empty. 0, or -1 with a finding; the status is then 3.
 */
int publish_stage(struct env_run *e, struct outputs *made, const struct scope *scope, struct str *keep, size_t n_keep);
/* left.c: the clock that outputs get their times from. */
int64_t outputs_clock(struct fs *fs);
/*
 * Notes outputs and their folders as the run knows them to be, so that whatever else is there will show. `published`: the clock when
 * the last of them had been written.
 */
void outputs_note(struct env_run *e, int64_t published);
/* run.c: does the folder hold a file that a run of ours wrote? */
bool publish_left_ours(struct env_run *e, struct str dir);

/* preflight.c */
int preflight(struct env_run *e);

/* assemble.c: the outputs of all selected pipelines. */
int outputs_assemble(struct env_run *e);
/* Adds the output of a unit's file to e->out; without its text when the right one is on disk. */
void output_plan(struct env_run *e, const struct record_file *f);
/* formatting.c: lays e->out out, in a run with a formatter: it is at work from the first to the second. */
int layout_start(struct env_run *e);
int layout_finish(struct env_run *e);
/* Forgets texts that wait to be written. */
void laid_out_drop(struct env_run *e);
/* Is the text of this file one for the formatter? The raw texts of those go when they are laid out. */
bool output_is_laid_out(const struct env_run *e, struct str path);
/* formatting.c: finds the formatter; and, unless its first texts will tell, out whether it is the pinned one. */
int formatter_open(struct env_run *e);
/* Says that it is another one, in a run that has texts for it, new or not. */
void formatter_say(struct env_run *e);
/* Hash of the stat of the formatter that would be used; HASH_NONE when there is none. */
struct hash128 formatter_stat_hash(struct fs *fs, struct arena *a, struct str *program);
/* Hash of what a file is made from: its raw text, and whether and by what it is formatted. */
struct hash128 output_tag(const struct env_run *e, struct hash128 raw);
/* output_folder.c: generated/ENV, or the folder that -o names, however it is spelled: root-relative, or absolute when it is outside. */
struct str output_folder(struct run *r, struct str env);
/*
 * output_folder.c: sets e->output. -1, status 2 and a finding when -o names a folder that must not be swept: by its path alone; and,
 * before anything is written, because inputs are in it or around it.
 */
int output_folder_open(struct env_run *e);
int output_folder_check(struct env_run *e);
/* Folder that modules go to. */
struct str output_dir(const struct env_run *e);

/* hits.c: fills r->hits and r->hashed_bytes, when all environments are done. */
void hits_count(struct run *r, const struct engine *en, const struct env_run *env);

/* diff.c */
void outputs_diff(struct env_run *e);

#endif
