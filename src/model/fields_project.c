/* Tables of the files around flowgroups (spec/errors.md, section 13; bundle.md, sections 3-10; resolve.md, sections 4-10). */
#include "model/fields.h"

#define FIELDS(rows) .field = rows, .n = sizeof rows / sizeof *rows
#define NAMED FIELD_TEXT | FIELD_REQUIRED | FIELD_NOT_NULL
#define FLAG FIELD_BOOL | FIELD_LOOSE | FIELD_NOT_NULL

/* --- lhp.yaml --- */

static const struct field metadata_column_fields[] = {
	{ "expression", FIELD_TEXT | FIELD_NOT_NULL, 0, 1, "Python expression of the column." },
	{ "description", FIELD_TEXT, 0, 0, "What the column says." },
	{ "applies_to", FIELD_TEXTS | FIELD_NOT_NULL, 0, 0, "Where the column may be added; view is what counts.",
	  "[\"streaming_table\", \"materialized_view\"]" },
	{ "additional_imports", FIELD_TEXTS, 0, 0, "Import statements that the expression needs." },
	{ "enabled", FLAG, 0, 0, "Read, without effect.", "true" },
};

const struct entity entity_metadata_column = { "metadata_column", "A column that views may get.", NULL, NULL,
	FIELDS(metadata_column_fields), false };

static const struct field metadata_preset_fields[] = {
	{ "columns", FIELD_TEXTS | FIELD_NOT_NULL, 0, 0, "Names of the columns." },
};

const struct entity entity_metadata_preset = { "metadata_preset", "A name for a list of columns.", NULL, NULL,
	FIELDS(metadata_preset_fields), false };

static const struct field metadata_fields[] = {
	{ "columns", FIELD_NAMED | FIELD_NOT_NULL, 0, 0, "Columns by name: an expression, or a map.", NULL, NULL, &entity_metadata_column },
	{ "presets", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Names for lists of columns." },
	{ "defaults", FIELD_MAP, 0, 0, "Read, without effect." },
};

static const struct entity entity_metadata = { "operational_metadata", "Metadata columns of the project.", NULL, NULL,
	FIELDS(metadata_fields), false };

static const struct field event_log_fields[] = {
	{ "enabled", FLAG, 0, 0, "Give pipelines an event log.", "true" },
	{ "catalog", FIELD_TEXT, 0, 1, "Catalog of the event logs." },
	{ "schema", FIELD_TEXT, 0, 1, "Schema of the event logs." },
	{ "name_prefix", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Put before the pipeline's name.", "\"\"" },
	{ "name_suffix", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Put behind the pipeline's name.", "\"\"" },
};

const struct entity entity_event_log = { "event_log", "Event logs of all pipelines.", NULL, NULL,
	FIELDS(event_log_fields), false };

static const struct field monitoring_view_fields[] = {
	{ "name", FIELD_TEXT, 0, 1, "Name of the view." },
	{ "sql", FIELD_TEXT, 0, 0, "Its query." },
	{ "sql_path", FIELD_TEXT, 0, 0, "File that holds the query." },
};

const struct entity entity_monitoring_view = { "monitoring_view", "A view over all event logs.", NULL, NULL,
	FIELDS(monitoring_view_fields), false };

static const struct field monitoring_fields[] = {
	{ "enabled", FLAG, 0, 0, "Make the monitoring pipeline.", "true" },
	{ "pipeline_name", FIELD_TEXT, 0, 0, "Its name; default: the project's name and _event_log_monitoring." },
	{ "catalog", FIELD_TEXT, 0, 0, "Its catalog; default: that of event_log." },
	{ "schema", FIELD_TEXT, 0, 0, "Its schema; default: that of event_log." },
	{ "streaming_table", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Table of all events.", "all_pipelines_event_log" },
	{ "checkpoint_path", FIELD_TEXT, 0, 1, "Folder of the stream's checkpoints." },
	{ "job_config_path", FIELD_TEXT, 0, 1, "File with the settings of its job." },
	{ "max_concurrent_streams", FIELD_INT | FIELD_CHECKED, 0, 0, "Streams at the same time, 1 to 20.", "10" },
	{ "materialized_views", FIELD_MAPS, 0, 0, "Views over the events; default: events_summary.", NULL, NULL,
	  &entity_monitoring_view },
	{ "enable_job_monitoring", FLAG, 0, 0, "Record job runs too.", "false" },
};

const struct entity entity_monitoring = { "monitoring", "The pipeline that watches the others.", NULL, NULL,
	FIELDS(monitoring_fields), false };

static const struct field test_reporting_fields[] = {
	{ "module_path", NAMED, 0, 1, "Python file that publishes test results." },
	{ "function_name", NAMED, 0, 1, "Its function." },
	{ "config_file", FIELD_TEXT, 0, 0, "File that is handed to the function." },
};

static const struct entity entity_test_reporting = { "test_reporting", "Who hears of test results.", NULL, NULL,
	FIELDS(test_reporting_fields), false };

static const struct field uc_tagging_fields[] = {
	{ "enabled", FIELD_BOOL | FIELD_NOT_NULL, 0, 0, "Set Unity Catalog tags.", "true" },
	{ "remove_undeclared_tags", FIELD_BOOL | FIELD_NOT_NULL, 0, 0, "Remove tags that nobody declares.", "false" },
	{ "tag_update_concurrency", FIELD_INT | FIELD_NOT_NULL | FIELD_CHECKED, 0, 0, "Updates at the same time, 1 to 20.", "16" },
	{ "max_allowable_consecutive_failures", FIELD_INT | FIELD_CHECKED, 0, 0, "Failures before the hook is switched off; null: never." },
};

const struct entity entity_uc_tagging = { "uc_tagging", "How tags reach Unity Catalog.", NULL, NULL,
	FIELDS(uc_tagging_fields), false };

static const struct field wheel_fields[] = {
	{ "artifact_volume", FIELD_TEXT, 0, 0, "Volume that wheels are uploaded to." },
};

static const struct entity entity_wheel = { "wheel", "Where wheels go.", NULL, NULL, FIELDS(wheel_fields), false };

static const struct field sandbox_fields[] = {
	{ "strategy", FIELD_TEXT | FIELD_WORD | FIELD_NOT_NULL, 0, 0, "What is renamed.", "table", "table" },
	{ "table_pattern", FIELD_TEXT | FIELD_CHECKED, 0, 0, "How a table is renamed.", "\"{namespace}_{table}\"" },
	{ "allowed_envs", FIELD_TEXTS | FIELD_FILLED, 0, 0, "Environments that may hold sandboxes; default: all." },
};

const struct entity entity_sandbox = { "sandbox", "Rules for developers' own copies.", NULL, NULL,
	FIELDS(sandbox_fields), false };

static const struct field project_fields[] = {
	{ "name", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Name of the project.", "unnamed_project" },
	{ "project_id", FIELD_TEXT, 0, 0, "Stable id of the project." },
	{ "version", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Version of the project.", "\"1.0\"" },
	{ "description", FIELD_TEXT, 0, 0, "What the project is for." },
	{ "author", FIELD_TEXT, 0, 0, "Who owns it." },
	{ "created_date", FIELD_TEXT, 0, 0, "When it was begun." },
	{ "required_lhp_version", FIELD_TEXT, 0, 0, "Versions of lhp that may build it, as Python version specifiers." },
	{ "include", FIELD_TEXTS | FIELD_NOT_NULL, 0, 0, "Patterns of flowgroup files below pipelines/; default: all." },
	{ "blueprint_include", FIELD_TEXTS | FIELD_NOT_NULL, 0, 0, "Patterns of blueprint files.",
	  "[\"blueprints/**/*.yaml\", \"blueprints/**/*.yml\"]" },
	{ "instance_include", FIELD_TEXTS | FIELD_NOT_NULL, 0, 0, "Patterns of instance files.",
	  "[\"pipelines/**/*.yaml\", \"pipelines/**/*.yml\"]" },
	{ "apply_formatting", FLAG, 0, 0, "Format what is generated.", "true" },
	{ "operational_metadata", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Metadata columns of the project.", NULL, NULL, &entity_metadata },
	{ "event_log", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Event logs of all pipelines.", NULL, NULL, &entity_event_log },
	{ "monitoring", FIELD_MAP, 0, 0, "The pipeline that watches the others.", NULL, NULL, &entity_monitoring },
	{ "test_reporting", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Who hears of test results.", NULL, NULL, &entity_test_reporting },
	{ "uc_tagging", FIELD_MAP, 0, 0, "How tags reach Unity Catalog.", NULL, NULL, &entity_uc_tagging },
	{ "wheel", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Where wheels go.", NULL, NULL, &entity_wheel },
	{ "sandbox", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Rules for developers' own copies.", NULL, NULL, &entity_sandbox },
};

const struct entity entity_project = { "project", "lhp.yaml: settings of the whole project.", NULL, NULL,
	FIELDS(project_fields), false };

/* --- templates, presets, blueprints --- */

static const struct field parameter_fields[] = {
	{ "name", NAMED, 0, 1, "Name of the parameter." },
	{ "type", FIELD_TEXT, 0, 0, "Shown in listings only.", "string" },
	{ "required", FLAG, 0, 0, "Must every user give it?", "false" },
	{ "default", FIELD_ANY, 0, 0, "Value of those who do not." },
	{ "description", FIELD_TEXT, 0, 0, "What it is for." },
};

const struct entity entity_template_parameter = { "parameter", "A parameter of a template.", NULL, NULL,
	FIELDS(parameter_fields), false };

static const struct field template_fields[] = {
	{ "name", NAMED, 0, 1, "Name for listings; the file's name is what use_template looks for." },
	{ "version", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Version of the template.", "\"1.0\"" },
	{ "description", FIELD_TEXT, 0, 0, "What it is for." },
	{ "presets", FIELD_TEXTS | FIELD_NOT_NULL, 0, 0, "Presets of its users.", "[]" },
	{ "parameters", FIELD_MAPS | FIELD_NOT_NULL, 0, 0, "What users give it.", "[]", NULL, &entity_template_parameter },
	{ "actions", FIELD_MAPS | FIELD_NOT_NULL, 0, 0, "Actions that users get.", "[]", NULL, &entity_action },
};

const struct entity entity_template = { "template", "Actions with {{ parameters }} for many flowgroups.", NULL, NULL,
	FIELDS(template_fields), false };

static const struct field preset_default_fields[] = {
	{ "load_actions", FIELD_MAP, 0, 0, "Keys for sources, by source type." },
	{ "transform_actions", FIELD_MAP, 0, 0, "Read, without effect." },
	{ "write_actions", FIELD_MAP, 0, 0, "Keys for write targets, by target type." },
	{ "operational_metadata", FIELD_BOOL | FIELD_TEXTS, 0, 0, "Metadata columns of all actions." },
};

static const struct entity entity_preset_defaults = { "preset_defaults", "What a preset puts into actions.", NULL, NULL,
	FIELDS(preset_default_fields), false };

static const struct field preset_fields[] = {
	{ "name", NAMED, 0, 1, "Name that flowgroups use." },
	{ "version", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Version of the preset.", "\"1.0\"" },
	{ "extends", FIELD_TEXT, 0, 0, "Preset that this one builds on." },
	{ "description", FIELD_TEXT, 0, 0, "What it is for." },
	{ "defaults", FIELD_TEXT_KEYS, 0, 0, "What it puts into actions.", NULL, NULL, &entity_preset_defaults },
};

const struct entity entity_preset = { "preset", "Settings for many actions.", NULL, NULL, FIELDS(preset_fields), false };

static const struct field blueprint_parameter_fields[] = {
	{ "name", NAMED, 0, 1, "Name of the parameter." },
	{ "required", FLAG, 0, 0, "Must every instance give it?", "false" },
	{ "default", FIELD_ANY, 0, 0, "Value for those that do not." },
	{ "description", FIELD_TEXT, 0, 0, "What it is for." },
};

const struct entity entity_blueprint_parameter = { "blueprint_parameter", "A parameter of a blueprint.", NULL, NULL,
	FIELDS(blueprint_parameter_fields), false };

static const struct field blueprint_fields[] = {
	{ "name", NAMED, 0, 1, "Name that instances use." },
	{ "version", FIELD_TEXT | FIELD_NOT_NULL, 0, 0, "Version of the blueprint.", "\"1.0\"" },
	{ "description", FIELD_TEXT, 0, 0, "What it is for." },
	{ "parameters", FIELD_MAPS | FIELD_REQUIRED | FIELD_NOT_NULL, 0, 0, "What instances give it.", NULL, NULL,
	  &entity_blueprint_parameter },
	{ "flowgroups", FIELD_LIST | FIELD_REQUIRED | FIELD_NOT_NULL, 0, 0, "Flowgroups that each instance makes.", NULL, NULL,
	  &entity_flowgroup },
};

const struct entity entity_blueprint = { "blueprint", "Flowgroups with %{parameters} for many instances.", NULL, NULL,
	FIELDS(blueprint_fields), false };

static const struct field instance_fields[] = {
	{ "use_blueprint", FIELD_TEXT, 0, 1, "Blueprint to use." },
	{ "parameters", FIELD_MAP, 0, 0, "Values of its parameters." },
	{ "overrides", FIELD_ANY, 0, 0, "Accepted, without effect." },
};

const struct entity entity_instance = { "instance", "One use of a blueprint.", NULL, NULL, FIELDS(instance_fields), true };

/* --- .lhp/profile.yaml --- */

static const struct field sandbox_profile_fields[] = {
	{ "namespace", FIELD_TEXT | FIELD_CHECKED, 0, 1, "Name of the developer's own tables." },
	{ "pipelines", FIELD_TEXTS | FIELD_REQUIRED | FIELD_NOT_NULL | FIELD_FILLED, 0, 1, "Pipelines, or patterns of them, to build." },
};

const struct entity entity_sandbox_profile = { "sandbox_profile", "A developer's own copy.", NULL, NULL,
	FIELDS(sandbox_profile_fields), false };

/* --- substitutions, tags files --- */

static const struct field secret_fields[] = {
	{ "default_scope", FIELD_TEXT, 0, 0, "Scope of ${secret:key}." },
	{ "scopes", FIELD_MAP, 0, 0, "Short names of scopes." },
};

static const struct entity entity_secrets = { "secrets", "Scopes of secrets.", NULL, NULL, FIELDS(secret_fields), false };

/* The section of the environment itself is named after it: any other key is such a name. */
static const struct field substitution_fields[] = {
	{ "global", FIELD_MAP, 0, 0, "Tokens of every environment." },
	{ "secrets", FIELD_MAP, 0, 0, "Scopes of secrets.", NULL, NULL, &entity_secrets },
	{ "prefix_suffix_rules", FIELD_ANY, 0, 0, "Read, without effect." },
};

const struct entity entity_substitutions = { "substitutions", "substitutions/ENV.yaml: tokens of one environment.", NULL, NULL,
	FIELDS(substitution_fields), false };

static const struct field tags_column_fields[] = {
	{ "name", NAMED | FIELD_FILLED, 0, 1, "Name of the column." },
	{ "type", FIELD_TEXT, 0, 0, "Its type." },
	{ "nullable", FIELD_BOOL, 0, 0, "May it be null?", "true" },
	{ "comment", FIELD_TEXT, 0, 0, "Its comment." },
	{ "tags", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Its tags." },
};

const struct entity entity_tags_column = { "tags_column", "A column in a tags file.", NULL, NULL,
	FIELDS(tags_column_fields), true };

static const struct field tags_file_fields[] = {
	{ "table", FIELD_TEXT | FIELD_NOT_NULL | FIELD_FILLED, 0, 0, "Table that the tags are for, by its last name." },
	{ "name", FIELD_TEXT | FIELD_NOT_NULL | FIELD_FILLED, 0, 0, "The same, as schema files have it." },
	{ "tags", FIELD_MAP | FIELD_NOT_NULL, 0, 0, "Tags of the table." },
	{ "columns", FIELD_MAPS | FIELD_NOT_NULL, 0, 0, "Columns and their tags.", NULL, NULL, &entity_tags_column },
	{ "version", FIELD_ANY, 0, 0, "Version of the file." },
	{ "description", FIELD_ANY, 0, 0, "What the table holds." },
	{ "primary_key", FIELD_ANY, 0, 0, "Accepted, without effect." },
};

const struct entity entity_tags_file = { "tags_file", "Tags of a table and its columns; may be a schema file.", NULL, NULL,
	FIELDS(tags_file_fields), true };
