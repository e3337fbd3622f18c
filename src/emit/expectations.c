#include "emit/expectations.h"

#include "project/document.h"
#include "project/project.h"
#include "yaml/node_build.h"

struct reading {
	struct module *m;
	const struct action *a;
	struct expectations *out;
	bool quarantine;
	size_t n;
};

static const struct {
	const char *text;
	enum expectation_kind kind;
} ACTION[] = { { "fail", EXPECT_FAIL }, { "drop", EXPECT_DROP }, { "warn", EXPECT_WARN } },
  TYPE[] = { { "expect_or_fail", EXPECT_FAIL }, { "expect_or_drop", EXPECT_DROP }, { "expect", EXPECT_WARN } };

static void rule_add(struct reading *r, enum expectation_kind kind, struct str name, const struct node *condition)
{
	r->n++;
	node_set(r->m->unit->arena, r->out->kind[r->quarantine ? EXPECT_DROP : kind], name, condition);
}

static int misshapen(struct reading *r, const struct node *at, const char *what)
{
	module_error(r->m, r->a, &rule_expectations_shape, at->at, "%s is %s.", what, node_kind_name(at));
	return module_hint(r->m, "Write a mapping `condition: {action: drop, name: …}`, or a list of mappings with `constraint` "
				 "or `expression`");
}

/* condition: {action, name} */
static int map_rule_read(struct reading *r, const struct node *key, const struct node *value)
{
	struct arena *a = r->m->unit->arena;
	const struct node *action = node_get(value, "action"), *name = node_get(value, "name"), *condition = key;
	enum expectation_kind kind = EXPECT_WARN;

	if (!node_is(value, NODE_MAP))
		return misshapen(r, value, "What stands behind a condition");
	if (!node_is_null(action) && !node_is_str(action))
		return misshapen(r, action, "The `action` of a rule");
	for (size_t i = 0; i < 2; i++)
		if (str_is_nocase(node_str(action), ACTION[i].text))
			kind = ACTION[i].kind;
	rule_add(r, kind, node_text(a, name != NULL ? name : condition), condition);
	return 0;
}

/* Kind of a rule of the list form. False: the rule is dropped. */
static bool list_rule_kind(const struct node *rule, enum expectation_kind *kind)
{
	const struct node *action = node_get(rule, "failureAction"), *type = node_get(rule, "type");

	for (size_t i = 0; i < EXPECT_KINDS; i++)
		if (str_is_nocase(node_str(action), ACTION[i].text)) {
			*kind = ACTION[i].kind;
			return true;
		}
	*kind = EXPECT_WARN;
	for (size_t i = 0; i < EXPECT_KINDS; i++)
		if (str_is(node_str(type), TYPE[i].text)) {
			*kind = TYPE[i].kind;
			return true;
		}
	return node_is_null(type);
}

static struct str list_rule_name(struct reading *r, const struct node *rule, const struct node *condition)
{
	struct arena *a = r->m->unit->arena;
	const struct node *message = node_get(rule, "message"), *name = node_get(rule, "name");
	const struct node *first = r->quarantine ? name : message, *second = r->quarantine ? message : name;

	if (node_truthy(first) || node_truthy(second))
		return node_text(a, node_truthy(first) ? first : second);
	if (r->quarantine)
		return str_fmt(a, "rule_%zu", r->n);
	return str_cat(a, STR("Constraint failed: "), node_text(a, condition));
}

static int list_rule_read(struct reading *r, const struct node *rule)
{
	const struct node *condition = node_get(rule, "constraint");
	enum expectation_kind kind = EXPECT_DROP;

	if (!node_is(rule, NODE_MAP))
		return misshapen(r, rule, "A rule of the list");
	if (!node_truthy(condition))
		condition = node_get(rule, "expression");
	if (!node_truthy(condition) || (!r->quarantine && !list_rule_kind(rule, &kind)))
		return 0;
	rule_add(r, kind, list_rule_name(r, rule, condition), condition);
	return 0;
}

static int rules_read(struct reading *r, const struct node *rules)
{
	int rc = 0;

	for (size_t i = 0; node_is(rules, NODE_MAP) && i < rules->map.n && rc == 0; i++)
		rc = map_rule_read(r, rules->map.pair[i].key, rules->map.pair[i].value);
	for (size_t i = 0; node_is(rules, NODE_LIST) && i < rules->list.n && rc == 0; i++)
		rc = list_rule_read(r, rules->list.item[i]);
	return rc;
}

static int file_read(struct reading *r, const struct node *path)
{
	struct unit *u = r->m->unit;
	struct str name = str_replace(u->arena, path->text, STR("\\"), STR("/"));
	const struct node *doc = document_only(u->diags, door_yaml(u->project->door, u->trace, name, path->at), path->at);

	if (doc == NULL)
		return module_fault(r->m, r->a);
	if (!node_has(doc, "expectations"))
		return rules_read(r, doc);
	doc = node_get(doc, "expectations");
	if (!node_is_null(doc) && doc->kind != NODE_MAP && doc->kind != NODE_LIST)
		return misshapen(r, doc, "`expectations`");
	return rules_read(r, doc);
}

int expectations_read(struct module *m, const struct action *a, bool quarantine, struct expectations *out)
{
	const struct node *own = node_get(a->map, "expectations"), *path = node_get(a->map, "expectations_file");
	struct reading r = { m, a, out, quarantine, 0 };

	for (size_t i = 0; i < EXPECT_KINDS; i++)
		out->kind[i] = node_new(m->unit->arena, NODE_MAP, a->map->at);
	if (node_len(own) > 0)
		return rules_read(&r, own);
	return node_is_str(path) ? file_read(&r, path) : 0;
}
