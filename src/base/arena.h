/*
 * arena.h - memory that is freed a phase at a time.
 *
 * One arena per run holds documents, graph and texts; a scratch arena per
 * flowgroup is reset after it. A zeroed arena is valid and empty. Memory is
 * zeroed, aligned for any type that is used here (long double is not), and never moves. An arena belongs to one thread
 * at a time.
 *
 * Running out of memory aborts: every caller's answer would be the same, and a
 * killed run is harmless (docs/design.md, Publishing).
 */
#ifndef LHP_BASE_ARENA_H
#define LHP_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *head;
	char *next, *end;
	size_t total; /* bytes asked of malloc so far */
};

void *arena_alloc(struct arena *a, size_t size);
void *arena_calloc(struct arena *a, size_t n, size_t size); /* aborts when n * size overflows */
/* Forgets everything but keeps one chunk for reuse. */
void arena_reset(struct arena *a);
void arena_release(struct arena *a);
/* Everything in `from` lives as long as what is in `a` from now on; `from` is empty. */
void arena_adopt(struct arena *a, struct arena *from);

#define ARENA_NEW(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_calloc((a), (n), sizeof(T)))

/* malloc/realloc that abort instead of returning NULL. */
void *xmalloc(size_t size);
void *xrealloc(void *p, size_t size);

#endif
