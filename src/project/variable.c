#include "project/variable.h"

#include "base/utf8.h"
#include "project/expand.h"

bool variable_find(struct str s, size_t from, size_t *at, size_t *end, struct str *name)
{
	for (ptrdiff_t open; (open = str_find(s, STR("%{"), from)) >= 0; from = (size_t)open + 2) {
		size_t i = (size_t)open + 2, start = i, next = i;

		while (next < s.n && ucs_is_word(utf8_next(s, &next)))
			i = next;
		if (i == start || i == s.n || s.p[i] != '}')
			continue;
		*at = (size_t)open;
		*end = i + 1;
		*name = str_sub(s, start, i);
		return true;
	}
	return false;
}

void variables_read(struct variables *v, struct arena *a, const struct node *map)
{
	*v = (struct variables){ 0 };
	for (size_t i = 0; i < node_len(map); i++) {
		struct str *value = ARENA_NEW(a, struct str);

		*value = node_text(a, map->map.pair[i].value);
		map_put(&v->value, a, node_text(a, map->map.pair[i].key), value);
	}
	definitions_expand(&v->value, a, variable_find);
}

struct str variables_apply(const struct variables *v, struct arena *a, struct str s)
{
	return references_replace(&v->value, a, s, variable_find);
}
