#!/usr/bin/env python3
"""compare_values.py PROGRAM [STORE …]: does the program read what is in the files?

For every store of the corpus (or for the stores named, which need a model cache): the entities and their row counts as the
sqlite3 program counts them, and every value of every object of every entity as the independent reader finds it. A store
without a cache is read with a model that the corpus lists for it; where that is one of Xcode 3, the reader takes the names
from the program. Exit status 0 when all agree, 1 otherwise.
"""
import json
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal
from pathlib import Path

import cached_model
import corpus
from independent_reader import Reader

#: How many differences are written out; all are counted.
SHOWN = 60


class Number(str):
    """A number with a point or an exponent, as its text."""


def parse(text):
    """A JSON object as its pairs in order (nested objects as dicts); numbers lose nothing."""
    pairs = json.JSONDecoder(object_pairs_hook=lambda found: found, parse_float=Number).decode(text)
    return [(key, dict(value) if isinstance(value, list) and value and isinstance(value[0], tuple) else value)
            for key, value in pairs]


def is_same(expected, actual):
    """Whether a value is the one expected, type and all."""
    if isinstance(expected, Decimal):
        if isinstance(actual, bool) or not isinstance(actual, (int, Number)):
            return False
        return Decimal(actual) == expected
    if isinstance(expected, (bool, int)):
        return type(actual) is type(expected) and actual == expected
    if isinstance(expected, float):
        return isinstance(actual, (int, Number)) and not isinstance(actual, bool) and float(actual) == expected
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or actual.get("bytes") != expected["bytes"]:
            return False
        return actual["base64"] == expected["base64"] if "base64" in actual else "value" in actual
    if isinstance(expected, (str, list)):
        return type(actual) is type(expected) and actual == expected
    return actual is expected


class Comparison:
    """What was compared and what differed."""

    def __init__(self, program):
        self.program, self.counts, self.differences = program, Counter(), []
        #: What is given with every command on the store.
        self.options = []

    def differ(self, *where):
        self.differences.append(": ".join(map(str, where)))

    def run(self, *arguments):
        """The program's output, or None (and a difference) when it failed."""
        arguments = [*arguments, *self.options]
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, timeout=120)
        if done.returncode:
            self.differ(f"{' '.join(map(str, arguments))}", f"exit status {done.returncode}", done.stderr.decode().strip())
            return None
        return done.stdout.decode("utf-8")

    def store(self, label, store, model=None):
        self.options = ["--model", model if model.suffix == ".mom" else model.parent] if model else []
        with tempfile.TemporaryDirectory(prefix="storebrowser-compare-") as scratch:
            copy = corpus.copy_store(store, scratch)
            reader = Reader(store, cached_model.read_file(model, self.program) if model else None)
            try:
                self.counts["stores"] += 1
                self._entities(label, copy, reader)
                for name in sorted(reader.entities):
                    self._objects(label, copy, reader, name)
            finally:
                reader.close()

    def _entities(self, label, copy, reader):
        text = self.run("entities", copy, "--format", "json")
        listed = {entity["name"]: entity for entity in json.loads(text)} if text is not None else {}
        for name in sorted(set(listed) ^ set(reader.entities)):
            self.differ(label, name, "listed" if name in listed else "missing from the entities")
        for name in sorted(set(listed) & set(reader.entities)):
            self.counts["entities"] += 1
            entity, shown = reader.entities[name], listed[name]
            rows = {part: sqlite3_count(reader, part) for part in reader.subtree(name)}
            wanted = {
                "parent": entity.parent, "abstract": entity.is_abstract, "table": reader.table(name), "rows": rows[name],
                "rowsWithSubentities": sum(rows.values())}
            for key, value in wanted.items():
                if shown.get(key) != value:
                    self.differ(label, name, key, f"{shown.get(key)!r} instead of {value!r}")
            text = self.run("count", copy, name)
            if text is not None and text.strip() != str(sum(rows.values())):
                self.differ(label, name, "count", f"{text.strip()} instead of {sum(rows.values())}")

    def _objects(self, label, copy, reader, name):
        text = self.run("fetch", copy, name, "--relationships", "--format", "ndjson")
        if text is None:
            return
        lines = text.split("\n")
        if lines.pop():
            self.differ(label, name, "the last line has no end")
        wanted = list(reader.objects(name))
        if len(lines) != len(wanted):
            self.differ(label, name, f"{len(lines)} objects instead of {len(wanted)}")
        for line, (uri, entity, expected) in zip(lines, wanted):
            self.counts["objects"] += 1
            self._object((label, name, uri), parse(line), uri, entity, expected, reader.entities)

    def _object(self, where, pairs, uri, entity, expected, entities):
        for (key, value), wanted in zip(pairs[:2], (("objectID", uri), ("entity", entity))):
            if (key, value) != wanted:
                self.differ(*where, f"{key} {value!r} instead of {wanted[0]} {wanted[1]!r}")
        keys = [key for key, _ in pairs[2:]]
        if keys != sorted(set(keys), key=str.encode):
            self.differ(*where, "keys out of order or twice", keys)
        actual = dict(pairs[2:])
        # An object of a subentity may be shown with the properties of the entity that was fetched, or with all its own.
        promised = entities[where[1]].properties
        for key in sorted(set(promised) | set(actual)):
            if key not in expected:
                self.differ(*where, key, "is no property of the model")
                continue
            item = entities[entity].properties[key]
            if key not in actual:
                if not item.is_transient:
                    self.differ(*where, key, "missing")
                continue
            kind = item.type if isinstance(item, cached_model.Attribute) else (
                "to-many" if item.is_to_many else "to-one")
            self.counts["values"] += 1
            self.counts[f"values: {'null' if expected[key] is None else kind}"] += 1
            if kind == "to-many":
                self.counts["objects in to-many relationships"] += len(expected[key])
            if isinstance(actual[key], dict) and "base64" not in actual[key]:
                self.counts["archives compared by their size alone"] += 1
            if not is_same(expected[key], actual[key]):
                self.differ(*where, key, kind, f"{shorten(actual[key])} instead of {shorten(expected[key])}")


def shorten(value):
    text = str(value) if isinstance(value, (Number, Decimal)) else repr(value)
    return text if len(text) <= 120 else text[:110] + f"… ({len(text)} characters)"


def sqlite3_count(reader, name):
    """How many rows an entity has of its own, counted by the sqlite3 program."""
    sql = f"SELECT count(*) FROM \"{reader.table(name)}\" WHERE Z_ENT = {reader.numbers[name]}"
    return int(subprocess.run(["sqlite3", reader.copy, sql], capture_output=True, text=True, check=True).stdout)


def report(comparison):
    """Prints what differs and what was counted; the exit status."""
    for line in comparison.differences[:SHOWN]:
        print("  " + line)
    if len(comparison.differences) > SHOWN:
        print(f"  … and {len(comparison.differences) - SHOWN} more")
    for key, count in sorted(comparison.counts.items()):
        print(f"{key}: {count:,}")
    print(f"differences: {len(comparison.differences):,}")
    return 1 if comparison.differences else 0


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    named = [(name, Path(name)) for name in sys.argv[2:]]
    if not named and corpus.root() is None:
        print(f"compare_values: the corpus is absent: {corpus.STORES} stores left out")
        return 0
    comparison = Comparison(Path(sys.argv[1]).resolve())
    cached = {label for label, _ in named or corpus.stores(with_model_cache=True)}
    models = {} if named else corpus.models(("MOM", "XCDATAMODEL", "OLDELEMENTS"))
    for label, store in named or corpus.stores():
        before = len(comparison.differences)
        comparison.store(label, store, None if label in cached else models[label])
        print(f"{'ok  ' if len(comparison.differences) == before else 'FAIL'} {label}", flush=True)
    return report(comparison)


if __name__ == "__main__":
    sys.exit(main())
