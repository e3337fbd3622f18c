#include "base/map.h"
#include "base/arena.h"
#include "base/hash.h"

#include <stdlib.h>

static uint32_t *slot_of(const struct map *m, struct str key, uint64_t hash)
{
	size_t mask = m->n_slot - 1;

	for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
		uint32_t at = m->slot[i];

		if (at == 0)
			return &m->slot[i];
		if (m->entry[at - 1].hash == hash && str_eq(m->entry[at - 1].key, key))
			return &m->slot[i];
	}
}

static void slots_grow(struct map *m, struct arena *a, size_t n)
{
	m->n_slot = n;
	m->slot = ARENA_ARRAY(a, uint32_t, m->n_slot);
	for (size_t i = 0; i < m->n; i++)
		*slot_of(m, m->entry[i].key, m->entry[i].hash) = (uint32_t)(i + 1);
}

static void entries_grow(struct map *m, struct arena *a, size_t cap)
{
	struct map_entry *entry = ARENA_ARRAY(a, struct map_entry, cap);

	if (m->n != 0)
		memcpy(entry, m->entry, m->n * sizeof *entry);
	m->entry = entry;
	m->cap = cap;
}

/* At most three of four slots are taken. */
static bool has_slots(size_t slots, size_t n)
{
	return n * 4 <= slots * 3;
}

void map_reserve(struct map *m, struct arena *a, size_t n)
{
	size_t slots = m->n_slot != 0 ? m->n_slot : 8;

	while (!has_slots(slots, n))
		slots *= 2;
	if (slots != m->n_slot)
		slots_grow(m, a, slots);
	if (n > m->cap)
		entries_grow(m, a, n);
}

const struct map_entry *map_find(const struct map *m, struct str key)
{
	uint32_t at;

	if (m->n == 0)
		return NULL;
	at = *slot_of(m, key, hash64(key));
	return at != 0 ? &m->entry[at - 1] : NULL;
}

void *map_get(const struct map *m, struct str key)
{
	const struct map_entry *e = map_find(m, key);

	return e != NULL ? e->value : NULL;
}

void **map_slot(struct map *m, struct arena *a, struct str key)
{
	uint64_t hash = hash64(key);
	uint32_t *slot;

	if (!has_slots(m->n_slot, m->n + 1))
		slots_grow(m, a, m->n_slot != 0 ? m->n_slot * 2 : 8);
	slot = slot_of(m, key, hash);
	if (*slot == 0) {
		if (m->n == m->cap)
			entries_grow(m, a, m->cap != 0 ? m->cap * 2 : 4);
		m->entry[m->n] = (struct map_entry){ key, hash, NULL };
		*slot = (uint32_t)++m->n;
	}
	return &m->entry[*slot - 1].value;
}

void *map_put(struct map *m, struct arena *a, struct str key, void *value)
{
	void **slot = map_slot(m, a, key), *before = *slot;

	*slot = value;
	return before;
}

bool map_add(struct map *m, struct arena *a, struct str key)
{
	size_t before = m->n;

	map_slot(m, a, key);
	return m->n != before;
}

static int entry_cmp(const void *x, const void *y, void *entries)
{
	const struct map_entry *e = entries;

	return str_cmp(e[*(const uint32_t *)x].key, e[*(const uint32_t *)y].key);
}

uint32_t *map_sorted(const struct map *m, struct arena *a)
{
	uint32_t *order = ARENA_ARRAY(a, uint32_t, m->n);

	for (size_t i = 0; i < m->n; i++)
		order[i] = (uint32_t)i;
	if (m->n > 1)
		qsort_r(order, m->n, sizeof *order, entry_cmp, m->entry);
	return order;
}
