/* Change data, from feeds and from snapshots: spec/write_test.md sections 5 and 6. */
#include "emit/write.h"

#include "model/fields.h"

static int sequence_write(struct write *w, const struct node *sequence)
{
	if (!node_truthy(sequence)) {
		buf_adds(w->b, "    ");
		return 0;
	}
	buf_adds(w->b, "sequence_by=");
	if (!node_is(sequence, NODE_LIST)) {
		py_text(w->b, node_text(w->m->unit->arena, sequence));
		buf_adds(w->b, ",    ");
		return 0;
	}
	module_import(w->m, "from pyspark.sql.functions import struct");
	buf_adds(w->b, "struct(");
	for (size_t i = 0; i < sequence->list.n; i++) {
		buf_adds(w->b, i != 0 ? ", " : "");
		if (module_data(w->m, w->b, w->creator, sequence->list.item[i]) < 0)
			return -1;
	}
	buf_adds(w->b, "),    ");
	return 0;
}

/* KEY=P at the line's start, when it is given and not empty. */
static int list_write(struct write *w, const struct action *a, const struct node *config, const char *key, bool *written)
{
	const struct node *list = node_get(config, key);

	*written = node_truthy(list);
	if (!*written)
		return 0;
	buf_addf(w->b, "%s=", key);
	if (module_data(w->m, w->b, a, list) < 0)
		return -1;
	buf_adds(w->b, ",\n");
	return 0;
}

/* The two lists of history columns exclude each other; the plain one wins. */
static int history_write(struct write *w, const struct node *config)
{
	bool written;

	if (list_write(w, w->creator, config, "track_history_column_list", &written) < 0)
		return -1;
	return written ? 0 : list_write(w, w->creator, config, "track_history_except_column_list", &written);
}

static void condition_write(struct write *w, const struct node *config, const char *key, bool last)
{
	const struct node *condition = node_get(config, key);

	if (!node_truthy(condition))
		return;
	buf_addf(w->b, "%s=", key);
	py_text(w->b, node_text(w->m->unit->arena, condition));
	buf_adds(w->b, last ? "\n" : ",\n");
}

/* Keys, order and history belong to the table; these to each flow. */
static int own_arguments_write(struct write *w, const struct action *a)
{
	const struct node *config = node_get(a->write_target, "cdc_config"), *ignore = node_get(config, "ignore_null_updates");
	bool written;

	if (entity_truth(&entity_action, a->map, "once"))
		buf_adds(w->b, "once=True,");
	if (list_write(w, a, config, "column_list", &written) < 0 ||
	    list_write(w, a, config, "except_column_list", &written) < 0)
		return -1;
	if (!node_is_null(ignore))
		buf_addf(w->b, "ignore_null_updates=%s,\n", node_truthy(ignore) ? "True" : "False");
	condition_write(w, config, "apply_as_deletes", false);
	condition_write(w, config, "apply_as_truncates", true);
	return 0;
}

static bool keeps_history(const struct node *scd_type)
{
	return node_is(scd_type, NODE_INT) && scd_type->integer == 2;
}

static int cdc_flow_write(struct write *w, const struct action *a, struct str name, struct str view)
{
	const struct node *shared = node_get(w->target, "cdc_config");
	bool history = keeps_history(node_get(shared, "scd_type"));

	py_comment(w->b, str_cat(w->m->unit->arena, STR("CDC flow: "), name));
	buf_adds(w->b, "\ndp.create_auto_cdc_flow(\n");
	argument_text(w->b, "target", w->full);
	argument_text(w->b, "source", view);
	argument_text(w->b, "name", name);
	if (argument_data(w, w->creator, "keys", node_get(shared, "keys")) < 0 ||
	    sequence_write(w, node_get(shared, "sequence_by")) < 0)
		return -1;
	buf_addf(w->b, "stored_as_scd_type=%d,\n", history ? 2 : 1);
	if ((history && history_write(w, shared) < 0) || own_arguments_write(w, a) < 0)
		return -1;
	buf_adds(w->b, ")\n\n");
	return 0;
}

int write_cdc(struct write *w)
{
	if (creates_table(w->creator)) {
		if (table_create_write(w, "# Create the streaming table for CDC") < 0)
			return -1;
		buf_addc(w->b, '\n');
	}
	return flows_write(w, cdc_flow_write);
}
