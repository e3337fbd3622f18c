"""What a generated module is run in: decorators, streams and Delta tables of ours, on a Spark of ours or, with REAL_SPARK=1, on Spark."""

import os
import re
import sys
import types
import unittest.mock

import small_spark


class SmallSpark:
    def modules(self, dp):
        """What `import` finds, with `dp` for the decorators."""
        functions = types.SimpleNamespace(**small_spark.FUNCTIONS)
        sql = types.SimpleNamespace(functions=functions, Column=small_spark.Column, DataFrame=small_spark.DataFrame)
        return {
            "pyspark": types.SimpleNamespace(pipelines=dp, sql=sql),
            "pyspark.sql": sql,
            "pyspark.sql.types": types.SimpleNamespace(MapType=lambda *of: None, StringType=lambda: None),
            "pyspark.sql.window": types.SimpleNamespace(Window=small_spark.Window),
        }

    def frame(self, rows, kinds, session):
        return small_spark.DataFrame([{name: row.get(name) for name in kinds} for row in rows], kinds, session)

    def merge(self, kept, new, names):
        present = [] if kept is None else kept.rows
        keys = {tuple(row[name] for name in names) for row in present}
        return new.made(present + [row for row in new.rows if tuple(row[name] for name in names) not in keys])

    def rows(self, frame):
        return frame.rows

    def parse_json(self, frame, name):
        return frame.withColumn(name, small_spark.FUNCTIONS["parse_json"](small_spark.col(name)))


class RealSpark:
    """For REAL_SPARK=1: only streams, decorators and Delta's MERGE are ours."""

    def __init__(self):
        from pyspark.sql import SparkSession

        quick = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.log.level": "ERROR"}
        self.session = SparkSession.builder.master("local[1]").config(map=quick).getOrCreate()

    def modules(self, dp):
        import pyspark

        pyspark.pipelines = dp
        return {"pyspark.pipelines": dp}

    def frame(self, rows, kinds, session):
        schema = ", ".join("`{}` {}".format(name.replace("`", "``"), kind) for name, kind in kinds.items())
        return self.session.createDataFrame([tuple(row.get(name) for name in kinds) for row in rows], schema)

    def merge(self, kept, new, names):
        new = new.localCheckpoint()
        return new if kept is None else kept.unionByName(new.join(kept, names, "left_anti"))

    def rows(self, frame):
        def plain(value):
            return value.toPython() if hasattr(value, "toPython") else value

        return [{name: plain(value) for name, value in row.asDict(recursive=True).items()} for row in frame.collect()]

    def parse_json(self, frame, name):
        from pyspark.sql import functions

        return frame.withColumn(name, functions.parse_json(name))


ENGINE = RealSpark() if os.environ.get("REAL_SPARK") else SmallSpark()


class Pipeline:
    """Stands for `dp`, `spark` and Delta: views that are run when they are read, tables of given rows."""

    def __init__(self, text):
        self.views, self.sinks, self.flows = {}, {}, {}
        self.tables, self.merged = {}, []  # frames by name; the tables that a sink has written to
        self.readStream = self
        self.names = {"spark": self, "__name__": "generated"}
        delta = types.SimpleNamespace(DeltaTable=types.SimpleNamespace(forName=self.delta))
        with unittest.mock.patch.dict(sys.modules, ENGINE.modules(self) | {"delta.tables": delta}):
            exec(compile(text, "generated.py", "exec"), self.names)

    # dp
    def temporary_view(self):
        return lambda function: self.views.update({function.__name__: function}) or function

    def expect_all_or_drop(self, rules):
        def decorate(function):
            def kept():
                frame = function()
                for rule in rules.values():
                    frame = frame.where(rule)
                return frame

            kept.__name__, kept.rules = function.__name__, rules
            return kept

        return decorate

    def foreach_batch_sink(self, name):
        return lambda function: self.sinks.update({name: function}) or function

    def append_flow(self, target, name, comment=None):
        return lambda function: self.flows.update({name: (target, function)}) or function

    def create_streaming_table(self, **options):
        pass

    # spark.readStream
    def option(self, name, value):
        return Reader(self, {name: value})

    def table(self, name):
        return self.tables[name] if name in self.tables else self.views[name]()

    # Delta
    def delta(self, session, table):
        self.merged.append(table)
        return Merge(self, table)

    # the runtime
    def put(self, table, rows, kinds):
        self.tables[table] = ENGINE.frame(rows, kinds, self)

    def run(self, flow):
        target, function = self.flows[flow]
        self.sinks[target](function(), 0)

    def rows(self, name):
        return ENGINE.rows(self.table(name))


class Reader:
    def __init__(self, pipeline, options):
        self.pipeline, self.options = pipeline, options

    def table(self, name):
        if self.options == {"readChangeFeed": "true"}:
            return self.pipeline.tables[name + " changes"]
        assert self.options == {"skipChangeCommits": "true"}, self.options
        return self.pipeline.tables[name]


class Merge:
    """MERGE of rows that are not there: the only kind that a quarantine does."""

    def __init__(self, pipeline, table):
        self.pipeline, self.name = pipeline, table

    def alias(self, name):
        assert name == "kept"
        return self

    def merge(self, new, condition):
        self.new, self.keys = new, re.findall(r"kept\.(\w+) = new\.\1", condition)
        assert condition == " AND ".join(f"kept.{key} = new.{key}" for key in self.keys)
        return self

    def whenNotMatchedInsertAll(self):
        return self

    def execute(self):
        tables = self.pipeline.tables
        tables[self.name] = ENGINE.merge(tables.get(self.name), self.new, self.keys)
