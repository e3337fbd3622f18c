/* hits.c - how much of what a run needed the store knew already. */
#include "build/steps.h"

static void leaves_count(struct run *r, struct run_hits *row, const struct leaves *l)
{
	row->known += l->scanned - l->hashed;
	row->of += l->scanned;
	r->hashed_bytes += l->hashed_bytes;
}

static void units_count(struct run_hits *row, const struct run_result *res)
{
	row->known += res->up_to_date ? res->units : res->units - res->rebuilt;
	row->of += res->units;
}

void hits_count(struct run *r, const struct engine *en, const struct env_run *env)
{
	leaves_count(r, &r->hits[HITS_INPUTS], &en->in);
	r->hits[HITS_FILES].known = en->sources.known;
	r->hits[HITS_FILES].of = en->sources.known + en->sources.learned;
	for (size_t i = 0; i < r->o->n_env; i++) {
		for (enum place_kind p = 0; p < PLACES; p++)
			leaves_count(r, &r->hits[HITS_OUTPUTS], &env[i].view.place[p].out);
		units_count(&r->hits[HITS_UNITS], &r->results[i]);
	}
}
