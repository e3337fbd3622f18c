#include "base/lz.h"
#include "base/pack.h"

enum { TABLE_BITS = 13 };

static uint32_t word_at(struct str s, size_t i)
{
	uint32_t w = 0;

	for (size_t k = 0; k < LZ_LEAST; k++)
		w |= (uint32_t)(unsigned char)s.p[i + k] << (8 * k);
	return w;
}

static size_t match_length(struct str s, size_t a, size_t b)
{
	size_t n = 0;

	while (b + n < s.n && s.p[a + n] == s.p[b + n])
		n++;
	return n;
}

/* Where words were seen last, from 1; 0: not yet. */
struct seen {
	uint32_t at[1 << TABLE_BITS];
};

static uint32_t seen_put(struct seen *seen, struct str s, size_t i)
{
	uint32_t *slot = &seen->at[word_at(s, i) * 2654435761u >> (32 - TABLE_BITS)], before = *slot;

	*slot = (uint32_t)i + 1;
	return before;
}

void lz_pack(struct buf *b, struct str s)
{
	struct seen seen = { 0 };
	size_t done = 0;

	for (size_t i = 0; i + LZ_LEAST <= s.n;) {
		size_t before = seen_put(&seen, s, i), n = before != 0 ? match_length(s, before - 1, i) : 0, end = i + n;

		if (n < LZ_LEAST) {
			i++;
			continue;
		}
		pack_str(b, str_sub(s, done, i));
		pack_uint(b, n - LZ_LEAST);
		pack_uint(b, i - (before - 1));
		while (++i < end && i + LZ_LEAST <= s.n)
			seen_put(&seen, s, i);
		done = i = end;
	}
	pack_str(b, str_skip(s, done));
}

static int match_repeat(struct buf *b, uint64_t length, uint64_t distance)
{
	const char *from;
	char *to;

	if (distance == 0 || distance > b->n || b->n > LZ_MOST || length > LZ_MOST - b->n)
		return -1;
	to = buf_grow(b, length);
	from = to - distance;
	for (size_t i = 0; i < length; i++)
		to[i] = from[i];
	b->n += length;
	return 0;
}

int lz_unpack(struct buf *b, struct str packed)
{
	struct unpack u = unpack_of(packed);
	struct buf out = { 0 };
	int rc = 0;

	buf_add(&out, unpack_str(&u));
	while (rc == 0 && !u.bad && u.p < u.end) {
		uint64_t length = unpack_uint(&u) + LZ_LEAST, distance = unpack_uint(&u);

		rc = u.bad ? -1 : match_repeat(&out, length, distance);
		buf_add(&out, unpack_str(&u));
	}
	if (rc == 0 && !u.bad)
		buf_add(b, buf_str(&out));
	buf_release(&out);
	return u.bad ? -1 : rc;
}
