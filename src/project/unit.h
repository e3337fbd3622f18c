/*
 * unit.h - one piece of work: a flowgroup in one environment, or a check of the whole project.
 *
 * The stages of a run (resolve, check, emit) are functions of a unit. They read
 * only through the project's door, record in the unit's trace, report in its
 * diags, and put what they make into its arena. Units of one run are worked on
 * by several threads; a unit belongs to one.
 */
#ifndef LHP_PROJECT_UNIT_H
#define LHP_PROJECT_UNIT_H

#include "base/diag.h"
#include "cache/trace.h"

struct project; /* project/project.h */
struct tokens;  /* resolve/token.h */
struct sandbox; /* bundle/sandbox.h */

/* One environment under one set of options that change what is made. */
struct env {
	struct str name;
	const struct tokens *tokens;
	bool include_tests;
	bool keep_tokens;        /* `lhp dag`: no substitution file, tokens stay (spec: dag, section 2) */
	const struct sandbox *sandbox; /* NULL without --sandbox */
	struct hash128 sandbox_hash;   /* what DEP_ENV "--sandbox" is */
};

/* What DEP_ENV "--include-tests" is: a unit whose actions hold a test depends on it. */
struct hash128 include_tests_hash(const struct env *env);

struct unit {
	struct project *project;
	const struct env *env;
	struct arena *arena;
	struct trace *trace;
	struct diags *diags;
	/* Attribution of findings; set once by whoever starts the unit. */
	struct str pipeline, flowgroup;
	const char *file;
};

/* diag_add with the unit's attribution filled in. */
struct diag *unit_diag(struct unit *u, const struct rule *rule, struct mark at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
struct diag *unit_vdiag(struct unit *u, const struct rule *rule, struct mark at, const char *fmt, va_list ap);
/* Gives the unit's attribution to the findings from position `from` on. */
void unit_own(struct unit *u, size_t from);

#endif
