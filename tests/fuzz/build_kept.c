#include "build/kept.h"
#include "base/pack.h"

/* Bytes of the store are hostile: they are units, or refused. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct unpack in = unpack_of((struct str){ (const char *)data, size });
	struct str index = unpack_str(&in), body = { in.p, (size_t)(in.end - in.p) };
	struct record r;
	struct kept k;

	if (kept_read(&k, &a, STR("p"), index) == 0 && kept_open(&k, body) == 0)
		for (size_t i = 0; i < k.n; i++)
			kept_record(&k, i, &r);
	arena_release(&a);
	return 0;
}
