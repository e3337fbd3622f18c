#include "check/schema_columns.h"

#include "base/utf8.h"
#include "yaml/reader.h"

static bool names_have(const struct names *names, struct str name)
{
	for (size_t i = 0; i < names->n; i++)
		if (str_eq(names->p[i], name))
			return true;
	return false;
}

/* Length of `name in backticks` at the start of s, with its quotes; 0 when there is none. */
static size_t quoted_length(struct str s)
{
	size_t i = 1;

	if (s.n == 0 || s.p[0] != '`')
		return 0;
	for (; i < s.n; i++) {
		if (s.p[i] != '`')
			continue;
		if (i + 1 == s.n || s.p[i + 1] != '`')
			return i == 1 ? 0 : i + 1;
		i++;
	}
	return 0;
}

static size_t plain_length(struct str s, bool dollar)
{
	size_t i = 0;

	while (i < s.n && (ascii_is_word(s.p[i]) || (dollar && s.p[i] == '$')))
		i++;
	return i == 0 || (s.p[0] >= '0' && s.p[0] <= '9') ? 0 : i;
}

/* Takes a source name off the front of *rest. */
static bool source_take(struct arena *a, struct str *rest, struct str *name)
{
	size_t n = quoted_length(*rest);

	if (n != 0) {
		*name = str_replace(a, str_sub(*rest, 1, n - 1), STR("``"), STR("`"));
	} else {
		n = plain_length(*rest, true);
		*name = str_sub(*rest, 0, n);
	}
	*rest = str_trim(str_skip(*rest, n));
	return n != 0;
}

static bool cast_add(struct arena *a, struct schema_columns *out, struct str name, struct str type)
{
	if (str_blank(type) || names_have(&out->cast, name))
		return false;
	*VEC_PUSH(&out->cast, a) = name;
	return true;
}

static bool rename_add(struct arena *a, struct schema_columns *out, struct str source, struct str rest)
{
	size_t n = plain_length(rest, false);
	struct str target = str_sub(rest, 0, n);

	rest = str_trim(str_skip(rest, n));
	if (n == 0 || names_have(&out->renamed, source) || names_have(&out->target, target))
		return false;
	*VEC_PUSH(&out->renamed, a) = source;
	*VEC_PUSH(&out->target, a) = target;
	if (rest.n == 0)
		return true;
	return rest.p[0] == ':' && cast_add(a, out, target, str_skip(rest, 1));
}

static bool entry_add(struct arena *a, struct schema_columns *out, struct str entry)
{
	struct str rest = str_trim(entry), source;

	if (!source_take(a, &rest, &source))
		return false;
	if (str_starts(rest, STR("->")))
		return rename_add(a, out, source, str_trim(str_skip(rest, 2)));
	if (rest.n != 0 && rest.p[0] == ':')
		return !names_have(&out->renamed, source) && cast_add(a, out, source, str_skip(rest, 1));
	if (rest.n != 0 || names_have(&out->target, source) || names_have(&out->cast, source) ||
	    names_have(&out->passed, source))
		return false;
	*VEC_PUSH(&out->passed, a) = source;
	return true;
}

static bool keys_add(struct arena *a, struct names *names, const struct node *map)
{
	if (!node_is_null(map) && map->kind != NODE_MAP)
		return false;
	for (size_t i = 0; i < node_len(map); i++)
		*VEC_PUSH(names, a) = node_text(a, map->map.pair[i].key);
	return true;
}

bool schema_columns_of_map(struct arena *a, const struct node *map, struct schema_columns *out)
{
	const struct node *columns = node_get(map, "columns");
	bool old = node_has(map, "column_mapping") || node_has(map, "type_casting");

	if ((columns != NULL) == old)
		return false;
	if (old)
		return keys_add(a, &out->renamed, node_get(map, "column_mapping")) &&
		       keys_add(a, &out->cast, node_get(map, "type_casting"));
	if (columns->kind != NODE_LIST)
		return false;
	for (size_t i = 0; i < columns->list.n; i++)
		if (!node_is_str(columns->list.item[i]) || !entry_add(a, out, columns->list.item[i]->text))
			return false;
	return true;
}

static bool has_columns_line(struct str text)
{
	struct str line;

	while (str_cut(&text, '\n', &line))
		if (str_is(str_trim(line), "columns:"))
			return true;
	return false;
}

bool schema_columns_of_text(struct arena *a, struct str text, struct schema_columns *out)
{
	struct yaml_file yaml;
	struct str line;

	if (yaml_read(a, "", text, &yaml) != YAML_GOOD) {
		if (has_columns_line(text))
			return false;
	} else if (yaml.n_doc == 1 && (node_has(yaml.doc[0], "columns") || node_has(yaml.doc[0], "column_mapping") ||
	                               node_has(yaml.doc[0], "type_casting"))) {
		return schema_columns_of_map(a, yaml.doc[0], out);
	}
	while (str_cut(&text, '\n', &line))
		if (!str_blank(line) && !entry_add(a, out, line))
			return false;
	return true;
}
