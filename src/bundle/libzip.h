/*
 * libzip.h - the functions of libzip that wheels need, loaded when the first wheel is packed or read.
 *
 * libzip brings libraries for cryptography and compression: linked, they would cost every start as much as all else in it. It
 * is loaded once, for all threads, and stays.
 */
#ifndef LHP_BUNDLE_LIBZIP_H
#define LHP_BUNDLE_LIBZIP_H

#include "base/str.h"

#include <zip.h>

#define LIBZIP_FUNCTIONS(X)                                                                                                          \
	X(zip_open_from_source) X(zip_close) X(zip_discard)                                                                          \
	X(zip_source_buffer) X(zip_source_buffer_create) X(zip_source_keep) X(zip_source_free)                                       \
	X(zip_source_stat) X(zip_source_open) X(zip_source_read) X(zip_source_close)                                                 \
	X(zip_file_add) X(zip_set_file_compression) X(zip_file_set_dostime) X(zip_file_set_external_attributes)                      \
	X(zip_get_num_entries) X(zip_stat_index) X(zip_fopen_index) X(zip_fread) X(zip_fclose)

#define LIBZIP_FIELD(function) __typeof__(function) *function;
struct libzip {
	LIBZIP_FUNCTIONS(LIBZIP_FIELD)
};
#undef LIBZIP_FIELD

/* NULL when it cannot be loaded. */
const struct libzip *libzip(void);
/* Why not, with the name that was looked for; empty when it could, or when nobody has asked for it yet. */
struct str libzip_problem(void);
/* What to do about it. */
extern const char LIBZIP_INSTALL[];

#endif
