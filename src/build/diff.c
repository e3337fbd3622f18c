/* diff.c - planned outputs against the folder on disk (spec/errors.md, section 6). */
#include "base/path.h"
#include "build/steps.h"

#include <stdlib.h>

struct listed {
	VEC_OF(struct diff_entry)
};

/* Files below `dir` on disk that are not planned. */
static void orphans_find(struct env_run *e, const struct outputs *out, struct str dir, size_t skip, struct listed *found)
{
	struct arena *a = e->run->arena;
	struct fs_listing l;

	if (fs_list(e->run->fs, dir, a, &l) != 0)
		return;
	for (size_t i = 0; i < l.n; i++) {
		struct str path = path_join(a, dir, l.entry[i].name);

		if (l.entry[i].type == FS_DIR)
			orphans_find(e, out, path, skip, found);
		else if (outputs_find(out, path) == NULL)
			*VEC_PUSH(found, a) = (struct diff_entry){ .state = DIFF_ORPHAN, .path = str_skip(path, skip) };
	}
}

static int entry_cmp(const void *x, const void *y)
{
	const struct diff_entry *a = x, *b = y;

	return a->state != b->state ? (int)a->state - (int)b->state : path_cmp(a->path, b->path);
}

/* Only texts of files that differ stay. */
static void output_compare(struct env_run *e, const struct output *o, size_t skip, struct listed *found)
{
	struct arena *a = e->run->arena, own = { 0 };
	struct str before;
	bool there = fs_read(e->run->fs, o->path, &own, &before, NULL) == 0;

	if (!there || !str_eq(before, o->text))
		*VEC_PUSH(found, a) = (struct diff_entry){ .state = there ? DIFF_MODIFIED : DIFF_CREATE,
			                                   .path = str_dup(a, str_skip(o->path, skip)),
			                                   .before = there ? str_dup(a, before) : STR_NONE,
			                                   .after = str_dup(a, o->text) };
	arena_release(&own);
}

void outputs_diff(struct env_run *e)
{
	const struct outputs *out = &e->out;
	struct str dir = output_dir(e);
	struct listed found = { 0 };

	for (size_t i = 0; i < out->n; i++)
		output_compare(e, &out->p[i], dir.n + 1, &found);
	orphans_find(e, out, dir, dir.n + 1, &found);
	if (found.n > 1)
		qsort(found.p, found.n, sizeof *found.p, entry_cmp);
	e->result->diff = found.p;
	e->result->n_diff = found.n;
}
