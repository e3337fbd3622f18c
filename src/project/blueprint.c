#include "project/blueprint.h"

#include "model/rules.h"
#include "model/shape.h"
#include "project/document.h"
#include "project/include.h"
#include "project/shape.h"

static const struct str standard_include[] = { STR_INIT("blueprints/**/*.yaml"), STR_INIT("blueprints/**/*.yml") };

bool blueprint_looks_like(const struct node *doc)
{
	return node_has(doc, "parameters") && node_has(doc, "flowgroups") && !node_has(doc, "actions");
}

struct diag *blueprint_diag(struct diags *ds, const struct rule *rule, const char *file, const struct node *at,
                            const char *fmt, ...)
{
	struct mark mark = node_mark(at);
	struct diag *d;
	va_list ap;

	if (mark.file == NULL)
		mark = (struct mark){ .file = file };
	va_start(ap, fmt);
	d = diag_vadd(ds, rule, mark, fmt, ap);
	va_end(ap);
	d->file = file;
	return d;
}

/* --- definitions --- */

/* A finding about a part of the blueprint that does not fit; `what` names the part. */
static int misfit_refuse(struct diags *ds, const char *file, const struct node *n, const struct entity *e, const char *what)
{
	struct str hint = STR("");
	struct misfit m = { 0 };
	struct diag *d;

	if (node_is(n, NODE_MAP) && entity_fits(e, n, &m))
		return 0;
	if (m.field != NULL)
		hint = misfit_hint(ds->arena, &m);
	d = blueprint_diag(ds, &rule_blueprint_definition, file, m.value != NULL ? m.value : n, "%s: %s", what,
	                   document_misfit(ds->arena, e, n));
	if (hint.n != 0)
		diag_hint(ds, d, "%.*s", STR_ARG(hint));
	return -1;
}

static int spec_check(struct diags *ds, const char *file, const struct node *n, size_t i)
{
	struct diags found = { .arena = ds->arena };
	struct diag *d;

	if (flowgroup_shape_check(&found, n, node_mark(n)) == 0)
		return 0;
	d = blueprint_diag(ds, &rule_blueprint_definition, file, n, "flowgroup %zu of the blueprint: %.*s", i + 1,
	           STR_ARG(found.p[0].detail));
	d->at = found.p[0].at;
	d->hint = found.p[0].hint;
	return -1;
}

static int definition_check(struct diags *ds, const struct blueprint *b)
{
	if (misfit_refuse(ds, b->file, b->node, &entity_blueprint, "the blueprint") < 0)
		return -1;
	for (size_t i = 0; i < b->parameters->list.n; i++)
		if (misfit_refuse(ds, b->file, b->parameters->list.item[i], &entity_blueprint_parameter,
		                  str_fmt(ds->arena, "parameter %zu of the blueprint", i + 1).p) < 0)
			return -1;
	for (size_t i = 0; i < b->flowgroups->list.n; i++)
		if (spec_check(ds, b->file, b->flowgroups->list.item[i], i) < 0)
			return -1;
	return 0;
}

static int blueprint_read(const struct door_yaml *y, struct diags *ds, struct blueprint *out)
{
	const char *file = y->file->path.p;
	struct diag *d = document_fault(ds, y, (struct mark){ 0 });
	const struct node *doc = NULL;
	size_t documents = 0;

	if (d != NULL) {
		d->file = file;
		return -1;
	}
	for (size_t i = 0; i < y->yaml.n_doc; i++)
		if (!node_is_null(y->yaml.doc[i]) && documents++ == 0)
			doc = y->yaml.doc[i];
	if (doc == NULL) {
		blueprint_diag(ds, &rule_blueprint_empty, file, NULL, "%s holds nothing", file);
		return -1;
	}
	if (documents > 1) {
		d = blueprint_diag(ds, &rule_blueprint_documents, file, NULL, "%s holds %zu YAML documents; a blueprint is one", file,
		           documents);
		diag_hint(ds, d, "give each blueprint its own file");
		return -1;
	}
	if (!node_is(doc, NODE_MAP) || !blueprint_looks_like(doc)) {
		d = blueprint_diag(ds, &rule_blueprint_shape, file, doc,
		           "%s is selected by blueprint_include but has not the keys 'name', 'parameters' and 'flowgroups'",
		           file);
		diag_hint(ds, d, "add them, or move the file where blueprint_include does not reach");
		return -1;
	}
	*out = (struct blueprint){
		.name = node_get_text(doc, "name"),
		.file = file,
		.node = doc,
		.parameters = node_get(doc, "parameters"),
		.flowgroups = node_get(doc, "flowgroups"),
	};
	return definition_check(ds, out);
}

const struct blueprint *blueprint_named(const struct blueprints *all, struct str name)
{
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->p[i].name, name))
			return &all->p[i];
	return NULL;
}

int blueprints_read(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct blueprints *out)
{
	struct paths paths = { 0 };

	include_walk(p->door, t, a, STR(""), include_patterns(p, t, a, "blueprint_include", standard_include, 2), &paths);
	for (size_t i = 0; i < paths.n; i++) {
		const struct door_yaml *y = door_yaml(p->door, t, paths.p[i], (struct mark){ 0 });
		const struct blueprint *same;
		struct blueprint b;

		if (blueprint_read(y, ds, &b) < 0)
			return -1;
		same = blueprint_named(out, b.name);
		if (same != NULL) {
			struct diag *d = blueprint_diag(ds, &rule_blueprint_name_twice, b.file, node_get(b.node, "name"),
			                        "%s and %s both define the blueprint '%.*s'", same->file, b.file,
			                        STR_ARG(b.name));

			diag_hint(ds, d, "rename one of them");
			return -1;
		}
		*VEC_PUSH(out, a) = b;
	}
	return 0;
}
