/* why.c - `lhp why`: what would be rebuilt and because of what; who makes and reads a table; who uses a file. */
#include "base/path.h"
#include "build/engine.h"
#include "cmd/store_look.h"
#include "cmd/why_show.h"
#include "model/suggest.h"
#include "resolve/preset.h"

static void place_add(void *ctx, struct str pipeline, struct str flowgroup, const char *file)
{
	struct places *list = ctx;

	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->p[i].pipeline, pipeline) && str_eq(list->p[i].flowgroup, flowgroup))
			return;
	*VEC_PUSH(list, list->arena) = (struct place){ pipeline, flowgroup, file };
}

static struct readers *lineage_of(struct why *w)
{
	if (!w->has_lineage)
		w->has_lineage = readers_open(&w->lineage, &w->now, w->arena, w->call->io) == 0;
	return w->has_lineage ? &w->lineage : NULL;
}

/* --- finding out --- */

static bool wrote(const struct facts *f, struct str table)
{
	for (size_t i = 0; i < f->n_write; i++)
		if (str_eq_nocase(f->write[i].table, table))
			return true;
	return false;
}

/* Tables that it writes now and did not when its trace was stored. */
static void tables_compare(struct why *w, struct answer *a)
{
	const struct facts *now = &a->unit->record.facts;
	struct places all = { .arena = w->arena };

	for (size_t i = 0; i < now->n_write; i++) {
		struct str table = now->write[i].table;

		if (wrote(&a->stored->record.facts, table))
			continue;
		*VEC_PUSH(&a->new_table, w->arena) = table;
		if (lineage_of(w) != NULL)
			readers_of(&w->lineage, table, place_add, &all);
	}
	for (size_t i = 0; i < all.n; i++)
		if (!str_eq(all.p[i].pipeline, a->pipeline))
			place_add(&a->readers, all.p[i].pipeline, all.p[i].flowgroup, all.p[i].file);
}

static void output_look(struct why *w, struct answer *a, struct str modules, struct str path)
{
	enum output_state state = stored_output_state(&w->stored, &w->call->fs, modules, path);

	if (state != OUTPUT_RIGHT)
		*VEC_PUSH(&a->bad_output, w->arena) = (struct bad_output){ path, state == OUTPUT_EDITED };
}

/* The folder of modules that the question is about: the one that it names something in, or the last that was filled. */
static struct str modules_meant(const struct why *w)
{
	for (size_t i = 0; i < w->stored.output.n; i++)
		if (path_is_below(w->what, w->stored.output.p[i]))
			return w->stored.output.p[i];
	return w->stored.output.p[0];
}

static void answer_find(struct why *w, struct answer *a)
{
	struct str modules = modules_meant(w);
	const struct record *rec;

	a->readers.arena = w->arena;
	a->stored = stored_find(&w->stored, a->pipeline, a->flowgroup);
	if (a->stored == NULL)
		return;
	rec = &a->stored->record;
	differences_find(&w->now, &w->stored, &rec->trace, a->unit != NULL ? a->unit->src : NULL, &a->why);
	for (size_t i = 0; i < rec->n_out; i++)
		output_look(w, a, modules, path_join(w->arena, modules, rec->out[i].path));
	if (a->why.n != 0 && a->unit != NULL && !rec->failed_check)
		tables_compare(w, a);
}

/* --- WHAT --- */

/* The flowgroups that `is` accepts, now or in the store. False: none. */
struct chosen {
	VEC_OF(struct answer)
	struct map seen;
};

static void choose(struct why *w, struct chosen *c, struct str pipeline, struct str flowgroup, const struct snapshot_unit *unit)
{
	if (!map_add(&c->seen, w->arena, str_cat_sep(w->arena, pipeline, '\n', flowgroup)))
		return;
	*VEC_PUSH(c, w->arena) = (struct answer){ .pipeline = pipeline, .flowgroup = flowgroup, .unit = unit };
}

static bool is_named(struct why *w, struct str pipeline, struct str flowgroup)
{
	return str_eq(w->what, flowgroup) ||
	       str_eq(w->what, str_fmt(w->arena, "%.*s.%.*s", STR_ARG(pipeline), STR_ARG(flowgroup)));
}

static bool makes(struct why *w, const struct record *r)
{
	struct str modules = modules_meant(w);

	for (size_t i = 0; i < r->n_out; i++)
		if (str_eq(w->what, path_join(w->arena, modules, r->out[i].path)) || str_eq(w->what, r->out[i].path))
			return true;
	return false;
}

static void flowgroups_choose(struct why *w, struct chosen *c)
{
	for (size_t i = 0; i < w->now.n; i++) {
		const struct snapshot_unit *u = &w->now.unit[i];

		if (is_named(w, u->pipeline, u->name) || makes(w, &u->record))
			choose(w, c, u->pipeline, u->name, u);
	}
	for (size_t i = 0; i < w->stored.unit.n; i++) {
		const struct stored_unit *u = w->stored.unit.entry[i].value;
		const struct snapshot_unit *unit = NULL;

		if (u == NULL || (!is_named(w, u->record.pipeline, u->record.flowgroup) && !makes(w, &u->record)))
			continue;
		for (size_t k = 0; k < w->now.n && unit == NULL; k++)
			if (str_eq(w->now.unit[k].pipeline, u->record.pipeline) && str_eq(w->now.unit[k].name, u->record.flowgroup))
				unit = &w->now.unit[k];
		choose(w, c, u->record.pipeline, u->record.flowgroup, unit);
	}
}

static bool flowgroups_answer(struct why *w)
{
	struct chosen c = { 0 };

	flowgroups_choose(w, &c);
	if (c.n == 0)
		return false;
	if (w->json) {
		why_json_open(w, "flowgroup");
		buf_adds(&w->out, ",\n  \"flowgroups\": [");
	} else if (w->store == NULL) {
		buf_addf(&w->out, "%.*s.\n", STR_ARG(w->no_store));
	}
	for (size_t i = 0; i < c.n; i++) {
		answer_find(w, &c.p[i]);
		if (!w->json) {
			why_answer_text(w, &c.p[i]);
			continue;
		}
		buf_adds(&w->out, i != 0 ? ",\n   " : "\n   ");
		why_answer_json(w, &c.p[i]);
	}
	if (w->json)
		buf_adds(&w->out, "\n  ]}\n");
	return true;
}

/* A file that is made for the run as a whole: a resource file, a hook, a list. */
static bool output_answer(struct why *w)
{
	struct answer a = { .flowgroup = w->what, .readers.arena = w->arena };
	struct stored_run run;

	if (!stored_run_find(&w->stored, &w->call->fs, w->what, &run))
		return false;
	differences_find(&w->now, &w->stored, &run.trace, NULL, &a.why);
	output_look(w, &a, run.modules, w->what);
	if (w->json)
		why_output_json(w, &a, &run.trace);
	else
		why_output_text(w, &a);
	return true;
}

static bool trace_uses(struct why *w, const struct trace *t, struct str path)
{
	for (size_t i = 0; i < t->n; i++) {
		enum dep_kind kind = t->p[i].kind;

		if (kind != DEP_ENV && kind != DEP_TABLE && kind != DEP_DIR && str_eq(dep_base(w->arena, &t->p[i]), path))
			return true;
	}
	return false;
}

/* Does a chain "A,B" hold the preset of the file `path`, by itself or by what its presets extend? */
static bool chain_has(const struct preset_files *files, struct str chain, struct str path)
{
	struct str name;

	while (str_cut(&chain, ',', &name)) {
		struct str at = name;

		for (size_t steps = 0; at.n != 0 && steps <= files->n; steps++) {
			const struct preset *found = NULL;

			for (size_t i = 0; i < files->n; i++)
				if (str_eq(files->p[i].name, at))
					found = &files->p[i];
			if (found != NULL && str_eq(str_of(found->file), path))
				return true;
			at = found != NULL ? found->extends : STR("");
		}
	}
	return false;
}

static bool trace_uses_preset(const struct trace *t, const struct preset_files *files, struct str path)
{
	for (size_t i = 0; i < t->n; i++) {
		struct str key = t->p[i].key, chain;

		if (t->p[i].kind != DEP_KEY || !str_starts(key, STR("preset/")))
			continue;
		key = str_skip(key, sizeof "preset/" - 1);
		if (str_cut(&key, '/', &chain) && chain_has(files, chain, path))
			return true;
	}
	return false;
}

/* Flowgroups that stand in the file, or were made from it. */
static void users_find(struct why *w, struct places *users)
{
	struct preset_files presets = { .arena = w->arena };

	if (path_is_below(w->what, STR("presets")))
		preset_files_read(&w->now.project, false, &presets);
	for (size_t i = 0; i < w->now.n; i++) {
		const struct snapshot_unit *u = &w->now.unit[i];

		if (str_eq(str_of(u->src->file), w->what) || str_eq(str_of(u->src->instance), w->what) ||
		    trace_uses(w, &u->record.trace, w->what) || trace_uses_preset(&u->record.trace, &presets, w->what))
			place_add(users, u->pipeline, u->name, u->src->file);
	}
}

static bool file_answer(struct why *w)
{
	struct places users = { .arena = w->arena };

	users_find(w, &users);
	if (users.n == 0 && !fs_is_file(&w->call->fs, w->what))
		return false;
	if (w->json) {
		why_json_open(w, "file");
		buf_adds(&w->out, ",\n  ");
		places_json(&w->out, "flowgroups", &users);
		buf_adds(&w->out, "}\n");
	} else if (users.n == 0) {
		buf_addf(&w->out, "No flowgroup depends on %.*s in %.*s.\n", STR_ARG(w->what), STR_ARG(w->env));
	} else {
		places_text(&w->out, str_fmt(w->arena, "These depend on %.*s:\n", STR_ARG(w->what)).p, &users);
	}
	return true;
}

static bool table_answer(struct why *w)
{
	struct places makers = { .arena = w->arena }, readers = { .arena = w->arena };

	if (lineage_of(w) == NULL)
		return false;
	writers_of(&w->lineage, w->what, place_add, &makers);
	readers_of(&w->lineage, w->what, place_add, &readers);
	if (makers.n + readers.n == 0)
		return false;
	if (w->json) {
		why_json_open(w, "table");
		buf_adds(&w->out, ",\n  ");
		places_json(&w->out, "producers", &makers);
		buf_adds(&w->out, ",\n  ");
		places_json(&w->out, "readers", &readers);
		buf_adds(&w->out, "}\n");
		return true;
	}
	if (makers.n == 0)
		buf_addf(&w->out, "%.*s is made by no flowgroup of this project.\n", STR_ARG(w->what));
	places_text(&w->out, str_fmt(w->arena, "%.*s is made by:\n", STR_ARG(w->what)).p, &makers);
	places_text(&w->out, str_fmt(w->arena, "Their code reads %.*s:\n", STR_ARG(w->what)).p, &readers);
	if (readers.n == 0)
		buf_adds(&w->out, "Nothing in this project reads it.\n");
	return true;
}

/* A path is relative to the current folder when it leads to something in the project from there; else to the root. */
static struct str what_read(struct call *c)
{
	struct str what = c->args->word[0], path = path_join(c->arena, c->io->cwd, what), top = str_skip(c->fs.root, 1), normal;
	struct fs_stat st;

	if (fs_stat(&c->fs, path, &st) == 0 && path_normal(c->arena, str_skip(path, 1), &normal) && path_is_below(normal, top) &&
	    normal.n > top.n)
		return str_skip(normal, top.n + (top.n != 0));
	return path_normal(c->arena, what, &normal) ? normal : what;
}

/* "; did you mean …?" over flowgroups and the tables that they write, or nothing. */
static struct str question(struct why *w)
{
	struct map seen = { 0 };
	struct str *name, asked;

	for (size_t i = 0; i < w->now.n; i++) {
		const struct snapshot_unit *u = &w->now.unit[i];

		map_add(&seen, w->arena, u->name);
		map_add(&seen, w->arena, str_fmt(w->arena, "%.*s.%.*s", STR_ARG(u->pipeline), STR_ARG(u->name)));
		for (size_t k = 0; k < u->record.facts.n_write; k++)
			map_add(&seen, w->arena, u->record.facts.write[k].table);
	}
	name = ARENA_ARRAY(w->arena, struct str, seen.n);
	for (size_t i = 0; i < seen.n; i++)
		name[i] = seen.entry[i].key;
	asked = suggest_question(w->arena, w->what, name, seen.n, 3);
	return asked.n != 0 ? str_fmt(w->arena, "; %.*s", STR_ARG(asked)) : STR("");
}

static int answer(struct why *w)
{
	struct call *c = w->call;

	if (snapshot_open(&w->now, &c->fs, w->env, false, c->io->getenv) != 0 || resources_open(&w->around, &w->now, STR("")) != 0) {
		panels_print(c->io, &c->fs, &w->now.diags);
		return STATUS_FAILED;
	}
	snapshot_work(&w->now, WORK_EMIT);
	if (w->what.n != 0 && (flowgroups_answer(w) || output_answer(w) || file_answer(w) || table_answer(w))) {
		fwrite(w->out.p, 1, w->out.n, c->io->out);
		return 0;
	}
	fprintf(c->io->err, "lhp: %.*s is no flowgroup, table, input or output of this project in %.*s%.*s\n", STR_ARG(c->args->word[0]),
	        STR_ARG(w->env), STR_ARG(question(w)));
	return STATUS_FAILED;
}

int cmd_why(struct call *c)
{
	struct why w = { .call = c, .arena = c->arena, .env = opt_text(c->args, "--env") };
	int status = call_open(c);

	if (status != 0)
		return status;
	w.what = what_read(c);
	w.json = str_is_nocase(opt_text(c->args, "--format"), "json");
	w.store = store_look(c, &w.no_store);
	stored_read(&w.stored, w.store, w.env, c->arena);
	status = answer(&w);
	snapshot_close(&w.now);
	store_close(w.store);
	buf_release(&w.out);
	return status;
}
