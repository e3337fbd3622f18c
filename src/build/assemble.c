/* assemble.c - from the units' raw texts to the texts of all output files. */
#include "base/path.h"
#include "build/steps.h"
#include "model/rules.h"

struct str output_dir(const struct env_run *e)
{
	return e->output;
}

struct hash128 output_tag(const struct env_run *e, struct hash128 raw)
{
	struct hasher h;

	hasher_init(&h);
	hasher_hash(&h, raw);
	hasher_hash(&h, e->format ? e->formatter.identity : HASH_NONE);
	return hasher_finish(&h);
}

static struct pipeline_run *pipeline_of(struct env_run *e, struct str name)
{
	for (size_t i = 0; i < e->n_pipeline; i++)
		if (str_eq(e->pipeline[i].name, name))
			return &e->pipeline[i];
	return NULL;
}

struct copied {
	const struct record_file *file;
	const struct unit_run *unit;
};

/* Two sources for one destination: an error of the second one's pipeline, not of a flowgroup. */
static void conflict_report(struct env_run *e, const struct copied *was, const struct record_file *f, const struct unit_run *u)
{
	struct pipeline_run *p = pipeline_of(e, u->pipeline);
	struct diag *d = diag_add(&p->findings, &rule_copy_conflict, f->at,
	                          "%.*s would be a copy of %.*s (flowgroup %.*s) and of %.*s (flowgroup %.*s)", STR_ARG(f->path), STR_ARG(was->file->source), STR_ARG(was->unit->name),
	                          STR_ARG(f->source), STR_ARG(u->name));

	d->pipeline = u->pipeline;
	diag_hint(&p->findings, d, "Give one of the two files another name");
}

/*
 * A text whose raw form is what it was, in a file that is what was then written, need not be made again: p == NULL.
 */
void output_plan(struct env_run *e, const struct record_file *f)
{
	struct arena *a = &e->run->own;
	struct str path = path_join(a, output_dir(e), f->path);
	struct hash128 tag = output_tag(e, f->raw_hash), on_disk = view_output_hash(&e->view, path, tag);
	struct str text = !hash_is_none(on_disk) ? STR_NONE : e->format && !output_is_laid_out(e, path) ? str_dup(a, f->raw) : f->raw;
	struct output *out = outputs_add(&e->out, a, path, text);

	out->raw = f->raw_hash;
	out->at = f->at;
	if (!hash_is_none(on_disk))
		out->hash = on_disk;
}

struct taking {
	struct env_run *e;
	struct arena arena;
	struct map taken;   /* path -> struct copied */
};

static void file_take(struct taking *t, const struct unit_run *u, struct record_file *f)
{
	struct env_run *e = t->e;
	void **slot = map_slot(&t->taken, &t->arena, f->path);
	struct copied *was = *slot;

	if (was != NULL) {
		if (!str_eq(was->file->source, f->source))
			conflict_report(e, was, f, u);
		return;
	}
	was = ARENA_NEW(&t->arena, struct copied);
	*was = (struct copied){ f, u };
	*slot = was;
	if (!around_pack(e, u->pipeline, f->path, f->raw))
		output_plan(e, f);
	pipeline_of(e, u->pipeline)->n_files++;
}

/* A folder of the pipeline, below that of another, where the other has a file. */
static void folder_check(struct env_run *e, struct pipeline_run *p)
{
	struct arena *a = &e->run->own;

	for (struct str dir = p->name; p->selected && str_find_char(dir, '/', 0) >= 0; dir = path_parent(dir)) {
		const struct output *file = outputs_find(&e->out, path_join(a, output_dir(e), dir));
		struct diag *d;

		if (file == NULL)
			continue;
		d = diag_add(&p->findings, &rule_output_conflict, file->at, "%.*s would be a module, and a folder of the pipeline %.*s",
		             STR_ARG(dir), STR_ARG(p->name));
		d->pipeline = p->name;
		diag_hint(&p->findings, d, "Give the pipeline another name");
	}
}

enum { BESIDE_MODULES = 2 }; /* files of a pipeline that are of no flowgroup, as a rule */

int outputs_assemble(struct env_run *e)
{
	struct taking t = { .e = e };
	size_t files = e->n_pipeline * BESIDE_MODULES;
	bool good = true;

	for (size_t i = 0; i < e->n_unit; i++)
		files += e->unit[i].selected ? e->unit[i].record.n_out : 0;
	outputs_room(&e->out, &e->run->own, files);
	map_reserve(&t.taken, &t.arena, files);
	for (size_t i = 0; i < e->n_unit; i++)
		for (size_t k = 0; e->unit[i].selected && k < e->unit[i].record.n_out; k++)
			file_take(&t, &e->unit[i], &e->unit[i].record.out[k]);
	arena_release(&t.arena);
	for (size_t i = 0; i < e->n_pipeline; i++)
		folder_check(e, &e->pipeline[i]);
	for (size_t i = 0; i < e->n_pipeline; i++)
		good = good && e->pipeline[i].findings.n == 0;
	return good ? 0 : -1;
}
