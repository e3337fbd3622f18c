/*
 * zip.c - numbers are little endian. Behind each mark, in bytes from its beginning:
 *
 *	local     4 version  6 flags  8 method  10 time  12 date  14 crc  18 packed  22 size  26, 28 lengths of
 *	          30 name, extra fields; then the packed bytes
 *	central   4 made by  6 to 32 what is in local at 4 to 30  32 length of comment  34 disk  36, 38 attributes
 *	          42 at  46 name, extra fields, comment
 *	end       4 disk  6 disk of directory  8 entries here  10 entries  12 size  16 at  20 length of
 *	          22 comment
 *	wide at   4 disk  8 at  16 disks; stands in front of the end
 *	wide end  16 disk  20 disk of directory  24 entries here  32 entries  40 size  48 at
 */
#define ZLIB_CONST
#include "bundle/zip.h"
#include "base/utf8.h"

#include <limits.h>
#include <zlib.h>

enum { STORED = 0, DEFLATED = 8 };
enum { ENCRYPTED = 1 << 0, NAME_IS_UTF8 = 1 << 11 }; /* flags */

#define LOCAL "PK\3\4"
#define CENTRAL "PK\1\2"
#define END "PK\5\6"
#define WIDE_END "PK\6\6"
#define WIDE_AT "PK\6\7"

enum { LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22, WIDE_END_SIZE = 56, WIDE_AT_SIZE = 20 };

/* --- writing --- */

static void number_add(struct buf *b, size_t width, uint64_t v)
{
	for (; width > 0; width--, v >>= 8)
		buf_addc(b, (char)v);
}

/* What is the same in both headers of an entry. */
static void header_add(struct buf *b, struct str name, struct str text)
{
	bool ascii = utf8_len(name) == name.n;

	number_add(b, 2, 10); /* version needed: 1.0 */
	number_add(b, 2, ascii ? 0 : NAME_IS_UTF8);
	number_add(b, 2, STORED);
	number_add(b, 2, 0);          /* 00:00:00 */
	number_add(b, 2, 1 << 5 | 1); /* January 1st of the first year */
	number_add(b, 4, crc32_z(0, (const Bytef *)text.p, text.n));
	number_add(b, 4, text.n); /* packed */
	number_add(b, 4, text.n);
	number_add(b, 2, name.n);
	number_add(b, 2, 0); /* extra fields */
}

int zip_add(struct zip_out *z, struct str name, struct str text)
{
	struct buf *d = &z->directory;
	size_t at = z->bytes.n;

	if (name.n > UINT16_MAX || utf8_invalid(name) >= 0)
		return -1;
	buf_adds(&z->bytes, LOCAL);
	header_add(&z->bytes, name, text);
	buf_add(&z->bytes, name);
	buf_add(&z->bytes, text);

	buf_adds(d, CENTRAL);
	number_add(d, 2, 3 << 8 | 63); /* on Unix, by version 6.3 of the format */
	buf_add(d, (struct str){ z->bytes.p + at + 4, LOCAL_SIZE - 4 });
	number_add(d, 2, 0); /* comment */
	number_add(d, 2, 0); /* disk */
	number_add(d, 2, 0); /* attributes of no system */
	number_add(d, 4, 0644 << 16);
	number_add(d, 4, at);
	buf_add(d, name);
	z->n++;
	return 0;
}

struct str zip_end(struct zip_out *z, struct arena *a)
{
	size_t at = z->bytes.n, size = z->directory.n;
	struct str out = STR_NONE;

	buf_add(&z->bytes, buf_str(&z->directory));
	buf_adds(&z->bytes, END);
	number_add(&z->bytes, 4, 0); /* this disk, and that of the directory */
	number_add(&z->bytes, 2, z->n);
	number_add(&z->bytes, 2, z->n);
	number_add(&z->bytes, 4, size);
	number_add(&z->bytes, 4, at);
	number_add(&z->bytes, 2, 0); /* comment */
	if (z->n <= UINT16_MAX && at <= UINT32_MAX && size <= UINT32_MAX)
		out = buf_take(&z->bytes, a);
	buf_release(&z->bytes);
	buf_release(&z->directory);
	z->n = 0;
	return out;
}

/* --- reading --- */

static uint64_t number(struct str s, size_t at, size_t width)
{
	uint64_t v = 0;

	while (width-- > 0)
		v = v << 8 | (unsigned char)s.p[at + width];
	return v;
}

/* The n bytes at `at`, or STR_NONE when they are not all there. */
static struct str part(struct str s, uint64_t at, uint64_t n)
{
	return at <= s.n && n <= s.n - at ? (struct str){ s.p + at, n } : STR_NONE;
}

/* The `size` bytes at `at`, when they begin with a mark. */
static struct str record(struct str s, uint64_t at, uint64_t size, const char *mark)
{
	struct str r = part(s, at, size);

	return str_starts(r, str_of(mark)) ? r : STR_NONE;
}

struct directory {
	uint64_t n, size, at;
};

/* An archive of more than 64k entries or 4 GB tells in front of its end where a wider one is. */
static bool wide_end_read(struct str before, struct str where, struct directory *d)
{
	struct str end = record(before, number(where, 8, 8), WIDE_END_SIZE, WIDE_END);

	if (end.p == NULL)
		return false;
	*d = (struct directory){ number(end, 32, 8), number(end, 40, 8), number(end, 48, 8) };
	return number(where, 4, 4) == 0 && number(end, 16, 8) == 0 && number(end, 24, 8) == d->n;
}

/* The end that stands at `at`, on its only disk, with all of its comment. */
static bool end_read(struct str bytes, size_t at, struct directory *d)
{
	struct str end = record(bytes, at, END_SIZE, END), before = str_sub(bytes, 0, at), where;

	if (end.p == NULL || number(end, 4, 4) != 0 || number(end, 20, 2) > bytes.n - at - END_SIZE)
		return false;
	*d = (struct directory){ number(end, 10, 2), number(end, 12, 4), number(end, 16, 4) };
	if (number(end, 8, 2) != d->n)
		return false;
	where = at >= WIDE_AT_SIZE ? record(bytes, at - WIDE_AT_SIZE, WIDE_AT_SIZE, WIDE_AT) : STR_NONE;
	return (where.p == NULL || wide_end_read(before, where, d)) && part(before, d->at, d->size).p != NULL;
}

/* Only a comment may follow, so that it is looked for from behind. */
static bool end_find(struct str bytes, struct directory *d)
{
	for (size_t back = END_SIZE; back <= bytes.n && back <= END_SIZE + UINT16_MAX; back++)
		if (end_read(bytes, bytes.n - back, d))
			return true;
	return false;
}

enum zip_fault zip_open(struct zip *z, struct str bytes)
{
	struct directory d;
	struct zip_entry e;
	struct zip all;
	uint64_t n = 0;

	if (!end_find(bytes, &d))
		return ZIP_NO_ARCHIVE;
	*z = (struct zip){ bytes, part(bytes, d.at, d.size) };
	for (all = *z; zip_next(&all, &e); n++)
		if (e.flags & NAME_IS_UTF8 && utf8_invalid(e.name) >= 0)
			return ZIP_NO_ARCHIVE;
	/* Some count modulo 64k instead of writing a wide end. */
	return all.directory.n == 0 && (uint16_t)n == (uint16_t)d.n ? ZIP_GOOD : ZIP_NO_ARCHIVE;
}

/* Of an entry's numbers those that are too large for its header, in this order. */
static bool wide_read(struct str field, struct zip_entry *e)
{
	uint64_t *const value[] = { &e->size, &e->packed, &e->at };

	for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
		if (*value[i] != UINT32_MAX)
			continue;
		if (field.n < 8)
			return false;
		*value[i] = number(field, 0, 8);
		field = str_skip(field, 8);
	}
	return true;
}

/* Each field is a number, a length and so many bytes. Some tools leave up to three zeros behind the last. */
static bool extra_read(struct str extra, struct zip_entry *e)
{
	enum { WIDE = 1 };
	struct str wide = STR_NONE;

	while (extra.n >= 4) {
		struct str field = part(extra, 4, number(extra, 2, 2));

		if (field.p == NULL)
			return false;
		if (number(extra, 0, 2) == WIDE)
			wide = field;
		extra = str_skip(extra, 4 + field.n);
	}
	return wide_read(wide, e);
}

bool zip_next(struct zip *z, struct zip_entry *e)
{
	struct str h = record(z->directory, 0, CENTRAL_SIZE, CENTRAL), rest;
	uint64_t name, extra;

	if (h.p == NULL)
		return false;
	name = number(h, 28, 2);
	extra = number(h, 30, 2);
	rest = part(z->directory, CENTRAL_SIZE, name + extra + number(h, 32, 2));
	if (rest.p == NULL)
		return false;
	*e = (struct zip_entry){
		.name = str_sub(rest, 0, name),
		.flags = (unsigned)number(h, 8, 2),
		.method = (unsigned)number(h, 10, 2),
		.crc = (uint32_t)number(h, 16, 4),
		.packed = number(h, 20, 4),
		.size = number(h, 24, 4),
		.at = number(h, 42, 4),
	};
	if (!extra_read(str_sub(rest, name, name + extra), e))
		return false;
	z->directory = str_skip(z->directory, CENTRAL_SIZE + rest.n);
	return true;
}

static enum zip_fault text_copy(struct str packed, size_t most, struct buf *b)
{
	if (packed.n > most)
		return ZIP_TOO_BIG;
	buf_add(b, packed);
	return ZIP_GOOD;
}

static enum zip_fault text_inflate(struct str packed, size_t most, struct buf *b)
{
	enum { STEP = 1 << 16 };
	z_stream s = { .next_in = (const Bytef *)packed.p, .avail_in = (uInt)packed.n };
	int rc = packed.n <= UINT_MAX ? inflateInit2(&s, -MAX_WBITS) : Z_DATA_ERROR;

	while (rc == Z_OK && b->n <= most) {
		s.next_out = (Bytef *)buf_grow(b, STEP);
		s.avail_out = STEP;
		rc = inflate(&s, Z_NO_FLUSH);
		b->n += STEP - s.avail_out;
	}
	inflateEnd(&s);
	return b->n > most ? ZIP_TOO_BIG : rc == Z_STREAM_END ? ZIP_GOOD : ZIP_DAMAGED;
}

enum zip_fault zip_text(const struct zip *z, const struct zip_entry *e, size_t most, struct buf *b)
{
	struct str h = record(z->bytes, e->at, LOCAL_SIZE, LOCAL), packed;
	enum zip_fault fault = ZIP_DAMAGED;

	if (h.p == NULL || e->flags & ENCRYPTED)
		return ZIP_DAMAGED;
	packed = part(z->bytes, e->at + LOCAL_SIZE + number(h, 26, 2) + number(h, 28, 2), e->packed);
	if (packed.p == NULL)
		return ZIP_DAMAGED;
	if (e->method == STORED || packed.n == 0)
		fault = text_copy(packed, most, b);
	else if (e->method == DEFLATED)
		fault = text_inflate(packed, most, b);
	if (fault != ZIP_GOOD)
		return fault;
	return b->n == e->size && crc32_z(0, (const Bytef *)b->p, b->n) == e->crc ? ZIP_GOOD : ZIP_DAMAGED;
}
