#!/usr/bin/env python3
"""What a user writes stays inside the literal it belongs to: hostile texts in every field of every kind of action.

    tests/property/literals.py LHP [SHARE [ENTITY.KEY]]

Each flowgroup has one hostile text in one field. The module made from it must parse as Python, and a literal of it must
have that text as its value (fields.py says how each field shows); or lhp refuses the flowgroup with a code that
`lhp explain` knows. SHARE: only one in so many texts per field, another one for each field (default 1: all). ENTITY.KEY: this field only.
"""

import ast
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
from fields import BASES, BLOCK, FIELDS, PATHS, QUIET, SLASHED, STRIPPED, TEXT, WITHIN, WORDS
from yamltext import to_yaml

PLAIN = [
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "\\\\",
    "\n",
    "\r",
    "\t",
    "}",
    "#",
    "\u2028",
    "\x85",
    "\x00",
    "\x7f",
    "\x0b",
    "\x1b",
    "\ufeff",
    "😀",
    "\\x41",
    "\\u2028",
    "%s",
    "\\\n",
    '"""\n)\nimport os\n',
    "'''\nimport os\n",
    '")\nimport os  # ',
    '\\"',
    '""',
    '"" ""',
    "é",
    "//",
    "..",
    ": ",
    "- ",
    "\n\n  x",
    "\u202e",
    "\u3000",
    "`",
]
# Those with braces may be tokens that nobody defines: refused, and apart from the others.
BRACED = [
    "{",
    "{x}",
    "{{x}}",
    "${x}",
    "${",
    "%{x}",
    'f"{x}"',
    "\\N{DASH}",
    "${secret:scope/key}",
    'a${secret:scope/key}"{}',
]
FILES = {
    "lhp.yaml": 'name: hostile\nversion: "1.0"\n',
    "substitutions/dev.yaml": "dev: {t: u}\n",
    "rules.yaml": "a > 0: {action: drop}\n",
    "py/m.py": "class S(object):\n    pass\n\n\ndef get_df(*given):\n    return given\n\n\ndef snap(version, **given):\n    return given\n",
}


def texts():
    """Every atom once in front and once at the end of a tag that tells the texts apart."""
    for atoms in (PLAIN, BRACED):
        for k, atom in enumerate(atoms):
            yield f"{atom}tag{k}{atoms[(k + 7) % len(atoms)]}"


def placed(shape, text):
    if isinstance(shape, str):
        return shape.replace("%s", text)
    if isinstance(shape, list):
        return [placed(x, text) for x in shape]
    if isinstance(shape, dict):
        return {placed(k, text): placed(v, text) for k, v in shape.items()}
    return shape


def flowgroup(entity, key, base, value, name):
    actions = copy.deepcopy(BASES[base])
    fg = {"pipeline": name, "flowgroup": name, "actions": actions}
    if entity == "flowgroup":
        fg[key] = value
        return fg
    at = actions[0]
    for step in PATHS[entity]:
        at = at[step]
    at[key] = value
    return fg


def cases(share, only):
    n = 0
    for (entity, key), rows in FIELDS.items():
        for bases, shapes in rows:
            for base in bases.split():
                for shape, how in shapes:
                    for text in texts():
                        n += 1
                        if (n + n // len(PLAIN + BRACED)) % share == 0 and only in ("", f"{entity}.{key}"):
                            yield f"x{n}", entity, key, base, shape, how, text


# --- what a module says ---


def text_of(node):
    """A text that an expression stands for, calls for secrets in the way people write them; None when it is no text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(v.value if isinstance(v, ast.FormattedValue) else v) or "" for v in node.values)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "dbutils.secrets.get":
        k = {a.arg: a.value.value for a in node.keywords}
        return "${secret:%s/%s}" % (k["scope"], k["key"])
    return None


def texts_in(source):
    tree = ast.parse(source)
    imported = [n for n in ast.walk(tree) if isinstance(n, ast.Import) and any(a.name == "os" for a in n.names)]
    assert not imported, "a text has become code"
    return {t for t in map(text_of, ast.walk(tree)) if t is not None}


def lines_stripped(s):
    return "\n".join(line.rstrip() for line in re.split("\r\n|[\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]", s))


def squeezed(s):
    return "".join(s.split())


def shows(how, said, text):
    if how == QUIET:
        return True
    if how == TEXT:
        return text in said
    if how == WITHIN:
        return any(lines_stripped(text).strip() in lines_stripped(s) for s in said)
    if how == SLASHED:
        return any(text.replace("\\", "/") in s for s in said)
    if how == BLOCK:
        return any(lines_stripped(text) == lines_stripped(s) for s in said)
    if how == STRIPPED:
        return any(lines_stripped(text.strip()) == lines_stripped(s) for s in said)
    return any(squeezed(text) in squeezed(s) for s in said)


# --- runs ---


def lhp(program, root, *args):
    env = {**os.environ, "LSAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run([program, *args], cwd=root, env=env, capture_output=True, stdin=subprocess.DEVNULL)
    assert done.returncode in (0, 1), done.stderr.decode(errors="replace")[-2000:]
    return done


def findings(program, root, command):
    out = lhp(program, root, *command, "-e", "dev", "--include-tests", "--message-format", "json").stdout
    for line in out.decode().rstrip("\n").split("\n"):
        finding = json.loads(line)
        if finding["type"] == "finding" and finding["severity"] == "error":
            yield finding


def refusals(program, root, command):
    """{flowgroup file: codes}; a second document with the same pipeline does not exist here."""
    refused = {}
    for f in findings(program, root, command):
        refused.setdefault(f.get("flowgroup_file") or f["file"], set()).add(f["code"])
    return refused


def unlisted(program, root):
    """Keys of the schema that fields.py does not have, and the other way round."""
    defs = json.loads(lhp(program, root, "schema", "flowgroup").stdout)["$defs"]
    known = {(entity, key) for entity, d in defs.items() if entity != "instance" for key in d["properties"]}
    return known ^ FIELDS.keys()


def main():
    program, share, only = (sys.argv[1:] + ["1", ""][len(sys.argv) - 2 :])[:3]
    program = os.path.abspath(program)
    wrong, codes, good, count = [], set(), set(), 0
    with tempfile.TemporaryDirectory(prefix="lhp-literals-") as top:
        root = Path(top)
        for path, text in FILES.items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text)
        wrong += [f"not in fields.py, or not in the schema: {u}" for u in sorted(unlisted(program, root))]
        (root / "pipelines").mkdir()
        case = {}
        for name, entity, key, base, shape, how, text in cases(int(share), only):
            path = f"pipelines/{name}.yaml"
            fg = flowgroup(entity, key, base, placed(shape, text), name)
            case[path] = (fg["pipeline"], entity, key, base, shape, how, text)
            (root / path).write_text(to_yaml(fg))
        count = len(case)
        while refused := refusals(program, root, ["generate", "--no-bundle"]):
            for path, of in refused.items():
                codes |= of
                (root / path).unlink()
                del case[path]
        for pipeline, entity, key, base, shape, how, text in case.values():
            what = f"{entity}.{key} of {base}, {shape!r} = {text!r}"
            good.add((entity, key, base, str(shape)))
            modules = list((root / "generated/dev" / pipeline).rglob("*.py"))
            try:
                if not shows(how, set().union(*(texts_in(f.read_bytes().decode()) for f in modules)), text):
                    wrong.append(f"{what}: not in {pipeline}")
            except (SyntaxError, AssertionError, ValueError) as e:
                wrong.append(f"{what}: {e}")
        for code in sorted(codes):
            if lhp(program, root, "explain", code).returncode != 0:
                wrong.append(f"{code} is not explained")
    for (entity, key), rows in FIELDS.items() if not only else ():
        for bases, shapes in rows:
            wrong += [
                f"no text at all passes: {entity}.{key} of {base} {shape}"
                for base in bases.split()
                for shape, how in shapes
                if how != QUIET and (entity, key, base, str(shape)) not in good
            ]
    print("\n".join(wrong))
    print(f"{count} texts, {count - len(case)} refused with {len(codes)} codes, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


main()
