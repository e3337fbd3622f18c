#include "ui/machine.h"

#include "base/utf8.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>

enum message_format message_format_of(struct str name)
{
	static const struct {
		const char *name;
		enum message_format format;
	} known[] = { { "json", MESSAGES_JSON }, { "sarif", MESSAGES_SARIF }, { "github", MESSAGES_GITHUB } };

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (str_is_nocase(name, known[i].name))
			return known[i].format;
	return MESSAGES_TEXT;
}

/* Malformed bytes become U+FFFD: what machines read must be UTF-8 whatever a project holds. */
static void buf_add_clean(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		uint32_t c = utf8_next(s, &i);

		buf_add_utf8(b, c == UTF8_BAD || c == 0 ? 0xFFFD : c);
	}
}

static cJSON *text_new(struct str s)
{
	struct buf b = { 0 };

	buf_add_clean(&b, s);
	buf_addc(&b, '\0');
	cJSON *text = cJSON_CreateString(b.p);
	buf_release(&b);
	return text;
}

/* Left out when empty. */
static void text_put(cJSON *o, const char *key, struct str s)
{
	if (s.n != 0)
		cJSON_AddItemToObject(o, key, text_new(s));
}

static void number_put(cJSON *o, const char *key, double n)
{
	cJSON_AddNumberToObject(o, key, n);
}

static void mark_put(cJSON *o, struct mark at)
{
	if (at.file == NULL)
		return;
	text_put(o, "file", str_of(at.file));
	if (at.line != 0)
		number_put(o, "line", at.line);
	if (at.col != 0)
		number_put(o, "col", at.col);
}

static void hints_put(cJSON *o, struct str hint)
{
	cJSON *hints = cJSON_AddArrayToObject(o, "hints");
	struct str line;

	while (hint.n != 0 && str_cut(&hint, '\n', &line))
		cJSON_AddItemToArray(hints, text_new(line));
}

static void chain_put(cJSON *o, const struct origin *via)
{
	if (via == NULL)
		return;
	cJSON *chain = cJSON_AddArrayToObject(o, "via");
	for (; via != NULL; via = via->next) {
		cJSON *step = cJSON_CreateObject();

		text_put(step, "what", str_of(via->what));
		text_put(step, "name", via->name);
		mark_put(step, via->at);
		cJSON_AddItemToArray(chain, step);
	}
}

static const char *severity_name(const struct diag *d)
{
	return d->rule->severity == SEV_ERROR ? "error" : "warning";
}

static cJSON *finding_new(const struct diag *d)
{
	cJSON *o = cJSON_CreateObject();

	text_put(o, "code", str_of(d->rule->code));
	text_put(o, "rule", str_of(d->rule->name));
	text_put(o, "severity", str_of(severity_name(d)));
	text_put(o, "title", diag_title_of(d));
	text_put(o, "detail", d->detail);
	hints_put(o, d->hint);
	mark_put(o, d->at);
	chain_put(o, d->via);
	text_put(o, "pipeline", d->pipeline);
	text_put(o, "flowgroup", d->flowgroup);
	text_put(o, "action", d->action);
	text_put(o, "flowgroup_file", str_of(d->file));
	if (d->parts != NULL && d->parts->n != 0) {
		cJSON *parts = cJSON_AddArrayToObject(o, "parts");

		for (size_t i = 0; i < d->parts->n; i++)
			cJSON_AddItemToArray(parts, finding_new(&d->parts->p[i]));
	}
	return o;
}

static void json_print(struct buf *b, cJSON *o)
{
	char *text = cJSON_PrintUnformatted(o);

	buf_adds(b, text);
	buf_addc(b, '\n');
	free(text);
	cJSON_Delete(o);
}

static size_t severity_total(const struct messages *m, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < 3; i++)
		n += m->list[i] != NULL ? diags_count(m->list[i], severity) : 0;
	return n;
}

static void json_summary(struct buf *b, const struct messages *m)
{
	cJSON *o = cJSON_CreateObject();

	text_put(o, "type", STR("summary"));
	text_put(o, "command", str_of(m->command));
	text_put(o, "env", m->env);
	number_put(o, "status", m->status);
	number_put(o, "errors", (double)severity_total(m, SEV_ERROR));
	number_put(o, "warnings", (double)severity_total(m, SEV_WARNING));
	number_put(o, "flowgroups", (double)m->units);
	number_put(o, "rebuilt", (double)m->rebuilt);
	number_put(o, "written", (double)m->written);
	number_put(o, "removed", (double)m->removed);
	number_put(o, "seconds", round(m->seconds * 1000) / 1000);
	json_print(b, o);
}

static void json_finding(struct buf *b, const struct messages *m, const struct diag *d)
{
	cJSON *o = cJSON_CreateObject(), *body = finding_new(d);

	text_put(o, "type", STR("finding"));
	text_put(o, "env", m->env);
	while (body->child != NULL) {
		cJSON *item = cJSON_DetachItemViaPointer(body, body->child);

		cJSON_AddItemToObject(o, item->string, item);
	}
	cJSON_Delete(body);
	json_print(b, o);
}

/* Calls `visit` for each finding, and for each part of one that folds others (with its attribution). */
static void leaf_visit(void *ctx, const struct diag *d, void (*visit)(void *ctx, const struct diag *d))
{
	if (d->parts == NULL || d->parts->n == 0) {
		visit(ctx, d);
		return;
	}
	for (size_t i = 0; i < d->parts->n; i++) {
		struct diag part = d->parts->p[i];

		part.pipeline = part.pipeline.n != 0 ? part.pipeline : d->pipeline;
		part.flowgroup = part.flowgroup.n != 0 ? part.flowgroup : d->flowgroup;
		part.file = part.file != NULL ? part.file : d->file;
		leaf_visit(ctx, &part, visit);
	}
}

static struct mark place_of(const struct diag *d)
{
	return d->at.file != NULL ? d->at : (struct mark){ .file = d->file };
}

static void message_add(struct buf *b, const struct diag *d)
{
	struct str title = diag_title_of(d);

	buf_add(b, title);
	if (d->detail.n != 0)
		buf_addf(b, "\n%.*s", STR_ARG(str_trim_end(d->detail)));
	if (d->hint.n != 0)
		buf_addf(b, "\n-> %.*s", STR_ARG(d->hint));
}

/* GitHub's escapes: of messages, and more of properties. */
static void github_add(struct buf *b, struct str s, bool property)
{
	struct buf clean = { 0 };

	buf_add_clean(&clean, s);
	for (size_t i = 0; i < clean.n; i++) {
		char c = clean.p[i];

		if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
			buf_addf(b, "%%%02X", (unsigned)(unsigned char)c);
		else
			buf_addc(b, c);
	}
	buf_release(&clean);
}

static void github_finding(void *ctx, const struct diag *d)
{
	struct buf *b = ctx, text = { 0 };
	struct mark at = place_of(d);

	buf_addf(b, "::%s ", severity_name(d));
	if (at.file != NULL) {
		buf_adds(b, "file=");
		github_add(b, str_of(at.file), true);
		if (at.line != 0)
			buf_addf(b, ",line=%u,col=%u", at.line, at.col);
		buf_addc(b, ',');
	}
	buf_addf(b, "title=%s", d->rule->code);
	buf_adds(b, "::");
	message_add(&text, d);
	github_add(b, buf_str(&text), false);
	buf_addc(b, '\n');
	buf_release(&text);
}

struct sarif {
	cJSON *results, *rules;
	const struct messages *of;
};

static cJSON *message_new(struct str text)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddItemToObject(o, "text", text_new(text));
	return o;
}

static int sarif_rule(struct sarif *s, const struct rule *rule)
{
	int n = cJSON_GetArraySize(s->rules);
	cJSON *o;

	for (int i = 0; i < n; i++)
		if (strcmp(cJSON_GetObjectItem(cJSON_GetArrayItem(s->rules, i), "id")->valuestring, rule->name) == 0)
			return i;
	o = cJSON_CreateObject();
	text_put(o, "id", str_of(rule->name));
	text_put(o, "name", str_of(rule->code));
	cJSON_AddItemToObject(o, "shortDescription", message_new(str_of(rule->title)));
	cJSON_AddItemToArray(s->rules, o);
	return n;
}

static void uri_add(struct buf *b, struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		char c = path.p[i];

		if (ascii_is_word(c) || strchr("/.-~", c) != NULL)
			buf_addc(b, c);
		else
			buf_addf(b, "%%%02X", (unsigned)(unsigned char)c);
	}
}

static cJSON *location_new(struct mark at)
{
	cJSON *o = cJSON_CreateObject();
	cJSON *physical = cJSON_AddObjectToObject(o, "physicalLocation");
	cJSON *artifact = cJSON_AddObjectToObject(physical, "artifactLocation");
	struct buf uri = { 0 };

	uri_add(&uri, str_of(at.file));
	text_put(artifact, "uri", buf_str(&uri));
	buf_release(&uri);
	text_put(artifact, "uriBaseId", STR("%SRCROOT%"));
	if (at.line != 0) {
		cJSON *region = cJSON_AddObjectToObject(physical, "region");

		number_put(region, "startLine", at.line);
		if (at.col != 0)
			number_put(region, "startColumn", at.col);
	}
	return o;
}

static void sarif_finding(void *ctx, const struct diag *d)
{
	struct sarif *s = ctx;
	cJSON *o = cJSON_CreateObject(), *more;
	struct buf text = { 0 };
	struct mark at = place_of(d);

	text_put(o, "ruleId", str_of(d->rule->name));
	number_put(o, "ruleIndex", sarif_rule(s, d->rule));
	text_put(o, "level", str_of(severity_name(d)));
	message_add(&text, d);
	cJSON_AddItemToObject(o, "message", message_new(buf_str(&text)));
	buf_release(&text);
	cJSON *locations = cJSON_AddArrayToObject(o, "locations");
	if (at.file != NULL)
		cJSON_AddItemToArray(locations, location_new(at));
	if (d->via != NULL) {
		cJSON *related = cJSON_AddArrayToObject(o, "relatedLocations");

		for (const struct origin *v = d->via; v != NULL; v = v->next)
			if (v->at.file != NULL)
				cJSON_AddItemToArray(related, location_new(v->at));
	}
	more = cJSON_AddObjectToObject(o, "properties");
	text_put(more, "code", str_of(d->rule->code));
	text_put(more, "env", s->of->env);
	text_put(more, "pipeline", d->pipeline);
	text_put(more, "flowgroup", d->flowgroup);
	cJSON_AddItemToArray(s->results, o);
}

static void sarif_write(struct buf *b, const struct messages *m, size_t n)
{
	cJSON *log = cJSON_CreateObject(), *run = cJSON_CreateObject();
	struct sarif s = { .results = cJSON_CreateArray() };

	text_put(log, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
	text_put(log, "version", STR("2.1.0"));
	cJSON_AddItemToArray(cJSON_AddArrayToObject(log, "runs"), run);
	cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
	text_put(driver, "name", STR("lhp"));
	s.rules = cJSON_AddArrayToObject(driver, "rules");
	text_put(run, "columnKind", STR("unicodeCodePoints"));
	cJSON_AddItemToObject(run, "results", s.results);
	for (size_t i = 0; i < n; i++) {
		s.of = &m[i];
		for (size_t k = 0; k < 3; k++)
			for (size_t j = 0; m[i].list[k] != NULL && j < m[i].list[k]->n; j++)
				leaf_visit(&s, &m[i].list[k]->p[j], sarif_finding);
	}
	json_print(b, log);
}

static void lines_write(struct buf *b, enum message_format format, const struct messages *m)
{
	for (size_t k = 0; k < 3; k++) {
		for (size_t j = 0; m->list[k] != NULL && j < m->list[k]->n; j++) {
			const struct diag *d = &m->list[k]->p[j];

			if (format == MESSAGES_JSON)
				json_finding(b, m, d);
			else
				leaf_visit(b, d, github_finding);
		}
	}
	if (format == MESSAGES_JSON)
		json_summary(b, m);
}

void messages_write(struct buf *b, enum message_format format, const struct messages *m, size_t n)
{
	if (format == MESSAGES_SARIF)
		sarif_write(b, m, n);
	else
		for (size_t i = 0; i < n; i++)
			lines_write(b, format, &m[i]);
}
