#include "cache/leaves_state.h"
#include "base/pack.h"
#include "base/path.h"

#include <errno.h>
#include <stdlib.h>

enum { LEAF_ABSENT = 1, LEAF_SETTLED = 2, FOLDER_IS_LEAF = 4, LEAF_TAGGED = 8, LEAF_NARROW = 16, LEAF_BLOCKED = 32 };
static const int64_t SECOND = 1000000000;
/* Files stand beside a table while they are fewer than one in so many. */
enum { BESIDE_KIND = 'Q', BESIDE_UNREAD = 0, BESIDE_READ = 1, BESIDE_PART = 16 };

bool stat_is_settled(const struct fs_stat *st, int64_t stamp)
{
	/* Whole seconds on both: a file system with coarse times. */
	bool coarse = st->mtime_ns % SECOND == 0 && st->ctime_ns % SECOND == 0;

	if (coarse)
		stamp -= 2 * SECOND;
	return st->mtime_ns < stamp && st->ctime_ns < stamp;
}

struct hash128 unreadable_hash(int error)
{
	bool gone = error == -ENOENT || error == -ENOTDIR || error == -ENAMETOOLONG;

	return gone ? HASH_NONE : hash_bytes((struct str){ (const char *)&error, sizeof error });
}

static bool starts_with_any(struct str name, struct str starts)
{
	struct str one;

	while (str_cut(&starts, '/', &one))
		if (str_starts(name, one))
			return true;
	return false;
}

struct hash128 listing_hash(const struct fs_listing *l, struct str starts)
{
	struct arena a = { 0 };
	struct fs_listing some = { ARENA_ARRAY(&a, struct fs_entry, l->n), 0 };
	struct hash128 h;

	for (size_t i = 0; i < l->n; i++)
		if (starts.n == 0 || starts_with_any(l->entry[i].name, starts))
			some.entry[some.n++] = l->entry[i];
	h = fs_listing_hash(&some);
	arena_release(&a);
	return h;
}

struct str starts_both(struct arena *a, struct str one, struct str other)
{
	struct str out = one, rest = other, start;

	if (one.n == 0 || other.n == 0)
		return STR("");
	while (str_cut(&rest, '/', &start))
		if (!str_has(str_fmt(a, "/%.*s/", STR_ARG(out)), str_fmt(a, "/%.*s/", STR_ARG(start))))
			out = str_fmt(a, "%.*s/%.*s", STR_ARG(out), STR_ARG(start));
	return out;
}

bool stat_same(const struct fs_stat *a, const struct fs_stat *b)
{
	return a->ino == b->ino && a->size == b->size && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns &&
	       a->type == b->type;
}

/* --- packed form --- */

/* `before`: of the file before it in the folder, whose numbers are near. */
static void leaf_pack(struct buf *b, const struct leaf *l, unsigned flags, const struct fs_stat *before)
{
	bool tagged = !hash_is_none(l->tag), blocked = l->absent && !hash_is_none(l->hash);

	pack_uint(b, flags | (l->absent ? LEAF_ABSENT : 0) | (l->settled ? LEAF_SETTLED : 0) | (tagged ? LEAF_TAGGED : 0) |
	                    (l->starts.n != 0 ? LEAF_NARROW : 0) | (blocked ? LEAF_BLOCKED : 0));
	pack_uint(b, l->changed);
	if (l->starts.n != 0)
		pack_str(b, l->starts);
	if (blocked)
		pack_hash(b, l->hash);
	if (tagged)
		pack_hash(b, l->tag);
	if (l->absent)
		return;
	pack_uint(b, l->st.type);
	pack_int(b, (int64_t)(l->st.ino - before->ino));
	pack_uint(b, l->st.size);
	pack_int(b, (int64_t)((uint64_t)l->st.mtime_ns - (uint64_t)before->mtime_ns));
	pack_int(b, (int64_t)((uint64_t)l->st.ctime_ns - (uint64_t)l->st.mtime_ns));
	pack_hash(b, l->hash);
}

static void leaf_unpack_body(struct unpack *u, struct leaf *l, unsigned flags, const struct fs_stat *before)
{
	l->absent = flags & LEAF_ABSENT;
	l->settled = flags & LEAF_SETTLED;
	l->changed = unpack_uint(u);
	if (flags & LEAF_NARROW)
		l->starts = unpack_str(u);
	if (flags & LEAF_BLOCKED)
		l->hash = unpack_hash(u);
	if (flags & LEAF_TAGGED)
		l->tag = unpack_hash(u);
	if (l->absent)
		return;
	l->st.type = (enum fs_type)unpack_uint(u);
	l->st.ino = before->ino + (uint64_t)unpack_int(u);
	l->st.size = unpack_uint(u);
	l->st.mtime_ns = (int64_t)((uint64_t)before->mtime_ns + (uint64_t)unpack_int(u));
	l->st.ctime_ns = (int64_t)((uint64_t)l->st.mtime_ns + (uint64_t)unpack_int(u));
	l->hash = unpack_hash(u);
}

static int leaf_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct leaf *)x)->path, ((const struct leaf *)y)->path);
}

static void folder_sort(struct leaf_folder *f)
{
	if (f->sorted != f->n)
		qsort(f->p, f->n, sizeof *f->p, leaf_cmp);
	f->sorted = f->n;
	f->late = (struct map){ 0 };
}

static struct str folder_pack(struct arena *a, struct leaf_folder *f)
{
	struct str before = STR(""), out;
	struct fs_stat near = { 0 };
	struct buf b = { 0 };

	if (f->is_leaf)
		leaf_pack(&b, &f->self, FOLDER_IS_LEAF, &near);
	else
		pack_uint(&b, 0);
	pack_uint(&b, f->n);
	folder_sort(f);
	for (size_t i = 0; i < f->n; i++) {
		pack_str_after(&b, before, f->p[i].path);
		leaf_pack(&b, &f->p[i], 0, &near);
		before = f->p[i].path;
		near = f->p[i].absent ? (struct fs_stat){ 0 } : f->p[i].st;
	}
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

static int folder_unpack(struct arena *a, struct str path, struct str bytes, struct leaf_folder *f)
{
	struct unpack u = unpack_of(bytes);
	unsigned flags = (unsigned)unpack_uint(&u);
	struct fs_stat near = { 0 };

	*f = (struct leaf_folder){ .path = path, .is_leaf = flags & FOLDER_IS_LEAF };
	if (f->is_leaf) {
		f->self = (struct leaf){ .path = path, .is_dir = true };
		leaf_unpack_body(&u, &f->self, flags, &near);
	}
	f->cap = f->n = f->sorted = unpack_count(&u, 3);
	f->p = ARENA_ARRAY(a, struct leaf, f->n + 1);
	for (size_t i = 0; i < f->n && !u.bad; i++) {
		f->p[i].path = unpack_str_after(&u, a, i != 0 ? f->p[i - 1].path : STR(""));
		leaf_unpack_body(&u, &f->p[i], (unsigned)unpack_uint(&u), &near);
		near = f->p[i].st;
	}
	return unpack_done(&u) ? 0 : -EBADMSG;
}

/* --- the table in memory --- */

void leaves_init(struct leaves *l, struct store *s, struct fs *fs, struct arena *a, char kind, uint32_t group)
{
	*l = (struct leaves){ .store = s, .fs = fs, .arena = a, .kind = kind, .group = group };
}

/* Index of a file, or n. */
static size_t file_at(const struct leaf_folder *f, struct str name)
{
	size_t low = 0, high = f->sorted;
	uintptr_t late;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = str_cmp(name, f->p[middle].path);

		if (order == 0)
			return middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	late = (uintptr_t)map_get(&f->late, name);
	return late != 0 ? late - 1 : f->n;
}

bool leaves_are_outputs(const struct leaves *l)
{
	return l->group != 0;
}

int leaves_beside_read(struct leaves *l)
{
	struct str all;
	struct unpack u;

	if (l->beside_rc != BESIDE_UNREAD || l->store == NULL || !leaves_are_outputs(l))
		return l->beside_rc < 0 ? l->beside_rc : 0;
	l->beside_rc = BESIDE_READ;
	all = store_get(l->store, l->arena, BESIDE_KIND, l->group, STR(""));
	if (all.p == NULL)
		return 0;
	for (u = unpack_of(all); u.p < u.end && !u.bad;) {
		struct str path = unpack_str(&u), *bytes = ARENA_NEW(l->arena, struct str);

		*bytes = unpack_str(&u);
		map_put(&l->beside, l->arena, path, bytes);
	}
	if (u.bad)
		l->beside_rc = -EBADMSG;
	return u.bad ? -EBADMSG : 0;
}

int leaf_folder_open(const struct leaves *l, struct arena *a, struct str path, struct str bytes, struct leaf_folder *f)
{
	const struct str *beside = map_get(&l->beside, path);
	struct leaf_folder late;
	int rc = folder_unpack(a, path, bytes, f);

	if (rc != 0 || beside == NULL)
		return rc;
	rc = folder_unpack(a, path, *beside, &late);
	if (rc == 0 && late.is_leaf) {
		f->self = late.self;
		f->self.beside = f->is_leaf = true;
	}
	for (size_t i = 0; rc == 0 && i < late.n; i++) {
		size_t at = file_at(f, late.p[i].path);

		if (at == f->n)
			return -EBADMSG;
		f->p[at] = late.p[i];
		f->p[at].beside = true;
	}
	return rc;
}

static struct leaf_folder *folder_get(struct leaves *l, struct str path)
{
	void **slot = map_slot(&l->folder, l->arena, path);
	struct leaf_folder *f = *slot;
	struct str bytes;

	if (f != NULL)
		return f;
	path = str_dup(l->arena, path);
	l->folder.entry[l->folder.n - 1].key = path;
	f = *slot = ARENA_NEW(l->arena, struct leaf_folder);
	f->path = path;
	bytes = l->store != NULL ? store_get(l->store, l->arena, l->kind, l->group, path) : STR_NONE;
	if (bytes.p == NULL || leaves_beside_read(l) != 0 || leaf_folder_open(l, l->arena, path, bytes, f) != 0)
		*f = (struct leaf_folder){ .path = path };
	return f;
}

static struct leaf_folder *folder_of(struct leaves *l, struct str path, bool is_dir)
{
	return folder_get(l, is_dir ? path : path_parent(path));
}

static struct leaf *leaf_in(struct leaf_folder *f, struct str path, bool is_dir)
{
	size_t at = is_dir ? 0 : file_at(f, path_base(path));

	if (is_dir)
		return f->is_leaf ? &f->self : NULL;
	return at < f->n ? &f->p[at] : NULL;
}

static struct leaf *leaf_add(struct leaves *l, struct leaf_folder *f, struct str path, bool is_dir)
{
	struct leaf *leaf = is_dir ? &f->self : VEC_PUSH(f, l->arena);

	*leaf = (struct leaf){ .path = is_dir ? f->path : str_dup(l->arena, path_base(path)), .is_dir = is_dir, .absent = true };
	f->reshaped = true;
	if (is_dir)
		f->is_leaf = true;
	else
		map_put(&f->late, l->arena, leaf->path, (void *)(uintptr_t)f->n);
	return leaf;
}

const struct leaf *leaves_find(struct leaves *l, struct str path, bool is_dir)
{
	return leaf_in(folder_of(l, path, is_dir), path, is_dir);
}

void leaves_note(struct leaves *l, const struct leaf *leaf)
{
	struct leaf_folder *f = folder_of(l, leaf->path, leaf->is_dir);
	struct leaf *was = leaf_in(f, leaf->path, leaf->is_dir), *at = was != NULL ? was : leaf_add(l, f, leaf->path, leaf->is_dir);
	bool same_content = was != NULL && at->absent == leaf->absent && hash_eq(at->hash, leaf->hash);
	bool same = same_content && stat_same(&at->st, &leaf->st) && (at->settled || !leaf->settled) && hash_eq(at->tag, leaf->tag);
	bool beside = at->beside || !same;
	struct str path = at->path;
	uint64_t changed = at->changed;

	f->changed = f->changed || !same;
	l->differs = l->differs || !same_content;
	*at = *leaf;
	at->beside = beside;
	at->path = path;
	at->starts = str_dup(l->arena, leaf->starts);
	at->changed = same_content ? changed : UINT64_MAX; /* set by leaves_save */
}

static void file_remove(struct leaves *l, struct leaf_folder *f, size_t at)
{
	memmove(&f->p[at], &f->p[at + 1], (f->n - at - 1) * sizeof *f->p);
	f->n--;
	f->sorted -= at < f->sorted;
	f->late = (struct map){ 0 };
	for (size_t i = f->sorted; i < f->n; i++)
		map_put(&f->late, l->arena, f->p[i].path, (void *)(uintptr_t)(i + 1));
}

void leaves_forget(struct leaves *l, struct str path, bool is_dir)
{
	struct leaf_folder *f = folder_of(l, path, is_dir);
	const struct leaf *was = leaf_in(f, path, is_dir);

	if (was == NULL)
		return;
	if (is_dir)
		f->is_leaf = false;
	else
		file_remove(l, f, (size_t)(was - f->p));
	f->changed = f->reshaped = l->differs = true;
}

/* --- saving --- */

static void leaf_date(struct leaf *leaf, uint64_t generation)
{
	if (leaf->changed == UINT64_MAX)
		leaf->changed = generation;
}

/* Those files of the folder that stand beside its table; all else of it is as the table has it. */
static struct leaf_folder beside_take(const struct leaves *l, const struct leaf_folder *f)
{
	struct leaf_folder out = { .path = f->path, .is_leaf = f->is_leaf && f->self.beside, .self = f->self };

	for (size_t i = 0; i < f->n; i++)
		if (f->p[i].beside)
			*VEC_PUSH(&out, l->arena) = f->p[i];
	out.sorted = out.n;
	return out;
}

static void folder_save(struct leaves *l, struct leaf_folder *f)
{
	if (f->n != 0 || f->is_leaf)
		store_put(l->store, l->kind, l->group, f->path, folder_pack(l->arena, f));
	else
		store_drop(l->store, l->kind, l->group, f->path);
	f->self.beside = f->reshaped = false;
	for (size_t i = 0; i < f->n; i++)
		f->p[i].beside = false;
	if (map_get(&l->beside, f->path) != NULL) {
		map_put(&l->beside, l->arena, f->path, NULL);
		l->beside_changed = true;
	}
}

/* False: it must be saved as a whole. */
static bool folder_save_beside(struct leaves *l, const struct leaf_folder *f)
{
	struct leaf_folder few;
	struct str *bytes;

	if (!leaves_are_outputs(l) || f->reshaped)
		return false;
	few = beside_take(l, f);
	if (few.n * BESIDE_PART > f->n)
		return false;
	bytes = ARENA_NEW(l->arena, struct str);
	*bytes = folder_pack(l->arena, &few);
	map_put(&l->beside, l->arena, few.path, bytes);
	l->beside_changed = true;
	return true;
}

static void beside_save(struct leaves *l)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < l->beside.n; i++) {
		const struct str *bytes = l->beside.entry[i].value;

		if (bytes == NULL)
			continue;
		pack_str(&b, l->beside.entry[i].key);
		pack_str(&b, *bytes);
	}
	if (b.n != 0)
		store_put(l->store, BESIDE_KIND, l->group, STR(""), buf_str(&b));
	else
		store_drop(l->store, BESIDE_KIND, l->group, STR(""));
	buf_release(&b);
}

void leaves_save(struct leaves *l, uint64_t generation)
{
	l->beside_changed = false;
	for (size_t i = 0; i < l->folder.n; i++) {
		struct leaf_folder *f = l->folder.entry[i].value;

		if (!f->changed)
			continue;
		leaf_date(&f->self, generation);
		for (size_t k = 0; k < f->n; k++)
			leaf_date(&f->p[k], generation);
		if (!folder_save_beside(l, f))
			folder_save(l, f);
		f->changed = false;
	}
	if (l->beside_changed)
		beside_save(l);
}

struct since {
	struct leaves *l;
	uint64_t since;
	void (*each)(void *ctx, const struct leaf *leaf);
	void *ctx;
};

static int folder_since(void *ctx, struct str name, struct str bytes)
{
	struct since *s = ctx;
	struct arena a = { 0 };
	struct leaf_folder f;
	int rc = folder_unpack(&a, name, bytes, &f);

	if (rc == 0 && f.is_leaf && f.self.changed > s->since)
		s->each(s->ctx, &f.self);
	for (size_t i = 0; rc == 0 && i < f.n; i++)
		if (f.p[i].changed > s->since) {
			f.p[i].path = path_join(&a, name, f.p[i].path);
			s->each(s->ctx, &f.p[i]);
		}
	arena_release(&a);
	return rc;
}

void leaves_changed_since(struct leaves *l, uint64_t since, void (*each)(void *, const struct leaf *), void *ctx)
{
	struct since s = { l, since, each, ctx };

	store_each(l->store, l->kind, l->group, folder_since, &s);
}

struct wanted {
	struct leaves *l;
	bool (*is_wanted)(void *, struct str);
	void *ctx;
};

static int folder_want(void *ctx, struct str name, struct str bytes)
{
	const struct wanted *w = ctx;

	(void)bytes;
	if (w->is_wanted(w->ctx, name))
		folder_get(w->l, name);
	return 0;
}

void leaves_each(struct leaves *l, bool (*is_wanted)(void *, struct str), void (*each)(void *, struct str, bool), void *ctx)
{
	struct wanted w = { l, is_wanted, ctx };

	store_each(l->store, l->kind, l->group, folder_want, &w);
	for (size_t i = 0; i < l->folder.n; i++) {
		const struct leaf_folder *f = l->folder.entry[i].value;

		if (!is_wanted(ctx, f->path))
			continue;
		if (f->is_leaf)
			each(ctx, f->path, true);
		for (size_t k = 0; k < f->n; k++)
			each(ctx, path_join(l->arena, f->path, f->p[k].path), false);
	}
}
