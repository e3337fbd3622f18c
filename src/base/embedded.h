/* embedded.h - a file that the program carries: a row of the tables that cmake/embed.cmake writes. */
#ifndef LHP_BASE_EMBEDDED_H
#define LHP_BASE_EMBEDDED_H

#include "base/str.h"

struct embedded {
	struct str path;
	struct str bytes;
};

#endif
