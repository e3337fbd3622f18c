/* commit.c - what is put into a store: kept until the commit, which writes it in one transaction, or with all else into a new file. */
#include "base/pack.h"
#include "cache/repack.h"
#include "cache/seal.h"
#include "cache/store_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void stage(struct store *s, char kind, uint32_t group, struct str name, struct str value)
{
	struct staged *st = VEC_PUSH(&s->staged, &s->arena);

	store_key(kind, group, name, st->key);
	st->order = s->staged.n;
	st->value = value;
}

void store_put(struct store *s, char kind, uint32_t group, struct str name, struct str bytes)
{
	pthread_mutex_lock(&s->lock);
	stage(s, kind, group, name, value_make(&s->arena, name, bytes));
	pthread_mutex_unlock(&s->lock);
}

void store_drop(struct store *s, char kind, uint32_t group, struct str name)
{
	pthread_mutex_lock(&s->lock);
	stage(s, kind, group, name, STR(""));
	pthread_mutex_unlock(&s->lock);
}

bool store_is_dirty(const struct store *s)
{
	return s->staged.n != 0;
}

/* Drops the pieces from number `from` on. */
static int pieces_drop(MDB_cursor *to, unsigned char key[KEY_SIZE], uint32_t from)
{
	MDB_val k = { KEY_SIZE, key };
	int rc;

	do {
		store_key_piece(key, from++);
		rc = mdb_cursor_get(to, &k, NULL, MDB_SET);
		if (rc == 0)
			rc = mdb_cursor_del(to, 0);
	} while (rc == 0);
	return rc == MDB_NOTFOUND ? 0 : rc;
}

/* Puts a record; `append`: its key comes after all others, and pages may be filled to the brim. */
static int staged_apply(MDB_cursor *to, const struct staged *st, bool append)
{
	unsigned char key[KEY_SIZE];
	MDB_val k = { KEY_SIZE, key };
	uint32_t n = 0;
	int rc = 0;

	memcpy(key, st->key, KEY_SIZE);
	for (size_t at = 0; rc == 0 && at < st->value.n; at += PIECE) {
		struct str piece = str_sub(st->value, at, at + PIECE);
		MDB_val v = { piece.n, (void *)(uintptr_t)piece.p };

		store_key_piece(key, n++);
		rc = mdb_cursor_put(to, &k, &v, append ? MDB_APPEND : 0);
	}
	return rc == 0 && !append ? pieces_drop(to, key, n) : rc;
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
	MDB_cursor *to;
	MDB_stat st;
	int rc = mdb_txn_begin(s->env, NULL, 0, &txn);

	if (rc != 0)
		return rc;
	rc = mdb_dbi_open(txn, NULL, MDB_CREATE, &dbi);
	if (rc == 0)
		rc = mdb_stat(txn, dbi, &st);
	if (rc == 0)
		rc = mdb_cursor_open(txn, dbi, &to);
	for (size_t i = 0; rc == 0 && i < s->staged.n; i++)
		rc = staged_apply(to, &s->staged.p[i], st.ms_entries == 0);
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

/* A place in the old file, on the way through it. */
struct merging {
	MDB_cursor *from;
	MDB_val k, v;
	int rc;      /* 0: it stands on a value; MDB_NOTFOUND: there are no more */
};

static void merging_next(struct merging *m, MDB_cursor_op op)
{
	m->rc = mdb_cursor_get(m->from, &m->k, &m->v, op);
}

/* Copies what comes before the record (NULL: all that is left), and passes over what it replaces. */
static int values_copy(struct merging *m, MDB_cursor *to, const struct staged *record)
{
	for (; m->rc == 0; merging_next(m, MDB_NEXT)) {
		int order = record != NULL ? memcmp(m->k.mv_data, record->key, KEY_RECORD) : -1;
		int rc = order < 0 ? mdb_cursor_put(to, &m->k, &m->v, MDB_APPEND) : 0;

		if (rc != 0)
			return rc;
		if (order > 0)
			return 0;
	}
	return m->rc == MDB_NOTFOUND ? 0 : m->rc;
}

/* All values, what is staged among them. */
static int values_merge(void *store, MDB_cursor *from, MDB_cursor *to)
{
	struct store *s = store;
	struct merging m = { .from = from };
	int rc = 0;

	merging_next(&m, MDB_FIRST);
	for (size_t i = 0; rc == 0 && i < s->staged.n; i++) {
		rc = values_copy(&m, to, &s->staged.p[i]);
		if (rc == 0)
			rc = staged_apply(to, &s->staged.p[i], true);
	}
	return rc == 0 ? values_copy(&m, to, NULL) : rc;
}

static size_t staged_pieces(const struct store *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->staged.n; i++)
		n += (s->staged.p[i].value.n + PIECE - 1) / PIECE;
	return n;
}

/*
 * Makes the file anew, and closes the old one, when that is wasteful, or would be with what is staged, which then is in it. False: it
 * was not made. One that cannot be made anew is no loss: the old one is whole.
 */
static bool repack(struct store *s)
{
	const char *tmp = str_fmt(&s->arena, "%.*s/.data.mdb.lhp-tmp", STR_ARG(s->dir)).p;
	bool done = env_is_wasteful(s->env, PIECE + KEY_SIZE, staged_pieces(s)) &&
	            env_repack(s->env, store_data_path(s), tmp, STORE_FLAGS, values_merge, s) == 0;

	if (done)
		store_env_close(s);
	return done;
}

static int commit_growing(struct store *s)
{
	int rc = commit_once(s);

	while (rc == MDB_MAP_FULL) {
		rc = map_double(s);
		if (rc == 0)
			rc = commit_once(s);
	}
	return store_errno(rc);
}

static int staged_commit(struct store *s)
{
	int rc;

	if (!s->is_new && repack(s))
		return 0;
	rc = commit_growing(s);
	s->staged.n = 0;
	if (rc == 0)
		repack(s);
	return rc;
}

static off_t data_size(struct store *s)
{
	struct stat st;

	return stat(store_data_path(s), &st) == 0 ? st.st_size : 0;
}

/* LMDB calls every short write EIO: one more byte tells why it was short. */
static int short_write_reason(struct store *s)
{
	int fd = open(store_data_path(s), O_WRONLY | O_CLOEXEC), rc = -EIO;

	if (fd < 0)
		return rc;
	if (pwrite(fd, "", 1, data_size(s)) < 0)
		rc = -errno;
	close(fd);
	return rc;
}

/*
 * Commits; or leaves the file as whole as it was: LMDB writes over free pages only, and last of all the one that makes the new ones
 * count. What it grew by goes, so that the disk is no fuller.
 */
static int whole_commit(struct store *s)
{
	off_t before = data_size(s);
	int rc = staged_commit(s);

	if (rc == -EIO)
		rc = short_write_reason(s);
	if (rc == 0)
		return 0;
	store_env_close(s);
	if (data_size(s) > before && truncate(store_data_path(s), before) != 0)
		rc = -errno;
	return rc;
}

/* The first commit: a store without a record is not left behind. */
static int first_commit(struct store *s)
{
	int rc = store_env_open(s, 0);

	if (rc == 0) {
		store_put(s, 'H', 0, STR(""), store_header(s));
		staged_sort(s);
		rc = whole_commit(s);
	}
	if (rc == 0)
		rc = store_seal_make(s->dir);
	if (rc != 0)
		unlink(store_data_path(s));
	return rc;
}

/* The seal is made again also for what stays. */
static int next_commit(struct store *s)
{
	int rc, sealed;

	if (s->read != NULL)
		mdb_txn_abort(s->read);
	s->read = NULL;
	staged_sort(s);
	rc = whole_commit(s);
	sealed = store_seal_make(s->dir);
	return rc != 0 ? rc : sealed;
}

/* Has nobody else written to the file, or put another in its place? */
static bool is_as_sealed(struct store *s)
{
	struct stat now;

	return stat(store_data_path(s), &now) == 0 && now.st_ino == s->file.st_ino && now.st_size == s->file.st_size &&
	       now.st_mtim.tv_sec == s->file.st_mtim.tv_sec && now.st_mtim.tv_nsec == s->file.st_mtim.tv_nsec;
}

int store_commit(struct store *s)
{
	int rc;

	if (s->staged.n == 0)
		return 0;
	if (s->unwritable != 0)
		return s->unwritable;
	/* A new seal would say that what they wrote is good. Without one the next run is cold. */
	if (!s->is_new && !is_as_sealed(s))
		return store_seal_break(s->dir);
	/* A run killed from here on leaves a broken seal, and the next one is cold. */
	rc = s->is_new ? store_rest_clear(s->dir) : store_seal_break(s->dir);
	if (rc == 0)
		rc = s->is_new ? first_commit(s) : next_commit(s);
	if (rc == 0 && stat(store_data_path(s), &s->file) != 0)
		rc = -errno;
	if (rc != 0)
		return rc;
	s->staged.n = 0;
	s->is_new = false;
	if (s->env == NULL)
		rc = store_env_open(s, (size_t)data_size(s));
	return rc != 0 ? rc : store_read_begin(s);
}
