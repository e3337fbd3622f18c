"""Stand-ins for pyspark and for the head that lhp puts before a runtime file: it runs without a cluster."""

import sys
import types
from pathlib import Path

RUNTIME = Path(__file__).resolve().parents[2] / "src" / "emit" / "runtime"


class Sized:
    """A column type or field: remembers what it was made of."""

    def __init__(self, *parts):
        self.parts = parts


class AnalysisException(Exception):
    pass


class EventHooks:
    """Stands for `dp`: keeps the hooks that were registered, with their options."""

    def __init__(self):
        self.registered = []

    def on_event_hook(self, **options):
        def register(function):
            self.registered.append((function, options))
            return function

        return register


def pyspark_install(dp):
    def module(name, **names):
        made = types.ModuleType(name)
        vars(made).update(names)
        sys.modules[name] = made
        return made

    functions = module("pyspark.sql.functions", lit=lambda value: ("lit", value))
    module("pyspark", pipelines=dp)
    module("pyspark.sql", functions=functions)
    module("pyspark.sql.utils", AnalysisException=AnalysisException)
    types_of_columns = ("StringType", "StructField", "TimestampType")
    struct = type("StructType", (), {"__init__": lambda self, fields: vars(self).update(fields=fields)})
    module("pyspark.sql.types", StructType=struct, **{name: Sized for name in types_of_columns})


def runtime_load(name, **head):
    """The names of a runtime file, run below the constants that generated code has above it."""
    pyspark_install(head.get("dp") or EventHooks())
    names = dict(head, __name__="runtime")
    exec(compile((RUNTIME / name).read_text(), name, "exec"), names)
    return types.SimpleNamespace(**names)
