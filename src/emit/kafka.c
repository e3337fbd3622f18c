#include "emit/kafka.h"

#include "emit/load.h"
#include "model/kafka_options.h"

/* Every option that the mechanism in use cannot do without is there, or `rule` stands. */
static int auth_check(struct module *m, const struct action *a, const struct node *options, const struct kafka_auth *auth,
                      const struct rule *rule)
{
	const struct node *mechanism = node_get(options, "kafka.sasl.mechanism");

	if (!str_is(node_str(mechanism), auth->mechanism))
		return 0;
	for (const char *const *need = auth->needs; *need != NULL; need++) {
		if (node_has(options, *need))
			continue;
		module_error(m, a, rule, mechanism->at, "The mechanism %s needs the option `%s`.", auth->mechanism, *need);
		return module_hint(m, "Add `%s` to the options", *need);
	}
	return 0;
}

int kafka_options_check(struct module *m, const struct action *a, const struct node *options)
{
	if (options_prefix_check(m, a, options, STR("kafka."), kafka_needs_prefix) < 0 ||
	    auth_check(m, a, options, &kafka_msk, &rule_kafka_msk_incomplete) < 0)
		return -1;
	return auth_check(m, a, options, &kafka_oauth, &rule_kafka_oauth_incomplete);
}
