#!/usr/bin/env python3
"""Random flowgroups through lhp and the peer: the same refusals, the same bytes.

    tests/e2e/differential.py LHP PEER [-n PROJECTS] [-f FLOWGROUPS] [-s FIRST_SEED] [-k FOLDER]

LHP and PEER are the two programs; without PEER the test is skipped (status 77). Each seed is one project. Both validate it, then generate it; pipelines that either
refuses are compared by code and left out of the next attempt, until both generate. -k keeps differing projects there.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from flowgroups import Project


# Parts of files that differ on purpose: (file, part, why). They are taken out of both sides.
RULE = "# -{76}\\n"
OURS = [
    (r"_uc_tagging_hook\.py$", r"(?s).*", "the text of the tagging hook is ours (bundle specification, section 7)"),
    (
        r"\.py$",
        rf"(?s){RULE}# Quarantine: .*?\n{RULE}.*?(?=\n# [-=]{{76}}\n)",
        "so is the code of a quarantine (bundle specification, section 8)",
    ),
    (r"\.py$", r"(?m)^import pyspark\.sql\n", "its annotations name types of pyspark.sql"),
]
# Files that the peer spoils: (what they hold then, why). They are not compared.
SPOILED = [
    (r"(?m)^# .*f['\"]", "a quote in a comment counts as the begin of a literal and gets the f of the next text with a secret"),
    (r'(?<![f"])"(?!")[^"\n]*\{dbutils\.secrets', "so does one elsewhere in the code: the literal stays plain, with the call as its text"),
    (r"(?m)^[^#\n]*__SECRET_", "a secret whose only place is a list stays a marker, which is no secret"),
]
# Fields that are never written: (entity, key): why.
NOT_MADE = {
    ("flowgroup", "job_name"): "all flowgroups of a project have one, or none",
    ("write_target", "tags_file"): "shows in the tagging hook only",
    ("write_target", "replace_where_config"): "the peer does not have it",
    ("replace_where_config", "replace_where"): "the peer does not have it",
    ("action", "test_id"): "shows in the reporting hook only",
    ("action", "custom_datasource_class"): "old place of the source's key, read by nobody",
}


def shared_part(path, text):
    for file, part, _ in OURS:
        if text is not None and re.search(file, path):
            text = re.sub(part, "", text.decode()).encode()
    return text


def is_spoiled(text):
    return text is not None and any(re.search(mark, text.decode()) for mark, _ in SPOILED)


def never_made(program, made):
    """Fields of `lhp schema flowgroup` that no random flowgroup had, but for NOT_MADE, and those in it that one had."""
    defs = json.loads(subprocess.run([program, "schema", "flowgroup"], capture_output=True).stdout)["$defs"]
    fields = {(entity, key) for entity, d in defs.items() if entity != "instance" for key in d["properties"]}
    had = {
        ("sink" if kind in ("delta", "kafka", "custom", "foreachbatch") and entity == "write_target" else entity, key)
        for entity, kind, key in made
    }
    return sorted(fields - had - NOT_MADE.keys()) + sorted(had & NOT_MADE.keys())


class Side:
    """One program in its own copy of a project."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def lay_out(self, files):
        for path, text in files.items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode("utf-8", "surrogatepass"))

    def run(self, *args):
        """Exit status and what was refused: {pipeline: codes}."""
        env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "400", "TERM": "dumb"}
        done = subprocess.run([self.program, *args], cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True)
        self.said = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        refused = {}
        for name, code in re.findall(r"(?m)^✗ (.*?)  (LHP-[A-Z]+-\d+)", self.said):
            refused.setdefault(name, set()).add(code)
        return done.returncode, refused

    def tree(self, folder):
        root = self.folder / folder
        return {str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*.py"))}


def refusals_compared(project, sides):
    """Validates and generates until both programs accept what is left. What differed on the way."""
    found = []
    for step in ("validate", "generate", "generate", "generate"):
        flags = ["-e", "dev", "--include-tests"] + (["--no-bundle"] if step == "generate" else [])
        (status, mine), (peer_status, peers) = (side.run(step, *flags) for side in sides)
        refused = mine.keys() | peers.keys()
        for name in sorted(refused):
            if mine.get(name) != peers.get(name):
                found.append(f"{step}: {name}: lhp {sorted(mine.get(name, []))} peer {sorted(peers.get(name, []))}")
        if mine == peers and status != peer_status:
            found.append(f"{step}: exit lhp {status} peer {peer_status}")
        if step == "generate" and not refused:
            break
        for path in [path for path, pipeline in project.pipeline_of.items() if pipeline in refused]:
            for side in sides:
                (side.folder / path).unlink(missing_ok=True)
    return found


def trees_compared(folder, sides):
    """What differs below `folder`, and how many flowgroups are in it."""
    mine, peers = (side.tree(folder) for side in sides)
    found = []
    for path in sorted(mine.keys() | peers.keys()):
        a, b = shared_part(path, mine.get(path)), shared_part(path, peers.get(path))
        if a != b and not is_spoiled(b):
            found.append(f"differs: {folder}/{path}")
    return found, sum(b"FLOWGROUP_ID" in text for text in peers.values())


def compare_project(seed, flowgroups, programs, keep):
    project = Project(seed, flowgroups)
    with tempfile.TemporaryDirectory(prefix="lhp-differential-") as top:
        sides = [Side(program, Path(top) / name) for name, program in zip(("lhp", "peer"), programs)]
        for side in sides:
            side.lay_out(project.files)
        found = refusals_compared(project, sides)
        formatted, compared = trees_compared("generated", sides)
        for side in sides:
            side.run("generate", "-e", "dev", "--include-tests", "--no-bundle", "--no-format", "-o", "raw")
        raw, _ = trees_compared("raw", sides)
        found += formatted + raw
        if found and keep:
            shutil.copytree(top, Path(keep) / str(seed), dirs_exist_ok=True)
    return found, compared, project


def main():
    options = argparse.ArgumentParser()
    options.add_argument("lhp")
    options.add_argument("peer")
    options.add_argument("-n", type=int, default=1)
    options.add_argument("-f", type=int, default=60)
    options.add_argument("-s", type=int, default=1)
    options.add_argument("-k")
    o = options.parse_args()
    if not os.access(o.peer, os.X_OK):
        print(f"skipped: {o.peer} is not installed (./dev peer)")
        sys.exit(77)
    total = differing = 0
    made = set()
    for seed in range(o.s, o.s + o.n):
        found, compared, project = compare_project(seed, o.f, [os.path.abspath(o.lhp), os.path.abspath(o.peer)], o.k)
        total += compared
        differing += len(found)
        made |= set(project.made)
        print(f"seed {seed}: {compared} compared, {len(found)} differ", flush=True)
        for line in found:
            print("   ", line)
    missing = never_made(o.lhp, made) if total >= 300 else []
    for entity, key in missing:
        print(f"{entity}.{key}: never made, or listed so wrongly")
    print(f"{total} flowgroups compared, {differing} differences")
    sys.exit(1 if differing or missing or not total else 0)


main()
