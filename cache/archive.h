/*
 * archive.h - a store as one file that can be carried to another machine.
 *
 * What is imported is trusted only as far as its hashes: every stat tuple in it is of another
 * machine, and a record of kind 'I' asks the next run to hash all files again.
 *
 * Errors are negative errno values; -EBADMSG: damaged; -EILSEQ: of another schema, byte order or program.
 */
#ifndef LHP_CACHE_ARCHIVE_H
#define LHP_CACHE_ARCHIVE_H

#include "base/fs.h"

/* The caller holds the lock of `dir`. `fs` writes FILE. -ENOENT: there is no store. */
int archive_export(struct fs *fs, struct str dir, struct str build, struct str file, struct arena *a);
/* The caller holds the lock. The old store is replaced only when everything about the file is right. */
int archive_import(struct fs *fs, struct str dir, struct str build, struct str file, struct arena *a);

#endif
