/*
 * runtime.h - Python that the program writes into output folders: the files of src/emit/runtime/.
 *
 * Each is runnable Python as it stands; most want constants above them. @VERSION@ in them stands for the program's version.
 */
#ifndef LHP_EMIT_RUNTIME_H
#define LHP_EMIT_RUNTIME_H

#include "base/embedded.h"

extern const struct embedded runtime_files[]; /* by path; ends with an empty path */

/* Text of one; empty when there is no such file. */
struct str runtime_text(struct arena *a, const char *path);

#endif
