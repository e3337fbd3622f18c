/* Order of emission: topological generations over the actions of a flowgroup (spec/load_transform.md 1.1). */
#include "emit/module.h"
#include "model/sources.h"

struct readers {
	VEC_OF(uint32_t)
};

static bool has_reader(const struct readers *r, uint32_t action)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->p[i] == action)
			return true;
	return false;
}

/* For every action those that read its target; and how many each waits for. */
static struct readers *edges_make(struct arena *a, const struct flowgroup *fg, uint32_t *waits)
{
	struct readers *readers = ARENA_ARRAY(a, struct readers, fg->n + 1);
	struct map maker = { 0 }; /* target -> its readers */

	for (size_t i = 0; i < fg->n; i++)
		if (fg->action[i].target.n > 0)
			*map_slot(&maker, a, fg->action[i].target) = &readers[i];
	for (size_t i = 0; i < fg->n; i++) {
		struct names s = { 0 };

		action_sources(a, &fg->action[i], &s);
		for (size_t k = 0; k < s.n; k++) {
			struct readers *r = map_get(&maker, s.p[k]);
			if (r == NULL || has_reader(r, (uint32_t)i))
				continue;
			*VEC_PUSH(r, a) = (uint32_t)i;
			waits[i]++;
		}
	}
	return readers;
}

static const struct action **cycle_report(struct unit *u, const struct flowgroup *fg, const uint32_t *waits)
{
	struct buf names = { 0 };
	struct mark at = fg->at;
	struct diag *d;

	for (size_t i = 0; i < fg->n; i++) {
		if (waits[i] == 0)
			continue;
		if (names.n == 0)
			at = fg->action[i].map->at;
		buf_addf(&names, "%s%.*s", names.n > 0 ? ", " : "", STR_ARG(fg->action[i].name));
	}
	d = unit_diag(u, &rule_actions_cycle, at, "These actions wait for each other: %.*s.", STR_ARG(buf_str(&names)));
	diag_hint(u->diags, d, "Let one of them read something else than the target of another");
	buf_release(&names);
	return NULL;
}

const struct action **actions_ordered(struct unit *u, const struct flowgroup *fg)
{
	struct arena *a = u->arena;
	uint32_t *waits = ARENA_ARRAY(a, uint32_t, fg->n + 1);
	struct readers *readers = edges_make(a, fg, waits);
	const struct action **order = ARENA_ARRAY(a, const struct action *, fg->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < fg->n; i++)
		if (waits[i] == 0)
			order[n++] = &fg->action[i];
	/* A generation stands behind the one that frees it, so one walk over the growing list goes by generations. */
	for (size_t i = 0; i < n; i++) {
		const struct readers *r = &readers[order[i] - fg->action];

		for (size_t k = 0; k < r->n; k++)
			if (--waits[r->p[k]] == 0)
				order[n++] = &fg->action[r->p[k]];
	}
	return n == fg->n ? order : cycle_report(u, fg, waits);
}
