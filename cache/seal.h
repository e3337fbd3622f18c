/*
 * seal.h - is the store's data file, byte for byte, what the last run left?
 *
 * The file `seal` beside data.mdb: "LHPSEAL1", size of the data file in bytes (8,
 * little endian), XXH3-128 of its bytes (16). It is put away before a commit and written into
 * the same blocks after it, by rename both times: that needs no room on a disk that is full.
 */
#ifndef LHP_CACHE_SEAL_H
#define LHP_CACHE_SEAL_H

#include "base/str.h"

int store_seal_break(struct str dir);
/* Removes what is of no use without the data file: the seal, files of killed runs, or whatever stands in their places. */
int store_rest_clear(struct str dir);
int store_seal_make(struct str dir);
/* Does the seal of `dir` fit the file at `data` (a copy of its data file)? */
bool store_seal_fits(struct str dir, const char *data);

#endif
