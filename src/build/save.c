/* save.c - one environment's part of the store after a run: units, outputs, transcript, tokens. */
#include "base/pack.h"
#include "base/path.h"
#include "build/steps.h"
#include "resolve/conceal.h"
#include "resolve/token.h"

#include <time.h>

/* Does this run leave every unit of the project good for the next generation? */
static bool stands_whole(const struct view *v, const struct env_run *e)
{
	const struct run_options *o = e->run->o;

	return v->was_looked_at && !v->en->raced && o->pipeline.p == NULL && !o->sandbox;
}

/* Nothing but the generation would be new, and 'V' has that, when the run is of the whole project. */
static bool pipeline_is_saved(struct view *v, struct env_run *e, const struct pipeline_run *p)
{
	const struct old_pipeline *old = map_get(&v->old, p->name);
	bool same = old != NULL && old->kept.n == p->n_unit && old->kept.generation != 0;

	for (size_t i = 0; i < p->n_unit; i++)
		same = same && e->unit[p->unit[i]].reused;
	return same && (stands_whole(v, e) || (old->since == v->en->generation && !v->en->any_content));
}

static void pipeline_save(struct view *v, struct env_run *e, const struct pipeline_run *p)
{
	struct kept_source *unit = ARENA_ARRAY(v->en->arena, struct kept_source, p->n_unit);
	struct str name = pipeline_record_name(v, p->name);
	struct buf index = { 0 }, body = { 0 };

	if (pipeline_is_saved(v, e, p))
		return;
	for (size_t i = 0; i < p->n_unit; i++) {
		const struct unit_run *u = &e->unit[p->unit[i]];

		if (u->reused)
			unit[i] = (struct kept_source){ .kept = &u->old->kept, .unit = u->kept };
		else
			unit[i] = (struct kept_source){ .record = &u->record, .depth = u->depth };
	}
	kept_pack(&index, &body, v->en->raced ? 0 : v->en->generation + 1, unit, p->n_unit);
	store_put(v->en->store, 'P', v->group, name, buf_str(&index));
	store_put(v->en->store, 'U', v->group, name, buf_str(&body));
	buf_release(&index);
	buf_release(&body);
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

enum { SETTLE_FROM = 64, SETTLE_TRIES = 20 };

/* Waits, after many writes, until the clock has moved on: then none of them must be hashed next time. */
static int64_t outputs_stamp(struct fs *fs, size_t written)
{
	int64_t first = fs_now(fs, STR(".lhp/cache")), now = first;

	for (int i = 0; written >= SETTLE_FROM && i < SETTLE_TRIES && now == first; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
		now = fs_now(fs, STR(".lhp/cache"));
	}
	return now;
}

/* A folder of outputs as the run left it; that it is not there, too: what somebody puts into it must show. */
static void folder_note(struct view *v, struct map *seen, struct str dir, int64_t stamp)
{
	struct arena *a = v->en->arena;
	struct leaf leaf = { .path = dir, .is_dir = true };
	struct fs_listing l;

	if (dir.n == 0 || !place_of(v->place, dir)->filled || !map_add(seen, a, dir))
		return;
	leaf.absent = fs_stat(v->en->run->fs, dir, &leaf.st) != 0;
	if (leaf.absent)
		leaf.tag = fs_listing_hash(&(struct fs_listing){ 0 });
	else if (fs_list(v->en->run->fs, dir, a, &l) == 0)
		leaf.hash = leaf.tag = fs_listing_hash(&l);
	else
		return;
	leaf.settled = !leaf.absent && stat_is_settled(&leaf.st, stamp);
	leaves_note(&place_of(v->place, dir)->out, &leaf);
}

/* Was this folder swept? A run of one pipeline sweeps that one's folder only: others stay as suspect as they were. */
static bool is_swept(struct env_run *e, struct str dir)
{
	struct str pipeline = e->run->o->pipeline;

	return pipeline.p == NULL || path_is_below(dir, str_cat_sep(&e->run->own, output_dir(e), '/', pipeline));
}

/* A file that the sweep took away, and the folders that went with it. */
static void removed_forget(struct view *v, struct str path)
{
	leaves_forget(&place_of(v->place, path)->out, path, false);
	for (path = path_parent(path); path.n != 0 && !fs_is_dir(v->en->run->fs, path); path = path_parent(path))
		leaves_forget(&place_of(v->place, path)->out, path, true);
}

static void output_note(struct view *v, const struct output *out, int64_t stamp)
{
	struct leaf leaf = { .path = out->path, .hash = out->hash, .tag = out->tag };

	if (!out->right || fs_lstat(v->en->run->fs, leaf.path, &leaf.st) != 0)
		return;
	if (hash_is_none(leaf.tag)) /* made in each run, from what the run knows */
		leaf.tag = leaf.hash;
	leaf.settled = stat_is_settled(&leaf.st, stamp);
	leaves_note(&place_of(v->place, leaf.path)->out, &leaf);
}

/* Deleted by hand, and not made any more. `seen`: folders that are. */
static void gone_forget(struct place *p, const struct map *seen, const struct outputs *made)
{
	for (size_t i = 0; i < p->changed.n; i++) {
		const struct leaf *gone = &p->changed.p[i].leaf;
		bool stays = gone->is_dir ? map_find(seen, gone->path) != NULL : outputs_find(made, gone->path) != NULL;

		if (p->changed.p[i].content && !stays)
			leaves_forget(&p->out, gone->path, gone->is_dir);
	}
}

/* Notes what was written and what was found right, and the folders they stand in: a file put there by hand must show. */
static void outputs_note(struct view *v, struct env_run *e)
{
	int64_t stamp = outputs_stamp(v->en->run->fs, e->result->written);
	struct str top = output_dir(e);
	struct map seen = { 0 };

	for (size_t i = 0; i < e->removed.n; i++)
		removed_forget(v, e->removed.p[i]);
	for (size_t i = 0; i < e->out.n; i++) {
		const struct output *out = &e->out.p[i];
		struct str dir = path_parent(out->path);

		if (!place_of(v->place, out->path)->filled)
			continue;
		for (; dir.n > top.n && path_is_below(dir, top) && is_swept(e, dir); dir = path_parent(dir))
			folder_note(v, &seen, dir, stamp);
		if (path_is_below(dir, STR("resources/lhp")) && is_swept(e, dir))
			folder_note(v, &seen, dir, stamp);
		output_note(v, out, stamp);
	}
	if (is_swept(e, top))
		folder_note(v, &seen, top, stamp);
	folder_note(v, &seen, v->place[PLACE_MONITORING].dir, stamp); /* swept with monitoring on or off */
	folder_note(v, &seen, v->place[PLACE_JOBS].dir, stamp);
	for (size_t i = 0; i < e->n_pipeline; i++) /* those without files too */
		if (e->pipeline[i].selected)
			folder_note(v, &seen, path_join(v->en->arena, top, e->pipeline[i].name), stamp);
	for (size_t i = 0; i < PLACES && v->en->run->o->pipeline.p == NULL; i++)
		gone_forget(&v->place[i], &seen, &e->out);
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
	if (n != 0 && !str_eq(store_get(v->en->store, 'K', 0, e->env.name), buf_str(&b)))
		store_put(v->en->store, 'K', 0, e->env.name, buf_str(&b));
	buf_release(&b);
}

void view_save(struct view *v, struct env_run *e)
{
	if (v->en->store == NULL || e->replayed)
		return;
	tokens_save(v, e);
	for (size_t i = 0; v->was_looked_at && i < e->n_pipeline; i++)
		if (e->pipeline[i].selected)
			pipeline_save(v, e, &e->pipeline[i]);
	standing_save(v, e);
	if (e->published)
		outputs_note(v, e);
	places_save(v->place, v->en);
	if (e->keeps && !v->en->raced)
		transcript_save(v, e);
}
