#!/usr/bin/env python3
"""hostile_files.py PROGRAM [COUNT] [--seed N] [--only CASE] [--jobs N]: does any file bring the program down?

COUNT (20,000) copies of the corpus's files of every kind are truncated, grown, overwritten or flipped in some bits, and so
are a plain database, stores with external data and binary stores, which are made here; some are no files at all (a folder,
a pipe, a link). Each is given to `entities`, `count`, `fetch --limit`, `model` and `--dump-screen text`, a model to `model` and
`create`. Every run must end by itself within two seconds of processor time and 512 MiB of memory, with exit status
0, or with 65 or 66 and one line on standard error, and must leave every file as it was. How many ended how is printed; a
failure is printed with its case, and `--only CASE` runs that one again and keeps its files. Exit status 0 without failures.
"""
import argparse
import json
import os
import plistlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from queue import Empty, Queue

import compare_xml
import corpus
from hostile_bytes import HostileBytes

PROCESSOR_SECONDS, MEMORY = 2.0, 512 << 20
#: A run that waits for something that never comes ends here. Other work on the machine may take most of the time.
CLOCK_SECONDS = 20.0
#: Far beyond what is allowed; a run that goes there does not take the machine with it.
ADDRESS_SPACE = 8 << 30

EXTERNAL_MODEL = """<?xml version="1.0"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
  <entity name="Photo" representedClassName="Photo"><attribute name="name" optional="YES" attributeType="String"/>
    <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/></entity>
</model>
"""
PLAIN = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, credit NUMERIC, note);
CREATE TABLE orders (customer INT REFERENCES customer(id), line INT, total REAL, net REAL AS (total / 2), PRIMARY KEY (customer, line));
CREATE TABLE tag (name TEXT PRIMARY KEY, weight INT) WITHOUT ROWID;
CREATE VIEW rich AS SELECT name FROM customer WHERE credit > 50;
CREATE INDEX byName ON customer (name);
"""


class Source:
    """A good file: where it lies, how it is called, what the program can be asked of it."""

    def __init__(self, label, kind, path, parts=None, entities=(), model=None):
        self.label, self.kind, self.path, self.model = label, kind, path, model
        self.parts, self.entities = parts or [path.name], list(entities) or ["Anything"]


class Run:
    """One run of the program: how it ended and what it took."""

    def __init__(self, program, words, home):
        self.words = [str(word) for word in words]
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
        env = {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home),
               "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        self.output = home / "out"
        with open(self.output, "w+b") as out, open(home / "err", "w+b") as err:
            start = time.monotonic()
            child = subprocess.Popen([program, *self.words], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env,
                                     cwd=home, preexec_fn=limit)
            timer = threading.Timer(CLOCK_SECONDS, child.kill)
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            timer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            self.clock = time.monotonic() - start
            err.seek(0)
            self.errors = err.read(100_000).decode(errors="replace")
        self.status, self.memory = child.returncode, usage.ru_maxrss * 1024
        self.processor = usage.ru_utime + usage.ru_stime

    def faults(self):
        if self.status == -signal.SIGKILL and self.clock >= CLOCK_SECONDS:
            yield f"did not end within {CLOCK_SECONDS:.0f} s"
        elif self.status == 64 and "the store has no entity" in self.errors:
            pass  # the damage took it away, and the command line asked for it all the same
        elif self.status not in (0, 65, 66):
            yield f"exit status {self.status}: {self.errors.strip()[-600:]}"
        elif self.status and not re.fullmatch(r"storebrowser: [^\x00-\x1f\x7f-\x9f]+\n", self.errors):
            yield f"exit status {self.status} without one line: {self.errors[:600]!r}"
        if self.processor > PROCESSOR_SECONDS:
            yield f"took {self.processor:.1f} s of the processor"
        if self.memory > MEMORY:
            yield f"took {self.memory >> 20} MiB"


def tree(folder):
    """Names, sizes and times of all files below a folder."""
    return {str(path.relative_to(folder)): (state.st_size, state.st_mtime_ns, state.st_ino)
            for path in folder.rglob("*") for state in [path.lstat()]}


def run_quietly(program, *words):
    run = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else None


def entity_names(program, store, *options):
    text = run_quietly(program, "entities", store, "--format", "json", *options)
    return [entity["name"] for entity in json.loads(text)] if text else []


def sources(program, scratch):
    """The good files by kind, those that are made first; what the corpus has where it is there."""
    plain = scratch / "plain.db"
    connection = sqlite3.connect(plain)
    connection.executescript(PLAIN)
    for number in range(200):
        connection.execute("INSERT INTO customer VALUES (?, ?, ?, ?)", (number, f"name {number}", number, b"x" * number))
        connection.execute("INSERT INTO orders VALUES (?, 1, 2.5)", (number,))
        connection.execute("INSERT INTO tag VALUES (?, ?)", (f"tag {number}", number))
    connection.commit()
    connection.close()
    yield Source("a plain database", "plain", plain, entities=["customer", "orders", "tag", "rich"])

    external, model, blob = scratch / "external.sqlite", scratch / "Photos.xcdatamodel" / "contents", scratch / "blob"
    model.parent.mkdir()
    model.write_text(EXTERNAL_MODEL)
    blob.write_bytes(bytes(range(256)) * 1000)
    made = [run_quietly(program, "create", external, "--model", model.parent)]
    made += [run_quietly(program, "insert", external, "Photo", f"name={n}", f"data=@{blob}") for n in range(3)]
    if None in made:
        raise SystemExit("hostile_files: a store with external data could not be made")
    support = sorted((scratch / corpus.support_name(external)).rglob("*-*"))
    parts = [str(path.relative_to(scratch)) for path in support if path.is_file()]
    yield Source("external data", "external data", external, parts=parts, entities=["Photo"])

    binary = scratch / "binary.store"
    binary.write_bytes(plistlib.dumps({"$archiver": "NSKeyedArchiver", "$version": 100000, "$objects": ["$null"],
                                       "$top": {"NSStoreUUID": "X", "NSStoreType": "Binary"}}, fmt=plistlib.FMT_BINARY))
    yield Source("a binary store", "binary", binary)
    if corpus.root() is None:
        print("hostile_files: the corpus is absent: only files made here are damaged")
        return
    fitting = corpus.models()
    for label, path in corpus.stores():
        parts = [name for suffix in ("", "", "-wal", "-journal") if (path.with_name(name := path.name + suffix)).exists()]
        names = entity_names(program, path)
        model = None if names else fitting.get(label)
        names = names or entity_names(program, path, *(["--model", model] if model else []))
        yield Source(label, "SQLite", path, parts, names, model)
    for label, path, model in compare_xml.stores():
        if path.stat().st_size < 300_000:
            options = ["--model", model] if model else []
            yield Source(label, "XML", path, entities=entity_names(program, path, *options), model=model)
    for path in sorted(corpus.root().rglob("*")):
        label = str(path.relative_to(corpus.root()))
        if path.suffix == ".momd" and path.is_dir():
            yield Source(label, "momd", path, [str(part.relative_to(path.parent)) for part in sorted(path.iterdir())])
        elif path.suffix in (".mom", ".omo", ".cdm") and path.parent.suffix != ".momd" and path.is_file():
            yield Source(label, "compiled model", path)
        elif path.parent.suffix == ".xcdatamodel" and path.name in ("contents", "elements"):
            yield Source(label, f"model {path.name}", path)


class Harness:
    """Cases by number: each is the same on every run, whatever ran before it."""

    def __init__(self, program, seed, scratch):
        self.program, self.seed, self.scratch = program, seed, scratch
        self.kinds = {}
        for source in sources(program, scratch):
            self.kinds.setdefault(source.kind, []).append(source)
        # Half of all cases are stores of Core Data.
        self.turns = [kind for other in self.kinds if other != "SQLite" for kind in ("SQLite", other) if kind in self.kinds]
        self.counts, self.failures, self.lock = Counter(), [], threading.Lock()
        self.longest, self.largest, self.slowest = 0.0, 0, 0.0

    def commands(self, source, file, numbers, home):
        if source.kind in ("momd", "compiled model", "model contents", "model elements"):
            formats = ("text", "json", "xcdatamodel", "dot")
            yield ["model", file, "--format", formats[numbers.below(4)]]
            yield ["create", home / "new.sqlite", "--model", file]
            return
        options = ["--model", source.model] if source.model else []
        names = source.entities
        run = yield ["entities", file, "--format", "json", *options]
        if run.status == 0:
            # Damage may have taken entities away, or given them other names.
            names = [entity["name"] for entity in json.loads(run.output.read_text())]
        if names:
            entity = names[numbers.below(len(names))]
            yield ["count", file, entity, *options]
            yield ["fetch", file, entity, "--limit", "50", "--relationships", "--format", ("json", "csv")[numbers.below(2)], *options]
        yield ["model", file, *options]
        keys = ("", "<enter>", "jjl<enter>", "<tab><tab>")[numbers.below(4)]
        yield [file, "--dump-screen", "text", *(["--keys", keys] if keys else []), *options]

    def damage(self, source, folder, numbers):
        """Copies a source into a folder and damages a part of it; answers the copy and what was done."""
        if source.path.is_dir():
            shutil.copytree(source.path, folder / source.path.name, copy_function=shutil.copyfile)
        elif source.kind in ("SQLite", "plain", "external data"):
            corpus.copy_store(source.path, folder)
        else:
            shutil.copyfile(source.path, folder / source.path.name)
        for path in folder.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        part = folder / source.parts[numbers.below(len(source.parts))]
        what = numbers.below(200)
        if what >= 6:
            part.write_bytes(numbers.page_damaged(part.read_bytes()))
            return folder / source.path.name, part.name
        part.unlink()
        match what:
            case 0: part.mkdir()
            case 1: os.mkfifo(part)
            case 2: part.symlink_to(part.name)
            case 3: part.symlink_to("/dev/zero")
            case 4: part.touch()
        return folder / source.path.name, f"{part.name}: {('a folder', 'a pipe', 'a link to itself', 'no end', 'empty', 'gone')[what]}"

    def case(self, number, keep=False):
        numbers = HostileBytes((self.seed << 32) + number)
        kind = self.kinds[self.turns[number % len(self.turns)]]
        source = kind[numbers.below(len(kind))]
        folder = Path(tempfile.mkdtemp(dir=self.scratch, prefix=f"case-{number}-"))
        (folder / "files").mkdir(), (folder / "home").mkdir()
        file, what = self.damage(source, folder / "files", numbers)
        before, failed = tree(folder / "files"), []
        commands, run = self.commands(source, file, numbers, folder / "home"), None
        while words := next_of(commands, run):
            run = Run(self.program, words, folder / "home")
            with self.lock:
                self.counts[source.kind, run.status] += 1
                self.longest, self.largest = max(self.longest, run.processor), max(self.largest, run.memory)
                self.slowest = max(self.slowest, run.clock)
            failed += [f"{' '.join(run.words)}: {fault}" for fault in run.faults()]
            if (after := tree(folder / "files")) != before:
                failed.append(f"{words[0]} changed files: {sorted(set(before.items()) ^ set(after.items()))}")
                before = after
            if keep:
                print(f"{run.status} {run.processor:.2f} s {run.memory >> 20} MiB: {' '.join(run.words)}\n  {run.errors.strip()}")
        with self.lock:
            self.counts["copies"] += 1
            for fault in failed:
                self.failures.append((number, fault))
                print(f"FAIL --seed {self.seed} --only {number} ({source.label}, {what}): {fault}", flush=True)
        if keep:
            kept = Path(tempfile.mkdtemp(prefix="hostile-kept-"))
            shutil.move(folder, kept)
            print(f"kept in {kept}")
        else:
            shutil.rmtree(folder)


def next_of(commands, run):
    """The next command, given how the last one ended; None after the last."""
    try:
        return commands.send(run)
    except StopIteration:
        return None


def work(harness, queue):
    while True:
        try:
            harness.case(queue.get_nowait())
        except Empty:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="storebrowser-hostile-") as scratch:
        harness = Harness(arguments.program.resolve(), arguments.seed, Path(scratch))
        if arguments.only is not None:
            harness.case(arguments.only, keep=True)
            return 1 if harness.failures else 0
        queue = Queue()
        for number in range(arguments.count):
            queue.put(number)
        workers = [threading.Thread(target=work, args=(harness, queue)) for _ in range(arguments.jobs)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    copies = harness.counts.pop("copies")
    for (kind, status), count in sorted(harness.counts.items()):
        print(f"{kind}: exit {status}: {count:,}")
    totals = Counter()
    for (_, status), count in harness.counts.items():
        totals[status] += count
    print(f"{copies:,} copies, {totals.total():,} runs: " + ", ".join(f"exit {s}: {n:,}" for s, n in sorted(totals.items())))
    print(f"longest {harness.longest:.2f} s of the processor ({harness.slowest:.2f} s by the clock), largest {harness.largest >> 20} MiB")
    print(f"failures: {len(harness.failures):,}")
    return 1 if harness.failures or copies != arguments.count else 0


if __name__ == "__main__":
    sys.exit(main())
