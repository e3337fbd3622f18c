/*
 * fields.h - every key that a user can write, once.
 *
 * One table per thing that YAML describes (an entity): flowgroup, action, load
 * source, write target and its blocks, lhp.yaml and its parts, template, preset,
 * blueprint, instance, substitutions. The tables drive shapes (shape.h), unknown
 * keys and their suggestions, types, defaults, and the JSON schemas. Adding a
 * field is one line in fields_flowgroup.c or fields_project.c.
 *
 * An entity may come in kinds (a load source: cloudfiles, delta, …); a row says
 * by bits which kinds have the key and which cannot do without it. A key that
 * means different things to two kinds has two rows.
 */
#ifndef LHP_MODEL_FIELDS_H
#define LHP_MODEL_FIELDS_H

#include "yaml/node.h"

enum {                             /* what is accepted: any of the bits */
	FIELD_TEXT = 1 << 0,
	FIELD_BOOL = 1 << 1,
	FIELD_INT = 1 << 2,
	FIELD_NUMBER = 1 << 3,
	FIELD_TEXTS = 1 << 4,      /* a list of text */
	FIELD_MAPS = 1 << 5,       /* a list of maps (of `of`) */
	FIELD_MIXED = 1 << 6,      /* a list of text or maps */
	FIELD_LIST = 1 << 7,       /* a list; each item (of `of`) is judged by who reads it */
	FIELD_MAP = 1 << 8,        /* a map (of `of`) */
	FIELD_TEXT_KEYS = 1 << 9,  /* a map (of `of`) whose keys are text */
	FIELD_TEXT_MAP = 1 << 10,  /* a map from text to text */
	FIELD_NAMED = 1 << 11,     /* a map from names to texts or to maps of `of` */
	FIELD_ANY = 1 << 12,
	FIELD_ITEMS = FIELD_TEXTS | FIELD_MAPS | FIELD_MIXED,
	FIELD_REQUIRED = 1 << 13,  /* the document is misshapen without it */
	FIELD_NOT_NULL = 1 << 14,  /* null is a wrong type, not an absence */
	FIELD_LOOSE = 1 << 15,     /* a bool may be yes, "on", 0 …, an integer "7" or 7.0 */
	FIELD_WORD = 1 << 16,      /* a text that is none of `values` is misshapen */
	FIELD_CHECKED = 1 << 17,   /* type and value are a rule of their own, not of the shape */
	FIELD_FILLED = 1 << 18,    /* a list or map may not be empty, a text not blank */
	FIELD_PATH = 1 << 19,      /* names a file: '\' counts as '/' */
	FIELD_INHERITED = 1 << 20, /* entries of `flowgroups` take it over from their document */
};

struct field {
	const char *name;
	unsigned type;             /* FIELD_ bits */
	unsigned used_by;          /* kinds that have the key; 0: all */
	unsigned needed_by;        /* kinds that need it given */
	const char *doc;
	const char *fallback;      /* default: a bare word, or JSON; or NULL */
	const char *values;        /* the only values, separated by blanks, or NULL */
	const struct entity *of;   /* shape of the map, or of each value or item; or NULL */
};

struct entity {
	const char *name;          /* "source", "cdc_config", "lhp.yaml" … */
	const char *doc;
	const char *by;            /* key that tells the kind ("type"), or NULL */
	const char *const *kind;   /* names of bit 0, 1, …; ends with NULL. NULL: no kinds */
	const struct field *field;
	size_t n;
	bool closed;               /* an unknown key is a finding */
};

extern const struct entity entity_flowgroup, entity_action, entity_source, entity_write_target, entity_sink,
    entity_cdc, entity_snapshot_cdc, entity_source_function, entity_replace, entity_replace_where,
    entity_quarantine, entity_expectation;
extern const struct entity entity_project, entity_metadata_column, entity_metadata_preset, entity_event_log, entity_monitoring,
    entity_monitoring_view, entity_uc_tagging, entity_sandbox, entity_sandbox_profile, entity_template,
    entity_template_parameter, entity_preset, entity_blueprint, entity_blueprint_parameter, entity_instance,
    entity_substitutions, entity_tags_file, entity_tags_column;

/* Bit of a kind by name; 0 when there is no such kind. */
unsigned entity_kind(const struct entity *e, struct str kind);
/* Row of `key` for one of `kinds` (0: any), or NULL. */
const struct field *field_find(const struct entity *e, unsigned kinds, struct str key);
bool field_is_of(const struct field *f, unsigned kinds);
/* Names of the keys of these kinds, each once, in table order. Returns how many; `out` has room for e->n. */
size_t field_names(const struct entity *e, unsigned kinds, struct str *out);
/* Does the value have one of the row's types? Null and absent: unless FIELD_NOT_NULL. */
bool field_accepts(const struct field *f, const struct node *value);
bool field_accepts_item(const struct field *f, const struct node *item); /* of a list, by FIELD_ITEMS */
/* Is the text one of f->values? True when there are none. */
bool field_has_value(const struct field *f, struct str text);
/* "a text or a list of text" for messages. */
struct str field_type_name(struct arena *a, const struct field *f);
/* f->values as "a, b or c". */
struct str field_values(struct arena *a, const struct field *f);

/* The text of a key; when it is absent or null, its default (empty when it has none). Other values: the empty text. */
struct str entity_text(const struct entity *e, const struct node *map, const char *key);
/* A flag: true, yes, on, 1, t, y in any case, or 1; when absent or null, its default. */
bool entity_truth(const struct entity *e, const struct node *map, const char *key);
int64_t entity_int(const struct entity *e, const struct node *map, const char *key); /* of a key or its default */

#endif
