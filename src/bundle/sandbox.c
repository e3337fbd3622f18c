/* sandbox.c - profile, settings and scope of a sandbox run. */
#include "bundle/sandbox.h"

#include "base/glob.h"
#include "bundle/monitoring.h"
#include "bundle/sandbox_internal.h"
#include "graph/tables.h"
#include "model/rules.h"
#include "model/shape.h"

#include <errno.h>
#include <stdlib.h>

#define PROFILE ".lhp/profile.yaml"

struct opening {
	struct sandbox *s;
	struct project *p;
	struct trace *t;
	struct str env;
	const struct str *pipeline;
	size_t n;
	struct diags *ds;
};

static int refuse(struct opening *o, const struct rule *rule, struct mark at, const char *hint, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

static int refuse(struct opening *o, const struct rule *rule, struct mark at, const char *hint, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = diag_vadd(o->ds, rule, at, fmt, ap);
	va_end(ap);
	diag_hint(o->ds, d, "%s", hint);
	return -1;
}

/* --- the profile --- */

#define PROFILE_HINT "Write, for example:\nsandbox:\n  namespace: alice\n  pipelines: [bronze, \"silver_*\"]"

/* [a-z][a-z0-9_]{0,63} */
static bool namespace_good(const struct node *n)
{
	struct str s = node_str(n);
	size_t i = 0;

	while (i < s.n && ((s.p[i] >= 'a' && s.p[i] <= 'z') || (i > 0 && (s.p[i] == '_' || (s.p[i] >= '0' && s.p[i] <= '9')))))
		i++;
	return s.n != 0 && i == s.n && s.n <= 64;
}

static int profile_refuse(struct opening *o, const struct node *n, const char *what)
{
	struct mark at = n != NULL ? n->at : (struct mark){ .file = PROFILE };

	return refuse(o, &rule_sandbox_profile, at, PROFILE_HINT, "%s; it is %s", what,
	              node_is_str(n) ? str_cstr(o->s->arena, node_repr(o->s->arena, n)) : node_kind_name(n));
}

static int profile_read(struct opening *o)
{
	const struct door_yaml *y = door_yaml(o->p->door, o->t, STR(PROFILE), (struct mark){ 0 });
	struct mark top = { .file = PROFILE };
	const struct node *sandbox;
	struct misfit m;

	if (y->file->error == -ENOENT)
		return refuse(o, &rule_sandbox_profile_missing, top, PROFILE_HINT,
		              "--sandbox needs " PROFILE ", which says your namespace and the pipelines that you work on");
	if (y->file->error != 0)
		return refuse(o, &rule_sandbox_profile, top, PROFILE_HINT, "It cannot be read: %s", strerror(-y->file->error));
	if (y->yaml.fault != YAML_GOOD)
		return refuse(o, &rule_sandbox_profile, y->yaml.at, PROFILE_HINT, "It is no YAML: %.*s", STR_ARG(y->yaml.problem));
	if (y->yaml.n_doc != 1 || !node_is(y->yaml.doc[0], NODE_MAP))
		return refuse(o, &rule_sandbox_profile, top, PROFILE_HINT, "It must be one map with the key `sandbox`");
	sandbox = node_get(y->yaml.doc[0], "sandbox");
	if (!node_is(sandbox, NODE_MAP))
		return profile_refuse(o, sandbox, "`sandbox` must be a map with the keys `namespace` and `pipelines`");
	o->s->namespace = node_get_text(sandbox, "namespace");
	o->s->entries = node_get(sandbox, "pipelines");
	if (!namespace_good(node_get(sandbox, "namespace")))
		return profile_refuse(o, node_get(sandbox, "namespace"),
		                      "`namespace` must be a small letter, then small letters, digits and `_`, 64 at most");
	if (!entity_fits(&entity_sandbox_profile, sandbox, &m))
		return refuse(o, &rule_sandbox_profile, m.value != NULL ? m.value->at : top, PROFILE_HINT, "%.*s",
		              STR_ARG(misfit_text(o->s->arena, &m)));
	return 0;
}

/* --- the team's settings --- */

static int env_check(struct opening *o)
{
	const struct node *envs = project_key(o->p, o->t, "sandbox.allowed_envs");
	struct buf list = { 0 };
	bool found = node_is_null(envs);

	for (size_t i = 0; i < node_len(envs); i++) {
		found = found || str_eq(node_str(envs->list.item[i]), o->env);
		buf_addf(&list, "%s%.*s", i != 0 ? ", " : "", STR_ARG(node_str(envs->list.item[i])));
	}
	if (!found)
		refuse(o, &rule_sandbox_env, envs->at, "Use an environment of the list, or add this one to it",
		       "`sandbox.allowed_envs` does not hold '%.*s'; it holds %.*s", STR_ARG(o->env), STR_ARG(buf_str(&list)));
	buf_release(&list);
	return found ? 0 : -1;
}

static void pattern_read(struct opening *o)
{
	const struct node *settings = project_key(o->p, o->t, "sandbox");

	o->s->r.pattern = str_replace(o->s->arena, entity_text(&entity_sandbox, settings, "table_pattern"), STR("{namespace}"),
	                              o->s->namespace);
}

/* --- scope --- */

static bool entry_take(struct opening *o, struct str entry, struct str monitoring)
{
	bool any = false;

	for (size_t i = 0; i < o->n; i++) {
		if (str_eq(o->pipeline[i], monitoring) || !glob_match(o->pipeline[i], entry))
			continue;
		map_add(&o->s->scope, o->s->arena, o->pipeline[i]);
		any = true;
	}
	return any;
}

static int unmatched_refuse(struct opening *o, struct str unmatched)
{
	struct buf b = { 0 };
	struct str hint;

	buf_adds(&b, "Case matters in names and patterns. The pipelines are ");
	for (size_t i = 0; i < o->n; i++)
		buf_addf(&b, "%s%.*s", i != 0 ? ", " : "", STR_ARG(o->pipeline[i]));
	hint = buf_take(&b, o->s->arena);
	buf_release(&b);
	return refuse(o, &rule_sandbox_scope, o->s->entries->at, hint.p, "No pipeline matches %.*s", STR_ARG(unmatched));
}

static int scope_read(struct opening *o)
{
	const struct node *entries = o->s->entries;
	struct str monitoring = monitoring_pipeline(o->p, o->t);
	struct buf unmatched = { 0 };
	int rc = 0;

	for (size_t i = 0; i < entries->list.n; i++)
		if (monitoring.n != 0 && str_eq(node_str(entries->list.item[i]), monitoring))
			return refuse(o, &rule_sandbox_monitoring, entries->list.item[i]->at, "Take it out of the list",
			              "%.*s is the monitoring pipeline, which has no sandbox", STR_ARG(monitoring));
	for (size_t i = 0; i < entries->list.n; i++) {
		struct str entry = node_str(entries->list.item[i]);

		if (!entry_take(o, entry, monitoring))
			buf_addf(&unmatched, "%s'%.*s'", unmatched.n != 0 ? ", " : "", STR_ARG(entry));
	}
	if (unmatched.n != 0)
		rc = unmatched_refuse(o, buf_str(&unmatched));
	buf_release(&unmatched);
	return rc;
}

struct sandbox *sandbox_open(struct project *p, struct trace *t, struct arena *a, struct str env,
                             const struct str *pipeline, size_t n, struct diags *ds)
{
	struct sandbox *s = ARENA_NEW(a, struct sandbox);
	struct opening o = { s, p, t, env, pipeline, n, ds };

	s->arena = s->r.arena = a;
	if (profile_read(&o) < 0 || env_check(&o) < 0)
		return NULL;
	pattern_read(&o);
	return scope_read(&o) < 0 ? NULL : s;
}

bool sandbox_has_pipeline(const struct sandbox *s, struct str pipeline)
{
	return map_find(&s->scope, pipeline) != NULL;
}

/* --- the set R --- */

void sandbox_table_add(struct sandbox *s, struct str table, struct str pipeline)
{
	if (sandbox_has_pipeline(s, pipeline)) {
		renames_add(&s->r, table);
		return;
	}
	*VEC_PUSH(&s->others, s->arena) = (struct foreign_write){ table_canonical(s->arena, table), pipeline };
}

static int foreign_cmp(const void *x, const void *y)
{
	const struct foreign_write *a = x, *b = y;
	int c = str_cmp(a->table, b->table);

	return c != 0 ? c : str_cmp(a->pipeline, b->pipeline);
}

void sandbox_seal(struct sandbox *s, struct diags *ds)
{
	struct buf b = { 0 };
	struct hasher h;

	if (s->others.n > 1)
		qsort(s->others.p, s->others.n, sizeof *s->others.p, foreign_cmp);
	for (size_t i = 0; i < s->others.n; i++) {
		const struct foreign_write *o = &s->others.p[i];

		if (renames_match(&s->r, s->arena, o->table) && (i == 0 || foreign_cmp(o, o - 1) != 0))
			buf_addf(&b, "%s%.*s: %.*s", b.n != 0 ? "\n" : "", STR_ARG(o->table), STR_ARG(o->pipeline));
	}
	if (b.n != 0) {
		struct diag *d = diag_add(ds, &rule_sandbox_mixed, s->entries->at,
		                          "Pipelines outside the sandbox write these too; their rows will not be in it:\n%.*s",
		                          STR_ARG(buf_str(&b)));

		d->file = PROFILE;
		diag_hint(ds, d, "Take these pipelines into your profile if you need their rows");
	}
	buf_release(&b);
	hasher_init(&h);
	hasher_str(&h, s->r.pattern);
	for (size_t k = 0; k < 3; k++) {
		const struct map *m = k == 0 ? &s->scope : k == 1 ? &s->r.full : &s->r.pair;
		uint32_t *order = map_sorted(m, s->arena);

		hasher_u64(&h, m->n);
		for (size_t i = 0; i < m->n; i++)
			hasher_str(&h, m->entry[order[i]].key);
	}
	s->hash = hasher_finish(&h);
}

struct hash128 sandbox_hash(const struct sandbox *s)
{
	return s->hash;
}

struct str sandbox_table_name(const struct sandbox *s, struct arena *a, struct str table)
{
	return renames_leaf(&s->r, a, table);
}

struct str sandbox_reference(const struct sandbox *s, struct arena *a, struct str name)
{
	return renames_reference(&s->r, a, name);
}
