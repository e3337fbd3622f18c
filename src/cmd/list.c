#include "cmd/list.h"

#include "base/path.h"
#include "model/shape.h"
#include "project/blueprint.h"
#include "project/document.h"
#include "project/include.h"
#include "resolve/preset.h"
#include "resolve/template.h"
#include "yaml/node_build.h"

static void nothing_say(FILE *out, const char *what, const char *where)
{
	fprintf(out, "No %ss found.\nCreate a %s file %s.\n", what, what, where);
}

/* Text of a key as it is shown: `fallback` when absent or null. */
static struct str shown(struct arena *a, const struct node *n, const char *key, const char *fallback)
{
	const struct node *v = node_get(n, key);

	return node_is_null(v) ? str_of(fallback) : node_text(a, v);
}

static void indented(FILE *out, const char *margin, struct str text)
{
	struct str line;

	while (str_cut(&text, '\n', &line))
		fprintf(out, "%s%.*s\n", margin, STR_ARG(line));
}

/* --- presets --- */

int cmd_list_presets(struct project *p, FILE *out, struct buf *log)
{
	struct arena a = { 0 };
	struct preset_files all = { .arena = &a, .log = log };
	bool heading = false;

	preset_files_read(p, true, &all);
	if (all.n == 0)
		nothing_say(out, "preset", "in the 'presets' folder (such as presets/bronze_layer.yaml)");
	else
		fputs("Available presets\nName\tFile\tVersion\tExtends\n", out);
	for (size_t i = 0; i < all.n; i++)
		fprintf(out, "%.*s\t%.*s\t%.*s\t%.*s\n", STR_ARG(all.p[i].name), STR_ARG(path_base(str_of(all.p[i].file))),
		        STR_ARG(entity_text(&entity_preset, all.p[i].node, "version")), STR_ARG(shown(&a, all.p[i].node, "extends", "-")));
	if (all.n != 0)
		fprintf(out, "Total presets: %zu\n", all.n);
	for (size_t i = 0; i < all.n; i++) {
		struct str text = shown(&a, all.p[i].node, "description", "");

		if (text.n == 0)
			continue;
		fprintf(out, "%s%.*s:\n", heading ? "" : "Descriptions\n", STR_ARG(all.p[i].name));
		indented(out, "   ", text);
		heading = true;
	}
	arena_release(&a);
	return 0;
}

/* --- templates --- */

struct listed {
	struct str file;
	const struct node *node;
};

struct listing {
	VEC_OF(struct listed)
};

static void templates_read(struct project *p, struct arena *a, struct buf *log, struct listing *out)
{
	struct paths paths = { 0 };

	include_walk(p->door, NULL, a, STR("templates"), (struct patterns){ 0 }, &paths);
	for (size_t i = 0; i < paths.n; i++) {
		struct diags found = { .arena = a };
		const struct node *doc = document_only(&found, door_yaml_quiet(p->door, paths.p[i]), (struct mark){ 0 });
		const char *problem = doc != NULL ? document_misfit(a, &entity_template, doc) : NULL;

		if (doc == NULL)
			buf_addf(log, "template file %.*s is skipped: %s %.*s\n", STR_ARG(paths.p[i]), found.p[0].rule->code,
			         STR_ARG(found.p[0].detail));
		else if (problem != NULL)
			buf_addf(log, "template file %.*s is skipped: %s\n", STR_ARG(paths.p[i]), problem);
		else
			*VEC_PUSH(out, a) = (struct listed){ paths.p[i], doc };
	}
}

static size_t required_count(const struct node *parameters)
{
	size_t n = 0;

	for (size_t i = 0; i < node_len(parameters); i++)
		n += template_requires(parameters->list.item[i]);
	return n;
}

static struct str parameter_name(struct arena *a, const struct node *parameter)
{
	return node_has(parameter, "name") ? node_text(a, node_get(parameter, "name")) : STR("unknown");
}

static struct str parameter_type(struct arena *a, const struct node *parameter)
{
	struct str given = shown(a, parameter, "type", "");

	return given.n != 0 ? given : entity_text(&entity_template_parameter, NULL, "type");
}

static void template_details(FILE *out, struct arena *a, const struct node *t)
{
	const struct node *parameters = node_get(t, "parameters");
	struct str text = shown(a, t, "description", "");

	fprintf(out, "%.*s:\n", STR_ARG(node_get_text(t, "name")));
	if (text.n != 0)
		fprintf(out, "   Description: %.*s\n", STR_ARG(text));
	if (node_len(parameters) != 0)
		fputs("   Parameters:\n", out);
	for (size_t i = 0; i < node_len(parameters); i++) {
		const struct node *p = parameters->list.item[i], *standard = node_get(p, "default");

		fprintf(out, "      - %.*s (%.*s, %s)\n", STR_ARG(parameter_name(a, p)),
		        STR_ARG(parameter_type(a, p)),
		        template_requires(p) ? "required" : "optional");
		text = shown(a, p, "description", "");
		if (text.n != 0)
			indented(out, "        ", text);
		if (!node_is_null(standard))
			fprintf(out, "        Default: %.*s\n", STR_ARG(node_text(a, standard)));
	}
}

int cmd_list_templates(struct project *p, FILE *out, struct buf *log)
{
	struct arena a = { 0 };
	struct listing all = { 0 };

	templates_read(p, &a, log, &all);
	if (all.n == 0)
		nothing_say(out, "template", "in the 'templates' folder (such as templates/standard_ingestion.yaml)");
	else
		fputs("Available templates\nName\tFile\tVersion\tParams\tActions\n", out);
	for (size_t i = 0; i < all.n; i++) {
		const struct node *t = all.p[i].node, *parameters = node_get(t, "parameters");

		fprintf(out, "%.*s\t%.*s\t%.*s\t%zu/%zu\t%zu\n", STR_ARG(node_get_text(t, "name")),
		        STR_ARG(path_base(all.p[i].file)), STR_ARG(entity_text(&entity_template, t, "version")),
		        required_count(parameters), node_len(parameters), node_len(node_get(t, "actions")));
	}
	if (all.n != 0)
		fprintf(out, "Total templates: %zu\nTemplate Details\n", all.n);
	for (size_t i = 0; i < all.n; i++)
		template_details(out, &a, all.p[i].node);
	arena_release(&a);
	return 0;
}

/* --- blueprints --- */

struct made {
	const char *instance;
	struct str blueprint;
	size_t from, to; /* in the sources */
};

struct site_list {
	struct arena arena;
	struct blueprints blueprints;
	struct sources sources;
	struct { VEC_OF(struct made) } made;
};

/* `expand`: what each instance makes, by itself; whether two make the same is for validate to tell. */
static int sites_read(struct site_list *s, struct project *p, bool expand, struct diags *ds, struct buf *log)
{
	struct expansion e = { .arena = &s->arena, .blueprints = &s->blueprints, .diags = ds, .out = &s->sources };
	struct instances instances = { 0 };

	if (blueprints_read(p, NULL, &s->arena, ds, &s->blueprints) < 0)
		return -1;
	if (s->blueprints.n == 0)
		return 0;
	if (instances_read(p, NULL, &e, &instances) < 0)
		return -1;
	for (size_t i = 0; i < instances.n; i++) {
		struct made m = { instances.p[i].file, instances.p[i].blueprint, s->sources.n, 0 };

		instance_notice(&instances.p[i], log);
		e.made = (struct map){ 0 };
		if (expand && instance_expand(&e, &instances.p[i]) < 0)
			return -1;
		m.to = s->sources.n;
		*VEC_PUSH(&s->made, &s->arena) = m;
	}
	return 0;
}

/* Blueprints by name. */
static const struct blueprint **blueprints_sorted(struct site_list *s)
{
	const struct blueprint **out = ARENA_ARRAY(&s->arena, const struct blueprint *, s->blueprints.n);

	for (size_t i = 0; i < s->blueprints.n; i++) {
		size_t k = i;

		for (; k > 0 && str_cmp(out[k - 1]->name, s->blueprints.p[i].name) > 0; k--)
			out[k] = out[k - 1];
		out[k] = &s->blueprints.p[i];
	}
	return out;
}

static size_t instance_count(const struct site_list *s, struct str blueprint)
{
	size_t n = 0;

	for (size_t i = 0; i < s->made.n; i++)
		n += str_eq(s->made.p[i].blueprint, blueprint);
	return n;
}

/* The pipelines of a range of sources, each once, sorted, as a Python list. */
static struct str pipelines_of(struct site_list *s, const struct made *m)
{
	struct node *list = node_new(&s->arena, NODE_LIST, (struct mark){ 0 });
	struct map seen = { 0 };
	uint32_t *order;

	for (size_t i = m->from; i < m->to; i++)
		map_add(&seen, &s->arena, s->sources.p[i].pipeline);
	order = map_sorted(&seen, &s->arena);
	for (size_t i = 0; i < seen.n; i++)
		node_push(&s->arena, list, node_new_str(&s->arena, (struct mark){ 0 }, seen.entry[order[i]].key));
	return node_repr(&s->arena, list);
}

static void instances_print(FILE *out, struct site_list *s, const struct blueprint *b)
{
	fprintf(out, "  %.*s (%s):\n", STR_ARG(b->name), b->file);
	if (instance_count(s, b->name) == 0)
		fputs("    no instances\n", out);
	for (size_t i = 0; i < s->made.n; i++)
		if (str_eq(s->made.p[i].blueprint, b->name))
			fprintf(out, "    - %.*s: %zu flowgroup(s) -> pipeline(s) %.*s\n",
			        STR_ARG(path_base(str_of(s->made.p[i].instance))), s->made.p[i].to - s->made.p[i].from,
			        STR_ARG(pipelines_of(s, &s->made.p[i])));
}

static void blueprints_print(FILE *out, struct site_list *s, bool instances)
{
	const struct blueprint **order = blueprints_sorted(s);

	if (s->blueprints.n == 0) {
		nothing_say(out, "blueprint", "below blueprints/ (or where blueprint_include of lhp.yaml says)");
		return;
	}
	fputs("Blueprints\nName\tVersion\tDescription\tParams\tSpecs\tInstances\n", out);
	for (size_t i = 0; i < s->blueprints.n; i++)
		fprintf(out, "%.*s\t%.*s\t%.*s\t%zu\t%zu\t%zu\n", STR_ARG(order[i]->name),
		        STR_ARG(entity_text(&entity_blueprint, order[i]->node, "version")),
		        STR_ARG(shown(&s->arena, order[i]->node, "description", "-")), node_len(order[i]->parameters),
		        node_len(order[i]->flowgroups), instance_count(s, order[i]->name));
	fprintf(out, "Total blueprints: %zu\n", s->blueprints.n);
	if (instances)
		fputs("Instances\n", out);
	for (size_t i = 0; instances && i < s->blueprints.n; i++)
		instances_print(out, s, order[i]);
}

int cmd_list_blueprints(struct project *p, FILE *out, bool instances, struct diags *ds, struct buf *log)
{
	struct site_list s = { 0 };
	int rc = sites_read(&s, p, instances, ds, log);

	if (rc == 0)
		blueprints_print(out, &s, instances);
	arena_release(&s.arena);
	return rc;
}
