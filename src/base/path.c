#include "base/path.h"
#include "base/arena.h"

struct str path_join(struct arena *a, struct str dir, struct str name)
{
	if (dir.n == 0 || path_is_absolute(name))
		return name;
	if (name.n == 0)
		return dir;
	return str_cat_sep(a, dir, '/', name);
}

bool path_normal(struct arena *a, struct str path, struct str *out)
{
	char *p = arena_alloc(a, path.n + 1);
	size_t n = 0;
	struct str rest = path, part;

	*out = path;
	if (path_is_absolute(path))
		return false;
	while (str_cut(&rest, '/', &part)) {
		if (part.n == 0 || str_is(part, "."))
			continue;
		if (str_is(part, "..")) {
			if (n == 0)
				return false;
			n = path_parent((struct str){ p, n }).n;
			continue;
		}
		if (n != 0)
			p[n++] = '/';
		memcpy(p + n, part.p, part.n);
		n += part.n;
	}
	p[n] = '\0';
	*out = (struct str){ p, n };
	return true;
}

struct str path_parent(struct str path)
{
	ptrdiff_t at = str_rfind_char(path, '/');

	return at < 0 ? STR("") : str_sub(path, 0, (size_t)at);
}

struct str path_base(struct str path)
{
	return str_skip(path, (size_t)(str_rfind_char(path, '/') + 1));
}

struct str path_ext(struct str path)
{
	struct str base = path_base(path);
	ptrdiff_t dot = str_rfind_char(base, '.');

	return dot <= 0 ? STR("") : str_skip(base, (size_t)dot);
}

struct str path_stem(struct str path)
{
	struct str base = path_base(path);

	return str_sub(base, 0, base.n - path_ext(path).n);
}

bool path_is_absolute(struct str path)
{
	return path.n != 0 && path.p[0] == '/';
}

bool path_is_below(struct str path, struct str dir)
{
	return dir.n == 0 || (str_starts(path, dir) && (path.n == dir.n || path.p[dir.n] == '/'));
}

int path_cmp(struct str a, struct str b)
{
	struct str x, y;

	for (;;) {
		bool more_a = str_cut(&a, '/', &x), more_b = str_cut(&b, '/', &y);
		int c;

		if (!more_a || !more_b)
			return (int)more_a - (int)more_b;
		c = str_cmp(x, y);
		if (c != 0)
			return c;
	}
}
