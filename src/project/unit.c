#include "project/unit.h"

struct diag *unit_vdiag(struct unit *u, const struct rule *rule, struct mark at, const char *fmt, va_list ap)
{
	struct diag *d = diag_vadd(u->diags, rule, at, fmt, ap);

	unit_own(u, u->diags->n - 1);
	return d;
}

struct diag *unit_diag(struct unit *u, const struct rule *rule, struct mark at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = unit_vdiag(u, rule, at, fmt, ap);
	va_end(ap);
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
