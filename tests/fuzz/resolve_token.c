/*
 * resolve_token.c - the token scanners and expansion over any bytes.
 *
 * The first byte splits the input into a token's value and a text. Every span
 * found lies inside the text and moves on; expansion ends.
 */
#include "project/expand.h"
#include "project/variable.h"
#include "resolve/token.h"
#include "resolve/token_scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void scan(struct str s, reference_find *find)
{
	struct str name;
	size_t at, end;

	for (size_t i = 0; find(s, i, &at, &end, &name); i = end)
		if (at < i || end <= at || end > s.n || name.p < s.p || name.p + name.n > s.p + s.n)
			abort();
}

static void expand(struct str value, struct str text)
{
	struct arena a = { 0 };
	struct str v[3] = { value, STR("${b} {a} %{a}"), STR("x") };
	struct map map = { 0 };

	map_put(&map, &a, STR("a"), &v[0]);
	map_put(&map, &a, STR("b"), &v[1]);
	map_put(&map, &a, STR("c"), &v[2]);
	definitions_expand(&map, &a, reference_next);
	references_replace(&map, &a, text, dollar_find);
	arena_release(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static reference_find *const finds[] = { dollar_find, brace_find, bare_find, reference_next, secret_next, variable_find };
	struct secret_ref ref;
	struct str all, value;

	if (size == 0)
		return 0;
	all = (struct str){ (const char *)data + 1, size - 1 };
	value = str_sub(all, 0, data[0]);
	for (size_t i = 0; i < sizeof finds / sizeof *finds; i++)
		scan(all, finds[i]);
	for (size_t from = 0; secret_find(all, from, &ref); from = ref.end)
		if (ref.end > all.n || ref.scope.n == 0)
			abort();
	expand(value, str_skip(all, value.n));
	return 0;
}
