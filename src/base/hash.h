/*
 * hash.h - content identity: XXH3-128, the same on every machine.
 *
 * Stored as 16 bytes, big endian (XXH128 canonical form), so that stores and
 * traces can be moved between machines.
 */
#ifndef LHP_BASE_HASH_H
#define LHP_BASE_HASH_H

#include "base/str.h"

struct hash128 {
	uint8_t b[16];
};

#define HASH_NONE ((struct hash128){ { 0 } }) /* of something that is absent */

struct hash128 hash_bytes(struct str s);
uint64_t hash64(struct str s);
bool hash_eq(struct hash128 a, struct hash128 b);
bool hash_is_none(struct hash128 h);
void hash_hex(struct hash128 h, char out[33]);

/* Hash of a sequence of parts: each is framed, so ("ab","c") differs from ("a","bc"). */
struct hasher {
	void *state;       /* NULL while everything fits into `small` */
	size_t n;
	uint8_t small[1024];
};
void hasher_init(struct hasher *h);
void hasher_str(struct hasher *h, struct str s);
void hasher_u64(struct hasher *h, uint64_t v);
void hasher_hash(struct hasher *h, struct hash128 v);
struct hash128 hasher_finish(struct hasher *h); /* releases it */

#endif
