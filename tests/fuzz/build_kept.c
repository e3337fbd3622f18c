#include "base/lz.h"
#include "base/pack.h"
#include "build/kept.h"

/*
 * Bytes of the store are hostile: they are units, or refused. Every other input holds the bodies plain: chance does not write
 * what unpacks to something.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void bodies_pack(struct buf *b, uint64_t generation, struct str plain)
{
	pack_uint(b, generation);
	lz_pack(b, plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct buf packed = { 0 };
	struct unpack in = unpack_of((struct str){ (const char *)data, size });
	bool plain = unpack_uint(&in) % 2 != 0;
	struct str index = unpack_str(&in), over = unpack_str(&in), body = { in.p, (size_t)(in.end - in.p) };
	struct record r;
	struct kept k;

	if (kept_read(&k, &a, STR("p"), index) == 0 && (over.n == 0 || kept_overlay(&k, over) == 0)) {
		if (plain)
			bodies_pack(&packed, over.n == 0 ? k.generation : k.over.base, body);
		if (kept_open(&k, plain ? buf_str(&packed) : body) == 0)
			for (size_t i = 0; i < k.n; i++)
				kept_record(&k, i, &r);
	}
	buf_release(&packed);
	arena_release(&a);
	return 0;
}
