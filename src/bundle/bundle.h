/*
 * bundle.h - is this project a Databricks Asset Bundle, and the settings of its pipelines (spec/bundle.md, sections 2 to 4).
 */
#ifndef LHP_BUNDLE_BUNDLE_H
#define LHP_BUNDLE_BUNDLE_H

#include "bundle/config.h"
#include "project/unit.h"

struct bundle {
	struct unit *unit;            /* of the environment: tokens, trace, findings */
	const struct pipeline_config *config; /* NULL: no -pc, or not read */
	struct str config_path;       /* as given with -pc, or empty */
	struct str monitoring;        /* name of the monitoring pipeline, or empty */
};

/* Does a file databricks.yml stand in the root? */
bool bundle_exists(struct project *p, struct trace *t);

/*
 * Reads the -pc file of a run. `required`: the bundle is on. 0, or -1 with a finding: LHP-CFG-023 when it is
 * required and not given, faults of the file.
 */
int bundle_config_read(struct bundle *b, bool required);

/* The settings of a pipeline as its resource file shows them: merged, event log put in, tokens replaced, without packaging. */
const struct node *bundle_settings(struct bundle *b, struct str pipeline);
/* Do a pipeline's merged settings say `event_log: false`? Nothing else is a refusal. */
bool event_log_refused(const struct node *settings);
/* "wheel" or "source". */
struct str bundle_packaging(struct bundle *b, struct str pipeline);

/* Checks of all pipelines: LHP-CFG-026, then LHP-CFG-010. 0, or -1 with findings. */
int bundle_check(struct bundle *b, const struct str *pipeline, size_t n);

/* `${secret:S/K}` as a bundle file refers to it, {{secrets/S/K}}. */
struct str bundle_secrets(struct arena *a, struct str text);
/* So in every text of a value. */
const struct node *bundle_secrets_apply(struct arena *a, const struct node *n);
/* The next plain ${name} (letters, digits, _) at or after *at: moves *at behind it. False when there is none. */
bool plain_token_next(struct str text, size_t *at, struct str *name);

#endif
