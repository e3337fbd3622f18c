/*
 * path.h - rules of root-relative paths ('/' between parts, no trailing one).
 *
 * Nothing here asks the disk.
 */
#ifndef LHP_BASE_PATH_H
#define LHP_BASE_PATH_H

#include "base/str.h"

struct str path_join(struct arena *a, struct str dir, struct str name); /* name alone when dir is empty or name is absolute */
/*
 * Resolves "." and ".." and doubled '/'; '\' stays. False when the path is
 * absolute or leaves the root ("../x", "a/../../x"); then `*out` is `path`.
 */
bool path_normal(struct arena *a, struct str path, struct str *out);
struct str path_parent(struct str path); /* "a/b" of "a/b/c"; "" of "c" */
struct str path_base(struct str path);   /* "c" of "a/b/c" */
struct str path_stem(struct str path);   /* base without its last ".ext"; ".x" keeps its dot */
struct str path_ext(struct str path);    /* ".ext" of the base, or empty */
bool path_is_absolute(struct str path);
bool path_is_below(struct str path, struct str dir); /* path is dir or inside it; all is below "" */
/* Part by part, each bytewise: "a/x" < "a-b/x" < "a.yaml". */
int path_cmp(struct str a, struct str b);

#endif
