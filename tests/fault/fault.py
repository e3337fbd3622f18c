"""What spec/engine.md promises of faults, held against the program itself.

    fault.py LHP SHIM EXAMPLE [long] [NAME=COUNT ...]

For each fault: a run that suffers it, then a normal one, which must end like a cold run in a fresh copy of the inputs. NAME=COUNT
sets how often: kills, writes (kill at every COUNT-th write), errors (fail at every COUNT-th write), full (every COUNT-th amount
of room), folders, stands, damages, two, orders, polls; 0 leaves a test out. `long` is 500 kills, every write, 1,000 damages.
seed=N repeats a series.
"""
import ctypes
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OUTPUTS = ("generated", "resources", "monitoring")
COUNTS = {"kills": 15, "writes": 9, "errors": 9, "full": 4, "folders": 6, "damages": 40, "orders": 4, "seed": int(time.time())}
LONG = {"kills": 500, "writes": 1, "errors": 1, "full": 1, "folders": 50, "damages": 1000, "two": 10, "orders": 20, "polls": 10}
GENERATE = ("generate", "-e", "dev", "--no-format", "-pc", "config.yaml")


class Fault(Exception):
    pass


def flat(said):
    """Without the frames of panels and where their lines end, which depends on how long paths are."""
    return " ".join(said.replace("│", " ").split())


def must(good, *said):
    if not good:
        raise Fault(" ".join(str(s) for s in said))


def obey():
    """From the next exec on, what is read-only is so for root, too."""
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


class Lhp:
    def __init__(self, program, shim):
        self.program, self.shim = program, shim

    def start(self, root, *words, **fault):
        env = dict(os.environ, ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0", NO_COLOR="1", HOME=str(root.parent))
        for name in ("CI", "WORKSPACE_ENV", "LOGICAL_ENV"):
            env.pop(name, None)
        umask = fault.pop("umask", 0o022)
        if fault:
            env["LD_PRELOAD"] = self.shim
            env.update({k: str(v) for k, v in fault.items()})
        return subprocess.Popen([self.program, *words], cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, umask=umask, preexec_fn=obey)

    def run(self, root, *words, **fault):
        process = self.start(root, *words, **fault)
        said, _ = process.communicate(timeout=120)
        return process.returncode, said


def tree(root, tops=OUTPUTS):
    return {str(p.relative_to(root)): p.read_bytes() for top in tops for p in sorted((root / top).rglob("*")) if p.is_file()}


def tree_being_written(root):
    """None: something went away while it was looked at."""
    try:
        return tree(root)
    except FileNotFoundError:
        return None


def await_that(is_so, what):
    until = time.monotonic() + 60
    while not is_so() and time.monotonic() < until:
        time.sleep(0.05)
    must(is_so(), what)


def differences(want, got):
    names = sorted(set(want) | set(got))
    return [f"{n}: {'missing' if n not in got else 'surplus' if n not in want else 'differs'}" for n in names if want.get(n) != got.get(n)]


class Scene:
    """A project of its own, edited step by step."""

    def __init__(self, lhp, example, dice):
        self.lhp, self.dice = lhp, dice
        self.home = Path(tempfile.mkdtemp(prefix="lhp-fault-"))
        self.root = self.home / "p"
        shutil.copytree(example, self.root, ignore=shutil.ignore_patterns(*OUTPUTS, ".lhp"))
        (self.root / "databricks.yml").write_text("bundle: {name: orders}\ntargets: {dev: {mode: development}}\n")
        (self.root / "config.yaml").write_text("project_defaults: {catalog: c, schema: s}\n")

    def close(self):
        shutil.rmtree(self.home)

    def edit(self):
        """Something that changes, adds or removes outputs."""
        n = self.dice.randrange(10**6)
        extra = self.root / "pipelines" / f"extra{n % 3}.yaml"
        sql = self.root / "sql" / "daily_revenue.sql"
        tokens = self.root / "substitutions" / "dev.yaml"
        kind = self.dice.randrange(4)
        if kind == 0 and extra.exists():
            extra.unlink()
        elif kind == 0:
            extra.write_text(
                f"pipeline: extra{n % 3}\nflowgroup: f\nactions:\n"
                f"  - {{name: l, type: load, source: {{type: sql, sql: SELECT {n} AS a}}, target: v}}\n"
                "  - {name: w, type: write, source: v, write_target: {type: materialized_view, catalog: c, schema: s, "
                f"table: t{n % 3}}}}}\n")
        elif kind == 1:
            sql.write_text(re.sub(r"\n?-- \d+\n$", "", sql.read_text()) + f"\n-- {n}\n")
        elif kind == 2:
            tokens.write_text(re.sub(r"(gold: *)\S+", rf"\g<1>gold{n}", tokens.read_text()))
        else:
            shutil.rmtree(self.root / "generated", ignore_errors=True)

    def cold(self):
        fresh = self.home / "cold"
        shutil.copytree(self.root, fresh, ignore=shutil.ignore_patterns(*OUTPUTS, ".lhp"))
        status, said = self.lhp.run(fresh, *GENERATE, "--no-cache")
        made = tree(fresh)
        shutil.rmtree(fresh)
        must(status == 0, "cold run:", said)
        return made

    def ends_like_cold(self, what, whole=False):
        """The next run does; after a fault that leaves the store `whole` it trusts it."""
        want = self.cold()
        status, said = self.lhp.run(self.root, *GENERATE)
        must(status == 0, what, "- the next run:", said)
        must(not whole or "could not be trusted" not in flat(said), what, "- the next run:", said)
        must(tree(self.root) == want, what, "- the next run leaves:", differences(want, tree(self.root)))
        left = [str(p) for p in self.root.rglob("*.lhp-tmp")]
        must(not left, what, "- temporary files stay:", left)
        status, said = self.lhp.run(self.root, *GENERATE)
        must(status == 0 and "up to date" in said, what, "- the run after it:", said)
        return said

    def kept(self):
        """A copy to go back to."""
        shutil.rmtree(self.home / "kept", ignore_errors=True)
        shutil.copytree(self.root, self.home / "kept", symlinks=True)

    def back(self):
        shutil.rmtree(self.root)
        shutil.copytree(self.home / "kept", self.root, symlinks=True)


def kills(scene, count):
    """SIGKILL at random points of time."""
    scene.lhp.run(scene.root, *GENERATE)
    started = time.monotonic()
    scene.edit()
    scene.lhp.run(scene.root, *GENERATE)
    takes = time.monotonic() - started
    for i in range(count):
        scene.edit()
        process = scene.lhp.start(scene.root, *GENERATE)
        time.sleep(scene.dice.random() * takes)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        scene.ends_like_cold(f"kill {i}")
    return count


def starts(scene):
    """The scene before a first run, and as it is kept before one after edits."""
    scene.kept()
    yield "first"
    scene.lhp.run(scene.root, *GENERATE)
    for _ in range(3):
        scene.edit()
    scene.kept()
    yield "warm"


def write_points(scene, every, do, after):
    """One run for every `every`-th call that writes, in a first run and in one after an edit, failing there."""
    done = 0
    for run in starts(scene):
        at = 1 + scene.dice.randrange(every)
        while True:
            mark = scene.home / "mark"
            mark.unlink(missing_ok=True)
            status, said = scene.lhp.run(scene.root, *GENERATE, FAULT_AT=at, FAULT_DO=do, FAULT_MARK=mark)
            if not mark.exists():
                break
            after(status, said, at)
            scene.ends_like_cold(f"{do} at write {at} ({run} run)")
            scene.back()
            at += every
            done += 1
    return done


def writes(scene, every):
    """SIGKILL at calls that write."""
    def after(status, said, at):
        must(status == -signal.SIGKILL, f"kill at write {at}: status {status}", said)

    return write_points(scene, every, "kill", after)


def errors(scene, every):
    """A full disk, a folder without permission and a read-only one, from some call on."""
    done = 0
    for number in (28, 13, 30):
        def after(status, said, at, number=number):
            if status == 0 and "is not remembered" in said:  # nothing had to be written but the store
                return
            if status == 0:  # all was written: the last call opens a store that was made anew
                status, said = scene.lhp.run(scene.root, *GENERATE)
                must(status == 0 and "up to date" in said, f"errno {number} at write {at} is not told of:", said)
                return
            must(status == 3, f"errno {number} at write {at}: status {status}", said)
            must(re.search(r"(\.lhp|generated|resources)(/\S+)?", said), f"errno {number} at write {at} names no path:", said)

        whole = OnlyWhole(scene)
        done += write_points(whole, every, number, after)
    return done


class OnlyWhole:
    """A scene in which a failing run may leave files as they were or as they come to be, and no others."""

    def __init__(self, scene):
        self.scene = scene

    def __getattr__(self, name):
        return getattr(self.scene, name)

    def ends_like_cold(self, what):
        before, now, want = tree(self.scene.home / "kept"), tree(self.scene.root), self.scene.cold()
        for name, text in now.items():
            if not name.endswith(".lhp-tmp"):
                must(text in (before.get(name), want.get(name)), what, "- neither old nor new:", name)
        self.scene.ends_like_cold(what)


def full(scene, every):
    """A disk with a little room left, for every `every`-th number of blocks."""
    done = 0
    for run in starts(scene):
        room = scene.dice.randrange(every)
        while True:
            what = f"{room} blocks left in a {run} run"
            status, said = scene.lhp.run(scene.root, *GENERATE, FAULT_ROOM=room)
            if status == 0:
                break
            must(status == 3 and "No space left on device" in flat(said), what, "- status", status, said)
            scene.ends_like_cold(what, whole=True)
            scene.back()
            room += every
            done += 1
    return done


def folders(scene, count):
    """Folders that really are read-only."""
    for i in range(count):
        scene.edit()
        scene.lhp.run(scene.root, *GENERATE)
        made = sorted(p for top in OUTPUTS for p in (scene.root / top).rglob("*"))
        gone = scene.dice.choice([scene.root / ".lhp" / "cache" / "seal", *made])
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()
        locked = gone.parent
        locked.chmod(0o555)
        status, said = scene.lhp.run(scene.root, *GENERATE)
        locked.chmod(0o755)
        name = str(locked.relative_to(scene.root))
        must(status == (0 if gone.name == "seal" else 3) and name in flat(said), f"{name} read-only: status", status, said)
        scene.ends_like_cold(f"{name} read-only")
    return count


def all_read_only(root, read_only):
    for path in [root, *root.rglob("*")]:
        path.chmod((0o555 if path.is_dir() else 0o444) if read_only else (0o755 if path.is_dir() else 0o644))


def stands(scene, count):
    """A project that is read-only as a whole: what writes nothing is done, with the store that is there, or without any."""
    for _ in range(count):
        for top in OUTPUTS:
            shutil.rmtree(scene.root / top, ignore_errors=True)
        for ready in ("nothing", "outputs", "all"):
            if ready != "all":
                shutil.rmtree(scene.root / ".lhp", ignore_errors=True)
            if ready == "outputs":
                (scene.root / ".lhp" / "cache").mkdir(parents=True)
            all_read_only(scene.root, True)
            before = tree(scene.root / ".lhp", (".",))
            status, said = scene.lhp.run(scene.root, "validate", *GENERATE[1:3], *GENERATE[-2:])
            must(status == 0, "validate: status", status, said)
            must(flat(said).count("Permission denied") <= 1, "validate says more than a line:", said)
            status, said = scene.lhp.run(scene.root, *GENERATE)
            must(status == (3 if ready == "nothing" else 0), "generate: status", status, said)
            must("up to date" in said if ready == "all" else "generated" in said, "generate:", said)
            must(tree(scene.root / ".lhp", (".",)) == before, "the store is not as it was")
            all_read_only(scene.root, False)
            scene.ends_like_cold("read-only")
        scene.edit()
        all_read_only(scene.root, True)
        status, said = scene.lhp.run(scene.root, *GENERATE)
        all_read_only(scene.root, False)
        must(status == 3 and re.search("(generated|resources)/", said), "generate with something to write: status", status, said)
        scene.ends_like_cold("read-only")
    return count


def damage(dice, path, old):
    """One thing that happens to a file; what it was."""
    data = bytearray(path.read_bytes())
    at = dice.randrange(len(data))
    page = at // 4096 * 4096
    kind = dice.choice(["flip", "zero page", "truncate", "append", "swap pages", "old copy", "random page", "empty"])
    if kind == "flip":
        data[at] ^= 1 << dice.randrange(8)
    elif kind == "zero page":
        data[page:page + 4096] = bytes(len(data[page:page + 4096]))
    elif kind == "truncate":
        del data[at:]
    elif kind == "append":
        data += dice.randbytes(1 + dice.randrange(9000))
    elif kind == "swap pages":
        other = dice.randrange(len(data)) // 4096 * 4096
        data[page:page + 4096], data[other:other + 4096] = data[other:other + 4096], data[page:page + 4096]
    elif kind == "old copy":
        data = old
    elif kind == "random page":
        data[page:page + 4096] = dice.randbytes(len(data[page:page + 4096]))
    else:
        data.clear()
    path.write_bytes(data)
    return kind


def damages(scene, count):
    """Damage to the store's files."""
    cache = scene.root / ".lhp" / "cache"
    scene.lhp.run(scene.root, *GENERATE)
    old = {p.name: p.read_bytes() for p in cache.iterdir()}
    for i in range(count):
        path = cache / scene.dice.choice(["data.mdb", "data.mdb", "data.mdb", "seal"])
        if scene.dice.randrange(2):
            scene.edit()
        kind = damage(scene.dice, path, old[path.name])
        scene.ends_like_cold(f"damage {i}: {kind} of {path.name}")
    kept = list((scene.root / ".lhp").glob("cache.bad-*"))
    must(len(kept) <= 1, "more than the newest damaged store is kept:", kept)
    return count


def two(scene, count):
    """Two runs at once, with a store or without."""
    for flock, cold in (({}, ()), ({"FAULT_NO_FLOCK": "1"}, ()), ({}, ("--no-cache",))) * count:
        scene.edit()
        shutil.rmtree(scene.root / "generated", ignore_errors=True)  # so that the first has a fourth call to wait in
        mark = scene.home / "mark"
        first = scene.lhp.start(scene.root, *GENERATE, *cold, "--max-workers", "1", FAULT_AT=4, FAULT_DO="wait", FAULT_MARK=mark, **flock)
        await_that(mark.exists, "the first of two does not come to write")
        status, said = scene.lhp.run(scene.root, *GENERATE, *cold, "--no-wait", FAULT_AT=0, **flock)
        must(status == 4, "--no-wait: status", status, said)
        must(str(first.pid) in said and "generate -e dev" in flat(said) and re.search(r"since \d|\d+ ?s", said), "--no-wait says:", said)
        second = scene.lhp.start(scene.root, *GENERATE, *cold, FAULT_AT=0, **flock)
        said = second.stdout.readline()
        must("Waiting for" in said, "the second of two:", said)
        mark.unlink()
        first_said, _ = first.communicate(timeout=120)
        said, _ = second.communicate(timeout=120)
        must(first.returncode == 0, "the first of two:", first.returncode, first_said)
        must(second.returncode == 0, "the second of two:", second.returncode, said)
        must(cold or "up to date" in said, "the second of two finds something to do:", said)
        scene.ends_like_cold("two runs")
    return 3 * count


def orders(scene, count):
    """Listings in any order, other locales, time zones and masks."""
    want = scene.cold()
    for i in range(count):
        shutil.rmtree(scene.root / ".lhp", ignore_errors=True)
        for top in OUTPUTS:
            shutil.rmtree(scene.root / top, ignore_errors=True)
        where = {"LC_ALL": ["C", "C.UTF-8", "tr_TR.UTF-8", "POSIX"][i % 4], "TZ": ["UTC", "Asia/Kolkata", "America/St_Johns"][i % 3],
                 "umask": [0o022, 0o077, 0o002][i % 3], "FAULT_ORDER": scene.dice.randrange(10**6)}
        status, said = scene.lhp.run(scene.root, *GENERATE, **where)
        must(status == 0, where, said)
        must(tree(scene.root) == want, where, differences(want, tree(scene.root)))
    return count


def polls(scene, count):
    """A watch where the file system tells of no changes."""
    process = scene.lhp.start(scene.root, "watch", *GENERATE[1:], FAULT_NO_INOTIFY="1")
    try:
        for i in range(count + 1):
            if i != 0:
                scene.edit()
            want = scene.cold()
            await_that(lambda: tree_being_written(scene.root) == want, f"edit {i} is not seen" if i != 0 else "nothing is made")
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    must(process.returncode == 130 and "tells of no changes" in said and " look → " in said, "watch:", process.returncode, said)
    scene.ends_like_cold("watch")
    return count


def main():
    program, shim, example = (os.path.abspath(a) for a in sys.argv[1:4])
    counts = dict(COUNTS, **(LONG if "long" in sys.argv[4:] else {}))
    counts.update((name, int(count)) for name, _, count in (a.partition("=") for a in sys.argv[4:]) if count)
    print("seed", counts["seed"])
    failed = 0
    for test in (kills, writes, errors, full, folders, stands, damages, two, orders, polls):
        count = counts.get(test.__name__, 1)
        if count == 0:
            continue
        scene = Scene(Lhp(program, shim), example, random.Random(counts["seed"]))
        try:
            print(f"{test.__doc__} {test(scene, count)} good", flush=True)
        except Fault as fault:
            failed += 1
            print(f"FAIL {test.__name__}: {fault}", flush=True)
        finally:
            scene.close()
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
