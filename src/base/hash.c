#include "base/hash.h"

#include <endian.h>
#include <stdlib.h>
#include <xxhash.h>

static struct hash128 canonical(XXH128_hash_t h)
{
	XXH128_canonical_t c;
	struct hash128 out;

	XXH128_canonicalFromHash(&c, h);
	memcpy(out.b, c.digest, sizeof out.b);
	return out;
}

struct hash128 hash_bytes(struct str s)
{
	return canonical(XXH3_128bits(s.p != NULL ? s.p : "", s.n));
}

uint64_t hash64(struct str s)
{
	return XXH3_64bits(s.p != NULL ? s.p : "", s.n);
}

bool hash_eq(struct hash128 a, struct hash128 b)
{
	return memcmp(a.b, b.b, sizeof a.b) == 0;
}

bool hash_is_none(struct hash128 h)
{
	return hash_eq(h, HASH_NONE);
}

void hash_hex(struct hash128 h, char out[33])
{
	static const char digit[] = "0123456789abcdef";

	for (size_t i = 0; i < sizeof h.b; i++) {
		out[2 * i] = digit[h.b[i] >> 4];
		out[2 * i + 1] = digit[h.b[i] & 15];
	}
	out[32] = '\0';
}

void hasher_init(struct hasher *h)
{
	h->state = NULL;
	h->n = 0;
}

static void small_flush(struct hasher *h)
{
	if (h->state == NULL) {
		h->state = XXH3_createState();
		if (h->state == NULL)
			abort();
		XXH3_128bits_reset(h->state);
	}
	XXH3_128bits_update(h->state, h->small, h->n);
	h->n = 0;
}

/* Parts are short: they are gathered, and most things are hashed in one go. */
static void bytes_add(struct hasher *h, const void *p, size_t n)
{
	if (n > sizeof h->small - h->n)
		small_flush(h);
	if (n > sizeof h->small) {
		XXH3_128bits_update(h->state, p, n);
		return;
	}
	memcpy(h->small + h->n, p, n);
	h->n += n;
}

void hasher_u64(struct hasher *h, uint64_t v)
{
	uint64_t little = htole64(v);

	bytes_add(h, &little, sizeof little);
}

void hasher_str(struct hasher *h, struct str s)
{
	hasher_u64(h, s.n);
	if (s.n != 0)
		bytes_add(h, s.p, s.n);
}

void hasher_hash(struct hasher *h, struct hash128 v)
{
	bytes_add(h, v.b, sizeof v.b);
}

struct hash128 hasher_finish(struct hasher *h)
{
	struct hash128 out;

	if (h->state == NULL)
		return canonical(XXH3_128bits(h->small, h->n));
	small_flush(h);
	out = canonical(XXH3_128bits_digest(h->state));
	XXH3_freeState(h->state);
	h->state = NULL;
	return out;
}
