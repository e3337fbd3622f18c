/* Renaming, casting and selecting columns: spec/load_transform.md 4.6. */
#include "emit/transform.h"

#include "model/schema_changes.h"
#include "project/document.h"
#include "project/project.h"

/* Warns of the key that has no effect, then turns a fault into a finding. */
static int changes_report(struct module *m, const struct action *a, const struct node *where, const struct schema_changes *s,
			  int rc)
{
	if (s->enforcement != NULL) {
		module_error(m, a, &rule_schema_enforcement_key, where->at, "%s", schema_enforcement_detail);
		module_hint(m, "%s", schema_enforcement_hint);
	}
	if (rc == 0)
		return 0;
	module_error(m, a, s->misshapen ? &rule_value_misshapen : &rule_schema_text_bad,
	             s->at.file != NULL ? s->at : where->at, "%.*s.", STR_ARG(s->problem));
	return module_hint(m, "%.*s", STR_ARG(s->hint));
}

static int file_read(struct module *m, const struct action *a, const struct node *path, struct schema_changes *s)
{
	struct unit *u = m->unit;
	struct str name = str_replace(u->arena, path->text, STR("\\"), STR("/"));
	const struct node *root = document_only(u->diags, door_yaml(u->project->door, u->trace, name, path->at), path->at);

	if (root == NULL)
		return module_fault(m, a);
	return changes_report(m, a, root, s, schema_changes_of_node(u->arena, root, s));
}

static int changes_read(struct module *m, const struct action *a, struct schema_changes *s)
{
	const struct node *text = node_get(a->map, "schema_inline");

	if (node_is_str(text))
		return changes_report(m, a, text, s, schema_changes_of_text(m->unit->arena, text, s));
	return file_read(m, a, node_get(a->map, "schema_file"), s);
}

/* A column inside F.col() or select(), where a dot, a backtick and `*` mean something. */
static void column_write(struct module *m, struct buf *b, struct str name)
{
	struct arena *arena = m->unit->arena;

	if (str_has(name, STR(".")) || str_has(name, STR("`")) || str_is(name, "*"))
		name = str_fmt(arena, "`%.*s`", STR_ARG(str_replace(arena, name, STR("`"), STR("``"))));
	py_text(b, name);
}

static void renames_write(struct buf *b, const struct column_changes *rename)
{
	if (rename->n > 0)
		buf_adds(b, "    # Apply column renaming\n");
	for (size_t i = 0; i < rename->n; i++) {
		buf_adds(b, "    df = df.withColumnRenamed(");
		py_text(b, rename->p[i].from);
		buf_adds(b, ", ");
		py_text(b, rename->p[i].to);
		buf_adds(b, ")\n");
	}
}

static void casts_write(struct module *m, struct buf *b, const struct column_changes *cast)
{
	if (cast->n > 0)
		buf_adds(b, "    # Apply type casting\n");
	for (size_t i = 0; i < cast->n; i++) {
		buf_adds(b, "    df = df.withColumn(");
		py_text(b, cast->p[i].from);
		buf_adds(b, ", F.col(");
		column_write(m, b, cast->p[i].from);
		buf_adds(b, ").cast(");
		py_text(b, cast->p[i].to);
		buf_adds(b, "))\n");
	}
}

static void selected_add(struct module *m, struct buf *b, struct map *seen, struct str column)
{
	if (!map_add(seen, m->unit->arena, column))
		return;
	buf_adds(b, seen->n > 1 ? ",        " : "        ");
	column_write(m, b, column);
}

/* The columns that are in lhp.yaml, kept when they are there. */
static void metadata_kept_write(struct module *m, struct buf *b)
{
	const struct node *columns = project_names(m->unit->project, m->unit->trace, "operational_metadata.columns");

	if (node_len(columns) == 0) {
		buf_addc(b, '\n');
		return;
	}
	buf_adds(b, "    # Add operational metadata columns only if they exist (optional)\n"
		    "    available_columns = set(df.columns)\n"
		    "    metadata_columns = [\n");
	for (size_t i = 0; i < columns->map.n; i++) {
		buf_adds(b, i > 0 ? ",        " : "        ");
		py_text(b, columns->map.pair[i].key->text);
	}
	buf_adds(b, "    ]\n"
		    "    for meta_col in metadata_columns:\n"
		    "        if meta_col in available_columns:\n"
		    "            columns_to_select.append(meta_col)\n\n");
}

static void strict_write(struct module *m, struct buf *b, const struct schema_changes *s)
{
	struct map seen = { 0 };

	buf_adds(b, "    # Strict schema enforcement - select only specified columns\n"
		    "    # Schema-defined columns (will fail if missing)\n"
		    "    columns_to_select = [\n");
	for (size_t i = 0; i < s->rename.n; i++)
		selected_add(m, b, &seen, s->rename.p[i].to);
	for (size_t i = 0; i < s->cast.n; i++)
		selected_add(m, b, &seen, s->cast.p[i].from);
	for (size_t i = 0; i < s->pass.n; i++)
		selected_add(m, b, &seen, s->pass.p[i].from);
	buf_adds(b, "    ]\n\n");
	metadata_kept_write(m, b);
	buf_adds(b, "    df = df.select(*columns_to_select)\n");
}

int transform_schema(struct module *m, struct buf *b, const struct action *a)
{
	const char *reader = str_is(module_read_mode(a, "stream"), "batch") ? "spark.read" : "spark.readStream";
	struct schema_changes s = { 0 };

	if (changes_read(m, a, &s) < 0)
		return -1;
	module_import(m, "from pyspark.sql import functions as F");
	view_begin(m, b, a, module_description(m, a, "Schema application: %.*s", STR_ARG(a->name)));
	buf_addf(b, "    df = %s.table(", reader);
	py_text(b, transform_view(a));
	buf_adds(b, ")\n\n");
	renames_write(b, &s.rename);
	buf_addc(b, '\n');
	casts_write(m, b, &s.cast);
	buf_addc(b, '\n');
	if (str_is(node_get_text(a->map, "enforcement"), "strict"))
		strict_write(m, b, &s);
	buf_adds(b, "\n    return df");
	return 0;
}
