#include "project/unit.h"

struct diag *unit_diag(struct unit *u, const struct rule *rule, struct mark at, const char *fmt, ...)
{
	struct buf b = { 0 };
	struct diag *d;
	struct str text;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	text = buf_take(&b, u->diags->arena);
	buf_release(&b);
	d = diag_add(u->diags, rule, at, "%s", "");
	d->detail = text;
	d->pipeline = u->pipeline;
	d->flowgroup = u->flowgroup;
	d->file = u->file;
	return d;
}
