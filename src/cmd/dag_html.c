#include "cmd/dag_analysis.h"

#include "cmd/dag_json.h"
#include "cmd/embedded.h"

static void json_field(struct buf *b, const char *key, struct str value)
{
	buf_addf(b, ",\"%s\":", key);
	json_text(b, value);
}

void dag_html_write(const struct dag *d, struct buf *b)
{
	(void)d;
	json_field(b, "x", STR(""));
}
