#include "model/suggest.h"

#include "base/utf8.h"

#define NAME_CUTOFF 0.6
#define KEY_CUTOFF 0.6
#define KEY_CONTAINS 0.8

struct chars {
	uint32_t c[SUGGEST_MAX_CHARS];
	size_t n;
};

static bool chars_of(struct chars *out, struct str s)
{
	out->n = 0;
	for (size_t i = 0; i < s.n;) {
		if (out->n == SUGGEST_MAX_CHARS)
			return false;
		out->c[out->n++] = utf8_next(s, &i);
	}
	return true;
}

struct span {
	size_t a, a_end, b, b_end;
};

/* Longest common run inside `in`: the first one in a, then in b. Its length. */
static size_t longest_run(const struct chars *a, const struct chars *b, struct span in, size_t *at_a, size_t *at_b)
{
	size_t row[SUGGEST_MAX_CHARS + 1] = { 0 }; /* row[j + 1]: length of the run that ends at (i, j) */
	size_t best = 0;

	for (size_t i = in.a; i < in.a_end; i++) {
		size_t diagonal = 0;

		for (size_t j = in.b; j < in.b_end; j++) {
			size_t above = row[j + 1];

			row[j + 1] = a->c[i] == b->c[j] ? diagonal + 1 : 0;
			diagonal = above;
			if (row[j + 1] > best) {
				best = row[j + 1];
				*at_a = i + 1 - best;
				*at_b = j + 1 - best;
			}
		}
	}
	return best;
}

/* Characters in common: the longest run, then the same on both sides of it. */
static size_t matched(const struct chars *a, const struct chars *b)
{
	struct span todo[SUGGEST_MAX_CHARS + 1]; /* disjoint in a: never more than one per character */
	size_t n = 0, total = 0;

	todo[n++] = (struct span){ 0, a->n, 0, b->n };
	while (n > 0) {
		struct span in = todo[--n];
		size_t i = 0, j = 0;
		size_t run = longest_run(a, b, in, &i, &j);

		if (run == 0)
			continue;
		total += run;
		if (i > in.a && j > in.b)
			todo[n++] = (struct span){ in.a, i, in.b, j };
		if (i + run < in.a_end && j + run < in.b_end)
			todo[n++] = (struct span){ i + run, in.a_end, j + run, in.b_end };
	}
	return total;
}

double suggest_ratio(struct str candidate, struct str word)
{
	struct chars a, b;

	if (!chars_of(&a, candidate) || !chars_of(&b, word))
		return 0;
	if (a.n + b.n == 0)
		return 1;
	return 2.0 * (double)matched(&a, &b) / (double)(a.n + b.n);
}

size_t suggest_names(struct str word, const struct str *candidate, size_t n, struct str *out, size_t max)
{
	double score[SUGGEST_MAX];
	size_t n_out = 0;

	if (max > SUGGEST_MAX)
		max = SUGGEST_MAX;
	for (size_t i = 0; i < n; i++) {
		double ratio = suggest_ratio(candidate[i], word);
		size_t k = n_out;

		if (ratio < NAME_CUTOFF)
			continue;
		while (k > 0 && (ratio > score[k - 1] ||
		                 (ratio == score[k - 1] && str_cmp(candidate[i], out[k - 1]) > 0)))
			k--;
		if (k == max)
			continue;
		n_out += n_out < max;
		for (size_t j = n_out - 1; j > k; j--) {
			score[j] = score[j - 1];
			out[j] = out[j - 1];
		}
		score[k] = ratio;
		out[k] = candidate[i];
	}
	return n_out;
}

/* Spellings of other tools and of older versions that no score would find. */
static const struct {
	struct str key, meant;
} key_hints[] = {
	{ STR_INIT("mode"), STR_INIT("readMode") },
	{ STR_INIT("read_mode"), STR_INIT("readMode") },
	{ STR_INIT("partitions"), STR_INIT("partition_columns") },
	{ STR_INIT("sub_type"), STR_INIT("type") },
};

static double key_score(struct str key, struct str known)
{
	size_t longer = key.n > known.n ? key.n : known.n, shorter = key.n + known.n - longer;
	size_t same = 0;

	if (key.n == 0 || known.n == 0)
		return 0;
	if (str_has(known, key) || str_has(key, known))
		return KEY_CONTAINS;
	for (size_t i = 0; i < shorter; i++)
		same += key.p[i] == known.p[i];
	return (double)same / (double)longer;
}

struct str suggest_key(struct str key, const struct str *known, size_t n)
{
	struct str best = STR_NONE;
	double score = KEY_CUTOFF;

	for (size_t h = 0; h < sizeof key_hints / sizeof *key_hints; h++)
		for (size_t i = 0; str_eq(key, key_hints[h].key) && i < n; i++)
			if (str_eq(known[i], key_hints[h].meant))
				return known[i];
	for (size_t i = 0; i < n; i++) {
		double s = key_score(key, known[i]);

		if (s > score || (s == score && best.n != 0 && str_cmp(known[i], best) < 0)) {
			score = s;
			best = known[i];
		}
	}
	return best;
}

struct str suggest_question(struct arena *a, struct str word, const struct str *candidate, size_t n, size_t max)
{
	struct str near[SUGGEST_MAX];
	size_t n_near = suggest_names(word, candidate, n, near, max);
	struct buf b = { 0 };
	struct str s;

	if (n_near == 0)
		return STR_NONE;
	buf_adds(&b, "did you mean ");
	for (size_t i = 0; i < n_near; i++) {
		buf_adds(&b, i == 0 ? "" : i + 1 < n_near ? ", " : " or ");
		buf_addf(&b, "'%.*s'", STR_ARG(near[i]));
	}
	buf_addc(&b, '?');
	s = buf_take(&b, a);
	buf_release(&b);
	return s;
}
