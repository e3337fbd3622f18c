/*
 * substitutions.h - `lhp substitutions`: the tokens of one environment.
 */
#ifndef LHP_CMD_SUBSTITUTIONS_H
#define LHP_CMD_SUBSTITUTIONS_H

#include "project/project.h"

#include <stdio.h>

/* 0, or -1 with a finding when the environment's file cannot be used. */
int cmd_substitutions(struct project *p, struct str env, FILE *out, struct diags *ds, struct buf *log);

#endif
