/* commands.c - every command and option of the program, as tables (spec/errors.md 18, spec/engine.md). */
#include "cmd/call.h"

#define END { .name = NULL }

#define ENV_DEV                                                                                                \
	{ "--env", "-e", OPT_TEXT, "ENV", .initial = "dev",                                                    \
	  .help = "Environment; a comma list, or `all`, for several." }
#define ENV_ONE { "--env", "-e", OPT_TEXT, "ENV", .initial = "dev", .help = "Environment." }
#define DETAILS(text) { "--show-details", "-s", OPT_FLAG, .help = text }
#define STRICT { "--strict", NULL, OPT_FLAG, .help = "Treat warnings as failures." }
#define NO_PROGRESS { "--no-progress", NULL, OPT_FLAG, .help = "No live display." }
#define NO_BUNDLE { "--no-bundle", NULL, OPT_FLAG, .help = "Without the asset bundle." }
#define INCLUDE_TESTS { "--include-tests", NULL, OPT_FLAG, .help = "With test actions." }
#define PIPELINE(text) { "--pipeline", "-p", OPT_TEXT, "NAME", .help = text }
#define SANDBOX                                                                                                \
	{ "--sandbox", NULL, OPT_FLAG,                                                                         \
	  .help = "Only the pipelines in the scope of .lhp/profile.yaml, their tables renamed into your "      \
	          "namespace." }
#define PIPELINE_CONFIG                                                                                        \
	{ "--pipeline-config", "-pc", OPT_TEXT, "FILE", .help = "Settings of the pipelines in the bundle." }
#define NO_CACHE { "--no-cache", NULL, OPT_FLAG, .help = "Neither read nor write the store: a cold run." }

/* What makes a run ours: the options of the incremental engine. */
#define ENGINE                                                                                                 \
	NO_CACHE, { "--verify", NULL, OPT_FLAG, .help = "Trust no file time: hash everything (default in CI)." }, \
	    { "--no-wait", NULL, OPT_FLAG, .help = "End with status 4 when another run holds the lock." },     \
	    { "--stats", NULL, OPT_FLAG, .help = "Show phases, cache hits and memory after the summary." },    \
	    { "--trace", NULL, OPT_FILE, "FILE", .help = "Write a trace of the run for Perfetto." },           \
	{                                                                                                      \
		"--message-format", NULL, OPT_CHOICE, "FORMAT", "text|json|sarif|github", "text",              \
		    .help = "Findings for machines, alone on standard output."                                 \
	}

static const struct option root_options[] = {
	{ "--version", NULL, OPT_FLAG, .help = "Show the version and exit." },
	{ "--verbose", "-v", OPT_FLAG, .help = "Say more on standard error (repeatable)." },
	{ "--log-file", NULL, OPT_FLAG, .help = "Write a log to .lhp/logs/lhp.log." },
	NO_PROGRESS,
	{ "--perf", NULL, OPT_FLAG, .hidden = true, .help = "Write timings to .lhp/logs/perf.log." },
	END,
};

static const struct option no_options[] = { END };

static const struct option validate_options[] = {
	ENV_DEV,
	DETAILS("Show findings as panels, warnings in full, and the names of rules."),
	STRICT,
	NO_PROGRESS,
	NO_BUNDLE,
	INCLUDE_TESTS,
	PIPELINE("Validate this pipeline only."),
	SANDBOX,
	PIPELINE_CONFIG,
	{ "--max-workers", "-j", OPT_POSITIVE, "N",
	  .help = "Worker threads; 1: one after the other. Default: all cores." },
	ENGINE,
	END,
};

static const struct option generate_options[] = {
	{ "--env", "-e", OPT_TEXT, "ENV", .required = true,
	  .help = "Environment; a comma list, or `all`, for several." },
	DETAILS("Show every pipeline, warnings in full, and the names of rules."),
	STRICT,
	NO_PROGRESS,
	NO_BUNDLE,
	INCLUDE_TESTS,
	{ "--no-format", NULL, OPT_FLAG, .help = "Leave the code as it is made; needs no formatter." },
	PIPELINE("Generate this pipeline only; the files of the others stay."),
	SANDBOX,
	{ "--output", "-o", OPT_TEXT, "FOLDER", .help = "Write there instead of generated/ENV." },
	PIPELINE_CONFIG,
	{ "--max-workers", "-j", OPT_INT, "N", .help = "Worker threads; 1: one after the other. Default: all cores." },
	ENGINE,
	{ "--force", NULL, OPT_FLAG, .hidden = true, .help = "Does nothing." },
	END,
};

static const struct option diff_options[] = {
	ENV_DEV,
	DETAILS("Show a unified diff of each modified file."),
	NO_PROGRESS,
	INCLUDE_TESTS,
	PIPELINE("Compare this pipeline only."),
	{ "--exit-code", NULL, OPT_FLAG, .help = "Status 1 when anything differs." },
	NO_CACHE,
	END,
};

static const struct option dag_options[] = {
	{ "--format", NULL, OPT_WORDS, "LIST", "dot|json|text|job|html|all",
	  .help = "Comma list of dot, json, text, job, html; all is the first four. Default: all." },
	{ "--output", "-o", OPT_FOLDER, "FOLDER", .help = "Where to write. Default: .lhp/dependencies." },
	{ "--bundle-output", "-b", OPT_FLAG, .help = "Write the job file into resources/ of the bundle." },
	{ "--job-name", "-j", OPT_TEXT, "NAME", .help = "Name of the job." },
	{ "--job-config", "-jc", OPT_FILE, "FILE", .help = "Settings of the job." },
	{ "--trust-depends-on", NULL, OPT_FLAG,
	  .help = "Take `depends_on` for all sources of an action; do not read its SQL or Python." },
	{ "--blueprint", NULL, OPT_TEXT, "NAME", .help = "Only what this blueprint makes." },
	PIPELINE("Only this pipeline."),
	{ "--env", "-e", OPT_TEXT, "ENV", .help = "Replace the tokens of this environment first." },
	{ "--max-workers", NULL, OPT_POSITIVE, "N", .help = "Worker threads." },
	NO_CACHE,
	{ "--expand-blueprints", NULL, OPT_FLAG, .hidden = true, .help = "Does nothing." },
	END,
};

static const struct option list_blueprints_options[] = {
	{ "--instances", NULL, OPT_FLAG, .help = "With each blueprint's instances and their pipelines." },
	END,
};

static const struct option substitutions_options[] = { ENV_ONE, END };

static const struct option inspect_wheel_options[] = {
	{ "--env", "-e", OPT_TEXT, "ENV", .help = "Environment of the pipeline; needed with a pipeline's name." },
	{ "--extract", NULL, OPT_FOLDER, "FOLDER", .help = "Write the modules there instead of listing them." },
	END,
};

static const struct option init_options[] = {
	{ "--no-bundle", NULL, OPT_FLAG, .help = "Without the files of an asset bundle." },
	{ "--sample", NULL, OPT_FLAG, .help = "A small project that validates and generates, instead of examples." },
	{ "--no-git", NULL, OPT_FLAG, .help = "With --sample: do not make a git repository." },
	END,
};

static const struct option why_options[] = {
	ENV_ONE,
	{ "--format", NULL, OPT_CHOICE, "FORMAT", "text|json", "text", .help = "Output format." },
	END,
};

static const struct option affected_options[] = {
	{ "--since", NULL, OPT_TEXT, "REF", .help = "Compare the working tree with its merge base with REF." },
	{ "--files", NULL, OPT_TEXT, "-", .help = "Take the changed paths from standard input, one a line." },
	ENV_ONE,
	PIPELINE_CONFIG,
	{ "--format", NULL, OPT_CHOICE, "FORMAT", "text|names|json", "text", .help = "Output format." },
	{ "--exit-code", NULL, OPT_FLAG, .help = "Status 1 when anything is affected." },
	END,
};

static const struct option watch_options[] = {
	ENV_ONE,
	{ "--validate", NULL, OPT_FLAG, .help = "Only validate; write nothing." },
	STRICT,
	NO_BUNDLE,
	INCLUDE_TESTS,
	{ "--no-format", NULL, OPT_FLAG, .help = "Leave the code as it is made; needs no formatter." },
	PIPELINE("Watch this pipeline only."),
	PIPELINE_CONFIG,
	{ "--max-workers", "-j", OPT_POSITIVE, "N", .help = "Worker threads." },
	END,
};

#define COMMAND(id, ...) static const struct command id = { __VA_ARGS__ }

COMMAND(validate, "validate", "Find what is wrong with the flowgroups, writing nothing.", .option = validate_options,
        .run = cmd_validate);
COMMAND(generate, "generate", "Make the Python code of all pipelines of an environment.",
        "All or nothing: when anything is wrong, no file is touched. Only what changed is made again.",
        generate_options, .run = cmd_generate);
COMMAND(diff, "diff", "Show what generate would change.",
        "Plans everything, writes nothing, and prints one line per path: + would-create, ~ modified, - orphan.",
        diff_options, .run = cmd_diff);
COMMAND(dag, "dag", "Show who reads whom, and write the dependencies of the pipelines.", .option = dag_options,
        .run = call_dag);
COMMAND(deps, "deps", "Deprecated name of dag.", .option = dag_options, .hidden = true, .run = call_deps);
COMMAND(list_presets, "presets", "List the presets of the project.", .option = no_options, .run = call_list_presets);
COMMAND(list_templates, "templates", "List the templates of the project.", .option = no_options,
        .run = call_list_templates);
COMMAND(list_blueprints, "blueprints", "List the blueprints of the project.", .option = list_blueprints_options,
        .run = call_list_blueprints);
COMMAND(substitutions, "substitutions", "Show the tokens of an environment.",
        "Lists every token with its value, the secrets that they name, and the default secret scope. An environment "
        "without a file is fine.",
        substitutions_options, .run = call_substitutions);
COMMAND(inspect_wheel, "inspect-wheel", "List or extract the modules of a built wheel.",
        "SELECTOR is the path of a wheel (it ends in .whl or holds a '/'), or the name of a pipeline, with -e.",
        inspect_wheel_options, "SELECTOR", .run = call_inspect_wheel);
COMMAND(init, "init", "Start a project in the current folder, which must be empty.",
        "NAME becomes the name of the project and of its bundle.", init_options, "NAME", .run = cmd_init);
COMMAND(explain, "explain", "Say what a code means, with an example and what to do.",
        "CODE is a code (LHP-VAL-007), its end (VAL-007), or the name of a rule. Without one: a list of all.",
        no_options, "CODE", .optional = true, .run = cmd_explain);
COMMAND(schema, "schema", "Print the JSON Schema of a kind of file, for editors.",
        "KIND is flowgroup, preset, template, project, substitution or blueprint.", no_options, "KIND",
        .run = cmd_schema);
COMMAND(watch, "watch", "Generate, and again at each change.", .option = watch_options, .run = cmd_watch);
COMMAND(why, "why", "Say why something would be rebuilt, and what depends on it.",
        "WHAT is a flowgroup (name or pipeline.name), a file that was or would be made, a table, or an input file.",
        why_options, "WHAT", .run = cmd_why);
COMMAND(affected, "affected", "List what a change affects: flowgroups, tables, pipelines, readers.",
        .option = affected_options, .run = cmd_affected);
COMMAND(cache_stats, "stats", "Show what the store holds.", .option = no_options, .run = cmd_cache_stats);
COMMAND(cache_verify, "verify", "Check every record against its checksum and the files.", .option = no_options,
        .run = cmd_cache_verify);
COMMAND(cache_clear, "clear", "Remove the store.", .option = no_options, .run = cmd_cache_clear);
COMMAND(cache_export, "export", "Write a checksummed copy of the store to FILE.", .option = no_options,
        .argument = "FILE", .run = cmd_cache_export);
COMMAND(cache_import, "import", "Take the store from FILE, as another machine exported it.", .option = no_options,
        .argument = "FILE", .run = cmd_cache_import);

static const struct command *const list_commands[] = { &list_blueprints, &list_presets, &list_templates, NULL };
static const struct command *const cache_commands[] = { &cache_clear, &cache_export, &cache_import, &cache_stats,
	                                                &cache_verify, NULL };

COMMAND(list, "list", "List presets, templates or blueprints.", .option = no_options, .sub = list_commands);
COMMAND(cache, "cache", "Look at the store of the incremental engine, or move it.", .option = no_options,
        .sub = cache_commands);

/* The peer's commands that have no meaning here: their usage stands, so that scripts fail as they did. */
#define ABSENT "Not part of this program."
COMMAND(skill_export, "export", ABSENT, .option = no_options);
COMMAND(skill_install, "install", ABSENT, .option = no_options);
COMMAND(skill_status, "status", ABSENT, .option = no_options);
COMMAND(skill_uninstall, "uninstall", ABSENT, .option = no_options);
COMMAND(skill_update, "update", ABSENT, .option = no_options);
COMMAND(web, "web", ABSENT, .option = no_options, .hidden = true);
COMMAND(telemetry_off, "off", "There is nothing to turn off.", .option = no_options, .run = cmd_telemetry);
COMMAND(telemetry_on, "on", "There is nothing to turn on.", .option = no_options, .run = cmd_telemetry);
COMMAND(telemetry_status, "status", "Say that nothing is reported.", .option = no_options, .run = cmd_telemetry);
static const struct command *const skill_commands[] = { &skill_export, &skill_install, &skill_status,
	                                                &skill_uninstall, &skill_update, NULL };
static const struct command *const telemetry_commands[] = { &telemetry_off, &telemetry_on, &telemetry_status, NULL };
COMMAND(skill, "skill", ABSENT, .option = no_options, .hidden = true, .sub = skill_commands);
COMMAND(telemetry, "telemetry", "This program reports nothing about its use.", .option = no_options, .hidden = true,
        .sub = telemetry_commands);

static const struct command *const root_commands[] = {
	&affected, &cache, &dag,  &deps,   &diff,      &explain,       &generate,  &init,     &inspect_wheel,
	&list,     &schema, &skill, &substitutions, &telemetry, &validate, &watch, &web, &why, NULL,
};

const struct command command_root = {
	"lhp", "Compile Lakehouse Plumber flowgroups to Spark Declarative Pipelines.", .option = root_options,
	.sub = root_commands,
};
