#include "base/utf8.h"
#include "model/rules.h"
#include "project/project.h"
#include "resolve/nearby.h"
#include "resolve/token.h"
#include "resolve/token_scan.h"

#include <errno.h>

static int read_refuse(struct unit *u, const struct door_file *f, struct mark at)
{
	const struct rule *rule = f->error == -ENOENT || f->error == -ELOOP ? &rule_file_missing
	                          : f->error == -EISDIR                     ? &rule_file_is_folder
	                                                                    : &rule_file_not_permitted;
	struct diag *d = unit_diag(u, rule, at, "%s %s", f->path.p, door_trouble(f));

	if (f->error == -ENOENT)
		diag_hints(u->diags, d, file_question(u, f->path), "paths are relative to the folder of lhp.yaml");
	return -1;
}

/* CRLF and CR become LF, as Python reads text files. */
static struct str line_ends(struct arena *a, struct str s)
{
	struct str lf;

	if (memchr(s.p, '\r', s.n) == NULL)
		return s;
	lf = str_replace(a, s, STR("\r\n"), STR("\n"));
	return str_replace(a, lf, STR("\r"), STR("\n"));
}

/* Puts a finding just added at a byte of the file itself; the chain tells who named the file. */
static void place_inside(struct unit *u, struct diag *d, struct str path, struct str text, size_t offset)
{
	struct origin *named = ARENA_NEW(u->arena, struct origin);
	struct mark m = { .file = str_cstr(u->arena, path), .line = 1, .col = 1 };

	for (size_t i = 0; i < offset && i < text.n; i++) {
		m.col += ((unsigned char)text.p[i] & 0xC0) != 0x80;
		if (text.p[i] == '\n') {
			m.line++;
			m.col = 1;
		}
	}
	*named = (struct origin){ .what = "file", .name = path, .at = d->at, .next = d->via };
	d->via = named;
	d->at = m;
}

int file_text_raw(struct unit *u, struct str path, struct mark at, struct str *out)
{
	struct str slashed = str_replace(u->arena, path, STR("\\"), STR("/"));
	const struct door_file *f = door_read(u->project->door, u->trace, slashed, at);
	ptrdiff_t bad;

	*out = STR("");
	if (f->error != 0)
		return read_refuse(u, f, at);
	bad = utf8_invalid(f->bytes);
	if (bad >= 0) {
		struct diag *d = unit_diag(u, &rule_file_not_utf8, at, "%s is not UTF-8 text: byte %td", f->path.p, bad);

		diag_hint(u->diags, d, "save it as UTF-8");
		place_inside(u, d, f->path, f->bytes, (size_t)bad);
		return -1;
	}
	if (f->bytes.n != 0)
		*out = line_ends(u->arena, f->bytes);
	return 0;
}

void file_fault_as(struct unit *u, const struct rule *not_utf8, const struct rule *folder)
{
	struct diag *d = &u->diags->p[u->diags->n - 1];

	if (d->rule == &rule_file_not_utf8 && not_utf8 != NULL)
		d->rule = not_utf8;
	else if (d->rule == &rule_file_is_folder && folder != NULL)
		d->rule = folder;
}

/* `raw`: before tokens were replaced. What a token's value brought in does not stand there. */
static int leftovers_refuse(struct unit *u, struct str path, struct str raw, struct str text, struct mark at)
{
	struct str name, same;
	size_t start, end;
	struct diag *d;

	if (!dollar_find(text, 0, &start, &end, &name))
		return 0;
	d = unit_diag(u, &rule_token_left_in_file, at, "${%.*s} in %.*s has no value in substitutions/%.*s.yaml", STR_ARG(name),
	              STR_ARG(path), STR_ARG(u->env->name));
	diag_hints(u->diags, d, token_question(u, name),
	           str_fmt(u->arena, "define the token '%.*s', or correct its name", STR_ARG(name)).p);
	for (size_t i = 0; dollar_find(raw, i, &start, &end, &same); i = end)
		if (str_eq(same, name)) {
			place_inside(u, d, path, raw, start);
			break;
		}
	return -1;
}

int file_text(struct unit *u, struct str path, struct mark at, enum token_forms forms, bool strict, struct str *out)
{
	struct str raw;

	if (file_text_raw(u, path, at, &raw) < 0 || tokens_apply(u, raw, at, forms, out) < 0)
		return -1;
	return strict && !u->env->keep_tokens ? leftovers_refuse(u, path, raw, *out, at) : 0;
}
