/*
 * resources.h - the bundle's resource files of a snapshot, for comparing two of them.
 *
 * Rendered, never written. A wheel's name among the dependencies is left out: it follows from the code, which is
 * compared by itself.
 */
#ifndef LHP_BUILD_RESOURCES_H
#define LHP_BUILD_RESOURCES_H

#include "build/snapshot.h"

/* No bundle: no files. */
struct resources {
	struct map text; /* pipeline -> struct str *: what deploys it; in the snapshot's arena */
};

/* `config_path`: as given with -pc; empty: settings that no such file sets. 0, or -1 with findings in s->diags. */
int resources_render(struct snapshot *s, struct str config_path, struct resources *out);

#endif
