#include "ui/finding.h"

#include "base/fs.h"
#include "base/path.h"
#include "ui/excerpt.h"
#include "ui/panel.h"
#include "ui/text.h"

static const struct {
	const char *prefix, *name;
	enum tone tone;
} category[] = {
	{ "LHP-VAL-", "Validation Error", TONE_YELLOW },
	{ "LHP-CFG-", "Configuration Error", TONE_RED },
	{ "LHP-IO-", "I/O Error", TONE_RED },
	{ "LHP-DEP-", "Dependency Error", TONE_RED },
	{ "LHP-ACT-", "Action Error", TONE_RED },
	{ "", "Error", TONE_RED },
};

static size_t category_index(const char *code)
{
	size_t i = 0;

	while (!str_starts(str_of(code), str_of(category[i].prefix)))
		i++;
	return i;
}

struct str category_name(const char *code)
{
	return str_of(category[category_index(code)].name);
}

enum tone category_tone(const char *code)
{
	return category[category_index(code)].tone;
}

static void place_add(struct pen *p, struct mark at)
{
	if (at.file == NULL)
		return;
	pen_addf(p, TONE_CYAN, at.col != 0 ? "%s:%u:%u" : at.line != 0 ? "%s:%u" : "%s", at.file, at.line, at.col);
}

static void wrapped_add(struct pen *p, struct finding_view *v, struct str text, size_t indent)
{
	if (!str_blank(text))
		buf_add_wrapped(&p->buf, str_trim_end(text_safe(v->arena, text)), indent, v->columns);
}

/* "via template t (templates/t.yaml:4:3)", innermost first. */
static void chain_add(struct pen *p, const struct origin *o, size_t indent)
{
	for (; o != NULL; o = o->next) {
		buf_add_repeat(&p->buf, ' ', indent);
		pen_addf(p, TONE_DIM, "via %s", o->what);
		if (o->name.n != 0)
			pen_addf(p, TONE_PLAIN, " %.*s", STR_ARG(o->name));
		if (o->at.file != NULL) {
			buf_adds(&p->buf, "  ");
			place_add(p, o->at);
		}
		buf_addc(&p->buf, '\n');
	}
}

static void hints_add(struct pen *p, struct finding_view *v, struct str hint, size_t indent)
{
	struct str line;

	if (hint.n == 0)
		return;
	while (str_cut(&hint, '\n', &line))
		wrapped_add(p, v, str_fmt(v->arena, "-> %.*s", STR_ARG(line)), indent);
}

/* Marks at a whole file or at the root of a folder have no line to show. */
static void excerpt_add(struct pen *p, struct finding_view *v, struct mark at, size_t indent)
{
	struct str bytes;

	if (at.file != NULL && at.line != 0 && excerpt_read(v, at.file, &bytes))
		excerpt_draw(p, v->arena, bytes, at, indent, v->columns);
}

static void rule_add(struct pen *p, const struct finding_view *v, const struct diag *d, size_t indent)
{
	if (!v->rule_names)
		return;
	buf_add_repeat(&p->buf, ' ', indent);
	pen_addf(p, TONE_DIM, "rule: %s\n", d->rule->name);
}

static void leaf_add(struct pen *p, struct finding_view *v, const struct diag *d, size_t indent)
{
	wrapped_add(p, v, d->detail, indent);
	excerpt_add(p, v, d->at, indent);
	chain_add(p, d->via, indent);
	hints_add(p, v, d->hint, indent);
	rule_add(p, v, d, indent);
}

/* A folded finding: its place and title, then what a finding of its own has. */
static void part_add(struct pen *p, struct finding_view *v, const struct diag *part, const struct diag *whole,
                     size_t indent)
{
	buf_add_repeat(&p->buf, ' ', indent);
	if (part->at.file != NULL) {
		place_add(p, part->at);
		buf_adds(&p->buf, "  ");
	}
	if (strcmp(part->rule->code, whole->rule->code) != 0)
		pen_addf(p, TONE_BOLD, "Error [%s]: ", part->rule->code);
	pen_add(p, TONE_PLAIN, text_flat(v->arena, diag_title_of(part)));
	buf_addc(&p->buf, '\n');
	leaf_add(p, v, part, indent + 2);
	if (part->parts != NULL)
		for (size_t i = 0; i < part->parts->n; i++)
			part_add(p, v, &part->parts->p[i], part, indent + 2);
}

static void place_line(struct pen *p, struct mark at, size_t indent)
{
	if (at.file == NULL)
		return;
	buf_add_repeat(&p->buf, ' ', indent);
	place_add(p, at);
	buf_addc(&p->buf, '\n');
}

void finding_body(struct pen *p, struct finding_view *v, const struct diag *d, size_t indent)
{
	bool folds = d->parts != NULL && d->parts->n != 0;

	if (!folds)
		place_line(p, d->at, indent);
	/* The detail of a finding that folds others repeats them. */
	if (!folds)
		leaf_add(p, v, d, indent);
	for (size_t i = 0; folds && i < d->parts->n; i++)
		part_add(p, v, &d->parts->p[i], d, indent);
	if (folds)
		hints_add(p, v, d->hint, indent);
}

void finding_line(struct pen *p, const struct finding_view *v, const struct diag *d)
{
	if (d->pipeline.n != 0)
		pen_add(p, TONE_BOLD, text_flat(v->arena, d->pipeline));
	if (d->flowgroup.n != 0) {
		buf_adds(&p->buf, " / ");
		pen_add(p, TONE_BOLD, text_flat(v->arena, d->flowgroup));
	}
	if (d->file != NULL) {
		struct str root = v->fs != NULL ? v->fs->root : STR_NONE;

		buf_adds(&p->buf, p->buf.n != 0 ? "  " : "");
		pen_add(p, TONE_DIM, path_join(v->arena, root, str_of(d->file)));
	}
	buf_adds(&p->buf, d->pipeline.n != 0 || d->file != NULL ? "  " : "");
	pen_adds(p, category_tone(d->rule->code), d->rule->code);
	pen_addf(p, TONE_PLAIN, "  %.*s\n", STR_ARG(text_flat(v->arena, diag_title_of(d))));
}

static void context_add(struct pen *p, const char *label, struct str value)
{
	if (value.n != 0)
		pen_addf(p, TONE_PLAIN, "  %s: %.*s\n", label, STR_ARG(value));
}

void finding_panel(struct pen *p, struct finding_view *v, const struct diag *d)
{
	struct pen body = { .weights = p->weights, .colours = p->colours };
	struct finding_view inside = *v;
	const char *code = d->rule->code;

	inside.columns = v->columns > 46 ? v->columns - 6 : 40;
	pen_add(&body, TONE_BOLD, text_safe(v->arena, diag_title_of(d)));
	buf_adds(&body.buf, "\n\n");
	finding_body(&body, &inside, d, 0);
	v->files = inside.files;
	if (d->pipeline.n != 0 || d->flowgroup.n != 0 || d->action.n != 0 || d->file != NULL) {
		buf_adds(&body.buf, "\nContext\n");
		context_add(&body, "Pipeline", text_flat(v->arena, d->pipeline));
		context_add(&body, "FlowGroup", text_flat(v->arena, d->flowgroup));
		context_add(&body, "Action", text_flat(v->arena, d->action));
		context_add(&body, "File", str_of(d->file));
	}
	pen_addf(&body, TONE_DIM, "\nMore info: lhp explain %s\n", code);
	panel_draw(p, category_tone(code), str_fmt(v->arena, "%s   %.*s", code, STR_ARG(category_name(code))),
	           buf_str(&body.buf), v->columns);
	buf_release(&body.buf);
}
