#include "golden/findings.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

struct lines {
	VEC_OF(struct str)
};

static const struct str caret = STR_INIT("^ ");

/* The part behind the caret of an announcing comment; its column counts from 1. */
static bool announcement(struct str line, struct str *rules, size_t *col)
{
	struct str text = str_trim(line);
	ptrdiff_t at = str_find(line, caret, 0);

	if (at < 0 || !(str_starts(text, STR("#")) || str_starts(text, STR("--"))))
		return false;
	*col = (size_t)at + 1;
	*rules = str_trim(str_skip(line, (size_t)at + caret.n));
	return str_blank(str_sub(line, (size_t)(text.p - line.p) + (text.p[0] == '-' ? 2 : 1), (size_t)at));
}

static void file_announces(struct lines *want, struct arena *a, struct str path, struct str text)
{
	struct str line, rules, rule;
	size_t n = 0, at = 0, col;

	while (str_cut(&text, '\n', &line)) {
		n++;
		if (!announcement(line, &rules, &col)) {
			at = n;
			continue;
		}
		while (str_cut(&rules, ' ', &rule))
			*VEC_PUSH(want, a) = str_fmt(a, "%.*s %.*s:%zu:%zu", STR_ARG(rule), STR_ARG(path), at, col);
	}
}

static void case_announces(struct lines *want, struct arena *a, const struct txtar *t)
{
	struct str rest = txtar_get(t, STR("findings")), path, bytes, line;
	size_t i = 0;

	while (str_cut(&rest, '\n', &line))
		if (line.n != 0)
			*VEC_PUSH(want, a) = line;
	while (txtar_next(t, &i, STR("project/"), &path, &bytes))
		file_announces(want, a, path, bytes);
}

static struct str member(const cJSON *o, const char *key)
{
	return str_of(cJSON_GetStringValue(cJSON_GetObjectItem(o, key)));
}

static void place_add(struct buf *b, const cJSON *o)
{
	static const char *const number[] = { "line", "col" };

	if (member(o, "file").n != 0)
		buf_addf(b, " %.*s", STR_ARG(member(o, "file")));
	for (size_t i = 0; i < 2; i++)
		if (cJSON_GetObjectItem(o, number[i]) != NULL)
			buf_addf(b, ":%d", cJSON_GetObjectItem(o, number[i])->valueint);
}

/* A finding that folds others is none itself. */
static void leaves_add(struct lines *found, struct arena *a, const cJSON *o)
{
	const cJSON *parts = cJSON_GetObjectItem(o, "parts"), *part;
	struct buf b = { 0 };

	cJSON_ArrayForEach(part, parts) leaves_add(found, a, part);
	if (cJSON_GetArraySize(parts) != 0)
		return;
	buf_add(&b, member(o, "rule"));
	place_add(&b, o);
	*VEC_PUSH(found, a) = buf_take(&b, a);
	buf_release(&b);
}

static bool machine_finds(struct lines *found, struct arena *a, struct str out)
{
	struct str line;
	bool any = false;

	while (str_cut(&out, '\n', &line)) {
		if (!str_starts(line, STR("{\"type\":")))
			continue;
		cJSON *o = cJSON_ParseWithLength(line.p, line.n);

		any = true;
		if (str_is(member(o, "type"), "finding"))
			leaves_add(found, a, o);
		cJSON_Delete(o);
	}
	return any;
}

static void panels_find(struct lines *found, struct arena *a, struct str out)
{
	static const struct str mark = STR_INIT("rule: ");

	for (ptrdiff_t at = str_find(out, mark, 0); at >= 0; at = str_find(out, mark, (size_t)at + 1)) {
		struct str rest = str_skip(out, (size_t)at + mark.n), line, word;

		str_cut(&rest, '\n', &line);
		str_cut(&line, ' ', &word);
		*VEC_PUSH(found, a) = word;
	}
}

static struct str rule_of(struct str finding)
{
	struct str rule = STR_NONE;

	str_cut(&finding, ' ', &rule);
	return rule;
}

static int line_cmp(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static void sets_compare(struct buf *problems, const struct lines *want, const struct lines *found,
                         struct rules_seen *seen)
{
	size_t w = 0, f = 0;

	while (w < want->n || f < found->n) {
		int c = w == want->n ? 1 : f == found->n ? -1 : str_cmp(want->p[w], found->p[f]);

		if (c < 0)
			buf_addf(problems, "not found: %.*s\n", STR_ARG(want->p[w]));
		else if (c > 0)
			buf_addf(problems, "not announced: %.*s\n", STR_ARG(found->p[f]));
		else
			map_add(&seen->rules, &seen->arena, str_dup(&seen->arena, rule_of(want->p[w])));
		w += c <= 0;
		f += c >= 0;
	}
}

void findings_compare(struct buf *problems, struct arena *a, const struct txtar *t, struct str out,
                      struct rules_seen *seen)
{
	struct lines want = { 0 }, found = { 0 };

	case_announces(&want, a, t);
	if (want.n == 0)
		return;
	if (!machine_finds(&found, a, out)) {
		panels_find(&found, a, out);
		for (size_t i = 0; i < want.n; i++)
			want.p[i] = rule_of(want.p[i]);
	}
	qsort(want.p, want.n, sizeof *want.p, line_cmp);
	if (found.n != 0)
		qsort(found.p, found.n, sizeof *found.p, line_cmp);
	sets_compare(problems, &want, &found, seen);
}
