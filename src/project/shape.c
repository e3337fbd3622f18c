#include "project/shape.h"

#include "model/rules.h"
#include "model/shape.h"
#include "model/suggest.h"

/* Whose shape is judged, for messages that are rarely made. */
struct owner {
	const char *what;          /* "the flowgroup"; NULL: an action */
	const struct node *action;
	size_t position;
	struct mark at;
};

static struct str owner_name(struct arena *a, const struct owner *o)
{
	struct str name = node_get_text(o->action, "name");

	if (o->action == NULL)
		return str_of(o->what);
	name = name.n != 0 ? str_fmt(a, "action '%.*s'", STR_ARG(name)) : str_fmt(a, "action %zu", o->position + 1);
	return o->what != NULL ? str_fmt(a, "%s of %.*s", o->what, STR_ARG(name)) : name;
}

static int misfit_report(struct diags *ds, const struct misfit *m, const struct owner *o)
{
	const struct rule *rule = m->value == NULL ? &rule_shape_key_missing : m->word ? &rule_shape_word : &rule_shape_type;
	struct str hint = misfit_hint(ds->arena, m);
	struct diag *d = diag_add(ds, rule, m->value != NULL ? node_mark(m->value) : o->at, "%.*s: %.*s",
	                          STR_ARG(owner_name(ds->arena, o)), STR_ARG(misfit_text(ds->arena, m)));

	if (m->value != NULL)
		d->via = m->value->via;
	if (hint.n != 0)
		diag_hint(ds, d, "%.*s", STR_ARG(hint));
	return -1;
}

static int entity_check(struct diags *ds, const struct entity *e, const struct node *map, const struct owner *o)
{
	struct misfit m;

	return entity_fits(e, map, &m) ? 0 : misfit_report(ds, &m, o);
}

/* Compared as text whatever it is, and an unknown type has a code of its own. */
static int action_type_check(struct diags *ds, const struct owner *o)
{
	const struct field *f = field_find(&entity_action, 0, STR("type"));
	const struct node *type = node_get(o->action, "type");
	struct misfit m = { .field = f, .value = type, .word = true };
	struct str word, question;
	struct diag *d;

	if (node_is_null(type)) {
		m.word = false;
		return misfit_report(ds, &m, o);
	}
	word = node_text(ds->arena, type);
	if (field_has_value(f, word))
		return 0;
	question = misfit_hint(ds->arena, &m);
	d = diag_add(ds, &rule_action_type, node_mark(type), "%.*s has the unknown type '%.*s'%s%.*s",
	             STR_ARG(owner_name(ds->arena, o)), STR_ARG(word), question.n != 0 ? "; " : "", STR_ARG(question));
	diag_title(ds, d, "Unknown action type: '%.*s'", STR_ARG(word));
	diag_hint(ds, d, "use one of %.*s", STR_ARG(field_values(ds->arena, f)));
	d->action = node_get_text(o->action, "name");
	d->via = type->via;
	return -1;
}

int action_shape_check(struct diags *ds, const struct node *action, size_t position, struct mark at)
{
	struct owner o = { NULL, action, position, action->at.line != 0 ? action->at : at };
	const struct node *quarantine = node_get(action, "quarantine");
	size_t before = ds->n;

	if (!node_is(action, NODE_MAP)) {
		struct diag *d = diag_add(ds, &rule_shape_type, node_mark(action), "%.*s must be a mapping; it is %s",
		                          STR_ARG(owner_name(ds->arena, &o)), node_kind_name(action));

		diag_hint(ds, d, "write each action as a list entry with name, type and its keys");
		return -1;
	}
	if (action_type_check(ds, &o) == 0 && entity_check(ds, &entity_action, action, &o) == 0 &&
	    (node_is_null(quarantine) ||
	     entity_check(ds, &entity_quarantine, quarantine,
	                  &(struct owner){ "quarantine", action, position, node_mark(quarantine) }) == 0))
		return 0;
	ds->p[before].action = node_get_text(action, "name");
	return -1;
}

int flowgroup_shape_check(struct diags *ds, const struct node *n, struct mark at)
{
	const struct node *actions = node_get(n, "actions");

	if (!node_is(n, NODE_MAP)) {
		struct diag *d = diag_add(ds, &rule_shape_type, at, "a flowgroup must be a mapping; this is %s", node_kind_name(n));

		diag_hint(ds, d, "start with the keys pipeline and flowgroup");
		return -1;
	}
	if (entity_check(ds, &entity_flowgroup, n, &(struct owner){ .what = "the flowgroup", .at = at }) < 0)
		return -1;
	for (size_t i = 0; i < node_len(actions); i++)
		if (action_shape_check(ds, actions->list.item[i], i, at) < 0)
			return -1;
	return 0;
}
