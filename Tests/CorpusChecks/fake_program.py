#!/usr/bin/env python3
"""A stand-in for storebrowser made of the independent reader, so that the comparison itself can be tested.

FAULT in the environment plants one fault: `integer` adds one to the first integer, `drop` leaves the last object out,
`base64` changes a blob, `text` changes a string, `float` rounds a real, `key` leaves a key out, `rows` counts wrongly.
"""
import json
import os
import sys
from decimal import Decimal

from independent_reader import Reader

FAULT = os.environ.get("FAULT", "")


def shown(value):
    if isinstance(value, Decimal):
        return json.loads(str(value), parse_float=float) if FAULT != "float" else round(float(value), 2)
    return value


def main():
    command, store = sys.argv[1:3]
    reader = Reader(store)
    if command == "entities":
        rows = {name: sum(1 for _, own, _ in reader.objects(name) if own == name) for name in reader.entities}
        print(json.dumps([{
            "name": name, "parent": entity.parent, "abstract": entity.is_abstract, "table": reader.table(name),
            "rows": rows[name] + (FAULT == "rows"),
            "rowsWithSubentities": sum(rows[part] for part in reader.subtree(name)),
        } for name, entity in reader.entities.items()]))
    elif command == "count":
        print(sum(1 for _ in reader.objects(sys.argv[3])))
    else:
        objects = list(reader.objects(sys.argv[3]))
        for uri, entity, found in objects[:-1] if FAULT == "drop" else objects:
            for key, value in list(found.items()):
                if FAULT == "integer" and type(value) is int:
                    found[key] += 1
                elif FAULT == "text" and isinstance(value, str):
                    found[key] += " "
                elif FAULT == "base64" and isinstance(value, dict):
                    found[key] = {**value, "base64": value["base64"].swapcase()}
            if FAULT == "key":
                found.popitem()
            print(json.dumps({"objectID": uri, "entity": entity, **{key: shown(value) for key, value in found.items()}},
                             ensure_ascii=False))
    reader.close()


if __name__ == "__main__":
    main()
