"""Settings of pipelines that lhp does not know reach the resource file as the data that they were.

Random values (SEED and ROUNDS in the environment for others than usual), written by PyYAML into a pipeline_config,
read by PyYAML from what lhp made of it.
"""

import datetime
import os
import random
import unittest

import yaml

from project import ProjectTest

PIPELINES = 40
FLOWGROUP = """
pipeline: {name}
flowgroup: f
actions:
  - {{name: l, type: load, readMode: stream, source: {{type: cloudfiles, path: /Volumes/p/in, format: json}}, target: v}}
  - {{name: w, type: write, source: v, write_target: {{type: streaming_table, catalog: c, schema: s, table: t_{name}}}}}
"""
# Plain scalars whose type hangs on a letter, in as many forms as YAML 1.1 has.
PLAIN = """
0 -0 +12 014 0o17 0x1F -0x1f 0b101 1_000 1:30 1:30:00 -1:30.5 190:20:30 08 0.1 .5 -.5 5. 1e3 1.0e3 1.5e+3 1.5E-07 1_0.5 12e03
.inf -.INF +.inf .NaN ~ null NULL Null nUll yes No ON off oFF y n true TRUE tRUE - -- --- ... .. . +
2024-01-01 2024-1-1 2024-01-01T10:20:30Z 2024-01-01t10:20:30.5+02:00 2024-02-30x 10:20 a:b a#b #a? 1.2.3 0x 0b 0b2 _1 1_ - -a ?a :a
""".split()
LETTERS = "abcXYZ019 _-:#,[]{}&*!|>'\"%@`?~=./\\$\n\t\xe9\u0141\u2028\U0001f6a2\x07\x85"


def text(rng):
    return "".join(rng.choice(LETTERS) for _ in range(rng.choice((0, 1, 2, 3, 8, 30, 130))))


def scalar(rng):
    return rng.choice(
        (
            lambda: text(rng),
            lambda: rng.choice(PLAIN),
            lambda: " ".join(rng.choice(PLAIN) for _ in range(40)),
            lambda: rng.choice((True, False, None)),
            lambda: rng.choice((0, 1, -7, 10**12, 2**63 - 1, -(2**63))),
            lambda: rng.choice((0.0, 1.5, -2e-9, 1e20, 1e16, 123456789.125, float("inf"))),
            lambda: datetime.date(2000 + rng.randrange(60), 1 + rng.randrange(12), 1 + rng.randrange(28)),
            lambda: datetime.datetime(2024, 5, 6, 7, 8, rng.randrange(60), rng.choice((0, 120000, 7))),
            lambda: datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=datetime.timezone(datetime.timedelta(hours=5.5))),
        )
    )()


def value(rng, depth=3):
    kind = rng.random()
    if depth == 0 or kind < 0.5:
        return scalar(rng)
    if kind < 0.75:
        return [value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {rng.choice((text(rng), rng.choice(PLAIN), rng.randrange(9))): value(rng, depth - 1) for _ in range(rng.randrange(4))}


def settings_text(rng, name, settings):
    return yaml.safe_dump(
        {"pipeline": name, **settings},
        sort_keys=False,
        width=rng.choice((20, 80, 1000)),
        default_flow_style=rng.choice((True, False, None)),
        default_style=rng.choice((None, None, '"', "'")),
        allow_unicode=rng.choice((True, False)),
    )


def typed(data):
    """Data that is equal only when its types and the order of its keys are."""
    if isinstance(data, dict):
        return ["map", [(typed(key), typed(one)) for key, one in data.items()]]
    if isinstance(data, list):
        return ["list", [typed(one) for one in data]]
    if isinstance(data, datetime.datetime):
        return [type(data).__name__, data.isoformat()]
    return [type(data).__name__, repr(data)]


class PassThrough(ProjectTest):
    def resources(self, documents):
        """What PyYAML reads of the resource file of each pipeline."""
        self.write({"lhp.yaml": "name: p\n", "databricks.yml": "", "config.yaml": "---\n".join(documents)})
        names = [f"p{i}" for i in range(len(documents) - 1)]
        self.write({f"pipelines/{name}.yaml": FLOWGROUP.format(name=name) for name in names})
        self.lhp("generate", "-e", "dev", "-pc", "config.yaml", "--no-format")
        for name in names:
            text = (self.root / "resources" / "lhp" / f"{name}.pipeline.yml").read_text()
            yield yaml.safe_load(text)["resources"]["pipelines"][f"{name}_pipeline"], text

    def compare(self, documents):
        defaults = "project_defaults: {catalog: c, schema: s}\n"
        made = self.resources([defaults, *documents])
        for document, (pipeline, text) in zip(documents, made, strict=True):
            wanted = {key: one for key, one in yaml.safe_load(document).items() if key != "pipeline"}
            got = {key: one for key, one in pipeline.items() if key in wanted}
            self.assertEqual(typed(got), typed(wanted), f"{document}\n{text}")

    def test_random_values_keep_type_and_order(self):
        seed = int(os.environ.get("SEED", "7"))
        for round in range(int(os.environ.get("ROUNDS", "3"))):
            rng = random.Random(seed + round)
            documents = []
            for i in range(PIPELINES):
                settings = {f"{rng.choice('zxya')}_{k}": value(rng) for k in range(6)}
                documents.append(settings_text(rng, f"p{i}", settings))
            with self.subTest(seed=seed + round):
                self.compare(documents)

    def test_plain_scalars_are_what_yaml_takes_them_for(self):
        lines = "".join(f"k{i}:\n  {one}: 1\n  v: {one}\n  l:\n  - {one}\n" for i, one in enumerate(PLAIN) if one != "-")
        self.compare([f"pipeline: p0\n{lines}"])


if __name__ == "__main__":
    unittest.main()
