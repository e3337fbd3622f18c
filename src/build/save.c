/* save.c - one environment's part of the store after a run: units, transcript, tokens. */
#include "base/pack.h"
#include "base/path.h"
#include "base/pool.h"
#include "build/steps.h"
#include "resolve/conceal.h"
#include "resolve/token.h"


/* Does this run leave every unit of the project good for the next generation? */
static bool stands_whole(const struct view *v, const struct env_run *e)
{
	const struct run_options *o = e->run->o;

	return v->was_looked_at && !v->en->raced && o->pipeline.p == NULL && !o->sandbox;
}

/*
 * Nothing but the generation would be new, and 'V' has that, when the run is of the whole project. One of a pipeline that is not
 * selected may stay behind: what has changed since is looked at again.
 */
static bool pipeline_is_saved(struct view *v, struct env_run *e, const struct pipeline_run *p)
{
	const struct old_pipeline *old = map_get(&v->old, p->name);
	bool same = old != NULL && old->kept.n == p->n_unit && old->kept.generation != 0;

	for (size_t i = 0; i < p->n_unit; i++)
		same = same && e->unit[p->unit[i]].reused;
	return same && (!p->selected || stands_whole(v, e) || (old->since == v->en->generation && !v->en->any_content));
}

/*
 * Units that were only looked at, not selected, are kept for the next look; unless more is kept of one of them that changed or is
 * gone: that tells why, and stands if the edit is taken back. Those outside of a sandbox were not even looked at.
 */
static bool pipeline_is_left(const struct view *v, const struct env_run *e, const struct pipeline_run *p)
{
	const struct old_pipeline *old = map_get(&v->old, p->name);
	size_t more = 0;

	if (p->selected)
		return false;
	for (size_t i = 0; old != NULL && i < old->kept.n; i++)
		more += old->kept.unit[i].depth > WORK_FACTS;
	for (size_t i = 0; i < p->n_unit; i++) {
		const struct unit_run *u = &e->unit[p->unit[i]];

		if (u->left_out)
			return true;
		more -= u->reused && u->kept->depth > WORK_FACTS;
	}
	return more != 0;
}

/* Units are laid over others while they are fewer than one in so many. */
enum { OVERLAY_PART = 16 };

/* The pipelines' records are packed by several threads. */
struct saving {
	struct view *v;
	struct env_run *e;
};

/* Puts the pipeline's records; what was laid over others before goes. */
static void pipeline_put(const struct view *v, struct arena *scratch, struct str pipeline, struct str index, struct str body)
{
	struct str name = pipeline_record_name(v, scratch, pipeline);

	store_put(v->en->store, 'P', v->group, name, index);
	store_put(v->en->store, 'U', v->group, name, body);
	if (!store_is_new(v->en->store))
		store_drop(v->en->store, 'N', v->group, name);
}

static struct kept_source unit_source(const struct unit_run *u)
{
	return u->reused ? (struct kept_source){ .kept = &u->old->kept, .unit = u->kept } :
	                   (struct kept_source){ .record = &u->record, .depth = u->depth };
}

static uint64_t generation_made(const struct view *v)
{
	return v->en->raced ? 0 : v->en->generation + 1;
}

static void whole_save(struct saving *s, const struct pipeline_run *p, struct arena *scratch, const struct kept_source *unit, size_t n)
{
	struct buf index = { 0 }, body = { 0 };

	kept_pack(&index, &body, generation_made(s->v), unit, n);
	pipeline_put(s->v, scratch, p->name, buf_str(&index), buf_str(&body));
	buf_release(&index);
	buf_release(&body);
}

static void overlay_save(struct saving *s, const struct pipeline_run *p, struct arena *scratch, const struct kept_source *unit, size_t n)
{
	const struct kept *rest = p->rest;
	struct buf b = { 0 };

	kept_overlay_pack(&b, rest->over.n != 0 ? rest->over.base : rest->generation, generation_made(s->v), unit, n);
	store_put(s->v->en->store, 'N', s->v->group, pipeline_record_name(s->v, scratch, p->name), buf_str(&b));
	buf_release(&b);
}

/* Of all units those that were redone, and those that were laid over others before. */
static size_t overlay_take(const struct kept *rest, const struct kept_source *unit, struct kept_source *out)
{
	size_t n = 0, before = 0;

	for (size_t i = 0; i < rest->n; i++) {
		bool was_over = before < rest->over.n && rest->over.unit[before] == i;

		before += was_over;
		if (was_over || unit[i].record != NULL)
			out[n++] = unit[i];
	}
	return n;
}

/* All that was kept, but for what was redone: that alone, as long as it is little. */
static void rest_save(struct saving *s, const struct pipeline_run *p, struct arena *scratch)
{
	const struct kept *rest = p->rest;
	struct kept_source *unit = ARENA_ARRAY(scratch, struct kept_source, rest->n);
	struct kept_source *over = ARENA_ARRAY(scratch, struct kept_source, rest->n);
	size_t n;

	for (size_t i = 0; i < rest->n; i++)
		unit[i] = (struct kept_source){ .kept = rest, .unit = &rest->unit[i] };
	for (size_t i = 0; i < p->n_unit; i++) {
		const struct unit_run *u = &s->e->unit[p->unit[i]];

		unit[u->kept - rest->unit] = unit_source(u);
	}
	n = overlay_take(rest, unit, over);
	if (n * OVERLAY_PART <= rest->n)
		overlay_save(s, p, scratch, over, n);
	else
		whole_save(s, p, scratch, unit, rest->n);
}

static void pipeline_save(struct saving *s, const struct pipeline_run *p, struct arena *scratch)
{
	struct kept_source *unit;

	if (p->rest != NULL) {
		rest_save(s, p, scratch);
		return;
	}
	unit = ARENA_ARRAY(scratch, struct kept_source, p->n_unit);
	for (size_t i = 0; i < p->n_unit; i++)
		unit[i] = unit_source(&s->e->unit[p->unit[i]]);
	whole_save(s, p, scratch, unit, p->n_unit);
}

static void saving_job(void *ctx, size_t item, size_t worker)
{
	struct saving *s = ctx;
	const struct pipeline_run *p = &s->e->pipeline[item];

	if (!pipeline_is_left(s->v, s->e, p) && !pipeline_is_saved(s->v, s->e, p))
		pipeline_save(s, p, &s->e->memory[worker].scratch);
	arena_reset(&s->e->memory[worker].scratch);
}

static void pipelines_save(struct view *v, struct env_run *e)
{
	struct saving s = { .v = v, .e = e };

	pool_run(e->run->workers, e->n_pipeline, saving_job, &s);
}

static void standing_save(struct view *v, struct env_run *e)
{
	struct buf b = { 0 };

	if (!stands_whole(v, e))
		return;
	pack_uint(&b, v->en->generation + 1);
	pack_uint(&b, e->patched ? v->standing.pipeline.n : e->n_pipeline);
	for (size_t i = 0; e->patched && i < v->standing.pipeline.n; i++)
		pack_str(&b, v->standing.pipeline.entry[i].key);
	for (size_t i = 0; !e->patched && i < e->n_pipeline; i++)
		pack_str(&b, e->pipeline[i].name);
	store_put(v->en->store, 'V', view_group(v->options), v->options, buf_str(&b));
	buf_release(&b);
}

static void variables_add(struct map *seen, struct arena *a, struct buf *b, const struct trace *t)
{
	for (size_t i = 0; i < t->n; i++) {
		/* Options are in the transcript's name; what a sandbox renames is a function of files, whose changes show by themselves. */
		if (t->p[i].kind != DEP_ENV || dep_is_option(&t->p[i]) || !map_add(seen, a, t->p[i].key))
			continue;
		pack_str(b, t->p[i].key);
		pack_hash(b, t->p[i].hash);
	}
}

/* Those that an earlier run of the task read, and that this one did not look for again. */
static void variables_keep(struct map *seen, struct arena *a, struct buf *b, struct str bytes)
{
	struct unpack u = unpack_of(bytes);

	while (u.p < u.end && !u.bad) {
		struct str key = unpack_str(&u);
		struct hash128 hash = unpack_hash(&u);

		if (!map_add(seen, a, key))
			continue;
		pack_str(b, key);
		pack_hash(b, hash);
	}
}

/* Discovery reads flowgroup files; what it takes from them is remembered with them. */
static bool is_flowgroup_file(struct view *v, const struct dep *d)
{
	const struct recalled *known = d->kind == DEP_FILE ? source_memory_find(&v->en->sources, d->key) : NULL;

	return known != NULL && !known->instance;
}

/* What the run as a whole depended on. */
static void rest_pack(struct view *v, struct buf *b, const struct trace *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct dep *d = &t->p[i];

		if (d->kind == DEP_ENV || is_flowgroup_file(v, d))
			continue;
		pack_uint(b, d->kind);
		pack_str(b, d->key);
		pack_hash(b, d->hash);
	}
}

static void transcript_put(struct view *v, struct str variables, struct str rest, struct str said)
{
	struct buf b = { 0 };

	pack_uint(&b, v->en->generation + 1);
	pack_hash(&b, v->en->formatter);
	places_pack(&b, v->place);
	pack_str(&b, variables);
	pack_str(&b, rest);
	buf_add(&b, said);
	store_put(v->en->store, 'T', v->group, view_transcript_name(v), buf_str(&b));
	buf_release(&b);
}

static void transcript_save(struct view *v, struct env_run *e)
{
	struct run *r = e->run;
	struct map seen = { 0 };
	struct buf variables = { 0 }, rest = { 0 }, said = { 0 };

	for (size_t i = 0; i < e->n_unit; i++)
		variables_add(&seen, v->en->arena, &variables, &e->unit[i].record.trace);
	if (e->patched) {
		variables_keep(&seen, v->en->arena, &variables, v->variables);
		buf_add(&rest, v->rest);
		buf_add(&said, v->transcript);
	} else {
		variables_add(&seen, v->en->arena, &variables, &r->trace);
		rest_pack(v, &rest, &r->trace);
		transcript_pack(&said, &r->before, &e->transcript, e->result);
	}
	transcript_put(v, buf_str(&variables), buf_str(&rest), buf_str(&said));
	buf_release(&variables);
	buf_release(&rest);
	buf_release(&said);
}

/* Traces hold hashes only; `lhp why` wants to say what a token was. */
static void tokens_save(struct view *v, struct env_run *e)
{
	const struct node **value;
	struct str *name;
	size_t n = e->env.tokens != NULL ? tokens_list(e->env.tokens, v->en->arena, &name, &value) : 0;
	struct secret_values secrets = { 0 };
	struct buf b = { 0 };

	secret_tokens(&secrets, v->en->arena, e->env.tokens);
	pack_uint(&b, n);
	for (size_t i = 0; i < n; i++) {
		pack_str(&b, name[i]);
		pack_hash(&b, token_hash(e->env.tokens, name[i]));
		pack_str(&b, token_shown(&secrets, name[i], value[i]));
	}
	if (n != 0 && !str_eq(store_get(v->en->store, v->en->arena, 'K', 0, e->env.name), buf_str(&b)))
		store_put(v->en->store, 'K', 0, e->env.name, buf_str(&b));
	buf_release(&b);
}

void view_save(struct view *v, struct env_run *e)
{
	int64_t published;

	if (v->en->store == NULL || e->replayed)
		return;
	published = e->published ? outputs_clock(e->run->fs) : 0;
	tokens_save(v, e);
	if (v->was_looked_at)
		pipelines_save(v, e);
	standing_save(v, e);
	if (e->published)
		outputs_note(e, published);
	places_save(v->place, v->en);
	if (e->keeps && !v->en->raced)
		transcript_save(v, e);
}
