#include "cmd/trace_file.h"

#include "build/run.h"
#include "ui/json.h"

#include <time.h>

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void trace_file_start(struct trace_file *t)
{
	t->started = seconds_now();
}

static bool event_start(struct trace_file *t)
{
	if (t->started == 0)
		return false;
	buf_adds(&t->events, t->events.n != 0 ? ",\n" : "");
	return true;
}

static void row_name(struct trace_file *t, unsigned row, struct str name)
{
	if (!event_start(t))
		return;
	buf_addf(&t->events, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":", row);
	json_text(&t->events, name);
	buf_adds(&t->events, "}}");
}

void trace_file_env(struct trace_file *t, struct str name)
{
	row_name(t, ++t->row, name);
}

void trace_file_phase(struct trace_file *t, const char *name, double seconds)
{
	double end = seconds_now() - t->started;

	if (event_start(t))
		buf_addf(&t->events, "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%.0f,\"dur\":%.0f}",
		         name, t->row, (end - seconds) * 1e6, seconds * 1e6);
}

/* Rows of threads are numbered below those of environments, which are few. */
static unsigned thread_row(struct trace_file *t, size_t worker)
{
	enum { THREADS = 1000 };
	unsigned row = t->row * THREADS + (unsigned)worker + 1;

	if (map_add(&t->thread, &t->arena, str_fmt(&t->arena, "%u", row)))
		row_name(t, row, str_fmt(&t->arena, "thread %zu", worker + 1));
	return row;
}

void trace_file_unit(struct trace_file *t, const struct unit_span *span)
{
	unsigned row = t->started != 0 ? thread_row(t, span->worker) : 0;

	if (!event_start(t))
		return;
	buf_adds(&t->events, "{\"ph\":\"X\",\"name\":");
	json_text(&t->events, str_fmt(&t->arena, "%.*s.%.*s", STR_ARG(span->pipeline), STR_ARG(span->name)));
	buf_addf(&t->events, ",\"cat\":\"flowgroup\",\"pid\":1,\"tid\":%u,\"ts\":%.0f,\"dur\":%.0f}", row,
	         (span->from - t->started) * 1e6, (span->until - span->from) * 1e6);
}

void trace_file_count(struct trace_file *t, size_t done)
{
	if (event_start(t))
		buf_addf(
		    &t->events,
		    "{\"ph\":\"C\",\"name\":\"flowgroups\",\"pid\":1,\"tid\":%u,\"ts\":%.0f,\"args\":{\"done\":%zu}}",
		    t->row, (seconds_now() - t->started) * 1e6, done);
}

int trace_file_write(struct trace_file *t, struct fs *fs, struct str path)
{
	struct buf text = { 0 };
	int rc;

	buf_adds(&text, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
	buf_add(&text, buf_str(&t->events));
	buf_adds(&text, "\n]}\n");
	rc = fs_replace(fs, path, buf_str(&text));
	buf_release(&text);
	buf_release(&t->events);
	arena_release(&t->arena);
	return rc;
}
