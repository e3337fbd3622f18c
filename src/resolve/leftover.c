#include "resolve/leftover.h"

struct search {
	struct arena *arena;
	reference_find *find;
	size_t max;
	struct leftovers *out;
	struct buf path;
};

static struct str names_of(struct search *s, struct str text)
{
	struct map seen = { 0 };
	struct buf b = { 0 };
	struct str name, out;
	size_t at, end;

	for (size_t i = 0; s->find(text, i, &at, &end, &name); i = end)
		if (map_add(&seen, s->arena, name))
			buf_addf(&b, "%s%.*s", b.n != 0 ? ", " : "", STR_ARG(str_sub(text, at, end)));
	out = buf_take(&b, s->arena);
	buf_release(&b);
	return out;
}

static void text_look(struct search *s, const struct node *n)
{
	struct str name;
	size_t at, end;

	if (n->text.n == 0 || memchr(n->text.p, '{', n->text.n) == NULL || !s->find(n->text, 0, &at, &end, &name))
		return;
	if (s->out->total++ < s->max)
		*VEC_PUSH(s->out, s->arena) = (struct leftover){
			.path = str_dup(s->arena, buf_str(&s->path)),
			.names = names_of(s, n->text),
			.text = n,
		};
}

static void look(struct search *s, const struct node *n, bool top)
{
	size_t mark = s->path.n;

	if (n->kind == NODE_STR)
		text_look(s, n);
	for (size_t i = 0; n->kind == NODE_LIST && i < n->list.n; i++, s->path.n = mark) {
		buf_addf(&s->path, "[%zu]", i);
		look(s, n->list.item[i], false);
	}
	for (size_t i = 0; n->kind == NODE_MAP && i < n->map.n; i++, s->path.n = mark) {
		const struct node *key = n->map.pair[i].key;

		if (top && str_is(node_str(key), "variables"))
			continue;
		buf_addc(&s->path, '.');
		buf_add(&s->path, key->text);
		look(s, n->map.pair[i].value, false);
	}
}

void leftovers_find(struct arena *a, const struct node *n, reference_find *find, size_t max, struct leftovers *out)
{
	struct search s = { a, find, max, out, { 0 } };

	buf_adds(&s.path, "config");
	look(&s, n, true);
	buf_release(&s.path);
}
