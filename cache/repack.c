#include "cache/repack.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { WASTE_LEAST = 64 << 10 };

bool env_is_wasteful(MDB_env *env, size_t most)
{
	MDB_envinfo info;
	MDB_stat st;
	uint64_t bytes;

	if (mdb_env_info(env, &info) != 0 || mdb_env_stat(env, &st) != 0)
		return false;
	bytes = (uint64_t)(info.me_last_pgno + 1) * st.ms_psize;
	return bytes > WASTE_LEAST && bytes > (uint64_t)st.ms_entries * most * 3 / 2;
}

static int values_copy(MDB_txn *from, MDB_txn *to)
{
	MDB_cursor *cursor;
	MDB_val k, v;
	MDB_dbi source, target;
	int rc = mdb_dbi_open(from, NULL, 0, &source);

	if (rc == 0)
		rc = mdb_dbi_open(to, NULL, MDB_CREATE, &target);
	if (rc == 0)
		rc = mdb_cursor_open(from, source, &cursor);
	if (rc != 0)
		return rc;
	while ((rc = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) == 0)
		if ((rc = mdb_put(to, target, &k, &v, MDB_APPEND)) != 0)
			break;
	mdb_cursor_close(cursor);
	return rc == MDB_NOTFOUND ? 0 : rc;
}

static int env_copy(MDB_env *env, MDB_env *to)
{
	MDB_txn *read, *write;
	int rc = mdb_txn_begin(env, NULL, MDB_RDONLY, &read);

	if (rc != 0)
		return rc;
	rc = mdb_txn_begin(to, NULL, 0, &write);
	if (rc == 0) {
		rc = values_copy(read, write);
		if (rc == 0)
			rc = mdb_txn_commit(write);
		else
			mdb_txn_abort(write);
	}
	mdb_txn_abort(read);
	return rc;
}

int env_repack(MDB_env *env, const char *path, const char *tmp, unsigned flags)
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
		rc = env_copy(env, to);
	mdb_env_close(to);
	if (rc == 0 && rename(tmp, path) != 0)
		rc = errno;
	if (rc != 0)
		unlink(tmp);
	return rc;
}
