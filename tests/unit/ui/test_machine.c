#include "ui/machine.h"
#include "ui_case.h"

static const struct rule folding = { "flowgroup.x", "LHP-VAL-007", SEV_ERROR, "Failed" };
static const struct rule missing = { "load.path", "LHP-VAL-007", SEV_ERROR, "Key missing" };
static const struct rule old = { "token.bare", "LHP-DEPR-001", SEV_WARNING, "Bare token" };

struct fixture {
	struct arena arena;
	struct diags findings, parts, warnings;
	struct messages messages;
	struct pen pen;
};

static void fixture_init(struct fixture *f)
{
	static const struct origin token = { "token", STR_INIT("c"), { "substitutions/dev.yaml", 2, 3 }, NULL };
	struct diag *d;

	*f = (struct fixture){ 0 };
	f->findings.arena = f->parts.arena = f->warnings.arena = &f->arena;
	d = diag_add(&f->parts, &missing, (struct mark){ "pipelines/a b.yaml", 3, 5 }, "100%% of it:\nall");
	diag_hint(&f->parts, d, "add it\nor not");
	d->via = &token;
	d = diag_add(&f->findings, &folding, (struct mark){ "pipelines/a b.yaml", 1, 1 }, "%s", "");
	d->pipeline = STR("p");
	d->flowgroup = STR("f");
	d->file = "pipelines/a b.yaml";
	d->parts = &f->parts;
	diag_add(&f->warnings, &old, (struct mark){ 0 }, "bad byte \xff");
	f->messages = (struct messages){ .command = "validate",
		                         .env = STR("dev"),
		                         .list = { &f->findings, NULL, &f->warnings },
		                         .status = 1,
		                         .units = 4,
		                         .rebuilt = 1,
		                         .seconds = 0.1234 };
}

static void json_is_one_object_a_line(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	messages_write(&f.pen.buf, MESSAGES_JSON, &f.messages, 1);
	assert_written(
	    &f.pen,
	    "{\"type\":\"finding\",\"env\":\"dev\",\"code\":\"LHP-VAL-007\",\"rule\":\"flowgroup.x\",\"severity\":"
	    "\"error\","
	    "\"title\":\"Failed\",\"hints\":[],\"file\":\"pipelines/a b.yaml\",\"line\":1,\"col\":1,\"pipeline\":\"p\","
	    "\"flowgroup\":\"f\",\"flowgroup_file\":\"pipelines/a b.yaml\",\"parts\":[{\"code\":\"LHP-VAL-007\","
	    "\"rule\":\"load.path\",\"severity\":\"error\",\"title\":\"Key missing\",\"detail\":\"100% of it:\\nall\","
	    "\"hints\":[\"add it\",\"or not\"],\"file\":\"pipelines/a "
	    "b.yaml\",\"line\":3,\"col\":5,\"via\":[{\"what\":\"token\","
	    "\"name\":\"c\",\"file\":\"substitutions/dev.yaml\",\"line\":2,\"col\":3}]}]}\n"
	    "{\"type\":\"finding\",\"env\":\"dev\",\"code\":\"LHP-DEPR-001\",\"rule\":\"token.bare\",\"severity\":"
	    "\"warning\","
	    "\"title\":\"Bare token\",\"detail\":\"bad byte \xef\xbf\xbd\",\"hints\":[]}\n"
	    "{\"type\":\"summary\",\"command\":\"validate\",\"env\":\"dev\",\"status\":1,\"errors\":1,\"warnings\":1,"
	    "\"flowgroups\":4,\"rebuilt\":1,\"written\":0,\"removed\":0,\"seconds\":0.123}\n");
	arena_release(&f.arena);
}

static void github_annotates_each_part(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	messages_write(&f.pen.buf, MESSAGES_GITHUB, &f.messages, 1);
	assert_written(&f.pen,
	               "::error file=pipelines/a b.yaml,line=3,col=5,title=LHP-VAL-007::Key missing%0A100%25 of it:%0A"
	               "all%0A-> add it%0Aor not\n"
	               "::warning title=LHP-DEPR-001::Bare token%0Abad byte \xef\xbf\xbd\n");
	arena_release(&f.arena);
}

static void sarif_holds_each_part_with_its_rule(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	messages_write(&f.pen.buf, MESSAGES_SARIF, &f.messages, 1);
	assert_written(
	    &f.pen,
	    "{\"$schema\":\"https://json.schemastore.org/"
	    "sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":"
	    "{\"name\":\"lhp\",\"rules\":[{\"id\":\"load.path\",\"name\":\"LHP-VAL-007\",\"shortDescription\":{"
	    "\"text\":"
	    "\"Key missing\"}},{\"id\":\"token.bare\",\"name\":\"LHP-DEPR-001\",\"shortDescription\":{\"text\":\"Bare "
	    "token\"}}]}},"
	    "\"columnKind\":\"unicodeCodePoints\",\"results\":[{\"ruleId\":\"load.path\",\"ruleIndex\":0,\"level\":"
	    "\"error\","
	    "\"message\":{\"text\":\"Key missing\\n100% of it:\\nall\\n-> add it\\nor "
	    "not\"},\"locations\":[{\"physicalLocation\":"
	    "{\"artifactLocation\":{\"uri\":\"pipelines/"
	    "a%20b.yaml\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLine\":3,"
	    "\"startColumn\":5}}}],\"relatedLocations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":"
	    "\"substitutions/dev.yaml\",\"uriBaseId\":\"%SRCROOT%\"},\"region\":{\"startLine\":2,\"startColumn\":3}}}],"
	    "\"properties\":{\"code\":\"LHP-VAL-007\",\"env\":\"dev\",\"pipeline\":\"p\",\"flowgroup\":\"f\"}},"
	    "{\"ruleId\":\"token.bare\",\"ruleIndex\":1,\"level\":\"warning\",\"message\":{\"text\":\"Bare token\\nbad "
	    "byte "
	    "\xef\xbf\xbd\"},\"locations\":[],\"properties\":{\"code\":\"LHP-DEPR-001\",\"env\":\"dev\"}}]}]}\n");
	arena_release(&f.arena);
}

static void a_clean_run_is_a_log_without_results(void **state)
{
	struct messages m = { .command = "generate", .env = STR("dev") };
	struct pen p = { 0 };

	(void)state;
	messages_write(&p.buf, MESSAGES_GITHUB, &m, 1);
	assert_int_equal(p.buf.n, 0);
	messages_write(&p.buf, MESSAGES_SARIF, &m, 1);
	assert_true(str_has(buf_str(&p.buf), STR("\"results\":[]")));
	buf_release(&p.buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_is_one_object_a_line),
		cmocka_unit_test(github_annotates_each_part),
		cmocka_unit_test(sarif_holds_each_part_with_its_rule),
		cmocka_unit_test(a_clean_run_is_a_log_without_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
