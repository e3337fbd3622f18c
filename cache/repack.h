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

/* Would the file after so many puts be much larger than its values, at `most` bytes each? */
bool env_is_wasteful(MDB_env *env, size_t most, size_t puts);
/*
 * Makes the new file `tmp` of what `copy` puts there, from a cursor before the first value of `env`, and renames it to `path`; `env` must
 * then be closed. 0, or an error of LMDB or of `copy`, with nothing changed.
 */
typedef int env_copy_fn(void *ctx, MDB_cursor *from, MDB_cursor *to);
int env_repack(MDB_env *env, const char *path, const char *tmp, unsigned flags, env_copy_fn *copy, void *ctx);

#endif
