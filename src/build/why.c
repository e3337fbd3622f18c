#include "build/why.h"

#include "base/pack.h"
#include "base/path.h"
#include "build/place.h"
#include "build/view.h"
#include "project/current.h"
#include "resolve/conceal.h"
#include "resolve/token.h"

#include <stdlib.h>

static struct str unit_key(struct arena *a, struct str pipeline, struct str flowgroup)
{
	return str_cat_sep(a, pipeline, '\n', flowgroup);
}

static void unit_take(struct stored *st, const struct kept *k, size_t unit)
{
	struct stored_unit *u = ARENA_NEW(st->arena, struct stored_unit);

	if (kept_record(k, unit, &u->record) == 0)
		map_put(&st->unit, st->arena, unit_key(st->arena, u->record.pipeline, u->record.flowgroup), u);
	else
		st->damaged++;
}

/* Name of the environment's view (view_open), no sandbox: what names of transcripts begin with. */
static struct str view_name(const struct stored *st)
{
	return str_fmt(st->arena, "env=%.*s sandbox=0", STR_ARG(st->env));
}

/* A record 'P': its name is VIEW\nPIPELINE (build/engine.h). */
static int pipeline_take(void *ctx, struct str name, struct str bytes)
{
	struct stored *st = ctx;
	ptrdiff_t end = str_rfind_char(name, '\n');
	struct str view = str_sub(name, 0, end > 0 ? (size_t)end : 0), over;
	struct kept k;

	if (!str_eq(view, view_name(st)))
		return 0;
	over = store_get(st->store, st->arena, 'N', view_group(view), name);
	if (kept_read(&k, st->arena, str_skip(name, view.n + 1), bytes) != 0 || (over.p != NULL && kept_overlay(&k, over) != 0) ||
	    kept_open(&k, store_get(st->store, st->arena, 'U', view_group(view), name)) != 0) {
		st->damaged++;
		return 0;
	}
	for (size_t i = 0; i < k.n; i++)
		if (k.unit[i].depth > WORK_FACTS)
			unit_take(st, &k, i);
	return 0;
}

static void tokens_read(struct stored *st, struct store *s)
{
	struct unpack u = unpack_of(store_get(s, st->arena, 'K', 0, st->env));
	size_t n = u.p != NULL ? unpack_count(&u, 18) : 0;

	for (size_t i = 0; i < n && !u.bad; i++) {
		struct stored_token *t = ARENA_NEW(st->arena, struct stored_token);
		struct str name = unpack_str(&u);

		t->hash = unpack_hash(&u);
		t->text = unpack_str(&u);
		map_put(&st->token, st->arena, name, t);
	}
}

/* What a record 'T' is of: OPTIONS\nTASK (build/engine.h). */
struct run_name {
	bool published;     /* a generate of the environment */
	struct str modules; /* the end of the options */
};

static struct run_name run_name_read(const struct stored *st, struct str name)
{
	ptrdiff_t end = str_find_char(name, '\n', 0), at = str_find(name, STR(" output="), 0);
	struct run_name out = { 0 };

	if (end < 0 || at < 0 || at > end)
		return out;
	out.published = str_starts(name, str_fmt(st->arena, "%.*s ", STR_ARG(view_name(st)))) &&
	                str_starts(str_skip(name, (size_t)end), STR("\ngenerate"));
	out.modules = str_sub(name, (size_t)at + 8, (size_t)end);
	return out;
}

struct published {
	const struct stored *st;
	struct {
		VEC_OF(struct published_run { uint64_t generation; struct str modules; })
	} run;
};

static int published_take(void *ctx, struct str name, struct str bytes)
{
	struct published *p = ctx;
	struct run_name run = run_name_read(p->st, name);
	struct unpack u = unpack_of(bytes);

	if (run.published)
		*VEC_PUSH(&p->run, p->st->arena) = (struct published_run){ unpack_uint(&u), str_dup(p->st->arena, run.modules) };
	return 0;
}

static int published_cmp(const void *x, const void *y)
{
	const struct published_run *a = x, *b = y;

	return (a->generation < b->generation) - (a->generation > b->generation);
}

static void outputs_read(struct stored *st)
{
	struct published p = { .st = st };
	struct map seen = { 0 };

	store_each_group(st->store, 'T', published_take, &p);
	if (p.run.n > 1)
		qsort(p.run.p, p.run.n, sizeof *p.run.p, published_cmp);
	for (size_t i = 0; i < p.run.n; i++)
		if (map_add(&seen, st->arena, p.run.p[i].modules))
			*VEC_PUSH(&st->output, st->arena) = p.run.p[i].modules;
}

void stored_read(struct stored *st, struct store *s, struct str env, struct arena *a)
{
	*st = (struct stored){ .arena = a, .store = s, .env = env };
	if (s != NULL) {
		if (store_each_group(s, 'P', pipeline_take, st) != 0)
			st->damaged++;
		tokens_read(st, s);
		outputs_read(st);
	}
	if (st->output.n == 0)
		*VEC_PUSH(&st->output, a) = str_fmt(a, "generated/%.*s", STR_ARG(env));
}

const struct stored_unit *stored_find(const struct stored *st, struct str pipeline, struct str flowgroup)
{
	return map_get(&st->unit, unit_key(st->arena, pipeline, flowgroup));
}

static const struct leaf *output_leaf(const struct stored *st, struct fs *fs, struct str modules, struct str path)
{
	struct place place[PLACES];
	struct leaves out;

	places_name(place, st->arena, st->env, modules);
	leaves_init(&out, st->store, fs, st->arena, 'O', place_group(place_of(place, path)->dir));
	return leaves_find(&out, path, false);
}

enum output_state stored_output_state(const struct stored *st, struct fs *fs, struct str modules, struct str path)
{
	const struct leaf *leaf = output_leaf(st, fs, modules, path);
	struct str bytes;

	if (fs_read(fs, path, st->arena, &bytes, NULL) != 0)
		return OUTPUT_GONE;
	return leaf == NULL || leaf->absent || hash_eq(leaf->hash, hash_bytes(bytes)) ? OUTPUT_RIGHT : OUTPUT_EDITED;
}

struct run_search {
	const struct stored *st;
	struct fs *fs;
	struct str path;
	struct stored_run *found;
};

static void rest_read(struct arena *a, struct str bytes, struct trace *t)
{
	struct unpack u = unpack_of(bytes);

	*t = (struct trace){ .arena = a };
	while (u.p < u.end && !u.bad) {
		struct dep d = { .kind = (enum dep_kind)unpack_uint(&u) };

		d.key = str_dup(a, unpack_str(&u));
		d.hash = unpack_hash(&u);
		/* The root's own listing has the folders that the run itself made. */
		if (!u.bad && (d.kind != DEP_DIR || d.key.n != 0))
			*VEC_PUSH(t, a) = d;
	}
}

static int run_take(void *ctx, struct str name, struct str bytes)
{
	struct run_search *search = ctx;
	struct arena *a = search->st->arena;
	struct unpack u = unpack_of(bytes);
	struct run_name run = run_name_read(search->st, name);
	uint64_t generation = unpack_uint(&u);
	const struct leaf *leaf;
	struct str rest;

	if (!run.published || generation <= search->found->generation)
		return 0;
	leaf = output_leaf(search->st, search->fs, run.modules, search->path);
	unpack_hash(&u);
	places_skip(&u);
	unpack_str(&u);
	rest = unpack_str(&u);
	if (leaf == NULL || leaf->absent || u.bad)
		return 0;
	*search->found = (struct stored_run){ .generation = generation, .modules = str_dup(a, run.modules) };
	rest_read(a, rest, &search->found->trace);
	return 0;
}

bool stored_run_find(const struct stored *st, struct fs *fs, struct str path, struct stored_run *out)
{
	struct run_search search = { st, fs, path, out };

	*out = (struct stored_run){ 0 };
	return st->store != NULL && store_each_group(st->store, 'T', run_take, &search) == 0 && out->generation != 0;
}

/* A token's stored value and the one of now. */
static struct change token_change(struct snapshot *now, const struct stored *st, const struct secret_values *secrets, struct str name)
{
	const struct stored_token *was = map_get(&st->token, name);
	const struct node *value = token_get(now->env.tokens, &now->trace, name);

	return (struct change){ .before = was != NULL ? was->hash : HASH_NONE,
		                .now = token_hash(now->env.tokens, name),
		                .before_text = was != NULL && was->text.n != 0 ? was->text : STR_NONE,
		                .now_text = token_shown(secrets, name, value),
		                .where = node_mark(value) };
}

/* Goes into the tokens that changed as far as there are such, each one once. */
static void causes_find(struct snapshot *now, const struct stored *st, const struct secret_values *secrets, struct str outer,
                        struct difference *d)
{
	struct map changed = { 0 };

	map_add(&changed, st->arena, outer);
	for (size_t i = 0; i < changed.n; i++) {
		struct str name = changed.entry[i].key, *part;
		size_t n = token_parts(now->env.tokens, st->arena, name, &part);
		bool inner = false;

		for (size_t k = 0; k < n; k++) {
			struct change c = token_change(now, st, secrets, part[k]);

			if (hash_eq(c.before, c.now))
				continue;
			inner = true;
			map_add(&changed, st->arena, part[k]);
		}
		if (!inner && i != 0)
			*VEC_PUSH(&d->by, st->arena) = (struct cause){ name, token_change(now, st, secrets, name) };
	}
}

/* What the store tells of a token is of its last run: of no other trace. */
static void token_fill(struct snapshot *now, const struct stored *st, struct difference *d)
{
	struct str name = str_skip(d->dep->key, st->env.n + 1);
	struct secret_values secrets = { 0 };
	struct change c;

	secret_tokens(&secrets, st->arena, now->env.tokens);
	c = token_change(now, st, &secrets, name);
	if (hash_eq(c.before, d->change.before))
		causes_find(now, st, &secrets, name, d);
	else
		c.before_text = STR_NONE;
	c.before = d->change.before;
	d->change = c;
}

/* What a reader wants to know first. */
static int weight(const struct difference *d)
{
	static const int of[DEP_KINDS] = { [DEP_NODE] = 0, [DEP_TOKEN] = 1, [DEP_KEY] = 2,  [DEP_FILE] = 3,
		                           [DEP_TABLE] = 4, [DEP_ENV] = 5, [DEP_DIR] = 6 };

	return d->dep->kind < DEP_KINDS ? of[d->dep->kind] : DEP_KINDS;
}

static int difference_cmp(const void *x, const void *y)
{
	const struct difference *a = x, *b = y;
	int c = weight(a) - weight(b);

	return c != 0 ? c : str_cmp(a->dep->key, b->dep->key);
}

static struct hash128 dep_hash(struct snapshot *now, const struct flowgroup_source *src, const struct dep *d)
{
	if (src != NULL && d->kind == DEP_NODE && source_has_key(src, d->key))
		return src->hash;
	return dep_now(&now->project, &now->env, d->kind, d->key);
}

void differences_find(struct snapshot *now, const struct stored *st, const struct trace *t, const struct flowgroup_source *src,
                      struct differences *out)
{
	for (size_t i = 0; i < t->n; i++) {
		struct difference d = { .dep = &t->p[i] };

		if (d.dep->kind == DEP_TABLE)
			continue;
		d.change.now = dep_hash(now, src, d.dep);
		d.change.before = d.dep->hash;
		if (hash_eq(d.change.now, d.change.before))
			continue;
		if (d.dep->kind == DEP_TOKEN && d.dep->key.n > st->env.n)
			token_fill(now, st, &d);
		*VEC_PUSH(out, st->arena) = d;
	}
	if (out->n > 1)
		qsort(out->p, out->n, sizeof *out->p, difference_cmp);
}
