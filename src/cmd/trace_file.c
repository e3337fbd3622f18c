#include "cmd/trace_file.h"

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

static void json_add(struct buf *b, struct str s)
{
	buf_addc(b, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '"' || c == '\\' || c < 0x20)
			buf_addf(b, "\\u%04x", c);
		else
			buf_addc(b, s.p[i]);
	}
	buf_addc(b, '"');
}

void trace_file_env(struct trace_file *t, struct str name)
{
	t->row++;
	if (!event_start(t))
		return;
	buf_addf(&t->events, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":", t->row);
	json_add(&t->events, name);
	buf_adds(&t->events, "}}");
}

void trace_file_phase(struct trace_file *t, const char *name, double seconds)
{
	double end = seconds_now() - t->started;

	if (event_start(t))
		buf_addf(&t->events, "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"tid\":%u,\"ts\":%.0f,\"dur\":%.0f}",
		         name, t->row, (end - seconds) * 1e6, seconds * 1e6);
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
	return rc;
}
