"""Random projects of flowgroups that both programs accept: every kind of action, every field.

A project is a map from path to text and is a function of its seed alone. Each flowgroup is in a file of its own, most are
in a pipeline of their own, so that one that is refused does not take others with it.
"""

from actions import Actions
from usercode import UserCode
from words import TYPES, Words
from yamltext import to_yaml

BUILT_IN = ["_ingestion_timestamp", "_source_file", "_pipeline_run_id", "_pipeline_name", "_flowgroup_name"]
EXPRESSIONS = [
    "F.current_timestamp()",
    "F.lit('a')",
    'F.lit("${pipeline_name}/${flowgroup_name}")',
    "F.lit('${tok_word}')",
    "udf(lambda: 1)()",
    "F.when(F.col('a')>1,'x').otherwise( 'y' )",
    "F.lit(None).cast(StringType())",
    "F.struct(F.col('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'), F.col('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'), F.lit(3))",
    "broadcast(F)",
    'F.col("_metadata.file_path")',
    "uuid.uuid4().hex",
    "F.lit({'a': [1,2]}['a'][0])",
]


class Project(Words):
    def __init__(self, seed, flowgroups):
        super().__init__(seed)
        self.files = {}
        self.pipeline_of = {}  # of each flowgroup file
        self.code = UserCode(self)
        self.own_columns = self.some(0.5)
        self.settings(seed)
        self.presets()
        self.templates()
        for n in range(flowgroups):
            self.flowgroup(n)

    # --- files ---

    def file(self, folder, ending, text):
        path = f"{folder}/f{self.number()}{ending}"
        self.files[path] = text
        return path

    def sql_file(self, view):
        return self.file("sql", ".sql", self.sql(view))

    def ddl(self):
        return ", ".join(
            f"c{k} {self.pick(*TYPES)}{self.pick('', ' NOT NULL', ' COMMENT ' + repr(self.word()))}" for k in range(self.r.randint(1, 5))
        )

    def schema_columns(self):
        names = self.times(1, 5, lambda: self.pick("id", "a b", "größe", "q`t", "total") + str(self.number()))
        return [
            self.chosen("schema_file", None, {"name": n, "type": self.pick(*TYPES)}, nullable=lambda: self.some(0.5), comment=self.line)
            for n in names
        ]

    def schema_file(self):
        body = {"columns": self.schema_columns()}
        if self.some(0.4):
            body = {"name": self.word(), "version": "1.0", "description": self.text(), **body}
        return self.file("schemas", self.pick(".yaml", ".yml", ".json"), to_yaml(body))

    def hints(self):
        return self.pick(self.ddl(), self.ddl(), self.schema_file(), self.file("schemas", ".ddl", self.ddl() + "\n"))

    def table_schema(self):
        return self.pick(
            self.ddl(),
            self.ddl() + "\n",
            "a INT,\n  b STRING\n",
            self.schema_file(),
            self.file("schemas", self.pick(".ddl", ".sql"), "\n a INT,\n b STRING \n"),
        )

    # --- the project's own files ---

    def settings(self, seed):
        body = {"name": f"random_{seed}", "version": "1.0"}
        if self.own_columns:
            self.column_names = []
            columns = {}
            for k in range(self.r.randint(1, 5)):
                name = self.pick("_c", "_Big", "meta", "_größe") + str(k)
                self.column_names.append(name)
                expression = self.pick(*EXPRESSIONS)
                columns[name] = (
                    expression
                    if self.some(0.1)
                    else {
                        "expression": expression,
                        **({"applies_to": self.pick(["view"], ["view", "streaming_table"], ["streaming_table"])} if self.some(0.9) else {}),
                        **(
                            {
                                "additional_imports": self.times(
                                    1, 2, lambda: self.pick("import uuid", "from datetime import datetime", "import socket")
                                )
                            }
                            if "uuid" in expression or self.some(0.2)
                            else {}
                        ),
                        **({"description": self.text()} if self.some(0.3) else {}),
                    }
                )
            body["operational_metadata"] = {"columns": columns}
        else:
            self.column_names = BUILT_IN
        self.files["lhp.yaml"] = to_yaml(body)
        self.files["substitutions/dev.yaml"] = to_yaml(
            {
                "dev": {
                    "tok_word": "word",
                    "tok_int": 42,
                    "tok_quote": 'it\'s "q"',
                    "tok_nested": "n_${tok_word}",
                    "tok_long": "long " * 14,
                    "catalog": "dev_cat",
                },
                "secrets": {"default_scope": "main-scope", "scopes": {"alias": "real_scope"}},
            }
        )

    def presets(self):
        self.preset_names = []
        for k in range(self.r.randint(0, 3)):
            defaults = {}
            if self.some(0.5):
                defaults["operational_metadata"] = self.metadata_names()
            if self.some(0.6):
                defaults["load_actions"] = {"cloudfiles": {"options": self.options("cloudFiles.p.")}, "delta": {"options": {"maxFiles": 3}}}
            if self.some(0.6):
                defaults["write_actions"] = {
                    "streaming_table": {"table_properties": self.properties()},
                    **({"materialized_view": {"table_properties": {"m": "v"}}} if self.some(0.5) else {}),
                }
            body = {"name": f"preset_{k}", "version": "1.0", "defaults": defaults}
            if self.preset_names and self.some(0.4):
                body["extends"] = self.pick(*self.preset_names)
            self.files[f"presets/preset_{k}.yaml"] = to_yaml(body)
            self.preset_names.append(f"preset_{k}")

    def templates(self):
        self.template_names = []
        for k in range(self.r.randint(0, 2)):
            name = f"template_{k}"
            body = {
                "name": name,
                "version": "1.0",
                "parameters": [
                    {"name": "table", "required": True},
                    {"name": "keys", "default": ["id"]},
                    {"name": "note", "default": self.line()},
                    {"name": "props", "default": self.properties()},
                    {"name": "stream", "default": True},
                ],
                "actions": [
                    {
                        "name": "load_{{ table }}",
                        "type": "load",
                        "readMode": "stream",
                        "target": "v_{{ table }}",
                        "description": "{{ note }}",
                        "source": {
                            "type": "delta",
                            "catalog": "${catalog}",
                            "schema": "s",
                            "table": "{{ table }}",
                            "options": {"x": "{{ stream }}", "y": "a-{{ table | upper }}"},
                        },
                    },
                    {
                        "name": "write_{{ table }}",
                        "type": "write",
                        "source": "v_{{ table }}",
                        "write_target": {
                            "type": "streaming_table",
                            "catalog": "c",
                            "schema": "s",
                            "table": "t_{{ table }}",
                            "table_properties": "{{ props }}",
                            **({"mode": "cdc", "cdc_config": {"keys": "{{ keys }}", "sequence_by": "ts"}} if self.some(0.5) else {}),
                        },
                    },
                ],
            }
            if self.preset_names and self.some(0.3):
                body["presets"] = [self.pick(*self.preset_names)]
            self.files[f"templates/{name}.yaml"] = to_yaml(body)
            self.template_names.append(name)

    def metadata_names(self):
        return self.r.sample(self.column_names, self.r.randint(0, len(self.column_names))) + (["unknown_column"] if self.some(0.1) else [])

    # --- flowgroups ---

    def flowgroup(self, n):
        pipeline = f"p{n}" if self.some(0.9) else f"p{n} {self.pick('a-b', 'größe', 'q')}"
        if n and self.some(0.15):
            pipeline = self.last_pipeline
        self.last_pipeline = pipeline
        fg = {"pipeline": pipeline, "flowgroup": self.name("fg"), "variables": {"var_a": self.pick("va", "7")}}
        if self.preset_names and self.some(0.4):
            fg["presets"] = self.r.sample(self.preset_names, self.r.randint(1, len(self.preset_names)))
        if self.some(0.3):
            fg["operational_metadata"] = self.pick(True, self.metadata_names(), self.metadata_names())
        if self.template_names and self.some(0.2):
            fg["use_template"] = self.pick(*self.template_names)
            fg["template_parameters"] = {
                "table": self.name("t"),
                **({"keys": self.columns()} if self.some(0.5) else {}),
                **({"note": self.line(), "props": self.properties(), "stream": self.some(0.5)} if self.some(0.5) else {}),
            }
        if "use_template" not in fg or self.some(0.4):
            fg["actions"] = Actions(self).make()
        self.made += [("flowgroup", None, key) for key in fg]
        path = f"pipelines/fg{n}.yaml"
        self.files[path], self.pipeline_of[path] = to_yaml(fg), pipeline
