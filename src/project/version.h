/*
 * version.h - version specifiers of required_lhp_version, as PEP 440 defines them.
 *
 * A set such as ">=0.9,<1.0,!=0.9.2": operators == != <= >= < > ~= ===, a
 * trailing ".*" with == and !=, comma for "and". The empty set is satisfied.
 */
#ifndef LHP_PROJECT_VERSION_H
#define LHP_PROJECT_VERSION_H

#include "base/str.h"

#define LHP_LEVEL "0.9.3" /* the version of LHP whose projects this program reads */

enum version_answer { VERSION_MET, VERSION_NOT_MET, VERSION_UNREADABLE };

/* Does `version`, a final release, satisfy the set? */
enum version_answer version_check(struct str version, struct str specifiers);

#endif
