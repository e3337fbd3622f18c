/*
 * patch.c - the short way through a run: units are redone, and all else is what it was.
 *
 * The last run of the task left a transcript, and the store says what that run depended on beside its units. When none of
 * that changed, the units whose dependencies did are redone. When each of them says and exports what it did (findings, facts, names of
 * files), then so would the whole run: its rules across flowgroups, lists, sweeps and words are a function of these. New texts are
 * written, and the transcript is said again.
 *
 * Nothing here decides that something is right: it only finds out that it need not be looked at. Whenever that is in
 * doubt, the run goes the long way (run.c).
 */
#include "base/pack.h"
#include "base/path.h"
#include "build/patch_state.h"
#include "project/blueprint.h"
#include "project/current.h"
#include "project/recall.h"
#include "resolve/preset.h"
#include "resolve/resolve.h"

static void log_note(void *ctx, struct str line)
{
	(void)line;
	*(bool *)ctx = true;
}

static bool transcript_said(struct patch *p)
{
	struct run *r = p->e->run;
	struct unpack u = unpack_of(str_dup(r->arena, p->view->transcript));
	const struct run_listener listener = { .ctx = &p->logged, .log = log_note };

	p->said = *p->e->result;
	return transcript_replay(r->arena, &u, p->e->env.name, false, false, &listener, &p->said) == 0 && p->said.status == 0;
}

/* Runs that the short way is for: of a whole project, after a good one of the same kind; if outputs are as they were left. */
static bool is_for(struct patch *p)
{
	const struct run_options *o = p->e->run->o;
	struct engine *en = p->view->en;

	return en->store != NULL && !store_is_new(en->store) && !en->imported && o->n_env == 1 && o->task != RUN_DIFF &&
	       o->pipeline.p == NULL && o->output.n == 0 && !o->sandbox &&
	       p->view->standing.since >= en->last_change && view_transcript_read(p->view) && transcript_said(p);
}

/* Does what the run depended on beside units stand? Without tokens: as far as they are not asked for. */
static bool rest_stands(struct patch *p, bool tokens)
{
	struct unpack u = unpack_of(p->view->rest);

	while (u.p < u.end && !u.bad) {
		struct dep d = { .kind = (enum dep_kind)unpack_uint(&u) };

		d.key = unpack_str(&u);
		d.hash = unpack_hash(&u);
		if ((d.kind == DEP_TOKEN) != tokens || !view_dep_touched(p->view, &d))
			continue;
		if (!tokens || !hash_eq(d.hash, dep_now(&p->e->run->project, &p->e->env, d.kind, d.key)))
			return false;
	}
	return !u.bad;
}

/*
 * Settings, presets, tokens. What they say is in the transcript; but of the file of tokens, whose other tokens nobody depends on, it
 * may be another word now.
 */
static bool project_again(struct patch *p)
{
	struct run *r = p->e->run;
	struct diags *ds = &p->e->result->fatal;
	struct buf log = { 0 };
	bool good = project_load(&r->project, r->door, &r->own, &r->trace, ds, &log) == 0;

	if (good)
		presets_read(&r->project, &r->trace, &log);
	buf_release(&log);
	return good && output_folder_open(p->e) == 0 && env_settings(p->e) == 0 && ds->n == 0 &&
	       !(p->view->changed.env.n != 0 && (p->logged || p->logs)) && rest_stands(p, true);
}

/* --- flowgroup files --- */

static bool is_plain(struct str name)
{
	return str_find_char(name, '{', 0) < 0;
}

static bool same_names(const struct recalled *was, const struct sources *now)
{
	bool same = was->n == now->n;

	for (size_t i = 0; same && i < now->n; i++)
		same = str_eq(was->source[i].pipeline, now->p[i].pipeline) && str_eq(was->source[i].name, now->p[i].name) &&
		       is_plain(now->p[i].pipeline) && is_plain(now->p[i].name);
	return same;
}

/* Does a changed file hold the flowgroups that it did, and nothing that is of concern to others? */
static bool file_again(struct patch *p, struct str path, const struct recalled *was)
{
	struct run *r = p->e->run;
	const struct door_yaml *y = door_yaml_quiet(r->door, path);
	struct diags found = { .arena = &r->own };
	struct sources now = { 0 };
	struct recalled what = { .warnings = { .arena = &r->own } };

	if (was->instance || was->warnings.n != 0 || discover_file(&r->own, y, &found, &now) != 0 || !same_names(was, &now))
		return false;
	for (size_t i = 0; i < y->yaml.n_doc; i++)
		if (instance_looks_like(y->yaml.doc[i]))
			return false;
	bare_token_warn(&what.warnings, y->file);
	if (what.warnings.n != 0)
		return false;
	what.source = now.p;
	what.n = now.n;
	r->project.recall->learn(r->project.recall->ctx, y->file, &what);
	for (size_t i = 0; i < now.n; i++)
		map_put(&p->source, &r->own, str_cat_sep(&r->own, now.p[i].pipeline, '\n', now.p[i].name), &now.p[i]);
	return true;
}

static bool files_again(struct patch *p)
{
	struct engine *en = p->view->en;

	for (size_t i = 0; i < en->changed.n; i++) {
		const struct leaf_change *c = &en->changed.p[i];
		const struct recalled *was = c->content && !c->leaf.is_dir ? source_memory_find(&en->sources, c->leaf.path) : NULL;

		if (was != NULL && !file_again(p, c->leaf.path, was))
			return false;
	}
	return true;
}

/* --- units --- */

/* The pipeline as a part of this run, with what must be redone. */
static void pipeline_take(struct patch *p, const struct touched *t)
{
	struct env_run *e = p->e;
	struct arena *a = &e->run->own;
	const struct kept *kept = &t->old->kept;
	struct pipeline_run *pipeline = &e->pipeline[e->n_pipeline++];

	*pipeline = (struct pipeline_run){ .name = kept->pipeline, .selected = true, .findings = { .arena = a }, .rest = kept };
	pipeline->unit = ARENA_ARRAY(a, size_t, t->redo);
	for (size_t i = 0; i < kept->n; i++) {
		const struct looked_at *at = &t->unit[i];

		if (at->state == UNIT_CLEAN)
			continue;
		e->unit[e->n_unit] = (struct unit_run){ .pipeline = kept->pipeline, .name = kept->unit[i].name, .selected = true,
			                                .again = at->state == UNIT_AGAIN, .src = at->src, .old = t->old,
			                                .depth = kept->unit[i].depth, .kept = &kept->unit[i] };
		pipeline->unit[pipeline->n_unit++] = e->n_unit++;
	}
}

static void units_take(struct patch *p)
{
	struct env_run *e = p->e;
	struct arena *a = &e->run->own;
	size_t units = 0, pipelines = 0, n = p->view->standing.pipeline.n;

	for (size_t i = 0; i < n; i++) {
		pipelines += p->pipeline[i].redo != 0;
		units += p->pipeline[i].redo;
	}
	e->unit = ARENA_ARRAY(a, struct unit_run, units);
	e->pipeline = ARENA_ARRAY(a, struct pipeline_run, pipelines);
	for (size_t i = 0; i < n; i++)
		if (p->pipeline[i].redo != 0)
			pipeline_take(p, &p->pipeline[i]);
}

/* --- what they export --- */

static bool same_findings(const struct record *x, const struct record *y)
{
	struct buf one = { 0 }, two = { 0 };
	bool same;

	diags_pack(&one, &x->diags);
	diags_pack(&two, &y->diags);
	same = str_eq(buf_str(&one), buf_str(&two));
	buf_release(&one);
	buf_release(&two);
	return same;
}

/* Places matter only when something is said: then it may be about them. */
static bool same_facts(struct patch *p, const struct record *x, const struct record *y)
{
	struct arena *a = &p->e->run->own;
	bool quiet = p->said.warnings.n + p->said.findings.n + p->said.fatal.n == 0;

	return quiet ? str_eq(facts_signature(a, &x->facts), facts_signature(a, &y->facts)) : str_eq(x->facts_bytes, y->facts_bytes);
}

/* The same names; a copy of a user's file, which units share, also the same content. */
static bool same_files(const struct record *x, const struct record *y)
{
	bool same = x->n_out == y->n_out;

	for (size_t i = 0; same && i < x->n_out; i++) {
		const struct record_file *f = &x->out[i], *g = &y->out[i];

		same = str_eq(f->path, g->path) && str_eq(f->source, g->source) && f->python == g->python &&
		       (f->source.n == 0 || hash_eq(f->raw_hash, g->raw_hash));
	}
	return same;
}

static bool exports_stand(struct patch *p)
{
	for (size_t i = 0; i < p->e->n_unit; i++) {
		const struct unit_run *u = &p->e->unit[i];
		struct record was;

		if (view_old_record(p->view, u->old, u->kept, &was) != 0)
			return false;
		if (p->depth < WORK_EMIT)
			record_without_emission(&was);
		if (u->record.failed || was.failed || !same_findings(&was, &u->record) || !same_facts(p, &was, &u->record) ||
		    !same_files(&was, &u->record))
			return false;
	}
	return true;
}

/* --- outputs --- */

/* False for a file that is not on disk by itself, but in a wheel. */
static bool files_plan(struct patch *p)
{
	struct env_run *e = p->e;

	for (size_t i = 0; i < e->n_unit; i++)
		for (size_t k = 0; k < e->unit[i].record.n_out; k++) {
			const struct record_file *f = &e->unit[i].record.out[k];
			struct str path = path_join(&e->run->own, output_dir(e), f->path);
			const struct leaf *leaf = place_leaf(&p->view->place[PLACE_MODULES], path);

			if (leaf == NULL || leaf->absent)
				return false;
			output_plan(e, f);
		}
	return true;
}

static bool files_write(struct patch *p)
{
	struct env_run *e = p->e;
	double started = now_seconds();

	if (p->depth < WORK_EMIT)
		return true;
	if (!files_plan(p) || layout_start(e) != 0)
		return false;
	view_look(p->view); /* while the formatter is at work */
	if (!places_are_left(p->view->place, STR_NONE) || layout_finish(e) != 0)
		return false;
	started = now_seconds();
	if (publish_stage(e, &e->out, NULL, NULL, 0) != 0)
		return false;
	stat_add(e->run, "publish", e->result->written, started);
	return true;
}

/* --- the run --- */

static bool patch_work(struct patch *p)
{
	struct run *r = p->e->run;
	double at = now_seconds();

	if (!is_for(p))
		return false;
	view_changes_see(p->view);
	if (!rest_stands(p, false) || !project_again(p))
		return false;
	at = stat_add(r, "project", 1, at);
	if (!files_again(p) || !patch_look(p))
		return false;
	units_take(p);
	at = stat_add(r, "reuse", p->n_touched, at);
	units_run(p->e, p->depth);
	stat_add(r, "units", p->e->result->rebuilt, at);
	return exports_stand(p) && files_write(p);
}

/* The transcript, and the counts of this run. */
static void patch_say(struct patch *p, const struct run_listener *l)
{
	struct env_run *e = p->e;
	struct run *r = e->run;
	struct unpack u = unpack_of(str_dup(r->arena, p->view->transcript));
	struct run_result *res = e->result;

	transcript_replay(r->arena, &u, e->env.name, true, false, l, res); /* it was read before: it is whole */
	e->keeps = e->patched = true;
}

/* As if nothing had been tried; what was learned of the store stays. */
static void patch_undo(struct patch *p, struct env_run *before)
{
	struct run *r = p->e->run;
	struct run_result *res = p->e->result;
	const struct recall *recall = r->project.recall;

	buf_release(&p->e->log);
	laid_out_drop(p->e);
	before->view = p->e->view;
	before->view.was_looked_at = false;
	*p->e = *before;
	res->fatal.n = res->findings.n = res->warnings.n = 0;
	res->units = res->rebuilt = res->written = res->removed = 0;
	res->status = 0;
	project_release(&r->project);
	r->project = (struct project){ .recall = recall };
	r->trace = (struct trace){ .arena = &r->own };
	r->stat.n = 1; /* the scan */
}

bool env_patch(struct env_run *e)
{
	struct run *r = e->run;
	struct patch p = { .e = e, .view = &e->view, .depth = r->o->task == RUN_VALIDATE ? WORK_CHECK : WORK_EMIT };
	const struct run_listener silent = { .ctx = &p.logs, .log = log_note }, *to = r->l;
	struct env_run before = *e;
	bool done;

	r->l = &silent;
	done = patch_work(&p);
	r->l = to;
	if (done)
		patch_say(&p, to);
	else
		patch_undo(&p, &before);
	return done;
}
