#include "cmd/dag_write.h"

#include "base/path.h"
#include "model/rules.h"
#include "project/document.h"
#include "resolve/preset.h"
#include "yaml/node_build.h"

static const char STANDARD_CONFIG[] = "templates/bundle/job_config.yaml";

/* What a job has when nothing is configured. */
static const struct node *defaults_new(struct arena *a)
{
	struct mark none = { 0 };
	struct node *queue = node_new(a, NODE_MAP, none), *map = node_new(a, NODE_MAP, none);
	node_set(a, queue, STR("enabled"), node_new_bool(a, none, true));
	node_set(a, map, STR("max_concurrent_runs"), node_new_int(a, none, 1));
	node_set(a, map, STR("queue"), queue);
	node_set(a, map, STR("performance_target"), node_new_str(a, none, STR("STANDARD")));
	return map;
}

static const struct node *merged(struct dag *d, const struct node *base, const struct node *over)
{
	struct via via = { "job configuration", STR("job configuration"), node_mark(over) };
	return node_is(over, NODE_MAP) ? node_merge(d->arena, base, over, &via) : base;
}

static int shape_refuse(struct dag *d, struct mark at, const char *where, const struct node *n)
{
	struct diag *diag =
	    diag_add(&d->fatal, &rule_job_config_shape, at, "%s must be a map; it is %s", where, node_kind_name(n));
	diag_hint(&d->fatal, diag, "write the settings as `key: value`");
	return -1;
}

static int name_take(struct dag *d, struct job_config *c, const struct node *name, const struct node *doc)
{
	struct str text = node_text(d->arena, name);
	if (map_put(&c->job, d->arena, text, (void *)doc) == NULL)
		return 0;
	struct diag *diag = diag_add(&d->fatal, &rule_job_config_name_twice, name->at,
	                             "The job '%.*s' has two documents in the job configuration", STR_ARG(text));
	diag_hint(&d->fatal, diag, "put all settings of '%.*s' into one document", STR_ARG(text));
	return -1;
}

static void document_ignore(struct dag *d, const struct node *doc)
{
	fprintf(d->io->err,
	        "WARNING: %s:%u: a document of the job configuration has neither `project_defaults` nor a `job_name` that "
	        "is a text or a list: it is ignored\n",
	        doc->at.file, doc->at.line);
}

/* A document of some jobs: its settings count for each of them. */
static int document_take(struct dag *d, struct job_config *c, const struct node *doc)
{
	const struct node *names = node_get(doc, "job_name");
	struct node *own = node_copy(d->arena, doc);
	node_remove(own, "job_name");
	if (node_is_str(names))
		return name_take(d, c, names, own);
	if (!node_is(names, NODE_LIST)) {
		document_ignore(d, doc);
		return 0;
	}
	if (names->list.n == 0) {
		struct diag *diag = diag_add(&d->fatal, &rule_job_config_names_empty, names->at,
		                             "`job_name` is an empty list: the document is for no job");
		diag_hint(&d->fatal, diag, "name at least one job, or remove the document");
		return -1;
	}
	for (size_t i = 0; i < names->list.n; i++)
		if (name_take(d, c, names->list.item[i], own) < 0)
			return -1;
	return 0;
}

static int defaults_take(struct dag *d, struct job_config *c, const struct node *defaults, struct mark at)
{
	if (node_is_null(defaults))
		return 0;
	if (!node_is(defaults, NODE_MAP))
		return shape_refuse(d, at, "`project_defaults` of the job configuration", defaults);
	c->defaults = merged(d, c->defaults, defaults);
	c->master =
	    !node_has(defaults, "generate_master_job") || node_truthy(node_get(defaults, "generate_master_job"));
	if (node_truthy(node_get(defaults, "master_job_name")))
		c->master_name = node_text(d->arena, node_get(defaults, "master_job_name"));
	return 0;
}

/* The document that stands alone is for all jobs, whatever it holds. */
static int one_document_take(struct dag *d, struct job_config *c, const struct node *doc, bool alone)
{
	if (node_has(doc, "project_defaults"))
		return defaults_take(d, c, node_get(doc, "project_defaults"), doc->at);
	if (node_is(doc, NODE_MAP))
		return alone ? defaults_take(d, c, doc, doc->at) : document_take(d, c, doc);
	if (alone)
		return shape_refuse(d, doc->at, "The job configuration", doc);
	document_ignore(d, doc);
	return 0;
}

static int documents_take(struct dag *d, struct job_config *c, const struct yaml_file *yaml)
{
	size_t n = 0;
	for (size_t i = 0; i < yaml->n_doc; i++)
		n += !node_is_null(yaml->doc[i]);
	for (size_t i = 0; i < yaml->n_doc; i++)
		if (!node_is_null(yaml->doc[i]) && one_document_take(d, c, yaml->doc[i], n == 1) < 0)
			return -1;
	return 0;
}

int job_config_read(struct dag *d, struct job_config *out)
{
	bool asked = d->o->job_config.n > 0;
	struct str path = asked ? d->o->job_config : str_of(STANDARD_CONFIG);
	*out = (struct job_config){ .defaults = defaults_new(d->arena), .master = true };
	if (!door_is_file(d->project->door, &d->trace, path)) {
		if (!asked)
			return 0;
		struct diag *diag = diag_add(&d->fatal, &rule_job_config_missing, (struct mark){ 0 },
		                             "There is no %.*s below the root of the project", STR_ARG(path));
		diag_hint(&d->fatal, diag, "correct the path after -jc");
		return -1;
	}
	const struct door_yaml *y = door_yaml(d->project->door, &d->trace, path, (struct mark){ 0 });
	if (document_fault(&d->fatal, y, (struct mark){ 0 }) != NULL)
		return -1;
	return documents_take(d, out, &y->yaml);
}

const struct node *job_config_of(struct dag *d, const struct job_config *c, struct str job)
{
	return merged(d, c->defaults, map_get(&c->job, job));
}
