/* Rules of data quality transforms in mode quarantine (spec/errors.md, section 10; load_transform.md, sections 4.3 and 4.4). */
#include "check/checker.h"
#include "project/document.h"
#include "project/project.h"

/* Rules of a list: those with a condition. */
static size_t list_count(const struct node *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->list.n; i++) {
		const struct node *rule = list->list.item[i];

		n += node_truthy(node_get(rule, "constraint")) || node_truthy(node_get(rule, "expression"));
	}
	return n;
}

static void rules_count(struct checker *c, const struct node *at, const struct node *doc)
{
	const struct node *rules = node_has(doc, "expectations") ? node_get(doc, "expectations") : doc;
	size_t n = node_is(rules, NODE_LIST) ? list_count(rules) : node_len(rules);

	if (!node_is_null(rules) && rules->kind != NODE_LIST && rules->kind != NODE_MAP)
		check_hint(c, check_add(c, &rule_quarantine_rules_unreadable, at, "%.*s holds %s", STR_ARG(at->text),
		                        node_kind_name(rules)),
		           "write a list of rules, or a map from condition to {action, name}");
	else if (n == 0)
		check_hint(c, check_add(c, &rule_quarantine_no_rules, at, "%.*s holds no rule, so nothing can be quarantined",
		                        STR_ARG(at->text)),
		           "add a rule with a constraint or an expression");
}

static void file_check(struct checker *c, const struct node *path)
{
	struct str p = str_replace(c->u->arena, node_str(path), STR("\\"), STR("/"));
	const struct node *doc;

	if (!node_is_str(path) || path->text.n == 0)
		return;
	doc = document_only(c->parts, door_yaml(c->u->project->door, c->u->trace, p, path->at), path->at);
	if (doc == NULL)
		check_own(c, &c->parts->p[c->parts->n - 1]);
	else
		rules_count(c, path, doc);
}

static void table_check(struct checker *c, const struct node *block, const char *name)
{
	const struct node *table = node_get(block, name);

	if (!node_truthy(table))
		check_add(c, &rule_quarantine_key_missing, table != NULL ? table : block, "the quarantine block needs '%s'", name);
	else if (!is_three_part(table))
		check_hint(c, check_add(c, &rule_quarantine_three_parts, table, "%s is %.*s", name,
		                        STR_ARG(node_repr(c->u->arena, table))),
		           "write it as catalog.schema.table");
}

void check_quarantine(struct checker *c)
{
	const struct node *block = node_get(c->action->map, "quarantine");

	if (node_is_null(block)) {
		check_hint(c, check_add(c, &rule_quarantine_missing, node_get(c->action->map, "mode"),
		                        "mode is quarantine, but there is no quarantine block"),
		           "add quarantine: {dlq_table: …, source_table: …}");
	} else {
		table_check(c, block, "dlq_table");
		table_check(c, block, "source_table");
	}
	file_check(c, node_get(c->action->map, "expectations_file"));
}
