#include "cmd/dag_memory.h"

#include "base/pack.h"
#include "build/engine.h"

enum { VERSION = 1 };

static struct str file_of(struct str key)
{
	ptrdiff_t at = str_rfind_char(key, '#');
	return at >= 0 ? str_sub(key, 0, (size_t)at) : key;
}

/* --- what a unit was read from --- */

struct str dag_deps_pack(struct arena *a, const struct trace *t, const struct flowgroup_source *src,
                         bool tokens_from_file)
{
	struct map paths = { 0 }, variables = { 0 };
	struct buf b = { 0 };
	for (size_t i = 0; i < t->n; i++)
		if (dep_is_option(&t->p[i]))
			continue; /* dag always includes tests */
		else if (t->p[i].kind == DEP_ENV)
			map_put(&variables, a, t->p[i].key, (void *)&t->p[i]);
		else if (t->p[i].kind != DEP_TOKEN || tokens_from_file)
			map_add(&paths, a, dep_base(a, &t->p[i]));
	map_add(&paths, a, str_of(src->file)); /* of a blueprint: that one's, not the instance's */
	struct str own = file_of(src->key);
	pack_uint(&b, paths.n - (map_find(&paths, own) != NULL));
	for (size_t i = 0; i < paths.n; i++)
		if (!str_eq(paths.entry[i].key, own))
			pack_str(&b, paths.entry[i].key);
	pack_uint(&b, variables.n);
	for (size_t i = 0; i < variables.n; i++) {
		pack_str(&b, variables.entry[i].key);
		pack_hash(&b, ((const struct dep *)variables.entry[i].value)->hash);
	}
	struct str deps = buf_take(&b, a);
	buf_release(&b);
	return deps;
}

static bool deps_stand(const struct reading *r, struct door *door, struct arena *a, struct str deps)
{
	struct unpack u = unpack_of(deps);
	bool same = true;
	for (size_t n = unpack_count(&u, 1); n > 0 && same; n--)
		same = !reading_changed(r, unpack_str(&u));
	for (size_t n = same ? unpack_count(&u, 17) : 0; n > 0 && same; n--) {
		struct str name = unpack_str(&u);
		same = hash_eq(unpack_hash(&u), door_getenv_hash(door, str_cstr(a, name)));
	}
	return same && unpack_done(&u);
}

/* --- the record --- */

struct set {
	struct str deps;
	bool stands;
};

static void kept_unpack(struct dag_memory *m, struct unpack *u, const struct set *set, size_t n_set, struct dag_kept *out)
{
	size_t s = (size_t)unpack_uint(u);
	out->key = unpack_str(u);
	out->hash = unpack_hash(u);
	out->bytes = unpack_str(u);
	struct unpack own = unpack_of(out->bytes);
	dag_unit_unpack(&m->names, &own, &out->unit);
	if (s >= n_set || !unpack_done(&own)) {
		u->bad = true;
		return;
	}
	out->deps = set[s].deps;
	m->stands = m->stands && set[s].stands;
	out->stands = set[s].stands;
}

static void units_unpack(struct dag_memory *m, struct unpack *u, const struct reading *r, struct door *door)
{
	struct arena *a = m->names.arena;
	size_t n_set = unpack_count(u, 1);
	struct set *set = ARENA_ARRAY(a, struct set, n_set);
	for (size_t i = 0; i < n_set; i++) {
		set[i].deps = unpack_str(u);
		set[i].stands = deps_stand(r, door, a, set[i].deps);
	}
	m->n = unpack_count(u, 19);
	m->unit = ARENA_ARRAY(a, struct dag_kept, m->n);
	m->stands = reading_stands(r);
	for (size_t i = 0; i < m->n && !u->bad; i++)
		kept_unpack(m, u, set, n_set, &m->unit[i]);
}

void dag_memory_open(struct dag_memory *m, struct arena *a, const struct reading *r, struct door *door)
{
	*m = (struct dag_memory){ .names = { .arena = a }, .reading = r };
	struct str record = r != NULL ? reading_record(r) : STR_NONE;
	struct unpack u = unpack_of(record);
	if (record.p == NULL || unpack_uint(&u) != VERSION)
		return;
	m->notice = unpack_str(&u);
	units_unpack(m, &u, r, door);
	if (!unpack_done(&u))
		*m = (struct dag_memory){ .names = { .arena = a } };
	for (size_t i = 0; i < m->n && !m->stands; i++)
		if (m->unit[i].stands)
			map_put(&m->at, a, m->unit[i].key, &m->unit[i]);
}

const struct dag_kept *dag_memory_find(const struct dag_memory *m, const struct flowgroup_source *src)
{
	const struct dag_kept *k = map_get(&m->at, src->key);
	return k != NULL && hash_eq(k->hash, src->hash) && !reading_changed(m->reading, file_of(k->key)) ? k : NULL;
}

struct str dag_memory_pack(struct arena *a, struct str notice, const struct dag_kept *unit, size_t n)
{
	struct map sets = { 0 };
	struct buf b = { 0 };
	for (size_t i = 0; i < n; i++)
		map_add(&sets, a, unit[i].deps);
	for (size_t i = 0; i < sets.n; i++)
		sets.entry[i].value = (void *)(uintptr_t)i;
	pack_uint(&b, VERSION);
	pack_str(&b, notice);
	pack_uint(&b, sets.n);
	for (size_t i = 0; i < sets.n; i++)
		pack_str(&b, sets.entry[i].key);
	pack_uint(&b, n);
	for (size_t i = 0; i < n; i++) {
		pack_uint(&b, (uintptr_t)map_get(&sets, unit[i].deps));
		pack_str(&b, unit[i].key);
		pack_hash(&b, unit[i].hash);
		pack_str(&b, unit[i].bytes);
	}
	struct str record = buf_take(&b, a);
	buf_release(&b);
	return record;
}
