/*
 * sources.h - flowgroup files that did not change are not read again: the store remembers what they hold.
 *
 * Record 'S', group 0, name a folder: n { file name, content hash, text: instance, n { pipeline name index hash line
 * col }, findings }. Names are without what they share with those they are usually like. The text is opened for files that are asked for.
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
	size_t known, learned; /* files that discovery asked for: remembered, and read */
};

void source_memory_open(struct source_memory *m, struct store *s, struct leaves *in, struct arena *a);
/* What the store has of a file, whether or not the file is still the same; NULL: it was no flowgroup file. */
const struct recalled *source_memory_find(struct source_memory *m, struct str path);
/* Puts the folders of files that were read into the store. */
void source_memory_save(struct source_memory *m);

#endif
