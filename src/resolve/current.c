#include "project/current.h"

#include "project/blueprint.h"
#include "project/discover.h"
#include "project/document.h"
#include "project/recall.h"
#include "resolve/preset.h"
#include "resolve/token.h"

#include <stdlib.h>

static struct hash128 source_hash(const struct sources *s, size_t index)
{
	return index < s->n ? s->p[index].hash : HASH_NONE;
}

/* What an instance makes now, from blueprints read anew: they are few, and only asked for when their flowgroups are. */
static struct hash128 instance_hash(struct project *p, struct arena *a, const struct door_yaml *y, size_t index)
{
	struct diags ignored = { .arena = a };
	struct blueprints all = { 0 };
	struct sources made = { 0 };
	struct instance in;
	struct expansion e = { .arena = a, .blueprints = &all, .diags = &ignored, .out = &made };

	if (instance_read(a, y, &ignored, &in) <= 0 || blueprints_read(p, NULL, a, &ignored, &all) < 0)
		return HASH_NONE;
	if (instance_check(&e, &in) == 0)
		instance_expand(&e, &in);
	return source_hash(&made, index);
}

static struct hash128 node_now(struct project *p, struct str key)
{
	struct arena a = { 0 };
	const struct sources *made;
	struct node_key k;
	const struct door_yaml *y;
	struct hash128 h = HASH_NONE;

	if (node_key_read(key, &k)) {
		y = door_yaml_quiet(p->door, k.file);
		if (str_starts(k.file, STR("templates/")))
			h = k.placed ? node_hash_placed(document_peek(y)) : node_hash(document_peek(y));
		else if ((made = file_reread(p, &a, y)) != NULL)
			h = made->n != 0 ? source_hash(made, k.index) : instance_hash(p, &a, y, k.index);
	}
	arena_release(&a);
	return h;
}

static struct hash128 key_now(struct project *p, struct str key)
{
	struct arena a = { 0 };
	struct hash128 h = HASH_NONE;

	if (str_starts(key, STR("preset/")))
		return chain_part_hash(p, key);
	if (str_starts(key, STR("lhp.yaml/"))) {
		bool names = str_starts(key, STR("lhp.yaml/*"));
		const struct node *n = node_path(p->root, str_cstr(&a, str_skip(key, sizeof "lhp.yaml/" - 1 + names)));

		h = names ? node_names_hash(n) : node_hash(n);
		arena_release(&a);
	}
	return h;
}

static struct hash128 env_now(struct project *p, struct str key)
{
	struct arena a = { 0 };
	struct hash128 h = door_getenv_hash(p->door, str_cstr(&a, key));

	arena_release(&a);
	return h;
}

static struct hash128 token_now(const struct env *env, struct str key)
{
	struct str of, name;

	token_key_cut(key, &of, &name);
	return str_eq(of, env->name) ? token_hash(env->tokens, name) : HASH_NONE;
}

struct hash128 include_tests_hash(const struct env *env)
{
	return env->include_tests ? hash_bytes(STR("1")) : HASH_NONE;
}

struct hash128 dep_now(struct project *p, const struct env *env, enum dep_kind kind, struct str key)
{
	switch (kind) {
	case DEP_FILE: return door_read(p->door, NULL, key, (struct mark){ 0 })->hash;
	case DEP_NODE: return node_now(p, key);
	case DEP_DIR: return door_list_hash(p->door, key);
	case DEP_TOKEN: return token_now(env, key);
	case DEP_KEY: return key_now(p, key);
	case DEP_ENV:
		return str_is(key, "--sandbox")         ? env->sandbox_hash
		       : str_is(key, "--include-tests") ? include_tests_hash(env)
		                                        : env_now(p, key);
	default: return HASH_NONE;
	}
}
