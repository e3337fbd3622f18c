/*
 * resolve.h - from a flowgroup as written to one whose every value is final.
 *
 * Local variables, template, test actions dropped, presets, tokens and secrets,
 * leftover check, namespaces, operational metadata columns (spec/resolve.md,
 * section 0, steps 1-7; spec/errors.md section 3, steps 1-8, 10 and 12). The first step that fails
 * ends the flowgroup.
 */
#ifndef LHP_RESOLVE_RESOLVE_H
#define LHP_RESOLVE_RESOLVE_H

#include "model/flowgroup.h"
#include "project/discover.h"
#include "project/unit.h"

/* Frees what the run's project read of presets, templates and flowgroups, and its memory of Python. */
void project_release(struct project *p);
/* The project's memory of Python texts, made when it is first asked for. From any thread. */
struct py_memory *project_python(struct project *p);

/*
 * The names of a flowgroup as they end up, its variables and tokens resolved; what cannot be
 * resolved stays as written. Records the tokens that they hold.
 */
void flowgroup_names(struct unit *u, const struct flowgroup_source *src, struct str *pipeline, struct str *name);

/*
 * 0 with *out filled, or -1 with findings in u->diags. Warnings may be there in both cases. For `lhp dag` (env->keep_tokens) a
 * step that fails is passed over, and *out is filled in both cases, as far as it goes.
 */
int flowgroup_resolve(struct unit *u, const struct flowgroup_source *src, struct flowgroup *out);

/*
 * Steps that follow the rules of check/ (spec/errors.md, section 3): metadata expressions, which fills
 * action->meta, and secret names. 0, or -1 with a finding.
 */
int flowgroup_resolve_late(struct unit *u, struct flowgroup *fg);

#endif
