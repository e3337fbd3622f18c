#include "base/pack.h"

void pack_uint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_addc(b, (char)(v | 0x80));
	buf_addc(b, (char)v);
}

void pack_int(struct buf *b, int64_t v)
{
	pack_uint(b, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

void pack_str(struct buf *b, struct str s)
{
	pack_uint(b, s.n);
	buf_add(b, s);
}

void pack_hash(struct buf *b, struct hash128 h)
{
	buf_add(b, (struct str){ (const char *)h.b, sizeof h.b });
}

void pack_str_after(struct buf *b, struct str before, struct str s)
{
	size_t same = 0;

	while (same < before.n && same < s.n && before.p[same] == s.p[same])
		same++;
	pack_uint(b, same);
	pack_str(b, str_skip(s, same));
}

struct unpack unpack_of(struct str bytes)
{
	return (struct unpack){ bytes.p, bytes.p != NULL ? bytes.p + bytes.n : NULL, bytes.p == NULL };
}

static size_t left(const struct unpack *u)
{
	return u->bad ? 0 : (size_t)(u->end - u->p);
}

uint64_t unpack_uint(struct unpack *u)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && left(u) > 0; shift += 7) {
		unsigned char c = (unsigned char)*u->p++;

		v |= (uint64_t)(c & 0x7F) << shift;
		if (c < 0x80)
			return v;
	}
	u->bad = true;
	return 0;
}

int64_t unpack_int(struct unpack *u)
{
	uint64_t v = unpack_uint(u);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

struct str unpack_str(struct unpack *u)
{
	uint64_t n = unpack_uint(u);
	struct str s;

	if (n > left(u)) {
		u->bad = true;
		return STR("");
	}
	s = (struct str){ u->p, (size_t)n };
	u->p += n;
	return s;
}

struct str unpack_str_after(struct unpack *u, struct arena *a, struct str before)
{
	uint64_t same = unpack_uint(u);
	struct str rest = unpack_str(u);

	if (same > before.n)
		u->bad = true;
	return str_cat(a, str_sub(before, 0, u->bad ? 0 : (size_t)same), rest);
}

struct hash128 unpack_hash(struct unpack *u)
{
	struct hash128 h = HASH_NONE;

	if (left(u) < sizeof h.b) {
		u->bad = true;
		return h;
	}
	memcpy(h.b, u->p, sizeof h.b);
	u->p += sizeof h.b;
	return h;
}

size_t unpack_count(struct unpack *u, size_t least)
{
	uint64_t n = unpack_uint(u);

	if (n > left(u) / (least ? least : 1)) {
		u->bad = true;
		return 0;
	}
	return (size_t)n;
}

bool unpack_done(const struct unpack *u)
{
	return !u->bad && u->p == u->end;
}
