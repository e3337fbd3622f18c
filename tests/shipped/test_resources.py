"""Every resource file of the golden cases is YAML, and what Databricks takes."""

import re
import unittest
from pathlib import Path

import yaml

from bundle_shape import faults_of

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def resource_files():
    """(case, path, text) of all resource files that cases expect."""
    for case in sorted(GOLDEN.rglob("*.txtar")):
        parts = re.split(r"^-- (.+) --\n", case.read_text(errors="replace"), flags=re.MULTILINE)
        for name, text in zip(parts[1::2], parts[2::2]):
            if name.startswith("tree/") and name.endswith(".yml"):
                yield case.stem, name, text


class Resources(unittest.TestCase):
    def test_each_parses_and_has_the_shape_of_a_bundle(self):
        seen = 0
        for case, name, text in resource_files():
            with self.subTest(case=case, file=name):
                seen += 1
                (document,) = yaml.safe_load_all(text)
                self.assertEqual(faults_of(document), [])
        self.assertGreater(seen, 20)

    def test_what_does_not_fit_is_found(self):
        pipeline = {"name": "p", "serverless": "yes", "clusters": [{"size": 3}], "own": 1}
        self.assertEqual(
            faults_of({"resources": {"pipelines": {"p": pipeline}}}),
            [
                ".resources.pipelines.p.serverless: 'yes' is no bool",
                ".resources.pipelines.p.clusters[0].size is not known",
            ],
        )


if __name__ == "__main__":
    unittest.main()
