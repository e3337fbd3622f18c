/*
 * repack.h - inside cache/: a data file made anew, in order and with full pages.
 *
 * LMDB never gives pages back: a run that touches much leaves a file twice as large as what is in it, and half-filled
 * pages where records grew.
 */
#ifndef LHP_CACHE_REPACK_H
#define LHP_CACHE_REPACK_H

#include <lmdb.h>
#include <stdbool.h>
#include <stddef.h>

/* Is the file much larger than its values would be, at `most` bytes each? */
bool env_is_wasteful(MDB_env *env, size_t most);
/*
 * Writes all that is in `env` to the new file `tmp` and renames it to `path`; `env` must then be closed. 0, or an error of LMDB
 * with nothing changed.
 */
int env_repack(MDB_env *env, const char *path, const char *tmp, unsigned flags);

#endif
