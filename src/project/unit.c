#include "project/unit.h"

struct diag *unit_diag(struct unit *u, const struct rule *rule, struct mark at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = diag_vadd(u->diags, rule, at, fmt, ap);
	va_end(ap);
	unit_own(u, u->diags->n - 1);
	return d;
}

void unit_own(struct unit *u, size_t from)
{
	for (size_t i = from; i < u->diags->n; i++) {
		u->diags->p[i].pipeline = u->pipeline;
		u->diags->p[i].flowgroup = u->flowgroup;
		u->diags->p[i].file = u->file;
	}
}
