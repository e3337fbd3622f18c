/*
 * Mode quarantine of data quality transforms: rows that break a rule go to a dead letter
 * table, and come back when somebody has repaired them there.
 *
 * What the generated code must do: spec/bundle.md section 8 and spec/load_transform.md 4.4. The
 * names of views, sinks, flows and columns are a contract with running pipelines. What does not depend
 * on the action is in runtime/quarantine.py. V is the view that is read, S its name as a part of names.
 */
#include "emit/expectations.h"
#include "emit/runtime.h"
#include "emit/transform.h"
#include "project/project.h"
#include "yaml/node_build.h"

/* Names of the built-in metadata columns; they never count for the key of a row. */
static const char *const BUILT_IN[] = { "_flowgroup_name", "_ingestion_timestamp", "_pipeline_name", "_pipeline_run_id",
					"_source_file" };

struct quarantine {
	struct module *m;
	struct buf *b;
	const struct action *a;
	const struct node *rules; /* name to condition */
	struct str view;          /* V */
	struct str s;             /* S */
	struct str description;
};

/* What all quarantines of a module call, above the first of them. */
static void functions_write(struct quarantine *q)
{
	if (!map_add(&q->m->variable, q->m->unit->arena, STR("_dlq_add")))
		return;
	buf_add(q->b, runtime_text(q->m->unit->arena, "quarantine.py"));
	buf_adds(q->b, "\n\n");
}

/* Appends a template: `@S` is S, `@V` the literal of V, all else as it is. */
static void write(struct quarantine *q, const char *template)
{
	struct str rest = str_of(template), part;
	bool first = true;

	while (str_cut(&rest, '@', &part)) {
		bool view = !first && str_starts(part, STR("V"));
		bool name = !first && str_starts(part, STR("S"));

		if (view)
			py_text(q->b, q->view);
		else if (name)
			buf_add(q->b, q->s);
		else if (!first)
			buf_addc(q->b, '@');
		buf_add(q->b, str_skip(part, view || name));
		first = false;
	}
}

static void text_constant(struct quarantine *q, const char *name, struct str value)
{
	write(q, name);
	buf_adds(q->b, " = ");
	py_text(q->b, value);
	buf_addc(q->b, '\n');
}

static int rules_constant(struct quarantine *q, const char *name, const struct node *rules)
{
	write(q, name);
	buf_adds(q->b, " = ");
	if (module_data(q->m, q->b, q->a, rules) < 0)
		return -1;
	buf_addc(q->b, '\n');
	return 0;
}

static struct str condition(struct quarantine *q, size_t i)
{
	return node_text(q->m->unit->arena, q->rules->map.pair[i].value);
}

/* NOT ((c1) AND (c2)) */
static struct str inverse_filter(struct quarantine *q)
{
	struct buf b = { 0 };
	struct str filter;

	buf_adds(&b, "NOT (");
	for (size_t i = 0; i < q->rules->map.n; i++) {
		buf_adds(&b, i > 0 ? " AND (" : "(");
		buf_add(&b, condition(q, i));
		buf_addc(&b, ')');
	}
	buf_addc(&b, ')');
	filter = buf_take(&b, q->m->unit->arena);
	buf_release(&b);
	return filter;
}

static void failed_rules_write(struct quarantine *q)
{
	struct arena *a = q->m->unit->arena;

	write(q, "_FAILED_RULE_EXPRS_@S = [\n");
	for (size_t i = 0; i < q->rules->map.n; i++) {
		struct str rule = condition(q, i);

		buf_adds(q->b, "    F.when(\n        F.expr(");
		py_text(q->b, str_fmt(a, "NOT (%.*s)", STR_ARG(rule)));
		buf_adds(q->b, "),\n        F.struct(F.lit(");
		py_text(q->b, q->rules->map.pair[i].key->text);
		buf_adds(q->b, ").alias(\"name\"), F.lit(");
		py_text(q->b, rule);
		buf_adds(q->b, ").alias(\"rule\")),\n    ),\n");
	}
	buf_adds(q->b, "]\n");
}

/* All metadata columns that there can be, sorted, one a line. */
static void excluded_columns_write(struct quarantine *q)
{
	struct unit *u = q->m->unit;
	const struct node *columns = project_names(u->project, u->trace, "operational_metadata.columns");
	struct map names = { 0 };
	uint32_t *order;

	for (size_t i = 0; i < sizeof(BUILT_IN) / sizeof(BUILT_IN[0]); i++)
		map_add(&names, u->arena, str_of(BUILT_IN[i]));
	for (size_t i = 0; i < node_len(columns); i++)
		map_add(&names, u->arena, columns->map.pair[i].key->text);
	order = map_sorted(&names, u->arena);
	write(q, "_HASH_EXCLUDE_COLS_@S = [\n");
	for (size_t i = 0; i < names.n; i++) {
		buf_adds(q->b, "    ");
		py_text(q->b, names.entry[order[i]].key);
		buf_adds(q->b, ",\n");
	}
	buf_adds(q->b, "]\n");
}

/* Rules that can be judged again on a row that comes back: what was rescued from it then is not there any more. */
static const struct node *recycled_rules(struct quarantine *q)
{
	struct arena *a = q->m->unit->arena;
	struct node *rules = node_new(a, NODE_MAP, q->a->map->at);

	for (size_t i = 0; i < q->rules->map.n; i++)
		if (!str_has(condition(q, i), STR("_rescued_data")))
			node_set(a, rules, q->rules->map.pair[i].key->text, q->rules->map.pair[i].value);
	return rules;
}

static int constants_write(struct quarantine *q, const struct node *recycled)
{
	const struct node *block = node_get(q->a->map, "quarantine");
	struct str dlq = node_get_text(block, "dlq_table");

	if (rules_constant(q, "_EXPECTATIONS_@S", q->rules) < 0)
		return -1;
	text_constant(q, "_INVERSE_FILTER_@S", inverse_filter(q));
	failed_rules_write(q);
	text_constant(q, "DLQ_TABLE_@S", dlq);
	text_constant(q, "DLQ_OUTBOX_TABLE_@S", str_cat(q->m->unit->arena, dlq, STR("_outbox")));
	text_constant(q, "SOURCE_TABLE_@S", node_get_text(block, "source_table"));
	excluded_columns_write(q);
	return rules_constant(q, "_EXPECTATIONS_RECYCLED_@S", recycled);
}

static void doc_write(struct quarantine *q, const char *suffix)
{
	buf_adds(q->b, "    ");
	py_doc(q->b, str_cat(q->m->unit->arena, q->description, str_of(suffix)));
	buf_addc(q->b, '\n');
}

static void clean_write(struct quarantine *q)
{
	write(q, "\n\n@dp.temporary_view()\n"
		 "@dp.expect_all_or_drop(_EXPECTATIONS_@S)\n"
		 "def _clean_@S() -> pyspark.sql.DataFrame:\n");
	doc_write(q, " \xe2\x80\x94 clean records");
	write(q, "    return spark.readStream.table(@V)\n");
}

static const char DLQ[] =
	"\n\n@dp.foreach_batch_sink(name=\"dlq_sink_@S\")\n"
	"def dlq_sink_@S(batch_df: pyspark.sql.DataFrame, batch_id: int) -> None:\n"
	"    \"\"\"Adds rows that break a rule to the dead letter table, each once.\"\"\"\n"
	"    if not batch_df.isEmpty():\n"
	"        _dlq_add(_dlq_rows(batch_df, SOURCE_TABLE_@S, _HASH_EXCLUDE_COLS_@S), DLQ_TABLE_@S)\n"
	"\n\n@dp.append_flow(target=\"dlq_sink_@S\", name=\"quarantine_flow_@S\")\n"
	"def quarantine_flow_@S() -> pyspark.sql.DataFrame:\n"
	"    \"\"\"Rows that break a rule, with the rules that they break.\"\"\"\n"
	"    df = spark.readStream.table(@V).where(_INVERSE_FILTER_@S)\n"
	"    broken = F.filter(F.array(*_FAILED_RULE_EXPRS_@S), lambda rule: rule.isNotNull())\n"
	"    return df.withColumn(\"_dlq_failed_rules\", broken)\n";

static const char RECYCLE[] =
	"\n\n@dp.foreach_batch_sink(name=\"recycle_sink_@S\")\n"
	"def recycle_sink_@S(batch_df: pyspark.sql.DataFrame, batch_id: int) -> None:\n"
	"    \"\"\"Adds repaired rows to the outbox, the newest repair of each once.\"\"\"\n"
	"    if not batch_df.isEmpty():\n"
	"        _dlq_add(_dlq_repairs(batch_df), DLQ_OUTBOX_TABLE_@S)\n"
	"\n\n@dp.append_flow(target=\"recycle_sink_@S\", name=\"recycle_flow_@S\")\n"
	"def recycle_flow_@S() -> pyspark.sql.DataFrame:\n"
	"    \"\"\"Rows of this source that somebody marked as fixed in the dead letter table.\"\"\"\n"
	"    df = spark.readStream.option(\"readChangeFeed\", \"true\").table(DLQ_TABLE_@S)\n"
	"    return df.where(\n"
	"        (F.col(\"_dlq_status\") == \"fixed\")\n"
	"        & F.col(\"_change_type\").isin(\"insert\", \"update_postimage\")\n"
	"        & (F.col(\"_dlq_source_table\") == SOURCE_TABLE_@S)\n"
	"    )\n";

static const char RECYCLED_BODY[] =
	"def _recycled_@S() -> pyspark.sql.DataFrame:\n"
	"    \"\"\"Repaired rows, with the columns of the clean ones.\"\"\"\n"
	"    df = spark.readStream.option(\"skipChangeCommits\", \"true\").table(DLQ_OUTBOX_TABLE_@S)\n"
	"    df = df.where(F.col(\"_dlq_source_table\") == SOURCE_TABLE_@S)\n"
	"    fields = spark.readStream.table(\"_clean_@S\").schema.fields\n"
	"    return df.select(*[_dlq_value(field.name, field.dataType.simpleString()) for field in fields])\n";

static void recycled_write(struct quarantine *q, bool has_rules)
{
	write(q, "\n\n@dp.temporary_view()\n");
	if (has_rules)
		write(q, "@dp.expect_all_or_drop(_EXPECTATIONS_RECYCLED_@S)\n");
	write(q, RECYCLED_BODY);
}

static void target_write(struct quarantine *q)
{
	struct str doc = str_cat(q->m->unit->arena, q->description, STR(" \xe2\x80\x94 clean + recycled records"));

	buf_adds(q->b, "\n\n");
	view_begin(q->m, q->b, q->a, doc);
	write(q, "    df = spark.readStream.table(\"_clean_@S\").unionByName(\n"
		 "        spark.readStream.table(\"_recycled_@S\")\n"
		 "    )\n\n");
	quality_metadata(q->m, q->b, q->a);
	buf_adds(q->b, "    return df");
}

int quarantine_write(struct module *m, struct buf *b, const struct action *a)
{
	struct str view = transform_view(a);
	struct quarantine q = { .m = m, .b = b, .a = a, .view = view, .s = py_word(m->unit->arena, view) };
	struct expectations e;
	const struct node *recycled;

	if (expectations_read(m, a, true, &e) < 0)
		return -1;
	q.rules = e.kind[EXPECT_DROP];
	q.description = module_description(m, a, "Data quality checks for %.*s", STR_ARG(view));
	recycled = recycled_rules(&q);
	module_import(m, "import pyspark.sql");
	module_import(m, "from delta.tables import DeltaTable");
	module_import(m, "from pyspark.sql import functions as F");
	module_import(m, "from pyspark.sql.types import MapType, StringType");
	module_import(m, "from pyspark.sql.window import Window");
	functions_write(&q);
	if (constants_write(&q, recycled) < 0)
		return -1;
	clean_write(&q);
	write(&q, DLQ);
	write(&q, RECYCLE);
	recycled_write(&q, node_len(recycled) > 0);
	target_write(&q);
	return 0;
}
