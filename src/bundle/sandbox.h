/*
 * sandbox.h - a developer's own tables beside the shared ones (spec/bundle.md, section 10).
 *
 * A sandbox run generates the pipelines that .lhp/profile.yaml names, and renames
 * the tables which these write (the set R) wherever they stand: in the flowgroups
 * once they are resolved, in SQL, in Python. What others write is read as it is.
 *
 *	s = sandbox_open(…);                        profile, environment, scope
 *	sandbox_table_add(s, …) for every table     of every flowgroup, in scope or not
 *	sandbox_seal(s, ds);                        R is complete: LHP-VAL-065
 *	env.sandbox = s; env.sandbox_hash = sandbox_hash(s);
 *	sandbox_flowgroup_rename(u, fg); … sandbox_files_rewrite(u, &files);
 *
 * Sealed it is immutable: threads share it. It lives in the arena of sandbox_open. What a unit
 * makes of it depends on R as a whole: the unit's trace gets DEP_ENV "--sandbox".
 */
#ifndef LHP_BUNDLE_SANDBOX_H
#define LHP_BUNDLE_SANDBOX_H

#include "emit/emit.h"
#include "model/sources.h"
#include "project/project.h"

struct sandbox;

/*
 * Reads profile and settings for a run in `env`; `pipeline` are the names of all pipelines, sorted. NULL with the first
 * finding: LHP-IO-025, LHP-CFG-064, LHP-CFG-065, LHP-VAL-064.
 */
struct sandbox *sandbox_open(struct project *p, struct trace *t, struct arena *a, struct str env,
                             const struct str *pipeline, size_t n, struct diags *ds);
bool sandbox_has_pipeline(const struct sandbox *s, struct str pipeline);

/* The tables that a resolved flowgroup writes: targets with catalog, schema and table; tableName of delta sinks. */
void sandbox_tables_written(struct arena *a, const struct flowgroup *fg, struct names *out);
/* A table that `pipeline` writes. It must live as long as the sandbox. */
void sandbox_table_add(struct sandbox *s, struct str table, struct str pipeline);
/* One LHP-VAL-065 for the tables of R that others write too. */
void sandbox_seal(struct sandbox *s, struct diags *ds);
/* Of all that a unit's result can depend on: names, pattern and scope. */
struct hash128 sandbox_hash(const struct sandbox *s);

/* The name in the sandbox of something named `table`, a member of R or not (event logs); no dots, no backticks. */
struct str sandbox_table_name(const struct sandbox *s, struct arena *a, struct str table);

/* A name as it is in the sandbox: renamed when it is in R. For code made from facts, which hold shared names. */
struct str sandbox_reference(const struct sandbox *s, struct arena *a, struct str name);

/* Renames in the values of a resolved flowgroup; once it was checked and its facts were taken, both of shared names. */
void sandbox_flowgroup_rename(struct unit *u, struct flowgroup *fg);
/*
 * Renames in the Python texts of a flowgroup. What cannot be renamed is a warning for its file, named by its path below
 * the output folder: LHP-VAL-066, LHP-VAL-067. 0, or -1 with a finding when a result is no Python.
 */
int sandbox_files_rewrite(struct unit *u, struct out_files *files);

#endif
