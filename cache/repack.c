#include "cache/repack.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { WASTE_LEAST = 64 << 10, CHEAP_PAGES = 256 };

bool env_is_wasteful(MDB_env *env, size_t most, size_t puts)
{
	MDB_envinfo info;
	MDB_stat st;
	uint64_t pages, used;

	if (mdb_env_info(env, &info) != 0 || mdb_env_stat(env, &st) != 0)
		return false;
	pages = info.me_last_pgno + 1;
	used = st.ms_branch_pages + st.ms_leaf_pages + st.ms_overflow_pages;
	if (used > CHEAP_PAGES) /* for each record that is put a page is written anew, but most are neighbours; of a small file all may be */
		puts /= 2;
	if (puts > used)
		puts = used;
	if (used + puts > pages)
		pages = used + puts;
	return pages * st.ms_psize > WASTE_LEAST && pages * st.ms_psize > (uint64_t)st.ms_entries * most * 5 / 4;
}

static int env_copy(MDB_env *env, MDB_env *to, env_copy_fn *copy, void *ctx)
{
	MDB_txn *read, *write;
	MDB_cursor *from, *into;
	MDB_dbi source, target;
	int rc = mdb_txn_begin(env, NULL, MDB_RDONLY, &read);

	if (rc != 0)
		return rc;
	rc = mdb_txn_begin(to, NULL, 0, &write);
	if (rc != 0)
		goto out;
	rc = mdb_dbi_open(read, NULL, 0, &source);
	if (rc == 0)
		rc = mdb_dbi_open(write, NULL, MDB_CREATE, &target);
	if (rc == 0)
		rc = mdb_cursor_open(write, target, &into); /* closed with its transaction */
	if (rc == 0)
		rc = mdb_cursor_open(read, source, &from);
	if (rc == 0) {
		rc = copy(ctx, from, into);
		mdb_cursor_close(from);
	}
	if (rc == 0)
		rc = mdb_txn_commit(write);
	else
		mdb_txn_abort(write);
out:
	mdb_txn_abort(read);
	return rc;
}

int env_repack(MDB_env *env, const char *path, const char *tmp, unsigned flags, env_copy_fn *copy, void *ctx)
{
	MDB_envinfo info;
	MDB_env *to;
	int rc = mdb_env_info(env, &info);

	unlink(tmp); /* of a run that was killed here */
	if (rc == 0)
		rc = mdb_env_create(&to);
	if (rc != 0)
		return rc;
	rc = mdb_env_set_mapsize(to, info.me_mapsize);
	if (rc == 0)
		rc = mdb_env_open(to, tmp, flags, 0666);
	if (rc == 0)
		rc = env_copy(env, to, copy, ctx);
	mdb_env_close(to);
	if (rc == 0 && rename(tmp, path) != 0)
		rc = errno;
	if (rc != 0)
		unlink(tmp);
	return rc;
}
