#include "resolve/preset.h"

#include "base/path.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/suggest.h"
#include "project/document.h"
#include "yaml/node_build.h"

#include <pthread.h>
#include <stdlib.h>

struct presets {
	struct arena arena;
	pthread_mutex_t lock; /* of chains */
	struct map chain;     /* "A,B" -> struct chain */
	struct map by_name;   /* name -> const struct preset *; the last file wins */
	struct trace trace;   /* of the reading */
	struct buf log;
	struct preset_files file;
};

enum { EXTENDS_MAX = 100 };

/* --- files --- */

static void preset_skip(struct preset_files *f, const char *file, const char *code, struct str why)
{
	if (f->log != NULL)
		buf_addf(f->log, "preset file %s is skipped: %s%s%.*s\n", file, code, code[0] != '\0' ? " " : "",
		         STR_ARG(why));
}

static void preset_read(struct preset_files *f, struct project *p, struct str path)
{
	struct diags found = { .arena = f->arena };
	const struct door_yaml *y = door_yaml(p->door, f->trace, path, (struct mark){ 0 });
	const struct node *doc = document_only(&found, y, (struct mark){ 0 });
	const char *problem;

	if (doc == NULL) {
		preset_skip(f, y->file->path.p, found.p[0].rule->code, found.p[0].detail);
		return;
	}
	problem = document_misfit(f->arena, &entity_preset, doc);
	if (problem != NULL) {
		preset_skip(f, y->file->path.p, "", str_of(problem));
		return;
	}
	*VEC_PUSH(f, f->arena) = (struct preset){
		.name = node_get_text(doc, "name"),
		.file = y->file->path.p,
		.node = doc,
		.extends = node_get_text(doc, "extends"),
	};
}

void preset_files_read(struct project *p, bool all, struct preset_files *out)
{
	const struct fs_listing *l = door_list(p->door, out->trace, STR("presets"));

	for (size_t i = 0; i < l->n; i++) {
		struct str ext = path_ext(l->entry[i].name);

		if (l->entry[i].type != FS_DIR && (str_is(ext, ".yaml") || (all && str_is(ext, ".yml"))))
			preset_read(out, p, path_join(out->arena, STR("presets"), l->entry[i].name));
	}
}

static struct presets *presets_make(struct project *p)
{
	struct presets *s = xmalloc(sizeof *s);

	memset(s, 0, sizeof *s);
	pthread_mutex_init(&s->lock, NULL);
	s->trace.arena = &s->arena;
	s->file = (struct preset_files){ .arena = &s->arena, .trace = &s->trace, .log = &s->log };
	preset_files_read(p, false, &s->file);
	for (size_t i = 0; i < s->file.n; i++)
		map_put(&s->by_name, &s->arena, s->file.p[i].name, &s->file.p[i]);
	return s;
}

static struct presets *presets_of(struct project *p)
{
	struct presets *s;

	pthread_mutex_lock(&p->lock);
	if (p->presets == NULL)
		p->presets = presets_make(p);
	s = p->presets;
	pthread_mutex_unlock(&p->lock);
	return s;
}

void presets_read(struct project *p, struct trace *t, struct buf *log)
{
	struct presets *s = presets_of(p);

	if (t != NULL)
		trace_merge(t, &s->trace);
	if (log != NULL)
		buf_add(log, buf_str(&s->log));
}

void presets_release(struct project *p)
{
	if (p->presets == NULL)
		return;
	buf_release(&p->presets->log);
	pthread_mutex_destroy(&p->presets->lock);
	arena_release(&p->presets->arena);
	free(p->presets);
	p->presets = NULL;
}

/* --- merging --- */

static const struct node *marked(struct arena *a, const struct node *n, const struct via *via)
{
	return via != NULL ? node_via(a, n, via->what, via->name, via->at) : n;
}

static const struct node *value_of(const struct node *map, const struct node *key)
{
	for (size_t i = 0; i < map->map.n; i++)
		if (node_equal(map->map.pair[i].key, key))
			return map->map.pair[i].value;
	return NULL;
}

const struct node *node_merge(struct arena *a, const struct node *base, const struct node *over, const struct via *via)
{
	struct node *out;

	if (!node_is(base, NODE_MAP) || !node_is(over, NODE_MAP))
		return marked(a, over, via);
	out = node_copy(a, base);
	for (size_t i = 0; i < over->map.n; i++) {
		const struct node_pair *p = &over->map.pair[i];
		const struct node *before = value_of(base, p->key);

		node_set_pair(a, out, p->key, before != NULL ? node_merge(a, before, p->value, via)
		                                             : marked(a, p->value, via));
	}
	return out;
}

/* `over` after `base`, without repeats. */
static const struct node *lists_join(struct arena *a, const struct node *base, const struct node *over)
{
	struct node *out = node_new(a, NODE_LIST, over->at);

	for (size_t part = 0; part < 2; part++) {
		const struct node *list = part == 0 ? base : over;

		for (size_t i = 0; i < list->list.n; i++) {
			bool seen = false;

			for (size_t k = 0; k < out->list.n && !seen; k++)
				seen = node_equal(out->list.item[k], list->list.item[i]);
			if (!seen)
				node_push(a, out, list->list.item[i]);
		}
	}
	return out;
}

/* As node_merge, but lists under `operational_metadata` add up, at any depth. */
static const struct node *defaults_merge(struct arena *a, const struct node *base, const struct node *over)
{
	struct node *out;

	if (!node_is(base, NODE_MAP) || !node_is(over, NODE_MAP))
		return over;
	out = node_copy(a, base);
	for (size_t i = 0; i < over->map.n; i++) {
		const struct node *key = over->map.pair[i].key, *value = over->map.pair[i].value;
		const struct node *before = value_of(base, key);

		if (node_is(before, NODE_LIST) && node_is(value, NODE_LIST) &&
		    str_is(node_str(key), "operational_metadata"))
			value = lists_join(a, before, value);
		else if (before != NULL)
			value = defaults_merge(a, before, value);
		node_set_pair(a, out, key, value);
	}
	return out;
}

/* --- chains --- */

struct ancestry {
	const struct preset *preset[EXTENDS_MAX];
	size_t n;
};

static void unknown_note(struct presets *s, struct chain *c, struct str name)
{
	struct str *all = ARENA_ARRAY(&s->arena, struct str, s->file.n), question;
	struct buf b = { 0 };

	for (size_t i = 0; i < s->file.n; i++) {
		all[i] = s->file.p[i].name;
		buf_addf(&b, "%s%.*s", i != 0 ? ", " : "", STR_ARG(all[i]));
	}
	question = suggest_question(&s->arena, name, all, s->file.n, SUGGEST_MAX);
	c->fault = &rule_preset_unknown;
	c->title = str_fmt(&s->arena, "Unknown preset: '%.*s'", STR_ARG(name));
	c->detail = str_fmt(&s->arena, "no file presets/*.yaml has the name '%.*s'%s%.*s", STR_ARG(name),
	                    question.n != 0 ? "; " : "", STR_ARG(question));
	c->hint = s->file.n == 0 ? STR("define it in presets/, or remove it from the list")
	                    : str_fmt(&s->arena, "presets of the project: %.*s", STR_ARG(buf_str(&b)));
	buf_release(&b);
}

static void circle_note(struct presets *s, struct chain *c, const struct ancestry *up, size_t from)
{
	struct buf b = { 0 };

	for (size_t i = from; i < up->n; i++)
		buf_addf(&b, "%.*s -> ", STR_ARG(up->preset[i]->name));
	buf_add(&b, up->preset[from]->name);
	c->fault = &rule_preset_circle;
	c->detail = str_fmt(&s->arena, "presets extend each other in a circle: %.*s", STR_ARG(buf_str(&b)));
	c->hint = STR("remove one 'extends' of the circle");
	buf_release(&b);
}

/* The presets from `name` upwards, itself first. -1 with the fault noted. */
static int ancestry_of(struct presets *s, struct chain *c, struct str name, struct ancestry *up)
{
	up->n = 0;
	while (name.n != 0) {
		const struct preset *p = map_get(&s->by_name, name);

		if (p == NULL) {
			unknown_note(s, c, name);
			return -1;
		}
		for (size_t i = 0; i < up->n; i++) {
			if (up->preset[i] != p)
				continue;
			circle_note(s, c, up, i);
			return -1;
		}
		if (up->n == EXTENDS_MAX) {
			circle_note(s, c, up, 0);
			return -1;
		}
		up->preset[up->n++] = p;
		name = p->extends;
	}
	return 0;
}

static void chain_merge(struct presets *s, struct chain *c, const struct str *name, size_t n)
{
	const struct node *all = node_new(&s->arena, NODE_MAP, (struct mark){ 0 });

	for (c->culprit = 0; c->culprit < n; c->culprit++) {
		const struct node *one = node_new(&s->arena, NODE_MAP, (struct mark){ 0 });
		struct ancestry up;

		if (name[c->culprit].n == 0) {
			unknown_note(s, c, name[c->culprit]);
			return;
		}
		if (ancestry_of(s, c, name[c->culprit], &up) < 0)
			return;
		while (up.n > 0) {
			const struct node *defaults = node_get(up.preset[--up.n]->node, "defaults");

			if (node_is(defaults, NODE_MAP))
				one = defaults_merge(&s->arena, one, defaults);
		}
		all = defaults_merge(&s->arena, all, one);
	}
	c->merged = all;
}

static void name_escape(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '%' || s.p[i] == ',' || s.p[i] == '/')
			buf_addf(b, "%%%02X", (unsigned)s.p[i]);
		else
			buf_addc(b, s.p[i]);
	}
}

static struct str name_unescape(struct arena *a, struct str s)
{
	s = str_replace(a, s, STR("%2F"), STR("/"));
	s = str_replace(a, s, STR("%2C"), STR(","));
	return str_replace(a, s, STR("%25"), STR("%"));
}

const struct chain *preset_chain(struct project *p, const struct str *name, size_t n)
{
	struct presets *s = presets_of(p);
	struct buf key = { 0 };
	struct chain *c;

	for (size_t i = 0; i < n; i++) {
		if (i != 0)
			buf_addc(&key, ',');
		name_escape(&key, name[i]);
	}
	pthread_mutex_lock(&s->lock);
	c = map_get(&s->chain, buf_str(&key));
	if (c == NULL) {
		c = ARENA_NEW(&s->arena, struct chain);
		c->key = str_dup(&s->arena, buf_str(&key));
		chain_merge(s, c, name, n);
		map_put(&s->chain, &s->arena, c->key, c);
	}
	pthread_mutex_unlock(&s->lock);
	buf_release(&key);
	return c;
}

static struct hash128 part_hash(const struct chain *c, const struct node *part)
{
	struct hasher h;

	if (c->fault == NULL)
		return node_hash(part);
	hasher_init(&h);
	hasher_str(&h, str_of(c->fault->code));
	hasher_str(&h, c->detail);
	hasher_str(&h, c->hint);
	return hasher_finish(&h);
}

const struct node *chain_part(const struct chain *c, struct trace *t, const char *dotted)
{
	const struct node *part = node_path(c->merged, dotted);

	if (t != NULL)
		trace_add(t, DEP_KEY, str_cat_sep(t->arena, str_cat(t->arena, STR("preset/"), c->key), '/', str_of(dotted)), part_hash(c, part),
		          node_mark(part));
	return part;
}

struct hash128 chain_part_hash(struct project *p, struct str key)
{
	struct arena a = { 0 };
	struct str rest = str_skip(key, sizeof "preset/" - 1), names, one;
	ptrdiff_t slash = str_find_char(rest, '/', 0);
	struct { VEC_OF(struct str) } list = { 0 };
	const struct chain *c;
	struct hash128 h = HASH_NONE;

	if (slash >= 0) {
		names = str_sub(rest, 0, (size_t)slash);
		while (str_cut(&names, ',', &one))
			*VEC_PUSH(&list, &a) = name_unescape(&a, one);
		c = preset_chain(p, list.p, list.n);
		h = part_hash(c, node_path(c->merged, str_cstr(&a, str_skip(rest, (size_t)slash + 1))));
	}
	arena_release(&a);
	return h;
}
