#include "build/place.h"

#include "base/pack.h"
#include "base/path.h"
#include "build/steps.h"

static const uint64_t NOT_FILLED = UINT64_MAX;

uint32_t place_group(struct str dir)
{
	return view_group(dir);
}

void places_name(struct place p[PLACES], struct arena *a, struct str env, struct str modules)
{
	p[PLACE_MODULES] = (struct place){ .dir = modules };
	p[PLACE_MONITORING] = (struct place){ .dir = str_fmt(a, "monitoring/%.*s", STR_ARG(env)) };
	p[PLACE_BUNDLE] = (struct place){ .dir = STR("resources/lhp") };
	p[PLACE_JOBS] = (struct place){ .dir = STR("resources") };
}

struct place *place_of(struct place p[PLACES], struct str path)
{
	enum place_kind kind = 0;

	while (kind < PLACE_JOBS && !path_is_below(path, p[kind].dir))
		kind++;
	return &p[kind];
}

static bool is_filled(const struct run_options *o, enum place_kind kind, bool last)
{
	if (o->task != RUN_GENERATE)
		return false;
	switch (kind) {
	case PLACE_MODULES: return last || o->output.n == 0;
	case PLACE_MONITORING: return !o->sandbox;
	case PLACE_BUNDLE: return last && !o->no_bundle;
	default: return last && !o->sandbox;
	}
}

/* Where links end: `generated` may be one, so that it is on another disk; what -o names must not. */
static struct str real_from(const struct place *p, const struct run_options *o, enum place_kind kind)
{
	struct str rest = p->dir, top;

	if (kind == PLACE_MODULES && o->output.n != 0)
		return path_is_absolute(p->dir) ? STR("/") : STR("");
	str_cut(&rest, '/', &top);
	return top;
}

static void place_open(struct place *p, struct engine *en, enum place_kind kind)
{
	struct unpack u = unpack_of(store_get(en->store, en->arena, 'W', place_group(p->dir), STR("")));

	p->since = u.p != NULL ? unpack_uint(&u) : 0;
	leaves_init(&p->out, en->store, en->run->fs, en->arena, 'O', place_group(p->dir));
	p->out.top = real_from(p, en->run->o, kind);
}

const struct leaf *place_leaf(struct place *p, struct str path)
{
	return p->filled && p->out.store != NULL && p->since != NOT_FILLED ? leaves_find(&p->out, path, false) : NULL;
}

void places_open(struct place p[PLACES], struct engine *en, struct str env, bool last)
{
	places_name(p, en->arena, env, output_folder(en->run, env));
	for (enum place_kind kind = 0; kind < PLACES; kind++) {
		p[kind].filled = is_filled(en->run->o, kind, last);
		if (p[kind].filled && en->store != NULL)
			place_open(&p[kind], en, kind);
	}
}

size_t places_look(struct place p[PLACES], struct engine *en)
{
	const struct run *r = en->run;
	size_t seen = 0;

	for (enum place_kind kind = 0; kind < PLACES; kind++) {
		if (!p[kind].filled)
			continue;
		if (leaves_scan(&p[kind].out, en->stamp, r->verify, scan_where(r), r->workers, &p[kind].changed) != 0)
			p[kind].since = NOT_FILLED; /* damaged: as no transcript knows it */
		seen += p[kind].out.scanned;
	}
	return seen;
}

/* Does a run of this pipeline alone fill or sweep this part of the place? */
static bool is_own(const struct place *p, enum place_kind kind, struct str pipeline, struct str path)
{
	struct str part = path.n > p->dir.n ? str_skip(path, p->dir.n + 1) : STR(""), wheels = STR("_wheels/");

	if (kind == PLACE_MODULES)
		return path_is_below(part, pipeline) || str_is(part, ".lhp-output") ||
		       (str_starts(part, wheels) && path_is_below(str_skip(part, wheels.n), pipeline));
	if (kind == PLACE_BUNDLE)
		return str_is(part, "_wheels.bundle.yml") || (str_starts(part, pipeline) && str_is(str_skip(part, pipeline.n), ".pipeline.yml"));
	return true;
}

static bool is_left(const struct place *p, enum place_kind kind, struct str pipeline)
{
	for (size_t i = 0; i < p->changed.n; i++) {
		const struct leaf_change *c = &p->changed.p[i];

		if (c->content && (pipeline.p == NULL || is_own(p, kind, pipeline, c->leaf.path)))
			return false;
	}
	return p->since != NOT_FILLED;
}

bool places_are_left(const struct place p[PLACES], struct str pipeline)
{
	for (enum place_kind kind = 0; kind < PLACES; kind++)
		if (!is_left(&p[kind], kind, pipeline))
			return false;
	return true;
}

void places_save(struct place p[PLACES], struct engine *en)
{
	for (enum place_kind kind = 0; kind < PLACES; kind++) {
		struct buf b = { 0 };

		if (!p[kind].filled)
			continue;
		if (p[kind].out.differs || p[kind].since == NOT_FILLED) {
			p[kind].since = en->generation + 1;
			pack_uint(&b, p[kind].since);
			store_put(en->store, 'W', place_group(p[kind].dir), STR(""), buf_str(&b));
		}
		leaves_save(&p[kind].out, en->generation + 1);
		buf_release(&b);
	}
}

void places_pack(struct buf *b, const struct place p[PLACES])
{
	for (enum place_kind kind = 0; kind < PLACES; kind++)
		pack_uint(b, p[kind].filled ? p[kind].since : NOT_FILLED);
}

bool places_are_as(const struct place p[PLACES], struct unpack *u)
{
	bool same = true;

	for (enum place_kind kind = 0; kind < PLACES; kind++) {
		uint64_t since = unpack_uint(u);

		same = same && (!p[kind].filled || (since == p[kind].since && since != NOT_FILLED));
	}
	return same && !u->bad;
}

void places_skip(struct unpack *u)
{
	for (enum place_kind kind = 0; kind < PLACES; kind++)
		unpack_uint(u);
}
