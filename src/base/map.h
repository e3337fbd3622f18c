/*
 * map.h - text to pointer, in the order of insertion.
 *
 * Open addressing over XXH3 of the key; entries stand in one array, so walking
 * `entry[0..n)` is walking in insertion order and never depends on hashes. Keys
 * are borrowed: they must live as long as the map. A zeroed map is valid and
 * empty; its memory is the arena's. There is no removal.
 */
#ifndef LHP_BASE_MAP_H
#define LHP_BASE_MAP_H

#include "base/str.h"

struct map_entry {
	struct str key;
	uint64_t hash;
	void *value;
};

struct map {
	struct map_entry *entry;
	size_t n, cap;
	uint32_t *slot; /* index + 1 into entry; 0 is free */
	size_t n_slot;  /* a power of two */
};

/* Room for as many keys in all, so that it need not grow by steps. */
void map_reserve(struct map *m, struct arena *a, size_t n);
/* Value of `key`, or NULL. */
void *map_get(const struct map *m, struct str key);
const struct map_entry *map_find(const struct map *m, struct str key);
/* Place of the value of `key`; made (NULL) when it is not there yet. */
void **map_slot(struct map *m, struct arena *a, struct str key);
/* Sets and returns what was there before, or NULL. */
void *map_put(struct map *m, struct arena *a, struct str key, void *value);
/* True the first time `key` is seen. */
bool map_add(struct map *m, struct arena *a, struct str key);
/* Indexes of the entries sorted by key, bytewise; n of them, in the arena. */
uint32_t *map_sorted(const struct map *m, struct arena *a);

#endif
