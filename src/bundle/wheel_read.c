/* wheel_read.c - the modules of a wheel, which may be anybody's and mean harm. */
#include "base/utf8.h"
#include "bundle/wheel.h"

#include <stdlib.h>

const char *const wheel_fault_text[] = {
	[ZIP_GOOD] = "is good",
	[ZIP_NO_ARCHIVE] = "is no zip archive",
	[ZIP_DAMAGED] = "holds a module that cannot be read: it is damaged, encrypted, or neither stored nor deflated",
	[ZIP_TOO_BIG] = "holds more bytes of modules than any pipeline has",
};

static int entry_cmp(const void *x, const void *y)
{
	const struct wheel_entry *a = x, *b = y;
	int cmp = str_cmp(a->path, b->path);

	return cmp != 0 ? cmp : (a->order > b->order) - (a->order < b->order);
}

/* What a terminal or a file system would stumble over is '_'. */
static struct str path_mend(struct arena *a, struct str name)
{
	struct buf b = { 0 };
	struct str out;

	for (size_t i = 0; i < name.n;) {
		size_t at = i;

		if (ucs_is_print(utf8_next(name, &i)))
			buf_add(&b, str_sub(name, at, i));
		else
			buf_addc(&b, '_');
	}
	out = buf_take(&b, a);
	buf_release(&b);
	return out;
}

/* *left is what may still be read. */
static enum zip_fault text_read(struct arena *a, const struct zip *z, const struct zip_entry *e, size_t *left, struct str *text)
{
	struct buf b = { 0 };
	enum zip_fault fault = zip_text(z, e, *left, &b);

	if (fault == ZIP_GOOD) {
		*left -= b.n;
		*text = buf_take(&b, a);
	}
	buf_release(&b);
	return fault;
}

enum zip_fault wheel_read(struct arena *a, struct str bytes, size_t most, struct wheel_entries *out)
{
	struct zip z;
	struct zip_entry in;
	enum zip_fault fault = zip_open(&z, bytes);
	size_t left = most;

	while (fault == ZIP_GOOD && zip_next(&z, &in)) {
		struct wheel_entry *e;

		if (!str_ends(in.name, STR(".py")))
			continue;
		e = VEC_PUSH(out, a);
		*e = (struct wheel_entry){ .path = path_mend(a, in.name), .size = in.size, .order = out->n };
		if (most != 0)
			fault = text_read(a, &z, &in, &left, &e->text);
	}
	if (out->n > 1)
		qsort(out->p, out->n, sizeof *out->p, entry_cmp);
	return fault;
}
