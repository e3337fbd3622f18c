#include "model/kafka_options.h"

static const char *const client_options[] = {
	"bootstrap.servers", "group.id", "session.timeout.ms", "heartbeat.interval.ms", "max.poll.records",
	"max.poll.interval.ms", "enable.auto.commit", "auto.commit.interval.ms", "auto.offset.reset",
	"ssl.truststore.location", "ssl.truststore.password", "ssl.truststore.type", "ssl.keystore.location",
	"ssl.keystore.password", "ssl.keystore.type", "ssl.key.password", "ssl.protocol", "ssl.enabled.protocols",
	"ssl.truststore.certificates", "ssl.keystore.certificate.chain", "ssl.keystore.key", "sasl.mechanism",
	"sasl.jaas.config", "sasl.client.callback.handler.class", "sasl.login.callback.handler.class", "sasl.login.class",
	"sasl.kerberos.service.name", "sasl.kerberos.kinit.cmd", "sasl.kerberos.ticket.renew.window.factor",
	"sasl.kerberos.ticket.renew.jitter", "sasl.kerberos.min.time.before.relogin", "sasl.login.refresh.window.factor",
	"sasl.login.refresh.window.jitter", "sasl.login.refresh.min.period.seconds", "sasl.login.refresh.buffer.seconds",
	"sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.scope.claim.name", "sasl.oauthbearer.sub.claim.name",
	"security.protocol", "connections.max.idle.ms", "request.timeout.ms", "metadata.max.age.ms",
	"reconnect.backoff.ms", "reconnect.backoff.max.ms", "retry.backoff.ms", "fetch.min.bytes", "fetch.max.wait.ms",
	"fetch.max.bytes", "max.partition.fetch.bytes", "check.crcs", "key.deserializer", "value.deserializer",
	"partition.assignment.strategy", "client.id", "client.dns.lookup", "client.rack",
};

static const char *const msk_needs[] = { "kafka.sasl.jaas.config", "kafka.security.protocol",
	                                 "kafka.sasl.client.callback.handler.class", NULL };
static const char *const oauth_needs[] = { "kafka.sasl.jaas.config", "kafka.sasl.oauthbearer.token.endpoint.url",
	                                   "kafka.security.protocol", "kafka.sasl.login.callback.handler.class", NULL };

const struct kafka_auth kafka_msk = { "AWS_MSK_IAM", msk_needs };
const struct kafka_auth kafka_oauth = { "OAUTHBEARER", oauth_needs };

bool kafka_needs_prefix(struct str option)
{
	for (size_t i = 0; i < sizeof client_options / sizeof *client_options; i++)
		if (str_is(option, client_options[i]))
			return true;
	return false;
}
