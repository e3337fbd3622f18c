/* The rules of one flowgroup, in the order of spec/errors.md, section 10. */
#include "check/check.h"
#include "base/utf8.h"
#include "check/checker.h"

static bool is_table_reference(const struct node *n)
{
	struct str rest = node_str(n), part;
	size_t parts = 0;

	if (!node_is_str(n) || rest.n == 0)
		return false;
	while (str_cut(&rest, '.', &part)) {
		if (utf8_blank(part))
			return false;
		parts++;
	}
	return parts <= 3;
}

/* Malformed entries of depends_on, all in one finding, which stands for the whole flowgroup. */
static bool depends_on_check(struct checker *c)
{
	struct diags *u = c->u->diags;
	struct diag *d = NULL;
	struct buf b = { 0 };

	for (size_t i = 0; i < c->fg->n; i++) {
		const struct node *list = node_get(c->fg->action[i].map, "depends_on");

		for (size_t k = 0; node_is(list, NODE_LIST) && k < list->list.n; k++) {
			const struct node *entry = list->list.item[k];

			if (is_table_reference(entry))
				continue;
			if (d == NULL) {
				d = unit_diag(c->u, &rule_depends_on_malformed, entry->at, "%s", "");
				d->action = c->fg->action[i].name;
			}
			buf_addf(&b, "%s%.*s in depends_on of action '%.*s'", b.n == 0 ? "" : "\n",
			         STR_ARG(node_repr(c->u->arena, entry)), STR_ARG(c->fg->action[i].name));
		}
	}
	if (d != NULL) {
		d->detail = buf_take(&b, u->arena);
		diag_hint(u, d, "write table, schema.table or catalog.schema.table");
	}
	buf_release(&b);
	return d == NULL;
}

static void names_check(struct checker *c)
{
	if (c->fg->pipeline.n == 0)
		check_add(c, &rule_flowgroup_no_name, node_get(c->fg->map, "pipeline"), "'pipeline' is empty");
	if (c->fg->name.n == 0)
		check_add(c, &rule_flowgroup_no_name, node_get(c->fg->map, "flowgroup"), "'flowgroup' is empty");
	if (c->fg->n == 0)
		check_hint(c, check_add(c, &rule_flowgroup_no_actions, NULL, "the flowgroup has no actions"),
		           "add actions, or use_template");
}

static void (*const families[])(struct checker *c) = {
	[ACTION_LOAD] = check_load, [ACTION_TRANSFORM] = check_transform, [ACTION_WRITE] = check_write, [ACTION_TEST] = check_test
};

static void action_check(struct checker *c)
{
	if (c->action->name.n == 0)
		check_add(c, &rule_action_no_name, node_get(c->action->map, "name"), "the action has no name");
	families[c->action->type](c);
}

static void duplicates_check(struct checker *c)
{
	struct map names = { 0 }, targets = { 0 };

	for (size_t i = 0; i < c->fg->n; i++) {
		const struct action *a = c->action = &c->fg->action[i], *before;

		before = map_put(&names, c->u->arena, a->name, c->fg->action + i);
		if (before != NULL && a->name.n != 0)
			check_hint(c, check_add(c, &rule_action_duplicate_name, node_get(a->map, "name"),
			                        "another action is called '%.*s' as well (line %u)", STR_ARG(a->name),
			                        node_mark(before->map).line), "give each action a name of its own");
		if (a->target.n == 0)
			continue;
		before = map_put(&targets, c->u->arena, a->target, c->fg->action + i);
		if (before != NULL)
			check_hint(c, check_add(c, &rule_action_duplicate_target, node_get(a->map, "target"),
			                        "action '%.*s' makes '%.*s' as well (line %u)", STR_ARG(before->name),
			                        STR_ARG(a->target), node_mark(before->map).line), "give each view a name of its own");
	}
	c->action = NULL;
}

/* All parts in one finding, at the first of them. */
static void parts_report(struct checker *c)
{
	struct diags *kept = arena_calloc(c->u->diags->arena, 1, sizeof *kept);
	struct buf b = { 0 };
	struct diag *d;

	*kept = *c->parts;
	for (size_t i = 0; i < kept->n; i++)
		buf_addf(&b, "%s%.*s", i == 0 ? "" : "\n\n", STR_ARG(kept->p[i].detail));
	d = unit_diag(c->u, &rule_flowgroup_invalid, kept->p[0].at, "%.*s", STR_ARG(buf_str(&b)));
	d->parts = kept;
	buf_release(&b);
}

int flowgroup_check(struct unit *u, const struct flowgroup *fg)
{
	struct diags parts = { .arena = u->diags->arena };
	struct checker c = { .u = u, .fg = fg, .parts = &parts };
	size_t before = diags_count(u->diags, SEV_ERROR);

	if (fg->only_tests_dropped)
		return 0;
	if (!depends_on_check(&c))
		return -1;
	names_check(&c);
	for (size_t i = 0; i < fg->n; i++) {
		c.action = &fg->action[i];
		action_check(&c);
	}
	duplicates_check(&c);
	if (fg->n != 0)
		check_relations(&c);
	if (parts.n != 0) {
		parts_report(&c);
		return -1;
	}
	check_files(&c);
	return diags_count(u->diags, SEV_ERROR) > before ? -1 : 0;
}
