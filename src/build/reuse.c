/* reuse.c - which units of earlier runs are still good: their dependencies against what changed. */
#include "base/pack.h"
#include "base/path.h"
#include "build/steps.h"
#include "project/current.h"

struct str pipeline_record_name(const struct view *v, struct arena *a, struct str pipeline)
{
	return str_cat_sep(a, v->name, '\n', pipeline);
}

void standing_read(struct standing *st, struct store *s, struct arena *a, struct str options)
{
	struct unpack u = unpack_of(store_get(s, a, 'V', view_group(options), options));

	*st = (struct standing){ .since = unpack_uint(&u) };
	for (size_t n = unpack_count(&u, 1); n > 0 && !u.bad; n--)
		map_add(&st->pipeline, a, unpack_str(&u));
}

uint64_t standing_since(const struct standing *st, const struct kept *k)
{
	bool stands = k->generation != 0 && map_find(&st->pipeline, k->pipeline) != NULL;

	return stands && st->since > k->generation ? st->since : k->generation;
}

/* What the store has of a pipeline, unread. */
struct stored {
	struct str index, over; /* 'P', 'N' */
};

struct collecting {
	struct view *v;
	struct str prefix; /* of the names of its records: others are of a view whose group is the same by chance */
	char kind;
};

static int record_collect(void *ctx, struct str name, struct str bytes)
{
	const struct collecting *c = ctx;
	struct arena *a = c->v->en->arena;
	struct stored *s;
	void **slot;

	if (!str_starts(name, c->prefix))
		return 0;
	slot = map_slot(&c->v->stored.pipeline, a, str_dup(a, str_skip(name, c->prefix.n)));
	if (*slot == NULL)
		*slot = ARENA_NEW(a, struct stored);
	s = *slot;
	*(c->kind == 'P' ? &s->index : &s->over) = bytes;
	return 0;
}

static int records_collect(struct view *v, char kind)
{
	struct collecting c = { v, pipeline_record_name(v, v->en->arena, STR("")), kind };

	return store_each(v->en->store, kind, v->group, record_collect, &c);
}

void view_stored_collect(struct view *v)
{
	if (v->stored.collected || v->en->store == NULL)
		return;
	v->stored.collected = true;
	if (records_collect(v, 'P') != 0 || records_collect(v, 'N') != 0)
		v->stored.pipeline = (struct map){ 0 }; /* damaged: nothing is known */
}

struct old_pipeline *view_old_read(const struct view *v, struct arena *a, struct str pipeline)
{
	const struct stored *s = map_get(&v->stored.pipeline, pipeline);
	struct old_pipeline *old;

	if (s == NULL || s->index.p == NULL)
		return NULL;
	old = ARENA_NEW(a, struct old_pipeline);
	if (kept_read(&old->kept, a, pipeline, s->index) != 0 || (s->over.p != NULL && kept_overlay(&old->kept, s->over) != 0))
		return NULL;
	old->fate = ARENA_ARRAY(a, enum dep_fate, old->kept.n_dep);
	old->since = standing_since(&v->standing, &old->kept);
	return old;
}

void view_old_add(struct view *v, struct old_pipeline *old)
{
	map_put(&v->old, v->en->arena, old->kept.pipeline, old);
	if (old->since < v->oldest)
		v->oldest = old->since;
}

struct old_pipeline *view_old_pipeline(struct view *v, struct str pipeline)
{
	struct old_pipeline *old = map_get(&v->old, pipeline);

	if (old != NULL)
		return old;
	view_stored_collect(v);
	old = view_old_read(v, v->en->arena, pipeline);
	if (old != NULL)
		view_old_add(v, old);
	return old;
}

const struct kept_unit *view_old_unit(struct view *v, struct old_pipeline *old, struct str flowgroup)
{
	for (size_t i = old->unit.n; i < old->kept.n; i++)
		map_put(&old->unit, v->en->arena, old->kept.unit[i].name, &old->kept.unit[i]);
	return map_get(&old->unit, flowgroup);
}

int view_old_open(const struct view *v, struct old_pipeline *old)
{
	struct arena *a = old->kept.arena;

	if (!old->is_opened)
		kept_open(&old->kept, store_get(v->en->store, a, 'U', v->group, pipeline_record_name(v, a, old->kept.pipeline)));
	old->is_opened = true;
	return old->kept.body != NULL ? 0 : -1;
}

int view_old_record(const struct view *v, struct old_pipeline *old, const struct kept_unit *unit, struct record *out)
{
	if (view_old_open(v, old) != 0)
		return -1;
	return kept_record(&old->kept, (size_t)(unit - old->kept.unit), out);
}

/* --- what changed --- */

static void changed_add(void *ctx, const struct leaf *leaf)
{
	struct view *v = ctx;
	struct str path = str_dup(v->en->arena, leaf->path);

	map_add(&v->changed.path, v->en->arena, path);
	v->changed.presets = v->changed.presets || path_is_below(path, STR("presets"));
	if (path_is_below(path, STR("substitutions")) && str_ends(path, STR(".yaml")))
		map_add(&v->changed.env, v->en->arena, str_sub(path, sizeof "substitutions/" - 1, path.n - (sizeof ".yaml" - 1)));
}

void view_changes_see(struct view *v)
{
	for (size_t i = 0; i < v->en->changed.n; i++)
		if (v->en->changed.p[i].content)
			changed_add(v, &v->en->changed.p[i].leaf);
}

void view_changes_collect(struct view *v)
{
	view_changes_see(v);
	if (v->oldest < v->en->generation)
		leaves_changed_since(&v->en->in, v->oldest, changed_add, v);
}

static struct str before_hash_sign(struct str key)
{
	ptrdiff_t at = str_rfind_char(key, '#');

	return at >= 0 ? str_sub(key, 0, (size_t)at) : key;
}

struct str dep_base(struct arena *a, const struct dep *d)
{
	ptrdiff_t slash = str_find_char(d->key, '/', 0);
	struct str env, name;

	switch (d->kind) {
	case DEP_NODE: return before_hash_sign(d->key);
	case DEP_TOKEN:
		token_key_cut(d->key, &env, &name);
		return str_fmt(a, "substitutions/%.*s.yaml", STR_ARG(env));
	case DEP_KEY: return str_starts(d->key, STR("preset/")) ? STR("") : str_sub(d->key, 0, (size_t)(slash < 0 ? 0 : slash));
	default: return d->key;
	}
}

bool view_dep_touched(const struct view *v, const struct dep *d)
{
	struct str env, name, base;

	if (d->kind == DEP_ENV)
		return false;
	if (d->kind == DEP_TOKEN) {
		token_key_cut(d->key, &env, &name);
		return map_find(&v->changed.env, env) != NULL;
	}
	base = dep_base(NULL, d);
	return base.n == 0 && d->kind == DEP_KEY ? v->changed.presets : map_find(&v->changed.path, base) != NULL;
}

static enum kept_answer dep_answer(void *env_run, const struct dep *d)
{
	struct env_run *e = env_run;

	if (!view_dep_touched(&e->view, d))
		return KEPT_STANDS;
	if (d->kind == DEP_FILE || !hash_eq(d->hash, dep_now(&e->run->project, &e->env, d->kind, d->key)))
		return KEPT_CHANGED;
	return KEPT_MOVED;
}

bool view_pipeline_touched(struct env_run *e, struct str pipeline, bool *good)
{
	const struct stored *s = map_get(&e->view.stored.pipeline, pipeline);
	uint64_t generation = 0;
	bool found = false;

	*good = s != NULL && s->index.p != NULL && kept_ask(s->index, dep_answer, e, &generation, &found) == 0;
	if (*good && s->over.p != NULL && !found)
		*good = kept_ask(kept_overlay_index(s->over), dep_answer, e, &generation, &found) == 0;
	*good = *good && generation != 0;
	return *good && found;
}

/* --- units --- */

enum dep_fate view_dep_glance(const struct view *v, struct old_pipeline *old, uint32_t index)
{
	const struct dep *d = &old->kept.dep[index];

	if (old->fate[index] == DEP_UNSEEN)
		old->fate[index] = d->kind == DEP_ENV || view_dep_touched(v, d) ? DEP_TOUCHED : DEP_UNTOUCHED;
	return old->fate[index];
}

/* What became of a dependency, found out once for all units of a pipeline. */
static enum dep_fate dep_fate(struct env_run *e, struct old_pipeline *old, uint32_t index)
{
	const struct dep *d = &old->kept.dep[index];
	enum dep_fate *fate = &old->fate[index];

	if (view_dep_glance(&e->view, old, index) != DEP_TOUCHED)
		return *fate;
	if (!hash_eq(d->hash, dep_now(&e->run->project, &e->env, d->kind, d->key)))
		*fate = DEP_DIFFERENT;
	else
		*fate = d->kind == DEP_ENV ? DEP_UNTOUCHED : DEP_SAME;
	return *fate;
}

/* The flowgroup's own text: its hash is known already. */
static enum unit_state own_state(const struct view *v, const struct flowgroup_source *src, const struct dep *d)
{
	if (!hash_eq(d->hash, src->hash))
		return UNIT_DIRTY;
	/* Of a blueprint's flowgroup the key names the instance; its lines are those of the blueprint. */
	return view_dep_touched(v, d) || map_find(&v->changed.path, str_of(src->file)) != NULL ? UNIT_AGAIN : UNIT_CLEAN;
}

/* Does one dependency still hold? A thing that only moved (same value, other lines) matters where lines are shown. */
static enum unit_state dep_state(struct env_run *e, const struct flowgroup_source *src, struct old_pipeline *old, uint32_t index,
                                 bool shows_lines)
{
	const struct dep *d = &old->kept.dep[index];
	enum dep_fate fate;

	if (d->kind == DEP_NODE && src != NULL && source_has_key(src, d->key))
		return own_state(&e->view, src, d);
	fate = dep_fate(e, old, index);
	if (fate == DEP_DIFFERENT)
		return UNIT_DIRTY;
	return fate == DEP_SAME && (d->kind == DEP_NODE || shows_lines) ? UNIT_AGAIN : UNIT_CLEAN;
}

/* A blueprint's flowgroup keeps it, whatever the file of the blueprint is called; of others it goes with the file. */
static bool has_text_of(const struct old_pipeline *old, const struct kept_unit *unit, const struct flowgroup_source *src)
{
	for (size_t i = 0; i < unit->n_dep; i++) {
		const struct dep *d = &old->kept.dep[unit->dep[i]];

		if (d->kind == DEP_NODE && source_has_key(src, d->key))
			return true;
	}
	return false;
}

enum unit_state view_unit_state(struct env_run *e, const struct flowgroup_source *src, struct old_pipeline *old,
                                const struct kept_unit *unit, enum work_depth depth)
{
	enum unit_state worst = unit->depth < depth ? UNIT_TEXTS : UNIT_CLEAN;
	bool other_file = src != NULL && unit->file != NULL && strcmp(unit->file, src->file) != 0;

	if ((unit->depth < WORK_CHECK && depth >= WORK_CHECK) || unit->file == NULL || (other_file && !has_text_of(old, unit, src)))
		return UNIT_DIRTY;
	if (other_file)
		worst = UNIT_AGAIN;
	for (size_t i = 0; i < unit->n_dep && worst != UNIT_DIRTY; i++) {
		enum unit_state s = dep_state(e, src, old, unit->dep[i], unit->has_findings);

		worst = s > worst ? s : worst;
	}
	return worst;
}

/* How this output is other than we left it, or NULL. */
static const struct leaf_change *output_change(const struct place *p, struct str path)
{
	for (size_t i = 0; i < p->changed.n; i++)
		if (p->changed.p[i].content && !p->changed.p[i].leaf.is_dir && str_eq(p->changed.p[i].leaf.path, path))
			return &p->changed.p[i];
	return NULL;
}

bool view_output_is_edited(struct view *v, struct str path)
{
	const struct leaf_change *c = output_change(place_of(v->place, path), path);

	return c != NULL && !c->leaf.absent;
}

struct hash128 view_output_hash(struct view *v, struct str path, struct hash128 tag)
{
	struct place *p = place_of(v->place, path);
	const struct leaf *leaf = place_leaf(p, path);

	if (leaf == NULL || leaf->absent || !hash_eq(leaf->tag, tag) || output_change(p, path) != NULL)
		return HASH_NONE;
	return leaf->hash;
}

static bool outputs_stand(struct env_run *e, struct str pipeline, const struct record *rec)
{
	if (rec->n_out != 0 && around_packs(e, pipeline))
		return false;
	for (size_t i = 0; i < rec->n_out; i++) {
		struct str path = path_join(e->view.en->arena, output_dir(e), rec->out[i].path);

		if (hash_is_none(view_output_hash(&e->view, path, output_tag(e, rec->out[i].raw_hash))))
			return false;
	}
	return true;
}

static void unit_reuse(struct env_run *e, struct unit_run *u, enum work_depth depth)
{
	struct view *v = &e->view;
	enum unit_state s;

	u->old = view_old_pipeline(v, u->pipeline);
	u->kept = u->old != NULL ? view_old_unit(v, u->old, u->name) : NULL;
	if (u->kept == NULL)
		return;
	if (!u->selected)
		depth = WORK_FACTS;
	s = view_unit_state(e, u->src, u->old, u->kept, depth);
	if (s != UNIT_DIRTY && view_old_record(v, u->old, u->kept, &u->record) != 0)
		s = UNIT_DIRTY;
	if (s == UNIT_CLEAN && depth == WORK_EMIT && !outputs_stand(e, u->pipeline, &u->record))
		s = UNIT_TEXTS;
	if (s == UNIT_TEXTS && u->record.failed_check) /* it has none */
		s = UNIT_CLEAN;
	u->again = s == UNIT_AGAIN || s == UNIT_TEXTS;
	u->checked = s == UNIT_TEXTS;
	u->reused = s == UNIT_CLEAN;
	if (u->reused)
		u->depth = u->kept->depth;
}

void view_reuse(struct view *v, struct env_run *e, enum work_depth depth)
{
	if (v->en->store == NULL || store_is_new(v->en->store))
		return;
	for (size_t i = 0; i < e->n_pipeline; i++)
		view_old_pipeline(v, e->pipeline[i].name);
	view_changes_collect(v);
	for (size_t i = 0; i < e->n_unit; i++) {
		unit_reuse(e, &e->unit[i], depth);
		if (e->unit[i].reused && depth < WORK_EMIT)
			record_without_emission(&e->unit[i].record);
	}
}
