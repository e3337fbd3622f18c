/*
 * json.h - a text as a JSON string, for what is written without a tree of values.
 */
#ifndef LHP_UI_JSON_H
#define LHP_UI_JSON_H

#include "base/str.h"

/* With its quotes; what is not ASCII stays, malformed bytes become U+FFFD. */
void json_text(struct buf *b, struct str s);

#endif
