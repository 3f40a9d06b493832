#!/usr/bin/env python3
"""independent_reader.py STORE [ENTITY]: every object of a Core Data store as JSON, read without the program under test.

A second, simple reader to compare with. It opens a private copy with Python's own sqlite3 module, takes the model from
Z_MODELCACHE (or is given it), and finds tables and columns by the rules of the format alone. One line an object; to-many relationships
as the URIs of their objects. Subentities are included, each object with the properties of its own entity.
"""
import json
import re
import sqlite3
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import cached_model
import corpus
import values


class Reader:
    """A store, copied, opened and understood."""

    def __init__(self, store, entities=None):
        self._scratch = tempfile.TemporaryDirectory(prefix="storebrowser-reader-")
        self.copy = corpus.copy_store(store, self._scratch.name)
        self.db = sqlite3.connect(self.copy)
        self.cells = sqlite3.connect(self.copy)
        self.cells.text_factory = values.Text
        self.uuid = self._rows("SELECT Z_UUID FROM Z_METADATA")[0][0]
        self.entities = entities or cached_model.read(self._rows("SELECT Z_CONTENT FROM Z_MODELCACHE")[0][0])
        self.columns = {
            name: {row[1] for row in self._rows(f"PRAGMA table_info({_quoted(name)})")}
            for (name,) in self._rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.numbers = self._numbers()
        self.names = {number: name for name, number in self.numbers.items()}
        self._places = {root: self._column_places(root) for root in {self.root(name) for name in self.entities}}
        self._external = self.copy.parent / corpus.support_name(self.copy) / "_EXTERNAL_DATA"

    def close(self):
        self.db.close()
        self.cells.close()
        self._scratch.cleanup()

    # What the model says

    def root(self, name):
        while self.entities[name].parent:
            name = self.entities[name].parent
        return name

    def subtree(self, name):
        """An entity with everything below it, by entity number."""
        found = {name}
        for _ in self.entities:
            found |= {other for other, entity in self.entities.items() if entity.parent in found}
        return sorted(found, key=self.numbers.get)

    def own(self, name):
        """The properties that an entity declares itself."""
        entity = self.entities[name]
        inherited = self.entities[entity.parent].properties if entity.parent else {}
        return [item for key, item in entity.properties.items() if key not in inherited]

    # Where the format puts it

    def table(self, name):
        return "Z" + self.root(name).upper()

    def _rows(self, sql):
        return self.db.execute(sql).fetchall()

    def _numbers(self):
        """Z_ENT by entity name. A renamed entity keeps its old name in Z_PRIMARYKEY: there the number says which it is."""
        known = {name: number for number, name in self._rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")}
        numbers = {name: known[name] for name in self.entities if name in known}
        left = {name: number for name, number in known.items() if name not in numbers}
        for name, entity in self.entities.items():
            if name not in numbers and entity.renaming_identifier in left:
                numbers[name] = left.pop(entity.renaming_identifier)
        supers = dict(self._rows("SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY"))
        for name, entity in self.entities.items():
            if name in numbers:
                continue
            fits = [old for old, number in left.items() if supers[number] == numbers.get(entity.parent, 0)]
            if len(fits) != 1:
                raise ValueError(f"no number can be found for the entity {name}")
            numbers[name] = left.pop(fits[0])
        return numbers

    def _column_places(self, root):
        """{(entity, property): column} for all that has a column in a tree; names taken twice get 1, 2, … by Z_ENT."""
        taken, places = {}, {}
        for name in self.subtree(root):
            for item in self.own(name):
                is_to_many = isinstance(item, cached_model.Relationship) and item.is_to_many
                if item.is_transient or is_to_many:
                    continue
                base = "Z" + item.name.upper()
                count = taken[base] = taken.get(base, -1) + 1
                places[name, item.name] = base + (str(count) if count else "")
        return places

    def declaring(self, name, key):
        """The entity of the line of parents that declares a property."""
        while self.entities[name].parent and key in self.entities[self.entities[name].parent].properties:
            name = self.entities[name].parent
        return name

    def column(self, name, key):
        declaring = self.declaring(name, key)
        column = self._places[self.root(name)][declaring, key]
        if column not in self.columns[self.table(name)]:
            raise ValueError(f"{name}.{key}: no column {column} in {self.table(name)}")
        return column

    def many(self, name, item):
        """{Z_PK: URIs of the objects} of a to-many relationship: ordered ones by their place, others sorted."""
        target = self.table(item.destination)
        if item.inverse is None:  # a foreign key at the destination, named after this entity's number
            column = f"Z{self.numbers[self.declaring(name, item.name)]}{item.name.upper()}"
            return self._members(item, target, column, "Z_PK", "Z_FOK_" + column[1:])
        inverse = self.entities[item.destination].properties[item.inverse]
        if not inverse.is_to_many:
            column = self.column(item.destination, item.inverse)
            return self._members(item, target, column, "Z_PK", "Z_FOK_" + column[1:])
        table, mine = self._join(name, item)
        others = [column for column in sorted(self.columns[table]) if column != mine and not column.startswith("Z_FOK_")]
        if len(others) != 1:
            raise ValueError(f"{table} has {len(others)} columns beside {mine}")
        return self._members(item, table, mine, others[0], "Z_FOK_" + others[0][2:])

    def _members(self, item, table, mine, other, place):
        if mine not in self.columns[table]:
            raise ValueError(f"no column {mine} in {table}")
        target = self.table(item.destination)
        entities = dict(self._rows(f"SELECT Z_PK, Z_ENT FROM {_quoted(target)}"))
        order = _quoted(place) if item.is_ordered else "NULL"
        if item.is_ordered and place not in self.columns[table]:
            raise ValueError(f"no column {place} in {table}")
        found = {}
        for owner, key, _ in self._rows(
                f"SELECT {_quoted(mine)}, {_quoted(other)}, {order} AS place FROM {_quoted(table)} "
                f"WHERE {_quoted(mine)} IS NOT NULL ORDER BY place, {_quoted(other)}"):
            found.setdefault(owner, []).append(self.uri(self.names[entities[key]], key))
        return found if item.is_ordered else {owner: sorted(uris, key=str.encode) for owner, uris in found.items()}

    def _join(self, name, item):
        """The join table of a many-to-many relationship and its column that holds this side's keys."""
        here = self.numbers[self.declaring(name, item.name)]
        there = self.numbers[self.declaring(item.destination, item.inverse)]
        mine, other = item.name.upper(), item.inverse.upper()
        # The entity with subentities names the table, else the lower number; both names are tried. The column that
        # holds this side's keys bears this side's number and the other side's name for it; a digit may follow a name
        # that was taken.
        if here == there and mine == other:
            return f"Z_{here}{mine}", f"Z_{here}{mine}"
        for table in (f"Z_{here}{mine}", f"Z_{there}{other}"):
            for column in sorted(self.columns.get(table, ())):
                if re.fullmatch(rf"Z_{here}{re.escape(other)}\d*", column):
                    return table, column
        raise ValueError(f"no join table for {name}.{item.name}")

    # Values

    def attribute(self, item, value):
        """One attribute's value as JSON shows it; numbers that are not whole are Decimals of the shortest text."""
        if value is None:
            return None
        if item.type.startswith("integer"):
            return value
        if item.type == "boolean":
            return bool(value)
        if item.type in ("double", "float"):
            return values.real(value, item.type == "float")
        if item.type == "decimal":
            return values.decimal(value)
        if item.type == "date":
            return values.date(value)
        if item.type == "uuid":
            return values.uuid(value) if len(value) == 16 else values.binary(value)
        if item.type in ("binary", "transformable"):
            if item.is_external:
                value = values.external(value, self._external)
            return None if value is None else values.binary(value)
        return values.string(value)

    def uri(self, entity, key):
        return f"x-coredata://{self.uuid}/{entity}/p{key}"

    def _to_one(self, name, item, row):
        key = row[self.column(name, item.name)]
        if key is None:
            return None
        target = item.destination
        if len(self.subtree(target)) > 1:
            number = row[f"Z{self.numbers[target]}_{self.column(name, item.name)[1:]}"]
            target = self.names.get(number, target)
        return self.uri(target, key)

    def objects(self, name):
        """Every object of an entity and its subentities, by Z_ENT and Z_PK: (URI, entity, {property: value})."""
        tree = self.subtree(name)
        many = {}
        for entity in tree:
            for item in self.entities[entity].properties.values():
                if isinstance(item, cached_model.Relationship) and item.is_to_many and not item.is_transient:
                    many[entity, item.name] = self.many(entity, item)
        marks = ",".join(str(self.numbers[entity]) for entity in tree)
        cursor = self.cells.execute(
            f"SELECT * FROM {_quoted(self.table(name))} WHERE Z_ENT IN ({marks}) ORDER BY Z_ENT, Z_PK")
        columns = [column[0] for column in cursor.description]
        for cells in cursor.fetchall():
            row = dict(zip(columns, cells))
            entity, found = self.names[row["Z_ENT"]], {}
            for key, item in sorted(self.entities[entity].properties.items(), key=lambda pair: pair[0].encode()):
                if item.is_transient:
                    found[key] = None
                elif isinstance(item, cached_model.Attribute):
                    found[key] = self.attribute(item, row[self.column(entity, key)])
                elif item.is_to_many:
                    found[key] = many[entity, key].get(row["Z_PK"], [])
                else:
                    found[key] = self._to_one(entity, item, row)
            yield self.uri(entity, row["Z_PK"]), entity, found


def _quoted(name):
    return '"' + name.replace('"', '""') + '"'


def to_json(uri, entity, found):
    """One line, as the program's ndjson."""
    return json.dumps(
        {"objectID": uri, "entity": entity, **found}, ensure_ascii=False,
        default=lambda value: float(value) if isinstance(value, Decimal) else str(value))


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    reader = Reader(Path(sys.argv[1]))
    roots = sorted((name for name in reader.entities if not reader.entities[name].parent), key=reader.numbers.get)
    for name in sys.argv[2:] or roots:
        for row in reader.objects(name):
            print(to_json(*row))
    reader.close()


if __name__ == "__main__":
    main()
