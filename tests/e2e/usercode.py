"""Users' Python modules, sloppily laid out, with local imports."""


class UserCode:
    def __init__(self, project):
        self.p = project
        self.shared = []

    def module(self, body):
        """A module of its own folder and name; now and then with helpers beside it, reached by the imports on top."""
        p = self.p
        n = p.number()
        folder, stem = f"py/d{n}", f"{p.pick('m', 'spark_m', 'json_m')}_{n}"
        imports = p.r.sample(
            [
                "import os",
                "from pyspark.sql import functions as F",
                "import json, re",
                "from typing import (Any,\n    List)",
                "from __future__ import annotations",
                "import uuid as u",
            ],
            p.r.randint(0, 3),
        )
        imports.sort(key=lambda line: "__future__" not in line)
        if p.some(0.4):
            imports.append(self.helper(folder, n))
        doc = p.pick("", '"""A module."""\n', "# a comment: ${tok_word}\n", "'''old quotes'''\n")
        comment = p.pick("", "# ${tok_word} {tok_word}\n", "# größe\n", "X = '${tok_int}'\n", "x=[1,2 ,3,]\n")
        path = f"{folder}/{stem}.py"
        p.files[path] = doc + "\n".join(imports) + p.pick("\n", "\n\n\n\n") + comment + body + p.pick("", "\n", "\n\n\n")
        return path

    def helper(self, folder, n):
        p = self.p
        kind = p.pick("module", "package", "deep", "namespace")
        if kind == "module":
            p.files[f"{folder}/h{n}.py"] = "def one( ) :\n  return '1'\n"
            return p.pick(f"from h{n} import one", f"from h{n} import one as two, one", f"from h{n} import (  # why\n    one,\n)  ; y = 2")
        if kind == "package":
            p.files[f"{folder}/k{n}/__init__.py"] = p.pick("", "from .inner import one\n")
            p.files[f"{folder}/k{n}/inner.py"] = "from os import path\none = {'a':1}\n"
            p.files[f"{folder}/k{n}/unused.py"] = "z = '${tok_word}'\n"
            return f"from k{n}.inner import one"
        if kind == "deep":
            p.files[f"{folder}/a{n}.py"] = f"def f():\n    from b{n} import g\n    return g\n"
            p.files[f"{folder}/b{n}.py"] = "g=1"
            return f"from a{n} import f"
        p.files[f"{folder}/n{n}/inner.py"] = "one = 'a' \"b\"\n"
        return f"from n{n}.inner import one"

    def body(self):
        p = self.p
        return p.pick(
            "    return df",
            "    if x:\n        return df\n    return df  # done",
            "    x = {'a':1,\n      'b':[1,2]}\n\n\n    return df",
            "    '''doc'''\n    return df.where('${tok_word}')",
            "  return df.filter(F.col('a')>1).select('aaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbb', 'c')",
            '    s = f"{df!r} {1:>10}"\n    return df',
            "    async def g(): pass\n    return df",
            "    match df:\n        case 1: return 2",
        )

    def function(self, kind):
        p = self.p
        if kind == "load":
            name = p.pick("get_df", "make", "größe_f")
            return self.module(f"def {name}(spark, parameters):\n{self.body()}"), name
        if self.shared and p.some(0.2):
            return p.pick(*self.shared)
        name = p.pick("apply", "transform_it")
        made = self.module(f"def {name}(df,spark,parameters) :\n{self.body()}"), name
        self.shared.append(made)
        return made

    def datasource(self):
        p = self.p
        name = f"Source{p.number()}"
        label = p.pick(
            '    @classmethod\n    def name(cls):\n        return "my-fmt"\n',
            "    @classmethod\n    def name( cls ) :\n        return 'fmt2'\n",
            "    @classmethod\n    def name(cls) -> str:\n        return 'typed'\n",
            "    @classmethod\n    def name(cls):\n        '''doc'''\n        return 'x'\n",
            "",
        )
        return self.module(
            f"class {name}({p.pick('object', 'DataSource, Other', '')}):\n{label}    def schema(self):\n        return 'a int'"
        ), name

    def sink(self):
        p = self.p
        name = f"{p.pick('Sink', 'SparkSink')}{p.number()}"
        label = p.pick(
            '    @classmethod\n    def name(cls):\n        return "sink-fmt"\n',
            "    @classmethod\n    def name(cls) -> str:\n        return 'typed'\n",
            "",
        )
        return self.module(
            f"class {name}{p.pick('(DataSink)', '')}:\n{label}    def writer(self, schema, overwrite):\n        return None"
        ), name

    def snapshot(self):
        p = self.p
        parameters = {k: p.data() for k in ("a", "b", "c")[: p.r.randint(0, 3)]}
        signature = p.pick("version, *, a=1, b=2, c=None", "version, **kw", "version,*,a,b,c")
        return self.module(f"def snap({signature}):\n    return None"), "snap", parameters

    def batch_body(self):
        p = self.p
        return p.pick(
            "df.write.save('x')",
            "df = df.where(\"a = 'b'\")\nif batch_id:\n    df.write.format('delta').save(\"/x\")\n",
            "# only\npass",
            "x = {'a': 1}\n\n\ndf.count()\n",
            "for row in df.collect():\n  print(row, '${tok_word}')\n",
            'spark.sql("""\nSELECT 1\n""")\n',
        )
