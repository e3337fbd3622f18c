/* Tables of everything that a flowgroup file says (spec/errors.md, sections 9 and 10; write_test.md, section 2). */
#include "model/fields.h"

#define FIELDS(rows) .field = rows, .n = sizeof rows / sizeof *rows
#define LIST_OF_TEXT (FIELD_TEXTS | FIELD_CHECKED)
#define NAMED FIELD_TEXT | FIELD_REQUIRED | FIELD_NOT_NULL
#define FILE_NAME FIELD_TEXT | FIELD_PATH

/* --- load sources --- */

enum { CLOUDFILES = 1, DELTA = 2, SQL = 4, JDBC = 8, PYTHON = 16, KAFKA = 32, CUSTOM = 64 };

static const char *const source_kinds[] = { "cloudfiles", "delta",  "sql",   "jdbc",
	                                    "python",     "kafka", "custom_datasource", NULL };

static const struct field source_fields[] = {
	{ "type", FIELD_TEXT, 0, 0,
	  "Where the data comes from.", NULL, "cloudfiles delta sql jdbc python kafka custom_datasource" },
	{ "path", FIELD_TEXT, CLOUDFILES, CLOUDFILES, "Folder that Auto Loader watches." },
	{ "format", FIELD_TEXT, CLOUDFILES, CLOUDFILES, "Format of the files: json, csv, parquet …" },
	{ "options", FIELD_MAP, CLOUDFILES | DELTA | KAFKA | CUSTOM, 0, "Options of the reader, as Spark names them." },
	{ "reader_options", FIELD_MAP, CLOUDFILES, 0, "More reader options; these win over options." },
	{ "format_options", FIELD_MAP, CLOUDFILES, 0, "Options of the file format, put behind its name." },
	{ "schema", FIELD_TEXT | FIELD_MAP, CLOUDFILES, 0, "Schema file of the data, as an explicit StructType." },
	{ "schema_file", FILE_NAME, CLOUDFILES, 0, "Schema file, used when there is neither schema nor hints." },
	{ "readMode", FIELD_TEXT, CLOUDFILES | DELTA | KAFKA, 0, "stream or batch; the action's own readMode wins." },
	{ "schema_location", FIELD_ANY, CLOUDFILES, 0, "Old name of the option cloudFiles.schemaLocation." },
	{ "schema_infer_column_types", FIELD_ANY, CLOUDFILES, 0,
	  "Old name of the option cloudFiles.inferColumnTypes." },
	{ "max_files_per_trigger", FIELD_ANY, CLOUDFILES, 0, "Old name of the option cloudFiles.maxFilesPerTrigger." },
	{ "schema_evolution_mode", FIELD_ANY, CLOUDFILES, 0, "Old name of the option cloudFiles.schemaEvolutionMode." },
	{ "rescue_data_column", FIELD_ANY, CLOUDFILES, 0, "Old name of the option cloudFiles.rescuedDataColumn." },
	{ "catalog", FIELD_TEXT, DELTA, DELTA, "Catalog of the table." },
	{ "schema", FIELD_TEXT, DELTA, DELTA, "Schema of the table." },
	{ "table", FIELD_TEXT, DELTA, DELTA, "Name of the table." },
	{ "database", FIELD_TEXT, DELTA, 0, "Old packed form of catalog and schema." },
	{ "where_clause", FIELD_TEXTS | FIELD_TEXT, DELTA, 0, "Conditions that rows must meet." },
	{ "select_columns", FIELD_LIST, DELTA, 0, "Columns to keep." },
	{ "sql", FIELD_TEXT, SQL, 0, "The query." },
	{ "sql_path", FILE_NAME | FIELD_CHECKED, SQL, 0, "File that holds the query." },
	{ "url", FIELD_TEXT, JDBC, JDBC, "JDBC address of the database." },
	{ "user", FIELD_TEXT, JDBC, JDBC, "User name." },
	{ "password", FIELD_TEXT, JDBC, JDBC, "Password; use a secret." },
	{ "driver", FIELD_TEXT, JDBC, JDBC, "Class of the JDBC driver." },
	{ "query", FIELD_TEXT, JDBC, 0, "Query that the database runs." },
	{ "table", FIELD_TEXT, JDBC, 0, "Table to read, when there is no query." },
	{ "module_path", FILE_NAME, PYTHON, PYTHON, "Python file that holds the function." },
	{ "module_path", FILE_NAME, CUSTOM, 0, "Python file that holds the data source." },
	{ "function_name", FIELD_TEXT, PYTHON, 0, "Function that returns the data frame.", "get_df" },
	{ "parameters", FIELD_MAP, PYTHON, 0, "What the function gets.", "{}" },
	{ "bootstrap_servers", FIELD_TEXT, KAFKA, KAFKA, "Addresses of the brokers." },
	{ "subscribe", FIELD_TEXT, KAFKA, 0, "Topics, separated by commas." },
	{ "subscribePattern", FIELD_TEXT, KAFKA, 0, "Pattern of topic names." },
	{ "assign", FIELD_TEXT, KAFKA, 0, "Partitions, as JSON." },
	{ "custom_datasource_class", FIELD_TEXT, CUSTOM, 0, "Class of the data source." },
};

const struct entity entity_source = { "source", "What a load action reads.", "type", source_kinds,
	FIELDS(source_fields), true };

/* --- write targets and their blocks --- */

static const struct field source_function_fields[] = {
	{ "file", FILE_NAME | FIELD_FILLED, 0, 1, "Python file that holds the function." },
	{ "function", FIELD_TEXT | FIELD_FILLED, 0, 1, "Function that returns the next snapshot and its version." },
	{ "parameters", FIELD_MAP | FIELD_CHECKED, 0, 0, "Keyword-only arguments of the function.", "{}" },
};

const struct entity entity_source_function = { "source_function", "Function that gives snapshots.", NULL, NULL,
	FIELDS(source_function_fields), false };

static const struct field cdc_fields[] = {
	{ "keys", LIST_OF_TEXT, 0, 1, "Columns that identify a row." },
	{ "sequence_by", FIELD_TEXT | LIST_OF_TEXT | FIELD_FILLED, 0, 0, "Column or columns that order the changes." },
	{ "scd_type", FIELD_INT | FIELD_CHECKED, 0, 0, "1 keeps the latest row, 2 keeps history.", "1", "1 2" },
	{ "ignore_null_updates", FIELD_BOOL | FIELD_CHECKED, 0, 0, "Keep old values where a change is null." },
	{ "apply_as_deletes", FIELD_TEXT | FIELD_CHECKED, 0, 0, "Condition of changes that delete their row." },
	{ "apply_as_truncates", FIELD_TEXT | FIELD_CHECKED, 0, 0,
	  "Condition of changes that empty the table; not with scd_type 2." },
	{ "track_history_column_list", LIST_OF_TEXT, 0, 0, "Columns whose changes make history." },
	{ "track_history_except_column_list", LIST_OF_TEXT, 0, 0, "Columns whose changes make none." },
	{ "column_list", LIST_OF_TEXT, 0, 0, "Columns to take." },
	{ "except_column_list", LIST_OF_TEXT, 0, 0, "Columns to leave out." },
	{ "source", FIELD_TEXT, 0, 0, "Source for the order of actions, instead of the action's." },
};

const struct entity entity_cdc = { "cdc_config", "How a change feed is applied.", NULL, NULL,
	FIELDS(cdc_fields), false };

static const struct field snapshot_fields[] = {
	{ "source", FIELD_TEXT, 0, 0, "Table that holds the snapshot." },
	{ "source_function", FIELD_MAP | FIELD_CHECKED, 0, 0,
	  "Function that gives snapshots.", NULL, NULL, &entity_source_function },
	{ "keys", LIST_OF_TEXT, 0, 1, "Columns that identify a row." },
	{ "stored_as_scd_type", FIELD_INT | FIELD_CHECKED, 0, 0,
	  "1 keeps the latest row, 2 keeps history.", "1", "1 2" },
	{ "track_history_column_list", LIST_OF_TEXT, 0, 0, "Columns whose changes make history." },
	{ "track_history_except_column_list", LIST_OF_TEXT, 0, 0, "Columns whose changes make none." },
};

const struct entity entity_snapshot_cdc = { "snapshot_cdc_config", "How snapshots are compared.", NULL, NULL,
	FIELDS(snapshot_fields), false };

static const struct field replace_fields[] = {
	{ "replace_using", LIST_OF_TEXT | FIELD_FILLED, 0, 1, "Columns whose values are replaced as a group." },
	{ "sequence_by", FIELD_TEXT | FIELD_CHECKED, 0, 1, "Column that orders the rows." },
};

const struct entity entity_replace = { "replace_config", "How groups of rows are replaced.", NULL, NULL,
	FIELDS(replace_fields), false };

static const struct field replace_where_fields[] = {
	{ "replace_where", FIELD_TEXT | FIELD_CHECKED | FIELD_FILLED, 0, 1,
	  "Predicate of the rows that each update replaces." },
};

const struct entity entity_replace_where = { "replace_where_config", "Which rows each update replaces.", NULL, NULL,
	FIELDS(replace_where_fields), false };

enum { STREAMING = 1, VIEW = 2 };

static const char *const target_kinds[] = { "streaming_table", "materialized_view", NULL };

static const struct field target_fields[] = {
	{ "type", FIELD_TEXT, 0, 0, "What is written.", NULL, "streaming_table materialized_view sink" },
	{ "catalog", FIELD_TEXT, 0, STREAMING | VIEW, "Catalog of the table." },
	{ "schema", FILE_NAME, 0, STREAMING | VIEW, "Schema of the table." },
	{ "table", FIELD_TEXT, 0, STREAMING | VIEW, "Name of the table." },
	{ "database", FIELD_TEXT, 0, 0, "Old packed form of catalog and schema." },
	{ "create_table", FIELD_BOOL, 0, 0, "false: another action creates the table, this one adds to it.", "true" },
	{ "comment", FIELD_TEXT, 0, 0, "Comment of the table." },
	{ "description", FIELD_TEXT, 0, 0, "Unused; the action's description counts." },
	{ "table_properties", FIELD_TEXT_KEYS | FIELD_CHECKED, 0, 0, "Properties of the table.", "{}" },
	{ "spark_conf", FIELD_TEXT_KEYS | FIELD_CHECKED, 0, 0, "Spark settings of this table's flows.", "{}" },
	{ "partition_columns", LIST_OF_TEXT, 0, 0, "Columns to partition by." },
	{ "cluster_columns", LIST_OF_TEXT, 0, 0, "Columns of liquid clustering." },
	{ "cluster_by_auto", FIELD_BOOL | FIELD_CHECKED, 0, 0, "Let Databricks choose the clustering columns." },
	{ "table_schema", FILE_NAME | FIELD_CHECKED, 0, 0, "Schema as DDL, or a file that holds it." },
	{ "row_filter", FIELD_TEXT | FIELD_CHECKED, 0, 0, "Row filter clause." },
	{ "path", FIELD_TEXT, 0, 0, "Storage location of an external table." },
	{ "temporary", FIELD_BOOL | FIELD_CHECKED, 0, 0, "Keep the table inside the pipeline.", "false" },
	{ "private", FIELD_BOOL | FIELD_CHECKED, 0, 0, "Do not publish the table.", "false" },
	{ "tags", FIELD_MAP | FIELD_CHECKED, 0, 0, "Unity Catalog tags of the table." },
	{ "tags_file", FILE_NAME | FIELD_CHECKED | FIELD_FILLED, 0, 0,
	  "File with tags of the table and its columns." },
	{ "mode", FIELD_TEXT, STREAMING, 0,
	  "How rows reach the table.", "standard", "standard cdc snapshot_cdc replace replace_where" },
	{ "cdc_config", FIELD_MAP, STREAMING, 0, "Settings of mode cdc.", NULL, NULL, &entity_cdc },
	{ "snapshot_cdc_config", FIELD_MAP, STREAMING, 0,
	  "Settings of mode snapshot_cdc.", NULL, NULL, &entity_snapshot_cdc },
	{ "replace_config", FIELD_MAP, STREAMING, 0, "Settings of mode replace.", NULL, NULL, &entity_replace },
	{ "replace_where_config", FIELD_MAP, STREAMING, 0,
	  "Settings of mode replace_where.", NULL, NULL, &entity_replace_where },
	{ "refresh_schedule", FIELD_TEXT, VIEW, 0, "Schedule of refreshes." },
	{ "refresh_policy", FIELD_TEXT | FIELD_CHECKED, VIEW, 0,
	  "How a refresh computes the view.", NULL, "auto incremental incremental_strict full" },
	{ "sql", FIELD_TEXT, VIEW, 0, "The query; wins over sql_path and source." },
	{ "sql_path", FILE_NAME, VIEW, 0, "File that holds the query." },
};

const struct entity entity_write_target = { "write_target", "The table that a write action makes.", "type", target_kinds,
	FIELDS(target_fields), true };

enum { SINK_DELTA = 1, SINK_KAFKA = 2, SINK_CUSTOM = 4, SINK_BATCH = 8, SINKS = 15 };

static const char *const sink_kinds[] = { "delta", "kafka", "custom", "foreachbatch", NULL };

static const struct field sink_fields[] = {
	{ "type", FIELD_TEXT, 0, 0, "What is written.", NULL, "sink" },
	{ "sink_type", FIELD_TEXT, 0, SINKS, "Where rows go.", NULL, "delta kafka custom foreachbatch" },
	{ "sink_name", FIELD_TEXT, 0, SINKS, "Name of the sink." },
	{ "comment", FIELD_TEXT, 0, 0, "Comment above the sink." },
	{ "description", FIELD_TEXT, 0, 0, "Unused; the action's description counts." },
	{ "bootstrap_servers", FIELD_TEXT, 0, SINK_KAFKA, "Addresses of the brokers." },
	{ "topic", FIELD_TEXT, 0, SINK_KAFKA, "Topic to write to." },
	{ "module_path", FILE_NAME, 0, SINK_CUSTOM, "Python file: the sink class, or the body of a batch handler." },
	{ "custom_sink_class", FIELD_TEXT, 0, SINK_CUSTOM, "Class of the sink." },
	{ "batch_handler", FIELD_TEXT, 0, 0, "Body of the function that gets each batch." },
	{ "options", FIELD_MAP, 0, SINK_DELTA, "Options of the writer." },
};

const struct entity entity_sink = { "sink", "The sink that a write action feeds.", "sink_type", sink_kinds,
	FIELDS(sink_fields), true };

/* --- actions --- */

enum {
	LOAD = 1 << 0,
	WRITE = 1 << 1,
	T_SQL = 1 << 2,
	T_PYTHON = 1 << 3,
	T_QUALITY = 1 << 4,
	T_TEMP = 1 << 5,
	T_SCHEMA = 1 << 6,
	TRANSFORM = T_SQL | T_PYTHON | T_QUALITY | T_TEMP | T_SCHEMA,
	COUNT = 1 << 7,
	UNIQUE = 1 << 8,
	REFERENCE = 1 << 9,
	COMPLETE = 1 << 10,
	RANGE = 1 << 11,
	MATCH = 1 << 12,
	LOOKUPS = 1 << 13,
	OWN_SQL = 1 << 14,
	OWN_RULES = 1 << 15,
	TEST = COUNT | UNIQUE | REFERENCE | COMPLETE | RANGE | MATCH | LOOKUPS | OWN_SQL | OWN_RULES,
	ROW_TESTS = UNIQUE | REFERENCE | COMPLETE | RANGE | MATCH | LOOKUPS | OWN_RULES, /* those over one source */
	RULE_TESTS = OWN_SQL | OWN_RULES,
};

static const char *const action_kinds[] = { "load", "write", "sql", "python", "data_quality", "temp_table", "schema",
	                                    "row_count", "uniqueness", "referential_integrity", "completeness", "range",
	                                    "schema_match", "all_lookups_found", "custom_sql", "custom_expectations", NULL };

static const struct field quarantine_fields[] = {
	{ "dlq_table", NAMED, 0, 1, "Table for rejected rows, in three parts." },
	{ "source_table", NAMED, 0, 1,
	  "Table that the rows belong to, in three parts." },
};

const struct entity entity_quarantine = { "quarantine", "Where rejected rows go.", NULL, NULL,
	FIELDS(quarantine_fields), false };

static const struct field expectation_fields[] = {
	{ "name", FIELD_TEXT, 0, 0, "Name of the rule." },
	{ "expression", FIELD_TEXT, 0, 0, "Condition that rows must meet." },
	{ "on_violation", FIELD_TEXT, 0, 0, "What a row that fails it leads to.", "fail", "fail warn drop" },
};

const struct entity entity_expectation = { "expectation", "One rule about rows.", NULL, NULL,
	FIELDS(expectation_fields), false };

#define TEXTS_OF(kinds, doc) FIELD_TEXTS, kinds, kinds, doc

static const struct field action_fields[] = {
	{ "name", NAMED, 0, 0, "Name of the action, once in a flowgroup." },
	{ "type", FIELD_TEXT | FIELD_REQUIRED | FIELD_CHECKED, 0, 0, "What the action does.", NULL, "load transform write test" },
	{ "source", FIELD_TEXT | FIELD_MIXED | FIELD_TEXT_KEYS, 0, LOAD | T_SQL | T_QUALITY | T_TEMP | T_SCHEMA | ROW_TESTS | COUNT,
	  "What the action reads: a view, a list of views, or for loads a map." },
	{ "target", FIELD_TEXT, 0, LOAD | TRANSFORM, "View that the action makes." },
	{ "description", FIELD_TEXT, 0, 0, "Goes into docstrings and comments." },
	{ "readMode", FIELD_TEXT, LOAD | TRANSFORM | WRITE, 0, "stream or batch." },
	{ "write_target", FIELD_MAP | FIELD_CHECKED, WRITE, WRITE,
	  "Table, view or sink that is written.", NULL, NULL, &entity_write_target },
	{ "transform_type", FIELD_TEXT | FIELD_WORD, TRANSFORM, TRANSFORM,
	  "Kind of the transform.", NULL, "sql python data_quality temp_table schema" },
	{ "sql", FIELD_TEXT, T_SQL | T_TEMP | OWN_SQL, OWN_SQL, "The query." },
	{ "sql_path", FILE_NAME, T_SQL, 0, "File that holds the query." },
	{ "operational_metadata", FIELD_BOOL | FIELD_TEXTS | FIELD_LOOSE, 0, 0,
	  "Metadata columns to add; false: none." },
	{ "expectations_file", FILE_NAME, T_QUALITY, 0, "File of data quality rules." },
	{ "mode", FIELD_TEXT, T_QUALITY, 0,
	  "quarantine keeps rejected rows.", "dqe", "dqe quarantine" },
	{ "quarantine", FIELD_MAP, T_QUALITY, 0, "Where rejected rows go.", NULL, NULL, &entity_quarantine },
	{ "expectations", FIELD_MAPS, T_QUALITY | RULE_TESTS, OWN_RULES,
	  "Rules about rows.", NULL, NULL, &entity_expectation },
	{ "schema_inline", FIELD_TEXT, T_SCHEMA, 0, "Renames and casts, written here." },
	{ "schema_file", FILE_NAME, T_SCHEMA, 0, "File of renames and casts." },
	{ "enforcement", FIELD_TEXT, T_SCHEMA, 0, "strict keeps only the named columns.", "permissive",
	  "strict permissive" },
	{ "module_path", FILE_NAME, T_PYTHON, T_PYTHON, "Python file that holds the function." },
	{ "function_name", FIELD_TEXT, T_PYTHON, T_PYTHON, "Function that transforms the data frame." },
	{ "parameters", FIELD_TEXT_KEYS, T_PYTHON, 0, "What the function gets.", "{}" },
	{ "custom_datasource_class", FIELD_TEXT, LOAD, 0, "Class of a custom data source." },
	{ "once", FIELD_BOOL | FIELD_LOOSE, WRITE, 0, "Run the flow once only.", "false" },
	{ "depends_on", FIELD_TEXTS, 0, 0, "Tables that must be there first." },
	{ "test_type", FIELD_TEXT, TEST, TEST, "Kind of the test.", NULL,
	  "row_count uniqueness referential_integrity completeness range schema_match all_lookups_found custom_sql "
	  "custom_expectations" },
	{ "test_id", FIELD_TEXT, TEST, 0, "Name under which the result is reported." },
	{ "on_violation", FIELD_TEXT, TEST, 0, "What a bad row leads to.", "fail", "fail warn drop" },
	{ "tolerance", FIELD_INT | FIELD_LOOSE, COUNT, 0, "Difference in row counts that is still fine.", "0" },
	{ "columns", TEXTS_OF(UNIQUE, "Columns that identify a row.") },
	{ "filter", FIELD_TEXT, UNIQUE, 0, "Condition of the rows to look at." },
	{ "reference", FIELD_TEXT, REFERENCE | MATCH, REFERENCE | MATCH, "Table to compare with, in three parts." },
	{ "source_columns", TEXTS_OF(REFERENCE, "Columns of the source, in the order of reference_columns.") },
	{ "reference_columns", TEXTS_OF(REFERENCE, "Columns of the reference.") },
	{ "required_columns", TEXTS_OF(COMPLETE, "Columns that may not be null.") },
	{ "column", FIELD_TEXT, RANGE, RANGE, "Column whose values are looked at." },
	{ "min_value", FIELD_ANY, RANGE, 0, "Smallest good value." },
	{ "max_value", FIELD_ANY, RANGE, 0, "Largest good value." },
	{ "lookup_table", FIELD_TEXT, LOOKUPS, LOOKUPS, "Table of the lookup, in three parts." },
	{ "lookup_columns", TEXTS_OF(LOOKUPS, "Columns to look up by.") },
	{ "lookup_result_columns", TEXTS_OF(LOOKUPS, "Columns that the lookup gives.") },
};

const struct entity entity_action = { "action", "One step of a flowgroup.", NULL, action_kinds,
	FIELDS(action_fields), false };

static const struct field flowgroup_fields[] = {
	{ "pipeline", NAMED | FIELD_INHERITED, 0, 1, "Pipeline that the flowgroup belongs to." },
	{ "flowgroup", NAMED, 0, 1,
	  "Name of the flowgroup; its module is named so." },
	{ "variables", FIELD_TEXT_MAP, 0, 0, "Values for %{name} in this flowgroup." },
	{ "presets", FIELD_TEXTS | FIELD_NOT_NULL | FIELD_INHERITED, 0, 0, "Presets to apply, in order.", "[]" },
	{ "use_template", FIELD_TEXT | FIELD_INHERITED, 0, 0, "Template whose actions are added." },
	{ "template_parameters", FIELD_TEXT_KEYS, 0, 0, "What the template gets." },
	{ "job_name", FIELD_TEXT | FIELD_INHERITED, 0, 0, "Job that runs the pipeline." },
	{ "operational_metadata", FIELD_BOOL | FIELD_TEXTS | FIELD_LOOSE | FIELD_INHERITED, 0, 0,
	  "Metadata columns of all actions." },
	{ "actions", FIELD_LIST | FIELD_NOT_NULL, 0, 0, "The steps.", "[]", NULL, &entity_action },
};

const struct entity entity_flowgroup = { "flowgroup", "Loads, transforms, writes and tests that make one module.", NULL, NULL,
	FIELDS(flowgroup_fields), false };
