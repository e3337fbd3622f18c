#include "cache/trace.h"

static const char *const kind_name[DEP_KINDS] = { "file", "node", "dir", "token", "key", "table", "env" };

const char *dep_kind_name(enum dep_kind kind)
{
	return kind < DEP_KINDS ? kind_name[kind] : "?";
}

void trace_add(struct trace *t, enum dep_kind kind, struct str key, struct hash128 hash, struct mark at)
{
	char stack[256], *id = key.n < sizeof stack ? stack : arena_alloc(t->arena, key.n + 1);
	struct str name = { id, key.n + 1 };

	id[0] = (char)kind;
	if (key.n != 0)
		memcpy(id + 1, key.p, key.n);
	if (map_find(&t->seen, name) != NULL)
		return;
	name = str_dup(t->arena, name);
	map_add(&t->seen, t->arena, name);
	*VEC_PUSH(t, t->arena) = (struct dep){ kind, str_skip(name, 1), hash, at };
}

bool dep_is_option(const struct dep *d)
{
	return d->kind == DEP_ENV && str_starts(d->key, STR("--"));
}

void trace_merge(struct trace *to, const struct trace *from)
{
	for (size_t i = 0; i < from->n; i++)
		trace_add(to, from->p[i].kind, from->p[i].key, from->p[i].hash, from->p[i].at);
}
