/*
 * current.h - what a recorded dependency is now, to verify a trace.
 *
 * Reads what it must (presets, templates, tokens, blueprints, flowgroup files), each
 * once per run, through the project's door. Implemented by resolve/, the lowest room
 * that knows all of them. Threads may ask at the same time.
 */
#ifndef LHP_PROJECT_CURRENT_H
#define LHP_PROJECT_CURRENT_H

#include "project/project.h"
#include "project/unit.h"

/*
 * The hash that `key` of this kind has now; HASH_NONE for what is absent. For DEP_FILE, DEP_NODE, DEP_DIR,
 * DEP_TOKEN (of `env`, whose tokens are loaded), DEP_KEY of lhp.yaml ("lhp.yaml/…") and presets ("preset/…"), DEP_ENV
 * (variables of the environment, and options: see struct env). DEP_TABLE, and keys that other rooms record, are theirs: HASH_NONE.
 *
 * A DEP_NODE key with '@' at its end asks for the hash with places (node_hash_placed).
 */
struct hash128 dep_now(struct project *p, const struct env *env, enum dep_kind kind, struct str key);

#endif
