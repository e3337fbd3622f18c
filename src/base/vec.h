/*
 * vec.h - a growable array in an arena.
 *
 *	struct { VEC_OF(struct edge) } edges = { 0 };
 *	*VEC_PUSH(&edges, arena) = (struct edge){ … };
 *	for (size_t i = 0; i < edges.n; i++) use(&edges.p[i]);
 *
 * A zeroed one is valid and empty. Growing copies inside the arena, so pointers
 * to items are good only until the next push.
 */
#ifndef LHP_BASE_VEC_H
#define LHP_BASE_VEC_H

#include "base/arena.h"

#include <stddef.h>

#define VEC_OF(T) \
	T *p;     \
	size_t n, cap;

/* Pointer to a new zeroed last item. */
#define VEC_PUSH(v, a)                                                                  \
	((v)->n == (v)->cap                                                             \
	     ? (void)((v)->p = vec_grow((a), (v)->p, (v)->n, &(v)->cap, sizeof *(v)->p)) \
	     : (void)0,                                                                 \
	 &(v)->p[(v)->n++])

/* Makes room for `more` items, so that pushing them copies nothing. */
#define VEC_ROOM(v, a, more) ((v)->p = vec_room((a), (v)->p, (v)->n, &(v)->cap, (more), sizeof *(v)->p))

void *vec_room(struct arena *a, void *p, size_t n, size_t *cap, size_t more, size_t item);
void *vec_grow(struct arena *a, void *p, size_t n, size_t *cap, size_t item);

#endif
