/* preflight.c - checks of the whole project before any flowgroup is worked on (spec/errors.md, section 3, phase 6). */
#include "build/steps.h"
#include "model/rules.h"

/* Same pipeline and flowgroup twice: all pairs in one finding. */
static void duplicates_check(struct env_run *e)
{
	struct arena *a = e->run->arena;
	struct diags *ds = &e->result->fatal;
	struct map seen = { 0 };
	struct buf pairs = { 0 };
	struct mark first = { 0 };

	for (size_t i = 0; i < e->n_unit; i++) {
		const struct unit_run *u = &e->unit[i], *before;
		struct str key = str_cat_sep(&e->run->own, u->pipeline, '\n', u->name);
		void **slot = map_slot(&seen, &e->run->own, key);

		if (*slot == NULL) {
			*slot = (void *)u;
			continue;
		}
		before = *slot;
		if (pairs.n == 0)
			first = u->src->at;
		buf_addf(&pairs, "%s%.*s.%.*s: %s and %s", pairs.n != 0 ? "\n" : "", STR_ARG(u->pipeline),
		         STR_ARG(u->name), before->src->file, u->src->file);
	}
	if (pairs.n != 0) {
		struct diag *d = diag_add(ds, &rule_duplicate_flowgroup, first, "%.*s", STR_ARG(str_dup(a, buf_str(&pairs))));

		diag_hint(ds, d, "Give each flowgroup of a pipeline a name of its own");
	}
	buf_release(&pairs);
}

int preflight(struct env_run *e)
{
	duplicates_check(e);
	return diags_failed(&e->result->fatal) ? -1 : around_preflight(e);
}
