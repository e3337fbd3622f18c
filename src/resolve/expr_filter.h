/*
 * expr_filter.h - the filters that work on sequences, for the table in expr_filter.c.
 */
#ifndef LHP_RESOLVE_EXPR_FILTER_H
#define LHP_RESOLVE_EXPR_FILTER_H

#include "resolve/expr_ops.h"

#define FILTER(name)                                                                                                  \
	static struct val *filter_##name(struct render *r, struct val *v, struct val **arg, const struct args *args)
#define SEQUENCE_FILTER(name)                                                                                         \
	struct val *filter_##name(struct render *r, struct val *v, struct val **arg, const struct args *args)

SEQUENCE_FILTER(batch);
SEQUENCE_FILTER(dictsort);
SEQUENCE_FILTER(first);
SEQUENCE_FILTER(groupby);
SEQUENCE_FILTER(items);
SEQUENCE_FILTER(join);
SEQUENCE_FILTER(last);
SEQUENCE_FILTER(length);
SEQUENCE_FILTER(list);
SEQUENCE_FILTER(map);
SEQUENCE_FILTER(max);
SEQUENCE_FILTER(min);
SEQUENCE_FILTER(reject);
SEQUENCE_FILTER(rejectattr);
SEQUENCE_FILTER(reverse);
SEQUENCE_FILTER(select);
SEQUENCE_FILTER(selectattr);
SEQUENCE_FILTER(slice);
SEQUENCE_FILTER(sort);
SEQUENCE_FILTER(sum);
SEQUENCE_FILTER(unique);

#endif
