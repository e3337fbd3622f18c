/*
 * reading.h - what a command that only reads the project keeps from one run to the next (`lhp dag`).
 *
 * A copy of the store is read, without the lock, and the inputs are looked at; from then on reading_changed says
 * what is not as it was when the command's own record was good. At the end the record is put into the store together
 * with what was read, if no other run holds the lock or has committed meanwhile: else the next
 * run has more to do, and is not wrong.
 *
 * Record 'L', group of the view's name, name the view: generation, the command's bytes.
 */
#ifndef LHP_BUILD_READING_H
#define LHP_BUILD_READING_H

#include "base/fs.h"
#include "project/project.h"

struct reading;

struct reading_options {
	struct str view;  /* command, environment and options: what makes another record */
	bool no_cache;
	size_t workers;   /* 0: as many as there are cores */
	void (*log)(void *ctx, struct str line);
	void *ctx;
};

/* Scans; never fails. Before anything is read of the project, which is told what the store remembers of its files. */
struct reading *reading_open(struct fs *fs, struct project *p, const struct reading_options *o);
/* The record, or a text with p == NULL. Good until reading_close. */
struct str reading_record(const struct reading *r);
/* Nothing at all has changed since the record was put. */
bool reading_stands(const struct reading *r);
/* Has this file, or the listing of this folder, other content than when the record was put? With "": has any preset? */
bool reading_changed(const struct reading *r, struct str path);
/* Keeps `record` (p == NULL: the one that stands) and everything that went through the project's door. */
void reading_keep(struct reading *r, struct str record);
void reading_close(struct reading *r);

#endif
