#!/usr/bin/env python3
"""checksums.py PROGRAM [--quick] [STORE …]: does looking at a store leave every byte of it as it was?

For every store of the corpus (or the stores named), as root and as an unprivileged user in a folder he may not write,
with and without --read-only: the listing of the folder (names, sizes, times, inodes, permissions) and the checksums of all
files in it are taken before and after `entities`, `fetch` of every entity, and a session in the browser under tmux.
A store without a model of its own is given the model that the corpus names for it.
--quick leaves the session out of all but the first store of a folder. Exit status 0 when nothing changed, 1 otherwise.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import corpus

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "EndToEnd"))
from sessions import environment, look_around  # noqa: E402  (the folder beside this one)
from tmux import Terminal  # noqa: E402

NOBODY = 65534


def facts(folder):
    """Everything about a folder that may not change, by name; `.` is the folder itself."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        state = path.stat()
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
        found[str(path.relative_to(folder))] = (state.st_size, state.st_mtime_ns, state.st_ino, state.st_mode, digest)
    return found


def changes(before, after):
    """What differs, in words."""
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield f"{name} is gone"
        elif name not in before:
            yield f"{name} is new ({after[name][0]} bytes)"
        else:
            for what, old, new in zip(("size", "time", "inode", "permissions", "checksum"), before[name], after[name]):
                if old != new:
                    yield f"{name}: {what} {old} → {new}"


class User:
    """Who runs the program, and where he may write."""

    def __init__(self, name, prefix, may_write):
        self.name, self.prefix, self.may_write = name, prefix, may_write

    def prepare(self, folder, home):
        home.chmod(0o777)
        for path in folder.iterdir():
            path.chmod(0o755 if path.is_dir() else 0o644 if self.may_write or self.prefix else 0o444)
        folder.chmod(0o755 if self.may_write or self.prefix else 0o555)


def users():
    if os.geteuid() == 0:
        drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        return [User("root", [], True), User("an unprivileged user", drop, False)]
    print("checksums: not run as root: the cases as root are left out")
    return [User("this user", [], False)]


class Check:
    def __init__(self, program, is_quick):
        self.program, self.is_quick, self.counts, self.failures = program, is_quick, Counter(), []

    def fail(self, *where):
        self.failures.append(": ".join(map(str, where)))

    def store(self, label, source, model, must_open, has_session):
        for user in users():
            for options in ([], ["--read-only"]):
                self._case(label, source, model, user, options, must_open, has_session)

    def _case(self, label, source, model, user, options, must_open, has_session):
        with tempfile.TemporaryDirectory(prefix="storebrowser-sums-") as scratch:
            os.chmod(scratch, 0o755)
            folder, home = Path(scratch, "folder"), Path(scratch, "home")
            folder.mkdir(), home.mkdir()
            store = corpus.copy_store(source, folder)
            user.prepare(folder, home)
            where = (label, f"as {user.name}", " ".join(options) or "without --read-only")
            self.counts["cases"] += 1
            if model:
                copy = home / model.name
                shutil.copyfile(model, copy)
                options = [*options, "--model", str(copy)]
                self.counts["cases with a model given"] += 1
            env = environment(home, PATH=os.environ["PATH"], LC_ALL="C.UTF-8")
            before = facts(folder)

            def run(*words):
                command = [*user.prefix, str(self.program), *words, *options]
                done = subprocess.run(command, capture_output=True, env=env, cwd=home, timeout=120)
                self.counts[f"commands: {words[0]}"] += 1
                if done.returncode < 0 or done.returncode not in (0, 65, 66):
                    self.fail(*where, words[0], f"exit status {done.returncode}", done.stderr.decode(errors="replace").strip())
                return done.stdout if done.returncode == 0 else None

            def compare(after_what):
                for line in changes(before, facts(folder)):
                    self.fail(*where, f"after {after_what}", line)

            listing = run("entities", str(store), "--format", "json")
            compare("entities")
            if listing is None:
                self.counts["cases that were refused with a message"] += 1
                if must_open:
                    self.fail(*where, "was not opened")
                if has_session:
                    self._refusal(where, [*user.prefix, self.program, store, *options], env, home)
                    compare("the browser's refusal")
            else:
                for entity in json.loads(listing):
                    if run("fetch", str(store), entity["name"], "--format", "ndjson") is None:
                        self.fail(*where, f"fetch {entity['name']} was refused")
                compare("fetch")
                if has_session:
                    self._session(where, [*user.prefix, self.program, store, *options], env, home)
                    compare("a session in the browser")
            folder.chmod(0o755)

    def _refusal(self, where, command, env, home):
        """The browser on a store that it cannot open: a message on screen until q, or an end with a message."""
        self.counts["refusals in the browser"] += 1
        try:
            with Terminal(command, size=(120, 36), env=env, cwd=home) as terminal:
                terminal.wait(lambda: terminal.is_dead() or terminal.text().strip(), "a message")
                terminal.settle()
                if not terminal.is_dead():
                    terminal.send("q")
                status = terminal.wait_end()
                if status not in (0, 65, 66):
                    self.fail(*where, f"the browser ended with status {status}")
        except AssertionError as error:
            self.fail(*where, error)

    def _session(self, where, command, env, home):
        self.counts["sessions in the browser"] += 1
        try:
            with Terminal(command, size=(120, 36), env=env, cwd=home) as terminal:
                look_around(terminal)
                terminal.send("q")
                status = terminal.wait_end()
                if status:
                    self.fail(*where, f"the browser ended with status {status}")
        except AssertionError as error:
            self.fail(*where, error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("stores", nargs="*", type=Path)
    arguments = parser.parse_args()
    if not arguments.stores and corpus.root() is None:
        print(f"checksums: the corpus is absent: {corpus.STORES} stores left out")
        return 0
    stores = [(str(path), path) for path in arguments.stores] or corpus.stores()
    cached = {path for path, _ in corpus.stores(with_model_cache=True)} if not arguments.stores else set()
    models = {path: model for path, model in corpus.models().items() if path not in cached} if not arguments.stores else {}
    with tempfile.TemporaryDirectory(prefix="storebrowser-program-") as scratch:
        os.chmod(scratch, 0o755)  # an unprivileged user must reach the program
        program = Path(shutil.copy(arguments.program, scratch))
        program.chmod(0o755)
        check = Check(program, arguments.quick)
        seen = set()
        for label, source in stores:
            before = len(check.failures)
            group = label.split("/")[0]
            check.store(label, source, models.get(label), label in cached or label in models, not arguments.quick or group not in seen)
            seen.add(group)
            print(f"{'ok  ' if len(check.failures) == before else 'FAIL'} {label}", flush=True)
            for line in check.failures[before:before + 6]:  # all are counted
                print("       " + line.split(": ", 1)[1])
    for key, count in sorted(check.counts.items()):
        print(f"{key}: {count:,}")
    print(f"failures: {len(check.failures):,}")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
