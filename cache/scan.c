/* scan.c - what the tables of leaves say, against what is on disk. */
#include "base/path.h"
#include "base/pool.h"
#include "cache/leaves_state.h"

#include <errno.h>
#include <stdlib.h>

struct folder_bytes {
	struct str path, bytes;
};

struct scan_worker {
	struct arena scratch, keep;
	struct leaf_changes changes;
	size_t scanned, hashed;
	uint64_t hashed_bytes;
	int rc;
};

struct scan {
	struct leaves *l;
	int64_t stamp;
	bool verify;
	struct {
		VEC_OF(struct folder_bytes)
	} folder;
	struct scan_worker *worker;
};

static int folder_collect(void *ctx, struct str name, struct str bytes)
{
	struct scan *s = ctx;

	*VEC_PUSH(&s->folder, s->l->arena) = (struct folder_bytes){ name, bytes };
	return 0;
}

/* `wrong`: other than it should be, also when it was so before. */
static void change_add(struct scan_worker *w, const struct leaf *was, struct leaf now, struct str path, bool wrong)
{
	bool content = wrong || now.absent != was->absent || !hash_eq(now.hash, was->hash);

	if (content)
		now.tag = HASH_NONE; /* somebody else's text: not made from what the tag says */
	now.path = str_dup(&w->keep, path);
	*VEC_PUSH(&w->changes, &w->keep) = (struct leaf_change){
		.leaf = now,
		.before = was->absent ? HASH_NONE : was->hash,
		.content = content,
		.was_absent = was->absent,
	};
}

static bool is_output(const struct scan *s)
{
	return leaves_are_outputs(s->l);
}

/* An output, or a folder of outputs, that an earlier run found other than it should be, and did not put right. */
static bool is_wrong(const struct scan *s, const struct leaf *l)
{
	return is_output(s) && hash_is_none(l->tag);
}

/* Was it hashed for the last time? Of inputs who reads them tells; outputs that stay right nobody reads. */
static bool is_settling(const struct scan *s, const struct leaf *was, const struct leaf *now)
{
	return is_output(s) && now->settled && !was->settled;
}

/* A link counts as what it points to, as the reader sees it; not for outputs, where it is wrong by itself. */
static int link_follow(struct scan *s, struct str path, struct fs_stat *st)
{
	return st->type == FS_LINK && !is_output(s) ? fs_stat(s->l->fs, path, st) : 0;
}

static void file_look(struct scan *s, struct scan_worker *w, const struct leaf *was, struct str path, struct fs_stat *st, int rc)
{
	struct leaf now = *was;
	struct str bytes;

	w->scanned++;
	if (rc == 0)
		rc = link_follow(s, path, st);
	if (rc == 0 && !was->absent && !s->verify && was->settled && stat_same(st, &was->st) && !is_wrong(s, was))
		return;
	if (rc != 0 && was->absent && hash_eq(was->hash, unreadable_hash(rc))) {
		if (is_output(s))
			change_add(w, was, *was, path, true);
		return;
	}
	now.absent = true;
	now.st = (struct fs_stat){ 0 };
	if (rc == 0)
		rc = fs_read(s->l->fs, path, &w->scratch, &bytes, &now.st);
	now.hash = is_output(s) ? HASH_NONE : unreadable_hash(rc);
	if (rc == 0 && st->type != FS_LINK) {
		now.absent = false;
		now.hash = hash_bytes(bytes);
		now.settled = stat_is_settled(&now.st, s->stamp);
		w->hashed++;
		w->hashed_bytes += bytes.n;
	}
	if (now.absent && was->absent && hash_eq(now.hash, was->hash) && !is_output(s))
		return;
	if (now.absent != was->absent || !hash_eq(now.hash, was->hash) || !stat_same(&now.st, &was->st) || is_wrong(s, was) ||
	    is_settling(s, was, &now))
		change_add(w, was, now, path, is_wrong(s, was));
}

static void listing_look(struct scan *s, struct scan_worker *w, const struct leaf *was, bool led_away)
{
	struct leaf now = *was;
	struct fs_listing list;
	struct fs_stat st;
	bool wrong = is_wrong(s, was);
	int rc = led_away ? -ENOENT : fs_stat(s->l->fs, was->path, &st);

	w->scanned++;
	if (rc == 0 && !was->absent && !s->verify && was->settled && stat_same(&st, &was->st) && !wrong)
		return;
	rc = rc == 0 ? fs_list(s->l->fs, was->path, &w->scratch, &list) : rc;
	now.absent = rc != 0;
	now.st = rc == 0 ? st : (struct fs_stat){ 0 };
	now.hash = rc == 0 ? listing_hash(&list, was->starts) : HASH_NONE;
	now.settled = rc == 0 && stat_is_settled(&st, s->stamp);
	if (now.absent && was->absent && !wrong)
		return;
	if (now.absent != was->absent || !hash_eq(now.hash, was->hash) || !stat_same(&now.st, &was->st) || wrong ||
	    is_settling(s, was, &now))
		change_add(w, was, now, was->path, wrong);
}

static void folder_look(void *ctx, size_t item, size_t worker)
{
	struct scan *s = ctx;
	struct scan_worker *w = &s->worker[worker];
	struct folder_bytes *fb = &s->folder.p[item];
	struct leaf_folder f;
	struct str *name;
	struct fs_stat *st;
	bool led_away;
	int *rc;

	arena_reset(&w->scratch);
	if (leaf_folder_open(s->l, &w->scratch, fb->path, fb->bytes, &f) != 0) {
		w->rc = -EBADMSG;
		return;
	}
	led_away = s->l->top.p != NULL && fs_is_led_away(s->l->fs, f.path, s->l->top);
	if (f.is_leaf)
		listing_look(s, w, &f.self, led_away);
	name = ARENA_ARRAY(&w->scratch, struct str, f.n);
	st = ARENA_ARRAY(&w->scratch, struct fs_stat, f.n);
	rc = ARENA_ARRAY(&w->scratch, int, f.n);
	for (size_t i = 0; i < f.n; i++) {
		name[i] = f.p[i].path;
		rc[i] = -ENOENT;
	}
	if (!led_away)
		fs_stat_names(s->l->fs, f.path, name, f.n, st, rc);
	for (size_t i = 0; i < f.n; i++) {
		if (rc[i] == 0 && !f.p[i].absent && !s->verify && f.p[i].settled && stat_same(&st[i], &f.p[i].st) &&
		    !is_wrong(s, &f.p[i])) {
			w->scanned++;
			continue;
		}
		file_look(s, w, &f.p[i], path_join(&w->scratch, f.path, f.p[i].path), &st[i], rc[i]);
	}
}

static int change_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct leaf_change *)x)->leaf.path, ((const struct leaf_change *)y)->leaf.path);
}

/* Brings the workers' findings together, in order of path, and into the table. */
static int scan_gather(struct scan *s, size_t workers, struct leaf_changes *out)
{
	struct leaves *l = s->l;
	int rc = 0;

	l->scanned = l->hashed = 0;
	l->hashed_bytes = 0;
	for (size_t i = 0; i < workers; i++) {
		struct scan_worker *w = &s->worker[i];

		l->scanned += w->scanned;
		l->hashed += w->hashed;
		l->hashed_bytes += w->hashed_bytes;
		rc = rc != 0 ? rc : w->rc;
		for (size_t k = 0; k < w->changes.n; k++) {
			struct leaf_change *c = VEC_PUSH(out, l->arena);

			*c = w->changes.p[k];
			c->leaf.path = str_dup(l->arena, c->leaf.path);
			leaves_note(l, &c->leaf);
		}
		arena_release(&w->scratch);
		arena_release(&w->keep);
	}
	if (out->n > 1)
		qsort(out->p, out->n, sizeof *out->p, change_cmp);
	return rc;
}

/* The folders that are looked at. */
static int folders_collect(struct scan *s, const struct map *where)
{
	const struct leaves *l = s->l;

	if (where == NULL)
		return store_each(l->store, l->kind, l->group, folder_collect, s);
	for (size_t i = 0; i < where->n; i++) {
		struct str bytes = store_get(l->store, l->arena, l->kind, l->group, where->entry[i].key);

		if (bytes.p != NULL)
			folder_collect(s, where->entry[i].key, bytes);
	}
	return 0;
}

int leaves_scan(struct leaves *l, int64_t stamp, bool verify, const struct map *where, size_t workers, struct leaf_changes *out)
{
	struct scan s = { .l = l, .stamp = stamp, .verify = verify };
	int rc = leaves_beside_read(l);

	if (rc == 0)
		rc = folders_collect(&s, where);

	if (rc != 0)
		return rc;
	s.worker = ARENA_ARRAY(l->arena, struct scan_worker, workers);
	pool_run(workers, s.folder.n, folder_look, &s);
	return scan_gather(&s, workers, out);
}
