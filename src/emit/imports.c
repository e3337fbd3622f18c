#include "emit/imports.h"

#include "base/utf8.h"

/* In the order of the file. */
enum import_group { GROUP_FUTURE, GROUP_STANDARD, GROUP_THIRD_PARTY, GROUP_PYSPARK, GROUP_PIPELINES, GROUP_CUSTOM };

static const char *const STANDARD[] = {
	"ast",       "sys",         "os",      "re",       "json",       "time",   "datetime", "pathlib", "typing", "dataclasses",
	"functools", "itertools", "collections", "logging", "argparse", "subprocess", "urllib", "http",
};

static const char *const THIRD_PARTY[] = { "pandas", "numpy", "requests", "yaml", "json" };

struct import_name {
	struct str name;   /* "date" of "date as d" */
	struct str local;  /* "d" */
};

struct import_line {
	struct str text;
	struct str module;         /* dotted name, of from-imports too */
	bool from, star;
	struct { VEC_OF(struct import_name) } name;
	bool dropped, split;
	const struct action *action; /* that asked for it, or NULL */
};

struct import_lines {
	VEC_OF(struct import_line)
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool has_any(struct str s, const char *const *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_has(s, str_of(word[i])))
			return true;
	return false;
}

static enum import_group line_group(struct arena *a, const struct import_line *l, struct str text)
{
	struct str lower = str_lower(a, text), rest = l->module, top;

	str_cut(&rest, '.', &top);
	if (l->from && str_is(top, "__future__"))
		return GROUP_FUTURE;
	for (size_t i = 0; i < COUNT(STANDARD); i++)
		if (str_is(top, STANDARD[i]))
			return GROUP_STANDARD;
	if (str_has(lower, STR("pipelines")))
		return GROUP_PIPELINES;
	if (str_has(lower, STR("spark")))
		return GROUP_PYSPARK;
	return has_any(lower, THIRD_PARTY, COUNT(THIRD_PARTY)) ? GROUP_THIRD_PARTY : GROUP_CUSTOM;
}

/* The next word of `*rest`, blanks before it skipped. */
static struct str word_cut(struct str *rest)
{
	struct str s = str_trim(*rest);
	size_t n = 0;

	while (n < s.n && s.p[n] != ' ' && s.p[n] != '\t' && s.p[n] != '\n' && s.p[n] != '(')
		n++;
	*rest = str_skip(s, n);
	return str_sub(s, 0, n);
}

static void names_read(struct arena *a, struct import_line *l, struct str list)
{
	struct str part, word, local;

	str_cut(&list, '#', &part); /* a comment behind it */
	list = str_trim(part);
	if (str_starts(list, STR("(")) && str_ends(list, STR(")")))
		list = str_sub(list, 1, list.n - 1);
	while (str_cut(&list, ',', &part)) {
		part = str_trim(part);
		if (part.n == 0)
			continue;
		word = local = word_cut(&part);
		if (str_is(word_cut(&part), "as"))
			local = word_cut(&part);
		*VEC_PUSH(&l->name, a) = (struct import_name){ word, local };
	}
	l->star = l->name.n == 1 && str_is(l->name.p[0].name, "*");
}

/* Of the statements that users want, those that are no imports are passed over. */
static bool is_import(struct str s)
{
	return str_starts(s, STR("import ")) || str_starts(s, STR("from "));
}

static void line_read(struct arena *a, struct import_line *l, const struct map_entry *e, const void *nobody)
{
	struct str text = utf8_trim(e->key), rest = text, word = word_cut(&rest);

	*l = (struct import_line){ .text = text, .action = e->value != nobody ? e->value : NULL };
	l->from = str_is(word, "from");
	l->module = word_cut(&rest);
	if (l->from && str_is(word_cut(&rest), "import"))
		names_read(a, l, rest);
}

/* `from M import *` makes the other lines of M needless. */
static void starred_drop(struct import_lines *ls)
{
	for (size_t i = 0; i < ls->n; i++)
		for (size_t k = 0; k < ls->n && ls->p[i].star; k++)
			if (k != i && ls->p[k].from && !ls->p[k].star && str_eq(ls->p[k].module, ls->p[i].module))
				ls->p[k].dropped = true;
}

static bool binds_in_common(const struct import_line *x, const struct import_line *y)
{
	for (size_t i = 0; i < x->name.n; i++)
		for (size_t k = 0; k < y->name.n; k++)
			if (str_eq(x->name.p[i].local, y->name.p[k].local))
				return true;
	return false;
}

static int collision_report(struct module *m, const struct import_line *x, const struct import_line *y, struct str name)
{
	const struct action *a = y->action != NULL ? y->action : x->action;
	struct mark at = a != NULL ? a->map->at : m->fg->at;

	module_error(m, a, &rule_import_collision, at, "The name %.*s is imported twice: `%.*s` and `%.*s`.", STR_ARG(name),
		     STR_ARG(x->text), STR_ARG(y->text));
	return module_hint(m, "Rename one of the functions or classes, or put the actions into different flowgroups");
}

/* Marks lines of one module that share a name for splitting; refuses a name from two modules. */
static int overlaps_find(struct module *m, struct import_lines *ls)
{
	struct map owner = { 0 }; /* local name -> line */

	for (size_t i = 0; i < ls->n; i++) {
		struct import_line *l = &ls->p[i];
		for (size_t k = 0; k < l->name.n && l->from && !l->star && !l->dropped; k++) {
			struct import_line *first = map_get(&owner, l->name.p[k].local);
			if (first == NULL)
				map_put(&owner, m->unit->arena, l->name.p[k].local, l);
			else if (!str_eq(first->module, l->module))
				return collision_report(m, first, l, l->name.p[k].local);
		}
	}
	for (size_t i = 0; i < ls->n; i++)
		for (size_t k = 0; k < ls->n; k++)
			if (i != k && ls->p[i].from && ls->p[k].from && str_eq(ls->p[i].module, ls->p[k].module) &&
			    binds_in_common(&ls->p[i], &ls->p[k]))
				ls->p[i].split = true;
	return 0;
}

static struct str name_line(struct arena *a, const struct import_line *l, const struct import_name *n)
{
	if (str_eq(n->name, n->local))
		return str_fmt(a, "from %.*s import %.*s", STR_ARG(l->module), STR_ARG(n->name));
	return str_fmt(a, "from %.*s import %.*s as %.*s", STR_ARG(l->module), STR_ARG(n->name), STR_ARG(n->local));
}

/* The final lines of each group, sets. */
static void lines_collect(struct arena *a, const struct import_lines *ls, struct map group[])
{
	for (size_t i = 0; i < ls->n; i++) {
		const struct import_line *l = &ls->p[i];

		if (l->dropped)
			continue;
		if (!l->split)
			map_add(&group[line_group(a, l, l->text)], a, l->text);
		for (size_t k = 0; k < l->name.n && l->split; k++) {
			struct str text = name_line(a, l, &l->name.p[k]);

			map_add(&group[line_group(a, l, text)], a, text);
		}
	}
}

int imports_write(struct module *m, struct buf *b)
{
	struct arena *a = m->unit->arena;
	struct map group[GROUP_CUSTOM + 1] = { 0 };
	struct import_lines ls = { 0 };

	for (size_t i = 0; i < m->import.n; i++)
		if (is_import(utf8_trim(m->import.entry[i].key)))
			line_read(a, VEC_PUSH(&ls, a), &m->import.entry[i], m);
	starred_drop(&ls);
	if (overlaps_find(m, &ls) < 0)
		return -1;
	lines_collect(a, &ls, group);
	for (size_t g = 0; g <= GROUP_CUSTOM; g++) {
		uint32_t *order = map_sorted(&group[g], a);

		for (size_t i = 0; i < group[g].n; i++) {
			buf_add(b, group[g].entry[order[i]].key);
			buf_addc(b, '\n');
		}
		if (g == GROUP_FUTURE && group[g].n > 0)
			buf_addc(b, '\n');
	}
	return 0;
}
