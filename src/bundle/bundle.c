#include "bundle/bundle.h"
#include "base/utf8.h"
#include "bundle/resource.h"
#include "bundle/sandbox.h"
#include "model/fields.h"
#include "model/rules.h"
#include "resolve/token.h"
#include "yaml/node_build.h"

bool bundle_exists(struct project *p, struct trace *t)
{
	return door_is_file(p->door, t, STR("databricks.yml"));
}

int bundle_config_read(struct bundle *b, bool required)
{
	struct unit *u = b->unit;

	if (b->config_path.n == 0) {
		struct diag *d;

		if (!required)
			return 0;
		d = diag_add(u->diags, &rule_pipeline_config_flag, (struct mark){ .file = "databricks.yml" },
		             "databricks.yml makes this project a bundle: its pipelines need settings such as catalog and schema");
		diag_hint(u->diags, d, "Name the file with -pc config/pipeline_config.yaml\nor leave the bundle out with --no-bundle");
		return -1;
	}
	b->config = pipeline_config_read(u->project, u->trace, u->arena, b->config_path, b->monitoring, required, u->diags);
	return b->config != NULL ? 0 : -1;
}

/* --- settings --- */

static const struct node *event_log_default(struct bundle *b, const struct node *log, struct str pipeline)
{
	struct arena *a = b->unit->arena;
	struct node *n = node_new(a, NODE_MAP, node_mark(log));
	struct str name = str_fmt(a, "%.*s%.*s%.*s", STR_ARG(node_get_text(log, "name_prefix")), STR_ARG(pipeline),
	                          STR_ARG(node_get_text(log, "name_suffix")));

	if (b->unit->env->sandbox != NULL)
		name = sandbox_table_name(b->unit->env->sandbox, a, name);
	node_set(a, n, STR("name"), node_new_str(a, n->at, name));
	node_set(a, n, STR("catalog"), node_get(log, "catalog"));
	node_set(a, n, STR("schema"), node_get(log, "schema"));
	return n;
}

static bool is_enabled(const struct node *section)
{
	return node_is(section, NODE_MAP) && entity_truth(&entity_event_log, section, "enabled");
}

bool event_log_refused(const struct node *settings)
{
	const struct node *own = node_get(settings, "event_log");

	return node_is(own, NODE_BOOL) && !own->boolean;
}

/* lhp.yaml's event_log for a pipeline that does not say anything else. */
static const struct node *event_log_inject(struct bundle *b, const struct node *settings, struct str pipeline)
{
	struct arena *a = b->unit->arena;
	const struct node *own = node_get(settings, "event_log"), *log = project_key(b->unit->project, b->unit->trace, "event_log");
	struct node *out;

	if (node_is(own, NODE_MAP) || !is_enabled(log) || str_eq(pipeline, b->monitoring))
		return settings;
	out = node_copy(a, settings);
	if (event_log_refused(settings))
		node_remove(out, "event_log");
	else
		node_set(a, out, STR("event_log"), event_log_default(b, log, pipeline));
	return out;
}

struct str bundle_secrets(struct arena *a, struct str text)
{
	struct buf out = { 0 };
	struct secret_ref ref;
	struct str made;
	size_t at = 0;

	if (!secret_find(text, 0, &ref))
		return text;
	for (; secret_find(text, at, &ref); at = ref.end) {
		buf_add(&out, str_sub(text, at, ref.at));
		buf_addf(&out, "{{secrets/%.*s/%.*s}}", STR_ARG(ref.scope), STR_ARG(ref.key));
	}
	buf_add(&out, str_skip(text, at));
	made = buf_take(&out, a);
	buf_release(&out);
	return made;
}

static const struct node *secret_replace(void *ctx, const struct node *n)
{
	struct arena *a = ctx;
	struct str text = bundle_secrets(a, n->text);

	return text.p == n->text.p ? n : node_new_str(a, n->at, text);
}

const struct node *bundle_secrets_apply(struct arena *a, const struct node *n)
{
	return node_map_strings(a, n, secret_replace, a);
}

const struct node *bundle_settings(struct bundle *b, struct str pipeline)
{
	struct arena *a = b->unit->arena;
	const struct node *merged = event_log_inject(b, pipeline_settings(b->config, a, pipeline), pipeline), *out = merged;
	struct node *copy;

	if (tokens_apply_node(b->unit, merged, &out) != 0)
		out = merged;
	copy = node_copy(a, bundle_secrets_apply(a, out));
	node_remove(copy, "packaging");
	return copy;
}

struct str bundle_packaging(struct bundle *b, struct str pipeline)
{
	struct str how = node_get_text(pipeline_settings(b->config, b->unit->arena, pipeline), "packaging");

	return how.n != 0 ? how : STR("source");
}

/* --- catalog and schema --- */

enum lack { LACK_BOTH, LACK_ONE, LACK_BLANK, LACKS };

static bool is_blank(const struct node *n)
{
	return node_is_str(n) && str_blank(n->text);
}

static int lack_of(const struct node *settings)
{
	const struct node *catalog = node_get(settings, "catalog"), *schema = node_get(settings, "schema");

	if (!node_truthy(catalog) && !node_truthy(schema))
		return LACK_BOTH;
	if (!node_truthy(catalog) || !node_truthy(schema))
		return LACK_ONE;
	return is_blank(catalog) || is_blank(schema) ? LACK_BLANK : LACKS;
}

static int catalogs_check(struct bundle *b, const struct str *pipeline, const struct node *const *settings, size_t n)
{
	static const char *const text[LACKS] = { "without catalog and schema", "with one of catalog and schema only",
		                                 "with a blank catalog or schema once tokens are replaced" };
	struct diags *ds = b->unit->diags;
	struct buf all = { 0 };
	struct diag *d;

	for (int lack = 0; lack < LACKS; lack++) {
		bool first = true;

		for (size_t i = 0; i < n; i++) {
			if (lack_of(settings[i]) != lack)
				continue;
			buf_addf(&all, "%s%.*s", first ? (all.n != 0 ? "\n" : "") : ", ", STR_ARG(pipeline[i]));
			first = false;
		}
		if (!first)
			buf_addf(&all, ": %s", text[lack]);
	}
	if (all.n == 0)
		return 0;
	d = diag_add(ds, &rule_bundle_catalog_schema, (struct mark){ .file = str_cstr(b->unit->arena, b->config_path) }, "%.*s",
	             STR_ARG(buf_str(&all)));
	diag_hint(ds, d, "Give each pipeline `catalog` and `schema`, or put them under project_defaults");
	buf_release(&all);
	return -1;
}

/* --- tokens left over --- */

bool plain_token_next(struct str text, size_t *at, struct str *name)
{
	ptrdiff_t open;

	while ((open = str_find(text, STR("${"), *at)) >= 0) {
		size_t i = (size_t)open + 2, from = i;

		while (i < text.n) {
			size_t next = i;

			if (!ucs_is_word(utf8_next(text, &next)))
				break;
			i = next;
		}
		*at = (size_t)open + 2;
		if (i > from && i < text.n && text.p[i] == '}') {
			*name = str_sub(text, from, i);
			*at = i + 1;
			return true;
		}
	}
	return false;
}

struct leftover {
	struct str tokens, path;
	struct mark at;
	struct str pipelines[5];
	size_t n;
};

struct leftovers {
	struct arena *arena;
	struct map found;     /* file, path and tokens -> struct leftover */
	struct str pipeline;
};

static void leftover_add(struct leftovers *l, struct str path, const struct node *n, struct str tokens)
{
	struct str key = str_fmt(l->arena, "%s\n%.*s\n%.*s", n->at.file != NULL ? n->at.file : "", STR_ARG(path), STR_ARG(tokens));
	void **slot = map_slot(&l->found, l->arena, key);
	struct leftover *left = *slot;

	if (left == NULL) {
		left = *slot = ARENA_NEW(l->arena, struct leftover);
		*left = (struct leftover){ .tokens = tokens, .path = path, .at = n->at };
	}
	if (left->n < sizeof left->pipelines / sizeof *left->pipelines)
		left->pipelines[left->n] = l->pipeline;
	left->n++;
}

static void leftovers_find(struct leftovers *l, struct str path, const struct node *n)
{
	struct buf tokens = { 0 };
	struct str name;
	size_t at = 0;

	if (node_is(n, NODE_LIST))
		for (size_t i = 0; i < n->list.n; i++)
			leftovers_find(l, str_fmt(l->arena, "%.*s[%zu]", STR_ARG(path), i), n->list.item[i]);
	if (node_is(n, NODE_MAP))
		for (size_t i = 0; i < n->map.n; i++)
			leftovers_find(l, str_fmt(l->arena, "%.*s%s%.*s", STR_ARG(path), path.n != 0 ? "." : "",
			                          STR_ARG(node_text(l->arena, n->map.pair[i].key))), n->map.pair[i].value);
	if (!node_is_str(n))
		return;
	while (plain_token_next(n->text, &at, &name))
		buf_addf(&tokens, "%s${%.*s}", tokens.n != 0 ? ", " : "", STR_ARG(name));
	if (tokens.n != 0)
		leftover_add(l, path, n, buf_take(&tokens, l->arena));
	buf_release(&tokens);
}

static void leftover_report(struct bundle *b, const struct leftover *left)
{
	struct diags *ds = b->unit->diags;
	struct buf names = { 0 };
	struct diag *d;

	for (size_t i = 0; i < left->n && i < sizeof left->pipelines / sizeof *left->pipelines; i++)
		buf_addf(&names, "%s%.*s", i != 0 ? ", " : "", STR_ARG(left->pipelines[i]));
	d = diag_add(ds, &rule_bundle_token, left->at, "`%.*s` holds %.*s, which no token of the environment %.*s replaces (pipelines: %.*s%s)",
	             STR_ARG(left->path), STR_ARG(left->tokens), STR_ARG(b->unit->env->name), STR_ARG(buf_str(&names)),
	             left->n > 5 ? " and others" : "");
	diag_title(ds, d, "Unresolved token %.*s in %s (%.*s)", STR_ARG(left->tokens), left->at.file != NULL ? left->at.file : "a setting",
	           STR_ARG(left->path));
	diag_hint(ds, d, "Define it in substitutions/%.*s.yaml", STR_ARG(b->unit->env->name));
	buf_release(&names);
}

int bundle_check(struct bundle *b, const struct str *pipeline, size_t n)
{
	struct arena *a = b->unit->arena;
	const struct node **settings = ARENA_ARRAY(a, const struct node *, n);
	struct leftovers left = { .arena = a };

	for (size_t i = 0; i < n; i++)
		settings[i] = bundle_settings(b, pipeline[i]);
	if (catalogs_check(b, pipeline, settings, n) != 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		left.pipeline = pipeline[i];
		leftovers_find(&left, STR(""), settings[i]);
	}
	for (size_t i = 0; i < left.found.n; i++)
		leftover_report(b, left.found.entry[i].value);
	return left.found.n == 0 ? 0 : -1;
}
