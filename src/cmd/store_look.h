/*
 * store_look.h - the store of a project, as commands that only look at it see it.
 */
#ifndef LHP_CMD_STORE_LOOK_H
#define LHP_CMD_STORE_LOOK_H

#include "cache/store.h"
#include "cmd/call.h"

/* Absolute path of the cache folder. */
struct str store_dir(struct call *c);
/* A copy of the store, or NULL with the reason as a line ("There is no store yet" …) in `*why`. */
struct store *store_look(struct call *c, struct str *why);

#endif
