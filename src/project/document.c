#include "project/document.h"

#include "model/rules.h"

#include <errno.h>

static struct mark place_of(const struct door_yaml *y, struct mark at)
{
	return at.file != NULL ? at : (struct mark){ .file = y->file->path.p };
}

static struct diag *read_fault(struct diags *ds, const struct door_yaml *y, struct mark at)
{
	const struct door_file *f = y->file;

	if (f->error == -ENOENT || f->error == -ELOOP)
		return diag_add(ds, &rule_file_missing, place_of(y, at), "%s %s", f->path.p, door_trouble(f));
	return diag_add(ds, &rule_file_unreadable, place_of(y, at), "%s %s", f->path.p, door_trouble(f));
}

/* What usually lies behind a problem that the parser names; a row's `problem` is the beginning of its words. */
static const struct {
	const char *problem, *hint;
} HINT[] = {
	{ "mapping values are not allowed", "put a value that holds ': ' in quotes; keys of one mapping stand below each other" },
	{ "did not find expected ',' or ']'", "between [ and ], put a text with brackets or braces in quotes: \"${token}\"" },
	{ "did not find expected ',' or '}'", "between { and }, put a text with brackets or braces in quotes: \"${token}\"" },
	{ "did not find expected key", "keys of one mapping, and the '-' of one list, stand below each other" },
	{ "did not find expected '-' indicator", "the '-' of one list stand below each other" },
	{ "could not find expected ':'", "a key ends in ': ', with a blank behind the colon" },
	{ "found unexpected end of stream", "close the quote" },
	{ "found unknown escape character", "in double quotes, write \\\\ for a backslash, or use single quotes" },
};

static void syntax_hint(struct diags *ds, struct diag *d, struct str problem)
{
	for (size_t i = 0; i < sizeof(HINT) / sizeof(HINT[0]); i++)
		if (str_starts(problem, str_of(HINT[i].problem)))
			diag_hint(ds, d, "%s", HINT[i].hint);
}

struct diag *document_fault(struct diags *ds, const struct door_yaml *y, struct mark at)
{
	struct mark where = y->yaml.at;
	struct diag *d;

	if (y->file->error != 0)
		return read_fault(ds, y, at);
	if (y->yaml.fault == YAML_GOOD)
		return NULL;
	where.file = y->file->path.p;
	d = diag_add(ds, y->yaml.fault == YAML_SYNTAX ? &rule_yaml_syntax : &rule_file_unreadable, where,
	             "%s, line %u, column %u: %.*s", where.file, where.line, where.col, STR_ARG(y->yaml.problem));
	if (y->yaml.fault == YAML_NOT_UTF8)
		diag_hint(ds, d, "save the file as UTF-8");
	syntax_hint(ds, d, y->yaml.problem);
	return d;
}

const struct node *document_only(struct diags *ds, const struct door_yaml *y, struct mark at)
{
	struct diag *d;

	if (document_fault(ds, y, at) != NULL)
		return NULL;
	if (y->yaml.n_doc == 1)
		return y->yaml.doc[0];
	d = diag_add(ds, &rule_document_count, (struct mark){ .file = y->file->path.p },
	             "%s holds %zu YAML documents; it must hold exactly one", y->file->path.p, y->yaml.n_doc);
	diag_hint(ds, d, y->yaml.n_doc == 0 ? "an empty mapping, {}, is a document" : "remove the lines '---' between documents");
	return NULL;
}

const struct node *document_peek(const struct door_yaml *y)
{
	if (y->file->error != 0 || y->yaml.fault != YAML_GOOD || y->yaml.n_doc != 1)
		return NULL;
	return y->yaml.doc[0];
}
