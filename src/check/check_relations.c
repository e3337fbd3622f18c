/* Rules about how the actions of a flowgroup hang together (spec/errors.md, section 10). */
#include "check/checker.h"
#include "model/sources.h"
#include "model/suggest.h"

struct reading {
	struct names *source; /* what each action reads */
	struct map maker;     /* target -> action that makes it first, index from 1 */
	struct map read_by;   /* source -> first and, if there is one, another action that reads it */
};

struct readers {
	size_t first, other; /* from 1; 0: none */
};

static void reading_init(struct reading *r, struct checker *c)
{
	const struct flowgroup *fg = c->fg;

	*r = (struct reading){ .source = ARENA_ARRAY(c->u->arena, struct names, fg->n + 1) };
	for (size_t i = 0; i < fg->n; i++) {
		action_sources(c->u->arena, &fg->action[i], &r->source[i]);
		if (fg->action[i].target.n != 0 && map_get(&r->maker, fg->action[i].target) == NULL)
			map_put(&r->maker, c->u->arena, fg->action[i].target, (void *)(uintptr_t)(i + 1));
		for (size_t k = 0; k < r->source[i].n; k++) {
			void **slot = map_slot(&r->read_by, c->u->arena, r->source[i].p[k]);
			struct readers *readers = *slot;

			if (readers == NULL)
				*slot = readers = ARENA_NEW(c->u->arena, struct readers);
			if (readers->first == 0)
				readers->first = i + 1;
			else if (readers->first != i + 1)
				readers->other = i + 1;
		}
	}
}

/* An action that `i` reads from and that still waits for another, index from 1; 0: none. */
static size_t waiting_maker(const struct reading *r, const bool *done, size_t i)
{
	for (size_t k = 0; k < r->source[i].n; k++) {
		size_t maker = (uintptr_t)map_get(&r->maker, r->source[i].p[k]);

		if (maker != 0 && !done[maker - 1])
			return maker;
	}
	return 0;
}

/* Marks every action that depends on no circle; each round handles at least one, so this ends. */
static size_t settle(const struct reading *r, bool *done, size_t n, struct arena *a)
{
	size_t *depth = ARENA_ARRAY(a, size_t, n + 1), *stack = ARENA_ARRAY(a, size_t, n + 1), settled = 0;
	bool *open = ARENA_ARRAY(a, bool, n + 1);

	for (size_t from = 0; from < n; from++) {
		size_t top = 0;

		if (!done[from] && !open[from])
			stack[top++] = from;
		while (top > 0) {
			size_t i = stack[top - 1], maker = 0;

			open[i] = true;
			for (; depth[i] < r->source[i].n; depth[i]++) {
				maker = (uintptr_t)map_get(&r->maker, r->source[i].p[depth[i]]);
				if (maker != 0 && !done[maker - 1])
					break;
			}
			if (depth[i] == r->source[i].n) {
				done[i] = true;
				settled++;
				top--;
			} else if (open[maker - 1]) {
				top = 0; /* waits for itself: stays undone, and so does all above */
			} else {
				stack[top++] = maker - 1;
			}
		}
	}
	return settled;
}

static void circle_report(struct checker *c, const struct reading *r, const bool *done)
{
	bool *seen = ARENA_ARRAY(c->u->arena, bool, c->fg->n + 1);
	size_t i = 0, start;
	struct buf b = { 0 };

	while (done[i] || waiting_maker(r, done, i) == 0)
		i++;
	for (; !seen[i]; i = waiting_maker(r, done, i) - 1)
		seen[i] = true;
	start = i;
	do {
		buf_addf(&b, "%.*s reads ", STR_ARG(c->fg->action[i].name));
		i = waiting_maker(r, done, i) - 1;
	} while (i != start);
	buf_add(&b, c->fg->action[start].name);
	c->action = &c->fg->action[start];
	check_hint(c, check_add(c, &rule_flowgroup_cycle, NULL, "actions read each other in a circle: %.*s", STR_ARG(buf_str(&b))),
	           "let one of them read something else");
	c->action = NULL;
	buf_release(&b);
}

static void cycle_check(struct checker *c, const struct reading *r)
{
	bool *done = ARENA_ARRAY(c->u->arena, bool, c->fg->n + 1);

	if (settle(r, done, c->fg->n, c->u->arena) < c->fg->n)
		circle_report(c, r, done);
}

/* A write that has its data without any load. */
static bool loads_itself(const struct action *a)
{
	const struct node *t = a->write_target;

	if (str_is(node_get_text(t, "mode"), "snapshot_cdc"))
		return node_truthy(node_path(t, "snapshot_cdc_config.source_function"));
	return str_is(kind_of(t), "materialized_view") && (node_truthy(node_get(t, "sql")) || node_truthy(node_get(t, "sql_path")));
}

static void ends_check(struct checker *c)
{
	size_t n[4] = { 0 };
	bool loaded = false;

	for (size_t i = 0; i < c->fg->n; i++) {
		n[c->fg->action[i].type]++;
		loaded |= c->fg->action[i].type == ACTION_WRITE && loads_itself(&c->fg->action[i]);
	}
	if (n[ACTION_TEST] != 0 && n[ACTION_LOAD] == 0 && n[ACTION_WRITE] == 0)
		return;
	if (n[ACTION_LOAD] == 0 && !loaded)
		check_hint(c, check_add(c, &rule_flowgroup_no_load, NULL, "no action of the flowgroup loads anything"),
		           "add an action of type load");
	if (n[ACTION_WRITE] == 0)
		check_hint(c, check_add(c, &rule_flowgroup_no_write, NULL, "no action of the flowgroup writes anything"),
		           "add an action of type write");
}

/* Views that are read and that nothing makes: one may be `target` misspelt. */
static struct str unmade_question(struct checker *c, const struct reading *r, struct str target)
{
	struct {
		VEC_OF(struct str)
	} unmade = { 0 };

	for (size_t i = 0; i < c->fg->n; i++)
		for (size_t k = 0; k < r->source[i].n; k++)
			if (map_find(&r->maker, r->source[i].p[k]) == NULL)
				*VEC_PUSH(&unmade, c->u->arena) = r->source[i].p[k];
	return suggest_question(c->u->arena, target, unmade.p, unmade.n, 1);
}

static void unused_check(struct checker *c, const struct reading *r)
{
	for (size_t i = 0; i < c->fg->n; i++) {
		const struct action *a = &c->fg->action[i];
		const struct readers *readers = map_get(&r->read_by, a->target);

		if (a->type != ACTION_TRANSFORM || a->target.n == 0)
			continue;
		if (readers != NULL && (readers->first != i + 1 || readers->other != 0))
			continue;
		c->action = a;
		diag_hints(c->parts, check_add(c, &rule_transform_unused, node_get(a->map, "target"), "no action reads '%.*s'",
		                               STR_ARG(a->target)),
		           unmade_question(c, r, a->target), "name it as the source of another action, or remove the transform");
	}
	c->action = NULL;
}

void check_relations(struct checker *c)
{
	struct reading r;

	reading_init(&r, c);
	cycle_check(c, &r);
	ends_check(c);
	unused_check(c, &r);
}
