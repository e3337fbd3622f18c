/*
 * left.c - what a run left in the places that it filled, noted for the next one.
 *
 * Others may put, change and take away files there at any moment. So what is noted as right is never what is seen, but what the run
 * knows must be there: the hashes of its texts, and the names that it and its sweeps left. Where the disk has something else the
 * note says so, and the next run sets it right.
 */
#include "base/path.h"
#include "base/pool.h"
#include "build/steps.h"

#include <stdlib.h>
#include <time.h>

struct folder {
	VEC_OF(struct fs_entry) /* what must stand in it */
	struct leaf leaf;       /* as it was seen, and */
	struct fs_listing now;  /* what stood in it */
};

struct left {
	struct env_run *e;
	struct view *v;
	struct fs *fs;
	struct arena *arena;
	int64_t stamp;
	struct map folder;        /* those that must stand -> struct folder */
	struct map expected;      /* they, and the files in them */
	struct map noted;         /* folders */
	struct arena *worker;     /* of each */
};

enum { SETTLE_FROM = 64, SETTLE_TRIES = 20 };

/* Waits, after many writes, until the clock has moved on from where it was then: none of them must be hashed next time. */
static int64_t outputs_stamp(struct fs *fs, size_t written, int64_t then)
{
	int64_t now = outputs_clock(fs);

	for (int i = 0; written >= SETTLE_FROM && i < SETTLE_TRIES && now == then; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
		now = outputs_clock(fs);
	}
	return now;
}

/* --- files --- */

/* Somebody may have changed it in the tick in which it was written: only its content tells. */
static void written_see(void *ctx, size_t item, size_t worker)
{
	struct left *l = ctx;
	struct output *out = &l->e->out.p[item];
	struct arena scratch = { 0 };
	struct str bytes;

	(void)worker;
	if (out->written && fs_read(l->fs, out->path, &scratch, &bytes, &out->st) == 0)
		out->settled = hash_eq(hash_bytes(bytes), out->hash) && stat_is_settled(&out->st, l->stamp);
	arena_release(&scratch);
}

/* Many: now. Few: the next run does it. */
static void files_see(struct left *l)
{
	struct run *r = l->e->run;

	if (l->e->result->written < SETTLE_FROM) {
		for (size_t i = 0; i < l->e->out.n; i++)
			if (l->e->out.p[i].written)
				fs_lstat(l->fs, l->e->out.p[i].path, &l->e->out.p[i].st);
		return;
	}
	pool_run(r->workers, l->e->out.n, written_see, l);
}

static void file_note(struct left *l, const struct output *out)
{
	struct leaf leaf = { .path = out->path, .hash = out->hash, .tag = out->hash, .st = out->st, .settled = out->settled };
	struct place *p = place_of(l->v->place, out->path);

	if (!out->right || !p->filled)
		return;
	if (!hash_is_none(out->raw))
		leaf.tag = output_tag(l->e, out->raw);
	leaves_note(&p->out, &leaf);
}

/* --- folders --- */

static struct folder *folder_at(struct left *l, struct str dir)
{
	void **slot = map_slot(&l->folder, l->arena, dir);

	if (*slot == NULL)
		*slot = ARENA_NEW(l->arena, struct folder);
	return *slot;
}

/* The folders that it stands in, too. */
static void expect(struct left *l, struct str path, enum fs_type type)
{
	if (path.n == 0 || !map_add(&l->expected, l->arena, path))
		return;
	if (type == FS_DIR)
		folder_at(l, path);
	*VEC_PUSH(folder_at(l, path_parent(path)), l->arena) = (struct fs_entry){ path_base(path), type };
	expect(l, path_parent(path), FS_DIR);
}

static void all_expect(struct left *l)
{
	for (size_t i = 0; i < l->e->out.n; i++)
		expect(l, l->e->out.p[i].path, FS_FILE);
	for (size_t i = 0; i < l->e->stands.n; i++)
		expect(l, l->e->stands.p[i], FS_DIR);
}

static int entry_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct fs_entry *)x)->name, ((const struct fs_entry *)y)->name);
}

/* What must be in the folder, and what is there of others that the sweep leaves to them. */
static struct fs_listing listing_wanted(struct left *l, const struct scope *s, const struct folder *f, struct str dir)
{
	struct fs_listing want = { ARENA_ARRAY(l->arena, struct fs_entry, f->n + f->now.n), f->n };

	for (size_t i = 0; i < f->n; i++)
		want.entry[i] = f->p[i];
	for (size_t i = 0; i < f->now.n; i++) {
		const struct fs_entry *is = &f->now.entry[i];
		struct str path = path_join(l->arena, dir, is->name);

		if (map_find(&l->expected, path) == NULL && scope_leaves(s, l->fs, path, is->type))
			want.entry[want.n++] = *is;
	}
	if (want.n > 1)
		qsort(want.entry, want.n, sizeof *want.entry, entry_cmp);
	return want;
}

/* Seen before it is listed, so that what comes later shows in the stat. */
static struct leaf folder_see(struct left *l, struct arena *a, struct str dir, struct fs_listing *now)
{
	struct leaf leaf = { .path = dir, .is_dir = true };

	*now = (struct fs_listing){ 0 };
	leaf.absent = fs_stat(l->fs, dir, &leaf.st) != 0 || fs_list(l->fs, dir, a, now) != 0;
	if (leaf.absent)
		leaf.st = (struct fs_stat){ 0 };
	else
		leaf.hash = fs_listing_hash(now);
	return leaf;
}

static void folder_see_job(void *ctx, size_t item, size_t worker)
{
	struct left *l = ctx;
	struct folder *f = l->folder.entry[item].value;

	f->leaf = folder_see(l, &l->worker[worker], l->folder.entry[item].key, &f->now);
}

/* All that must stand. */
static void folders_see(struct left *l)
{
	size_t workers = l->e->run->workers;

	l->worker = ARENA_ARRAY(l->arena, struct arena, workers);
	pool_run(workers, l->folder.n, folder_see_job, l);
	for (size_t i = 0; i < workers; i++)
		arena_adopt(l->arena, &l->worker[i]);
}

static void folder_put(struct left *l, struct leaf *leaf, bool right)
{
	if (right)
		leaf->tag = leaf->absent ? fs_listing_hash(&(struct fs_listing){ 0 }) : leaf->hash;
	leaf->settled = right && !leaf->absent && stat_is_settled(&leaf->st, l->stamp);
	leaves_note(&place_of(l->v->place, leaf->path)->out, leaf);
	map_add(&l->noted, l->arena, leaf->path);
}

/* That it is not there is noted, too: what somebody puts into it must show. */
static void folder_note(struct left *l, const struct scope *s, struct str dir)
{
	struct folder *stands = map_get(&l->folder, dir), other = { 0 }, *f = stands != NULL ? stands : &other;
	bool goes = s->goes && str_eq(dir, s->dir);
	struct fs_listing want;

	if (dir.n == 0 || map_find(&l->noted, dir) != NULL)
		return;
	if (stands == NULL)
		f->leaf = folder_see(l, l->arena, dir, &f->now);
	want = listing_wanted(l, s, f, dir);
	if (f->leaf.absent)
		folder_put(l, &f->leaf, stands == NULL);
	else
		folder_put(l, &f->leaf, hash_eq(fs_listing_hash(&want), f->leaf.hash) && (want.n != 0 || stands != NULL || !goes));
}

static void scope_note(struct left *l, const struct scope *s)
{
	if (s->only[0].n == 0)
		folder_note(l, s, s->dir);
	for (size_t i = 0; i < l->folder.n && !s->flat; i++) {
		struct str dir = l->folder.entry[i].key;

		if (scope_has(s, dir))
			folder_note(l, s, dir);
	}
}

/* The short way changes no names, and begins only where all is right: there it is, if nobody else came. */
static void folder_again(struct left *l, struct str dir)
{
	const struct leaf *was = leaves_find(&place_of(l->v->place, dir)->out, dir, true);
	struct folder *f = map_get(&l->folder, dir);

	if (was != NULL && map_find(&l->noted, dir) == NULL)
		folder_put(l, &f->leaf, hash_eq(f->leaf.hash, was->hash));
}

/* --- what is no more --- */

/* What the sweep took away, and the folders that went with it. */
static void removed_forget(struct left *l, struct str path)
{
	leaves_forget(&place_of(l->v->place, path)->out, path, false);
	for (; path.n != 0 && !fs_is_dir(l->fs, path); path = path_parent(path))
		leaves_forget(&place_of(l->v->place, path)->out, path, true);
}

/* A run of one pipeline knows only of what it swept whether it is to be there. */
static bool is_known_of(const struct left *l, struct str path)
{
	bool known = l->e->run->o->pipeline.p == NULL;

	for (size_t i = 0; i < l->e->swept.n && !known; i++) {
		const struct scope *s = &l->e->swept.p[i];

		known = scope_has(s, path) && (!s->flat || str_eq(path_parent(path), s->dir));
	}
	return known;
}

/* Deleted by hand, and not made any more. */
static void gone_forget(struct left *l, struct place *p)
{
	for (size_t i = 0; i < p->changed.n; i++) {
		const struct leaf *gone = &p->changed.p[i].leaf;
		bool stays = gone->is_dir ? map_find(&l->noted, gone->path) != NULL : outputs_find(&l->e->out, gone->path) != NULL;

		if (p->changed.p[i].content && !stays && is_known_of(l, gone->path))
			leaves_forget(&p->out, gone->path, gone->is_dir);
	}
}

int64_t outputs_clock(struct fs *fs)
{
	return fs_now(fs, STR(".lhp/cache"));
}

void outputs_note(struct env_run *e, int64_t published)
{
	struct left l = { .e = e, .v = &e->view, .fs = e->run->fs, .arena = &e->run->own };

	l.stamp = outputs_stamp(l.fs, e->result->written, published);
	files_see(&l);
	all_expect(&l);
	folders_see(&l);
	for (size_t i = 0; i < e->removed.n; i++)
		removed_forget(&l, e->removed.p[i]);
	for (size_t i = 0; i < e->out.n; i++)
		file_note(&l, &e->out.p[i]);
	for (size_t i = 0; i < e->swept.n; i++)
		scope_note(&l, &e->swept.p[i]);
	for (size_t i = 0; i < e->out.n && e->patched; i++)
		folder_again(&l, path_parent(e->out.p[i].path));
	for (size_t i = 0; i < PLACES; i++)
		gone_forget(&l, &l.v->place[i]);
}
