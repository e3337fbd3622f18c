#include "project/project.h"

#include "base/path.h"
#include "model/fields.h"
#include "model/rules.h"
#include "project/document.h"
#include "project/settings.h"
#include "project/version.h"
#include "yaml/node_build.h"

#include <sys/stat.h>

struct str project_find_root(struct arena *a, struct str cwd)
{
	for (struct str dir = cwd;; dir = path_parent(dir)) {
		const char *file = str_fmt(a, "%.*s/lhp.yaml", STR_ARG(dir)).p;
		struct stat st;

		if (stat(file, &st) == 0)
			return dir.n != 0 ? dir : STR("/");
		if (dir.n == 0)
			return STR("");
	}
}

static bool version_ignored(struct project *p, struct trace *t)
{
	struct str v = door_getenv(p->door, t, "LHP_IGNORE_VERSION");

	return str_is_nocase(v, "1") || str_is_nocase(v, "true") || str_is_nocase(v, "yes");
}

static int version_required(struct project *p, struct trace *t, struct diags *ds, struct buf *log)
{
	const struct node *n = node_get(p->root, "required_lhp_version");
	struct str want = node_str(n);
	struct diag *d;

	if (want.n == 0)
		return 0;
	if (version_ignored(p, t)) {
		buf_adds(log, "LHP_IGNORE_VERSION is set: required_lhp_version of lhp.yaml is not checked\n");
		return 0;
	}
	switch (version_check(STR(LHP_LEVEL), want)) {
	case VERSION_MET:
		return 0;
	case VERSION_NOT_MET:
		d = diag_add(ds, &rule_version_not_met, n->at, "lhp.yaml requires %.*s; this is " LHP_LEVEL, STR_ARG(want));
		diag_hint(ds, d, "use a version that fits, change required_lhp_version, or set LHP_IGNORE_VERSION=1");
		return -1;
	case VERSION_UNREADABLE:
		break;
	}
	d = diag_add(ds, &rule_version_unreadable, n->at, "required_lhp_version is \"%.*s\"", STR_ARG(want));
	diag_hint(ds, d, "write specifiers such as \">=0.9,<1.0\" (PEP 440)");
	return -1;
}

int project_load(struct project *p, struct door *door, struct arena *a, struct trace *t, struct diags *ds, struct buf *log)
{
	const struct door_yaml *y = door_yaml(door, t, STR("lhp.yaml"), (struct mark){ 0 });
	const struct node *doc = document_only(ds, y, (struct mark){ 0 });

	pthread_mutex_init(&p->lock, NULL);
	p->door = door;
	p->arena = a;
	p->root = node_new(a, NODE_MAP, (struct mark){ .file = "lhp.yaml" });
	p->name = entity_text(&entity_project, NULL, "name");
	if (doc == NULL)
		return -1;
	if (doc->kind == NODE_NULL) {
		buf_adds(log, "lhp.yaml is null: no settings\n");
		return 0;
	}
	if (doc->kind != NODE_MAP) {
		struct diag *d = diag_add(ds, &rule_settings_shape, doc->at, "lhp.yaml must hold a mapping; it holds %s",
		                          node_kind_name(doc));

		diag_hint(ds, d, "write keys, such as name: my_project");
		return -1;
	}
	p->root = doc;
	if (settings_check(p, t, ds) < 0)
		return -1;
	p->name = entity_text(&entity_project, doc, "name");
	return version_required(p, t, ds, log);
}

struct hash128 node_names_hash(const struct node *map)
{
	struct hasher h;

	if (!node_is(map, NODE_MAP))
		return node_hash(map);
	hasher_init(&h);
	for (size_t i = 0; i < map->map.n; i++)
		hasher_hash(&h, node_hash(map->map.pair[i].key));
	return hasher_finish(&h);
}

const struct node *project_names(struct project *p, struct trace *t, const char *dotted)
{
	const struct node *n = node_path(p->root, dotted);

	trace_add(t, DEP_KEY, str_fmt(t->arena, "lhp.yaml/*%s", dotted), node_names_hash(n), node_mark(n));
	return n;
}

const struct node *project_key(struct project *p, struct trace *t, const char *dotted)
{
	const struct node *n = node_path(p->root, dotted);

	if (t != NULL)
		trace_add(t, DEP_KEY, str_fmt(t->arena, "lhp.yaml/%s", dotted), node_hash(n), node_mark(n));
	return n;
}
