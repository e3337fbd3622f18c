"""The actions of one random flowgroup. `p` is the project (flowgroups.py): its choices, words and files."""

from words import TESTS, TYPES
from yamltext import to_yaml


class Actions:
    def __init__(self, project):
        self.p = project
        self.out = []
        self.unread = []  # transforms' views that something must still read
        self.views = []
        self.loaded = []  # loads' views: nobody has to read them
        self.appended = None  # a table with standard flows: more of them may follow

    def make(self):
        p = self.p
        for _ in range(p.pick(1, 1, 1, 2, 3)):
            self.load()
        for _ in range(p.pick(0, 1, 1, 2, 3, 4)):
            self.transform()
        for _ in range(p.pick(1, 1, 2)):
            self.write(self.source())
        while self.unread:
            self.write(self.source())
        for _ in range(p.pick(0, 0, 1, 3)):
            self.test()
        if p.some(0.15):
            p.r.shuffle(self.out)
        return self.out

    def source(self):
        """A view to read, one that nobody reads yet where there is one."""
        p = self.p
        if self.unread and p.some(0.7):
            return self.unread.pop(p.r.randrange(len(self.unread)))
        view = p.pick(*self.views)
        if view in self.unread:
            self.unread.remove(view)
        return view

    def action(self, kind, always, **optional):
        """Adds an action; `always` in front, as people write it."""
        p = self.p
        action = p.chosen(
            "action",
            None,
            always,
            description=p.text,
            operational_metadata=self.metadata,
            depends_on=lambda: p.pick(["a.b.c"], ["t", "s.t"], []),
            **optional,
        )
        self.out.append(action)

    def metadata(self):
        p = self.p
        return p.pick(True, False, p.metadata_names(), p.metadata_names(), p.metadata_names())

    def target(self, prefix="v"):
        p = self.p
        view = p.name(prefix) if p.some(0.9) else f"v_größe_{p.number()}"
        self.views.append(view)
        return view

    # --- loads ---

    def load(self):
        p = self.p
        kind = p.pick("cloudfiles", "delta", "sql", "jdbc", "python", "kafka", "custom_datasource")
        modes = {}
        if kind in ("delta", "custom_datasource", "sql", "jdbc", "python"):
            modes["readMode"] = lambda: p.pick("stream", "batch")
        elif kind in ("cloudfiles", "kafka"):
            modes["readMode"] = lambda: "stream"
        source = getattr(self, "load_" + kind)()
        source = {"type": kind, **source}
        name = p.name(p.pick("load", "Load x", "load-a"))
        self.loaded.append(self.target())
        self.action("load", {"name": name, "type": "load", "source": source, "target": self.loaded[-1]}, **modes)

    def from_source(self, kind, always, **optional):
        p = self.p
        p.made.append(("source", kind, "type"))
        return p.chosen("source", kind, always, **optional)

    def load_cloudfiles(self):
        p = self.p
        old = {
            "schema_location": p.line,
            "schema_infer_column_types": lambda: p.pick(True, False, "true"),
            "max_files_per_trigger": lambda: p.pick(10, "10"),
            "schema_evolution_mode": lambda: "addNewColumns",
            "rescue_data_column": lambda: p.pick("_rescued", "größe"),
        }
        hints = p.pick("none", "none", "hints", "schema", "schema_file")
        if hints == "schema":
            old["schema"] = lambda: p.pick(p.schema_file(), {"file": p.schema_file()})
        elif hints == "schema_file":
            old["schema_file"] = p.schema_file

        def options():
            out = p.options("cloudFiles.")
            if hints == "hints":
                out["cloudFiles.schemaHints"] = p.hints()
            return out

        return self.from_source(
            "cloudfiles",
            {"path": p.line(secret=0.05), "format": p.pick("json", "csv", "parquet")},
            options=options,
            reader_options=p.options,
            format_options=p.options,
            readMode=lambda: "stream",
            **old,
        )

    def load_delta(self):
        p = self.p
        packed = p.some(0.08)
        names = (
            {"database": "${catalog}.sch"}
            if packed
            else {"catalog": p.pick("${catalog}", "cat", "c-1"), "schema": p.pick("s", "größe", "%{var_a}")}
        )
        return self.from_source(
            "delta",
            {**names, "table": p.pick("t", "t_${tok_word}", "T 1", 't"q')},
            readMode=lambda: p.pick("batch", "stream"),
            options=lambda: {k: v for k, v in p.options().items() if v not in (None, "")},
            where_clause=lambda: p.times(0, 3, p.condition),
            select_columns=p.columns,
        )

    def load_sql(self):
        p = self.p
        return self.from_source(
            "sql", p.pick({"sql": p.sql("x.y.z")}, {"sql_path": p.sql_file("x.y.z")}, {"sql": p.sql("a"), "sql_path": p.sql_file("b")})
        )

    def load_jdbc(self):
        p = self.p
        query = p.pick({"query": p.sql("q")}, {"table": p.line()}, {"query": p.sql("q"), "table": "t"})
        return self.from_source(
            "jdbc",
            {
                "url": p.line(secret=0.2),
                "user": p.line(secret=0.5),
                "password": p.secret() if p.some(0.8) else p.line(),
                "driver": p.line(),
                **query,
            },
        )

    def load_python(self):
        p = self.p
        path, function = p.code.function("load")
        return self.from_source(
            "python", {"module_path": path, **({"function_name": function} if function != "get_df" else {})}, parameters=p.parameters
        )

    def load_kafka(self):
        p = self.p
        topics = p.pick({"subscribe": p.line()}, {"subscribePattern": "a.*\\d+"}, {"assign": '{"t": [0, 1]}'})

        def options():
            out = p.options(p.pick("kafka.", ""))
            if p.some(0.3):
                out.update(
                    {
                        "kafka.sasl.mechanism": p.pick("AWS_MSK_IAM", "OAUTHBEARER", "PLAIN"),
                        "kafka.security.protocol": "SASL_SSL",
                        "kafka.sasl.jaas.config": p.line(secret=0.6),
                        "kafka.sasl.oauthbearer.token.endpoint.url": "u",
                        "kafka.sasl.login.callback.handler.class": "l",
                        "kafka.sasl.client.callback.handler.class": "c",
                    }
                )
            return out

        return self.from_source("kafka", {"bootstrap_servers": p.line(secret=0.1), **topics}, options=options, readMode=lambda: "stream")

    def load_custom_datasource(self):
        p = self.p
        path, name = p.code.datasource()
        return self.from_source("custom_datasource", {"module_path": path, "custom_datasource_class": name}, options=p.options)

    # --- transforms ---

    def transform(self):
        p = self.p
        kind = p.pick("sql", "python", "data_quality", "temp_table", "schema")
        view = self.source()
        always, optional = getattr(self, "transform_" + kind)(view)
        target = self.target()
        self.action(
            "transform", {"name": p.name(kind), "type": "transform", "transform_type": kind, **always, "target": target}, **optional
        )
        self.unread.append(target)

    def modes(self):
        p = self.p
        return {"readMode": lambda: p.pick("stream", "batch")}

    def transform_sql(self, view):
        p = self.p
        sql = p.pick({"sql": p.sql(view)}, {"sql_path": p.sql_file(view)}, {"sql": p.sql(view), "sql_path": p.sql_file(view)})
        return {"source": p.pick(view, [view], {"view": view}) if p.some(0.2) else view, **sql}, self.modes()

    def transform_python(self, view):
        p = self.p
        path, function = p.code.function("transform")
        source = p.pick(view, view, [view], [view, "cat_sch_tab"])
        if p.some(0.2):
            source = [view, self.source()]
        return {"source": source, "module_path": path, "function_name": function}, {"parameters": p.parameters, **self.modes()}

    def rules(self):
        p = self.p
        kinds = ("fail", "drop", "warn", "DROP", "other")
        form = p.pick("map", "list", "wrapped_map", "wrapped_list")
        if "map" in form:
            rules = {
                p.condition(): {**({"action": p.pick(*kinds)} if p.some(0.8) else {}), **({"name": p.line()} if p.some(0.6) else {})}
                for _ in range(p.r.randint(0, 4))
            }
        else:
            rules = self.rule_list()
        return {"expectations": rules} if "wrapped" in form else rules

    def rule_list(self):
        p = self.p
        return [
            {
                **p.pick({"expression": p.condition()}, {"constraint": p.condition()}, {"constraint": "c", "expression": "d"}),
                **({"name": p.line()} if p.some(0.6) else {}),
                **({"message": p.line()} if p.some(0.2) else {}),
                **({"failureAction": p.pick("fail", "DROP", "warn", "x")} if p.some(0.5) else {}),
                **({"type": p.pick("expect", "expect_or_drop", "expect_or_fail", "y")} if p.some(0.3) else {}),
            }
            for _ in range(p.r.randint(0, 4))
        ]

    def transform_data_quality(self, view):
        p = self.p
        rules = self.rules()
        always = {"source": view, "expectations_file": p.file("expectations", p.pick(".yaml", ".json"), to_yaml(rules))}
        if p.some(0.25):
            always["mode"] = "quarantine"
            n = p.number()
            always["quarantine"] = p.chosen("quarantine", None, {"dlq_table": f"c.s.dlq{n}", "source_table": f"c.s.t{n}"})
            always["expectations_file"] = p.file(
                "expectations", ".yaml", to_yaml({"a > 0": {"name": p.line()}, p.condition(): {"action": "drop"}})
            )
        elif p.some(0.3):
            always["mode"] = "dqe"
        if p.some(0.2):
            always["expectations"] = [
                p.chosen("expectation", None, {"expression": p.condition()}, name=p.line, on_violation=lambda: "drop")
                for _ in range(p.r.randint(1, 3))
            ]
        return always, {"readMode": lambda: "stream"}

    def transform_temp_table(self, view):
        p = self.p
        return {"source": p.pick(view, view, {"view": view}, {"source": view})}, {"sql": lambda: p.sql(view), **self.modes()}

    def transform_schema(self, view):
        p = self.p
        lines = []
        for k in range(p.r.randint(1, 5)):
            source = p.pick(f"c{k}", f"`a {k}`", f"$x{k}", f"`q``{k}`", f"`a.b{k}`")
            lines.append(
                source + p.pick("", f": {p.pick(*TYPES)}", f" -> t{k}", f" -> t{k}: {p.pick(*TYPES)}", f"->t{k} :  DECIMAL(12, 3)")
            )
        old = {
            "column_mapping": {f"o {k}": f"n{k}" for k in range(p.r.randint(0, 3))},
            "type_casting": {f"n{k}": p.pick(*TYPES) for k in range(p.r.randint(1, 3))},
        }
        body = p.pick({"columns": lines}, {"columns": lines}, old)
        if p.some(0.1):
            body["enforcement"] = "strict"
        schema = p.pick(
            {"schema_inline": "\n".join(lines)},
            {"schema_inline": to_yaml(body)},
            {"schema_file": p.file("schemas", p.pick(".yaml", ".json"), to_yaml(body))},
        )
        return {"source": view, **schema}, {"enforcement": lambda: p.pick("strict", "strict", "permissive"), **self.modes()}

    # --- writes ---

    def write(self, view):
        p = self.p
        kind = p.pick(
            "standard",
            "standard",
            "cdc",
            "snapshot_cdc" if view in self.loaded else "replace",
            "replace",
            "materialized_view",
            "sink",
            "sink",
        )
        source = view
        if kind in ("standard", "materialized_view", "sink") and p.some(0.2):
            source = [view, self.source()] + p.pick([], ["other.sch.tab"])
        elif p.some(0.1):
            source = [view]
        target, optional = getattr(self, "write_" + kind)()
        if "source" in target.get("cdc_config", {}):
            target["cdc_config"]["source"] = view
        if kind == "standard" and p.some(0.1):
            source = [{"catalog": "c", "schema": "s", "table": "t"}, view, {"view": "w"}, {"name": "n"}]
        if target.get("sink_type") == "foreachbatch":
            source = view
        name = p.name(p.pick("write", "write-a b", "f")) if p.some(0.9) else "write_" + p.pick("é", "1") + str(p.number())
        self.action("write", {"name": name, "type": "write", "source": source, "write_target": target}, **optional)

    def table(self, kind, **more):
        p = self.p
        always = {"type": kind, "catalog": p.pick("${catalog}", "c"), "schema": "s", "table": p.name(p.pick("t", "a.b", "größe")), **more}
        if p.some(0.05):
            del always["catalog"], always["schema"]
            always["database"] = "${catalog}.s"
        keys = ("table_properties", "spark_conf")
        optional = {k: p.properties for k in keys}
        optional.update(
            create_table=lambda: True,
            comment=lambda: p.pick(p.text(), ""),
            description=p.line,
            table_schema=p.table_schema,
            row_filter=p.line,
            path=p.line,
            temporary=lambda: p.some(0.5),
            private=lambda: p.some(0.5),
            tags=lambda: {"a": "b", "c": 1},
        )
        cluster = p.pick({}, {"partition_columns": p.columns}, {"cluster_columns": p.columns}, {"cluster_by_auto": lambda: p.some(0.7)})
        if more.get("cdc_config", {}).get("scd_type") == 2:  # would need the two columns of history
            del optional["table_schema"]
        return p.chosen("write_target", kind, always, **optional, **cluster)

    def write_standard(self):
        p = self.p
        optional = {"once": lambda: p.some(0.5), **self.modes()}
        if self.appended and p.some(0.5):
            return {**self.appended, "create_table": False}, optional
        target = self.table("streaming_table", **({"mode": "standard"} if p.some(0.2) else {}))
        self.appended = {k: target[k] for k in ("type", "catalog", "schema", "database", "table") if k in target}
        return target, optional

    def write_cdc(self):
        p = self.p
        scd = p.pick(None, 1, 2)
        always = {"keys": p.columns()}
        if scd:
            always["scd_type"] = scd
        history = p.pick({"track_history_column_list": p.columns}, {"track_history_except_column_list": p.columns})
        columns = p.pick({"column_list": p.columns}, {"except_column_list": p.columns})
        truncates = {} if scd == 2 else {"apply_as_truncates": p.condition}
        config = p.chosen(
            "cdc_config",
            None,
            always,
            sequence_by=lambda: p.pick(p.line(), p.columns()),
            ignore_null_updates=lambda: p.some(0.5),
            apply_as_deletes=p.condition,
            source=lambda: None,
            **history,
            **columns,
            **truncates,
        )
        return self.table("streaming_table", mode="cdc", cdc_config=config), {"once": lambda: p.some(0.5), **self.modes()}

    def write_snapshot_cdc(self):
        p = self.p
        if p.some(0.5):
            source = {"source": p.line()}
        else:
            path, function, parameters = p.code.snapshot()
            source = {
                "source_function": p.chosen("source_function", None, {"file": path, "function": function}, parameters=lambda: parameters)
            }
        history = p.pick({"track_history_column_list": p.columns}, {"track_history_except_column_list": p.columns})
        config = p.chosen("snapshot_cdc_config", None, {**source, "keys": p.columns()}, stored_as_scd_type=lambda: p.pick(1, 2), **history)
        return self.table("streaming_table", mode="snapshot_cdc", snapshot_cdc_config=config), {}

    def write_replace(self):
        p = self.p
        config = p.chosen("replace_config", None, {"replace_using": p.columns(), "sequence_by": p.line()})
        return self.table("streaming_table", mode="replace", replace_config=config), {"readMode": lambda: "stream"}

    def write_materialized_view(self):
        p = self.p
        view = self.table("materialized_view")
        more = p.chosen(
            "write_target",
            "materialized_view",
            {},
            refresh_schedule=p.line,
            refresh_policy=lambda: p.pick("auto", "incremental", "incremental_strict", "full"),
            sql=lambda: p.pick(p.sql("v"), p.sql("v"), " \n "),
            sql_path=lambda: p.sql_file("v"),
        )
        return {**view, **more}, {"once": lambda: True, **self.modes()}

    def write_sink(self):
        p = self.p
        kind = p.pick("delta", "kafka", "custom", "foreachbatch")
        always = {"type": "sink", "sink_type": kind, "sink_name": p.name("s")}
        if kind == "delta":
            always["options"] = {**p.pick({"tableName": "a.b.c"}, {"path": p.line()}), **p.properties()}
        elif kind == "kafka":
            always.update(bootstrap_servers=p.line(secret=0.2), topic=p.line())
            if p.some(0.6):
                always["options"] = {**p.options(p.pick("kafka.", "")), **p.pick({}, {}, {"topic": "mine"})}
        elif kind == "custom":
            path, name = p.code.sink()
            always.update(module_path=path, custom_sink_class=name)
            if p.some(0.6):
                always["options"] = p.properties()
        else:
            body = p.code.batch_body()
            always.update({"batch_handler": body} if p.some(0.5) else {"module_path": p.file("py", ".py", body)})
        return p.chosen("sink", kind, always, comment=p.text, description=p.line), {"once": lambda: True, **self.modes()}

    # --- tests ---

    def test(self):
        p = self.p
        kind = p.pick(*TESTS)
        view = p.pick(*self.views)
        always = {"name": p.name("test"), "type": "test", "test_type": kind, **getattr(self, "test_" + kind)(view)}
        if kind not in ("row_count", "custom_sql", "schema_match") and p.some(0.1):
            always["source"] = [view, "w"]
        optional = {
            "target": lambda: p.name("tmp"),
            "on_violation": lambda: p.pick("fail", "drop", "warn"),
            "tolerance": lambda: p.pick(0, 5, -1),
            "filter": lambda: p.pick(p.condition(), "  a = 1\n"),
        }
        if kind != "row_count":
            del optional["tolerance"]
        if kind != "uniqueness":
            del optional["filter"]
        self.action("test", always, **optional)

    def test_row_count(self, view):
        return {"source": [view, "b.c.d"]}

    def test_uniqueness(self, view):
        return {"source": view, "columns": self.p.columns()}

    def pairs(self):
        p = self.p
        n = p.r.randint(1, 3)
        return [p.column() for _ in range(n)], [p.column() for _ in range(n)]

    def test_referential_integrity(self, view):
        a, b = self.pairs()
        return {"source": view, "reference": "a.b.c", "source_columns": a, "reference_columns": b}

    def test_all_lookups_found(self, view):
        a, b = self.pairs()
        return {"source": view, "lookup_table": "a.b.l", "lookup_columns": a, "lookup_result_columns": b}

    def test_completeness(self, view):
        return {"source": view, "required_columns": self.p.columns()}

    def test_range(self, view):
        p = self.p
        bounds = p.pick({"min_value": p.scalar()}, {"max_value": p.scalar()}, {"min_value": 0, "max_value": p.scalar()})
        return {"source": view, "column": p.column(), **bounds}

    def test_schema_match(self, view):
        return {"source": "a.b.c", "reference": self.p.pick("d.e.f", "d.e.g'h", 'd.e.ü"')}

    def test_custom_sql(self, view):
        p = self.p
        return {"source": view, "sql": p.sql(view), **({"expectations": self.test_rules()} if p.some(0.7) else {})}

    def test_custom_expectations(self, view):
        return {"source": view, "expectations": self.test_rules()}

    def test_rules(self):
        p = self.p
        return [
            p.chosen(
                "expectation", None, {"name": p.line(), "expression": p.condition()}, on_violation=lambda: p.pick("fail", "drop", "warn")
            )
            for _ in range(p.r.randint(1, 3))
        ]
