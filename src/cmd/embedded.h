/*
 * embedded.h - files that the program carries (cmake/embed.cmake).
 *
 * init_files holds everything below src/cmd/init/: SET/PATH, where SET is common, plain, bundle or sample;
 * dag_files what lies below src/cmd/dag/.
 */
#ifndef LHP_CMD_EMBEDDED_H
#define LHP_CMD_EMBEDDED_H

#include "base/embedded.h"

extern const struct embedded init_files[]; /* by path; ends with an empty path */
extern const struct embedded dag_files[];

#endif
