#include "cache/trace.h"

static const char *const kind_name[DEP_KINDS] = { "file", "node", "dir", "token", "key", "table", "env" };

const char *dep_kind_name(enum dep_kind kind)
{
	return kind < DEP_KINDS ? kind_name[kind] : "?";
}

enum { SHORT_ID = 256 };

/* Kind and key in one; a long one in the arena. */
static struct str dep_id(char stack[SHORT_ID], struct arena *a, enum dep_kind kind, struct str key)
{
	char *id = key.n < SHORT_ID ? stack : arena_alloc(a, key.n + 1);

	id[0] = (char)kind;
	if (key.n != 0)
		memcpy(id + 1, key.p, key.n);
	return (struct str){ id, key.n + 1 };
}

void trace_add(struct trace *t, enum dep_kind kind, struct str key, struct hash128 hash, struct mark at)
{
	char stack[SHORT_ID];
	struct str name = dep_id(stack, t->arena, kind, key);

	if (map_find(&t->seen, name) != NULL)
		return;
	name = str_dup(t->arena, name);
	map_add(&t->seen, t->arena, name);
	*VEC_PUSH(t, t->arena) = (struct dep){ kind, str_skip(name, 1), hash, at };
}

/* `seen` is in the order of the dependencies. */
bool trace_agrees(const struct trace *a, const struct trace *b)
{
	for (size_t i = 0; i < b->n; i++) {
		char stack[SHORT_ID];
		const struct map_entry *seen = map_find(&a->seen, dep_id(stack, a->arena, b->p[i].kind, b->p[i].key));

		if (seen != NULL && !hash_eq(a->p[seen - a->seen.entry].hash, b->p[i].hash))
			return false;
	}
	return true;
}

bool dep_is_option(const struct dep *d)
{
	return d->kind == DEP_ENV && str_starts(d->key, STR("--"));
}

void token_key_cut(struct str key, struct str *env, struct str *name)
{
	ptrdiff_t secret = str_find(key, STR("/secret:"), 0), at = secret >= 0 ? secret : str_rfind_char(key, '/');

	*env = str_sub(key, 0, at >= 0 ? (size_t)at : 0);
	*name = str_skip(key, (size_t)(at + 1));
}

void trace_merge(struct trace *to, const struct trace *from)
{
	for (size_t i = 0; i < from->n; i++)
		trace_add(to, from->p[i].kind, from->p[i].key, from->p[i].hash, from->p[i].at);
}
