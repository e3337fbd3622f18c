/*
 * settings.h - the rules of lhp.yaml, top to bottom (spec/errors.md, section 13).
 */
#ifndef LHP_PROJECT_SETTINGS_H
#define LHP_PROJECT_SETTINGS_H

#include "project/project.h"

/* All rules but the version's. 0, or -1 with the first finding. */
int settings_check(struct project *p, struct trace *t, struct diags *ds);

#endif
