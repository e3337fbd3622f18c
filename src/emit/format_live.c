#include "emit/format_live.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXTS_MOST = 8, WAIT_SECONDS = 2, GREETING = 1 };

/* A folder that is not there: no settings lie in or above it. */
#define FOLDER "file:///lhp-formats-here"

static const char GREETING_PARAMS[] =
    "{\"processId\":null,\"rootUri\":null,\"workspaceFolders\":[{\"uri\":\"" FOLDER "\",\"name\":\"lhp\"}],"
    "\"capabilities\":{\"general\":{\"positionEncodings\":[\"utf-8\"]}},"
    "\"initializationOptions\":{\"settings\":{\"configurationPreference\":\"editorOnly\",\"lineLength\":88,"
    "\"configuration\":{\"target-version\":\"py311\"},\"lint\":{\"enable\":false}}}}";

/* --- the process --- */

void format_live_stop(struct format_live *live)
{
	if (live->pid != 0) {
		close(live->fd);
		kill(live->pid, SIGKILL);
		while (waitpid(live->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	buf_release(&live->in);
	arena_release(&live->arena);
	*live = (struct format_live){ .refused = live->refused };
}

static int spawn(struct format_live *live, int end)
{
	char *program = (char *)(uintptr_t)live->program.p, *argv[] = { program, (char *)(uintptr_t) "server", NULL };
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc != 0)
		return -rc;
	posix_spawn_file_actions_addchdir_np(&actions, "/");
	posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	rc = posix_spawn(&live->pid, program, &actions, NULL, argv, formatter_environment(&live->arena));
	posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

/* --- messages --- */

static int bytes_send(struct format_live *live, struct str bytes)
{
	while (bytes.n != 0) {
		ssize_t n = send(live->fd, bytes.p, bytes.n, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			bytes = str_skip(bytes, (size_t)n);
	}
	return 0;
}

/* `params` is JSON; an `id` of 0 makes a notification. */
static int message_send(struct format_live *live, const char *method, int id, const char *params)
{
	struct buf body = { 0 }, head = { 0 };
	int rc;

	buf_addf(&body, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s", method, params);
	if (id != 0)
		buf_addf(&body, ",\"id\":%d", id);
	buf_addc(&body, '}');
	buf_addf(&head, "Content-Length: %zu\r\n\r\n", body.n);
	buf_add(&head, buf_str(&body));
	rc = bytes_send(live, buf_str(&head));
	buf_release(&head);
	buf_release(&body);
	return rc;
}

/* Receives until `want` bytes are there; 0: until there is more. */
static int bytes_receive(struct format_live *live, size_t want)
{
	size_t least = want != 0 ? want : live->in.n + 1;

	while (live->in.n < least) {
		ssize_t n = recv(live->fd, buf_grow(&live->in, 4096), 4096, 0);

		if (n == 0 || (n < 0 && errno != EINTR))
			return -1;
		if (n > 0)
			live->in.n += (size_t)n;
	}
	return 0;
}

static void in_drop(struct format_live *live, size_t n)
{
	live->in.n -= n;
	memmove(live->in.p, live->in.p + n, live->in.n);
}

static const struct str LENGTH = STR_INIT("Content-Length: "), HEAD_END = STR_INIT("\r\n\r\n");

/* The next message; NULL when there is none in time. */
static cJSON *message_receive(struct format_live *live)
{
	ptrdiff_t end, at;
	size_t length;
	cJSON *message;

	while ((end = str_find(buf_str(&live->in), HEAD_END, 0)) < 0)
		if (bytes_receive(live, 0) != 0)
			return NULL;
	at = str_find(buf_str(&live->in), LENGTH, 0);
	if (at < 0 || at > end)
		return NULL;
	length = strtoul(live->in.p + at + LENGTH.n, NULL, 10);
	in_drop(live, (size_t)end + HEAD_END.n);
	if (length > FORMAT_TEXT_MOST || bytes_receive(live, length) != 0)
		return NULL;
	message = cJSON_ParseWithLength(live->in.p, length);
	in_drop(live, length);
	return message;
}

/* The answer to a request: its message, of which `*result` is a part. Other messages are passed over. */
static cJSON *answer_await(struct format_live *live, int id, const cJSON **result)
{
	cJSON *m;

	while ((m = message_receive(live)) != NULL) {
		const cJSON *number = cJSON_GetObjectItem(m, "id");

		if (cJSON_IsNumber(number) && number->valueint == id && cJSON_GetObjectItem(m, "method") == NULL)
			break;
		cJSON_Delete(m);
	}
	*result = cJSON_GetObjectItem(m, "result");
	return m;
}

/* --- the conversation --- */

static const char *text_at(const cJSON *object, const char *outer, const char *inner)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(object, outer), inner));

	return text != NULL ? text : "";
}

static int greet(struct format_live *live)
{
	const cJSON *result;
	cJSON *m;

	if (live->greeted)
		return 0;
	m = answer_await(live, GREETING, &result);
	live->greeted = m != NULL && strcmp(text_at(result, "serverInfo", "version"), FORMATTER_PINNED) == 0 &&
	                strcmp(text_at(result, "capabilities", "positionEncoding"), "utf-8") == 0 &&
	                message_send(live, "initialized", 0, "{}") == 0;
	cJSON_Delete(m);
	live->refused = !live->greeted;
	return live->greeted ? 0 : -1;
}

static bool program_is_same(const struct format_live *live, const struct formatter *f)
{
	struct stat st;

	return str_eq(live->program, f->program) && stat(live->program.p, &st) == 0 && st.st_ino == live->ino &&
	       st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec == live->mtime_ns;
}

void format_live_start(struct format_live *live, const struct formatter *f)
{
	const struct timeval wait = { .tv_sec = WAIT_SECONDS };
	struct stat st;
	int end[2];

	format_live_stop(live);
	live->program = str_dup(&live->arena, f->program);
	if (live->refused || stat(live->program.p, &st) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) != 0)
		return;
	live->ino = st.st_ino;
	live->mtime_ns = st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	live->fd = end[0];
	setsockopt(live->fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
	setsockopt(live->fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
	if (spawn(live, end[1]) != 0) {
		live->pid = 0;
		close(end[0]);
	} else if (message_send(live, "initialize", GREETING, GREETING_PARAMS) != 0) {
		format_live_stop(live);
	}
	close(end[1]);
	live->asked = GREETING;
}

/* --- texts --- */

static int text_open(struct format_live *live, int id, struct str raw)
{
	cJSON *params = cJSON_CreateObject(), *doc = cJSON_AddObjectToObject(params, "textDocument");
	struct buf uri = { 0 };
	char *json;
	int rc;

	buf_addf(&uri, FOLDER "/%d.py%c", id, '\0');
	cJSON_AddStringToObject(doc, "uri", uri.p);
	cJSON_AddStringToObject(doc, "languageId", "python");
	cJSON_AddNumberToObject(doc, "version", 1);
	cJSON_AddStringToObject(doc, "text", raw.p);
	json = cJSON_PrintUnformatted(params);
	rc = json != NULL ? message_send(live, "textDocument/didOpen", 0, json) : -1;
	cJSON_free(json);
	cJSON_Delete(params);
	buf_release(&uri);
	return rc;
}

static int text_ask(struct format_live *live, int id, const char *method, int request)
{
	struct buf params = { 0 };
	int rc;

	buf_addf(&params, "{\"textDocument\":{\"uri\":\"" FOLDER "/%d.py\"},\"options\":{\"tabSize\":4,\"insertSpaces\":true}}%c", id, '\0');
	rc = message_send(live, method, request, params.p);
	buf_release(&params);
	return rc;
}

/* Offset of a place of the protocol; beyond the text: its end. */
static size_t offset_of(struct str text, const cJSON *place)
{
	double line = cJSON_GetNumberValue(cJSON_GetObjectItem(place, "line"));
	double character = cJSON_GetNumberValue(cJSON_GetObjectItem(place, "character"));
	size_t at = 0;

	for (; line > 0 && at < text.n; line--) {
		ptrdiff_t end = str_find_char(text, '\n', at);

		at = end < 0 ? text.n : (size_t)end + 1;
	}
	return character > 0 && character < (double)(text.n - at) ? at + (size_t)character : character > 0 ? text.n : at;
}

/* The text with the one edit of the answer; -1 for any other answer. */
static int edit_apply(struct arena *a, const cJSON *edits, struct format_item *item)
{
	const cJSON *edit = cJSON_GetArraySize(edits) == 1 ? cJSON_GetArrayItem(edits, 0) : NULL, *range = cJSON_GetObjectItem(edit, "range");
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(edit, "newText"));
	size_t from, to;

	if (text == NULL || !cJSON_IsObject(range))
		return -1;
	from = offset_of(item->raw, cJSON_GetObjectItem(range, "start"));
	to = offset_of(item->raw, cJSON_GetObjectItem(range, "end"));
	if (from > to)
		return -1;
	item->text = str_cat(a, str_cat(a, str_sub(item->raw, 0, from), str_of(text)), str_skip(item->raw, to));
	return 0;
}

static int item_format(struct format_live *live, struct arena *a, struct format_item *item)
{
	int id = ++live->asked, rc = -1;
	const cJSON *edits;
	cJSON *m;

	if (text_open(live, id, str_dup(a, item->raw)) != 0 || text_ask(live, id, "textDocument/formatting", id) != 0)
		return -1;
	m = answer_await(live, id, &edits);
	if (m != NULL && text_ask(live, id, "textDocument/didClose", 0) == 0)
		rc = edit_apply(a, edits, item);
	if (m == NULL)
		format_live_stop(live);
	cJSON_Delete(m);
	return rc;
}

int format_live_items(struct format_live *live, const struct formatter *f, struct arena *a, struct format_item *item, size_t n)
{
	if (n > TEXTS_MOST)
		return -1;
	if (live->pid == 0 || !program_is_same(live, f))
		format_live_start(live, f);
	if (live->pid == 0 || greet(live) != 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (item[i].raw.n > FORMAT_TEXT_MOST / 8 || memchr(item[i].raw.p, '\0', item[i].raw.n) != NULL || item_format(live, a, &item[i]) != 0)
			return -1;
	return 0;
}
