#include "base/lz.h"
#include "base/pack.h"

#include <lz4.h>

void lz_pack(struct buf *b, struct str s)
{
	int most;

	if (s.n > LZ_MOST)
		return;
	pack_uint(b, s.n);
	most = LZ4_compressBound((int)s.n);
	b->n += (size_t)LZ4_compress_default(s.n != 0 ? s.p : "", buf_grow(b, (size_t)most), (int)s.n, most);
}

/* No LZ4 block says more than 255 bytes a byte: a damaged length cannot make us ask for much. */
static bool length_is_possible(uint64_t length, size_t packed)
{
	return length <= LZ_MOST && length <= (uint64_t)packed * 255;
}

int lz_unpack(struct buf *b, struct str packed)
{
	struct unpack u = unpack_of(packed);
	uint64_t length = unpack_uint(&u);
	size_t left = (size_t)(u.end - u.p);

	if (u.bad || left > LZ_MOST || !length_is_possible(length, left))
		return -1;
	if (LZ4_decompress_safe(u.p, buf_grow(b, (size_t)length + 1), (int)left, (int)length) != (int)length)
		return -1;
	b->n += (size_t)length;
	return 0;
}
