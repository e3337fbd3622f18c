#include "base/vec.h"

#include <string.h>

void *vec_grow(struct arena *a, void *p, size_t n, size_t *cap, size_t item)
{
	size_t more = *cap != 0 ? *cap * 2 : 4;
	void *q = arena_calloc(a, more, item);

	if (n != 0)
		memcpy(q, p, n * item);
	*cap = more;
	return q;
}
