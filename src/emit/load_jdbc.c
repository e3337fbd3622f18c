/* Databases as sources: spec/load_transform.md 3.4. */
#include "emit/load.h"

static const char *const OPTION[] = { "url", "user", "password", "driver" };

int load_jdbc(struct module *m, struct buf *b, const struct action *a)
{
	struct str query = source_text(m, a, "query");

	view_begin(m, b, a, module_description(m, a, "JDBC source: %.*s", STR_ARG(a->name)));
	reader_begin(b, "spark.read");
	reader_call(b, "format");
	buf_adds(b, "\"jdbc\")");
	for (size_t i = 0; i < sizeof(OPTION) / sizeof(OPTION[0]); i++)
		reader_option_text(b, str_of(OPTION[i]), source_text(m, a, OPTION[i]));
	if (node_truthy(node_get(a->source, "query"))) {
		reader_call(b, "option");
		buf_adds(b, "\"query\", ");
		py_block(b, query);
		buf_addc(b, ')');
	} else {
		reader_option_text(b, STR("dbtable"), source_text(m, a, "table"));
	}
	reader_call(b, "load");
	buf_adds(b, ")\n");
	view_end(m, b, a);
	return 0;
}
