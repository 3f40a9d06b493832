"""What `tmux capture-pane -p -e` prints, understood: text with the styles that the escape sequences between it set."""
import re
import unicodedata

#: The sixteen colours of a terminal, as this reader shows them.
BASE = ["#1c1c1c", "#d75f5f", "#87af5f", "#d7af5f", "#5f87d7", "#af87d7", "#5fafaf", "#d0d0d0",
        "#767676", "#ff8787", "#afd787", "#ffd787", "#87afff", "#d7afff", "#87d7d7", "#ffffff"]


def indexed(number):
    if number < 16:
        return BASE[number]
    if number < 232:
        number -= 16
        levels = [0, 95, 135, 175, 215, 255]
        return "#%02x%02x%02x" % (levels[number // 36], levels[number // 6 % 6], levels[number % 6])
    return "#%02x%02x%02x" % ((8 + (number - 232) * 10,) * 3)


class Style:
    def __init__(self):
        self.reset()

    def reset(self):
        self.fore = self.back = None
        self.bold = self.dim = self.italic = self.underline = self.reverse = self.struck = False

    def key(self):
        return tuple(vars(self).items())

    def apply(self, codes):
        codes = [int(code or 0) for code in re.split("[;:]", codes)]
        while codes:
            code = codes.pop(0)
            if code == 0:
                self.reset()
            elif code in (1, 2, 3, 4, 7, 9):
                name = {1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "struck"}[code]
                setattr(self, name, True)
            elif code == 22:
                self.bold = self.dim = False
            elif code in (23, 24, 27, 29):
                setattr(self, {23: "italic", 24: "underline", 27: "reverse", 29: "struck"}[code], False)
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.fore = BASE[code - 30 if code < 90 else code - 82]
            elif 40 <= code <= 47 or 100 <= code <= 107:
                self.back = BASE[code - 40 if code < 100 else code - 92]
            elif code in (38, 48) and codes:
                kind = codes.pop(0)
                colour = indexed(codes.pop(0)) if kind == 5 else "#%02x%02x%02x" % tuple(codes.pop(0) for _ in range(3))
                setattr(self, "fore" if code == 38 else "back", colour)
            elif code == 39:
                self.fore = None
            elif code == 49:
                self.back = None


def width(character):
    if unicodedata.combining(character) or character in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def runs(line, style):
    """(column, text, cells, style key) of every stretch of one style."""
    column, text, cells = 0, "", 0
    for part in re.split("(\x1b\\[[0-9;:]*m)", line):
        if part.startswith("\x1b["):
            if text:
                yield column, text, cells, style.key()
            column, text, cells = column + cells, "", 0
            style.apply(part[2:-1])
        else:
            part = re.sub("\x1b\\][^\x1b]*\x1b\\\\|[\x0e\x0f]", "", part)
            text, cells = text + part, cells + sum(map(width, part))
    if text:
        yield column, text, cells, style.key()


def canonical(capture):
    """A screen to compare: of each row its glyphs with what can be seen of their style, without blanks at its end.

    Two captures of the same screen may differ in their escape sequences; their canonical forms do not.
    """
    style, rows = Style(), []
    for line in capture.rstrip("\n").split("\n"):
        row = []
        for _, text, _, key in runs(line, style):
            look = dict(key)
            on_blanks = tuple((name, look[name]) for name in ("back", "reverse", "underline", "struck"))
            row += [(glyph, on_blanks if glyph == " " else key) for glyph in text]
        while row and row[-1] == (" ", (("back", None), ("reverse", False), ("underline", False), ("struck", False))):
            row.pop()
        rows.append(tuple(row))
    return tuple(rows)
