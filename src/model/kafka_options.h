/*
 * kafka_options.h - names of Kafka client settings, which Spark wants behind `kafka.`.
 *
 * Loads and sinks have the same rules (spec/errors.md, section 12).
 */
#ifndef LHP_MODEL_KAFKA_OPTIONS_H
#define LHP_MODEL_KAFKA_OPTIONS_H

#include "base/str.h"

/* A client setting written without its prefix. Other names pass. */
bool kafka_needs_prefix(struct str option);

/* Options that a value of kafka.sasl.mechanism cannot do without. */
struct kafka_auth {
	const char *mechanism;
	const char *const *needs; /* ends with NULL */
};

extern const struct kafka_auth kafka_msk, kafka_oauth;

#endif
