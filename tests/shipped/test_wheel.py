"""Wheels as pip and Python see them."""

import base64
import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import unittest
import unittest.mock
import zipfile

from project import ProjectTest

FLOWGROUP = """
pipeline: 2_Ward-Load
flowgroup: beds
actions:
  - name: load_beds
    type: load
    readMode: stream
    source: {type: cloudfiles, path: /Volumes/w/in, format: json}
    target: v_beds
  - name: check_beds
    type: transform
    transform_type: data_quality
    source: v_beds
    target: v_good
    readMode: stream
    expectations_file: expectations/beds.yaml
    mode: quarantine
    quarantine: {dlq_table: hosp.ops.dlq, source_table: hosp.raw.beds}
  - name: mark_beds
    type: transform
    transform_type: python
    source: v_good
    module_path: functions/marks.py
    function_name: mark
    target: v_marked
  - name: write_beds
    type: write
    source: v_marked
    write_target: {type: streaming_table, catalog: hosp, schema: raw, table: beds, tags: {owner: kari}}
  - name: beds_complete
    type: test
    test_type: completeness
    source: hosp.raw.beds
    required_columns: [bed_id]
    test_id: W-1
"""

PROJECT = {
    "lhp.yaml": "name: ward\nversion: '1.0'\ntest_reporting: {module_path: register.py, function_name: send}\n",
    "config.yaml": "project_defaults: {packaging: wheel}\n",
    "register.py": "def send(results, config, context, spark):\n    return {}\n",
    "expectations/beds.yaml": "expectations:\n  - {name: known, expression: bed_id IS NOT NULL}\n",
    "functions/marks.py": "def mark(df, spark, parameters):\n    return df\n",
    "pipelines/beds.yaml": FLOWGROUP,
    "pipelines/odd.yaml": FLOWGROUP.replace("2_Ward-Load", "odd").replace("flowgroup: beds", "flowgroup: 'a, \"b\"'"),
}

# Runs the module that starts a pipeline, as a cluster does: Spark is a stand-in that takes everything.
START = """
import importlib.abc, importlib.machinery, json, runpy, sys
from unittest.mock import MagicMock

class StandIn(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in ("pyspark", "delta", "databricks"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        module.__all__ = ["lit"]
        return module
    def exec_module(self, module):
        pass

sys.meta_path.insert(0, StandIn())
before = set(sys.modules)
runpy.run_path(sys.argv[1], init_globals={"spark": MagicMock(), "dbutils": MagicMock()})
packages = ("p_2_ward_load", "custom_python_functions", "test_reporting_providers")
print(json.dumps(sorted(name for name in set(sys.modules) - before if name.split(".")[0] in packages)))
"""


class Wheel(ProjectTest):
    def build(self):
        root = self.folder()
        self.write(PROJECT, root)
        self.lhp("generate", "-e", "dev", "-pc", "config.yaml", "--include-tests", "--no-format", root=root)
        return root / "generated" / "dev"

    def wheel(self, made, pipeline="2_Ward-Load"):
        (file,) = (made / "_wheels" / pipeline / "dist").glob("*.whl")
        return file

    def test_two_builds_are_the_same_bytes(self):
        one, two = self.wheel(self.build()), self.wheel(self.build())
        self.assertEqual(one.name, two.name)
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_entries_are_stored_in_order_with_one_time_and_mode(self):
        with zipfile.ZipFile(self.wheel(self.build())) as wheel:
            entries = wheel.infolist()
        names = [entry.filename for entry in entries]
        self.assertEqual(names, sorted(names))
        facts = {
            (e.compress_type, e.date_time, e.create_system, e.external_attr >> 16) for e in entries
        }
        self.assertEqual(facts, {(zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0), 3, 0o644)})

    def test_the_record_names_every_entry_with_its_hash_and_size(self):
        with zipfile.ZipFile(self.wheel(self.build(), "odd")) as wheel:
            texts = {name: wheel.read(name) for name in wheel.namelist()}
        (record,) = [name for name in texts if name.endswith(".dist-info/RECORD")]
        rows = list(csv.reader(io.StringIO(texts[record].decode())))
        self.assertEqual([row[0] for row in rows], sorted(texts))
        self.assertIn('odd/a, "b".py', texts)
        for path, digest, size in rows:
            if path == record:
                self.assertEqual((digest, size), ("", ""))
                continue
            sha = base64.urlsafe_b64encode(hashlib.sha256(texts[path]).digest()).rstrip(b"=").decode()
            self.assertEqual((digest, size), (f"sha256={sha}", str(len(texts[path]))), path)

    def test_pip_installs_it_and_its_modules_import(self):
        made, venv = self.build(), self.folder() / "venv"
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        python = venv / "bin" / "python"
        pip = [python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"]
        subprocess.run([*pip, self.wheel(made)], check=True)
        runner = made / "2_Ward-Load" / "p_2_ward_load_runner.py"
        done = subprocess.run([python, "-c", START, runner], cwd=venv, text=True, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            json.loads(done.stdout),
            [
                "custom_python_functions",
                "custom_python_functions.marks",
                "p_2_ward_load",
                "p_2_ward_load._test_reporting_hook",
                "p_2_ward_load._uc_tagging_hook",
                "p_2_ward_load.beds",
                "test_reporting_providers",
                "test_reporting_providers.register",
            ],
        )

    def packed(self, texts, method, wide):
        made = io.BytesIO()
        with unittest.mock.patch("zipfile.ZIP64_LIMIT", 0 if wide else zipfile.ZIP64_LIMIT):
            with zipfile.ZipFile(made, "w", method) as wheel:
                for name, text in texts.items():
                    with wheel.open(name, "w", force_zip64=wide) as entry:
                        entry.write(text.encode())
        self.assertEqual(b"PK\6\6" in made.getvalue(), wide)
        return made.getvalue()

    def test_what_python_packs_is_extracted(self):
        modules = {"a/one.py": "x = 1\n", "a/two.py": "y = 2\n" * 1000, "a/none.py": ""}
        self.write({"lhp.yaml": "name: ward\n"})
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            for wide in (False, True):
                with self.subTest(method=method, wide=wide):
                    (self.root / "other.whl").write_bytes(self.packed({"LICENSE": "free", **modules}, method, wide))
                    out = self.folder()
                    self.lhp("inspect-wheel", "other.whl", "--extract", str(out))
                    found = {str(f.relative_to(out)): f.read_text() for f in out.rglob("*.*")}
                    self.assertEqual(found, modules)

    def without_libzip(self, *words, root=None):
        """Status and standard error of lhp where the loader finds a file that is no library under the name of libzip."""
        broken = self.folder()
        (broken / os.environ["LIBZIP"]).touch()
        env = {**os.environ, "LD_LIBRARY_PATH": str(broken), "COLUMNS": "300"}
        done = subprocess.run([os.environ["LHP"], *words], cwd=root or self.root, env=env, text=True, capture_output=True)
        return done.returncode, done.stderr

    def assert_asks_for_libzip(self, code, done):
        status, said = done
        self.assertEqual(status, 3, said)
        self.assertIn(code, said)
        for text in (os.environ["LIBZIP"] + ":", "apt-get install libzip"):
            self.assertEqual(said.count(text), 1, said)

    def test_without_libzip_no_wheel_is_packed_and_nothing_is_written(self):
        words = ("generate", "-e", "dev", "-pc", "config.yaml", "--no-format")
        self.write(PROJECT)
        self.assert_asks_for_libzip("LHP-IO-005", self.without_libzip(*words))
        self.assertFalse((self.root / "generated").exists())
        self.lhp(*words)
        before = {f: f.read_bytes() for f in self.root.glob("generated/**/*.*")}
        self.write({"pipelines/odd.yaml": PROJECT["pipelines/odd.yaml"].replace("owner: kari", "owner: tor")})
        self.assert_asks_for_libzip("LHP-IO-005", self.without_libzip(*words))
        self.assertEqual({f: f.read_bytes() for f in self.root.glob("generated/**/*.*")}, before)

    def test_without_libzip_no_wheel_is_read(self):
        wheel = self.wheel(self.build())
        self.write({"lhp.yaml": "name: ward\n"})
        self.assert_asks_for_libzip("LHP-IO-002", self.without_libzip("inspect-wheel", str(wheel)))

    def test_what_has_no_wheels_needs_no_libzip(self):
        self.write(PROJECT)
        for words in (("--version",), ("validate", "-e", "dev"), ("generate", "-e", "dev", "--no-format")):
            status, said = self.without_libzip(*words)
            self.assertEqual(status, 0, said)


if __name__ == "__main__":
    unittest.main()
