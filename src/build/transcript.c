/* transcript.c - what a run said, kept so that it can be said again. */
#include "base/pack.h"
#include "build/engine.h"
#include "build/record.h"

enum event { EVENT_END, EVENT_PHASE, EVENT_PIPELINE, EVENT_WARNING, EVENT_LOG };

static void on_phase(void *ctx, const char *name, bool good, double seconds)
{
	struct transcript *t = ctx;

	pack_uint(&t->events, EVENT_PHASE);
	pack_str(&t->events, str_of(name));
	pack_uint(&t->events, good);
	if (t->to.phase != NULL)
		t->to.phase(t->to.ctx, name, good, seconds);
}

static void one_diag_pack(struct buf *b, const struct diag *d)
{
	struct diag copy = d != NULL ? *d : (struct diag){ 0 };
	struct diags one = { .p = &copy, .n = d != NULL, .cap = 1 };

	diags_pack(b, &one);
}

static void on_pipeline(void *ctx, struct str name, size_t files, const struct diag *failed)
{
	struct transcript *t = ctx;

	pack_uint(&t->events, EVENT_PIPELINE);
	pack_str(&t->events, name);
	pack_uint(&t->events, files);
	one_diag_pack(&t->events, failed);
	if (t->to.pipeline != NULL)
		t->to.pipeline(t->to.ctx, name, files, failed);
}

static void on_warning(void *ctx, const struct diag *d)
{
	struct transcript *t = ctx;

	pack_uint(&t->events, EVENT_WARNING);
	one_diag_pack(&t->events, d);
	if (t->to.warning != NULL)
		t->to.warning(t->to.ctx, d);
}

static void on_log(void *ctx, struct str line)
{
	struct transcript *t = ctx;

	pack_uint(&t->events, EVENT_LOG);
	pack_str(&t->events, line);
	if (t->to.log != NULL)
		t->to.log(t->to.ctx, line);
}

static void on_unit(void *ctx, const struct unit_span *span)
{
	struct transcript *t = ctx;

	if (t->to.unit != NULL)
		t->to.unit(t->to.ctx, span);
}

static void on_progress(void *ctx, size_t done, size_t total, struct str pipeline)
{
	struct transcript *t = ctx;

	if (t->to.progress != NULL)
		t->to.progress(t->to.ctx, done, total, pipeline);
}

void transcript_open(struct transcript *t, const struct run_listener *to)
{
	*t = (struct transcript){ .to = *to };
	t->listener = (struct run_listener){ .ctx = t,
		                             .phase = on_phase,
		                             .pipeline = on_pipeline,
		                             .warning = on_warning,
		                             .log = on_log,
		                             .unit = on_unit,
		                             .progress = on_progress };
}

void transcript_close(struct transcript *t)
{
	buf_release(&t->events);
}

void transcript_pack(struct buf *b, const struct transcript *before, const struct transcript *t, const struct run_result *res)
{
	pack_str(b, buf_str(&before->events));
	pack_str(b, buf_str(&t->events));
	pack_uint(b, (uint64_t)res->status);
	pack_uint(b, res->preflight_failed);
	pack_uint(b, res->pipelines_good);
	pack_uint(b, res->files);
	pack_uint(b, res->units);
	diags_pack(b, &res->fatal);
	diags_pack(b, &res->findings);
	diags_pack(b, &res->warnings);
}

static int event_say(struct arena *a, struct unpack *u, enum event event, const struct run_listener *l)
{
	struct diags one = { 0 };
	struct str text = STR("");
	uint64_t number = 0;

	if (event != EVENT_WARNING)
		text = unpack_str(u);
	if (event == EVENT_PHASE || event == EVENT_PIPELINE)
		number = unpack_uint(u);
	if ((event == EVENT_PIPELINE || event == EVENT_WARNING) && diags_unpack(a, u, &one) != 0)
		return -1;
	if (u->bad)
		return -1;
	if (event == EVENT_PHASE && l->phase != NULL)
		l->phase(l->ctx, str_cstr(a, text), number != 0, 0);
	else if (event == EVENT_PIPELINE && l->pipeline != NULL)
		l->pipeline(l->ctx, text, (size_t)number, one.n != 0 ? &one.p[0] : NULL);
	else if (event == EVENT_WARNING && l->warning != NULL && one.n != 0)
		l->warning(l->ctx, &one.p[0]);
	else if (event == EVENT_LOG && l->log != NULL)
		l->log(l->ctx, text);
	return 0;
}

static int events_say(struct arena *a, struct str events, const struct run_listener *l)
{
	struct unpack u = unpack_of(events);

	while (u.p < u.end)
		if (event_say(a, &u, (enum event)unpack_uint(&u), l) != 0)
			return -1;
	return 0;
}

int transcript_replay(struct arena *a, struct unpack *u, struct str env, bool with_before, bool generated,
                      const struct run_listener *l, struct run_result *res)
{
	const struct run_listener nobody = { 0 };
	struct run_listener quiet = *l;
	struct str before = unpack_str(u), events = unpack_str(u);

	res->status = (int)unpack_uint(u);
	res->preflight_failed = unpack_uint(u) != 0;
	res->pipelines_good = (size_t)unpack_uint(u);
	res->files = (size_t)unpack_uint(u);
	res->units = (size_t)unpack_uint(u);
	if (diags_unpack(a, u, &res->fatal) != 0 || diags_unpack(a, u, &res->findings) != 0 ||
	    diags_unpack(a, u, &res->warnings) != 0 || !unpack_done(u))
		return -1;
	/* First in silence: nothing is said unless all of it can be. */
	if (events_say(a, before, &nobody) != 0 || events_say(a, events, &nobody) != 0)
		return -1;
	/* A trail is for work done: of a generate that found nothing to do, one line is enough. */
	if (res->status == 0 && generated) {
		quiet.phase = NULL;
		quiet.pipeline = NULL;
	}
	if (with_before)
		events_say(a, before, &quiet);
	if (l->env != NULL)
		l->env(l->ctx, env);
	return events_say(a, events, &quiet);
}
