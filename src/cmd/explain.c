#include "cmd/call.h"
#include "model/rules.h"
#include "model/suggest.h"
#include "ui/text.h"

/* "val-007" and "LHP-VAL-007" name the same code; so does any rule that has it. */
static const struct code_doc *doc_find(struct arena *a, struct str word)
{
	const struct code_doc *doc = code_doc(word);

	if (doc == NULL)
		doc = code_doc(str_cat(a, STR("LHP-"), word));
	for (size_t i = 0; doc == NULL && all_rules[i] != NULL; i++)
		if (str_is(word, all_rules[i]->name))
			doc = code_doc(str_of(all_rules[i]->code));
	return doc;
}

static void block_add(struct pen *p, const char *title, const char *text, size_t columns)
{
	if (text[0] == '\0')
		return;
	buf_addc(&p->buf, '\n');
	pen_adds(p, TONE_BOLD, title);
	buf_addc(&p->buf, '\n');
	buf_add_wrapped(&p->buf, str_of(text), 2, columns);
}

static void rules_add(struct pen *p, const char *code)
{
	bool first = true;

	for (size_t i = 0; all_rules[i] != NULL; i++) {
		if (strcmp(all_rules[i]->code, code) != 0)
			continue;
		if (first)
			pen_adds(p, TONE_BOLD, "\nRules\n");
		first = false;
		pen_addf(p, TONE_PLAIN, "  %s: %s\n", all_rules[i]->name, all_rules[i]->title);
	}
}

static void code_show(struct call *c, const struct code_doc *doc)
{
	struct pen p = screen_pen(&c->screen, c->screen.out);

	pen_addf(&p, category_tone(doc->code), "%s", doc->code);
	pen_addf(&p, TONE_PLAIN, "  %.*s\n\n", STR_ARG(category_name(doc->code)));
	buf_add_wrapped(&p.buf, str_of(doc->meaning), 0, c->screen.columns);
	block_add(&p, "Example", doc->example, c->screen.columns);
	block_add(&p, "What to do", doc->fix, c->screen.columns);
	rules_add(&p, doc->code);
	screen_write(c->screen.out, &p);
	buf_release(&p.buf);
}

static int codes_list(struct call *c)
{
	struct pen p = screen_pen(&c->screen, c->screen.out);

	for (const struct code_doc *d = code_docs; d->code != NULL; d++) {
		pen_adds(&p, category_tone(d->code), d->code);
		pen_addf(&p, TONE_PLAIN, "  %.*s\n",
		         STR_ARG(text_cut(c->arena, text_flat(c->arena, str_of(d->meaning)), c->screen.columns - 15)));
	}
	screen_write(c->screen.out, &p);
	buf_release(&p.buf);
	return 0;
}

static int code_unknown(struct call *c, struct str word)
{
	struct str known[256];
	size_t n = 0;

	while (code_docs[n].code != NULL && n < 256) {
		known[n] = str_of(code_docs[n].code);
		n++;
	}
	struct str question = suggest_question(c->arena, word, known, n, SUGGEST_MAX);
	fprintf(c->io->err, "There is no code '%.*s'%s%.*s\n", STR_ARG(word),
	        question.n != 0 ? ": " : ". `lhp explain` lists all.", STR_ARG(question));
	return STATUS_FAILED;
}

int cmd_explain(struct call *c)
{
	if (c->args->n == 0)
		return codes_list(c);
	const struct code_doc *doc = doc_find(c->arena, c->args->word[0]);
	if (doc == NULL)
		return code_unknown(c, c->args->word[0]);
	code_show(c, doc);
	return 0;
}
