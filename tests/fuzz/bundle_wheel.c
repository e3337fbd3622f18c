/* Wheels: anybody's bytes give names and texts, or a fault; never more text than was allowed. */
#include "bundle/wheel.h"

#include <stdlib.h>

enum { MOST = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena arena = { 0 };
	struct wheel_entries found = { 0 };
	size_t total = 0;

	if (wheel_read(&arena, (struct str){ (const char *)bytes, n }, MOST, &found) == WHEEL_GOOD)
		for (size_t i = 0; i < found.n; i++)
			total += found.p[i].text.n;
	if (total > MOST)
		abort();
	arena_release(&arena);
	return 0;
}
