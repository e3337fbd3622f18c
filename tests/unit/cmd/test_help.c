/* test_help.c - the help of every command, held against the tables of commands and options. */
#include "cmd_case.h"

#include "cmd/call.h"
#include "base/utf8.h"

/* The line of `text` whose first words are `option` as help writes it, or an empty one. */
static struct str line_of(struct str text, const struct option *o)
{
	struct str line;

	while (str_cut(&text, '\n', &line)) {
		struct str rest = str_trim(line);

		if (o->brief != NULL && str_starts(rest, str_of(o->brief)))
			rest = str_trim(str_skip(rest, strlen(o->brief) + 1));
		if (str_starts(rest, str_of(o->name)) && (rest.n == strlen(o->name) || rest.p[strlen(o->name)] == ' '))
			return line;
	}
	return STR("");
}

/* Where the texts of the options begin: in one column, or in a line of their own below a long head. */
static void option_check(struct cmd_case *c, const char *path, const struct option *o)
{
	struct str line = line_of(str_of(c->out), o), first = str_of(o->help);

	if (o->help == NULL || o->help[0] == '\0' || o->help[strlen(o->help) - 1] != '.')
		fail_msg("%s: %s is not documented by a sentence", path, o->name);
	if (o->hidden != (line.n == 0))
		fail_msg("%s: %s is %s", path, o->name, o->hidden ? "shown though hidden" : "not in the help");
	if (o->hidden)
		return;
	str_cut(&first, ' ', &first);
	if (!str_has(str_of(c->out), first))
		fail_msg("%s: the text of %s is missing", path, o->name);
	if (o->kind != OPT_FLAG && o->metavar == NULL && o->words == NULL)
		fail_msg("%s: %s takes a value without a name", path, o->name);
}

static void width_check(const char *path, struct str text)
{
	struct str line;

	while (str_cut(&text, '\n', &line))
		if (utf8_len(line) > 80)
			fail_msg("%s: a line is %zu wide: %.*s", path, utf8_len(line), STR_ARG(line));
}

/* `words`: of the command, each with a blank behind it; none for lhp itself. */
static void command_check(struct cmd_case *c, const struct command *command, const char *words)
{
	const char *path = str_fmt(&c->arena, "%s--help", words).p;

	assert_int_equal(case_run(c, path), 0);
	assert_int_equal(c->n_err, 0);
	if (command->summary == NULL || command->summary[0] == '\0')
		fail_msg("%s: no summary", path);
	width_check(path, str_of(c->out));
	option_check(c, path, &option_help);
	for (const struct option *o = command->option; o != NULL && o->name != NULL; o++)
		option_check(c, path, o);
	for (size_t i = 0; command->sub != NULL && command->sub[i] != NULL; i++)
		if (command->sub[i]->hidden != (strstr(c->out, str_fmt(&c->arena, "\n  %s ", command->sub[i]->name).p) == NULL))
			fail_msg("%s: %s", path, command->sub[i]->name);
	for (size_t i = 0; command->sub != NULL && command->sub[i] != NULL; i++)
		command_check(c, command->sub[i], str_fmt(&c->arena, "%s%s ", words, command->sub[i]->name).p);
}

static void every_command_and_option_is_in_the_help(void **state)
{
	struct cmd_case *c = *state;

	command_check(c, &command_root, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(every_command_and_option_is_in_the_help, case_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
