/*
 * store.h - records that outlive a run, in LMDB, trusted only when whole.
 *
 * A record is (kind, group, name) -> bytes; a group is what is walked together. Every record carries its own XXH3-64; the
 * header record has magic, schema, byte order and build id; and the file `seal`
 * holds size and XXH3-128 of the whole data file, checked before LMDB sees a
 * page: LMDB has no checksums and can crash on a damaged file. Any doubt: the
 * file is moved to cache.bad-N beside the cache folder, *notice says so in one line, and the
 * store is open and empty.
 *
 * Reading never writes: no lock file, no reader table (MDB_NOLOCK); runs that
 * write hold cache/lock.h. What the walks give is borrowed from the map or the
 * store's memory, and good until store_commit or store_close. Puts are kept in memory until
 * store_commit applies them in one transaction; a full map is doubled and the
 * transaction tried again. To a file that somebody else wrote to since it was opened nothing is committed, and it loses
 * its seal. Get, put and drop are for any thread, with an arena of its own; all else for one at a time.
 *
 * Names are root-relative paths or made of them: nothing in here is absolute,
 * so the folder can be moved and copied to another machine.
 *
 * Errors are negative errno values; -EBADMSG for a damaged record.
 */
#ifndef LHP_CACHE_STORE_H
#define LHP_CACHE_STORE_H

#include "base/arena.h"
#include "base/str.h"

struct store;

enum { STORE_SCHEMA = 7 };

/* Opens or makes the store in the absolute folder `dir`. `build`: identity of the program; another one's store is set aside. */
int store_open(struct store **out, struct str dir, struct str build, struct str *notice, struct arena *a);
/*
 * Opens a copy of what is there, in memory, without the lock: nothing on disk is touched or moved. -ENOENT when there is
 * none, -EILSEQ when another program made it, -EBADMSG when it is damaged or being written at this moment. Never commit it.
 */
int store_open_copy(struct store **out, struct str dir, struct str build);
void store_close(struct store *s);
bool store_is_new(const struct store *s); /* nothing was there, or nothing could be trusted */

/* A copy in `a`; p == NULL: not there. */
struct str store_get(struct store *s, struct arena *a, char kind, uint32_t group, struct str name);
/* Calls `each` for all records of a kind and group, in key order, until it returns non-zero, and returns that. */
int store_each(struct store *s, char kind, uint32_t group, int (*each)(void *ctx, struct str name, struct str bytes), void *ctx);
/* The same for all groups of a kind. */
int store_each_group(struct store *s, char kind, int (*each)(void *ctx, struct str name, struct str bytes), void *ctx);
/* Records whose own checksum is wrong, of all there are. */
size_t store_count_damaged(struct store *s);

void store_put(struct store *s, char kind, uint32_t group, struct str name, struct str bytes); /* bytes are copied */
void store_drop(struct store *s, char kind, uint32_t group, struct str name);
bool store_is_dirty(const struct store *s);
int store_commit(struct store *s);

/* Sets the files of a store aside without opening it. */
int store_set_aside(struct str dir, struct str *moved_to, struct arena *a);
/* Size and hash of the data file are what the seal says. */
bool store_seal_is_good(struct str dir);
struct store_size {
	uint64_t file_bytes, records, record_bytes;
	uint64_t by_kind[128], bytes_by_kind[128];
};
void store_measure(struct store *s, struct store_size *out);

#endif
