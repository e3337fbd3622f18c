/*
 * trace_file.h - a run as Chrome trace events, for Perfetto.
 *
 * Phases and flowgroups are slices; each environment has a row, and each thread in it; flowgroups done are a counter. Times are
 * microseconds since the start of the trace. A zeroed one is valid and records nothing until it is started.
 */
#ifndef LHP_CMD_TRACE_FILE_H
#define LHP_CMD_TRACE_FILE_H

#include "base/fs.h"
#include "base/map.h"

struct unit_span;

struct trace_file {
	struct buf events; /* JSON objects, separated by commas */
	double started;    /* seconds of the monotonic clock; 0: not started */
	unsigned row;      /* of the environment that runs now */
	struct map thread; /* rows of threads that have a name */
	struct arena arena;
};

void trace_file_start(struct trace_file *t);
void trace_file_env(struct trace_file *t, struct str name);
/* A phase that ends now and took `seconds`. */
void trace_file_phase(struct trace_file *t, const char *name, double seconds);
void trace_file_unit(struct trace_file *t, const struct unit_span *span);
void trace_file_count(struct trace_file *t, size_t done);
/* Writes the file and releases what was recorded. 0, or a negative errno. */
int trace_file_write(struct trace_file *t, struct fs *fs, struct str path);

#endif
