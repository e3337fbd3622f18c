/*
 * tray.h - memory for the maps of flowgroups, which goes back when the work on them is done.
 *
 * Flowgroup files are parsed into trays, file after file; each flowgroup's map holds its tray until somebody is done with
 * it, and the last one takes the tray's memory along. What is never dropped lives as long as the project.
 *
 * A tray is filled by one thread, before anybody drops anything; dropping is safe from several.
 */
#ifndef LHP_PROJECT_TRAY_H
#define LHP_PROJECT_TRAY_H

#include "base/arena.h"

#include <stdatomic.h>

struct project;

struct tray {
	struct arena arena;
	size_t filled;      /* bytes of the files in it */
	atomic_size_t held; /* maps in it that are not done with */
	struct tray *next;
};

/* Bytes of files that one tray takes: with trees of about six times as much. Under a sanitizer a file: what outlives its map shows. */
#ifdef __SANITIZE_ADDRESS__
enum { TRAY_FILL = 1 };
#else
enum { TRAY_FILL = 128 * 1024 };
#endif

/* The first tray of the list if it can take a file of `size` bytes, else a new one, made in `a` and put before it. */
struct tray *tray_for(struct tray **list, struct arena *a, size_t size);
void tray_drop(struct tray *t);

/* Hands a list to the project; those of which nothing is held go at once. */
void trays_keep(struct project *p, struct tray *list);
void trays_release(struct project *p);

#endif
