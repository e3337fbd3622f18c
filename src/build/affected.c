#include "build/affected.h"

#include <stdlib.h>

static struct str unit_key(struct arena *a, const struct snapshot_unit *u)
{
	return str_cat_sep(a, u->pipeline, '\n', u->name);
}

static bool same_files(const struct record *x, const struct record *y)
{
	if (x->n_out != y->n_out)
		return false;
	for (size_t i = 0; i < x->n_out; i++)
		if (!str_eq(x->out[i].path, y->out[i].path) || !hash_eq(x->out[i].raw_hash, y->out[i].raw_hash))
			return false;
	return true;
}

static bool same_tables(const struct facts *x, const struct facts *y)
{
	if (x->n_write != y->n_write)
		return false;
	for (size_t i = 0; i < x->n_write; i++)
		if (!str_eq_nocase(x->write[i].table, y->write[i].table) || !str_eq(x->write[i].mode, y->write[i].mode) ||
		    x->write[i].creates != y->write[i].creates || !str_eq(x->write[i].fan_in, y->write[i].fan_in))
			return false;
	return true;
}

/* What differs, or NULL. */
static const char *difference(const struct record *before, const struct record *after)
{
	if (before->failed != after->failed)
		return after->failed ? "has errors now" : "had errors before";
	if (!same_tables(&before->facts, &after->facts))
		return "tables";
	if (!same_files(before, after))
		return "code";
	return NULL;
}

static int change_cmp(const void *x, const void *y)
{
	const struct change *a = x, *b = y;
	int c = str_cmp(a->pipeline, b->pipeline);

	return c != 0 ? c : str_cmp(a->flowgroup, b->flowgroup);
}

static void change_add(struct changes *out, struct arena *a, enum change_kind kind, const struct snapshot_unit *before,
                       const struct snapshot_unit *after, const char *why)
{
	const struct snapshot_unit *u = after != NULL ? after : before;

	*VEC_PUSH(out, a) = (struct change){ kind, u->pipeline, u->name, u->src->file, why, before, after };
}

void changes_find(struct arena *a, const struct snapshot *before, const struct snapshot *after, struct changes *out)
{
	struct map was = { 0 }, is = { 0 };

	for (size_t i = 0; before != NULL && i < before->n; i++)
		map_put(&was, a, unit_key(a, &before->unit[i]), &before->unit[i]);
	for (size_t i = 0; i < after->n; i++) {
		struct str key = unit_key(a, &after->unit[i]);
		const struct snapshot_unit *old = map_get(&was, key);
		const char *why = old != NULL ? difference(&old->record, &after->unit[i].record) : "is new";

		map_put(&is, a, key, &after->unit[i]);
		if (why != NULL)
			change_add(out, a, old != NULL ? CHANGE_CHANGED : CHANGE_ADDED, old, &after->unit[i], why);
	}
	for (size_t i = 0; before != NULL && i < before->n; i++)
		if (map_find(&is, unit_key(a, &before->unit[i])) == NULL)
			change_add(out, a, CHANGE_REMOVED, &before->unit[i], NULL, "is gone");
	if (out->n > 1)
		qsort(out->p, out->n, sizeof *out->p, change_cmp);
}
