/* embedded.h - a file that the program carries: a row of the tables that cmake/embed.cmake writes. */
#ifndef LHP_BASE_EMBEDDED_H
#define LHP_BASE_EMBEDDED_H

#include "base/str.h"

struct embedded {
	struct str path;
	struct str bytes;
};

/* The bytes of the file at `path`; empty when the table, which ends with an empty path, has none. */
struct str embedded_find(const struct embedded *table, const char *path);

#endif
