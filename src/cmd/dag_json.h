/*
 * dag_json.h - a text as a JSON string, for the formats of `lhp dag` that hold JSON.
 */
#ifndef LHP_CMD_DAG_JSON_H
#define LHP_CMD_DAG_JSON_H

#include "base/str.h"

void json_text(struct buf *b, struct str s); /* with its quotes; what is not ASCII stays */

#endif
