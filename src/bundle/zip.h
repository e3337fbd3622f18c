/*
 * zip.h - zip archives in memory, as far as wheels need them (APPNOTE.TXT of PKWARE).
 *
 * An archive is, for each entry, a header and its bytes; then the directory, a longer header for each; then a record of where the
 * directory is. We write entries stored, with one time (1980-01-01 00:00:00) and one mode (0644 of Unix), so that the same entries
 * give the same bytes. We read what is stored or deflated, in archives that may come from anywhere: the directory is believed in
 * nothing that is not there.
 */
#ifndef LHP_BUNDLE_ZIP_H
#define LHP_BUNDLE_ZIP_H

#include "base/arena.h"
#include "base/str.h"

/* --- writing --- */

struct zip_out {
	struct buf bytes, directory;
	size_t n;
};

/* 0, or -1 for a name that is not UTF-8 or is too long. */
int zip_add(struct zip_out *z, struct str name, struct str text);
/* The archive, in the arena, or STR_NONE when it is larger than the format can say without its extensions. `z` is empty again. */
struct str zip_end(struct zip_out *z, struct arena *a);

/* --- reading --- */

enum zip_fault { ZIP_GOOD, ZIP_NO_ARCHIVE, ZIP_DAMAGED, ZIP_TOO_BIG };

struct zip {
	struct str bytes;
	struct str directory; /* what zip_next has yet to read of it */
};

struct zip_entry {
	struct str name;      /* borrowed from the archive; any bytes */
	unsigned flags, method;
	uint32_t crc;
	uint64_t size;        /* of its text, as the directory says */
	uint64_t packed, at;  /* size of its bytes in the archive, and where its header is */
};

/* Borrows the bytes. ZIP_NO_ARCHIVE also when the directory is not whole. */
enum zip_fault zip_open(struct zip *z, struct str bytes);
/* The next entry of the directory; false at its end. */
bool zip_next(struct zip *z, struct zip_entry *e);
/*
 * Puts the text of an entry into the empty `b`. ZIP_TOO_BIG: it has more than `most` bytes, of which little more were unpacked.
 * ZIP_DAMAGED also when it is encrypted or packed in another way.
 */
enum zip_fault zip_text(const struct zip *z, const struct zip_entry *e, size_t most, struct buf *b);

#endif
