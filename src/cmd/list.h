/*
 * list.h - `lhp list presets|templates|blueprints`: what a project has of each.
 *
 * Columns are separated by tabs. Files that cannot be used are left out, with a
 * line in `log`. All return 0, or -1 with a finding (blueprints only).
 */
#ifndef LHP_CMD_LIST_H
#define LHP_CMD_LIST_H

#include "project/project.h"

#include <stdio.h>

int cmd_list_presets(struct project *p, FILE *out, struct buf *log);
int cmd_list_templates(struct project *p, FILE *out, struct buf *log);
int cmd_list_blueprints(struct project *p, FILE *out, bool instances, struct diags *ds, struct buf *log);

#endif
