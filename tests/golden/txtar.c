#include "golden/txtar.h"

#include <stdlib.h>

static bool header(struct str line, struct str *name)
{
	if (!str_starts(line, STR("-- ")) || !str_ends(line, STR(" --")) || line.n < 7)
		return false;
	*name = str_sub(line, 3, line.n - 3);
	return true;
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static struct str unescape(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\\' || i + 1 >= s.n) {
			p[n++] = s.p[i];
		} else if (s.p[i + 1] == 'x' && i + 3 < s.n) {
			p[n++] = (char)(hex(s.p[i + 2]) * 16 + hex(s.p[i + 3]));
			i += 3;
		} else if (s.p[++i] != '\n') {
			p[n++] = s.p[i];
		}
	}
	return (struct str){ p, n };
}

void txtar_parse(struct txtar *t, struct arena *a, struct str text)
{
	static const struct str mark = STR_INIT(" (escaped)");
	struct str rest = text, line, name;
	struct section *open = NULL;

	while (str_cut(&rest, '\n', &line)) {
		if (!header(line, &name)) {
			if (open != NULL)
				open->bytes.n = (size_t)(line.p + line.n - open->bytes.p) + (rest.p != NULL);
			continue;
		}
		open = VEC_PUSH(t, a);
		*open = (struct section){ name, { rest.p != NULL ? rest.p : line.p + line.n, 0 } };
	}
	/* The file's last line end closes the last section, and gives one empty line more. */
	for (size_t i = 0; i < t->n; i++) {
		struct section *s = &t->p[i];

		if ((size_t)(s->bytes.p + s->bytes.n - text.p) > text.n)
			s->bytes.n = (size_t)(text.p + text.n - s->bytes.p);
		if (!str_ends(s->name, mark))
			continue;
		s->name.n -= mark.n;
		s->bytes = unescape(a, s->bytes);
	}
}

static const struct str case_mark = STR_INIT("case ");

/* The first section at or after `from` that begins a case. */
static size_t case_find(const struct txtar *t, size_t from)
{
	while (from < t->n && !str_starts(t->p[from].name, case_mark))
		from++;
	return from;
}

static void sections_inherit(struct txtar *to, struct arena *a, const struct txtar *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (txtar_get(to, from->p[i].name).p == NULL)
			*VEC_PUSH(to, a) = from->p[i];
}

void txtar_split(struct txtar_cases *cases, struct arena *a, const struct txtar *t)
{
	size_t shared = case_find(t, 0), from, to;

	if (shared == t->n)
		VEC_PUSH(cases, a)->sections = *t;
	for (from = shared; from < t->n; from = to) {
		struct txtar_case *c = VEC_PUSH(cases, a);

		c->name = str_skip(t->p[from].name, case_mark.n);
		to = case_find(t, from + 1);
		for (size_t i = from + 1; i < to; i++)
			*VEC_PUSH(&c->sections, a) = t->p[i];
		sections_inherit(&c->sections, a, t, shared);
	}
}

struct str txtar_get(const struct txtar *t, struct str name)
{
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->p[i].name, name))
			return t->p[i].bytes;
	return STR_NONE;
}

bool txtar_next(const struct txtar *t, size_t *i, struct str prefix, struct str *rest, struct str *bytes)
{
	for (; *i < t->n; (*i)++)
		if (str_starts(t->p[*i].name, prefix)) {
			*rest = str_skip(t->p[*i].name, prefix.n);
			*bytes = t->p[(*i)++].bytes;
			return true;
		}
	return false;
}
