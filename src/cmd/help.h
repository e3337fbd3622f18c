/*
 * help.h - usage lines and help texts, made from the tables of options.h.
 */
#ifndef LHP_CMD_HELP_H
#define LHP_CMD_HELP_H

#include "cmd/options.h"

/* "lhp list presets". */
struct str parsed_path(struct arena *a, const struct parsed *p);
/* "Usage: lhp list presets [OPTIONS]" without a newline. */
void help_usage(struct buf *b, const struct parsed *p);
/* Whole help of the last level, aligned, wrapped to `columns`. */
void help_text(struct buf *b, const struct parsed *p, size_t columns);

#endif
