/*
 * emit.h - Python text of a resolved flowgroup.
 *
 * emit/ makes raw text (what `--no-format` writes); emit/format.h turns a batch of
 * raw texts into what goes to disk. Files come out with their path below the
 * output folder. Order, imports and layout: spec/load_transform.md section 1,
 * spec/write_test.md section 11.
 */
#ifndef LHP_EMIT_EMIT_H
#define LHP_EMIT_EMIT_H

#include "model/flowgroup.h"
#include "project/unit.h"

struct out_file {
	struct str path;       /* below the output folder: "PIPELINE/FLOWGROUP.py" */
	struct str raw;        /* text before formatting, normalised (right-trimmed lines, one final newline) */
	bool python;           /* goes through the formatter */
	struct str source;     /* project file it is a copy of, or empty: two sources for one path are LHP-VAL-019 */
	struct mark at;        /* what to blame when it does not parse */
};

struct out_files {
	VEC_OF(struct out_file)
};

/*
 * The module of one flowgroup (none when it has no code) and the users' modules that it brings along, in u->arena.
 * 0, or -1 with findings in u->diags (spec/errors.md, sections 3 step 13-14 and 12).
 */
int flowgroup_emit(struct unit *u, const struct flowgroup *fg, struct out_files *out);

/*
 * Right-trims every line (Unicode line ends), joins with '\n', and ends as the text does: one newline at least, of several one
 * fewer; an empty text stays empty.
 */
struct str text_normalise(struct arena *a, struct str text);

#endif
