/* view.c - one environment's part of the store: transcripts, outputs, and which units can be reused. */
#include "base/pack.h"
#include "base/path.h"
#include "build/run_internal.h"
#include "project/current.h"
#include "resolve/token.h"

#include <stdlib.h>
#include <time.h>

static const char *const task_name[] = { "validate", "generate", "diff" };

static struct str transcript_name(const struct view *v)
{
	const struct run_options *o = v->en->run->o;

	return str_fmt(v->en->arena, "%.*s\n%s\n%.*s", STR_ARG(v->name), task_name[o->task], STR_ARG(o->pipeline));
}

uint32_t view_group(struct str name)
{
	struct hash128 h = hash_bytes(name);
	uint32_t group;

	memcpy(&group, h.b, sizeof group);
	return group | 1; /* 0 is what all views share */
}

void view_open(struct view *v, struct engine *en, struct str env)
{
	const struct run_options *o = en->run->o;

	*v = (struct view){ .en = en };
	v->name = str_fmt(en->arena, "env=%.*s tests=%d bundle=%d format=%d sandbox=%d config=%.*s output=%.*s", STR_ARG(env),
	                  o->include_tests, !o->no_bundle, !o->no_format, o->sandbox, STR_ARG(o->pipeline_config),
	                  STR_ARG(output_folder(en->run, env)));
	v->group = view_group(v->name);
	if (en->store == NULL)
		return;
	leaves_init(&v->out, en->store, en->run->fs, en->arena, 'O', v->group);
	if (en->run->o->task == RUN_VALIDATE)
		return;
	if (leaves_scan(&v->out, en->stamp, en->run->verify, en->run->workers, &v->out_changed) != 0)
		v->outputs_changed = true;
	for (size_t i = 0; i < v->out_changed.n; i++)
		v->outputs_changed = v->outputs_changed || v->out_changed.p[i].content;
}

/* --- replay --- */

/* What door_getenv would record now. */
static struct hash128 variable_now(struct arena *a, struct str name)
{
	const char *value = getenv(str_cstr(a, name));

	return value != NULL ? hash_bytes(str_of(value)) : HASH_NONE;
}

static bool env_deps_same(struct view *v, struct unpack *u)
{
	size_t n = unpack_count(u, 17);
	bool same = true;

	for (size_t i = 0; i < n && !u->bad; i++) {
		struct str key = unpack_str(u);
		struct hash128 was = unpack_hash(u);

		same = same && hash_eq(was, variable_now(v->en->arena, key));
	}
	return same && !u->bad;
}

bool view_is_current(struct view *v)
{
	struct engine *en = v->en;
	struct str bytes;
	struct unpack u;

	if (en->store == NULL || en->any_content || v->outputs_changed)
		return false;
	bytes = store_get(en->store, 'T', v->group, transcript_name(v));
	u = unpack_of(bytes);
	if (bytes.p == NULL || unpack_uint(&u) < en->last_change || !hash_eq(unpack_hash(&u), en->formatter) ||
	    !env_deps_same(v, &u))
		return false;
	v->transcript = (struct str){ u.p, (size_t)(u.end - u.p) };
	return true;
}

int view_replay(struct view *v, bool with_before, struct run_result *result)
{
	struct run *r = v->en->run;
	struct run_result said = *result;
	struct unpack u = unpack_of(str_dup(r->arena, v->transcript));

	if (transcript_replay(r->arena, &u, with_before, r->o->task == RUN_GENERATE, r->l, &said) != 0)
		return -1;
	*result = said;
	result->up_to_date = said.status == 0;
	return 0;
}

/* --- reuse --- */

static struct str unit_key(struct arena *a, struct str pipeline, struct str flowgroup)
{
	return str_fmt(a, "%.*s\n%.*s", STR_ARG(pipeline), STR_ARG(flowgroup));
}

static struct str pipeline_key(const struct view *v, struct str pipeline)
{
	return str_fmt(v->en->arena, "%.*s\n%.*s", STR_ARG(v->name), STR_ARG(pipeline));
}

static void old_read(struct view *v, struct str pipeline)
{
	struct arena *a = v->en->arena;
	struct str bytes = store_get(v->en->store, 'P', v->group, pipeline_key(v, pipeline));
	struct unpack u = unpack_of(str_dup(a, bytes));
	uint64_t generation = unpack_uint(&u);
	size_t n = unpack_count(&u, 2);

	if (bytes.p == NULL)
		return;
	for (size_t i = 0; i < n && !u.bad; i++) {
		struct old_unit *old = ARENA_NEW(a, struct old_unit);

		old->depth = (enum work_depth)unpack_uint(&u);
		old->bytes = unpack_str(&u);
		if (u.bad || record_unpack(a, old->bytes, &old->record) != 0)
			continue;
		map_put(&v->old, a, unit_key(a, pipeline, old->record.flowgroup), old);
	}
	if (generation < v->oldest)
		v->oldest = generation;
}

/* What changed since the oldest of the records was good. */
struct changed_set {
	struct map path;      /* path -> itself */
	bool presets, blueprints;
	struct arena *arena;
};

static void changed_add(void *ctx, const struct leaf *leaf)
{
	struct changed_set *c = ctx;
	struct str path = str_dup(c->arena, leaf->path);

	map_put(&c->path, c->arena, path, c);
	c->presets = c->presets || path_is_below(path, STR("presets"));
}

static struct str before_hash_sign(struct str key)
{
	ptrdiff_t at = str_rfind_char(key, '#');

	return at >= 0 ? str_sub(key, 0, (size_t)at) : key;
}

struct str dep_base(struct arena *a, const struct dep *d)
{
	ptrdiff_t slash = str_find_char(d->key, '/', 0);

	switch (d->kind) {
	case DEP_NODE: return before_hash_sign(d->key);
	case DEP_TOKEN: return str_fmt(a, "substitutions/%.*s.yaml", (int)(slash < 0 ? 0 : slash), d->key.p);
	case DEP_KEY: return str_starts(d->key, STR("preset/")) ? STR("") : str_sub(d->key, 0, (size_t)(slash < 0 ? 0 : slash));
	default: return d->key;
	}
}

enum unit_state { UNIT_CLEAN, UNIT_MOVED, UNIT_DIRTY };

struct reuse {
	struct view *view;
	struct env_run *env;
	struct changed_set changed;
};

static struct hash128 dep_current(struct reuse *re, const struct flowgroup_source *src, const struct dep *d)
{
	if (d->kind == DEP_NODE && str_eq(d->key, src->key))
		return src->hash;
	return dep_now(&re->env->run->project, &re->env->env, d->kind, d->key);
}

/* Does one dependency still hold? A thing that only moved (same value, other lines) matters where lines are shown. */
static enum unit_state dep_state(struct reuse *re, const struct flowgroup_source *src, const struct dep *d, bool shows_lines)
{
	struct str base;
	bool touched;

	if (d->kind == DEP_ENV)
		return hash_eq(d->hash, dep_current(re, src, d)) ? UNIT_CLEAN : UNIT_DIRTY;
	base = dep_base(re->view->en->arena, d);
	touched = base.n == 0 ? re->changed.presets : map_find(&re->changed.path, base) != NULL;
	if (d->kind == DEP_NODE && str_eq(d->key, src->key) && !hash_eq(d->hash, src->hash))
		return UNIT_DIRTY;
	if (!touched)
		return UNIT_CLEAN;
	if (!hash_eq(d->hash, dep_current(re, src, d)))
		return UNIT_DIRTY;
	return d->kind == DEP_NODE || shows_lines ? UNIT_MOVED : UNIT_CLEAN;
}

/* How this output is other than we left it, or NULL. */
static const struct leaf_change *output_change(const struct view *v, struct str path)
{
	for (size_t i = 0; i < v->out_changed.n; i++)
		if (v->out_changed.p[i].content && !v->out_changed.p[i].leaf.is_dir && str_eq(v->out_changed.p[i].leaf.path, path))
			return &v->out_changed.p[i];
	return NULL;
}

bool view_output_is_edited(const struct view *v, struct str path)
{
	const struct leaf_change *c = output_change(v, path);

	return c != NULL && !c->leaf.absent;
}

struct hash128 view_output_hash(struct view *v, struct str path, struct hash128 tag)
{
	const struct leaf *leaf = v->en->store != NULL ? leaves_find(&v->out, path, false) : NULL;

	if (leaf == NULL || leaf->absent || !hash_eq(leaf->tag, tag) || output_change(v, path) != NULL)
		return HASH_NONE;
	return leaf->hash;
}

static bool outputs_stand(struct env_run *e, const struct record *rec)
{
	for (size_t i = 0; i < rec->n_out; i++) {
		struct str path = path_join(e->view.en->arena, output_dir(e), rec->out[i].path);

		if (hash_is_none(view_output_hash(&e->view, path, output_tag(e, rec->out[i].raw_hash))))
			return false;
	}
	return true;
}

static enum unit_state unit_state(struct reuse *re, const struct unit_run *u, const struct old_unit *old, enum work_depth depth)
{
	enum unit_state worst = UNIT_CLEAN;
	bool shows_lines = old->record.diags.n != 0;

	if (old->depth < depth || !str_eq(str_of(old->record.file), str_of(u->src->file)))
		return UNIT_DIRTY;
	if (depth == WORK_EMIT && !outputs_stand(re->env, &old->record))
		return UNIT_DIRTY;
	for (size_t i = 0; i < old->record.trace.n && worst != UNIT_DIRTY; i++) {
		enum unit_state s = dep_state(re, u->src, &old->record.trace.p[i], shows_lines);

		worst = s > worst ? s : worst;
	}
	return worst;
}

void view_reuse(struct view *v, struct env_run *e, enum work_depth depth)
{
	struct engine *en = v->en;
	struct reuse re = { .view = v, .env = e, .changed = { .arena = en->arena } };

	if (en->store == NULL || store_is_new(en->store))
		return;
	v->oldest = UINT64_MAX;
	for (size_t i = 0; i < e->n_pipeline; i++)
		old_read(v, e->pipeline[i].name);
	if (v->old.n == 0)
		return;
	for (size_t i = 0; i < en->changed.n; i++)
		if (en->changed.p[i].content)
			changed_add(&re.changed, &en->changed.p[i].leaf);
	if (v->oldest < en->generation)
		leaves_changed_since(&en->in, v->oldest, changed_add, &re.changed);
	for (size_t i = 0; i < e->n_unit; i++) {
		struct unit_run *u = &e->unit[i];
		const struct old_unit *old = map_get(&v->old, unit_key(en->arena, u->pipeline, u->name));
		enum unit_state s = old != NULL ? unit_state(&re, u, old, u->selected ? depth : WORK_FACTS) : UNIT_DIRTY;

		u->moved = s == UNIT_MOVED;
		u->reused = s == UNIT_CLEAN;
		if (u->reused) {
			u->bytes = old->bytes;
			u->record = old->record;
			u->depth = old->depth;
			if (depth < WORK_EMIT)
				record_without_emission(&u->record);
		}
	}
}

/* --- save --- */

static void pipeline_save(struct view *v, struct env_run *e, const struct pipeline_run *p)
{
	struct buf b = { 0 };
	bool same = true;

	for (size_t i = 0; i < p->n_unit; i++)
		same = same && e->unit[p->unit[i]].reused;
	if (same && v->oldest == v->en->generation && !v->en->any_content)
		return;
	pack_uint(&b, v->en->raced ? 0 : v->en->generation + 1);
	pack_uint(&b, p->n_unit);
	for (size_t i = 0; i < p->n_unit; i++) {
		const struct unit_run *u = &e->unit[p->unit[i]];

		pack_uint(&b, u->depth);
		pack_str(&b, u->bytes);
	}
	store_put(v->en->store, 'P', v->group, pipeline_key(v, p->name), buf_str(&b));
	buf_release(&b);
}

static void env_deps_add(struct map *seen, struct arena *a, struct buf *b, const struct trace *t)
{
	for (size_t i = 0; i < t->n; i++) {
		/* What a sandbox renames is a function of files, whose changes show by themselves. */
		if (t->p[i].kind != DEP_ENV || str_is(t->p[i].key, "--sandbox") || !map_add(seen, a, t->p[i].key))
			continue;
		pack_str(b, t->p[i].key);
		pack_hash(b, t->p[i].hash);
	}
}

static void transcript_save(struct view *v, struct env_run *e)
{
	struct run *r = e->run;
	struct map seen = { 0 };
	struct buf b = { 0 }, deps = { 0 };

	env_deps_add(&seen, v->en->arena, &deps, &r->trace);
	for (size_t i = 0; i < e->n_unit; i++)
		env_deps_add(&seen, v->en->arena, &deps, &e->unit[i].record.trace);
	pack_uint(&b, v->en->generation + 1);
	pack_hash(&b, v->en->formatter);
	pack_uint(&b, seen.n);
	buf_add(&b, buf_str(&deps));
	transcript_pack(&b, &r->before, &e->transcript, e->result);
	store_put(v->en->store, 'T', v->group, transcript_name(v), buf_str(&b));
	buf_release(&deps);
	buf_release(&b);
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

static void folder_note(struct view *v, struct map *seen, struct str dir, int64_t stamp)
{
	struct arena *a = v->en->arena;
	struct leaf leaf = { .path = dir, .is_dir = true };
	struct fs_listing l;

	if (dir.n == 0 || !map_add(seen, a, dir))
		return;
	if (fs_stat(v->en->run->fs, dir, &leaf.st) != 0 || fs_list(v->en->run->fs, dir, a, &l) != 0)
		return;
	leaf.hash = leaf.tag = fs_listing_hash(&l);
	leaf.settled = stat_is_settled(&leaf.st, stamp);
	leaves_note(&v->out, &leaf);
}

/* Was this folder swept? A run of one pipeline sweeps that one's folder only: others stay as suspect as they were. */
static bool is_swept(struct env_run *e, struct str dir)
{
	struct str pipeline = e->run->o->pipeline;

	return pipeline.n == 0 || path_is_below(dir, path_join(&e->run->own, output_dir(e), pipeline));
}

/* A file that the sweep took away, and the folders that went with it. */
static void removed_forget(struct view *v, struct str path)
{
	leaves_forget(&v->out, path, false);
	for (path = path_parent(path); path.n != 0 && !fs_is_dir(v->en->run->fs, path); path = path_parent(path))
		leaves_forget(&v->out, path, true);
}

/* Notes what was written and what was found right, and the folders they stand in: a file put there by hand must show. */
static void outputs_note(struct view *v, struct env_run *e)
{
	struct fs *fs = v->en->run->fs;
	int64_t stamp = outputs_stamp(fs, e->result->written);
	struct str top = output_dir(e);
	struct map seen = { 0 };

	for (size_t i = 0; i < e->out.n; i++) {
		struct leaf leaf = { .path = e->out.p[i].path, .hash = e->out.p[i].hash, .tag = e->out.p[i].tag };
		struct str dir = path_parent(leaf.path);

		for (; dir.n > top.n && path_is_below(dir, top) && is_swept(e, dir); dir = path_parent(dir))
			folder_note(v, &seen, dir, stamp);
		if ((path_is_below(dir, STR("resources/lhp")) || path_is_below(dir, STR("monitoring"))) && is_swept(e, dir))
			folder_note(v, &seen, dir, stamp);
		if (e->out.p[i].text.p == NULL || fs_lstat(fs, leaf.path, &leaf.st) != 0)
			continue;
		if (hash_is_none(leaf.tag)) /* made in each run, from what the run knows */
			leaf.tag = leaf.hash;
		leaf.settled = stat_is_settled(&leaf.st, stamp);
		leaves_note(&v->out, &leaf);
	}
	if (is_swept(e, top))
		folder_note(v, &seen, top, stamp);
	for (size_t i = 0; i < e->n_pipeline; i++) /* those without files too */
		if (e->pipeline[i].selected)
			folder_note(v, &seen, path_join(v->en->arena, top, e->pipeline[i].name), stamp);
	for (size_t i = 0; i < e->removed.n; i++)
		removed_forget(v, e->removed.p[i]);
	for (size_t i = 0; i < v->out_changed.n; i++) { /* deleted by hand, and not made any more */
		const struct leaf *gone = &v->out_changed.p[i].leaf;
		bool made = gone->is_dir ? map_find(&seen, gone->path) != NULL : outputs_find(&e->out, gone->path) != NULL;

		if (!made && v->en->run->o->pipeline.n == 0)
			leaves_forget(&v->out, gone->path, gone->is_dir);
	}
}

/* Traces hold hashes only; `lhp why` wants to say what a token was. */
static void tokens_save(struct view *v, struct env_run *e)
{
	const struct node **value;
	struct str *name;
	size_t n = e->env.tokens != NULL ? tokens_list(e->env.tokens, v->en->arena, &name, &value) : 0;
	struct buf b = { 0 };

	pack_uint(&b, n);
	for (size_t i = 0; i < n; i++) {
		pack_str(&b, name[i]);
		pack_hash(&b, token_hash(e->env.tokens, name[i]));
		pack_str(&b, node_is_str(value[i]) ? value[i]->text : STR(""));
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
	for (size_t i = 0; i < e->n_pipeline; i++)
		if (e->pipeline[i].selected)
			pipeline_save(v, e, &e->pipeline[i]);
	if (e->published)
		outputs_note(v, e);
	leaves_save(&v->out, v->en->generation + 1);
	if (e->keeps && !v->en->raced)
		transcript_save(v, e);
}
