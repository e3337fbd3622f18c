#include "ui/unified.h"

#include "base/vec.h"

enum { CONTEXT = 3 };

struct lines {
	VEC_OF(struct str)
};

/* One run of equal lines: n of them, at `a` in the old text and `b` in the new one. */
struct match {
	size_t a, b, n;
};

struct matches {
	VEC_OF(struct match)
};

struct difference {
	struct arena *arena;
	struct lines old, new;
	size_t head, tail; /* lines that are common to both ends */
	struct matches match;
};

/* Lines keep their '\n', so that a text that does not end with one differs. */
static void lines_split(struct lines *l, struct arena *a, struct str text)
{
	while (text.n != 0) {
		ptrdiff_t end = str_find_char(text, '\n', 0);
		size_t n = end < 0 ? text.n : (size_t)end + 1;

		*VEC_PUSH(l, a) = str_sub(text, 0, n);
		text = str_skip(text, n);
	}
}

static void ends_find(struct difference *d)
{
	size_t most = d->old.n < d->new.n ? d->old.n : d->new.n;

	while (d->head < most && str_eq(d->old.p[d->head], d->new.p[d->head]))
		d->head++;
	while (d->tail < most - d->head && str_eq(d->old.p[d->old.n - 1 - d->tail], d->new.p[d->new.n - 1 - d->tail]))
		d->tail++;
}

/* Furthest x on diagonal k after one more edit. */
static long edge_step(const long *v, long k, long e)
{
	return k == -e || (k != e && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
}

/*
 * Myers' greedy algorithm on the middle part. trace[e] holds the furthest x of diagonals -e..e after e edits.
 * Returns the number of edits, or -1 beyond the bound.
 */
static long edits_find(struct difference *d, long n, long m, long **trace)
{
	const struct str *old = d->old.p + d->head, *new = d->new.p + d->head;
	long most = n + m < UNIFIED_MAX_EDITS ? n + m : UNIFIED_MAX_EDITS;
	long *v = ARENA_ARRAY(d->arena, long, 2 * (size_t)most + 3);

	v += most + 1;
	for (long e = 0; e <= most; e++) {
		for (long k = -e; k <= e; k += 2) {
			long x = edge_step(v, k, e);

			while (x < n && x - k < m && str_eq(old[x], new[x - k]))
				x++;
			v[k] = x;
			if (x >= n && x - k >= m)
				return e;
		}
		trace[e] = ARENA_ARRAY(d->arena, long, 2 * (size_t)e + 3);
		memcpy(trace[e], v - e - 1, (2 * (size_t)e + 3) * sizeof *v);
		trace[e] += e + 1;
	}
	return -1;
}

/* Walks the edits back from the end; matches come out last first. */
static void matches_trace(struct difference *d, long n, long m, long edits, long **trace)
{
	long x = n, y = m;

	for (long e = edits; e >= 0; e--) {
		long k = x - y, from_x = 0, from_y = 0, run_x = 0;

		if (e > 0) {
			const long *v = trace[e - 1];
			bool down = k == -e || (k != e && v[k - 1] < v[k + 1]);

			from_x = down ? v[k + 1] : v[k - 1];
			from_y = from_x - (down ? k + 1 : k - 1);
			run_x = from_x + !down;
		}
		if (x > run_x)
			*VEC_PUSH(&d->match, d->arena) =
			    (struct match){ d->head + (size_t)run_x, d->head + (size_t)(run_x - k),
				            (size_t)(x - run_x) };
		x = from_x;
		y = from_y;
	}
}

static void matches_find(struct difference *d)
{
	long n = (long)(d->old.n - d->head - d->tail), m = (long)(d->new.n - d->head - d->tail);
	long **trace = ARENA_ARRAY(d->arena, long *, UNIFIED_MAX_EDITS + 1);
	struct matches back = { 0 };

	*VEC_PUSH(&back, d->arena) = (struct match){ 0, 0, d->head };
	if (n > 0 && m > 0) {
		long edits = edits_find(d, n, m, trace);

		if (edits >= 0)
			matches_trace(d, n, m, edits, trace);
	}
	for (size_t i = d->match.n; i > 0; i--)
		*VEC_PUSH(&back, d->arena) = d->match.p[i - 1];
	*VEC_PUSH(&back, d->arena) = (struct match){ d->old.n - d->tail, d->new.n - d->tail, d->tail };
	d->match = back;
}

static void lines_add(struct pen *p, const struct lines *l, size_t from, size_t to, char sign, enum tone tone)
{
	for (size_t i = from; i < to; i++) {
		struct str line = l->p[i];
		bool ended = line.p[line.n - 1] == '\n';

		line.n -= ended;
		pen_addf(p, tone, "%c%.*s", sign, STR_ARG(line));
		buf_adds(&p->buf, ended ? "\n" : "\n\\ No newline at end of file\n");
	}
}

/* "3,4"; one line needs no count; an empty range starts before its place. */
static void range_add(struct pen *p, char sign, size_t from, size_t to)
{
	size_t n = to - from;

	pen_addf(p, TONE_CYAN, " %c%zu", sign, n == 0 ? from : from + 1);
	if (n != 1)
		pen_addf(p, TONE_CYAN, ",%zu", n);
}

/* Changes between match i and match last, with their context. */
static void hunk_draw(struct pen *p, const struct difference *d, size_t i, size_t last)
{
	const struct match *m = d->match.p;
	size_t lead = m[i].n < CONTEXT ? m[i].n : CONTEXT;
	size_t trail = m[last].n < CONTEXT ? m[last].n : CONTEXT;
	size_t a = m[i].a + m[i].n - lead, b = m[i].b + m[i].n - lead;

	pen_adds(p, TONE_CYAN, "@@");
	range_add(p, '-', a, m[last].a + trail);
	range_add(p, '+', b, m[last].b + trail);
	pen_adds(p, TONE_CYAN, " @@\n");
	lines_add(p, &d->old, a, a + lead, ' ', TONE_PLAIN);
	for (; i < last; i++) {
		lines_add(p, &d->old, m[i].a + m[i].n, m[i + 1].a, '-', TONE_RED);
		lines_add(p, &d->new, m[i].b + m[i].n, m[i + 1].b, '+', TONE_GREEN);
		size_t same = i + 1 < last ? m[i + 1].n : trail;
		lines_add(p, &d->old, m[i + 1].a, m[i + 1].a + same, ' ', TONE_PLAIN);
	}
}

void unified_diff(struct pen *p, struct arena *a, struct str before, struct str after, struct str before_name,
                  struct str after_name)
{
	struct difference d = { .arena = a };

	if (str_eq(before, after))
		return;
	lines_split(&d.old, a, before);
	lines_split(&d.new, a, after);
	ends_find(&d);
	matches_find(&d);
	pen_addf(p, TONE_BOLD, "--- %.*s\n", STR_ARG(before_name));
	pen_addf(p, TONE_BOLD, "+++ %.*s\n", STR_ARG(after_name));
	for (size_t i = 0; i + 1 < d.match.n;) {
		size_t last = i + 1;

		while (last + 1 < d.match.n && d.match.p[last].n <= 2 * CONTEXT)
			last++;
		hunk_draw(p, &d, i, last);
		i = last;
	}
}
