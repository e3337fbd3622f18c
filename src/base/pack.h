/*
 * pack.h - values to bytes and back: the form in which records are stored.
 *
 * Little endian, lengths as LEB128 varints, texts as length and bytes. A reader
 * never goes past its end: the first bad read sets `bad`, and everything after it gives zeros
 * and empty texts, so that callers check once, at the end.
 */
#ifndef LHP_BASE_PACK_H
#define LHP_BASE_PACK_H

#include "base/hash.h"
#include "base/str.h"

void pack_uint(struct buf *b, uint64_t v); /* varint */
void pack_int(struct buf *b, int64_t v);   /* zigzag varint */
void pack_str(struct buf *b, struct str s);
void pack_hash(struct buf *b, struct hash128 h);
/* A text without what it has in common with the beginning of the one before it: for names in order. */
void pack_str_after(struct buf *b, struct str before, struct str s);

struct unpack {
	const char *p, *end;
	bool bad;
};

struct unpack unpack_of(struct str bytes);
uint64_t unpack_uint(struct unpack *u);
int64_t unpack_int(struct unpack *u);
struct str unpack_str(struct unpack *u); /* borrowed from the bytes */
struct hash128 unpack_hash(struct unpack *u);
struct arena;
struct str unpack_str_after(struct unpack *u, struct arena *a, struct str before); /* in the arena */
/* A count of things of at least `least` bytes each: bad when the bytes left cannot hold them. */
size_t unpack_count(struct unpack *u, size_t least);
bool unpack_done(const struct unpack *u); /* everything was read, and nothing was bad */

#endif
