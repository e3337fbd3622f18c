/*
 * settings.h - the rules of lhp.yaml, top to bottom (spec/errors.md, section 13).
 */
#ifndef LHP_PROJECT_SETTINGS_H
#define LHP_PROJECT_SETTINGS_H

#include "project/project.h"

/* All rules but the version's and those about files of views. 0, or -1 with the first finding. */
int settings_check(struct project *p, struct trace *t, struct diags *ds);

/* What discovery checks of lhp.yaml: the SQL files of monitoring's views (LHP-IO-001). 0 or -1. */
int settings_files_check(struct project *p, struct trace *t, struct diags *ds);

#endif
