#include "build/reading.h"

#include "base/pack.h"
#include "base/path.h"
#include "base/pool.h"
#include "build/steps.h"

#include <stdlib.h>

struct reading {
	struct run run;
	struct run_options options;
	struct run_listener listener;
	struct project *project;
	struct engine engine;
	struct str view;
	struct str record;
	struct map changed;   /* paths with other content since the record was put */
	bool presets;         /* one of them is a preset */
};

static void changed_add(void *ctx, const struct leaf *leaf)
{
	struct reading *r = ctx;

	map_add(&r->changed, &r->run.own, str_dup(&r->run.own, leaf->path));
	r->presets = r->presets || path_is_below(leaf->path, STR("presets"));
}

static void record_find(struct reading *r)
{
	struct engine *en = &r->engine;
	struct unpack u = unpack_of(store_get(en->store, en->arena, 'L', view_group(r->view), r->view));
	uint64_t generation = unpack_uint(&u);

	if (u.bad)
		return;
	for (size_t i = 0; i < en->changed.n; i++)
		if (en->changed.p[i].content)
			changed_add(r, &en->changed.p[i].leaf);
	if (generation < en->generation)
		leaves_changed_since(&en->in, generation, changed_add, r);
	r->record = (struct str){ u.p, (size_t)(u.end - u.p) };
}

struct reading *reading_open(struct fs *fs, struct project *p, const struct reading_options *o)
{
	struct reading *r = xmalloc(sizeof *r);

	*r = (struct reading){ .project = p, .options = { .no_cache = o->no_cache } };
	r->listener = (struct run_listener){ .ctx = o->ctx, .log = o->log };
	r->run = (struct run){ .fs = fs, .o = &r->options, .l = &r->listener, .arena = &r->run.own };
	r->run.workers = o->workers != 0 ? o->workers : pool_default_workers();
	r->view = str_dup(&r->run.own, o->view);
	engine_open_reader(&r->engine, &r->run);
	p->recall = r->run.project.recall;
	p->workers = r->run.workers;
	if (r->engine.store != NULL && r->engine.last_change != UINT64_MAX)
		record_find(r);
	return r;
}

struct str reading_record(const struct reading *r)
{
	return r->record;
}

bool reading_stands(const struct reading *r)
{
	return r->record.p != NULL && r->changed.n == 0;
}

bool reading_changed(const struct reading *r, struct str path)
{
	return path.n == 0 ? r->presets : map_find(&r->changed, path) != NULL;
}

static void record_put(struct reading *r, struct str record)
{
	struct buf b = { 0 };

	pack_uint(&b, r->engine.generation + 1);
	buf_add(&b, record);
	store_put(r->engine.store, 'L', view_group(r->view), r->view, buf_str(&b));
	buf_release(&b);
}

void reading_keep(struct reading *r, struct str record)
{
	struct engine *en = &r->engine;

	r->run.door = r->project->door;
	if (record.p == NULL && en->changed.n == 0)
		return;
	if (r->options.no_cache || !engine_write(en))
		return;
	engine_note_inputs(en);
	if (record.p != NULL && !en->raced)
		record_put(r, record);
	engine_commit(en);
}

void reading_close(struct reading *r)
{
	engine_close(&r->engine);
	arena_release(&r->run.own);
	free(r);
}
