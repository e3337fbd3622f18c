/*
 * store_state.h - inside cache/: an open store, which store.c reads and commit.c writes.
 */
#ifndef LHP_CACHE_STORE_STATE_H
#define LHP_CACHE_STORE_STATE_H

#include "base/vec.h"
#include "cache/store.h"

#include <lmdb.h>
#include <pthread.h>
#include <sys/stat.h>

enum { KEY_PREFIX = 5, KEY_RECORD = 17, KEY_SIZE = 21, PIECE = 988, MAP_START = 16 << 20 };

/* Not synced: after a power cut the seal tells, and the next run is cold. */
#define STORE_FLAGS (MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS | MDB_NORDAHEAD | MDB_NOSYNC)

struct staged {
	unsigned char key[KEY_SIZE]; /* of piece 0 */
	size_t order;                /* of the calls */
	struct str value;            /* empty: drop */
};

struct store {
	pthread_mutex_t lock; /* of what several threads may call */
	struct arena arena;
	struct str dir, build;
	MDB_env *env;
	MDB_txn *read;
	MDB_dbi dbi;
	int copy; /* of store_open_copy: the file in memory; else 0 */
	bool is_new;
	int unwritable; /* 0, or why nothing can be committed: a negative errno */
	struct stat file; /* as the data file was when its seal was found to fit, or made */
	struct {
		VEC_OF(struct staged)
	} staged;
};

/* What an error of LMDB is as an errno. */
int store_errno(int rc);
/* The key of a record's first piece; and of another one. */
void store_key(char kind, uint32_t group, struct str name, unsigned char key[KEY_SIZE]);
void store_key_piece(unsigned char key[KEY_SIZE], uint32_t piece);
const char *store_data_path(struct store *s);
/* The record 'H' of this program. */
struct str store_header(struct store *s);
/* Opens or makes the data file, which has `size` bytes. */
int store_env_open(struct store *s, size_t size);
void store_env_close(struct store *s);
int store_read_begin(struct store *s);

#endif
