/*
 * secrecy.h - values that are neither shown nor stored.
 *
 * Only its author knows that a literal is a secret; its name tells: what a key, option or token called password,
 * client_secret or api_key gives is taken for one. References (${secret:…}, ${token}, %{…}, {{ … }}) are none.
 */
#ifndef LHP_MODEL_SECRECY_H
#define LHP_MODEL_SECRECY_H

#include "base/str.h"

/* By whole words of it (db_password, sslKeyPassword, api.key), in any case. */
bool name_is_secret(struct str name);
/* Begins as a reference does. */
bool value_is_reference(struct str value);
/*
 * A line of YAML, Python or SQL, or a Python literal, in which each character of a value beside a secret's
 * name is a star: columns stay. `line` itself when it holds none.
 */
struct str line_concealed(struct arena *a, struct str line);

#endif
