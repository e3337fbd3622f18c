#include "bundle/wheel.h"
#include "base/utf8.h"
#include "bundle/libzip.h"
#include "emit/emit.h"
#include "emit/pytext.h"
#include "emit/runtime.h"
#include "project/version.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdlib.h>

enum { HASH_DIGITS = 12 };

/* --- names --- */

/* Each character that no plain name has, whatever its bytes, is one '_'. */
static struct str package_name(struct arena *a, struct str pipeline)
{
	struct buf lower_case = { 0 }, b = { 0 };
	struct str lower, out;

	buf_add_lower(&lower_case, pipeline);
	lower = buf_str(&lower_case);
	if (lower.n == 0 || (lower.p[0] >= '0' && lower.p[0] <= '9'))
		buf_adds(&b, "p_");
	for (size_t i = 0; i < lower.n;) {
		uint32_t c = utf8_next(lower, &i);

		buf_addc(&b, c < 0x80 && ascii_is_word((char)c) ? (char)c : '_');
	}
	if (str_is(buf_str(&b), "custom_python_functions"))
		buf_adds(&b, "_pkg");
	out = buf_take(&b, a);
	buf_release(&lower_case);
	buf_release(&b);
	return out;
}

/* Lower case, each run of - _ . one `join`. */
static struct str canonical(struct arena *a, struct str name, char join)
{
	struct buf lower = { 0 }, b = { 0 };
	struct str out;

	buf_add_lower(&lower, name);
	for (size_t i = 0; i < lower.n; i++) {
		bool mark = lower.p[i] == '-' || lower.p[i] == '_' || lower.p[i] == '.';

		if (!mark)
			buf_addc(&b, lower.p[i]);
		else if (b.n == 0 || b.p[b.n - 1] != join)
			buf_addc(&b, join);
	}
	out = buf_take(&b, a);
	buf_release(&lower);
	buf_release(&b);
	return out;
}

void wheel_init(struct wheel *w, struct arena *a, struct str pipeline, struct str env)
{
	*w = (struct wheel){ .arena = a, .pipeline = pipeline, .env = env, .package = package_name(a, pipeline) };
}

/* Modules and hooks go into the package; copied modules and providers stand beside it. */
void wheel_add(struct wheel *w, struct str path, struct str text)
{
	bool beside = str_starts(path, STR("custom_python_functions/")) || str_starts(path, STR("test_reporting_providers/"));

	if (str_is(path, "custom_python_functions/__init__.py"))
		return;
	*VEC_PUSH(w, w->arena) = (struct wheel_member){
		beside ? path : str_fmt(w->arena, "%.*s/%.*s", STR_ARG(w->package), STR_ARG(path)), text_normalise(w->arena, text)
	};
}

/* --- the archive --- */

static int member_cmp(const void *x, const void *y)
{
	return str_cmp(((const struct wheel_member *)x)->path, ((const struct wheel_member *)y)->path);
}

static void sha256(struct str s, uint8_t digest[SHA256_DIGEST_SIZE])
{
	struct sha256_ctx c;

	sha256_init(&c);
	sha256_update(&c, s.n, (const uint8_t *)s.p);
	sha256_digest(&c, SHA256_DIGEST_SIZE, digest);
}

static struct str content_hash(const struct wheel *w)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct buf all = { 0 }, hex = { 0 };
	struct str out;

	for (size_t i = 0; i < w->n; i++) {
		buf_add(&all, w->p[i].path);
		buf_addc(&all, '\0');
		buf_add(&all, w->p[i].text);
	}
	sha256(buf_str(&all), digest);
	for (size_t i = 0; i < HASH_DIGITS / 2; i++)
		buf_addf(&hex, "%02x", digest[i]);
	out = buf_take(&hex, w->arena);
	buf_release(&hex);
	buf_release(&all);
	return out;
}

/* A path as CSV has it. */
static void record_path(struct buf *b, struct arena *a, struct str path)
{
	if (str_find_char(path, ',', 0) < 0 && str_find_char(path, '"', 0) < 0)
		buf_add(b, path);
	else
		buf_addf(b, "\"%.*s\"", STR_ARG(str_replace(a, path, STR("\""), STR("\"\""))));
}

/* The record itself has no text yet. */
static void record_row(struct buf *b, struct arena *a, const struct wheel_member *m)
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	char text[BASE64_ENCODE_RAW_LENGTH(SHA256_DIGEST_SIZE) + 1];
	struct base64_encode_ctx c;
	size_t n;

	record_path(b, a, m->path);
	if (m->text.p == NULL) {
		buf_adds(b, ",,\n");
		return;
	}
	sha256(m->text, digest);
	base64url_encode_init(&c);
	n = base64_encode_update(&c, text, sizeof digest, digest);
	n += base64_encode_final(&c, text + n);
	while (n != 0 && text[n - 1] == '=')
		n--;
	buf_addf(b, ",sha256=%.*s,%zu\n", (int)n, text, m->text.n);
}

static void record_fill(struct wheel *w)
{
	struct wheel_member *record = NULL;
	struct buf b = { 0 };

	for (size_t i = 0; i < w->n; i++) {
		record_row(&b, w->arena, &w->p[i]);
		if (w->p[i].text.p == NULL)
			record = &w->p[i];
	}
	record->text = buf_take(&b, w->arena);
	buf_release(&b);
}

static void info_add(struct wheel *w, struct str folder, const char *name, struct str text)
{
	*VEC_PUSH(w, w->arena) = (struct wheel_member){ str_fmt(w->arena, "%.*s/%s", STR_ARG(folder), name), text };
}

static int entry_add(const struct libzip *lib, struct arena *a, zip_t *z, const struct wheel_member *m)
{
	zip_source_t *s = lib->zip_source_buffer(z, m->text.p, m->text.n, 0);
	zip_int64_t i = s != NULL ? lib->zip_file_add(z, str_cstr(a, m->path), s, ZIP_FL_ENC_UTF_8) : -1;

	if (i < 0) {
		lib->zip_source_free(s);
		return -1;
	}
	/* 1980-01-01 00:00:00, mode 0644 of Unix. */
	return lib->zip_set_file_compression(z, (zip_uint64_t)i, ZIP_CM_STORE, 0) |
	       lib->zip_file_set_dostime(z, (zip_uint64_t)i, 0, 1 << 5 | 1, 0) |
	       lib->zip_file_set_external_attributes(z, (zip_uint64_t)i, 0, ZIP_OPSYS_UNIX, (zip_uint32_t)0644 << 16);
}

/* Puts all members into the archive that `s` holds. */
static int members_add(const struct libzip *lib, struct wheel *w, zip_source_t *s)
{
	zip_t *z = lib->zip_open_from_source(s, ZIP_TRUNCATE, NULL);
	int rc = 0;

	if (z == NULL)
		return -1;
	lib->zip_source_keep(s); /* the archive owns one reference, the caller keeps the other */
	for (size_t i = 0; rc == 0 && i < w->n; i++)
		rc = entry_add(lib, w->arena, z, &w->p[i]);
	if (rc == 0 && lib->zip_close(z) == 0)
		return 0;
	lib->zip_discard(z);
	return -1;
}

static int archive_make(struct wheel *w)
{
	const struct libzip *lib = libzip();
	zip_source_t *s = lib != NULL ? lib->zip_source_buffer_create(NULL, 0, 0, NULL) : NULL;
	zip_stat_t st;
	int rc;

	if (s == NULL)
		return -1;
	rc = members_add(lib, w, s);
	if (rc == 0)
		rc = lib->zip_source_stat(s, &st) == 0 ? lib->zip_source_open(s) : -1;
	if (rc == 0) {
		char *bytes = arena_alloc(w->arena, st.size);

		rc = lib->zip_source_read(s, bytes, st.size) == (zip_int64_t)st.size ? 0 : -1;
		w->bytes = (struct str){ bytes, st.size };
		lib->zip_source_close(s);
	}
	lib->zip_source_free(s);
	return rc;
}

/* A pipeline without modules has a wheel too. */
static void members_sort(struct wheel *w)
{
	if (w->n > 1)
		qsort(w->p, w->n, sizeof *w->p, member_cmp);
}

int wheel_build(struct wheel *w)
{
	struct arena *a = w->arena;
	struct str version = str_of(LHP_LEVEL), hash, name, info;

	members_sort(w);
	hash = content_hash(w);
	name = str_fmt(a, "lhp_%.*s_%.*s_%.*s", STR_ARG(w->pipeline), STR_ARG(w->env), STR_ARG(hash));
	w->file = str_fmt(a, "%.*s-%.*s-py3-none-any.whl", STR_ARG(canonical(a, name, '_')), STR_ARG(version));
	info = str_fmt(a, "%.*s-%.*s.dist-info", STR_ARG(canonical(a, name, '_')), STR_ARG(version));
	*VEC_PUSH(w, a) = (struct wheel_member){ str_fmt(a, "%.*s/__init__.py", STR_ARG(w->package)),
		                                 STR("# Modules of one pipeline, packed by lhp\n") };
	info_add(w, info, "METADATA", str_fmt(a, "Metadata-Version: 2.1\nName: %.*s\nVersion: %.*s\n", STR_ARG(canonical(a, name, '-')),
	                                      STR_ARG(version)));
	info_add(w, info, "WHEEL", str_fmt(a, "Wheel-Version: 1.0\nGenerator: lhp %.*s\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
	                                   STR_ARG(version)));
	info_add(w, info, "RECORD", STR_NONE);
	members_sort(w);
	record_fill(w);
	return archive_make(w);
}

struct str wheel_runner_name(const struct wheel *w)
{
	return str_fmt(w->arena, "%.*s_runner.py", STR_ARG(w->package));
}

struct str wheel_runner_text(const struct wheel *w)
{
	struct buf b = { 0 };
	struct str out;

	buf_adds(&b, "# Generated by LakehousePlumber\nPACKAGE = ");
	py_text(&b, w->package);
	buf_adds(&b, "\n\n");
	buf_add(&b, runtime_text(w->arena, "wheel_runner.py"));
	out = text_normalise(w->arena, buf_str(&b));
	buf_release(&b);
	return out;
}
