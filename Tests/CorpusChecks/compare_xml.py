#!/usr/bin/env python3
"""compare_xml.py PROGRAM: does the program read what is in the XML stores of the corpus?

Each of them is read without a model, with its names as they are written; the mapping models also with the model that
made them, which gives the names their letters. Every value of every object is compared with what Python's own XML parser
finds. Exit status 0 when all agree, 1 otherwise.
"""
import csv
import json
import sys
from pathlib import Path

import corpus
from compare_values import Comparison, is_same, parse, report, shorten
from xml_reader import Document, key

#: Known without the corpus, so that its absence can be reported in numbers.
STORES = 15


def stores():
    """(path below the corpus, file, the model file that fits or None) of each XML store."""
    with open(corpus.root() / "xmlstores.tsv", encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    if len(rows) != STORES:
        raise SystemExit(f"the corpus lists {len(rows)} XML stores where {STORES} are expected")
    for row in rows:
        model = corpus.root() / row["matching_model"].partition(" [")[0]
        yield row["local_file"], corpus.root() / row["local_file"], model if model.suffix == ".mom" else None


def compare(comparison, label, store, model):
    document, options = Document(store), ["--model", model] if model else []
    text = comparison.run("entities", store, *options, "--format", "json")
    if text is None:
        return
    names = {entity["name"].upper(): entity["name"] for entity in json.loads(text)}
    comparison.counts["stores"] += 1
    for kind, elements in sorted(document.objects.items()):
        comparison.counts["entities"] += 1
        text = comparison.run("fetch", store, names[kind], *options, "--relationships", "--format", "ndjson")
        lines = (text or "").splitlines()
        if len(lines) != len(elements):
            comparison.differ(label, kind, f"{len(lines)} objects instead of {len(elements)}")
        for line, element in zip(lines, elements):
            comparison.counts["objects"] += 1
            shown = {name.lower(): value for name, value in parse(line)}
            uri = document.uri(key(element), names)
            if shown["objectid"] != uri:
                comparison.differ(label, uri, f"is shown as {shown['objectid']}")
            for name, wanted in document.values(element, names).items():
                comparison.counts["values"] += 1
                actual = shown.get(name, "nothing at all")
                if isinstance(wanted, list):
                    actual = sorted(actual) if isinstance(actual, list) else actual
                    same = actual == wanted
                else:
                    same = is_same(wanted, actual)
                if not same:
                    comparison.differ(label, uri, name, f"{shorten(actual)} instead of {shorten(wanted)}")
            for name in set(shown) - set(document.values(element, names)) - {"objectid", "entity"}:
                if shown[name] not in (None, []) and not name.endswith("of"):
                    comparison.differ(label, uri, name, f"{shorten(shown[name])} is not in the file")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    if corpus.root() is None:
        print(f"compare_xml: the corpus is absent: {STORES} XML stores left out")
        return 0
    comparison = Comparison(Path(sys.argv[1]).resolve())
    for label, store, model in stores():
        for fitting in [None] + ([model] if model else []):
            before = len(comparison.differences)
            compare(comparison, label, store, fitting)
            outcome = "ok  " if len(comparison.differences) == before else "FAIL"
            print(f"{outcome} {label}{' with its model' if fitting else ''}", flush=True)
    return report(comparison)


if __name__ == "__main__":
    sys.exit(main())
