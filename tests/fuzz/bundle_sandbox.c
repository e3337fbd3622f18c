/* Any text as SQL and as an f-string: places found lie inside it, in order, and no two overlap. */
#include "bundle/sandbox_rename.h"

#include <stdlib.h>

static void places_check(struct arena *a, struct splices *found, struct str text)
{
	size_t last = 0;

	splices_apply(found, a, text);
	for (size_t i = 0; i < found->n; i++) {
		if (found->p[i].at < last || found->p[i].end < found->p[i].at || found->p[i].end > text.n)
			abort();
		last = found->p[i].end;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena a = { 0 };
	struct renames r = { .arena = &a, .pattern = STR("n_{table}") };
	struct splices sql = { 0 }, fstring = { 0 };
	struct str text = { (const char *)bytes, n }, name;
	struct literal l;

	renames_add(&r, STR("a.b.c"));
	renames_add(&r, STR("x.b.c"));
	renames_add(&r, STR("a.b.d"));
	renames_add(&r, STR("s.t"));
	sql_renames(&r, &a, text, &sql);
	places_check(&a, &sql, text);
	fstring_judge(&r, &a, text, &fstring, &name);
	places_check(&a, &fstring, text);
	if (literal_parts_read(text, &l) && (l.body > l.body_end || l.body_end > n))
		abort();
	literal_write(&a, &l, text);
	arena_release(&a);
	return 0;
}
