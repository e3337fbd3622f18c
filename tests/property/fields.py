"""How each field of a flowgroup shows in generated code, and the smallest flowgroup that has it.

FIELDS lists every key of every entity that `lhp schema flowgroup` knows: the test fails while one is missing here.
"""

# How a text shows: as the value of a literal
TEXT = "text"  # the literal is the text
BLOCK = "block"  # but for blanks at ends of lines, which no output has
STRIPPED = "stripped"  # and without blanks around it
WITHIN = "within"  # the literal holds it
SLASHED = "slashed"  # and backslashes are slashes, as in a path
WORDS = "words"  # a docstring holds it, laid out anew
QUIET = "quiet"  # or it does not show, is a comment, or a rule admits only some values: the code must parse

DOTTED = "a.b.%s"  # a name of three parts


def load(**source):
    return [{"name": "l", "type": "load", "target": "v", "source": source}, write()]


def write(source="v", **target):
    return {
        "name": "w",
        "type": "write",
        "source": source,
        "write_target": {"type": "streaming_table", "catalog": "c", "schema": "s", "table": "t", **target},
    }


def table(**target):
    return [write(**target), load(type="sql", sql="SELECT 1")[0]]


def sink(kind, **target):
    return [
        {"name": "w", "type": "write", "source": "v", "write_target": {"type": "sink", "sink_type": kind, "sink_name": "out", **target}},
        load(type="sql", sql="SELECT 1")[0],
    ]


def transform(kind, **keys):
    return [
        {"name": "t", "type": "transform", "transform_type": kind, "source": "v", "target": "v2", **keys},
        load(type="sql", sql="SELECT 1")[0],
        write("v2"),
    ]


def test(kind, **keys):
    return [{"name": "x", "type": "test", "test_type": kind, "source": "v", **keys}, *load(type="sql", sql="SELECT 1")]


RULES = [{"name": "n", "expression": "e"}]
BASES = {  # the action of interest first
    "cloudfiles": load(type="cloudfiles", path="p", format="json"),
    "delta": load(type="delta", catalog="c", schema="s", table="t"),
    "sql": load(type="sql", sql="SELECT 1"),
    "jdbc": load(type="jdbc", url="u", user="n", password="w", driver="d", table="t"),
    "python": load(type="python", module_path="py/m.py"),
    "kafka": load(type="kafka", bootstrap_servers="b", subscribe="t"),
    "custom_datasource": load(type="custom_datasource", module_path="py/m.py", custom_datasource_class="S"),
    "t_sql": transform("sql", sql="SELECT 1"),
    "t_python": transform("python", module_path="py/m.py", function_name="get_df"),
    "t_quality": transform("data_quality", expectations_file="rules.yaml"),
    "t_rules": transform("data_quality", expectations_file="rules.yaml", expectations=RULES),
    "t_quarantine": transform(
        "data_quality", expectations_file="rules.yaml", mode="quarantine", quarantine={"dlq_table": "a.b.c", "source_table": "a.b.d"}
    ),
    "t_temp": transform("temp_table"),
    "t_schema": transform("schema", schema_inline="a -> b: INT"),
    "streaming_table": table(),
    "cdc": table(mode="cdc", cdc_config={"keys": ["k"]}),
    "cdc2": table(mode="cdc", cdc_config={"keys": ["k"], "scd_type": 2}),
    "snapshot_cdc": table(mode="snapshot_cdc", snapshot_cdc_config={"source": "a.b.c", "keys": ["k"]}),
    "snapshot_function": table(
        mode="snapshot_cdc", snapshot_cdc_config={"source_function": {"file": "py/m.py", "function": "snap"}, "keys": ["k"]}
    ),
    "replace": table(mode="replace", replace_config={"replace_using": ["k"], "sequence_by": "s"}),
    "replace_where": table(mode="replace_where", replace_where_config={"replace_where": "a > 1"}),
    "materialized_view": table(type="materialized_view"),
    "sink_delta": sink("delta", options={"path": "p"}),
    "sink_kafka": sink("kafka", bootstrap_servers="b", topic="t"),
    "sink_custom": sink("custom", module_path="py/m.py", custom_sink_class="S"),
    "sink_foreachbatch": sink("foreachbatch", batch_handler="pass"),
    "row_count": test("row_count", source=["v", "a.b.c"]),
    "uniqueness": test("uniqueness", columns=["k"]),
    "referential_integrity": test("referential_integrity", reference="a.b.c", source_columns=["k"], reference_columns=["k"]),
    "completeness": test("completeness", required_columns=["k"]),
    "range": test("range", column="k", min_value=1),
    "schema_match": test("schema_match", source="a.b.c", reference="a.b.d"),
    "all_lookups_found": test("all_lookups_found", lookup_table="a.b.c", lookup_columns=["k"], lookup_result_columns=["k"]),
    "custom_sql": test("custom_sql", sql="SELECT 1", expectations=RULES),
    "custom_expectations": test("custom_expectations", expectations=RULES),
}
LOADS = "cloudfiles delta sql jdbc python kafka custom_datasource"
VIEWS = "t_sql t_python t_quality t_temp t_schema"
TABLES = "streaming_table cdc snapshot_cdc replace replace_where materialized_view"
SINKS = "sink_delta sink_kafka sink_custom sink_foreachbatch"
TESTS = "row_count uniqueness referential_integrity completeness range schema_match all_lookups_found custom_sql custom_expectations"
ALL = " ".join((LOADS, VIEWS, TABLES, SINKS, TESTS))

V = "%s"  # where the text goes: in the value itself, in lists, values and keys of maps
LIST, VALUE, KEY, DEEP = [V], {"k": V}, {V: 1}, {"k": [V, {"k": V}]}
MAP = [(VALUE, TEXT), (KEY, TEXT), (DEEP, TEXT)]
OPTIONS = [(VALUE, TEXT), (KEY, TEXT)]
TEXTS = [(V, TEXT)]
LISTS = [(LIST, TEXT)]
NONE = [(V, QUIET)]

# (path to the entity's map, key): [(bases, shapes)]; a shape is where the text goes, and how it shows.
FIELDS = {
    ("flowgroup", "pipeline"): [("sql", TEXTS)],
    ("flowgroup", "flowgroup"): [("sql", TEXTS)],
    ("flowgroup", "job_name"): [],  # one flowgroup with it asks all others for it
    ("flowgroup", "variables"): [("t_sql", [(VALUE, QUIET)])],
    ("flowgroup", "presets"): [("sql", [(LIST, QUIET)])],
    ("flowgroup", "use_template"): [("sql", NONE)],
    ("flowgroup", "template_parameters"): [("sql", [(VALUE, QUIET)])],
    ("flowgroup", "operational_metadata"): [("sql", [(LIST, QUIET)])],
    ("flowgroup", "actions"): [],
    ("action", "name"): [(ALL, NONE)],
    ("action", "type"): [("sql", NONE)],
    ("action", "source"): [
        ("t_python t_quality t_temp t_schema", TEXTS),
        ("t_sql", NONE),
        ("streaming_table cdc replace replace_where " + SINKS, TEXTS),
        ("streaming_table materialized_view sink_delta t_python", LISTS),
        (TESTS.replace("row_count", "").replace("schema_match", ""), [(V, QUIET)]),
        ("uniqueness completeness range custom_expectations referential_integrity all_lookups_found", [(V, WITHIN)]),
        ("row_count", [(["v", V], WITHIN)]),
        ("schema_match", [(DOTTED, QUIET)]),
    ],
    ("action", "target"): [(" ".join((LOADS, VIEWS, "uniqueness custom_sql")), NONE)],
    ("action", "description"): [
        (LOADS, [(V, WORDS)]),
        (VIEWS, [(V, WORDS)]),
        ("t_sql", TEXTS),
        ("streaming_table replace replace_where materialized_view", [(V, WORDS)]),
        ("streaming_table replace", TEXTS),
        (SINKS, NONE),
        ("sink_delta sink_foreachbatch", TEXTS),
        ("cdc snapshot_cdc", NONE),
        (TESTS, TEXTS),
    ],
    ("action", "readMode"): [("delta t_python streaming_table", NONE)],
    ("action", "write_target"): [],
    ("action", "transform_type"): [("t_sql", NONE)],
    ("action", "sql"): [("t_sql", [(V, STRIPPED)]), ("t_temp", [(V, BLOCK)]), ("custom_sql", [(V, WORDS)])],
    ("action", "sql_path"): [("t_sql", NONE)],
    ("action", "operational_metadata"): [(ALL, [(LIST, QUIET)])],
    ("action", "expectations_file"): [("t_quality", NONE)],
    ("action", "mode"): [("t_quality", NONE)],
    ("action", "quarantine"): [],
    ("action", "expectations"): [],
    ("action", "schema_inline"): [("t_schema", NONE), ("t_schema", [("a: %s", QUIET)])],
    ("action", "schema_file"): [("t_schema", NONE)],
    ("action", "enforcement"): [("t_schema", NONE)],
    ("action", "module_path"): [("t_python", NONE)],
    ("action", "function_name"): [("t_python", NONE)],
    ("action", "parameters"): [("t_python", MAP)],
    ("action", "custom_datasource_class"): [("custom_datasource", NONE)],
    ("action", "once"): [("streaming_table", NONE)],
    ("action", "depends_on"): [("sql", [(LIST, QUIET)])],
    ("action", "test_type"): [("range", NONE)],
    ("action", "test_id"): [("range", NONE)],
    ("action", "on_violation"): [("range", NONE)],
    ("action", "tolerance"): [("row_count", NONE)],
    ("action", "columns"): [("uniqueness", [(LIST, WITHIN)])],
    ("action", "filter"): [("uniqueness", [("a %s b", WITHIN)])],
    ("action", "reference"): [("referential_integrity", [(DOTTED, WITHIN)]), ("schema_match", [(DOTTED, QUIET)])],
    ("action", "source_columns"): [("referential_integrity", [(LIST, WITHIN)])],
    ("action", "reference_columns"): [("referential_integrity", [(LIST, WITHIN)])],
    ("action", "required_columns"): [("completeness", [(LIST, WITHIN)])],
    ("action", "column"): [("range", [(V, WITHIN)])],
    ("action", "min_value"): [("range", [(V, WITHIN)])],
    ("action", "max_value"): [("range", [(V, WITHIN)])],
    ("action", "lookup_table"): [("all_lookups_found", [(DOTTED, WITHIN)])],
    ("action", "lookup_columns"): [("all_lookups_found", [(LIST, WITHIN)])],
    ("action", "lookup_result_columns"): [("all_lookups_found", [(LIST, WITHIN)])],
    ("source", "type"): [("sql", NONE)],
    ("source", "path"): [("cloudfiles", TEXTS)],
    ("source", "format"): [("cloudfiles", TEXTS)],
    ("source", "options"): [
        ("cloudfiles delta kafka custom_datasource", OPTIONS),
        ("cloudfiles", [({"cloudFiles.schemaHints": V}, QUIET)]),
    ],
    ("source", "reader_options"): [("cloudfiles", OPTIONS), ("cloudfiles", [({"cloudFiles.schemaHints": "a INT COMMENT %s"}, WORDS)])],
    ("source", "format_options"): [("cloudfiles", [(VALUE, TEXT), (KEY, WITHIN)])],
    ("source", "schema"): [("cloudfiles", NONE), ("delta", [(V, WITHIN)])],
    ("source", "schema_file"): [("cloudfiles", NONE)],
    ("source", "readMode"): [("delta", NONE)],
    ("source", "schema_location"): [("cloudfiles", TEXTS)],
    ("source", "schema_infer_column_types"): [("cloudfiles", TEXTS)],
    ("source", "max_files_per_trigger"): [("cloudfiles", TEXTS)],
    ("source", "schema_evolution_mode"): [("cloudfiles", TEXTS)],
    ("source", "rescue_data_column"): [("cloudfiles", TEXTS)],
    ("source", "catalog"): [("delta", [(V, WITHIN)])],
    ("source", "table"): [("delta", [(V, WITHIN)]), ("jdbc", TEXTS)],
    ("source", "database"): [("delta", [("a.%s", QUIET)])],
    ("source", "where_clause"): [("delta", LISTS + TEXTS)],
    ("source", "select_columns"): [("delta", LISTS)],
    ("source", "sql"): [("sql", [(V, BLOCK)])],
    ("source", "sql_path"): [("sql", NONE)],
    ("source", "url"): [("jdbc", TEXTS)],
    ("source", "user"): [("jdbc", TEXTS)],
    ("source", "password"): [("jdbc", TEXTS)],
    ("source", "driver"): [("jdbc", TEXTS)],
    ("source", "query"): [("jdbc", [(V, BLOCK)])],
    ("source", "module_path"): [("python custom_datasource", NONE)],
    ("source", "function_name"): [("python", NONE)],
    ("source", "parameters"): [("python", MAP)],
    ("source", "bootstrap_servers"): [("kafka", TEXTS)],
    ("source", "subscribe"): [("kafka", TEXTS)],
    ("source", "subscribePattern"): [("kafka", NONE)],  # beside subscribe: refused
    ("source", "assign"): [("kafka", NONE)],
    ("source", "custom_datasource_class"): [("custom_datasource", NONE)],
    ("write_target", "type"): [("streaming_table", NONE)],
    ("write_target", "catalog"): [(TABLES, [(V, WITHIN)])],
    ("write_target", "schema"): [(TABLES, [(V, SLASHED)])],
    ("write_target", "table"): [(TABLES, [(V, WITHIN)])],
    ("write_target", "database"): [("streaming_table", NONE)],
    ("write_target", "create_table"): [("streaming_table", NONE)],
    ("write_target", "comment"): [(TABLES, TEXTS)],
    ("write_target", "description"): [(TABLES, NONE)],
    ("write_target", "table_properties"): [(TABLES, MAP)],
    ("write_target", "spark_conf"): [(TABLES, MAP)],
    ("write_target", "partition_columns"): [(TABLES, LISTS)],
    ("write_target", "cluster_columns"): [(TABLES, LISTS)],
    ("write_target", "cluster_by_auto"): [("streaming_table", NONE)],
    ("write_target", "table_schema"): [(TABLES.replace("materialized_view", ""), [(V, BLOCK)]), ("materialized_view", TEXTS)],
    ("write_target", "row_filter"): [(TABLES, TEXTS)],
    ("write_target", "path"): [(TABLES, TEXTS)],
    ("write_target", "temporary"): [("streaming_table", NONE)],
    ("write_target", "private"): [("streaming_table", NONE)],
    ("write_target", "tags"): [("streaming_table", [(VALUE, QUIET), (KEY, QUIET)])],
    ("write_target", "tags_file"): [("streaming_table", NONE)],
    ("write_target", "mode"): [("streaming_table", NONE)],
    ("write_target", "cdc_config"): [],
    ("write_target", "snapshot_cdc_config"): [],
    ("write_target", "replace_config"): [],
    ("write_target", "replace_where_config"): [],
    ("write_target", "refresh_schedule"): [("materialized_view", TEXTS)],
    ("write_target", "refresh_policy"): [("materialized_view", NONE)],
    ("write_target", "sql"): [("materialized_view", [(V, STRIPPED)])],
    ("write_target", "sql_path"): [("materialized_view", NONE)],
    ("sink", "type"): [("sink_delta", NONE)],
    ("sink", "sink_type"): [("sink_delta", NONE)],
    ("sink", "sink_name"): [(SINKS, TEXTS)],
    ("sink", "comment"): [(SINKS, NONE)],
    ("sink", "description"): [(SINKS, NONE)],
    ("sink", "bootstrap_servers"): [("sink_kafka", TEXTS)],
    ("sink", "topic"): [("sink_kafka", TEXTS)],
    ("sink", "module_path"): [("sink_custom", NONE)],
    ("sink", "custom_sink_class"): [("sink_custom", NONE)],
    ("sink", "batch_handler"): [("sink_foreachbatch", NONE)],
    ("sink", "options"): [
        ("sink_custom", MAP),
        ("sink_kafka", MAP),
        ("sink_delta", [({"path": "p", "k": V}, TEXT), ({"path": V}, TEXT), ({"tableName": DOTTED}, WITHIN)]),
    ],
    ("cdc_config", "keys"): [("cdc", LISTS)],
    ("cdc_config", "sequence_by"): [("cdc", TEXTS + LISTS)],
    ("cdc_config", "scd_type"): [("cdc", NONE)],
    ("cdc_config", "ignore_null_updates"): [("cdc", NONE)],
    ("cdc_config", "apply_as_deletes"): [("cdc", TEXTS)],
    ("cdc_config", "apply_as_truncates"): [("cdc", TEXTS)],
    ("cdc_config", "track_history_column_list"): [("cdc2", LISTS)],
    ("cdc_config", "track_history_except_column_list"): [("cdc2", LISTS)],
    ("cdc_config", "column_list"): [("cdc", LISTS)],
    ("cdc_config", "except_column_list"): [("cdc", LISTS)],
    ("cdc_config", "source"): [("cdc", NONE)],
    ("snapshot_cdc_config", "source"): [("snapshot_cdc", TEXTS)],
    ("snapshot_cdc_config", "source_function"): [],
    ("snapshot_cdc_config", "keys"): [("snapshot_cdc", LISTS)],
    ("snapshot_cdc_config", "stored_as_scd_type"): [("snapshot_cdc", NONE)],
    ("snapshot_cdc_config", "track_history_column_list"): [("snapshot_cdc", LISTS)],
    ("snapshot_cdc_config", "track_history_except_column_list"): [("snapshot_cdc", LISTS)],
    ("source_function", "file"): [("snapshot_function", NONE)],
    ("source_function", "function"): [("snapshot_function", NONE)],
    ("source_function", "parameters"): [("snapshot_function", [(VALUE, TEXT), (KEY, QUIET), (DEEP, TEXT)])],
    ("replace_config", "replace_using"): [("replace", LISTS)],
    ("replace_config", "sequence_by"): [("replace", TEXTS)],
    ("replace_where_config", "replace_where"): [("replace_where", TEXTS)],
    ("quarantine", "dlq_table"): [("t_quarantine", [(DOTTED, WITHIN)])],
    ("quarantine", "source_table"): [("t_quarantine", [(DOTTED, WITHIN)])],
    ("expectation", "name"): [("custom_sql custom_expectations", TEXTS), ("t_rules", TEXTS)],
    ("expectation", "expression"): [("custom_sql custom_expectations", TEXTS), ("t_rules", TEXTS)],
    ("expectation", "on_violation"): [("custom_sql", NONE)],
}

# Where an entity's map is in the action.
PATHS = {
    "action": (),
    "source": ("source",),
    "write_target": ("write_target",),
    "sink": ("write_target",),
    "cdc_config": ("write_target", "cdc_config"),
    "snapshot_cdc_config": ("write_target", "snapshot_cdc_config"),
    "source_function": ("write_target", "snapshot_cdc_config", "source_function"),
    "replace_config": ("write_target", "replace_config"),
    "replace_where_config": ("write_target", "replace_where_config"),
    "quarantine": ("quarantine",),
    "expectation": ("expectations", 0),
}
