#include "cmd/help.h"

#include "ui/text.h"

#include <stdio.h>

struct str parsed_path(struct arena *a, const struct parsed *p)
{
	struct str path = str_of(p->level[0].command->name);

	for (size_t i = 1; i < p->n; i++)
		path = str_fmt(a, "%.*s %s", STR_ARG(path), p->level[i].command->name);
	return path;
}

void help_usage(struct buf *b, const struct parsed *p)
{
	const struct command *c = p->level[p->n - 1].command;

	buf_adds(b, "Usage:");
	for (size_t i = 0; i < p->n; i++)
		buf_addf(b, " %s", p->level[i].command->name);
	buf_adds(b, " [OPTIONS]");
	if (c->sub != NULL)
		buf_adds(b, " COMMAND [ARGS]...");
	else if (c->argument != NULL)
		buf_addf(b, c->optional ? " [%s]%s" : " %s%s", c->argument, c->many ? "..." : "");
}

/* "  -e, --env ENV", or "      --strict". */
static void option_head(struct buf *b, const struct option *o)
{
	if (o->brief != NULL)
		buf_addf(b, "  %s, %s", o->brief, o->name);
	else
		buf_addf(b, "      %s", o->name);
	if (o->kind == OPT_CHOICE)
		buf_addf(b, " %s", o->words);
	else if (o->kind != OPT_FLAG)
		buf_addf(b, " %s", o->metavar);
}

/* A row of two columns: `head` (the end of b from `start` on), then `text` from column `at`. */
static void row_finish(struct buf *b, size_t start, size_t at, struct str text, size_t columns)
{
	size_t width = columns > at + 20 ? columns - at : 20;
	struct str line;
	bool first = true;

	while (text_wrap(&text, width, &line)) {
		size_t have = first ? text_width(str_skip(buf_str(b), start)) : 0;

		if (have + 2 > at && first) {
			buf_addc(b, '\n');
			have = 0;
		}
		buf_add_repeat(b, ' ', at - have);
		buf_add(b, line);
		buf_addc(b, '\n');
		first = false;
	}
}

static void option_row(struct buf *b, const struct option *o, size_t at, size_t columns)
{
	struct buf text = { 0 };
	size_t start = b->n;

	option_head(b, o);
	buf_adds(&text, o->help);
	if (o->required)
		buf_adds(&text, " [required]");
	if (o->initial != NULL)
		buf_addf(&text, " [default: %s]", o->initial);
	row_finish(b, start, at, buf_str(&text), columns);
	buf_release(&text);
}

/* Column at which the texts start: behind the longest head, at most a third of the line. */
static size_t text_column(const struct command *c, size_t columns)
{
	size_t widest = 12, most = columns / 3 > 28 ? columns / 3 : 28;

	for (const struct option *o = c->option; o != NULL && o->name != NULL; o++) {
		struct buf b = { 0 };

		option_head(&b, o);
		if (!o->hidden && b.n > widest && b.n + 2 <= most)
			widest = b.n;
		buf_release(&b);
	}
	for (size_t i = 0; c->sub != NULL && c->sub[i] != NULL; i++)
		if (!c->sub[i]->hidden && strlen(c->sub[i]->name) + 2 > widest)
			widest = strlen(c->sub[i]->name) + 2;
	return widest + 2;
}

void help_text(struct buf *b, const struct parsed *p, size_t columns)
{
	const struct command *c = p->level[p->n - 1].command;
	size_t at = text_column(c, columns);

	help_usage(b, p);
	buf_adds(b, "\n\n");
	buf_add_wrapped(b, str_of(c->summary), 2, columns);
	if (c->text != NULL) {
		buf_addc(b, '\n');
		buf_add_wrapped(b, str_of(c->text), 2, columns);
	}
	buf_adds(b, "\nOptions:\n");
	for (const struct option *o = c->option; o != NULL && o->name != NULL; o++)
		if (!o->hidden)
			option_row(b, o, at, columns);
	option_row(b, &option_help, at, columns);
	if (c->sub == NULL)
		return;
	buf_adds(b, "\nCommands:\n");
	for (size_t i = 0; c->sub[i] != NULL; i++) {
		size_t start = b->n;

		if (c->sub[i]->hidden)
			continue;
		buf_addf(b, "  %s", c->sub[i]->name);
		row_finish(b, start, at, str_of(c->sub[i]->summary), columns);
	}
}
