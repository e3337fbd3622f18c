/*
 * lz.h - texts that repeat themselves, made small: LZ4 behind the length of the text.
 *
 * For records of the store: names and paths that recur in one record cost a few bytes each.
 */
#ifndef LHP_BASE_LZ_H
#define LHP_BASE_LZ_H

#include "base/str.h"

enum { LZ_MOST = 1 << 28 }; /* bytes of one text */

/* Of a text longer than LZ_MOST nothing, which does not unpack. */
void lz_pack(struct buf *b, struct str s);
/* Adds the text to `b`. 0; or -1 when the bytes are damaged, or of more than LZ_MOST. */
int lz_unpack(struct buf *b, struct str packed);

#endif
