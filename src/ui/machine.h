/*
 * machine.h - findings for machines: JSON lines, SARIF 2.1.0, annotations of GitHub.
 *
 * The same values that people see as text. The schema of the JSON lines is
 * docs/message-format.md; it only grows. A finding that folds others is one JSON object
 * with `parts`; in SARIF and annotations each part stands for itself.
 */
#ifndef LHP_UI_MACHINE_H
#define LHP_UI_MACHINE_H

#include "base/diag.h"

enum message_format { MESSAGES_TEXT, MESSAGES_JSON, MESSAGES_SARIF, MESSAGES_GITHUB };

/* All findings of one environment, and how it ended. */
struct messages {
	const char *command;   /* "validate" */
	struct str env;
	const struct diags *list[3]; /* in the order to print; may hold NULL */
	int status;
	size_t units, rebuilt, written, removed;
	double seconds;
};

/* "json" to its format; text for anything else. */
enum message_format message_format_of(struct str name);
void messages_write(struct buf *b, enum message_format format, const struct messages *m, size_t n);

#endif
