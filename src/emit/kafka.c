#include "emit/kafka.h"

#include "emit/load.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Client options that exist only with `kafka.` in front. */
static const char *const CLIENT[] = {
	"bootstrap.servers", "group.id", "session.timeout.ms", "heartbeat.interval.ms", "max.poll.records",
	"max.poll.interval.ms", "enable.auto.commit", "auto.commit.interval.ms", "auto.offset.reset",

	"ssl.truststore.location", "ssl.truststore.password", "ssl.truststore.type", "ssl.keystore.location",
	"ssl.keystore.password", "ssl.keystore.type", "ssl.key.password", "ssl.protocol", "ssl.enabled.protocols",
	"ssl.truststore.certificates", "ssl.keystore.certificate.chain", "ssl.keystore.key",

	"sasl.mechanism", "sasl.jaas.config", "sasl.client.callback.handler.class", "sasl.login.callback.handler.class",
	"sasl.login.class", "sasl.kerberos.service.name", "sasl.kerberos.kinit.cmd",
	"sasl.kerberos.ticket.renew.window.factor", "sasl.kerberos.ticket.renew.jitter",
	"sasl.kerberos.min.time.before.relogin", "sasl.login.refresh.window.factor", "sasl.login.refresh.window.jitter",
	"sasl.login.refresh.min.period.seconds", "sasl.login.refresh.buffer.seconds",
	"sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.scope.claim.name", "sasl.oauthbearer.sub.claim.name",
	"security.protocol",

	"connections.max.idle.ms", "request.timeout.ms", "metadata.max.age.ms", "reconnect.backoff.ms",
	"reconnect.backoff.max.ms", "retry.backoff.ms", "fetch.min.bytes", "fetch.max.wait.ms", "fetch.max.bytes",
	"max.partition.fetch.bytes", "check.crcs", "key.deserializer", "value.deserializer",
	"partition.assignment.strategy", "client.id", "client.dns.lookup", "client.rack",
};

/* What an authentication mechanism needs besides its name. */
static const struct {
	const char *mechanism;
	const struct rule *rule;
	const char *needs[5];
} MECHANISM[] = {
	{ "AWS_MSK_IAM", &rule_kafka_msk_incomplete,
	  { "kafka.sasl.jaas.config", "kafka.security.protocol", "kafka.sasl.client.callback.handler.class" } },
	{ "OAUTHBEARER", &rule_kafka_oauth_incomplete,
	  { "kafka.sasl.jaas.config", "kafka.sasl.oauthbearer.token.endpoint.url", "kafka.security.protocol",
	    "kafka.sasl.login.callback.handler.class" } },
};

static int mechanism_check(struct module *m, const struct action *a, const struct node *options, size_t which)
{
	for (const char *const *need = MECHANISM[which].needs; *need != NULL; need++) {
		if (node_has(options, *need))
			continue;
		module_error(m, a, MECHANISM[which].rule, node_get(options, "kafka.sasl.mechanism")->at,
			     "The mechanism %s needs the option `%s`.", MECHANISM[which].mechanism, *need);
		return module_hint(m, "Add `%s` to the options", *need);
	}
	return 0;
}

int kafka_options_check(struct module *m, const struct action *a, const struct node *options)
{
	const struct node *mechanism = node_get(options, "kafka.sasl.mechanism");

	if (options_prefix_check(m, a, options, STR("kafka."), CLIENT, COUNT(CLIENT)) < 0)
		return -1;
	for (size_t i = 0; i < COUNT(MECHANISM); i++)
		if (node_is_str(mechanism) && str_is(mechanism->text, MECHANISM[i].mechanism))
			return mechanism_check(m, a, options, i);
	return 0;
}
