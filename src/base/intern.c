#include "base/intern.h"

const char *intern_cstr(struct intern *in, struct str s)
{
	const char *known = map_get(&in->seen, s);
	struct str copy;

	if (known != NULL)
		return known;
	copy = str_dup(in->arena, s);
	map_put(&in->seen, in->arena, copy, (void *)(uintptr_t)copy.p);
	return copy.p;
}
