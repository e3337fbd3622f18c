#include "base/vec.h"

#include <string.h>

static void *array_move(struct arena *a, const void *p, size_t n, size_t *cap, size_t room, size_t item)
{
	void *q = arena_calloc(a, room, item);

	if (n != 0)
		memcpy(q, p, n * item);
	*cap = room;
	return q;
}

void *vec_grow(struct arena *a, void *p, size_t n, size_t *cap, size_t item)
{
	return array_move(a, p, n, cap, *cap != 0 ? *cap * 2 : 4, item);
}

void *vec_room(struct arena *a, void *p, size_t n, size_t *cap, size_t more, size_t item)
{
	return *cap - n >= more ? p : array_move(a, p, n, cap, n + more, item);
}
