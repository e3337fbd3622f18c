#include "project/discover.h"

#include "base/pool.h"
#include "base/utf8.h"
#include "model/fields.h"
#include "model/rules.h"
#include "project/blueprint.h"
#include "project/recall.h"
#include "project/document.h"
#include "project/include.h"
#include "project/settings.h"
#include "project/shape.h"
#include "project/tray.h"
#include "yaml/node_build.h"

/* An entry of a `flowgroups` list takes over from its document what it lacks of the keys that are inherited. */
static const struct node *entry_with_inherited(struct arena *a, const struct node *doc, const struct node *entry)
{
	struct node *copy = NULL;

	for (size_t i = 0; i < entity_flowgroup.n; i++) {
		const struct field *f = &entity_flowgroup.field[i];
		const struct node *handed_down = (f->type & FIELD_INHERITED) != 0 ? node_get(doc, f->name) : NULL;

		if (handed_down == NULL || node_has(entry, f->name))
			continue;
		if (copy == NULL)
			copy = node_copy(a, entry);
		node_set(a, copy, str_of(f->name), handed_down);
	}
	return copy != NULL ? copy : entry;
}

struct file_state {
	struct arena *arena;
	const struct door_yaml *yaml;
	struct diags *diags;
	struct sources *out;
	size_t first;          /* of this file in out */
	struct map first_at;   /* name of a flowgroup -> struct mark */
	bool list, plain;      /* forms seen */
};

static int twice_in_file(struct file_state *s, const struct flowgroup_source *again)
{
	struct str name = again->name;
	const struct mark *first = name.n != 0 ? map_get(&s->first_at, name) : NULL; /* an empty name is a finding of its own */
	struct diag *d;

	if (first == NULL) {
		map_put(&s->first_at, s->arena, name, memcpy(ARENA_NEW(s->arena, struct mark), &again->at, sizeof again->at));
		return 0;
	}
	d = diag_add(s->diags, &rule_duplicate_in_file, node_mark(node_get(again->node, "flowgroup")),
	             "%s defines the flowgroup '%.*s' twice, first in line %u", again->file, STR_ARG(name), first->line);
	diag_hint(s->diags, d, "give each flowgroup of the file its own name");
	d->pipeline = again->pipeline;
	d->flowgroup = name;
	return -1;
}

struct hash128 flowgroup_hash(const struct node *flowgroup)
{
	enum { FLOWGROUP_AND_ACTIONS = 2 };

	return node_hash_unordered(flowgroup, FLOWGROUP_AND_ACTIONS);
}

static int flowgroup_take(struct file_state *s, const struct node *n)
{
	const char *file = s->yaml->file->path.p;
	size_t found = s->diags->n;
	struct flowgroup_source *f;
	struct mark at = node_mark(n);

	if (at.file == NULL)
		at.file = file;
	if (flowgroup_shape_check(s->diags, n, at) < 0) {
		struct diag *d = &s->diags->p[found];

		d->file = file;
		d->pipeline = node_get_text(n, "pipeline");
		d->flowgroup = node_get_text(n, "flowgroup");
		return -1;
	}
	f = VEC_PUSH(s->out, s->arena);
	*f = (struct flowgroup_source){
		.pipeline = node_get_text(n, "pipeline"),
		.name = node_get_text(n, "flowgroup"),
		.file = file,
		.index = s->out->n - 1 - s->first,
		.node = n,
		.hash = flowgroup_hash(n),
		.at = at,
	};
	f->key = str_fmt(s->arena, "%s#%zu", file, f->index);
	return twice_in_file(s, f);
}

static int list_take(struct file_state *s, const struct node *doc)
{
	const struct node *list = node_get(doc, "flowgroups");

	s->list = true;
	if (list->kind != NODE_LIST) {
		struct diag *d = diag_add(s->diags, &rule_shape_type, list->at, "'flowgroups' must be a list; it is %s",
		                          node_kind_name(list));

		d->file = s->yaml->file->path.p;
		return -1;
	}
	for (size_t i = 0; i < list->list.n; i++) {
		const struct node *entry = list->list.item[i];

		if (node_is(entry, NODE_MAP))
			entry = entry_with_inherited(s->arena, doc, entry);
		if (flowgroup_take(s, entry) < 0)
			return -1;
	}
	return 0;
}

static int blueprint_refuse(struct file_state *s, const struct node *doc)
{
	struct diag *d = diag_add(s->diags, &rule_blueprint_in_pipelines, doc->at,
	                          "%s has 'parameters' and 'flowgroups': it is a blueprint, not a flowgroup",
	                          s->yaml->file->path.p);

	diag_hint(s->diags, d, "move it to blueprints/");
	d->file = s->yaml->file->path.p;
	return -1;
}

static int file_finish(struct file_state *s, size_t documents)
{
	const char *file = s->yaml->file->path.p;
	struct mark at = { .file = file, .line = 1, .col = 1 };
	struct diag *d;

	if (documents == 0) {
		d = diag_add(s->diags, &rule_flowgroup_file_empty, at, "%s holds nothing", file);
		diag_hint(s->diags, d, "write a flowgroup, or remove the file");
		d->file = file;
		return -1;
	}
	if (!s->list || !s->plain)
		return 0;
	d = diag_add(s->diags, &rule_mixed_forms, at, "%s holds plain flowgroups and a 'flowgroups' list", file);
	diag_hint(s->diags, d, "use one form in a file");
	d->file = file;
	return -1;
}

int discover_file(struct arena *a, const struct door_yaml *y, struct diags *ds, struct sources *out)
{
	struct file_state s = { a, y, ds, out, .first = out->n };
	struct diag *fault = document_fault(ds, y, (struct mark){ 0 });
	size_t documents = 0;

	if (fault != NULL) {
		fault->file = y->file->path.p;
		return -1;
	}
	for (size_t i = 0; i < y->yaml.n_doc; i++) {
		const struct node *doc = y->yaml.doc[i];

		if (node_is_null(doc))
			continue;
		documents++;
		if (blueprint_looks_like(doc))
			return blueprint_refuse(&s, doc);
		if (instance_looks_like(doc)) {
			out->n = s.first;
			return 0;
		}
		s.plain = s.plain || !node_has(doc, "flowgroups");
		if (node_has(doc, "flowgroups") ? list_take(&s, doc) < 0 : flowgroup_take(&s, doc) < 0)
			return -1;
	}
	return file_finish(&s, documents);
}

/* (?<![${%])\{(\w+)\}(?!\}) */
static bool bare_token_find(struct str s, size_t *at, struct str *name)
{
	for (ptrdiff_t open, from = 0; (open = str_find_char(s, '{', (size_t)from)) >= 0; from = open + 1) {
		size_t i = (size_t)open + 1, next = i;

		if (open > 0 && memchr("${%", s.p[open - 1], 3) != NULL)
			continue;
		while (next < s.n && ucs_is_word(utf8_next(s, &next)))
			i = next;
		if (i == (size_t)open + 1 || i >= s.n || s.p[i] != '}' || (i + 1 < s.n && s.p[i + 1] == '}'))
			continue;
		*at = (size_t)open;
		*name = str_sub(s, (size_t)open + 1, i);
		return true;
	}
	return false;
}

void bare_token_warn(struct diags *ds, const struct door_file *f)
{
	struct mark at = { .file = f->path.p, .line = 1, .col = 1 };
	struct str name;
	struct diag *d;
	size_t where;

	if (f->error != 0 || !bare_token_find(f->bytes, &where, &name))
		return;
	for (size_t i = 0; i < where; i++) {
		at.col++;
		if (f->bytes.p[i] == '\n') {
			at.line++;
			at.col = 1;
		}
	}
	d = diag_add(ds, &rule_bare_token, at, "The bare form {%.*s} of a token is deprecated: write ${%.*s}",
	             STR_ARG(name), STR_ARG(name));
	d->file = f->path.p;
}

void discover_files(struct project *p, struct trace *t, struct arena *a, struct paths *out)
{
	include_walk(p->door, t, a, STR("pipelines"), include_patterns(p, t, a, "include", NULL, 0), out);
}

/* What one file holds, read by any thread. */
struct reading {
	struct str path;
	const struct recalled *known; /* from an earlier run: not read */
	const struct door_file *file;
	struct flowgroup_source *source;
	size_t n;
	struct diags findings, warnings;
	bool instance;
	int rc;
};

/* A thread that reads files. */
struct reader {
	struct arena arena, work; /* the second until all is taken */
	struct tray *trays;
};

struct readings {
	struct door *door;
	struct reading *p;
	size_t n;
	struct reader *reader;
};

/* A file that may hold an instance is read again by blueprints: its documents stay behind the door. */
static struct tray *file_parse(struct readings *all, struct reader *reader, struct str path, struct door_yaml *y)
{
	const struct door_file *f = door_read(all->door, NULL, path, (struct mark){ 0 });
	struct tray *tray;

	if (instance_possible(f->bytes)) {
		*y = *door_yaml_quiet(all->door, path);
		return NULL;
	}
	tray = tray_for(&reader->trays, &reader->arena, f->bytes.n);
	y->file = f;
	if (f->error == 0)
		yaml_read(&tray->arena, f->path.p, f->bytes, &y->yaml);
	return tray;
}

/* The source of a file that was just read, made to outlive its map. */
static struct flowgroup_source source_keep(struct arena *a, const struct flowgroup_source *src, struct tray *tray)
{
	struct flowgroup_source s = *src;

	s.pipeline = str_dup(a, src->pipeline);
	s.name = str_dup(a, src->name);
	s.key = str_dup(a, src->key);
	s.tray = tray;
	if (tray != NULL)
		tray->held++;
	return s;
}

static void file_read(void *ctx, size_t item, size_t worker)
{
	struct readings *all = ctx;
	struct reading *r = &all->p[item];
	struct reader *reader = &all->reader[worker];
	struct arena *a = &reader->arena;
	struct door_yaml y = { 0 };
	struct sources found = { 0 };
	struct tray *tray;

	if (r->known != NULL)
		return;
	tray = file_parse(all, reader, r->path, &y);
	r->file = y.file;
	r->findings.arena = r->warnings.arena = a;
	r->rc = discover_file(tray != NULL ? &tray->arena : a, &y, &r->findings, &found);
	if (r->rc < 0) {
		if (tray != NULL)
			tray->held++; /* by the finding */
		return;
	}
	r->n = found.n;
	r->source = ARENA_ARRAY(&reader->work, struct flowgroup_source, found.n);
	for (size_t i = 0; i < found.n; i++)
		r->source[i] = source_keep(a, &found.p[i], tray);
	bare_token_warn(&r->warnings, y.file);
	for (size_t i = 0; i < y.yaml.n_doc; i++)
		r->instance = r->instance || instance_looks_like(y.yaml.doc[i]);
}

static void files_read(struct project *p, struct readings *all, size_t workers, struct arena *a, struct arena *work)
{
	workers = workers > 1 ? workers : 1;
	all->reader = ARENA_ARRAY(work, struct reader, workers);
	pool_run(workers, all->n, file_read, all);
	for (size_t i = 0; i < workers; i++) {
		arena_adopt(a, &all->reader[i].arena);
		arena_adopt(work, &all->reader[i].work);
		trays_keep(p, all->reader[i].trays);
	}
	for (size_t i = 0; i < all->n; i++)
		all->p[i].findings.arena = all->p[i].warnings.arena = a;
}

static void known_take(const struct recalled *r, struct arena *a, struct sources *out, struct diags *warnings)
{
	for (size_t i = 0; i < r->n; i++)
		*VEC_PUSH(out, a) = r->source[i];
	diags_append(warnings, &r->warnings);
}

/* What a file holds goes to the caller, and to the memory of later runs. */
static int file_take(struct project *p, struct trace *t, struct reading *r, struct arena *a, struct diags *ds, struct sources *out,
                     struct diags *warnings)
{
	struct recalled found = { r->source, r->n, r->warnings, r->instance };

	door_read(p->door, t, r->path, (struct mark){ 0 });
	diags_append(ds, &r->findings);
	if (r->rc < 0)
		return -1;
	known_take(&found, a, out, warnings);
	if (p->recall != NULL)
		p->recall->learn(p->recall->ctx, r->file, &found);
	return 0;
}

/* What is known of each file, from an earlier run or by reading it now. */
static void readings_make(struct project *p, struct readings *all, const struct paths *paths, struct arena *a, struct arena *work)
{
	struct recalled known;
	size_t unknown = 0;

	all->p = ARENA_ARRAY(work, struct reading, paths->n);
	all->n = paths->n;
	for (size_t i = 0; i < paths->n; i++) {
		all->p[i].path = paths->p[i];
		if (p->recall != NULL && p->recall->known(p->recall->ctx, paths->p[i], &known))
			all->p[i].known = memcpy(ARENA_NEW(work, struct recalled), &known, sizeof known);
		else
			unknown++;
	}
	files_read(p, all, unknown > 1 ? p->workers : 1, a, work);
}

static int readings_take(struct project *p, struct readings *all, struct trace *t, struct arena *a, struct diags *ds, struct sources *out,
                         struct diags *warnings)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += all->p[i].known != NULL ? all->p[i].known->n : all->p[i].n;
	VEC_ROOM(out, a, n);
	for (size_t i = 0; i < all->n; i++) {
		if (all->p[i].known != NULL)
			known_take(all->p[i].known, a, out, warnings);
		else if (file_take(p, t, &all->p[i], a, ds, out, warnings) < 0)
			return -1;
	}
	return 0;
}

int discover_plain(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct sources *out,
                   struct diags *warnings)
{
	struct readings all = { .door = p->door };
	struct arena work = { 0 };
	struct paths paths = { 0 };
	int rc;

	discover_files(p, t, a, &paths);
	readings_make(p, &all, &paths, a, &work);
	rc = readings_take(p, &all, t, a, ds, out, warnings);
	arena_release(&work);
	return rc;
}

void source_drop(struct flowgroup_source *src)
{
	struct tray *tray = src->tray;

	if (tray == NULL)
		return;
	src->node = NULL;
	src->tray = NULL;
	tray_drop(tray);
}

bool node_key_read(struct str key, struct node_key *out)
{
	ptrdiff_t hash = str_rfind_char(key, '#');

	*out = (struct node_key){ .placed = str_ends(key, STR("@")) };
	if (hash < 0)
		return false;
	out->file = str_sub(key, 0, (size_t)hash);
	for (size_t i = (size_t)hash + 1; i < key.n - out->placed; i++)
		out->index = out->index * 10 + (size_t)(key.p[i] - '0');
	return true;
}

bool source_has_key(const struct flowgroup_source *src, struct str key)
{
	struct node_key own, other;

	return str_eq(key, src->key) ||
	       (node_key_read(src->key, &own) && node_key_read(key, &other) && !other.placed && str_eq(own.file, other.file));
}

/* --- files that are read again --- */

struct reread {
	struct sources found;
	bool good;
};

static void reread_fill(struct reread *r, struct arena *a, const struct door_yaml *y, struct arena *work)
{
	struct diags unheard = { .arena = work };

	r->good = discover_file(a, y, &unheard, &r->found) == 0;
}

/* Under the lock: most files hold one flowgroup, and are none of these. */
static const struct reread *reread_keep(struct project *p, const struct door_yaml *y, struct arena *work)
{
	void **slot = map_slot(&p->reread.file, &p->reread.arena, y->file->path);

	if (*slot == NULL) {
		*slot = ARENA_NEW(&p->reread.arena, struct reread);
		reread_fill(*slot, &p->reread.arena, y, work);
	}
	return *slot;
}

const struct sources *file_reread(struct project *p, struct arena *a, const struct door_yaml *y)
{
	const struct reread *r;
	struct reread *own;

	pthread_mutex_lock(&p->lock);
	r = map_get(&p->reread.file, y->file->path);
	pthread_mutex_unlock(&p->lock);
	if (r == NULL) {
		r = own = ARENA_NEW(a, struct reread);
		reread_fill(own, a, y, a);
		if (own->found.n > 1) {
			pthread_mutex_lock(&p->lock);
			r = reread_keep(p, y, a);
			pthread_mutex_unlock(&p->lock);
		}
	}
	return r->good ? &r->found : NULL;
}

void reread_release(struct project *p)
{
	arena_release(&p->reread.arena);
	p->reread.file = (struct map){ 0 };
}

bool source_load(struct project *p, struct arena *a, struct flowgroup_source *src)
{
	const struct sources *all;
	const struct flowgroup_source *now;

	if (src->node != NULL)
		return true;
	src->hash = HASH_NONE;
	all = file_reread(p, a, door_yaml_quiet(p->door, str_of(src->file)));
	if (all == NULL || src->index >= all->n)
		return false;
	now = &all->p[src->index];
	if (!str_eq(now->name, src->name) || !str_eq(now->pipeline, src->pipeline))
		return false;
	src->node = now->node;
	src->hash = now->hash;
	src->at = now->at;
	return true;
}

int discover_blueprints(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct buf *log,
                        struct sources *out)
{
	struct blueprints blueprints = { 0 };
	struct instances instances = { 0 };
	struct expansion e = { .arena = a, .blueprints = &blueprints, .diags = ds, .out = out };

	if (blueprints_read(p, t, a, ds, &blueprints) < 0 || instances_read(p, t, &e, &instances) < 0)
		return -1;
	for (size_t i = 0; i < instances.n; i++) {
		instance_notice(&instances.p[i], log);
		if (instance_expand(&e, &instances.p[i]) < 0)
			return -1;
	}
	return 0;
}

int discover(struct project *p, struct trace *t, struct arena *a, struct diags *ds, struct buf *log,
             struct discovery *out)
{
	struct sources sources = { 0 };

	*out = (struct discovery){ .warnings.arena = a };
	if (discover_plain(p, t, a, ds, &sources, &out->warnings) < 0 ||
	    discover_blueprints(p, t, a, ds, log, &sources) < 0 || settings_files_check(p, t, ds) < 0)
		return -1;
	out->source = sources.p;
	out->n = sources.n;
	return 0;
}
