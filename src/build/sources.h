/*
 * sources.h - flowgroup files that did not change are not read again: the store remembers what they hold.
 *
 * Record 'S', group 0, name a folder: n { file name, content hash, instance, n { pipeline name index hash line
 * col }, findings }.
 */
#ifndef LHP_BUILD_SOURCES_H
#define LHP_BUILD_SOURCES_H

#include "cache/leaves.h"
#include "project/recall.h"

struct source_memory {
	struct store *store;
	struct leaves *in;     /* after the scan: what is on disk */
	struct arena *arena;
	struct map folder;     /* path -> struct source_folder */
	struct recall recall;
};

void source_memory_open(struct source_memory *m, struct store *s, struct leaves *in, struct arena *a);
/* Puts the folders of files that were read into the store. */
void source_memory_save(struct source_memory *m);

#endif
