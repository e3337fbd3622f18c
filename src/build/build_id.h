/*
 * build_id.h - which program this is: records that another build made are not trusted.
 */
#ifndef LHP_BUILD_BUILD_ID_H
#define LHP_BUILD_BUILD_ID_H

#include "base/str.h"

/* The linker's build id (a hash of the program) in hex; the version when it has none. */
struct str build_id(struct arena *a);

#endif
