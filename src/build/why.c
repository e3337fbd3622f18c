#include "build/why.h"

#include "base/pack.h"
#include "base/path.h"
#include "build/view.h"
#include "project/current.h"
#include "resolve/conceal.h"
#include "resolve/token.h"

#include <stdlib.h>

static struct str unit_key(struct arena *a, struct str pipeline, struct str flowgroup)
{
	return str_fmt(a, "%.*s\n%.*s", STR_ARG(pipeline), STR_ARG(flowgroup));
}

static void unit_take(struct stored *st, struct str view, const struct standing *standing, const struct kept *k, size_t unit)
{
	struct stored_unit *u = ARENA_NEW(st->arena, struct stored_unit), *was;
	void **slot;

	*u = (struct stored_unit){ .generation = standing_since(standing, k), .depth = k->unit[unit].depth, .view = view };
	if (kept_record(k, unit, &u->record) != 0) {
		st->damaged++;
		return;
	}
	slot = map_slot(&st->unit, st->arena, unit_key(st->arena, u->record.pipeline, u->record.flowgroup));
	was = *slot;
	if (was == NULL || u->generation > was->generation || (u->generation == was->generation && u->depth > was->depth))
		*slot = u;
}

/* Of this environment, and no sandbox? A view's name begins with its environment (view_open). */
static bool is_view_of(const struct stored *st, struct str view)
{
	return str_starts(view, str_fmt(st->arena, "env=%.*s tests=", STR_ARG(st->env))) && !str_has(view, STR(" sandbox=1 "));
}

/* A record 'P': its name is VIEW\nPIPELINE (build/engine.h). */
static int pipeline_take(void *ctx, struct str name, struct str bytes)
{
	struct stored *st = ctx;
	ptrdiff_t end = str_rfind_char(name, '\n');
	struct str view = str_sub(name, 0, end > 0 ? (size_t)end : 0);
	struct standing standing;
	struct kept k;

	if (!is_view_of(st, view))
		return 0;
	if (kept_read(&k, st->arena, str_skip(name, view.n + 1), bytes) != 0 ||
	    kept_open(&k, store_get(st->store, 'U', view_group(view), name)) != 0) {
		st->damaged++;
		return 0;
	}
	standing_read(&standing, st->store, st->arena, view);
	for (size_t i = 0; i < k.n; i++)
		unit_take(st, view, &standing, &k, i);
	return 0;
}

static void tokens_read(struct stored *st, struct store *s)
{
	struct unpack u = unpack_of(store_get(s, 'K', 0, st->env));
	size_t n = u.p != NULL ? unpack_count(&u, 18) : 0;

	for (size_t i = 0; i < n && !u.bad; i++) {
		struct stored_token *t = ARENA_NEW(st->arena, struct stored_token);
		struct str name = unpack_str(&u);

		t->hash = unpack_hash(&u);
		t->text = unpack_str(&u);
		map_put(&st->token, st->arena, name, t);
	}
}

void stored_read(struct stored *st, struct store *s, struct str env, struct arena *a)
{
	*st = (struct stored){ .arena = a, .store = s, .env = env };
	if (s == NULL)
		return;
	if (store_each_group(s, 'P', pipeline_take, st) != 0)
		st->damaged++;
	tokens_read(st, s);
}

const struct stored_unit *stored_find(const struct stored *st, struct str pipeline, struct str flowgroup)
{
	return map_get(&st->unit, unit_key(st->arena, pipeline, flowgroup));
}

struct str stored_output(const struct stored *st, const struct stored_unit *u, const struct record_file *f)
{
	static const char LAST[] = " output=";
	ptrdiff_t at = str_find(u->view, ((struct str){ LAST, sizeof LAST - 1 }), 0);
	struct str output = at >= 0 ? str_skip(u->view, (size_t)at + sizeof LAST - 1) : STR("");

	return path_join(st->arena, output, f->path);
}

static const struct leaf *output_leaf(const struct stored *st, struct fs *fs, struct str view, struct str path)
{
	struct leaves out;

	leaves_init(&out, st->store, fs, st->arena, 'O', view_group(view));
	return leaves_find(&out, path, false);
}

enum output_state stored_output_state(const struct stored *st, struct fs *fs, struct str view, struct str path)
{
	const struct leaf *leaf = output_leaf(st, fs, view, path);
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

/* A record 'T': its name is VIEW\nTASK. */
static int run_take(void *ctx, struct str name, struct str bytes)
{
	struct run_search *search = ctx;
	struct arena *a = search->st->arena;
	struct unpack u = unpack_of(bytes);
	ptrdiff_t end = str_find_char(name, '\n', 0);
	struct str view = str_sub(name, 0, end > 0 ? (size_t)end : 0), rest;
	uint64_t generation = unpack_uint(&u);
	const struct leaf *leaf;

	if (!is_view_of(search->st, view) || !str_starts(str_skip(name, view.n), STR("\ngenerate")) ||
	    generation <= search->found->generation)
		return 0;
	leaf = output_leaf(search->st, search->fs, view, search->path);
	unpack_hash(&u);
	unpack_str(&u);
	rest = unpack_str(&u);
	if (leaf == NULL || leaf->absent || u.bad)
		return 0;
	*search->found = (struct stored_run){ .generation = generation, .view = str_dup(a, view) };
	rest_read(a, rest, &search->found->trace);
	return 0;
}

bool stored_run_find(const struct stored *st, struct fs *fs, struct str path, struct stored_run *out)
{
	struct run_search search = { st, fs, path, out };

	*out = (struct stored_run){ 0 };
	return st->store != NULL && store_each_group(st->store, 'T', run_take, &search) == 0 && out->generation != 0;
}

/* Old and new value of a token, when both are texts, and where the new one stands. */
static void token_fill(struct snapshot *now, const struct stored *st, struct difference *d)
{
	struct str name = str_skip(d->dep->key, st->env.n + 1);
	const struct stored_token *was = map_get(&st->token, name);
	const struct node *value = token_get(now->env.tokens, &now->trace, name);

	struct secret_values secrets = { 0 };

	secret_tokens(&secrets, st->arena, now->env.tokens);
	if (was != NULL && was->text.n != 0 && hash_eq(was->hash, d->dep->hash))
		d->before_text = was->text;
	d->now_text = token_shown(&secrets, name, value);
	d->where = node_mark(value);
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
	if (src != NULL && d->kind == DEP_NODE && str_eq(d->key, src->key))
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
		d.now = dep_hash(now, src, d.dep);
		if (hash_eq(d.now, d.dep->hash))
			continue;
		if (d.dep->kind == DEP_TOKEN && d.dep->key.n > st->env.n)
			token_fill(now, st, &d);
		*VEC_PUSH(out, st->arena) = d;
	}
	if (out->n > 1)
		qsort(out->p, out->n, sizeof *out->p, difference_cmp);
}
