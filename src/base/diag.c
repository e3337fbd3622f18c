#include "base/diag.h"

#include <stdlib.h>

struct diag *diag_vadd(struct diags *ds, const struct rule *rule, struct mark at, const char *fmt, va_list ap)
{
	struct diag *d = VEC_PUSH(ds, ds->arena);

	*d = (struct diag){ .rule = rule, .at = at, .detail = str_vfmt(ds->arena, fmt, ap) };
	return d;
}

struct diag *diag_add(struct diags *ds, const struct rule *rule, struct mark at, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	va_start(ap, fmt);
	d = diag_vadd(ds, rule, at, fmt, ap);
	va_end(ap);
	return d;
}

void diag_hint(struct diags *ds, struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->hint = str_vfmt(ds->arena, fmt, ap);
	va_end(ap);
}

void diag_hints(struct diags *ds, struct diag *d, struct str first, const char *second)
{
	diag_hint(ds, d, "%.*s%s%s", STR_ARG(first), first.n != 0 ? "\n" : "", second);
}

void diag_title(struct diags *ds, struct diag *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->title = str_vfmt(ds->arena, fmt, ap);
	va_end(ap);
}

void diags_append(struct diags *to, const struct diags *from)
{
	for (size_t i = 0; i < from->n; i++)
		*VEC_PUSH(to, to->arena) = from->p[i];
}

struct str diag_title_of(const struct diag *d)
{
	return d->title.n != 0 ? d->title : str_of(d->rule->title);
}

size_t diags_count(const struct diags *ds, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < ds->n; i++)
		n += ds->p[i].rule->severity == severity;
	return n;
}

static int mark_cmp(struct mark a, struct mark b)
{
	int c = str_cmp(str_of(a.file), str_of(b.file));

	if (c == 0)
		c = (a.line > b.line) - (a.line < b.line);
	return c != 0 ? c : (a.col > b.col) - (a.col < b.col);
}

static int diag_cmp(const struct diag *a, const struct diag *b)
{
	int c = mark_cmp(a->at, b->at);

	return c != 0 ? c : strcmp(a->rule->code, b->rule->code);
}

/* Merge sort: qsort is not stable. */
static void sort_range(struct diag *p, struct diag *tmp, size_t n)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort_range(p, tmp, half);
	sort_range(p + half, tmp, n - half);
	while (i < half && j < n)
		tmp[k++] = diag_cmp(&p[i], &p[j]) <= 0 ? p[i++] : p[j++];
	while (i < half)
		tmp[k++] = p[i++];
	while (j < n)
		tmp[k++] = p[j++];
	memcpy(p, tmp, n * sizeof *p);
}

void diags_sort(struct diags *ds)
{
	if (ds->n > 1)
		sort_range(ds->p, ARENA_ARRAY(ds->arena, struct diag, ds->n), ds->n);
}
