#include "project/blueprint.h"

#include "model/fields.h"
#include "model/rules.h"
#include "model/suggest.h"
#include "project/document.h"
#include "project/include.h"
#include "project/recall.h"
#include "project/variable.h"
#include "yaml/node_build.h"

static const struct str standard_include[] = { STR_INIT("pipelines/**/*.yaml"), STR_INIT("pipelines/**/*.yml") };

bool instance_looks_like(const struct node *doc)
{
	if (node_has(doc, "use_blueprint"))
		return true;
	return node_is_str(node_get(doc, "blueprint")) && !node_has(doc, "flowgroups") && !node_has(doc, "actions");
}

/* Has the text an escape that may stand for a letter, or for none: of a number, or of a line's end? */
static bool has_letter_escape(struct str bytes)
{
	for (ptrdiff_t at = 0; (at = str_find_char(bytes, '\\', (size_t)at)) >= 0; at++) {
		char next = (size_t)at + 1 < bytes.n ? bytes.p[at + 1] : '\0';

		if (next != '\0' && ((unsigned char)next >= 0x80 || strchr("xuU\r\n", next) != NULL))
			return true;
	}
	return false;
}

bool instance_possible(struct str bytes)
{
	return str_has(bytes, STR("blueprint")) || has_letter_escape(bytes);
}

/* --- reading --- */

/* The key that does not belong beside use_blueprint, or NULL. */
static const struct node *foreign_key(const struct node *doc)
{
	for (size_t i = 0; i < doc->map.n; i++)
		if (field_find(&entity_instance, 0, node_str(doc->map.pair[i].key)) == NULL)
			return doc->map.pair[i].key;
	return NULL;
}

static const struct node *flat_parameters(struct arena *a, const struct node *doc)
{
	struct node *out = node_copy(a, doc);

	node_remove(out, "blueprint");
	return out;
}

static int instance_take(struct arena *a, struct diags *ds, struct instance *in)
{
	const struct node *doc = in->node, *reference = node_get(doc, "use_blueprint"), *foreign, *given;
	struct diag *d;

	in->legacy = reference == NULL;
	if (in->legacy) {
		in->blueprint = node_get_text(doc, "blueprint");
		in->parameters = flat_parameters(a, doc);
		reference = node_get(doc, "blueprint");
	} else if ((foreign = foreign_key(doc)) != NULL) {
		d = blueprint_diag(ds, &rule_instance_keys, in->file, foreign, "%s has the key '%.*s' beside 'use_blueprint'", in->file,
		           STR_ARG(node_text(ds->arena, foreign)));
		diag_hint(ds, d, "put parameters below 'parameters:'");
		return -1;
	} else {
		in->blueprint = node_str(reference);
		given = node_get(doc, "parameters");
		in->parameters = node_is(given, NODE_MAP) ? given : node_new(a, NODE_MAP, doc->at);
	}
	in->reference = reference;
	if (in->blueprint.n != 0)
		return 0;
	d = blueprint_diag(ds, &rule_instance_reference, in->file, reference, "the blueprint of %s must be named by a text; it is %s",
	           in->file, node_kind_name(reference));
	diag_hint(ds, d, "write use_blueprint: NAME");
	return -1;
}

int instance_read(struct arena *a, const struct door_yaml *y, struct diags *ds, struct instance *out)
{
	const struct node *doc = NULL;
	size_t documents = 0;

	if (y->file->error != 0 || y->yaml.fault != YAML_GOOD)
		return 0;
	for (size_t i = 0; i < y->yaml.n_doc; i++) {
		if (node_is_null(y->yaml.doc[i]))
			continue;
		doc = documents++ == 0 ? y->yaml.doc[i] : doc;
	}
	if (!node_is(doc, NODE_MAP) || !instance_looks_like(doc))
		return 0;
	*out = (struct instance){ .file = y->file->path.p, .node = doc };
	if (documents > 1) {
		struct diag *d = blueprint_diag(ds, &rule_instance_documents, out->file, doc,
		                        "%s holds %zu YAML documents; a blueprint instance is one", out->file, documents);

		diag_hint(ds, d, "give each instance its own file");
		return -1;
	}
	return instance_take(a, ds, out) < 0 ? -1 : 1;
}

void instance_notice(const struct instance *in, struct buf *log)
{
	if (in->legacy && log != NULL)
		buf_addf(log, "%s: 'blueprint:' with flat parameters is deprecated: use 'use_blueprint:' and 'parameters:'\n",
		         in->file);
}

/* --- checking --- */

static const struct node *declared(const struct blueprint *b, struct str name)
{
	for (size_t i = 0; i < b->parameters->list.n; i++)
		if (str_eq(node_get_text(b->parameters->list.item[i], "name"), name))
			return b->parameters->list.item[i];
	return NULL;
}

static struct str blueprint_question(struct expansion *e, struct str word)
{
	struct str *names = ARENA_ARRAY(e->arena, struct str, e->blueprints->n);

	for (size_t i = 0; i < e->blueprints->n; i++)
		names[i] = e->blueprints->p[i].name;
	return suggest_question(e->diags->arena, word, names, e->blueprints->n, 1);
}

static struct str parameter_question(struct expansion *e, const struct blueprint *b, struct str word)
{
	struct str *names = ARENA_ARRAY(e->arena, struct str, b->parameters->list.n);

	for (size_t i = 0; i < b->parameters->list.n; i++)
		names[i] = node_get_text(b->parameters->list.item[i], "name");
	return suggest_question(e->diags->arena, word, names, b->parameters->list.n, 1);
}

static const struct blueprint *blueprint_of(struct expansion *e, const struct instance *in)
{
	const struct blueprint *b = blueprint_named(e->blueprints, in->blueprint);
	struct str question;
	struct diag *d;

	if (b != NULL)
		return b;
	question = blueprint_question(e, in->blueprint);
	d = blueprint_diag(e->diags, &rule_instance_unknown, in->file, in->reference, "%s uses the blueprint '%.*s', which does not exist",
	           in->file, STR_ARG(in->blueprint));
	if (question.n != 0)
		diag_hint(e->diags, d, "%.*s", STR_ARG(question));
	return NULL;
}

static int parameters_known(struct expansion *e, const struct blueprint *b, const struct instance *in)
{
	for (size_t i = 0; i < in->parameters->map.n; i++) {
		const struct node *key = in->parameters->map.pair[i].key;
		struct str name = node_text(e->arena, key), question;
		struct diag *d;

		if (declared(b, name) != NULL)
			continue;
		question = parameter_question(e, b, name);
		d = blueprint_diag(e->diags, &rule_instance_parameter_unknown, in->file, key,
		           "%s gives the parameter '%.*s', which the blueprint '%.*s' does not declare", in->file,
		           STR_ARG(name), STR_ARG(b->name));
		if (question.n != 0)
			diag_hint(e->diags, d, "%.*s", STR_ARG(question));
		return -1;
	}
	return 0;
}

static int parameters_complete(struct expansion *e, const struct blueprint *b, const struct instance *in)
{
	struct buf missing = { 0 };
	int rc = 0;

	for (size_t i = 0; i < b->parameters->list.n; i++) {
		const struct node *p = b->parameters->list.item[i];
		struct str name = node_get_text(p, "name");

		if (entity_truth(&entity_blueprint_parameter, p, "required") && node_get_s(in->parameters, name) == NULL)
			buf_addf(&missing, "%s'%.*s'", missing.n != 0 ? ", " : "", STR_ARG(name));
	}
	if (missing.n != 0) {
		struct diag *d = blueprint_diag(e->diags, &rule_instance_parameter_missing, in->file, in->reference,
		                        "%s does not give %.*s, which the blueprint '%.*s' requires", in->file,
		                        STR_ARG(buf_str(&missing)), STR_ARG(b->name));

		diag_hint(e->diags, d, "add them below 'parameters:'");
		rc = -1;
	}
	buf_release(&missing);
	return rc;
}

int instance_check(struct expansion *e, struct instance *in)
{
	in->definition = blueprint_of(e, in);
	if (in->definition == NULL || parameters_known(e, in->definition, in) < 0)
		return -1;
	return parameters_complete(e, in->definition, in);
}

int instances_read(struct project *p, struct trace *t, struct expansion *e, struct instances *out)
{
	struct paths paths = { 0 };

	include_walk(p->door, t, e->arena, STR(""), include_patterns(p, t, e->arena, "instance_include", standard_include, 2), &paths);
	for (size_t i = 0; i < paths.n; i++) {
		struct recalled known;
		struct instance in;
		int found;

		if ((p->recall != NULL && p->recall->known(p->recall->ctx, paths.p[i], &known) && !known.instance) ||
		    !instance_possible(door_read(p->door, t, paths.p[i], (struct mark){ 0 })->bytes))
			continue;
		found = instance_read(e->arena, door_yaml(p->door, t, paths.p[i], (struct mark){ 0 }), e->diags, &in);
		if (found < 0 || (found > 0 && instance_check(e, &in) < 0))
			return -1;
		if (found > 0)
			*VEC_PUSH(out, e->arena) = in;
	}
	return 0;
}

/* --- expansion --- */

static void variable_set(struct expansion *e, struct node *variables, struct str name, const struct node *value,
                         struct mark at)
{
	struct node *text = node_new_str(e->arena, value->at, node_text(e->arena, value));

	node_set(e->arena, variables, name, node_via(e->arena, text, "instance", STR_NONE, at));
}

/* Defaults of the blueprint, under the instance's parameters, under the entry's own variables. */
static struct node *variables_of(struct expansion *e, const struct blueprint *b, const struct instance *in,
                                 const struct node *spec)
{
	struct node *out = node_new(e->arena, NODE_MAP, in->node->at);
	const struct node *own = node_get(spec, "variables");

	for (size_t i = 0; i < b->parameters->list.n; i++) {
		const struct node *p = b->parameters->list.item[i], *value = node_get(p, "default");

		if (!node_is_null(value))
			variable_set(e, out, node_get_text(p, "name"), value, in->node->at);
	}
	for (size_t i = 0; i < in->parameters->map.n; i++) {
		const struct node_pair *p = &in->parameters->map.pair[i];

		variable_set(e, out, node_text(e->arena, p->key), p->value, in->node->at);
	}
	for (size_t i = 0; i < node_len(own); i++)
		variable_set(e, out, own->map.pair[i].key->text, own->map.pair[i].value, in->node->at);
	return out;
}

/* `pipeline` or `flowgroup` of an entry with its variables resolved. NULL with a finding. */
static const struct node *name_resolve(struct expansion *e, const struct blueprint *b, const struct instance *in,
                                       const struct node *spec, const struct variables *v, const char *key)
{
	const struct node *n = node_get(spec, key);
	struct str text, name;
	size_t at, end;
	struct diag *d;

	if (str_has(n->text, STR("${"))) {
		d = blueprint_diag(e->diags, &rule_blueprint_token, in->file, n, "'%s: %.*s' of the blueprint '%.*s' holds a token", key,
		           STR_ARG(n->text), STR_ARG(b->name));
		diag_hint(e->diags, d, "use %%{parameter} there: the names of flowgroups are the same in all environments");
		return NULL;
	}
	text = variables_apply(v, e->arena, n->text);
	if (variable_find(text, 0, &at, &end, &name)) {
		d = blueprint_diag(e->diags, &rule_blueprint_name_unresolved, in->file, n,
		           "'%s: %.*s' of the blueprint '%.*s' uses %%{%.*s}, which %s does not give "
		           "(LHP-CFG-011: undefined local variable)",
		           key, STR_ARG(n->text), STR_ARG(b->name), STR_ARG(name), in->file);
		diag_hint(e->diags, d, "give the parameter '%.*s', or a default for it", STR_ARG(name));
		return NULL;
	}
	return node_via(e->arena, node_new_str(e->arena, n->at, text), "instance", STR_NONE, in->node->at);
}

static int result_new(struct expansion *e, const struct instance *in, const struct flowgroup_source *f)
{
	struct str key = str_fmt(e->arena, "%zu %.*s %.*s", f->pipeline.n, STR_ARG(f->pipeline), STR_ARG(f->name));
	const char *before = map_put(&e->made, e->arena, key, (void *)(uintptr_t)in->file);
	struct diag *d;

	if (before == NULL)
		return 0;
	d = blueprint_diag(e->diags, &rule_instance_same_result, in->file, in->reference,
	           "%s and %s both make the flowgroup '%.*s' of the pipeline '%.*s'", before, in->file, STR_ARG(f->name),
	           STR_ARG(f->pipeline));
	diag_hint(e->diags, d, "use a parameter in which they differ in 'pipeline' or 'flowgroup' of the blueprint");
	return -1;
}

static int spec_expand(struct expansion *e, const struct blueprint *b, const struct instance *in, size_t i)
{
	const struct node *spec = b->flowgroups->list.item[i], *pipeline, *name;
	struct node *variables = variables_of(e, b, in, spec), *out = node_copy(e->arena, spec);
	struct flowgroup_source *f;
	struct variables v;

	variables_read(&v, e->arena, variables);
	pipeline = name_resolve(e, b, in, spec, &v, "pipeline");
	name = pipeline != NULL ? name_resolve(e, b, in, spec, &v, "flowgroup") : NULL;
	if (name == NULL)
		return -1;
	node_set(e->arena, out, STR("pipeline"), pipeline);
	node_set(e->arena, out, STR("flowgroup"), name);
	node_set(e->arena, out, STR("variables"), variables);
	f = VEC_PUSH(e->out, e->arena);
	*f = (struct flowgroup_source){
		.pipeline = pipeline->text,
		.name = name->text,
		.file = b->file,
		.index = i,
		.node = out,
		.hash = flowgroup_hash(out),
		.key = str_fmt(e->arena, "%s#%zu", in->file, i),
		.blueprint = b->name,
		.instance = in->file,
		.at = spec->at,
	};
	return result_new(e, in, f);
}

int instance_expand(struct expansion *e, const struct instance *in)
{
	for (size_t i = 0; i < in->definition->flowgroups->list.n; i++)
		if (spec_expand(e, in->definition, in, i) < 0)
			return -1;
	return 0;
}
