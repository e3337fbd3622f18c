#include "cmd/dag_write.h"

#include "cmd/embedded.h"
#include "ui/json.h"

static void pipelines_add(const struct dag *d, struct buf *b)
{
	buf_adds(b, ",\"pipelines\":[");
	for (size_t i = 0; i < d->lineage.pipeline.n; i++) {
		buf_adds(b, i > 0 ? ",{\"name\":" : "{\"name\":");
		json_text(b, d->lineage.pipeline.p[i].name);
		buf_addc(b, '}');
	}
	buf_addc(b, ']');
}

/* [id, pipeline, kind, table, view, file] */
static void actions_add(const struct dag *d, struct buf *b)
{
	buf_adds(b, ",\"actions\":[");
	for (size_t i = 0; i < d->lineage.action.n; i++) {
		const struct lineage_action *a = &d->lineage.action.p[i];
		buf_adds(b, i > 0 ? ",\n[" : "[");
		json_text(b, lineage_id(&d->lineage, (uint32_t)i));
		buf_addf(b, ",%u,", d->lineage.flowgroup.p[a->flowgroup].pipeline);
		json_text(b, str_of(a->kind));
		buf_addc(b, ',');
		json_text(b, a->table);
		buf_addc(b, ',');
		json_text(b, a->view);
		buf_addc(b, ',');
		json_text(b, str_of(d->flowgroup.p[a->flowgroup].file));
		buf_addc(b, ']');
	}
	buf_addc(b, ']');
}

static void edges_add(const struct dag *d, struct buf *b)
{
	const struct digraph *g = &d->lineage.actions;
	bool first = true;
	buf_adds(b, ",\"edges\":[");
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->out[i].n; k++) {
			buf_addf(b, "%s[%zu,%u]", first ? "" : ",", i, g->out[i].p[k]);
			first = false;
		}
	buf_addc(b, ']');
}

/* [source, [actions that read it]] */
static void external_add(const struct dag *d, struct buf *b)
{
	struct map readers = { 0 };
	for (uint32_t i = 0; i < d->lineage.action.n; i++) {
		const struct lineage_action *a = &d->lineage.action.p[i];
		for (size_t k = 0; k < a->source.n; k++) {
			if (lineage_makers(&d->lineage, i, &a->source.p[k]) != NULL)
				continue;
			struct links **list = (struct links **)map_slot(&readers, d->arena, a->source.p[k].text);
			if (*list == NULL)
				*list = ARENA_NEW(d->arena, struct links);
			*VEC_PUSH(*list, d->arena) = i;
		}
	}
	buf_adds(b, ",\"external\":[");
	for (size_t i = 0; i < readers.n; i++) {
		const struct links *list = readers.entry[i].value;
		buf_adds(b, i > 0 ? ",\n[" : "[");
		json_text(b, readers.entry[i].key);
		for (size_t k = 0; k < list->n; k++)
			buf_addf(b, "%s%u", k > 0 ? "," : ",[", list->p[k]);
		buf_adds(b, "]]");
	}
	buf_addc(b, ']');
}

static void cycles_add(const struct dag *d, struct buf *b)
{
	buf_adds(b, ",\"cycles\":[");
	for (size_t i = 0; i < d->lineage.cycle.n; i++) {
		buf_adds(b, i > 0 ? "," : "");
		json_text(b, d->lineage.cycle.p[i].text);
	}
	buf_addc(b, ']');
}

void dag_html_write(const struct dag *d, struct buf *b)
{
	struct str page = embedded_find(dag_files, "page.html"), mark = STR("@DATA@");
	size_t at = (size_t)str_find(page, mark, 0);
	struct buf json = { 0 };
	buf_adds(&json, "{\"project\":");
	json_text(&json, d->name);
	pipelines_add(d, &json);
	actions_add(d, &json);
	edges_add(d, &json);
	external_add(d, &json);
	cycles_add(d, &json);
	buf_addc(&json, '}');
	buf_add(b, str_sub(page, 0, at));
	/* Nothing in it may end the script element. */
	buf_add(b, str_replace(d->arena, buf_str(&json), STR("<"), STR("\\u003c")));
	buf_add(b, str_skip(page, at + mark.n));
	buf_release(&json);
}
