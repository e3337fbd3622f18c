/*
 * transform.h - the families of transform actions, one file each.
 *
 * Internal to the transform_*.c and quarantine.c of emit/.
 */
#ifndef LHP_EMIT_TRANSFORM_H
#define LHP_EMIT_TRANSFORM_H

#include "emit/view.h"

int transform_sql(struct module *m, struct buf *b, const struct action *a);
int transform_python(struct module *m, struct buf *b, const struct action *a);
int transform_quality(struct module *m, struct buf *b, const struct action *a);
int transform_temp_table(struct module *m, struct buf *b, const struct action *a);
int transform_schema(struct module *m, struct buf *b, const struct action *a);

/* All metadata columns in one withColumns call, and an empty line; or nothing. */
void quality_metadata(struct module *m, struct buf *b, const struct action *a);
/* data_quality in mode quarantine, behind its banner. */
int quarantine_write(struct module *m, struct buf *b, const struct action *a);

/* The view that a transform reads: its text source, the first text of a list, or `view` or `source` of a map. Or empty. */
struct str transform_view(const struct action *a);

#endif
