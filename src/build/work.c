#include "build/work.h"
#include "bundle/sandbox.h"
#include "check/check.h"
#include "project/recall.h"
#include "resolve/conceal.h"
#include "resolve/resolve.h"

/*
 * The way to the texts alone. What was found is known, and whatever was looked at counts as looked at. False, and nothing was
 * done: it is not what was checked, since something changed after the scan.
 */
static bool unit_resolve(struct unit *u, const struct flowgroup_source *src, const struct record *checked, struct flowgroup *fg,
                         struct facts *facts)
{
	bool good;

	flowgroup_names(u, src, &u->pipeline, &u->flowgroup);
	good = flowgroup_resolve(u, src, fg) == 0 && flowgroup_resolve_late(u, fg) == 0 && trace_agrees(u->trace, &checked->trace);
	u->diags->n = 0;
	if (!good) {
		*fg = (struct flowgroup){ 0 };
		return false;
	}
	trace_merge(u->trace, &checked->trace);
	for (size_t i = 0; i < checked->n_check; i++)
		*VEC_PUSH(u->diags, u->arena) = checked->diags.p[i];
	*facts = checked->facts;
	return true;
}

/* Steps up to the facts: what validate does. 0, or -1 when the flowgroup has an error. */
static int unit_check(struct unit *u, const struct flowgroup_source *src, enum work_depth depth, struct flowgroup *fg,
                      struct facts *facts)
{
	flowgroup_names(u, src, &u->pipeline, &u->flowgroup);
	if (flowgroup_resolve(u, src, fg) != 0)
		return -1;
	if (depth != WORK_FACTS) {
		if (!fg->only_tests_dropped && flowgroup_check(u, fg) != 0)
			return -1;
		if (flowgroup_resolve_late(u, fg) != 0)
			return -1;
	}
	facts_take(u, fg, facts);
	return diags_failed(u->diags) ? -1 : 0;
}

/* Rules and facts are about the names that the user wrote: a sandbox renames when both are done. */
static void unit_emit(struct unit *u, struct flowgroup *fg, struct out_files *made)
{
	bool sandbox = u->env->sandbox != NULL;

	if (sandbox)
		sandbox_flowgroup_rename(u, fg);
	if (flowgroup_emit(u, fg, made) == 0 && sandbox)
		sandbox_files_rewrite(u, made);
}

void work_memory_init(struct work_memory *m)
{
	*m = (struct work_memory){ .file.arena = &m->keep };
}

void work_memory_release(struct work_memory *m)
{
	arena_release(&m->scratch);
	arena_release(&m->keep);
	arena_release(&m->raw);
}

void unit_work(struct project *p, const struct env *env, const struct flowgroup_source *src, enum work_depth depth,
               const struct record *checked, struct work_memory *m, struct work_result *out)
{
	struct arena *scratch = &m->scratch;
	struct trace trace = { .arena = scratch };
	struct diags diags = { .arena = scratch };
	struct out_files made = { 0 };
	struct facts facts = { 0 };
	struct unit u = { .project = p,
		          .env = env,
		          .arena = scratch,
		          .trace = &trace,
		          .diags = &diags,
		          .pipeline = src->pipeline,
		          .flowgroup = src->name,
		          .file = src->file };
	struct flowgroup_source whole = *src;
	struct flowgroup fg = { 0 };
	size_t n_check;
	bool good;

	good = source_load(p, scratch, &whole);
	/* The file changed since the scan: nothing is made of it, and the next run looks again. */
	if (!good)
		trace_add(&trace, DEP_NODE, whole.key, whole.hash, whole.at);
	if (good && (checked == NULL || !unit_resolve(&u, &whole, checked, &fg, &facts)))
		good = unit_check(&u, &whole, depth, &fg, &facts) == 0;
	n_check = diags.n;

	if (good && depth == WORK_EMIT)
		unit_emit(&u, &fg, &made);
	if (diags_failed(&diags))
		made.n = 0;
	findings_conceal(&u, whole.node);
	out->record = record_pack(&m->keep, &u, good ? &facts : NULL, n_check, &made);
	out->n_raw = made.n;
	out->raw = ARENA_ARRAY(&m->raw, struct str, made.n);
	for (size_t i = 0; i < made.n; i++)
		out->raw[i] = str_dup(&m->raw, made.p[i].raw);
	arena_reset(scratch);
}
