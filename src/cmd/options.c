#include "cmd/options.h"

#include "base/vec.h"
#include "model/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

const struct option option_help = { "--help", "-h", OPT_FLAG, .help = "Show this message and exit." };

struct parser {
	struct arena *arena;
	const struct path_check *check;
	char *const *argv;
	int argc, next;
	struct parsed *out;
	struct args *args; /* of the level being read */
	bool help, version;
	struct {
		VEC_OF(struct str)
	} words;
};

static int bad(struct parser *p, struct str problem)
{
	p->out->outcome = PARSE_BAD;
	p->out->problem = problem;
	return -1;
}

static size_t option_count(const struct command *c)
{
	size_t n = 0;

	while (c->option != NULL && c->option[n].name != NULL)
		n++;
	return n;
}

static bool is_long_style(const char *name)
{
	return name != NULL && name[0] == '-' && name[1] != '\0' && name[2] != '\0';
}

/* The option that `word` names in full, long style only ("--env", "-pc"). */
static const struct option *long_find(const struct command *c, struct str word)
{
	for (size_t i = 0, n = option_count(c); i < n; i++)
		if (str_is(word, c->option[i].name) ||
		    (is_long_style(c->option[i].brief) && str_is(word, c->option[i].brief)))
			return &c->option[i];
	return str_is(word, option_help.name) ? &option_help : NULL;
}

static const struct option *short_find(const struct command *c, char letter)
{
	for (size_t i = 0, n = option_count(c); i < n; i++)
		if (c->option[i].brief != NULL && !is_long_style(c->option[i].brief) && c->option[i].brief[1] == letter)
			return &c->option[i];
	return letter == 'h' ? &option_help : NULL;
}

static void option_set(struct parser *p, const struct option *o, struct str value)
{
	if (o == &option_help) {
		p->help = true;
		return;
	}
	if (strcmp(o->name, "--version") == 0)
		p->version = true;
	struct option_value *v = &p->args->value[o - p->args->command->option];
	v->times++;
	if (o->kind != OPT_FLAG)
		v->text = value;
}

/* Takes the next word as the value of `o`, which was written as `name`. */
static int value_next(struct parser *p, const struct option *o, struct str name)
{
	if (p->next >= p->argc)
		return bad(p, str_fmt(p->arena, "Option '%.*s' requires an argument.", STR_ARG(name)));
	option_set(p, o, str_of(p->argv[p->next++]));
	return 0;
}

static int unknown_option(struct parser *p, struct str name)
{
	const struct command *c = p->args->command;
	struct str known[64];
	size_t n = 0;

	for (size_t i = 0; i < option_count(c) && n < 63; i++)
		if (!c->option[i].hidden)
			known[n++] = str_of(c->option[i].name);
	known[n++] = str_of(option_help.name);
	if (name.n > 2)
		p->out->hint = suggest_question(p->arena, name, known, n, 1);
	return bad(p, str_fmt(p->arena, "No such option '%.*s'.", STR_ARG(name)));
}

static int long_read(struct parser *p, const struct option *o, struct str name, const struct str *value)
{
	if (o->kind == OPT_FLAG && value != NULL)
		return bad(p, str_fmt(p->arena, "Option '%.*s' does not take a value.", STR_ARG(name)));
	if (o->kind != OPT_FLAG && value == NULL)
		return value_next(p, o, name);
	option_set(p, o, value != NULL ? *value : STR_NONE);
	return 0;
}

/* "-sv", "-edev", "-e" "dev". */
static int short_read(struct parser *p, struct str word)
{
	for (size_t i = 1; i < word.n; i++) {
		const struct option *o = short_find(p->args->command, word.p[i]);
		struct str name = str_fmt(p->arena, "-%c", word.p[i]);

		if (o == NULL)
			return unknown_option(p, i == 1 && word.n > 2 ? word : name);
		if (o->kind != OPT_FLAG && i + 1 < word.n) {
			option_set(p, o, str_skip(word, i + 1));
			return 0;
		}
		if (o->kind != OPT_FLAG)
			return value_next(p, o, name);
		option_set(p, o, STR_NONE);
	}
	return 0;
}

static int option_read(struct parser *p, struct str word)
{
	ptrdiff_t equals = str_find_char(word, '=', 0);
	struct str name = equals < 0 ? word : str_sub(word, 0, (size_t)equals);
	struct str value = equals < 0 ? STR_NONE : str_skip(word, (size_t)equals + 1);
	const struct option *o = long_find(p->args->command, name);

	if (o != NULL)
		return long_read(p, o, name, equals < 0 ? NULL : &value);
	if (str_starts(word, STR("--")))
		return unknown_option(p, name);
	return short_read(p, word);
}

static void level_enter(struct parser *p, const struct command *c)
{
	size_t n = option_count(c);

	p->args = &p->out->level[p->out->n++];
	*p->args = (struct args){ .command = c, .value = ARENA_ARRAY(p->arena, struct option_value, n + 1) };
	for (size_t i = 0; i < n; i++)
		if (c->option[i].initial != NULL)
			p->args->value[i].text = str_of(c->option[i].initial);
}

/* Options and words of one level. A group stops at its first word, which names the command. */
static int level_read(struct parser *p)
{
	bool group = p->args->command->sub != NULL;

	p->words.p = NULL;
	p->words.n = p->words.cap = 0;
	while (p->next < p->argc) {
		struct str word = str_of(p->argv[p->next]);

		if (word.n > 1 && word.p[0] == '-') {
			p->next++;
			if (str_is(word, "--"))
				break;
			if (option_read(p, word) != 0)
				return -1;
			continue;
		}
		if (group)
			break;
		p->next++;
		*VEC_PUSH(&p->words, p->arena) = word;
	}
	while (!group && p->next < p->argc)
		*VEC_PUSH(&p->words, p->arena) = str_of(p->argv[p->next++]);
	p->args->word = p->words.p;
	p->args->n = p->words.n;
	return 0;
}

static bool word_allowed(const char *words, struct str word)
{
	struct str rest = str_of(words), one;

	while (str_cut(&rest, '|', &one))
		if (str_eq_nocase(one, word))
			return true;
	return false;
}

static struct str words_listed(struct arena *a, const char *words)
{
	return str_replace(a, str_of(words), STR("|"), STR(", "));
}

static struct str wrong_value(struct parser *p, const struct option *o, struct str what)
{
	return str_fmt(p->arena, "Invalid value for '%s': %.*s", o->name, STR_ARG(what));
}

static int number_read(struct parser *p, const struct option *o, struct option_value *v)
{
	const char *text = str_cstr(p->arena, v->text);
	char *end;

	errno = 0;
	v->number = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0)
		return bad(p, wrong_value(p, o, str_fmt(p->arena, "'%s' is not a valid integer.", text)));
	if (o->kind == OPT_POSITIVE && v->number < 1)
		return bad(p, wrong_value(p, o, str_fmt(p->arena, "%s is not in the range x>=1.", text)));
	return 0;
}

static int words_read(struct parser *p, const struct option *o, struct str text)
{
	struct str rest = text, word, known = words_listed(p->arena, o->words);

	while (str_cut(&rest, ',', &word)) {
		word = str_trim(word);
		if (word.n != 0 && !word_allowed(o->words, word))
			return bad(
			    p, wrong_value(
			           p, o, str_fmt(p->arena, "'%.*s' is none of %.*s.", STR_ARG(word), STR_ARG(known))));
	}
	return 0;
}

static int path_read(struct parser *p, const struct option *o, struct str path)
{
	const struct path_check *c = p->check;

	if (c == NULL)
		return 0;
	if (o->kind == OPT_FILE && c->is_dir(c->ctx, path))
		return bad(p, wrong_value(p, o, str_fmt(p->arena, "'%.*s' is a folder, not a file.", STR_ARG(path))));
	if (o->kind == OPT_FOLDER && c->is_file(c->ctx, path))
		return bad(p, wrong_value(p, o, str_fmt(p->arena, "'%.*s' is a file, not a folder.", STR_ARG(path))));
	return 0;
}

static int value_check(struct parser *p, const struct option *o, struct option_value *v)
{
	if (o->required && v->times == 0)
		return bad(p, o->brief != NULL ? str_fmt(p->arena, "Missing option '%s' / '%s'.", o->name, o->brief)
		                               : str_fmt(p->arena, "Missing option '%s'.", o->name));
	if (v->text.p == NULL)
		return 0;
	switch (o->kind) {
	case OPT_INT:
	case OPT_POSITIVE: return number_read(p, o, v);
	case OPT_CHOICE:
		if (word_allowed(o->words, v->text))
			return 0;
		return bad(p, wrong_value(p, o,
		                          str_fmt(p->arena, "'%.*s' is not one of %.*s.", STR_ARG(v->text),
		                                  STR_ARG(words_listed(p->arena, o->words)))));
	case OPT_WORDS: return words_read(p, o, v->text);
	case OPT_FILE:
	case OPT_FOLDER: return path_read(p, o, v->text);
	case OPT_FLAG:
	case OPT_TEXT: return 0;
	}
	return 0;
}

/* Values and words of the level just read; help and version were asked for before. */
static int level_check(struct parser *p)
{
	const struct command *c = p->args->command;

	for (size_t i = 0, n = option_count(c); i < n; i++)
		if (value_check(p, &c->option[i], &p->args->value[i]) != 0)
			return -1;
	if (c->sub != NULL)
		return 0;
	if (c->argument != NULL && !c->optional && p->args->n == 0)
		return bad(p, str_fmt(p->arena, "Missing argument '%s'.", c->argument));
	size_t allowed = c->argument == NULL ? 0 : c->many ? SIZE_MAX : 1;
	if (p->args->n > allowed)
		return bad(p,
		           str_fmt(p->arena, "Got unexpected extra argument (%.*s)", STR_ARG(p->args->word[allowed])));
	return 0;
}

static const struct command *sub_find(const struct command *group, struct str name)
{
	for (size_t i = 0; group->sub[i] != NULL; i++)
		if (str_is(name, group->sub[i]->name))
			return group->sub[i];
	return NULL;
}

static int unknown_command(struct parser *p, struct str name)
{
	const struct command *group = p->args->command;
	struct str known[64];
	size_t n = 0;

	for (size_t i = 0; group->sub[i] != NULL && n < 64; i++)
		if (!group->sub[i]->hidden)
			known[n++] = str_of(group->sub[i]->name);
	p->out->hint = suggest_question(p->arena, name, known, n, 1);
	return bad(p, str_fmt(p->arena, "No such command '%.*s'.", STR_ARG(name)));
}

/* One level; *down is the command that its first word names. */
static int level_run(struct parser *p, const struct command **down)
{
	*down = NULL;
	if (level_read(p) != 0)
		return -1;
	if (p->help || p->version) {
		p->out->outcome = p->help ? PARSE_HELP : PARSE_VERSION;
		return -1;
	}
	if (level_check(p) != 0 || p->args->command->sub == NULL)
		return -1;
	if (p->next >= p->argc) {
		p->out->outcome = PARSE_NO_COMMAND;
		return -1;
	}
	struct str name = str_of(p->argv[p->next]);
	*down = sub_find(p->args->command, name);
	if (*down == NULL)
		return unknown_command(p, name);
	p->next++;
	return 0;
}

void options_parse(struct arena *a, const struct command *root, int argc, char *const *argv,
                   const struct path_check *check, struct parsed *out)
{
	struct parser p = { .arena = a, .check = check, .argv = argv, .argc = argc, .next = 1, .out = out };
	const struct command *down = root;

	*out = (struct parsed){ .outcome = PARSE_RUN };
	do
		level_enter(&p, down);
	while (level_run(&p, &down) == 0 && out->n < PARSE_DEPTH);
}

static const struct option_value *value_of(const struct args *args, const char *name)
{
	static const struct option_value absent;

	for (size_t i = 0, n = option_count(args->command); i < n; i++)
		if (strcmp(args->command->option[i].name, name) == 0)
			return &args->value[i];
	return &absent;
}

bool opt_given(const struct args *args, const char *name)
{
	return value_of(args, name)->times > 0;
}

struct str opt_text(const struct args *args, const char *name)
{
	return value_of(args, name)->text;
}

long opt_number(const struct args *args, const char *name)
{
	return value_of(args, name)->number;
}
