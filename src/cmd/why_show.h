/*
 * why_show.h - what `lhp why` found out, as text and as JSON.
 *
 * Private to cmd/why*.c. Everything is in the arena of the call; texts are made in w->out.
 */
#ifndef LHP_CMD_WHY_SHOW_H
#define LHP_CMD_WHY_SHOW_H

#include "build/resources.h"
#include "build/why.h"
#include "cmd/call.h"
#include "cmd/readers.h"

struct place {
	struct str pipeline, flowgroup;
	const char *file;
};

struct places {
	struct arena *arena;
	VEC_OF(struct place)
};

/* Deleted or edited by hand. */
struct bad_output {
	struct str path;
	bool edited;
};

/* One flowgroup that was asked for. */
struct answer {
	struct str pipeline, flowgroup;
	const struct snapshot_unit *unit;  /* NULL: it is gone */
	const struct stored_unit *stored;  /* NULL: no trace */
	struct differences why;
	struct { VEC_OF(struct bad_output) } bad_output;
	struct { VEC_OF(struct str) } new_table;
	struct places readers;             /* of the new tables, in other pipelines */
};

struct why {
	struct call *call;
	struct arena *arena;
	struct str what, env, no_store;
	struct store *store;
	struct stored stored;
	struct snapshot now;
	struct resources around;
	struct readers lineage;
	bool has_lineage, json;
	struct buf out;
};

void why_answer_text(struct why *w, const struct answer *a);
void why_answer_json(struct why *w, const struct answer *a);
/* Of a file that no flowgroup made, but the run as a whole: its path stands for the flowgroup's name. */
void why_output_text(struct why *w, const struct answer *a);
void why_output_json(struct why *w, const struct answer *a, const struct trace *t);
/* "{"what": …, "kind": …, "env": …" without the closing brace. */
void why_json_open(struct why *w, const char *kind);
void places_text(struct buf *b, const char *head, const struct places *list);
void places_json(struct buf *b, const char *key, const struct places *list);

#endif
