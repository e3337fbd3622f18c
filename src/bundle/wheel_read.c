/* wheel_read.c - the modules of a wheel, which may be anybody's and mean harm. */
#include "bundle/libzip.h"
#include "bundle/wheel.h"

#include <stdlib.h>

const char *const wheel_fault_text[] = {
	[WHEEL_GOOD] = "is good",
	[WHEEL_NO_LIBRARY] = "cannot be read without libzip",
	[WHEEL_NO_ARCHIVE] = "is no zip archive",
	[WHEEL_DAMAGED] = "holds a module that cannot be read: it is damaged or encrypted",
	[WHEEL_TOO_BIG] = "holds more bytes of modules than any pipeline has",
};

static int entry_cmp(const void *x, const void *y)
{
	const struct wheel_entry *a = x, *b = y;
	int cmp = str_cmp(a->path, b->path);

	return cmp != 0 ? cmp : (a->order > b->order) - (a->order < b->order);
}

/* Reads to the end, where the library compares size and checksum. *left is what may still be read. */
static enum wheel_fault text_read(const struct libzip *lib, struct arena *a, zip_t *z, zip_uint64_t i, size_t *left, struct str *text)
{
	enum { STEP = 1 << 16 };
	zip_file_t *f = lib->zip_fopen_index(z, i, 0);
	struct buf b = { 0 };
	zip_int64_t got = -1;

	while (f != NULL && b.n <= *left && (got = lib->zip_fread(f, buf_grow(&b, STEP), STEP)) > 0)
		b.n += (size_t)got;
	if (f != NULL)
		lib->zip_fclose(f);
	if (got == 0) {
		*left -= b.n;
		*text = buf_take(&b, a);
	}
	buf_release(&b);
	return got == 0 ? WHEEL_GOOD : got < 0 ? WHEEL_DAMAGED : WHEEL_TOO_BIG;
}

static enum wheel_fault entries_read(const struct libzip *lib, struct arena *a, zip_t *z, size_t most, struct wheel_entries *out)
{
	enum wheel_fault fault = WHEEL_GOOD;
	size_t left = most;

	for (zip_int64_t i = 0; fault == WHEEL_GOOD && i < lib->zip_get_num_entries(z, 0); i++) {
		struct wheel_entry *e;
		zip_stat_t st;

		if (lib->zip_stat_index(z, (zip_uint64_t)i, 0, &st) != 0)
			return WHEEL_DAMAGED;
		if (!str_ends(str_of(st.name), STR(".py")))
			continue;
		e = VEC_PUSH(out, a);
		*e = (struct wheel_entry){ .path = str_dup(a, str_of(st.name)), .size = st.size, .order = out->n };
		if (most != 0)
			fault = text_read(lib, a, z, (zip_uint64_t)i, &left, &e->text);
	}
	return fault;
}

enum wheel_fault wheel_read(struct arena *a, struct str bytes, size_t most, struct wheel_entries *out)
{
	const struct libzip *lib = libzip();
	zip_source_t *s;
	zip_t *z;
	enum wheel_fault fault;

	if (lib == NULL)
		return WHEEL_NO_LIBRARY;
	/* The library takes no bytes for an archive with nothing in it. */
	s = bytes.n != 0 ? lib->zip_source_buffer_create(bytes.p, bytes.n, 0, NULL) : NULL;
	z = s != NULL ? lib->zip_open_from_source(s, ZIP_RDONLY, NULL) : NULL;
	if (z == NULL) {
		lib->zip_source_free(s);
		return WHEEL_NO_ARCHIVE;
	}
	fault = entries_read(lib, a, z, most, out);
	lib->zip_discard(z);
	if (out->n > 1)
		qsort(out->p, out->n, sizeof *out->p, entry_cmp);
	return fault;
}
