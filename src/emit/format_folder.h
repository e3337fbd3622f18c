/*
 * format_folder.h - the folder that copies of texts lie in for the formatter.
 *
 * It is locked (flock) as long as it is in use. One that a killed run left is locked by nobody: whoever makes another in the same place
 * removes those that have been so for a minute.
 */
#ifndef LHP_EMIT_FORMAT_FOLDER_H
#define LHP_EMIT_FORMAT_FOLDER_H

#include "base/fs.h"

struct format_folder {
	struct fs fs; /* at the folder; zeroed: there is none */
	int lock;
};

/* Makes one in the absolute folder `where`, private to the user. 0, or a negative errno. */
int format_folder_make(struct format_folder *f, struct arena *a, const char *where);
/* It goes, with all that is in it; fine when there is none. */
void format_folder_remove(struct format_folder *f);

#endif
