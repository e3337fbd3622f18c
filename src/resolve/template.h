/*
 * template.h - templates/NAME.yaml, and the actions that a flowgroup makes of one.
 *
 * Rules: spec/resolve.md, section 7. Files are read on first use and kept for the
 * run; threads may ask at the same time. A template that can be used is recorded as
 * DEP_NODE "templates/NAME.yaml#0", one that cannot as its file and the folder.
 */
#ifndef LHP_RESOLVE_TEMPLATE_H
#define LHP_RESOLVE_TEMPLATE_H

#include "project/project.h"
#include "project/unit.h"

struct template {
	struct str name;          /* as used: the path below templates/ without .yaml */
	const char *file;
	const struct node *node;
	const struct node *presets, *parameters, *actions; /* lists, or NULL */
};

void templates_release(struct project *p);

/* Must users give the parameter? Any value that is true for Python says so, the text "no" among them, as in the peer. */
bool template_requires(const struct node *parameter);

/* NULL with a finding (LHP-CFG-027). `use` is the value of use_template. */
const struct template *template_find(struct unit *u, const struct node *use);

/*
 * The template's actions for these parameters (the value of template_parameters, or NULL), appended to the
 * list `out`. 0, or -1 with a finding: CFG-012, VAL-009, CFG-071, IO-001, and the shapes of spec/errors.md, section 9.
 */
int template_expand(struct unit *u, const struct template *t, const struct node *use, const struct node *parameters,
                    struct node *out);

/* What a rendered text becomes: spec/resolve.md, section 7, 1-6. `text_only` leaves numbers as text. NULL with a finding. */
const struct node *template_value(struct unit *u, const struct node *from, struct str text, bool text_only);

#endif
