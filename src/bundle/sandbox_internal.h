/* sandbox_internal.h - the inside of a sandbox, for the files of src/bundle/sandbox*. */
#ifndef LHP_BUNDLE_SANDBOX_INTERNAL_H
#define LHP_BUNDLE_SANDBOX_INTERNAL_H

#include "bundle/sandbox.h"
#include "bundle/sandbox_rename.h"

struct foreign_write {
	struct str table, pipeline; /* canonical; outside the scope */
};

struct sandbox {
	struct arena *arena;
	struct str namespace;
	const struct node *entries; /* `pipelines` of the profile */
	struct map scope;           /* pipelines to generate */
	struct renames r;
	struct { VEC_OF(struct foreign_write) } others;
	struct hash128 hash;
};

#endif
