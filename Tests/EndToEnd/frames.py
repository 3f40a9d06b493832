"""A terminal that keeps every frame a program shows, with the moment it came: nothing that was on screen is missed."""
import bisect
import functools
import os
import re
import signal
import threading
import time
from pathlib import Path

from pty_screen import PtyScreen

#: The theme's backgrounds where there are 256 colours, and the ground they fade to (Palette.swift).
WASHES = {"added": 0x005F00, "changed": 0x5F5F00, "removed": 0x5F0000, "moved": 0x5F005F}
GROUND = 0x15181E
GLYPHS = "+~-↕"
KEYS = {"Enter": "\r", "Escape": "\x1b", "Backspace": "\x7f", "Tab": "\t"}


def _channels(color):
    return color >> 16 & 255, color >> 8 & 255, color & 255


_LEVELS = [0, 95, 135, 175, 215, 255]
_PALETTE = [(r, g, b) for r in _LEVELS for g in _LEVELS for b in _LEVELS] + [(8 + 10 * step,) * 3 for step in range(24)]


def wash(role, strength=8):
    """The background of a change, of which so many eighths are left, as the nearest of 256 colours."""
    color = [int(a + (b - a) * strength / 8 + 0.5) for a, b in zip(_channels(GROUND), _channels(WASHES[role]))]
    nearest = min(_PALETTE, key=lambda other: sum(w * (a - b) ** 2 for w, a, b in zip((3, 6, 2), color, other)))
    return "#%02x%02x%02x" % nearest


def fading(role):
    """The backgrounds of a wash from full to nothing, as far as 256 colours tell them apart."""
    return list(dict.fromkeys(wash(role, strength) for strength in range(8, 0, -1)))


class Row:
    """One line of the list: its cells, from the gutter on, and where its second column begins."""

    def __init__(self, cells, second):
        self.cells, self.second = cells, second

    @property
    def text(self):
        return "".join(glyph for glyph, _ in self.cells)

    @property
    def first(self):
        """The text of the first column."""
        return "".join(glyph for glyph, _ in self.cells[2:self.second]).strip()

    @property
    def is_selected(self):
        return self.cells[0][0] == "▌"

    @property
    def mark(self):
        """The glyph in the gutter; None where there is none."""
        return next((glyph for glyph, _ in self.cells[:2] if glyph in GLYPHS), None)

    @property
    def back(self):
        """The background of the first column."""
        return self.look(2)["back"]

    @property
    def rest(self):
        """The background of the second column."""
        return self.look(self.second)["back"]

    def look(self, column):
        return dict(self.cells[column][1] or {"back": None, "struck": False})


class Frame:
    """What was on screen from a moment on."""

    def __init__(self, moment, grid):
        self.moment, self.grid = moment, grid

    @functools.cached_property
    def lines(self):
        return ["".join(glyph for glyph, _ in line).rstrip() for line in self.grid]

    @property
    def text(self):
        return "\n".join(self.lines)

    def look(self, text):
        """The style of the first cell of a text on screen."""
        line = next(number for number, line in enumerate(self.lines) if text in line)
        before, column = self.lines[line].index(text), 0
        while before:
            before -= len(self.grid[line][column][0])
            column += 1
        return dict(self.grid[line][column][1] or {"back": None})

    @functools.cached_property
    def rows(self):
        """The lines of the list that show something, from the top."""
        top = next((number for number, line in enumerate(self.lines) if "[2]" in line), None)
        if top is None:
            return []
        glyphs = [glyph for glyph, _ in self.grid[top]]
        place = next(column for column in range(len(glyphs)) if glyphs[column:column + 3] == ["[", "2", "]"])
        left = max(column for column in range(place) if glyphs[column] in "╭┌")
        right = min(column for column in range(place, len(glyphs)) if glyphs[column] in "╮┐")
        heading = "".join(glyph for glyph, _ in self.grid[top + 1][left + 1:right])
        second = re.match(r"  \S+(?: [↑↓])? +", heading)
        found = []
        for line in self.grid[top + 2:]:
            if line[left][0] not in "│║":
                break
            row = Row(line[left + 1:right], second.end() if second else 2)
            if row.text.strip():
                found.append(row)
        return found

    def row(self, text):
        """The row whose first column has a text; None where there is none."""
        return next((row for row in self.rows if text in row.first), None)

    @property
    def selected(self):
        return next((row for row in self.rows if row.is_selected), None)


class FrameTerminal:
    """A program in a terminal; a thread takes its output as it comes."""

    def __init__(self, command, size, env):
        self.frames, self._arrived, self._ended, self._problem = [], threading.Condition(), False, None
        self._screen = PtyScreen(command, size, env, self._keep)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def pid(self):
        return self._screen.process

    def kill(self):
        """Kills the program, and waits until nothing is left of it."""
        os.kill(self.pid, signal.SIGKILL)
        deadline = time.monotonic() + 20
        while not self._screen.has_ended():
            if time.monotonic() > deadline:
                raise AssertionError("the program outlives SIGKILL")
            time.sleep(0.01)

    def close(self):
        self._ended = True
        self._thread.join(20)
        self._screen.__exit__()

    def _keep(self):
        frame = Frame(time.monotonic(), [list(line) for line in self._screen.grid])
        with self._arrived:
            self.frames.append(frame)
            self._arrived.notify_all()

    def _read(self):
        try:
            while not self._ended:
                if self._screen.read(0.05) is None:
                    if not self.is_running():
                        time.sleep(0.05)
                elif not self._screen.synchronized_seen and not self._screen.frames_open:
                    self._keep()  # the first frame comes before the terminal has been asked
        except AssertionError as problem:
            self._problem = problem

    def is_running(self):
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
        except FileNotFoundError:
            return False

    def send(self, *keys):
        """Presses keys: those of KEYS, C-x, or a text as it is typed; answers where the frames after it begin."""
        since = len(self.frames)
        for key in keys:
            self._screen.send(KEYS.get(key) or (chr(ord(key[2]) & 31) if re.fullmatch("C-.", key) else key))
        return since

    # Waiting

    @property
    def now(self):
        """Where the frames begin that come from now on."""
        return len(self.frames)

    @property
    def frame(self):
        return self.frames[-1]

    def wait(self, condition, what, since=None, timeout=20):
        """The first frame, from now or from another place on, for which the condition holds."""
        deadline = time.monotonic() + timeout
        place = max(0, len(self.frames) - 1) if since is None else since
        while True:
            with self._arrived:
                if place >= len(self.frames):
                    self._arrived.wait(max(0, deadline - time.monotonic()))
                fresh = self.frames[place:]
            for frame in fresh:
                if condition(frame):
                    return frame
            place += len(fresh)
            if self._problem:
                raise self._problem
            if not fresh and time.monotonic() >= deadline:
                raise AssertionError(f"{what} did not come in {timeout} s; the screen is:\n{self.frame.text}")

    def wait_for(self, pattern, since=None, timeout=20):
        """The first frame, from now or from another place on, that matches a regular expression."""
        return self.wait(lambda frame: re.search(pattern, frame.text, re.MULTILINE), f"/{pattern}/", since, timeout)

    def until(self, frame, since):
        """The frames from a place on up to one of them."""
        return self.frames[since:self.after(frame)]

    def after(self, frame):
        """Where the frames begin that came after one of them."""
        return bisect.bisect_right(self.frames, frame.moment, key=lambda other: other.moment)

    def rest(self, timeout=30):
        """Waits until the program does nothing: each of its threads sleeps, and takes no time, for a while."""
        deadline, same, before = time.monotonic() + timeout, 0, None
        while same < 20:
            if time.monotonic() > deadline:
                raise AssertionError(f"the program does not come to rest; the screen is:\n{self.frame.text}")
            state = self._threads()
            same = same + 1 if state == before and all(letter == "S" for letter, _ in state.values()) else 0
            before = state
            time.sleep(0.02)

    def _threads(self):
        found = {}
        for task in Path(f"/proc/{self.pid}/task").glob("*/stat"):
            try:
                fields = task.read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            found[task.parent.name] = (fields[0], fields[11] + fields[12])
        return found
