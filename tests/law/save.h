/*
 * save.h - how editors and tools put a file on disk.
 *
 * Whatever is in the way (a folder, a link) is removed first; parents are made. The names that a save needs beside the file
 * are gone at its end.
 */
#ifndef LHP_TESTS_SAVE_H
#define LHP_TESTS_SAVE_H

#include "base/fs.h"

enum { SAVES = 6 };

/* Writes a file in the way `style` (below SAVES). False when there is a part that cannot be. */
bool file_save(struct fs *fs, struct arena *a, struct str path, struct str bytes, unsigned style);
/* A symbolic link in place of what is there. */
bool link_save(struct fs *fs, struct arena *a, struct str path, struct str target);

#endif
