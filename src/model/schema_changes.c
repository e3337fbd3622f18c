#include "model/schema_changes.h"

#include "base/utf8.h"
#include "yaml/reader.h"

static const char ENTRY_FORMS[] = "An entry is `old -> new: TYPE`, `old -> new`, `column: TYPE` or `column`; put a name with other "
				  "characters than letters, digits, `_` and `$` in backticks";

const char schema_enforcement_detail[] = "The schema has a key `enforcement`, which is ignored.";
const char schema_enforcement_hint[] = "Put `enforcement` on the action";

/* One entry being read. */
struct entry {
	struct arena *a;
	struct schema_changes *out;
	struct mark at;
	struct str text;
};

static int entry_fault(struct entry *e, const char *problem, const char *hint)
{
	e->out->at = e->at;
	e->out->problem = str_fmt(e->a, "`%.*s`: %s", STR_ARG(e->text), problem);
	e->out->hint = str_of(hint);
	return -1;
}

static int fault(struct schema_changes *out, const struct node *at, const char *problem, const char *hint)
{
	out->at = node_mark(at);
	out->problem = str_of(problem);
	out->hint = str_of(hint);
	return -1;
}

static int shape_fault(struct schema_changes *out, const struct node *at, const char *problem, const char *hint)
{
	out->misshapen = true;
	return fault(out, at, problem, hint);
}

static bool has_from(const struct column_changes *c, struct str name)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->p[i].from, name))
			return true;
	return false;
}

static bool has_to(const struct column_changes *c, struct str name)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->p[i].to, name))
			return true;
	return false;
}

/* Length of a name in backticks at the start, its quotes included; 0 when there is none. */
static size_t quoted_length(struct str s)
{
	if (s.n == 0 || s.p[0] != '`')
		return 0;
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] != '`')
			continue;
		if (i + 1 == s.n || s.p[i + 1] != '`')
			return i > 1 ? i + 1 : 0;
		i++;
	}
	return 0;
}

static size_t plain_length(struct str s, bool dollar)
{
	size_t n = 0;

	while (n < s.n && (ascii_is_word(s.p[n]) || (dollar && s.p[n] == '$')))
		n++;
	return n > 0 && s.p[0] >= '0' && s.p[0] <= '9' ? 0 : n;
}

/* Takes the source name off the front. */
static bool source_cut(struct arena *a, struct str *rest, struct str *name)
{
	size_t n = quoted_length(*rest);

	if (n > 0) {
		*name = str_replace(a, str_sub(*rest, 1, n - 1), STR("``"), STR("`"));
	} else {
		n = plain_length(*rest, true);
		*name = str_sub(*rest, 0, n);
	}
	*rest = utf8_trim(str_skip(*rest, n));
	return n > 0;
}

static int cast_add(struct entry *e, struct str column, struct str type)
{
	type = utf8_trim(type);
	if (type.n == 0)
		return entry_fault(e, "the type after `:` is missing", ENTRY_FORMS);
	if (has_from(&e->out->cast, column))
		return entry_fault(e, "the column is cast twice", "Keep one type for each column");
	*VEC_PUSH(&e->out->cast, e->a) = (struct column_change){ column, type };
	return 0;
}

static bool is_known_column(const struct schema_changes *s, struct str name)
{
	return has_to(&s->rename, name) || has_from(&s->cast, name) || has_from(&s->pass, name);
}

/* What follows `SRC ->`. */
static int rename_add(struct entry *e, struct str source, struct str rest)
{
	size_t n = plain_length(rest, false);
	struct str target = str_sub(rest, 0, n);

	rest = utf8_trim(str_skip(rest, n));
	if (n == 0 || (rest.n > 0 && rest.p[0] != ':'))
		return entry_fault(e, "the new name after `->` must be letters, digits and `_`", ENTRY_FORMS);
	if (has_from(&e->out->rename, source))
		return entry_fault(e, "the column is renamed twice", "Rename each column once");
	if (is_known_column(e->out, target))
		return entry_fault(e, "another entry makes a column of that name", "Give each column a name of its own");
	*VEC_PUSH(&e->out->rename, e->a) = (struct column_change){ source, target };
	return rest.n > 0 ? cast_add(e, target, str_skip(rest, 1)) : 0;
}

static int pass_add(struct entry *e, struct str column)
{
	if (is_known_column(e->out, column))
		return entry_fault(e, "the column is listed twice", "List each column once");
	*VEC_PUSH(&e->out->pass, e->a) = (struct column_change){ column, STR("") };
	return 0;
}

static int entry_read(struct entry *e)
{
	struct str rest, source;

	e->text = utf8_trim(e->text);
	rest = e->text;
	if (!source_cut(e->a, &rest, &source))
		return entry_fault(e, "this is no column name", ENTRY_FORMS);
	if (str_starts(rest, STR("->")))
		return rename_add(e, source, utf8_trim(str_skip(rest, 2)));
	if (rest.n == 0)
		return pass_add(e, source);
	if (rest.p[0] != ':')
		return entry_fault(e, "`->` or `:` must follow the column name", ENTRY_FORMS);
	if (has_from(&e->out->rename, source))
		return entry_fault(e, "the column is cast under the name that it had before renaming", "Cast the new name");
	return cast_add(e, source, str_skip(rest, 1));
}

static int columns_read(struct arena *a, const struct node *columns, struct schema_changes *out)
{
	if (!node_is(columns, NODE_LIST))
		return shape_fault(out, columns, "`columns` is no list", "Write one entry a line, each after `- `");
	if (columns->list.n == 0)
		return fault(out, columns, "`columns` holds no column", "List at least one column");
	for (size_t i = 0; i < columns->list.n; i++) {
		const struct node *item = columns->list.item[i];
		struct entry e = { a, out, item->at, node_str(item) };

		if (!node_is_str(item))
			return fault(out, item, "An entry of `columns` is no text", "Put the entry in quotes: \"old -> new: TYPE\"");
		if (entry_read(&e) < 0)
			return -1;
	}
	return 0;
}

static int map_read(struct arena *a, const struct node *map, struct column_changes *to, struct schema_changes *out)
{
	if (!node_is_null(map) && map->kind != NODE_MAP)
		return shape_fault(out, map, "`column_mapping` and `type_casting` are maps from column to new name and to type",
			     "Write one `column: value` a line");
	for (size_t i = 0; i < node_len(map); i++)
		*VEC_PUSH(to, a) = (struct column_change){ node_text(a, map->map.pair[i].key),
							   node_text(a, map->map.pair[i].value) };
	return 0;
}

int schema_changes_of_node(struct arena *a, const struct node *root, struct schema_changes *out)
{
	const struct node *columns = node_get(root, "columns");
	bool old = node_has(root, "column_mapping") || node_has(root, "type_casting");

	if (!node_is_null(root) && root->kind != NODE_MAP)
		return shape_fault(out, root, "The schema is no mapping", "Write a mapping with `columns`, a list");
	out->enforcement = node_get(root, "enforcement");
	if ((columns != NULL) == old)
		return fault(out, root, old ? "`columns` stands beside `column_mapping` or `type_casting`"
					    : "There is neither `columns` nor `column_mapping` or `type_casting`",
			     "Use `columns` with entries such as \"old -> new: TYPE\"");
	if (!old)
		return columns_read(a, columns, out);
	if (map_read(a, node_get(root, "column_mapping"), &out->rename, out) < 0)
		return -1;
	return map_read(a, node_get(root, "type_casting"), &out->cast, out);
}

static int lines_read(struct arena *a, const struct node *text, struct schema_changes *out)
{
	struct str rest = text->text, line;
	bool any = false;

	while (str_cut(&rest, '\n', &line)) {
		struct entry e = { a, out, text->at, line };

		if (utf8_blank(line))
			continue;
		any = true;
		if (entry_read(&e) < 0)
			return -1;
	}
	return any ? 0 : fault(out, text, "The schema is empty", ENTRY_FORMS);
}

static bool starts_with_columns(struct str text)
{
	struct str rest = text, line = STR("");

	while (str_cut(&rest, '\n', &line) && utf8_blank(line))
		;
	return str_is(utf8_trim(line), "columns:");
}

/* `columns: INT` is the arrow entry of a column called columns. */
static bool is_definition(const struct node *doc)
{
	return (node_has(doc, "columns") && !node_is_str(node_get(doc, "columns"))) || node_has(doc, "column_mapping") ||
	       node_has(doc, "type_casting");
}

int schema_changes_of_text(struct arena *a, const struct node *text, struct schema_changes *out)
{
	struct yaml_file yaml;

	if (yaml_read(a, text->at.file, text->text, &yaml) != YAML_GOOD) {
		if (starts_with_columns(text->text))
			return fault(out, text, "The schema is no YAML", "Check its indentation and brackets");
	} else if (yaml.n_doc == 1 && is_definition(yaml.doc[0])) {
		int rc = schema_changes_of_node(a, yaml.doc[0], out);
		out->at = text->at; /* marks of the inner text are not those of the file */
		return rc;
	}
	return lines_read(a, text, out);
}
