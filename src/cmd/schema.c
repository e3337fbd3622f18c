#include "cmd/call.h"
#include "cmd/json_schema.h"

int cmd_schema(struct call *c)
{
	struct str kind = c->args->word[0];
	struct buf b = { 0 };

	if (!schema_write(&b, kind)) {
		fprintf(c->io->err, "There is no schema '%.*s'. There are:", STR_ARG(kind));
		for (const char *const *k = schema_kinds; *k != NULL; k++)
			fprintf(c->io->err, " %s", *k);
		fputc('\n', c->io->err);
		return STATUS_USAGE;
	}
	fwrite(b.p, 1, b.n, c->io->out);
	buf_release(&b);
	return 0;
}
