#include "ui/summary.h"

#include "base/map.h"
#include "ui/text.h"

static void count_add(struct pen *p, size_t n, const char *noun)
{
	pen_addf(p, TONE_PLAIN, "%zu %s%s", n, noun, n == 1 ? "" : "s");
}

static void reuse_add(struct pen *p, const struct summary *s)
{
	if (s->rebuilt >= s->units)
		return;
	pen_addf(p, TONE_PLAIN, " · %zu of %zu flowgroup%s rebuilt", s->rebuilt, s->units, s->units == 1 ? "" : "s");
	if (!s->generate)
		return;
	buf_adds(&p->buf, " · ");
	count_add(p, s->written, "file");
	pen_addf(p, TONE_PLAIN, " written · %zu removed", s->removed);
}

void summary_counts(struct pen *p, const struct summary *s)
{
	if (s->up_to_date && s->generate)
		pen_adds(p, TONE_GREEN, "up to date · ");
	if (s->generate) {
		count_add(p, s->pipelines, "pipeline");
		buf_adds(&p->buf, s->up_to_date ? " · " : " generated · ");
		count_add(p, s->files, "file");
	} else {
		pen_addf(p, TONE_PLAIN, "%zu validated", s->pipelines);
	}
	if (s->warnings != 0) {
		buf_adds(&p->buf, "; ");
		count_add(p, s->warnings, "warning");
	}
	if (s->failed != 0)
		pen_addf(p, TONE_RED, " · %zu failed", s->failed);
	if (!(s->up_to_date && s->generate))
		reuse_add(p, s);
	pen_addf(p, TONE_DIM, s->seconds < 1 ? " · %.2fs\n" : " · %.1fs\n", s->seconds);
}

/* Warnings of one code. */
struct kind {
	const struct diag *first;
	size_t n;
};

void summary_warnings(struct pen *p, struct arena *a, const struct diags *warnings, size_t columns)
{
	struct map kinds = { 0 };

	for (size_t i = 0; i < warnings->n; i++) {
		void **slot = map_slot(&kinds, a, str_of(warnings->p[i].rule->code));
		struct kind *k = *slot != NULL ? *slot : ARENA_NEW(a, struct kind);

		if (k->first == NULL)
			k->first = &warnings->p[i];
		k->n++;
		*slot = k;
	}
	if (kinds.n == 0)
		return;
	pen_adds(p, TONE_YELLOW, "⚠ ");
	count_add(p, warnings->n, "warning");
	pen_addf(p, TONE_PLAIN, " (%zu type%s) — run with --show-details to list\n", kinds.n, kinds.n == 1 ? "" : "s");
	for (size_t i = 0; i < kinds.n; i++) {
		const struct kind *k = kinds.entry[i].value;
		struct str title = diag_title_of(k->first), times = str_fmt(a, "  ×%zu", k->n);
		struct str text = text_flat(a, str_fmt(a, "%.*s %.*s", STR_ARG(title), STR_ARG(k->first->detail)));
		size_t around = 4 + kinds.entry[i].key.n + text_width(times);

		buf_adds(&p->buf, "  ");
		pen_add(p, TONE_YELLOW, kinds.entry[i].key);
		buf_adds(&p->buf, "  ");
		buf_add(&p->buf, text_cut(a, text, columns > around + 10 ? columns - around : 10));
		pen_addf(p, TONE_DIM, "%.*s\n", STR_ARG(times));
	}
}
