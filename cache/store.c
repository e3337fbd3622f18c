/*
 * store.c - see store.h.
 *
 * LMDB key: kind (1 byte), group (4, big endian), the first 12 bytes of the XXH3-128 of the name, number of the piece (4,
 * big endian). A record is cut into pieces of which four fill a page: LMDB gives whole pages of its own to
 * values above half a page, which would cost more than all names and hashes together. The pieces, joined:
 *
 *	8  XXH3-64 of the body, little endian
 *	n  length of the body (varint)
 *	n  body: name (packed text), then the record's bytes
 *
 * Header record, kind 'H', group 0, name "": "LHPSTORE", schema, byte order 0x01020304, build id (packed).
 */
#include "cache/store.h"
#include "base/pack.h"
#include "base/vec.h"
#include "cache/repack.h"
#include "cache/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_PREFIX = 5, KEY_RECORD = 17, KEY_SIZE = 21, PIECE = 988, MAP_START = 16 << 20, COPY_BLOCK = 256 * 1024 };

/* Not synced: after a power cut the seal tells, and the next run is cold. */
#define STORE_FLAGS (MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS | MDB_NORDAHEAD | MDB_NOSYNC)

struct staged {
	unsigned char key[KEY_SIZE]; /* of piece 0 */
	size_t order;                /* of the calls */
	struct str value;            /* empty: drop */
};

struct store {
	struct arena arena;
	struct str dir, build;
	MDB_env *env;
	MDB_txn *read;
	MDB_dbi dbi;
	int copy; /* of store_open_copy: the file in memory; else 0 */
	bool is_new;
	struct {
		VEC_OF(struct staged)
	} staged;
};

static int lmdb_errno(int rc)
{
	return rc == 0 ? 0 : rc > 0 ? -rc : rc == MDB_NOTFOUND ? -ENOENT : -EBADMSG;
}

static void u32_put(unsigned char at[4], uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (unsigned char)(v >> (24 - 8 * i));
}

static void prefix_make(char kind, uint32_t group, unsigned char key[KEY_SIZE])
{
	key[0] = (unsigned char)kind;
	u32_put(key + 1, group);
}

static void key_make(char kind, uint32_t group, struct str name, unsigned char key[KEY_SIZE])
{
	struct hash128 h = hash_bytes(name);

	prefix_make(kind, group, key);
	memcpy(key + KEY_PREFIX, h.b, KEY_RECORD - KEY_PREFIX);
	u32_put(key + KEY_RECORD, 0);
}

static void u64_put(struct buf *b, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		buf_addc(b, (char)(v >> (8 * i)));
}

static struct str value_make(struct arena *a, struct str name, struct str bytes)
{
	struct buf b = { 0 }, body = { 0 };
	struct str out;

	pack_str(&body, name);
	buf_add(&body, bytes);
	u64_put(&b, hash64(buf_str(&body)));
	pack_str(&b, buf_str(&body));
	out = buf_take(&b, a);
	buf_release(&b);
	buf_release(&body);
	return out;
}

/* A record that the cursor stands on, piece 0 first. */
struct reading {
	struct store *store;
	struct arena *arena; /* where its pieces are joined; */
	bool copies;         /* and what is one piece is copied */
	MDB_cursor *cursor;
	MDB_val k, v;
};

static struct str piece_of(const struct reading *r)
{
	return (struct str){ r->v.mv_data, r->v.mv_size };
}

/* The pieces that follow, as many as `left` says, added to `to`. */
static bool pieces_join(struct reading *r, char *to, size_t left)
{
	unsigned char want[KEY_SIZE];

	memcpy(want, r->k.mv_data, KEY_SIZE);
	for (uint32_t i = 1; left > 0; i++) {
		u32_put(want + KEY_RECORD, i);
		if (mdb_cursor_get(r->cursor, &r->k, &r->v, MDB_NEXT) != 0 || r->k.mv_size != KEY_SIZE ||
		    memcmp(r->k.mv_data, want, KEY_SIZE) != 0 || r->v.mv_size > left)
			return false;
		memcpy(to, r->v.mv_data, r->v.mv_size);
		to += r->v.mv_size;
		left -= r->v.mv_size;
	}
	return true;
}

/* The record's body: borrowed from the map when it is one piece, unless it must be copied. */
static bool body_read(struct reading *r, uint64_t *sum, struct str *body)
{
	struct unpack u = unpack_of(str_skip(piece_of(r), 8));
	MDB_envinfo info;
	char *joined;
	uint64_t n;

	if (r->v.mv_size < 8 || mdb_env_info(r->store->env, &info) != 0)
		return false;
	*sum = 0;
	for (int i = 0; i < 8; i++)
		*sum |= (uint64_t)((const unsigned char *)r->v.mv_data)[i] << (8 * i);
	n = unpack_uint(&u);
	*body = (struct str){ u.p, (size_t)(u.end - u.p) };
	if (u.bad || n < body->n || n > info.me_mapsize)
		return false;
	if (n == body->n && !r->copies)
		return true;
	joined = arena_alloc(r->arena, n);
	if (body->n != 0)
		memcpy(joined, body->p, body->n);
	if (!pieces_join(r, joined + body->n, n - body->n))
		return false;
	*body = (struct str){ joined, n };
	return true;
}

/* Splits a record into name and bytes; false when it is damaged. */
static bool record_read(struct reading *r, struct str *name, struct str *bytes)
{
	uint64_t sum;
	struct str body;
	struct unpack u;

	if (!body_read(r, &sum, &body) || hash64(body) != sum)
		return false;
	u = unpack_of(body);
	*name = unpack_str(&u);
	*bytes = (struct str){ u.p, (size_t)(u.end - u.p) };
	return !u.bad;
}

static bool is_first_piece(const struct reading *r)
{
	static const unsigned char zero[4];

	return r->k.mv_size == KEY_SIZE && memcmp((const char *)r->k.mv_data + KEY_RECORD, zero, sizeof zero) == 0;
}

/* Moves to the first piece at or after where the cursor is. */
static int first_piece_find(struct reading *r, int rc)
{
	while (rc == 0 && !is_first_piece(r))
		rc = mdb_cursor_get(r->cursor, &r->k, &r->v, MDB_NEXT);
	return rc;
}

static int record_next(struct reading *r)
{
	return first_piece_find(r, mdb_cursor_get(r->cursor, &r->k, &r->v, MDB_NEXT));
}

static struct str header_make(struct store *s)
{
	struct buf b = { 0 };
	struct str out;

	buf_add(&b, STR("LHPSTORE"));
	pack_uint(&b, STORE_SCHEMA);
	pack_uint(&b, 0x01020304);
	pack_str(&b, s->build);
	out = buf_take(&b, &s->arena);
	buf_release(&b);
	return out;
}

static const char *data_path(struct store *s)
{
	if (s->copy > 0)
		return str_fmt(&s->arena, "/proc/self/fd/%d", s->copy).p;
	return str_fmt(&s->arena, "%.*s/data.mdb", STR_ARG(s->dir)).p;
}

static int read_begin(struct store *s)
{
	int rc;

	if (s->is_new)
		return 0;
	rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &s->read);
	if (rc == 0)
		rc = mdb_dbi_open(s->read, NULL, 0, &s->dbi);
	return lmdb_errno(rc);
}

static void env_close(struct store *s)
{
	if (s->read != NULL)
		mdb_txn_abort(s->read);
	if (s->env != NULL)
		mdb_env_close(s->env);
	s->read = NULL;
	s->env = NULL;
}

static int env_open(struct store *s, size_t map_size)
{
	int rc = mdb_env_create(&s->env);

	if (rc == 0)
		rc = mdb_env_set_mapsize(s->env, map_size);
	if (rc == 0)
		rc = mdb_env_open(s->env, data_path(s), STORE_FLAGS, 0666);
	if (rc != 0)
		env_close(s);
	return lmdb_errno(rc);
}

/* Opens what is there: 0, -ENOENT when nothing is, -EILSEQ when another program made it, -EBADMSG when it is damaged. */
static int existing_open(struct store *s)
{
	struct stat st;
	size_t size = MAP_START;
	int rc;

	if (stat(data_path(s), &st) != 0)
		return -errno;
	if (!store_seal_fits(s->dir, data_path(s)))
		return -EBADMSG;
	while (size < (size_t)st.st_size)
		size *= 2;
	s->is_new = false;
	rc = env_open(s, size);
	if (rc == 0)
		rc = read_begin(s);
	if (rc == 0) {
		struct str header = store_get(s, &s->arena, 'H', 0, STR(""));

		if (!str_eq(header, header_make(s)))
			rc = header.p != NULL ? -EILSEQ : -EBADMSG;
	}
	if (rc != 0)
		env_close(s);
	return rc;
}

int store_open(struct store **out, struct str dir, struct str build, struct str *notice, struct arena *a)
{
	struct store *s = xmalloc(sizeof *s);
	struct str moved;
	int rc;

	*s = (struct store){ 0 };
	s->dir = str_dup(&s->arena, dir);
	s->build = str_dup(&s->arena, build);
	*notice = STR("");
	rc = existing_open(s);
	if (rc != 0) {
		s->is_new = true;
		if (rc != -ENOENT && store_set_aside(dir, &moved, a) == 0)
			*notice = str_fmt(a, "The cache %s and was moved to %.*s: this run is a cold one",
			                  rc == -EILSEQ ? "is of another version of lhp" : "could not be trusted", STR_ARG(moved));
	}
	*out = s;
	return 0;
}

static int file_copy(const char *from, int to)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	char *block;
	ssize_t got = -1;

	if (fd < 0)
		return -errno;
	block = xmalloc(COPY_BLOCK);
	while ((got = read(fd, block, COPY_BLOCK)) > 0 && write(to, block, (size_t)got) == got)
		;
	free(block);
	close(fd);
	return got == 0 ? 0 : -EIO;
}

int store_open_copy(struct store **out, struct str dir, struct str build)
{
	struct store *s = xmalloc(sizeof *s);
	int rc, fd;

	*s = (struct store){ .is_new = true };
	s->dir = str_dup(&s->arena, dir);
	s->build = str_dup(&s->arena, build);
	fd = memfd_create("lhp-store", MFD_CLOEXEC);
	rc = fd < 0 ? -errno : file_copy(data_path(s), fd);
	s->copy = fd;
	if (rc == 0)
		rc = existing_open(s);
	*out = rc == 0 ? s : NULL;
	if (rc != 0)
		store_close(s);
	return rc;
}

void store_close(struct store *s)
{
	struct arena own;

	if (s == NULL)
		return;
	env_close(s);
	if (s->copy > 0)
		close(s->copy);
	own = s->arena;
	free(s);
	arena_release(&own);
}

bool store_is_new(const struct store *s)
{
	return s->is_new;
}

struct str store_get(struct store *s, struct arena *a, char kind, uint32_t group, struct str name)
{
	unsigned char key[KEY_SIZE];
	struct reading r = { .store = s, .arena = a, .copies = true, .k = { KEY_SIZE, key } };
	struct str found, bytes = STR_NONE;

	if (s->read == NULL || mdb_cursor_open(s->read, s->dbi, &r.cursor) != 0)
		return STR_NONE;
	key_make(kind, group, name, key);
	if (mdb_cursor_get(r.cursor, &r.k, &r.v, MDB_SET_KEY) != 0 || !record_read(&r, &found, &bytes) || !str_eq(found, name))
		bytes = STR_NONE;
	mdb_cursor_close(r.cursor);
	return bytes;
}

static int records_walk(struct reading *r, const unsigned char *key, size_t prefix,
                        int (*each)(void *, struct str, struct str), void *ctx)
{
	int rc;

	for (rc = first_piece_find(r, mdb_cursor_get(r->cursor, &r->k, &r->v, MDB_SET_RANGE)); rc == 0; rc = record_next(r)) {
		struct str name, bytes;
		int stop;

		if (memcmp(r->k.mv_data, key, prefix) != 0)
			return 0;
		if (!record_read(r, &name, &bytes))
			return -EBADMSG;
		stop = each(ctx, name, bytes);
		if (stop != 0)
			return stop;
	}
	return rc == MDB_NOTFOUND ? 0 : lmdb_errno(rc);
}

/* Every record whose key begins with the first `prefix` bytes of that of (kind, group). */
static int prefix_each(struct store *s, char kind, uint32_t group, size_t prefix,
                       int (*each)(void *, struct str, struct str), void *ctx)
{
	unsigned char key[KEY_SIZE] = { 0 };
	struct reading r = { .store = s, .arena = &s->arena, .k = { KEY_SIZE, key } };
	int rc;

	prefix_make(kind, group, key);
	if (s->read == NULL)
		return 0;
	rc = mdb_cursor_open(s->read, s->dbi, &r.cursor);
	if (rc != 0)
		return lmdb_errno(rc);
	rc = records_walk(&r, key, prefix, each, ctx);
	mdb_cursor_close(r.cursor);
	return rc;
}

int store_each(struct store *s, char kind, uint32_t group, int (*each)(void *, struct str, struct str), void *ctx)
{
	return prefix_each(s, kind, group, KEY_PREFIX, each, ctx);
}

int store_each_group(struct store *s, char kind, int (*each)(void *, struct str, struct str), void *ctx)
{
	return prefix_each(s, kind, 0, 1, each, ctx);
}

size_t store_count_damaged(struct store *s)
{
	struct reading r = { .store = s, .arena = &s->arena };
	struct str name, bytes;
	size_t n = 0;

	if (s->read == NULL || mdb_cursor_open(s->read, s->dbi, &r.cursor) != 0)
		return 0;
	while (record_next(&r) == 0)
		n += !record_read(&r, &name, &bytes);
	mdb_cursor_close(r.cursor);
	return n;
}

static void stage(struct store *s, char kind, uint32_t group, struct str name, struct str value)
{
	struct staged *st = VEC_PUSH(&s->staged, &s->arena);

	key_make(kind, group, name, st->key);
	st->order = s->staged.n;
	st->value = value;
}

void store_put(struct store *s, char kind, uint32_t group, struct str name, struct str bytes)
{
	stage(s, kind, group, name, value_make(&s->arena, name, bytes));
}

void store_drop(struct store *s, char kind, uint32_t group, struct str name)
{
	stage(s, kind, group, name, STR(""));
}

bool store_is_dirty(const struct store *s)
{
	return s->staged.n != 0;
}

/* Drops the pieces from number `from` on. */
static int pieces_drop(MDB_txn *txn, MDB_dbi dbi, unsigned char key[KEY_SIZE], uint32_t from)
{
	MDB_val k = { KEY_SIZE, key };
	int rc;

	do {
		u32_put(key + KEY_RECORD, from++);
		rc = mdb_del(txn, dbi, &k, NULL);
	} while (rc == 0);
	return rc == MDB_NOTFOUND ? 0 : rc;
}

/* Puts a record; `append`: its key comes after all others, and pages may be filled to the brim. */
static int staged_apply(MDB_txn *txn, MDB_dbi dbi, const struct staged *st, bool append)
{
	unsigned char key[KEY_SIZE];
	MDB_val k = { KEY_SIZE, key };
	uint32_t n = 0;
	int rc = 0;

	memcpy(key, st->key, KEY_SIZE);
	for (size_t at = 0; rc == 0 && at < st->value.n; at += PIECE) {
		struct str piece = str_sub(st->value, at, at + PIECE);
		MDB_val v = { piece.n, (void *)(uintptr_t)piece.p };

		u32_put(key + KEY_RECORD, n++);
		rc = mdb_put(txn, dbi, &k, &v, append ? MDB_APPEND : 0);
	}
	return rc == 0 && !append ? pieces_drop(txn, dbi, key, n) : rc;
}

static int staged_cmp(const void *x, const void *y)
{
	const struct staged *a = x, *b = y;
	int c = memcmp(a->key, b->key, KEY_SIZE);

	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

/* In order of key, the last of each. */
static void staged_sort(struct store *s)
{
	size_t n = 0;

	if (s->staged.n != 0)
		qsort(s->staged.p, s->staged.n, sizeof *s->staged.p, staged_cmp);
	for (size_t i = 0; i < s->staged.n; i++)
		if (i + 1 == s->staged.n || memcmp(s->staged.p[i].key, s->staged.p[i + 1].key, KEY_SIZE) != 0)
			s->staged.p[n++] = s->staged.p[i];
	s->staged.n = n;
}

static int commit_once(struct store *s)
{
	MDB_txn *txn;
	MDB_dbi dbi;
	MDB_stat st;
	int rc = mdb_txn_begin(s->env, NULL, 0, &txn);

	if (rc != 0)
		return rc;
	rc = mdb_dbi_open(txn, NULL, MDB_CREATE, &dbi);
	if (rc == 0)
		rc = mdb_stat(txn, dbi, &st);
	for (size_t i = 0; rc == 0 && i < s->staged.n; i++)
		rc = staged_apply(txn, dbi, &s->staged.p[i], st.ms_entries == 0);
	if (rc != 0) {
		mdb_txn_abort(txn);
		return rc;
	}
	return mdb_txn_commit(txn);
}

static int map_double(struct store *s)
{
	MDB_envinfo info;
	int rc = mdb_env_info(s->env, &info);

	return rc == 0 ? mdb_env_set_mapsize(s->env, info.me_mapsize * 2) : rc;
}

/* A file that cannot be made anew is no loss: the old one is whole. */
static int repack(struct store *s)
{
	const char *tmp = str_fmt(&s->arena, "%.*s/.data.mdb.lhp-tmp", STR_ARG(s->dir)).p;
	MDB_envinfo info;

	if (!env_is_wasteful(s->env, PIECE + KEY_SIZE) || mdb_env_info(s->env, &info) != 0 ||
	    env_repack(s->env, data_path(s), tmp, STORE_FLAGS) != 0)
		return 0;
	env_close(s);
	return env_open(s, info.me_mapsize);
}

int store_commit(struct store *s)
{
	int rc = 0;

	if (s->staged.n == 0)
		return 0;
	if (s->env == NULL) {
		rc = env_open(s, MAP_START);
		if (rc != 0)
			return rc;
		store_put(s, 'H', 0, STR(""), header_make(s));
	}
	if (s->read != NULL)
		mdb_txn_abort(s->read);
	s->read = NULL;
	staged_sort(s);
	/* A run killed from here on leaves a broken seal, and the next one is cold. */
	rc = store_seal_break(s->dir);
	if (rc != 0)
		return rc;
	rc = commit_once(s);
	while (rc == MDB_MAP_FULL) {
		rc = map_double(s);
		if (rc == 0)
			rc = commit_once(s);
	}
	if (rc != 0)
		return lmdb_errno(rc);
	s->staged.n = 0;
	s->is_new = false;
	rc = repack(s);
	if (rc == 0)
		rc = store_seal_make(s->dir);
	return rc != 0 ? rc : read_begin(s);
}

void store_measure(struct store *s, struct store_size *out)
{
	struct reading r = { .store = s };
	struct stat st;

	*out = (struct store_size){ 0 };
	if (stat(data_path(s), &st) == 0)
		out->file_bytes = (uint64_t)st.st_size;
	if (s->read == NULL || mdb_cursor_open(s->read, s->dbi, &r.cursor) != 0)
		return;
	while (mdb_cursor_get(r.cursor, &r.k, &r.v, MDB_NEXT) == 0) {
		unsigned kind = *(const unsigned char *)r.k.mv_data & 127;

		out->record_bytes += r.v.mv_size;
		out->bytes_by_kind[kind] += r.v.mv_size;
		out->records += is_first_piece(&r);
		out->by_kind[kind] += is_first_piece(&r);
	}
	mdb_cursor_close(r.cursor);
}
