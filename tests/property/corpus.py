#!/usr/bin/env python3
"""Every Python file that a golden case expects is Python 3.11, and the formatter has nothing to change in it.

    tests/property/corpus.py GOLDEN

GOLDEN is the folder of cases (tests/golden). The formatter is found as lhp finds it. What is otherwise stands in a list below with its reason, and nothing else does.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

# Files (AREA/CASE/PATH, a pattern): why.
NOT_FORMATTED = {
    r"load_transform/formatting_switched_off_by_a_text/generated/dev/depot_in/crates.py": "the case is about raw text",
}
NOT_PYTHON = {
    r"write_test/sink_kafka_and_event_hubs/raw/export/kafka_out.py": "nested quotes of one kind: before Python 3.12 only the laid out text"
    " parses (write specification, section 12, item 7)",
}


def unescaped(data):
    return re.sub(
        rb"\\(x[0-9a-f]{2}|\\|\n|$)",
        lambda m: {b"\\": b"\\", b"\n": b"", b"": b""}.get(m[1]) if m[1][:1] != b"x" else bytes([int(m[1][1:], 16)]),
        data,
    )


def trees(case):
    """(path, bytes, laid out) of the .py files that a case compares. One that asks for raw text has no others to lay out."""
    parts = re.split(rb"(?m)^-- (.*) --\n", case.read_bytes())[1:]
    sections = {name.decode(): data for name, data in zip(parts[::2], parts[1::2])}
    skipped = sections.get("skip", b"").decode().split()
    raw = b"--no-format" in sections["run"] or b"apply_formatting: false" in sections.get("project/lhp.yaml", b"")
    into_raw = any(name.startswith("tree/raw/") for name in sections)
    for name, data in sections.items():
        if name.endswith(" (escaped)"):
            name, data = name.removesuffix(" (escaped)"), unescaped(data)
        path = name.removeprefix("tree/")
        if path != name and name.endswith(".py") and not any(fnmatch(path, pattern) for pattern in skipped):
            yield path, data, not raw or into_raw and not path.startswith("raw/")


def is_python(source):
    try:
        compile(source, "module", "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError):
        return False


def main():
    golden = Path(sys.argv[1])
    ruff = os.environ.get("LHP_RUFF") or shutil.which("ruff") or str(golden.resolve().parents[1] / ".tools/venv/bin/ruff")
    files, raw = {}, set()
    for case in sorted(golden.glob("*/*.txtar")):
        for path, data, laid_out in trees(case):
            name = f"{case.parent.name}/{case.stem}/{path}"
            files[name] = data
            if not laid_out:
                raw.add(name)
    broken = {name for name, data in files.items() if not is_python(data)}
    with tempfile.TemporaryDirectory(prefix="lhp-corpus-") as top:
        for n, data in enumerate(files.values()):
            (Path(top) / f"f{n}.py").write_bytes(data)
        subprocess.run([ruff, "format", "--isolated", "--quiet", "--no-cache", "--target-version", "py311", "--line-length", "88", top])
        changed = {
            name for n, (name, data) in enumerate(files.items()) if name not in raw and (Path(top) / f"f{n}.py").read_bytes() != data
        }
    wrong = []
    for what, found, allowed in (("is not Python", broken, NOT_PYTHON), ("is not laid out", changed, NOT_FORMATTED)):
        used = set()
        for name in sorted(found):
            rows = [row for row in allowed if re.fullmatch(row, name)]
            used.update(rows)
            if not rows:
                wrong.append(f"{name} {what}")
        wrong += [f"no file that {what} matches {row}" for row in sorted(allowed.keys() - used)]
    print("\n".join(wrong))
    print(f"{len(files)} files, {len(broken)} not Python, {len(changed)} not laid out, {len(wrong)} wrong")
    sys.exit(1 if wrong or not files else 0)


main()
