/*
 * store.c - see store.h.
 *
 * LMDB key: kind (1 byte), group (4, big endian), the first 12 bytes of the XXH3-128 of the name. Value:
 *
 *	8  XXH3-64 of all that follows, little endian
 *	n  name (packed text), then the record's bytes
 *
 * Header record, kind 'H', group 0, name "": "LHPSTORE", schema, byte order 0x01020304, build id (packed).
 */
#include "cache/store.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/vec.h"
#include "cache/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_SIZE = 17, MAP_START = 16 << 20, COPY_BLOCK = 256 * 1024 };

/* Not synced: after a power cut the seal tells, and the next run is cold. */
#define STORE_FLAGS (MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS | MDB_NORDAHEAD | MDB_NOSYNC)

struct staged {
	char kind;
	uint32_t group;
	struct str name, value; /* value.p == NULL: drop */
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

enum { KEY_PREFIX = 5 };

static void prefix_make(char kind, uint32_t group, unsigned char key[KEY_SIZE])
{
	key[0] = (unsigned char)kind;
	for (int i = 0; i < 4; i++)
		key[1 + i] = (unsigned char)(group >> (24 - 8 * i));
}

static void key_make(char kind, uint32_t group, struct str name, unsigned char key[KEY_SIZE])
{
	struct hash128 h = hash_bytes(name);

	prefix_make(kind, group, key);
	memcpy(key + KEY_PREFIX, h.b, KEY_SIZE - KEY_PREFIX);
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
	buf_add(&b, buf_str(&body));
	out = buf_take(&b, a);
	buf_release(&b);
	buf_release(&body);
	return out;
}

/* Splits a value into name and bytes; false when its checksum is wrong. */
static bool value_open(struct str value, struct str *name, struct str *bytes)
{
	uint64_t sum = 0;
	struct unpack u;

	if (value.n < 8)
		return false;
	for (int i = 0; i < 8; i++)
		sum |= (uint64_t)(unsigned char)value.p[i] << (8 * i);
	value = str_skip(value, 8);
	if (hash64(value) != sum)
		return false;
	u = unpack_of(value);
	*name = unpack_str(&u);
	*bytes = (struct str){ u.p, (size_t)(u.end - u.p) };
	return !u.bad;
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

/* Opens what is there: 0, -ENOENT when nothing is, -EBADMSG when it is not to be trusted. */
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
	if (rc == 0 && !str_eq(store_get(s, 'H', 0, STR("")), header_make(s)))
		rc = -EBADMSG;
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
			*notice = str_fmt(a, "The cache could not be trusted and was moved to %.*s: this run is a cold one", STR_ARG(moved));
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

struct str store_get(struct store *s, char kind, uint32_t group, struct str name)
{
	unsigned char key[KEY_SIZE];
	MDB_val k = { KEY_SIZE, key }, v;
	struct str found, bytes;

	if (s->read == NULL)
		return STR_NONE;
	key_make(kind, group, name, key);
	if (mdb_get(s->read, s->dbi, &k, &v) != 0)
		return STR_NONE;
	if (!value_open((struct str){ v.mv_data, v.mv_size }, &found, &bytes) || !str_eq(found, name))
		return STR_NONE;
	return bytes;
}

/* Every record whose key begins with the first `prefix` bytes of that of (kind, group). */
static int prefix_each(struct store *s, char kind, uint32_t group, size_t prefix,
                       int (*each)(void *, struct str, struct str), void *ctx)
{
	unsigned char key[KEY_SIZE] = { 0 };
	MDB_val k = { KEY_SIZE, key }, v;
	MDB_cursor *cursor;
	int rc;

	prefix_make(kind, group, key);
	if (s->read == NULL)
		return 0;
	rc = mdb_cursor_open(s->read, s->dbi, &cursor);
	if (rc != 0)
		return lmdb_errno(rc);
	for (rc = mdb_cursor_get(cursor, &k, &v, MDB_SET_RANGE); rc == 0; rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) {
		struct str name, bytes;
		int stop;

		if (k.mv_size != KEY_SIZE || memcmp(k.mv_data, key, prefix) != 0)
			break;
		if (!value_open((struct str){ v.mv_data, v.mv_size }, &name, &bytes)) {
			mdb_cursor_close(cursor);
			return -EBADMSG;
		}
		stop = each(ctx, name, bytes);
		if (stop != 0) {
			mdb_cursor_close(cursor);
			return stop;
		}
	}
	mdb_cursor_close(cursor);
	return rc == 0 || rc == MDB_NOTFOUND ? 0 : lmdb_errno(rc);
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
	MDB_cursor *cursor;
	MDB_val k, v;
	struct str name, bytes;
	size_t n = 0;

	if (s->read == NULL || mdb_cursor_open(s->read, s->dbi, &cursor) != 0)
		return 0;
	while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0)
		n += !value_open((struct str){ v.mv_data, v.mv_size }, &name, &bytes);
	mdb_cursor_close(cursor);
	return n;
}

void store_put(struct store *s, char kind, uint32_t group, struct str name, struct str bytes)
{
	name = str_dup(&s->arena, name);
	*VEC_PUSH(&s->staged, &s->arena) = (struct staged){ kind, group, name, value_make(&s->arena, name, bytes) };
}

void store_drop(struct store *s, char kind, uint32_t group, struct str name)
{
	*VEC_PUSH(&s->staged, &s->arena) = (struct staged){ kind, group, str_dup(&s->arena, name), STR_NONE };
}

bool store_is_dirty(const struct store *s)
{
	return s->staged.n != 0;
}

static int staged_apply(MDB_txn *txn, MDB_dbi dbi, const struct staged *st)
{
	unsigned char key[KEY_SIZE];
	MDB_val k = { KEY_SIZE, key }, v = { st->value.n, (void *)(uintptr_t)st->value.p };
	int rc;

	key_make(st->kind, st->group, st->name, key);
	if (st->value.p != NULL)
		return mdb_put(txn, dbi, &k, &v, 0);
	rc = mdb_del(txn, dbi, &k, NULL);
	return rc == MDB_NOTFOUND ? 0 : rc;
}

static int commit_once(struct store *s)
{
	MDB_txn *txn;
	MDB_dbi dbi;
	int rc = mdb_txn_begin(s->env, NULL, 0, &txn);

	if (rc != 0)
		return rc;
	rc = mdb_dbi_open(txn, NULL, MDB_CREATE, &dbi);
	for (size_t i = 0; rc == 0 && i < s->staged.n; i++)
		rc = staged_apply(txn, dbi, &s->staged.p[i]);
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
	rc = store_seal_make(s->dir);
	return rc != 0 ? rc : read_begin(s);
}

void store_measure(struct store *s, struct store_size *out)
{
	MDB_cursor *cursor;
	MDB_val k, v;
	struct stat st;

	*out = (struct store_size){ 0 };
	if (stat(data_path(s), &st) == 0)
		out->file_bytes = (uint64_t)st.st_size;
	if (s->read == NULL || mdb_cursor_open(s->read, s->dbi, &cursor) != 0)
		return;
	while (mdb_cursor_get(cursor, &k, &v, MDB_NEXT) == 0) {
		out->records++;
		out->record_bytes += v.mv_size;
		out->by_kind[*(const unsigned char *)k.mv_data & 127]++;
	}
	mdb_cursor_close(cursor);
}
