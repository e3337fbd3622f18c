#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_MIN = 64 * 1024, CHUNK_MAX = 4 * 1024 * 1024, ALIGN = 8 };

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of the bytes behind this header */
};

#define HEADER ((sizeof(struct arena_chunk) + ALIGN - 1) & ~(size_t)(ALIGN - 1))

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (p == NULL)
		abort();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (p == NULL)
		abort();
	return p;
}

static void chunk_use(struct arena *a, struct arena_chunk *c)
{
	a->next = (char *)c + HEADER;
	a->end = a->next + c->size;
}

static void chunk_add(struct arena *a, size_t want)
{
	size_t size = a->head != NULL ? a->head->size * 2 : CHUNK_MIN;
	struct arena_chunk *c;

	if (size > CHUNK_MAX)
		size = CHUNK_MAX;
	if (size < want)
		size = want;
	c = xmalloc(HEADER + size);
	c->size = size;
	c->next = a->head;
	a->head = c;
	a->total += size;
	chunk_use(a, c);
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	if (size > PTRDIFF_MAX - 2 * ALIGN)
		abort();
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (size == 0)
		size = ALIGN;
	if (a->head == NULL || (size_t)(a->end - a->next) < size)
		chunk_add(a, size);
	p = a->next;
	a->next += size;
	return memset(p, 0, size);
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		abort();
	return arena_alloc(a, bytes);
}

static void chunks_free(struct arena_chunk *c)
{
	while (c != NULL) {
		struct arena_chunk *next = c->next;

		free(c);
		c = next;
	}
}

void arena_reset(struct arena *a)
{
	if (a->head == NULL)
		return;
	chunks_free(a->head->next);
	a->head->next = NULL;
	a->total = a->head->size;
	chunk_use(a, a->head);
}

void arena_adopt(struct arena *a, struct arena *from)
{
	struct arena_chunk *last = from->head;

	if (a->head == NULL) {
		*a = *from;
	} else if (last != NULL) {
		while (last->next != NULL)
			last = last->next;
		last->next = a->head->next;
		a->head->next = from->head;
		a->total += from->total;
	}
	*from = (struct arena){ 0 };
}

void arena_release(struct arena *a)
{
	chunks_free(a->head);
	*a = (struct arena){ 0 };
}
