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
#include "cache/store_state.h"
#include "base/pack.h"
#include "cache/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int store_errno(int rc)
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

void store_key_piece(unsigned char key[KEY_SIZE], uint32_t piece)
{
	u32_put(key + KEY_RECORD, piece);
}

void store_key(char kind, uint32_t group, struct str name, unsigned char key[KEY_SIZE])
{
	struct hash128 h = hash_bytes(name);

	prefix_make(kind, group, key);
	memcpy(key + KEY_PREFIX, h.b, KEY_RECORD - KEY_PREFIX);
	store_key_piece(key, 0);
}

enum { COPY_BLOCK = 64 * 1024 };

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
		store_key_piece(want, i);
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

struct str store_header(struct store *s)
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

const char *store_data_path(struct store *s)
{
	if (s->copy > 0)
		return str_fmt(&s->arena, "/proc/self/fd/%d", s->copy).p;
	return str_fmt(&s->arena, "%.*s/data.mdb", STR_ARG(s->dir)).p;
}

int store_read_begin(struct store *s)
{
	int rc;

	if (s->is_new)
		return 0;
	rc = mdb_txn_begin(s->env, NULL, MDB_RDONLY, &s->read);
	if (rc == 0)
		rc = mdb_dbi_open(s->read, NULL, 0, &s->dbi);
	return store_errno(rc);
}

void store_env_close(struct store *s)
{
	if (s->read != NULL)
		mdb_txn_abort(s->read);
	if (s->env != NULL)
		mdb_env_close(s->env);
	s->read = NULL;
	s->env = NULL;
}

static int env_try(struct store *s, size_t map_size, unsigned flags)
{
	int rc = mdb_env_create(&s->env);

	if (rc == 0)
		rc = mdb_env_set_mapsize(s->env, map_size);
	if (rc == 0)
		rc = mdb_env_open(s->env, store_data_path(s), flags, 0666);
	if (rc != 0)
		store_env_close(s);
	return rc;
}

int store_env_open(struct store *s, size_t size)
{
	size_t map_size = MAP_START;
	int rc;

	while (map_size < size)
		map_size *= 2;
	rc = env_try(s, map_size, STORE_FLAGS);
	if (rc != EROFS && rc != EACCES)
		return store_errno(rc);
	s->unwritable = store_errno(rc);
	return env_try(s, map_size, STORE_FLAGS | MDB_RDONLY) == 0 ? 0 : s->unwritable;
}

/* Opens what is there: 0, -ENOENT when nothing is, -EILSEQ when another program made it, -EBADMSG when it is damaged. */
static int existing_open(struct store *s)
{
	int rc;

	if (stat(store_data_path(s), &s->file) != 0)
		return -errno;
	if (!S_ISREG(s->file.st_mode) || !store_seal_fits(s->dir, store_data_path(s)))
		return -EBADMSG;
	s->is_new = false;
	rc = store_env_open(s, (size_t)s->file.st_size);
	if (rc == 0)
		rc = store_read_begin(s);
	if (rc == 0) {
		struct str header = store_get(s, &s->arena, 'H', 0, STR(""));

		if (!str_eq(header, store_header(s)))
			rc = header.p != NULL ? -EILSEQ : -EBADMSG;
	}
	if (rc != 0)
		store_env_close(s);
	return rc;
}

int store_open(struct store **out, struct str dir, struct str build, struct str *notice, struct arena *a)
{
	struct store *s = xmalloc(sizeof *s);
	struct str moved;
	int rc;

	*s = (struct store){ .lock = PTHREAD_MUTEX_INITIALIZER };
	s->dir = str_dup(&s->arena, dir);
	s->build = str_dup(&s->arena, build);
	*notice = STR("");
	rc = existing_open(s);
	s->is_new = rc != 0;
	if (rc != 0 && rc != -ENOENT) {
		s->unwritable = store_set_aside(dir, &moved, a);
		if (s->unwritable == 0)
			*notice = str_fmt(a, "The cache %s and was moved to %.*s: this run is a cold one",
			                  rc == -EILSEQ ? "is of another version of lhp" : "could not be trusted", STR_ARG(moved));
	}
	*out = s;
	return 0;
}

static int file_copy(const char *from, int to)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

	*s = (struct store){ .lock = PTHREAD_MUTEX_INITIALIZER, .is_new = true };
	s->dir = str_dup(&s->arena, dir);
	s->build = str_dup(&s->arena, build);
	fd = memfd_create("lhp-store", MFD_CLOEXEC);
	rc = fd < 0 ? -errno : file_copy(store_data_path(s), fd);
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
	store_env_close(s);
	if (s->copy > 0)
		close(s->copy);
	own = s->arena;
	pthread_mutex_destroy(&s->lock);
	free(s);
	arena_release(&own);
}

bool store_is_new(const struct store *s)
{
	return s->is_new;
}

static struct str record_get(struct store *s, struct arena *a, char kind, uint32_t group, struct str name)
{
	unsigned char key[KEY_SIZE];
	struct reading r = { .store = s, .arena = a, .copies = true, .k = { KEY_SIZE, key } };
	struct str found, bytes = STR_NONE;

	if (s->read == NULL || mdb_cursor_open(s->read, s->dbi, &r.cursor) != 0)
		return STR_NONE;
	store_key(kind, group, name, key);
	if (mdb_cursor_get(r.cursor, &r.k, &r.v, MDB_SET_KEY) != 0 || !record_read(&r, &found, &bytes) || !str_eq(found, name))
		bytes = STR_NONE;
	mdb_cursor_close(r.cursor);
	return bytes;
}

struct str store_get(struct store *s, struct arena *a, char kind, uint32_t group, struct str name)
{
	struct str bytes;

	pthread_mutex_lock(&s->lock);
	bytes = record_get(s, a, kind, group, name);
	pthread_mutex_unlock(&s->lock);
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
	return rc == MDB_NOTFOUND ? 0 : store_errno(rc);
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
		return store_errno(rc);
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

void store_measure(struct store *s, struct store_size *out)
{
	struct reading r = { .store = s };
	struct stat st;

	*out = (struct store_size){ 0 };
	if (stat(store_data_path(s), &st) == 0)
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
