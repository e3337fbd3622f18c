#include "check/facts.h"

#include <stdlib.h>

/* Bytes of the store are hostile: they unpack to facts that pack again, or are refused. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct facts f, again;

	if (facts_unpack(&a, (struct str){ (const char *)data, size }, &f) == 0 &&
	    facts_unpack(&a, facts_pack(&a, &f), &again) != 0)
		abort();
	arena_release(&a);
	return 0;
}
