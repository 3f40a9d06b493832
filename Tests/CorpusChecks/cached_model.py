"""Models read as plain data: a store's Z_MODELCACHE (raw DEFLATE around a keyed archive), a compiled model, or XML."""
import json
import plistlib
import subprocess
import xml.etree.ElementTree as ElementTree
import zlib
from dataclasses import dataclass, field

#: The attribute types by their number in the archive.
TYPES = {
    0: "undefined", 100: "integer16", 200: "integer32", 300: "integer64", 400: "decimal", 500: "double", 600: "float",
    700: "string", 800: "boolean", 900: "date", 1000: "binary", 1100: "uuid", 1200: "uri", 1800: "transformable",
}
ALLOWS_EXTERNAL_STORAGE = 4


@dataclass
class Attribute:
    name: str
    type: str
    is_transient: bool
    is_external: bool


@dataclass
class Relationship:
    name: str
    destination: str
    inverse: "str | None"
    is_to_many: bool
    is_ordered: bool
    is_transient: bool


@dataclass
class Entity:
    name: str
    parent: "str | None"
    is_abstract: bool
    renaming_identifier: "str | None"
    #: Every property, inherited ones included, by name. Fetched properties are left out: they hold no values.
    properties: dict = field(default_factory=dict)


class _Archive:
    """A keyed archive: objects by number, references between them."""

    def __init__(self, data):
        plist = plistlib.loads(data)
        self.objects = plist["$objects"]
        self.root = self.at(plist["$top"]["root"])

    def at(self, value):
        """What a reference stands for; anything else is itself, and $null is None."""
        if isinstance(value, plistlib.UID):
            value = self.objects[value.data]
        return None if value == "$null" else value

    def class_of(self, thing):
        return self.at(thing["$class"])["$classname"] if isinstance(thing, dict) and "$class" in thing else None

    def string(self, value):
        value = self.at(value)
        if isinstance(value, dict) and "NS.string" in value:
            value = self.at(value["NS.string"])
        return value

    def array(self, value):
        value = self.at(value)
        return [] if value is None else [self.at(item) for item in value["NS.objects"]]

    def pairs(self, value):
        """A dictionary of either kind as (key, value) pairs."""
        value = self.at(value)
        if value is None:
            return []
        if "NS.keys" in value:
            return list(zip(map(self.string, value["NS.keys"]), map(self.at, value["NS.objects"])))
        keys = self.array(self.at(value["searchMapping"])["keys"])
        return list(zip(map(self.string, keys), self.array(value["values"])))


def read(blob):
    """The entities of a cached model by name; raises ValueError when the stream is cut off."""
    inflater = zlib.decompressobj(-15)
    data = inflater.decompress(blob)
    if not inflater.eof:
        raise ValueError("the cached model is truncated")
    return _decode(data)


def _decode(data):
    """The entities of a model's keyed archive."""
    archive = _Archive(data)
    entities = {}
    for name, thing in archive.pairs(archive.root["NSEntities"]):
        parent = archive.at(thing.get("NSSuperentity"))
        entity = Entity(
            name=name, parent=archive.string(parent["NSEntityName"]) if parent else None,
            is_abstract=bool(thing.get("NSIsAbstract", False)),
            renaming_identifier=archive.string(thing.get("NSRenamingIdentifier")))
        for key, item in archive.pairs(thing["NSProperties"]):
            made = _property(archive, key, item)
            if made is not None:
                entity.properties[key] = made
        entities[name] = entity
    return _inherit(entities)


def _inherit(entities):
    """Completes entities that list their own properties only from their parents."""
    for entity in entities.values():
        parent = entities.get(entity.parent)
        while parent is not None:
            for key, item in parent.properties.items():
                entity.properties.setdefault(key, item)
            parent = entities.get(parent.parent)
    return entities


def read_file(path, program):
    """The entities of a model file by name: compiled, or XML; what is older is taken as `program` tells it."""
    data = path.read_bytes()
    if path.suffix == ".mom":
        return _decode(data)
    if path.name == "contents":
        return _inherit({entity.get("name"): _xml_entity(entity) for entity in ElementTree.fromstring(data).iter("entity")})
    told = subprocess.run([program, "model", str(path.parent), "--format", "json"], capture_output=True, check=True).stdout
    return _inherit({entity["name"]: _told_entity(entity) for entity in json.loads(told)["entities"]})


def _xml_entity(thing):
    entity = Entity(
        thing.get("name"), thing.get("parentEntity"), thing.get("isAbstract") == "YES", thing.get("elementID"))
    for item in thing.iter("attribute"):
        kind = item.get("attributeType", "undefined").lower().replace(" ", "").replace("data", "")
        entity.properties[item.get("name")] = Attribute(
            item.get("name"), kind, item.get("transient") == "YES", item.get("allowsExternalBinaryDataStorage") == "YES")
    for item in thing.iter("relationship"):
        entity.properties[item.get("name")] = Relationship(
            item.get("name"), item.get("destinationEntity"), item.get("inverseName"), item.get("toMany") == "YES",
            item.get("ordered") == "YES", item.get("transient") == "YES")
    return entity


def _told_entity(thing):
    entity = Entity(thing["name"], thing["parent"], thing["abstract"], thing["renamingIdentifier"])
    for item in thing["attributes"]:
        kind = item["type"].lower().replace(" ", "").replace("data", "")
        entity.properties[item["name"]] = Attribute(
            item["name"], kind, item["transient"], item["allowsExternalBinaryDataStorage"])
    for item in thing["relationships"]:
        entity.properties[item["name"]] = Relationship(
            item["name"], item["destination"], item["inverse"], item["toMany"], item["ordered"], item["transient"])
    return entity


def _property(archive, name, thing):
    while archive.class_of(thing) == "_NSPropertyDescriptionProxy":
        thing = archive.at(thing["NSUnderlyingProperty"])
    kind = archive.class_of(thing)
    is_transient = bool(thing.get("NSIsTransient", False))
    if kind in ("NSAttributeDescription", "NSDerivedAttributeDescription"):
        flags = archive.at(thing.get("NSFlagsKey", 0)) or 0
        return Attribute(
            name, TYPES[archive.at(thing["NSAttributeType"])], is_transient, bool(flags & ALLOWS_EXTERNAL_STORAGE))
    if kind == "NSRelationshipDescription":
        destination = archive.string(thing.get("_NSDestinationEntityName"))
        if destination is None:
            destination = archive.string(archive.at(thing["NSDestinationEntity"])["NSEntityName"])
        inverse = archive.string(thing.get("_NSInverseRelationshipName"))
        if inverse is None and archive.at(thing.get("NSInverseRelationship")) is not None:
            inverse = archive.string(archive.at(thing["NSInverseRelationship"])["NSPropertyName"])
        return Relationship(
            name, destination, inverse, archive.at(thing.get("NSMaxCount", 0)) != 1,
            bool(thing.get("NSIsOrdered", False)), is_transient)
    if kind == "NSFetchedPropertyDescription":
        return None
    raise ValueError(f"a property of an unknown class: {kind}")
