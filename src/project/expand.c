#include "project/expand.h"

#include "base/arena.h"
#include "base/vec.h"

struct str references_replace(const struct map *value, struct arena *a, struct str s, reference_find *find)
{
	struct buf b = { 0 };
	struct str name, out = s;
	size_t from = 0, at, end;

	for (size_t i = 0; find(s, i, &at, &end, &name); i = end) {
		const struct str *v = map_get(value, name);

		if (v == NULL)
			continue;
		buf_add(&b, str_sub(s, from, at));
		buf_add(&b, *v);
		from = end;
	}
	if (from != 0) {
		buf_add(&b, str_skip(s, from));
		out = buf_take(&b, a);
	}
	buf_release(&b);
	return out;
}

struct definition {
	size_t waits;  /* for how many references to be expanded */
	struct { VEC_OF(size_t) } reader;
};

static void readers_note(const struct map *value, struct arena *a, struct definition *d, reference_find *find)
{
	for (size_t i = 0; i < value->n; i++) {
		const struct str *s = value->entry[i].value;
		struct str name;
		size_t at, end;

		for (size_t k = 0; find(*s, k, &at, &end, &name); k = end) {
			const struct map_entry *e = map_find(value, name);

			if (e == NULL)
				continue;
			d[i].waits++;
			*VEC_PUSH(&d[e - value->entry].reader, a) = i;
		}
	}
}

/* How long the text becomes, so that a bomb is seen before it goes off. */
static size_t length_after(const struct map *value, struct str s, reference_find *find)
{
	struct str name;
	size_t at, end, n = s.n;

	for (size_t i = 0; find(s, i, &at, &end, &name); i = end) {
		const struct str *v = map_get(value, name);

		n += v != NULL ? v->n : 0;
	}
	return n;
}

bool definitions_expand(struct map *value, struct arena *a, reference_find *find)
{
	struct definition *d = ARENA_ARRAY(a, struct definition, value->n);
	size_t *ready = ARENA_ARRAY(a, size_t, value->n), n = 0;

	readers_note(value, a, d, find);
	for (size_t i = 0; i < value->n; i++)
		if (d[i].waits == 0)
			ready[n++] = i;
	for (size_t k = 0; k < n; k++) {
		struct str *s = value->entry[ready[k]].value;

		if (length_after(value, *s, find) > EXPAND_MAX)
			return false;
		*s = references_replace(value, a, *s, find);
		for (size_t r = 0; r < d[ready[k]].reader.n; r++)
			if (--d[d[ready[k]].reader.p[r]].waits == 0)
				ready[n++] = d[ready[k]].reader.p[r];
	}
	return n == value->n;
}
