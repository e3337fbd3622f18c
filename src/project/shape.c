#include "project/shape.h"

#include "model/rules.h"
#include "model/shape.h"
#include "model/suggest.h"

static int misfit_report(struct diags *ds, const struct misfit *m, const char *owner, struct mark at)
{
	const struct rule *rule = m->value == NULL ? &rule_shape_key_missing : m->word ? &rule_shape_word : &rule_shape_type;
	struct str hint = misfit_hint(ds->arena, m);
	struct diag *d = diag_add(ds, rule, m->value != NULL ? node_mark(m->value) : at, "%s: %.*s", owner,
	                          STR_ARG(misfit_text(ds->arena, m)));

	if (m->value != NULL)
		d->via = m->value->via;
	if (hint.n != 0)
		diag_hint(ds, d, "%.*s", STR_ARG(hint));
	return -1;
}

static int entity_check(struct diags *ds, const struct entity *e, const struct node *map, const char *owner, struct mark at)
{
	struct misfit m;

	return entity_fits(e, map, &m) ? 0 : misfit_report(ds, &m, owner, at);
}

/* A number is compared as text, and an unknown type has a code of its own. */
static int action_type_check(struct diags *ds, const struct node *action, const char *owner, struct mark at)
{
	const struct field *f = field_find(&entity_action, 0, STR("type"));
	const struct node *type = node_get(action, "type");
	struct misfit m = { .field = f, .value = type, .word = true };
	struct str word, question;
	struct diag *d;

	if (node_is_null(type) || type->kind == NODE_LIST || type->kind == NODE_MAP) {
		m.word = false;
		return misfit_report(ds, &m, owner, at);
	}
	word = node_text(ds->arena, type);
	if (field_has_value(f, word))
		return 0;
	question = misfit_hint(ds->arena, &m);
	d = diag_add(ds, &rule_action_type, node_mark(type), "%s has the unknown type '%.*s'%s%.*s", owner,
	             STR_ARG(word), question.n != 0 ? "; " : "", STR_ARG(question));
	diag_title(ds, d, "Unknown action type: '%.*s'", STR_ARG(word));
	diag_hint(ds, d, "use one of %.*s", STR_ARG(field_values(ds->arena, f)));
	d->action = node_get_text(action, "name");
	d->via = type->via;
	return -1;
}

int action_shape_check(struct diags *ds, const struct node *action, size_t position, struct mark at)
{
	struct str name = node_get_text(action, "name");
	const char *owner = name.n != 0 ? str_fmt(ds->arena, "action '%.*s'", STR_ARG(name)).p
	                                : str_fmt(ds->arena, "action %zu", position + 1).p;
	const struct node *quarantine = node_get(action, "quarantine");
	size_t before = ds->n;

	if (!node_is(action, NODE_MAP)) {
		struct diag *d = diag_add(ds, &rule_shape_type, node_mark(action), "%s must be a mapping; it is %s",
		                          owner, node_kind_name(action));

		diag_hint(ds, d, "write each action as a list entry with name, type and its keys");
		return -1;
	}
	if (action->at.line != 0)
		at = action->at;
	if (action_type_check(ds, action, owner, at) == 0 && entity_check(ds, &entity_action, action, owner, at) == 0 &&
	    (node_is_null(quarantine) ||
	     entity_check(ds, &entity_quarantine, quarantine, str_fmt(ds->arena, "quarantine of %s", owner).p,
	                  node_mark(quarantine)) == 0))
		return 0;
	ds->p[before].action = name;
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
	if (entity_check(ds, &entity_flowgroup, n, "the flowgroup", at) < 0)
		return -1;
	for (size_t i = 0; i < node_len(actions); i++)
		if (action_shape_check(ds, actions->list.item[i], i, at) < 0)
			return -1;
	return 0;
}
