/*
 * archive.c - see archive.h.
 *
 *	8   "LHPCACHE"
 *	n   schema of the archive, schema of the store, build id (packed), size of the data file
 *	n   the data file
 *	16  XXH3-128 of all before
 */
#include "cache/archive.h"

#include "base/pack.h"
#include "base/path.h"
#include "cache/seal.h"
#include "cache/store.h"

#include <errno.h>

static const char MAGIC[8] = { 'L', 'H', 'P', 'C', 'A', 'C', 'H', 'E' };

enum { ARCHIVE_SCHEMA = 1, SUM = 16 };

static void head_pack(struct buf *b, struct str build)
{
	buf_add(b, (struct str){ MAGIC, sizeof MAGIC });
	pack_uint(b, ARCHIVE_SCHEMA);
	pack_uint(b, STORE_SCHEMA);
	pack_str(b, build);
}

int archive_export(struct fs *fs, struct str dir, struct str build, struct str file, struct arena *a)
{
	struct buf b = { 0 };
	struct str data;
	struct store *s;
	int rc;

	/* Opened to know that it is whole and ours. */
	rc = store_open_copy(&s, dir, build);
	if (rc != 0)
		return rc;
	store_close(s);
	rc = fs_read(fs, path_join(a, dir, STR("data.mdb")), a, &data, NULL);
	if (rc != 0)
		return rc;
	head_pack(&b, build);
	pack_str(&b, data);
	pack_hash(&b, hash_bytes(buf_str(&b)));
	rc = fs_replace(fs, file, buf_str(&b));
	buf_release(&b);
	return rc;
}

/* The data file in an archive. */
static int data_find(struct str bytes, struct str build, struct str *data)
{
	struct str body = str_sub(bytes, 0, bytes.n >= SUM ? bytes.n - SUM : 0);
	struct unpack sum = unpack_of(str_skip(bytes, body.n)), u;
	uint64_t archive, store;
	struct str by;

	if (!str_starts(body, (struct str){ MAGIC, sizeof MAGIC }) || !hash_eq(hash_bytes(body), unpack_hash(&sum)))
		return -EBADMSG;
	u = unpack_of(str_skip(body, sizeof MAGIC));
	archive = unpack_uint(&u);
	store = unpack_uint(&u);
	by = unpack_str(&u);
	if (!u.bad && (archive != ARCHIVE_SCHEMA || store != STORE_SCHEMA || !str_eq(by, build)))
		return -EILSEQ;
	*data = unpack_str(&u);
	return unpack_done(&u) ? 0 : -EBADMSG;
}

int archive_import(struct fs *fs, struct str dir, struct str build, struct str file, struct arena *a)
{
	struct str bytes, data, notice;
	struct store *s;
	int rc = fs_read(fs, file, a, &bytes, NULL);

	if (rc == 0)
		rc = data_find(bytes, build, &data);
	if (rc == 0)
		rc = store_seal_break(dir);
	if (rc == 0) {
		int sealed;

		rc = fs_replace(fs, path_join(a, dir, STR("data.mdb")), data);
		sealed = store_seal_make(dir); /* when there is no room for it, again of what was there */
		rc = rc != 0 ? rc : sealed;
	}
	if (rc == 0)
		rc = store_open(&s, dir, build, &notice, a);
	if (rc != 0)
		return rc;
	rc = store_is_new(s) ? -EBADMSG : 0;
	if (rc == 0) {
		store_put(s, 'I', 0, STR(""), STR("verify"));
		rc = store_commit(s);
	}
	store_close(s);
	return rc;
}
