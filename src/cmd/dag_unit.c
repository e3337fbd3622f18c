#include "cmd/dag_unit.h"

#include "base/intern.h"
#include "base/pack.h"
#include "cmd/dag_take.h"
#include "resolve/conceal.h"
#include "resolve/resolve.h"

/* --- reading --- */

bool dag_is_wanted(const struct dag_manner *m, const struct dag_unit *unit)
{
	return (m->pipeline.n == 0 || str_eq(m->pipeline, unit->pipeline)) &&
	       (m->blueprint.p == NULL || (unit->blueprint.n > 0 && str_eq(m->blueprint, unit->blueprint)));
}

struct str dag_trouble(struct arena *a, const struct diags *found)
{
	const struct diag *d = NULL;
	for (size_t i = 0; i < found->n && d == NULL; i++)
		if (found->p[i].rule->severity == SEV_ERROR)
			d = &found->p[i];
	if (d == NULL)
		return STR_NONE;
	struct buf b = { 0 };
	buf_addf(&b, "%s %.*s", d->rule->code, STR_ARG(diag_title_of(d)));
	if (d->detail.n > 0 && !str_has(d->detail, STR("LHP-"))) /* the code shown is the finding's own */
		buf_addf(&b, ": %.*s", STR_ARG(d->detail));
	if (d->at.file != NULL)
		buf_addf(&b, " (%s:%u)", d->at.file, d->at.line);
	struct str line = buf_take(&b, a);
	buf_release(&b);
	return line;
}

static const struct node *map_take(struct unit *u, const struct flowgroup_source *src, struct dag_unit *out)
{
	struct diags found = { .arena = u->arena };
	struct unit quiet = *u;
	struct flowgroup fg;
	quiet.diags = &found;
	int rc = flowgroup_resolve(&quiet, src, &fg);
	if (rc < 0)
		findings_conceal(&quiet, src->node);
	out->pipeline = u->pipeline = fg.pipeline;
	out->name = u->flowgroup = fg.name;
	out->job_name = fg.job_name;
	out->blueprint = src->blueprint;
	out->file = src->file;
	out->trouble = rc < 0 ? dag_trouble(u->arena, &found) : STR_NONE;
	return fg.map;
}

int dag_unit_read(const struct dag_manner *m, struct unit *u, const struct flowgroup_source *src, struct dag_unit *out)
{
	*out = (struct dag_unit){ 0 };
	const struct node *actions = node_get(map_take(u, src, out), "actions");
	struct dag_take t = { .manner = m, .unit = u, .out = out };
	for (size_t i = 0; dag_is_wanted(m, out) && i < node_len(actions); i++)
		if (node_is(actions, NODE_LIST) && node_is(actions->list.item[i], NODE_MAP) &&
		    dag_action_take(&t, actions->list.item[i]) < 0)
			return -1;
	return 0;
}

/* --- packing --- */

/* The flowgroup's own file, where most things stand, is the empty text. */
static void file_pack(struct buf *b, const struct dag_unit *unit, const char *file)
{
	pack_str(b, strcmp(file, unit->file) == 0 ? STR("") : str_of(file));
}

static const char *file_unpack(struct intern *in, struct unpack *u, const struct dag_unit *unit)
{
	struct str file = unpack_str(u);
	return file.n > 0 ? intern_cstr(in, file) : unit->file;
}

static void action_pack(struct buf *b, const struct dag_unit *unit, const struct lineage_action *a)
{
	pack_str(b, a->name);
	pack_str(b, str_of(a->kind));
	pack_str(b, a->table);
	pack_str(b, a->view);
	pack_uint(b, a->source.n);
	for (size_t i = 0; i < a->source.n; i++) {
		const struct lineage_source *s = &a->source.p[i];
		pack_str(b, s->text);
		pack_uint(b, (uint64_t)s->line << 1 | s->at_run_time);
		file_pack(b, unit, s->file);
	}
}

static void action_unpack(struct intern *in, struct unpack *u, const struct dag_unit *unit, struct lineage_action *a)
{
	a->name = unpack_str(u);
	a->kind = intern_cstr(in, unpack_str(u));
	a->table = unpack_str(u);
	a->view = unpack_str(u);
	a->source.n = a->source.cap = unpack_count(u, 3);
	a->source.p = ARENA_ARRAY(in->arena, struct lineage_source, a->source.n);
	for (size_t i = 0; i < a->source.n && !u->bad; i++) {
		struct lineage_source *s = &a->source.p[i];
		s->text = unpack_str(u);
		uint64_t line = unpack_uint(u);
		s->line = (uint32_t)(line >> 1);
		s->at_run_time = line & 1;
		s->file = file_unpack(in, u, unit);
	}
}

static void doubt_pack(struct buf *b, const struct dag_unit *unit, const struct dag_doubt_found *d)
{
	pack_str(b, str_of(d->rule->name));
	pack_str(b, d->message);
	file_pack(b, unit, d->file);
	pack_uint(b, d->line);
	pack_uint(b, d->action);
}

static void doubt_unpack(struct intern *in, struct unpack *u, const struct dag_unit *unit, struct dag_doubt_found *d)
{
	d->rule = str_is(unpack_str(u), rule_read_unresolved.name) ? &rule_read_unresolved : &rule_body_unparsed;
	d->message = unpack_str(u);
	d->file = file_unpack(in, u, unit);
	d->line = (uint32_t)unpack_uint(u);
	d->action = (uint32_t)unpack_uint(u);
	if (d->action >= unit->action.n)
		u->bad = true;
}

void dag_unit_pack(struct buf *b, const struct dag_unit *unit)
{
	pack_str(b, unit->pipeline);
	pack_str(b, unit->name);
	pack_str(b, unit->job_name);
	pack_str(b, unit->blueprint);
	pack_str(b, str_of(unit->file));
	pack_str(b, unit->trouble);
	pack_uint(b, unit->action.n);
	for (size_t i = 0; i < unit->action.n; i++)
		action_pack(b, unit, &unit->action.p[i]);
	pack_uint(b, unit->doubt.n);
	for (size_t i = 0; i < unit->doubt.n; i++)
		doubt_pack(b, unit, &unit->doubt.p[i]);
}

void dag_unit_unpack(struct intern *in, struct unpack *u, struct dag_unit *out)
{
	*out = (struct dag_unit){ .pipeline = unpack_str(u) };
	out->name = unpack_str(u);
	out->job_name = unpack_str(u);
	out->blueprint = unpack_str(u);
	out->file = intern_cstr(in, unpack_str(u));
	out->trouble = unpack_str(u);
	out->action.n = out->action.cap = unpack_count(u, 5);
	out->action.p = ARENA_ARRAY(in->arena, struct lineage_action, out->action.n);
	for (size_t i = 0; i < out->action.n && !u->bad; i++)
		action_unpack(in, u, out, &out->action.p[i]);
	out->doubt.n = out->doubt.cap = unpack_count(u, 5);
	out->doubt.p = ARENA_ARRAY(in->arena, struct dag_doubt_found, out->doubt.n);
	for (size_t i = 0; i < out->doubt.n && !u->bad; i++)
		doubt_unpack(in, u, out, &out->doubt.p[i]);
}
