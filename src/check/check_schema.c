/* Rules of schema transforms (spec/errors.md, section 10; load_transform.md, section 4.6). */
#include "check/checker.h"
#include "model/schema_changes.h"
#include "project/project.h"

static void source_check(struct checker *c)
{
	const struct node *source = c->action->source;

	if (!node_truthy(source))
		check_hint(c, check_add(c, &rule_action_no_source, source, "the schema transform has no source"),
		           "name the view that it reads");
	else if (source->kind == NODE_MAP)
		check_hint(c, check_add(c, &rule_schema_old_form, source, "the source of a schema transform is a map, an old form"),
		           "name the view as source, and give schema_inline or schema_file and enforcement on the action itself");
	else if (!node_is_str(source))
		check_add(c, &rule_schema_source, source, "the source of a schema transform is one view, found %s",
		          node_kind_name(source));
}

/* emit/ says the same: validate knows of the key only where the schema is read for the columns in it, too. */
static void enforcement_warn(struct checker *c, const struct node *schema, const struct schema_changes *changes)
{
	struct unit *u = c->u;
	struct diag *d;

	if (changes->enforcement == NULL)
		return;
	d = unit_diag(u, &rule_schema_enforcement_key, schema->at, "%s", schema_enforcement_detail);
	d->action = c->action->name;
	diag_hint(u->diags, d, "%s", schema_enforcement_hint);
}

/* The definition in a file, or NULL when there is none that can be read (which emit/ reports). */
static const struct node *file_definition(struct checker *c, const struct node *path)
{
	const struct door_yaml *file;

	if (!node_is_str(path))
		return NULL;
	file = door_yaml(c->u->project->door, c->u->trace, str_replace(c->u->arena, path->text, STR("\\"), STR("/")), path->at);
	return file->file->error == 0 && file->yaml.n_doc == 1 ? file->yaml.doc[0] : NULL;
}

/* False when no columns are known. */
static bool columns_read(struct checker *c, const struct node *text, const struct node *path, struct schema_changes *out)
{
	const struct node *schema = node_is_str(text) ? text : file_definition(c, path);
	int rc;

	if (schema == NULL)
		return false;
	rc = schema == text ? schema_changes_of_text(c->u->arena, text, out) : schema_changes_of_node(c->u->arena, schema, out);
	enforcement_warn(c, schema, out);
	return rc == 0;
}

static void refuse(struct checker *c, const struct node *at, const struct column_changes *change, const struct node *metadata,
                   const char *verb)
{
	for (size_t i = 0; i < change->n; i++)
		if (node_get_s(metadata, change->p[i].from) != NULL)
			check_hint(c, check_add(c, &rule_schema_metadata, at,
			                        "the schema %s '%.*s', an operational metadata column of lhp.yaml", verb,
			                        STR_ARG(change->p[i].from)),
			           "remove '%.*s' from the schema: lhp adds metadata columns itself", STR_ARG(change->p[i].from));
}

static void metadata_check(struct checker *c, const struct node *text, const struct node *path)
{
	struct schema_changes changes = { 0 };
	const struct node *metadata = project_names(c->u->project, c->u->trace, "operational_metadata.columns");

	if (node_len(metadata) == 0 || !columns_read(c, text, path, &changes))
		return;
	refuse(c, node_is_null(text) ? path : text, &changes.rename, metadata, "renames");
	refuse(c, node_is_null(text) ? path : text, &changes.cast, metadata, "casts");
}

void check_schema_transform(struct checker *c)
{
	const struct node *text = node_get(c->action->map, "schema_inline"), *path = node_get(c->action->map, "schema_file");

	source_check(c);
	if (!node_is_null(text) && !node_is_null(path))
		check_hint(c, check_add(c, &rule_schema_both, path, "both schema_inline and schema_file are given"),
		           "keep one of them");
	else if (node_is_null(text) && node_is_null(path))
		check_hint(c, check_add(c, &rule_schema_none, NULL, "neither schema_inline nor schema_file is given"),
		           "give one of them");
	check_value(c, "enforcement", &rule_action_value);
	if (node_is_str(path) && !path_exists(c, path->text))
		check_hint(c, check_add(c, &rule_schema_file_absent, path, "there is no file %.*s", STR_ARG(path->text)),
		           "paths start at the folder of lhp.yaml");
	if (node_is_null(text) != node_is_null(path))
		metadata_check(c, text, path);
}
