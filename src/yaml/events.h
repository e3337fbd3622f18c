/*
 * events.h - libyaml's events, cut down to what PyYAML accepts.
 *
 * Faults are set in the tree's result, with one line of text and the place. Where
 * libyaml is stricter than PyYAML the text is repaired and read again.
 */
#ifndef LHP_YAML_EVENTS_H
#define LHP_YAML_EVENTS_H

#include "yaml/tree.h"

#include <yaml.h>

struct events {
	yaml_parser_t parser;
	struct tree *tree; /* for faults */
	const char *file;
	struct str bytes;
	struct buf repaired; /* `bytes` after repairs */
	struct {
		VEC_OF(struct mark)
	} repairs;   /* places of characters put in, in the text as it was then */
	bool again;  /* a repair was made: read from the start */
	size_t flow; /* open collections, from the outermost in [] or {} on */
	struct {
		bool on;          /* the text has tabs: libyaml is laxer with them */
		size_t at, index; /* byte and character behind the last event */
	} tabs;
};

/* `bytes` must outlive the events; a byte order mark is skipped. */
void events_open(struct events *ev, struct tree *t, const char *file, struct str bytes);
/* False: not UTF-8, faulted. To be asked before the first event. */
bool events_check_encoding(struct events *ev);
void events_close(struct events *ev);
/* Next event, to be given to yaml_event_delete. False: faulted. */
bool events_next(struct events *ev, yaml_event_t *e);
/* True after a repair of the text: whatever was read is void, the events begin anew. */
bool events_restart(struct events *ev);
struct mark events_mark(const struct events *ev, yaml_mark_t m);
/* A scalar's value where it stands in the file, if it stands there as it is; else p == NULL. */
struct str events_literal(const struct events *ev, const yaml_event_t *e);

#endif
