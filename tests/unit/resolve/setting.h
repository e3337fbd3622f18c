/*
 * setting.h - a fixture with an environment and a unit: flowgroups resolved by one call.
 */
#ifndef LHP_TESTS_RESOLVE_SETTING_H
#define LHP_TESTS_RESOLVE_SETTING_H

#include "resolve/resolve.h"
#include "resolve/token.h"
#include "unit/fixture.h"

struct setting {
	struct fixture f;
	struct env env;
	struct unit unit;
	struct discovery found;
	struct flowgroup made;
};

static inline void setting_open(struct setting *s)
{
	memset(s, 0, sizeof *s);
	fixture_open(&s->f);
}

static inline void setting_close(struct setting *s)
{
	project_release(&s->f.project);
	fixture_close(&s->f);
}

/* A new run: project, discovery, tokens of dev. 0, or -1 with findings in s->f.diags. */
static inline int start(struct setting *s)
{
	project_release(&s->f.project);
	if (load(&s->f) < 0 ||
	    discover(&s->f.project, NULL, &s->f.arena, &s->f.diags, &s->f.log, &s->found) < 0)
		return -1;
	s->env.name = STR("dev");
	s->env.tokens = tokens_load(&s->f.project, &s->f.arena, s->env.name, false, &s->f.diags, &s->f.log);
	s->f.trace = (struct trace){ .arena = &s->f.arena };
	s->unit = (struct unit){ &s->f.project, &s->env, &s->f.arena, &s->f.trace, &s->f.diags, STR("p"), STR("f"), NULL };
	return s->env.tokens != NULL ? 0 : -1;
}

/* The first flowgroup through both halves of resolving. */
static inline int resolve_first(struct setting *s)
{
	if (start(s) < 0)
		return -1;
	assert_true(s->found.n > 0);
	if (flowgroup_resolve(&s->unit, &s->found.source[0], &s->made) < 0)
		return -1;
	return flowgroup_resolve_late(&s->unit, &s->made);
}

/* repr() of a dotted part of action `i`. */
static inline const char *part(struct setting *s, size_t i, const char *dotted)
{
	assert_true(i < s->made.n);
	return str_cstr(&s->f.arena, node_repr(&s->f.arena, node_path(s->made.action[i].map, dotted)));
}

static inline bool depends_on(const struct setting *s, enum dep_kind kind, const char *key)
{
	for (size_t i = 0; i < s->f.trace.n; i++)
		if (s->f.trace.p[i].kind == kind && str_is(s->f.trace.p[i].key, key))
			return true;
	return false;
}

#endif
