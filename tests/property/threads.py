#!/usr/bin/env python3
"""Any number of threads: the same findings in the same order, the same files.

    tests/property/threads.py LHP

The project is a random one (tests/e2e/flowgroups.py). As it comes, some flowgroups are refused: the findings are
compared. Without those, the files are.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "e2e"))
from flowgroups import Project

THREADS = (1, 2, 8)
FLOWGROUPS = 250


def run(program, root, threads):
    shutil.rmtree(root / "generated", ignore_errors=True)
    command = [
        program,
        "generate",
        "-e",
        "dev",
        "--include-tests",
        "--no-bundle",
        "--no-cache",
        "-j",
        str(threads),
        "--message-format",
        "json",
    ]
    out = subprocess.run(command, cwd=root, capture_output=True, stdin=subprocess.DEVNULL).stdout.decode()
    events = [json.loads(line) for line in out.rstrip("\n").split("\n")]
    events[-1].pop("seconds")
    tree = {str(p.relative_to(root)): p.read_bytes() for p in sorted((root / "generated").rglob("*")) if p.is_file()}
    return events, tree


def main():
    program = os.path.abspath(sys.argv[1])
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="lhp-threads-") as top:
        root = Path(top)
        for path, text in Project(7, FLOWGROUPS).files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        findings = files = 0
        while True:
            results = [run(program, root, n) for n in THREADS]
            events, tree = results[0]
            for n, (other_events, other_tree) in zip(THREADS[1:], results[1:]):
                if events != other_events or tree != other_tree:
                    wrong += 1
                    print(f"{n} threads differ from one")
            refused = {e["flowgroup_file"] for e in events if e["type"] == "finding" and e["severity"] == "error"}
            findings += len(events) - 1
            files = len(tree)
            if not refused:
                break
            for path in refused:
                (root / path).unlink()
    print(f"{findings} findings, {files} files, {wrong} differences")
    sys.exit(1 if wrong or not findings or not files else 0)


main()
