/*
 * nearby.h - "did you mean": what exists, near a name that does not.
 *
 * Texts are hints of one line, empty when nothing is near. What was looked at for them is recorded in the unit's
 * trace, so that a finding of a warm run has the hint that a cold one would give.
 */
#ifndef LHP_RESOLVE_NEARBY_H
#define LHP_RESOLVE_NEARBY_H

#include "project/unit.h"

/* Names in the folder of a file that is not there. */
struct str file_question(struct unit *u, struct str path);
/* Tokens of the environment; environments, when this one has no file. */
struct str token_question(struct unit *u, struct str name);

#endif
