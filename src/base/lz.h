/*
 * lz.h - texts that repeat themselves, made small.
 *
 * For records of the store: names and paths that recur in one record cost a few bytes each.
 * A packed text is a sequence of { literals, match } until its end:
 *
 *	n_literal bytes…  [length - LZ_LEAST  distance]
 *
 * numbers as in base/pack.h; a match repeats `length` bytes from `distance` bytes back, and may
 * overlap what it makes. Equal texts pack to equal bytes, on every machine.
 */
#ifndef LHP_BASE_LZ_H
#define LHP_BASE_LZ_H

#include "base/str.h"

enum { LZ_LEAST = 4, LZ_MOST = 1 << 28 };

void lz_pack(struct buf *b, struct str s);
/* Adds the text to `b`. 0; or -1 when the bytes are damaged, or of more than LZ_MOST. */
int lz_unpack(struct buf *b, struct str packed);

#endif
