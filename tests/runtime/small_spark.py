"""A small Spark in memory: as much of DataFrame and functions as the code of a quarantine needs, with Spark's meaning.

Rows are dicts. A column is a function from a row to a value; conditions in SQL are left to sqlite. By hand, with
REAL_SPARK=1 and a pyspark, the tests run the same code on Spark itself.
"""

import json
import re
import sqlite3
import types


class Kind:
    """The type of a field."""

    def __init__(self, name):
        self.name = name

    def simpleString(self):
        return self.name


class Column:
    def __init__(self, value, name=None):
        self.value, self.name, self.cases = value, name, []

    def alias(self, name):
        return Column(self.value, name)

    def cast(self, kind):
        return Column(lambda row: None if (value := self.value(row)) is None else str(value), self.name)

    def both(self, other, operation):
        """None when either side is null, as in SQL."""
        other = column(other)

        def value(row):
            sides = self.value(row), other.value(row)
            return None if None in sides else operation(*sides)

        return Column(value)

    def __eq__(self, other):
        return self.both(other, lambda x, y: x == y)

    def __ne__(self, other):
        return self.both(other, lambda x, y: x != y)

    def __and__(self, other):
        return self.both(other, lambda x, y: x and y)

    def __sub__(self, other):
        return self.both(other, lambda x, y: x - y)

    def __or__(self, other):
        return Column(lambda row: bool(self.value(row)) or bool(column(other).value(row)))

    def isNull(self):
        return Column(lambda row: self.value(row) is None)

    def isNotNull(self):
        return Column(lambda row: self.value(row) is not None)

    def isin(self, *values):
        return Column(lambda row: self.value(row) in values)

    def substr(self, start, length):
        def value(row):
            text, at = self.value(row), start.value(row) - 1
            return None if text is None else text[at : at + length.value(row)]

        return Column(value)

    def desc(self):
        return self

    def over(self, window):
        return Column(lambda row: sum(window.before(other, row) for other in row.frame) + 1)

    def when(self, condition, value):
        cases = [*self.cases, (condition, column(value))]

        def first(row):
            return next((case.value(row) for holds, case in cases if holds.value(row)), None)

        made = Column(first)
        made.cases = cases
        return made

    def otherwise(self, value):
        return self.when(lit(True), value)


class InFrame(dict):
    """A row that knows the rows beside it."""

    frame = ()


class Window:
    def __init__(self, part, order=None):
        self.part, self.order = part, order

    @staticmethod
    def partitionBy(name):
        return Window(name)

    def orderBy(self, newest_first):
        return Window(self.part, newest_first)

    def before(self, other, row):
        return other[self.part] == row[self.part] and self.order.value(other) > self.order.value(row)


class DataFrame:
    def __init__(self, rows, kinds, session=None):
        self.rows, self.kinds, self.sparkSession = rows, kinds, session
        self.columns = list(kinds)
        fields = [types.SimpleNamespace(name=name, dataType=Kind(kind)) for name, kind in kinds.items()]
        self.schema = types.SimpleNamespace(fields=fields)

    def made(self, rows, kinds=None):
        return DataFrame(rows, self.kinds if kinds is None else kinds, self.sparkSession)

    def framed(self):
        rows = [InFrame(row) for row in self.rows]
        for row in rows:
            row.frame = rows
        return rows

    def isEmpty(self):
        return not self.rows

    def where(self, condition):
        condition = expr(condition) if isinstance(condition, str) else condition
        return self.made([row for row in self.rows if condition.value(row)])

    def withColumn(self, name, made):
        rows = [{**row, name: made.value(row)} for row in self.framed()]
        return self.made(rows, {**self.kinds, name: self.kinds.get(name, "string")})

    def withColumns(self, columns):
        frame = self
        for name, made in columns.items():
            frame = frame.withColumn(name, made)
        return frame

    def select(self, *columns):
        columns = [col(one) if isinstance(one, str) else one for one in columns]
        rows = [{one.name: one.value(row) for one in columns} for row in self.rows]
        return self.made(rows, {one.name: self.kinds.get(one.name, "string") for one in columns})

    def dropDuplicates(self, names):
        return self.made(list({tuple(row[name] for name in names): row for row in reversed(self.rows)}.values()))

    def unionByName(self, other):
        assert set(self.columns) == set(other.columns), (self.columns, other.columns)
        return self.made(self.rows + other.rows)

    def alias(self, name):
        return self


def column(value):
    return value if isinstance(value, Column) else lit(value)


def lit(value):
    return Column(lambda row: value)


def col(name):
    quoted = re.fullmatch(r"`((?:[^`]|``)+)`", name)
    plain = quoted.group(1).replace("``", "`") if quoted else name
    return Column(lambda row: row[plain], plain)


def expr(sql):
    def value(row):
        names = ", ".join(f'? AS "{name}"' for name in row)
        try:
            return sqlite3.connect(":memory:").execute(f"SELECT {sql} FROM (SELECT {names})", list(row.values())).fetchone()[0]
        except sqlite3.Error as error:
            raise AssertionError(f"{sql}: {error}") from error

    return Column(value)


def when(condition, value):
    return Column(None).when(condition, value)


def each(function):
    """A function of the values of columns: null when the first is."""

    def of(*columns):
        def value(row):
            values = [column(one).value(row) for one in columns]
            return None if values and values[0] is None else function(*values)

        return Column(value)

    return of


def struct(*columns):
    return Column(lambda row: {one.name: one.value(row) for one in columns})


def array(*columns):
    return Column(lambda row: [one.value(row) for one in columns])


def filter_array(values, keep):
    return Column(lambda row: [value for value in values.value(row) if keep(lit(value)).value(row)])


def map_filter(entries, keep):
    def value(row):
        found = entries.value(row)
        return found and {k: v for k, v in found.items() if keep(lit(k), lit(v)).value(row)}

    return Column(value)


def to_json(value):
    return json.dumps({name: part for name, part in value.items() if part is not None}, separators=(",", ":"))


def from_json(text, kind):
    def value(row):
        found = text.value(row)
        return found and {k: v if isinstance(v, str) else json.dumps(v) for k, v in json.loads(found).items()}

    return Column(value)


def cast(value, kind):
    try:
        return {"int": int, "string": str}[kind](value)
    except ValueError:
        return None


def try_variant_get(variant, path, kind):
    name = re.fullmatch(r"""\$\[(?:'([^']*)'|"([^"]*)")\]""", path)
    assert name, f"Spark takes no such path: {path}"
    return each(lambda found: cast(value, kind) if (value := found.get(name.group(1) or name.group(2))) is not None else None)(variant)


FUNCTIONS = {
    "lit": lit,
    "col": col,
    "expr": expr,
    "when": when,
    "struct": struct,
    "array": array,
    "filter": filter_array,
    "map_filter": map_filter,
    "from_json": from_json,
    "try_variant_get": try_variant_get,
    "to_json": each(to_json),
    "parse_json": each(json.loads),
    "length": each(len),
    "concat": each(lambda *texts: None if None in texts else "".join(texts)),
    "json_object_keys": each(lambda text: list(json.loads(text))),
    "array_except": each(lambda values, others: [value for value in values if value not in others]),
    "array_contains": each(lambda values, value: value in values),
    "xxhash64": each(lambda *values: hash(values)),
    "row_number": lambda: Column(None),
    "current_timestamp": lambda: lit("now"),
}
