/*
 * load.h - the families of load actions, one file each, and what they share.
 *
 * Internal to the load_*.c of emit/.
 */
#ifndef LHP_EMIT_LOAD_H
#define LHP_EMIT_LOAD_H

#include "emit/view.h"

int load_cloudfiles(struct module *m, struct buf *b, const struct action *a);
int load_delta(struct module *m, struct buf *b, const struct action *a);
int load_sql(struct module *m, struct buf *b, const struct action *a);
int load_jdbc(struct module *m, struct buf *b, const struct action *a);
int load_kafka(struct module *m, struct buf *b, const struct action *a);
int load_python(struct module *m, struct buf *b, const struct action *a);
int load_custom_datasource(struct module *m, struct buf *b, const struct action *a);

/* LHP-VAL-068 unless the effective mode is stream. */
int stream_only_check(struct module *m, const struct action *a);
/* LHP-CFG-001 for a key of `options` that lacks its prefix, as `needs_prefix` says. Keys must be text. */
int options_prefix_check(struct module *m, const struct action *a, const struct node *options, struct str prefix,
                         bool (*needs_prefix)(struct str name));
/* Like source_map, for maps whose wrong type is LHP-ACT-002. */
const struct node *inner_map(struct module *m, const struct action *a, const char *key);

#endif
