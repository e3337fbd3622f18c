/* view.c - one environment's part of the store: transcripts, outputs, and which units can be reused. */
#include "base/pack.h"
#include "build/steps.h"

#include <stdlib.h>

static const char *const task_name[] = { "validate", "generate", "diff" };

struct str view_transcript_name(const struct view *v)
{
	const struct run_options *o = v->en->run->o;

	return str_fmt(v->en->arena, "%.*s\n%s\n%s%.*s", STR_ARG(v->options), task_name[o->task],
	               o->pipeline.p != NULL ? "-p " : "", STR_ARG(o->pipeline));
}

uint32_t view_group(struct str name)
{
	struct hash128 h = hash_bytes(name);
	uint32_t group;

	memcpy(&group, h.b, sizeof group);
	return group | 1; /* 0 is what all views share */
}

void view_open(struct view *v, struct engine *en, struct str env, bool last)
{
	const struct run_options *o = en->run->o;

	*v = (struct view){ .en = en, .oldest = UINT64_MAX };
	v->name = str_fmt(en->arena, "env=%.*s sandbox=%d", STR_ARG(env), o->sandbox);
	v->group = view_group(v->name);
	v->options = str_fmt(en->arena, "%.*s tests=%d bundle=%d format=%d config=%.*s output=%.*s", STR_ARG(v->name), o->include_tests,
	                     !o->no_bundle, !o->no_format, STR_ARG(o->pipeline_config), STR_ARG(output_folder(en->run, env)));
	places_open(v->place, en, env, last);
	if (en->store != NULL)
		standing_read(&v->standing, en->store, en->arena, v->options);
}

void view_look(struct view *v)
{
	double started = now_seconds();
	size_t seen;

	if (v->en->store == NULL || v->places_seen)
		return;
	v->places_seen = true;
	seen = places_look(v->place, v->en);
	stat_add(v->en->run, "outputs", seen, started);
}

/* --- replay --- */

/* What door_getenv would record now. */
static struct hash128 variable_now(struct arena *a, struct str name)
{
	const char *value = getenv(str_cstr(a, name));

	return value != NULL ? hash_bytes(str_of(value)) : HASH_NONE;
}

static bool env_deps_same(struct view *v, struct str bytes)
{
	struct unpack u = unpack_of(bytes);
	bool same = true;

	while (u.p < u.end && !u.bad) {
		struct str key = unpack_str(&u);
		struct hash128 was = unpack_hash(&u);

		same = same && hash_eq(was, variable_now(v->en->arena, key));
	}
	return same && !u.bad;
}

bool view_transcript_read(struct view *v)
{
	struct engine *en = v->en;
	struct str bytes = en->store != NULL ? store_get(en->store, en->arena, 'T', v->group, view_transcript_name(v)) : STR_NONE;
	struct unpack u = unpack_of(bytes);

	if (bytes.p == NULL || unpack_uint(&u) < en->last_change || !hash_eq(unpack_hash(&u), en->formatter) || !places_are_as(v->place, &u))
		return false;
	v->variables = unpack_str(&u);
	v->rest = unpack_str(&u);
	v->transcript = (struct str){ u.p, (size_t)(u.end - u.p) };
	return !u.bad && env_deps_same(v, v->variables);
}

bool view_is_current(struct view *v)
{
	return !v->en->any_content && places_are_left(v->place, v->en->run->o->pipeline) && view_transcript_read(v);
}

int view_replay(struct view *v, struct str env, bool with_before, struct run_result *result)
{
	struct run *r = v->en->run;
	struct run_result said = *result;
	struct unpack u = unpack_of(str_dup(r->arena, v->transcript));

	if (transcript_replay(r->arena, &u, env, with_before, r->o->task == RUN_GENERATE, r->l, &said) != 0)
		return -1;
	*result = said;
	result->up_to_date = said.status == 0;
	return 0;
}
