/*
 * diag.h - what is wrong with the user's project, as values.
 *
 * Libraries append to a list and return; only ui/ prints and only main.c exits.
 * Every finding names a rule: one row of the tables in model/rules_*.def, which
 * gives code (LHP-VAL-007), stable rule name, severity and default title. A
 * finding that folds others (spec: all findings of one flowgroup stand in one
 * LHP-VAL-007) holds them as `parts`.
 *
 * All texts and marks are borrowed from the arena of the list, which must outlive
 * it. A list belongs to one thread.
 */
#ifndef LHP_BASE_DIAG_H
#define LHP_BASE_DIAG_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* A place in a file of the project. line and col count from 1; 0: unknown. */
struct mark {
	const char *file; /* root-relative with '/', or NULL */
	uint32_t line, col;
};

/* One step of how a value came about, innermost first: which token, preset, template… gave it, used where. */
struct origin {
	const char *what;  /* "template", "preset", "token", "variable", "blueprint", "instance", "file" */
	struct str name;   /* its name, or empty */
	struct mark at;    /* the place that this step points at */
	const struct origin *next;
};

enum severity { SEV_ERROR, SEV_WARNING };

struct rule {
	const char *name;     /* stable, "write.replace-where.blank-predicate" */
	const char *code;     /* "LHP-VAL-007" */
	enum severity severity;
	const char *title;    /* one line, without a full stop */
};

struct diag {
	const struct rule *rule;
	struct str title;     /* one line; rule->title when not set */
	struct str detail;    /* what was found and expected; may hold several lines */
	struct str hint;      /* what to do, or empty; several lines are several hints */
	struct mark at;
	const struct origin *via;
	struct str pipeline, flowgroup, action; /* attribution; empty where there is none */
	const char *file;     /* the flowgroup's YAML file, or NULL (at.file may be another one) */
	struct diags *parts;  /* folded findings, or NULL */
};

struct diags {
	struct arena *arena;
	VEC_OF(struct diag)
};

/* Appends a finding. `fmt` makes its detail. The result is good until the next append. */
struct diag *diag_add(struct diags *ds, const struct rule *rule, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
struct diag *diag_vadd(struct diags *ds, const struct rule *rule, struct mark at, const char *fmt, va_list ap);
/* Sets the hint / title of a finding just added. */
void diag_hint(struct diags *ds, struct diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The two as lines of the hint; `first` may be empty. */
void diag_hints(struct diags *ds, struct diag *d, struct str first, const char *second);
void diag_title(struct diags *ds, struct diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Appends copies of all of `from` (texts stay borrowed from its arena). */
void diags_append(struct diags *to, const struct diags *from);
struct str diag_title_of(const struct diag *d);
size_t diags_count(const struct diags *ds, enum severity severity);
static inline bool diags_failed(const struct diags *ds) { return diags_count(ds, SEV_ERROR) > 0; }
/* By file, line, column, code, in place; stable. */
void diags_sort(struct diags *ds);

#endif
