/*
 * sandbox_rename.h - inside the sandbox: the set R, and where in a text its members stand.
 *
 * Two names are the same table when their canonical forms agree (graph/tables.h). The
 * functions find places and say what belongs there; `splices_apply` makes the new text.
 * All of it is bounded by the length of the text (times R for names with an unknown part).
 */
#ifndef LHP_BUNDLE_SANDBOX_RENAME_H
#define LHP_BUNDLE_SANDBOX_RENAME_H

#include "base/map.h"
#include "base/vec.h"

/* --- sandbox_names.c --- */
struct renames {
	struct arena *arena;
	struct map full;     /* catalog.schema.table, canonical */
	struct map pair;     /* schema.table -> struct map of its catalogs; "" for none */
	struct str pattern;  /* the namespace put in: "kari_{table}" */
};

void renames_add(struct renames *r, struct str table); /* a name of two or three parts; others are ignored */
bool renames_match(const struct renames *r, struct arena *a, struct str reference);
/* The pattern with a table's name put in. */
struct str renames_leaf(const struct renames *r, struct arena *a, struct str table);
/* The last part of a name renamed, in backticks when it was; the other parts stay. */
struct str renames_last_part(const struct renames *r, struct arena *a, struct str name);
/* The reference renamed when it matches, else itself (the same bytes). */
struct str renames_reference(const struct renames *r, struct arena *a, struct str reference);
/* Does a member agree with these two or three parts (canonical), one of which is unknown (p == NULL)? */
bool renames_may_match(const struct renames *r, const struct str *part, size_t n);

/* --- edits --- */
struct splice {
	size_t at, end;      /* bytes of the old text */
	struct str text;     /* what stands there in the new one */
	struct str name;     /* the reference that was renamed, or empty */
};

struct splices {
	VEC_OF(struct splice) /* do not overlap */
};

void splices_add(struct splices *e, struct arena *a, size_t at, size_t end, struct str text);
struct str splices_apply(struct splices *e, struct arena *a, struct str text); /* sorts them */

/* --- sandbox_sql.c --- */
/* The last parts of members in SQL, where they are code. */
void sql_renames(const struct renames *r, struct arena *a, struct str sql, struct splices *out);
/* Does a byte `mark` stand in a literal or comment? */
bool sql_hides(struct str sql, char mark);
/* End of the name's part at `i`, bare or in backticks; `i` when there is none. */
size_t sql_part_end(struct str sql, size_t i);
/* Behind the dot that follows at `i`, blanks around it passed; `i` when there is none. */
size_t sql_dot_end(struct str sql, size_t i);

/* --- sandbox_fstring.c --- */
enum fstring_verdict {
	FSTRING_NOTHING,
	FSTRING_RENAMED,     /* edits are of the literal's source */
	FSTRING_MISSED,      /* LHP-VAL-066: `name` may be a member */
	FSTRING_UNKNOWN,     /* LHP-VAL-067 */
};

/* Decides on the SQL of an f-string, given as source with prefix and quotes. */
enum fstring_verdict fstring_judge(const struct renames *r, struct arena *a, struct str source, struct splices *out,
                                   struct str *name);

/* --- sandbox_literal.c --- */
struct literal {
	size_t parts;        /* literals side by side */
	bool prefixed, raw, format, escaped; /* any of them */
	size_t quotes;       /* of the first: 1 or 3 */
	size_t body, body_end; /* of the first */
	char quote;
};

/* Source of one string, or of several side by side, without fields. False for anything else. */
bool literal_parts_read(struct str source, struct literal *out);
/* The source of a literal whose value became `value`. */
struct str literal_write(struct arena *a, const struct literal *l, struct str value);

/* --- sandbox_shim.c --- */
/* The definition of __lhp_sandbox_table for R, and the byte of `text` where it belongs. */
struct str shim_text(const struct renames *r, struct arena *a);
size_t shim_place(struct arena *a, struct str text);

#endif
