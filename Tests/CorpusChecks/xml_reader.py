"""XML stores read with Python's own parser: every object as JSON would show it, names as they are written."""
import base64
import struct
import xml.etree.ElementTree as ElementTree

import values


class Document:
    """An XML store: its objects by the type they are written with."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.uuid = root.findtext("databaseInfo/UUID", "").strip()
        self.objects = {}
        for element in root.iter("object"):
            self.objects.setdefault(element.get("type"), []).append(element)
        for found in self.objects.values():
            found.sort(key=key)
        self.types = {key(element): element.get("type") for found in self.objects.values() for element in found}

    def uri(self, number, names):
        return f"x-coredata://{self.uuid}/{names.get(self.types[number], self.types[number])}/p{number}"

    def values(self, element, names):
        """{name in small letters: value} of an object; to-many relationships as sets of URIs, to-one as one or None."""
        found = {item.get("name").lower(): value(item) for item in element.iter("attribute")}
        for item in element.iter("relationship"):
            ends = [self.uri(int(end[1:]), names) for end in (item.get("idrefs") or "").split()]
            is_to_one = item.get("type").endswith("/1")
            found[item.get("name").lower()] = (ends[0] if ends else None) if is_to_one else sorted(ends)
        return found


def key(element):
    return int(element.get("id")[1:])


def value(item):
    text, kind = item.text or "", item.get("type")
    if kind in ("int16", "int32", "int64"):
        return int(text)
    if kind == "bool":
        return text == "1"
    if kind in ("double", "float"):
        return values.real(float(text) if kind == "double" else struct.unpack("f", struct.pack("f", float(text)))[0], kind == "float")
    if kind == "date":
        return values.date(float(text))
    if kind in ("binary", "transformable"):
        return values.binary(base64.b64decode(text))
    return text
