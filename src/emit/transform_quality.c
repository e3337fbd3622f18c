/* Expectations on a stream: spec/load_transform.md 4.3. */
#include "emit/expectations.h"
#include "emit/load.h"
#include "emit/transform.h"

/* In the order of emission, which is that of enum expectation_kind. */
static const struct {
	const char *comment, *decorator;
} KIND[EXPECT_KINDS] = {
	{ "# These expectations will fail the pipeline if violated", "@dp.expect_all_or_fail(" },
	{ "# These expectations will drop rows that violate them", "@dp.expect_all_or_drop(" },
	{ "# These expectations will log warnings but not drop rows", "@dp.expect_all(" },
};

static void banner_write(struct module *m, struct buf *b, const struct action *a, const char *what)
{
	struct str source = node_is_str(a->source) ? a->source->text : STR("source");

	buf_adds(b, "\n# ");
	buf_add_repeat(b, '-', 76);
	buf_addc(b, '\n');
	py_comment(b, str_fmt(m->unit->arena, "%s: %.*s \xe2\x86\x92 %.*s", what, STR_ARG(source), STR_ARG(a->target)));
	buf_adds(b, "\n# ");
	buf_add_repeat(b, '-', 76);
	buf_adds(b, "\n\n");
}

static int decorators_write(struct module *m, struct buf *b, const struct action *a, const struct expectations *e)
{
	for (size_t i = 0; i < EXPECT_KINDS; i++) {
		if (node_len(e->kind[i]) == 0)
			continue;
		buf_addf(b, "%s\n%s", KIND[i].comment, KIND[i].decorator);
		if (module_data(m, b, a, e->kind[i]) < 0)
			return -1;
		buf_adds(b, ")\n");
	}
	return 0;
}

void quality_metadata(struct module *m, struct buf *b, const struct action *a)
{
	if (a->n_meta == 0)
		return;
	module_meta_imports(m, a);
	buf_adds(b, "    # Add operational metadata columns\n    df = df.withColumns({");
	for (size_t i = 0; i < a->n_meta; i++) {
		buf_adds(b, i > 0 ? ",        " : "        ");
		py_text_single(b, a->meta[i].name);
		buf_adds(b, ": ");
		module_expression(m, b, a->meta[i].expression, a->meta[i].at);
	}
	buf_adds(b, "    })\n\n");
}

static int expectations_file_check(struct module *m, const struct action *a)
{
	if (node_truthy(node_get(a->map, "expectations_file")))
		return 0;
	module_error(m, a, &rule_expectations_file_unnamed, a->map->at, "The transform names no `expectations_file`.");
	return module_hint(m, "Add `expectations_file: PATH` with the rules");
}

int transform_quality(struct module *m, struct buf *b, const struct action *a)
{
	bool quarantine = str_is(node_get_text(a->map, "mode"), "quarantine");
	struct expectations e;

	if (stream_only_check(m, a) < 0 || expectations_file_check(m, a) < 0)
		return -1;
	banner_write(m, b, a, quarantine ? "Quarantine" : "Expectations");
	if (quarantine)
		return quarantine_write(m, b, a);
	if (expectations_read(m, a, false, &e) < 0)
		return -1;
	buf_adds(b, "@dp.temporary_view()\n");
	if (decorators_write(m, b, a, &e) < 0)
		return -1;
	view_def(m, b, a, module_description(m, a, "Data quality checks for %.*s",
					     STR_ARG(node_text(m->unit->arena, a->source))));
	buf_adds(b, "    df = spark.readStream.table(");
	py_text(b, transform_view(a));
	buf_adds(b, ")\n\n");
	quality_metadata(m, b, a);
	buf_adds(b, "    return df");
	return 0;
}
