#include "resolve/leftover.h"

struct search {
	struct arena *arena;
	reference_find *find;
	size_t max;
	struct leftovers *out;
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

/* A step down from the flowgroup: the path is written when something was found. */
struct step {
	const struct step *up;
	const struct node *key; /* NULL: item `i` of a list */
	size_t i;
};

static void path_add(struct buf *b, const struct step *at)
{
	if (at == NULL) {
		buf_adds(b, "config");
		return;
	}
	path_add(b, at->up);
	if (at->key != NULL)
		buf_addf(b, ".%.*s", STR_ARG(at->key->text));
	else
		buf_addf(b, "[%zu]", at->i);
}

static void text_look(struct search *s, const struct node *n, const struct step *at)
{
	struct leftover *found;
	struct buf path = { 0 };
	struct str name;
	size_t from, end;

	if (n->text.n == 0 || memchr(n->text.p, '{', n->text.n) == NULL || !s->find(n->text, 0, &from, &end, &name) ||
	    s->out->total++ >= s->max)
		return;
	path_add(&path, at);
	found = VEC_PUSH(s->out, s->arena);
	*found = (struct leftover){ buf_take(&path, s->arena), names_of(s, n->text), n };
	buf_release(&path);
}

static void look(struct search *s, const struct node *n, const struct step *at)
{
	if (n->kind == NODE_STR)
		text_look(s, n, at);
	for (size_t i = 0; n->kind == NODE_LIST && i < n->list.n; i++)
		look(s, n->list.item[i], &(struct step){ at, NULL, i });
	for (size_t i = 0; n->kind == NODE_MAP && i < n->map.n; i++) {
		const struct node *key = n->map.pair[i].key;

		if (at != NULL || !str_is(node_str(key), "variables"))
			look(s, n->map.pair[i].value, &(struct step){ at, key, 0 });
	}
}

void leftovers_find(struct arena *a, const struct node *n, reference_find *find, size_t max, struct leftovers *out)
{
	struct search s = { a, find, max, out };

	look(&s, n, NULL);
}
