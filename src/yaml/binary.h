/*
 * binary.h - the text of a !!binary scalar.
 *
 * Python reads one as bytes; what lands in generated text is their str(): b'abc\x00'.
 */
#ifndef LHP_YAML_BINARY_H
#define LHP_YAML_BINARY_H

#include "base/str.h"

/* False when `base64` is not ASCII or not base64. */
bool binary_text(struct arena *a, struct str base64, struct str *text);

#endif
