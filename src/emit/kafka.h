/*
 * kafka.h - the rules of Kafka options, the same for loads and sinks (spec/load_transform.md 3.5).
 */
#ifndef LHP_EMIT_KAFKA_H
#define LHP_EMIT_KAFKA_H

#include "emit/module.h"

/*
 * LHP-CFG-001 for a client option without `kafka.`, LHP-VAL-017 and LHP-VAL-018 for incomplete authentication. 0, or -1
 * with a finding of the action. `options` is a map.
 */
int kafka_options_check(struct module *m, const struct action *a, const struct node *options);

#endif
