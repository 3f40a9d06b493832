"""A terminal in this process: the program's output is read as it comes, with the time it came, and laid out on a grid.

tmux is asked for a screen and answers milliseconds later; here every byte has its moment. Understands what ncurses writes
for `xterm-256color`, and fails on what it does not understand.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

from ansi import Style, width

SEQUENCE = re.compile(
    "\x1b\\[(?P<private>[?>=!]?)(?P<codes>[0-9;:]*)(?P<middle>[ $]?)(?P<final>[@-~])|\x1b\\](?P<title>[^\x07\x1b]*)(\x07|\x1b\\\\)"
    "|\x1b[()][0A-Z]|\x1b[=>78MDE]|\x1bP[^\x1b]*\x1b\\\\")
INCOMPLETE = re.compile("\x1b(\\[[?>=!]?[0-9;:]*[ $]?|[()]?|\\][^\x07\x1b]*\x1b?|P[^\x1b]*\x1b?)?$")


class PtyScreen:
    """A program in a terminal of `size` columns and rows; a context manager.

    `on_frame`, where it is given, is called at the end of every synchronized update, which the terminal then says it knows.
    """

    def __init__(self, command, size, env, on_frame=None):
        self.columns, self.rows = size
        self.on_frame = on_frame
        self.synchronized_seen = False
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            os.execvpe(str(command[0]), [str(word) for word in command], {**env, "TERM": "xterm-256color"})
        self.resize(*size)
        self.pending = ""
        self.bytes = 0
        self.frames_open = 0
        self._bytes_left = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.descriptor)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.grid = [[(" ", None)] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.style, self.saved = Style(), (0, 0)
        self.region = (0, rows - 1)
        self.last = " "

    def send(self, text):
        os.write(self.descriptor, text.encode())

    def has_ended(self):
        """Whether the program is over."""
        if self.process:
            done, self.status = os.waitpid(self.process, os.WNOHANG)
            if done:
                self.process = 0
        return not self.process

    # Reading

    def read(self, timeout):
        """Waits for output up to `timeout` seconds and lays it out; answers the moment it came, or None."""
        ready, _, _ = select.select([self.descriptor], [], [], max(0, timeout))
        if not ready:
            return None
        moment = time.perf_counter()
        try:
            data = os.read(self.descriptor, 1 << 20)
        except OSError:
            data = b""
        if not data:
            return None
        self.bytes += len(data)
        data = self._bytes_left + data
        text = data.decode(errors="ignore")
        kept = len(text.encode())
        # A character cut in two waits for its other half.
        self._bytes_left = data[kept:] if len(data) - kept < 4 and data[kept:] and data[kept] >= 0xC0 else b""
        self._lay_out(self.pending + text)
        return moment

    def wait(self, condition, timeout):
        """Reads until the condition holds; answers the moment at which the output that made it hold came.

        Within a synchronized update the screen is not looked at, as no terminal would show it.
        """
        deadline = time.perf_counter() + timeout
        moment = time.perf_counter()
        while True:
            if not self.frames_open and condition(self):
                return moment
            left = deadline - time.perf_counter()
            if left <= 0:
                raise AssertionError("it did not come; the screen is:\n" + self.text())
            moment = self.read(left) or moment

    def drain(self, quiet, timeout=30):
        """Reads until nothing has come for `quiet` seconds."""
        deadline = time.perf_counter() + timeout
        while time.perf_counter() < deadline:
            if self.read(quiet) is None:
                return

    def line(self, row):
        return "".join(glyph for glyph, _ in self.grid[row])

    def text(self):
        return "\n".join(self.line(row).rstrip() for row in range(self.rows))

    # Laying out

    def _lay_out(self, text):
        place = 0
        while place < len(text):
            glyph = text[place]
            if glyph == "\x1b":
                found = SEQUENCE.match(text, place)
                if not found:
                    if INCOMPLETE.match(text, place):
                        break
                    raise AssertionError(f"a sequence that is not understood: {text[place:place + 20]!r}")
                self._obey(found)
                place = found.end()
                continue
            self._put(glyph)
            place += 1
        self.pending = text[place:]

    def _put(self, glyph):
        if glyph == "\r":
            self.column = 0
        elif glyph == "\n":
            self._line_feed()
        elif glyph == "\b":
            self.column = max(0, self.column - 1)
        elif glyph in "\a\x0e\x0f":
            pass
        elif glyph == "\t":
            self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
        elif ord(glyph) < 32:
            raise AssertionError(f"a control character: {glyph!r}")
        else:
            cells = width(glyph)
            if cells == 0:
                return
            if self.column + cells > self.columns:
                self.column = 0
                self._line_feed()
            if cells > self.columns:
                return
            self.grid[self.row][self.column] = (glyph, self.style.key())
            for more in range(1, cells):
                self.grid[self.row][self.column + more] = ("", self.style.key())
            self.column += cells
            self.last = glyph

    def _line_feed(self):
        if self.row == self.region[1]:
            self._scroll(1)
        else:
            self.row = min(self.rows - 1, self.row + 1)

    def _scroll(self, lines):
        top, bottom = self.region
        blank = [[(" ", self.style.key())] * self.columns for _ in range(min(abs(lines), bottom - top + 1))]
        part = self.grid[top:bottom + 1]
        part = part[len(blank):] + blank if lines > 0 else blank + part[:len(part) - len(blank)]
        self.grid[top:bottom + 1] = part

    def _obey(self, found):
        final = found["final"]
        if final is None:
            if found[0] == "\x1b7":
                self.saved = (self.row, self.column)
            elif found[0] == "\x1b8":
                self.row, self.column = self.saved
            elif found[0] == "\x1bM":
                if self.row == self.region[0]:
                    self._scroll(-1)
                else:
                    self.row = max(0, self.row - 1)
            return
        if final == "m":
            if not found["private"]:
                self.style.apply(found["codes"])
            return
        if found["private"] or found["middle"]:
            if found["codes"] == "2026" and final in "hl":
                self.frames_open = final == "h"
                self.synchronized_seen = True
                if final == "l" and self.on_frame:
                    self.on_frame()
            if found["codes"] == "2026" and found["middle"] == "$" and self.on_frame:
                self.send("\x1b[?2026;2$y")
            if found["codes"] == "1049" and final == "h":
                self.grid = [[(" ", None)] * self.columns for _ in range(self.rows)]
            return
        codes = [int(code) if code else 0 for code in found["codes"].split(";")]
        first = codes[0] or 1
        blank = (" ", self.style.key())
        line = self.grid[self.row]
        self.column = min(self.column, self.columns - 1)
        if final in "Hf":
            self.row = min(self.rows, first) - 1
            self.column = min(self.columns, (codes[1] if len(codes) > 1 else 1) or 1) - 1
        elif final == "d":
            self.row = min(self.rows, first) - 1
        elif final in "G`":
            self.column = min(self.columns, first) - 1
        elif final == "A":
            self.row = max(0, self.row - first)
        elif final == "B":
            self.row = min(self.rows - 1, self.row + first)
        elif final == "C":
            self.column = min(self.columns - 1, self.column + first)
        elif final == "D":
            self.column = max(0, self.column - first)
        elif final == "K":
            span = {0: range(self.column, self.columns), 1: range(self.column + 1), 2: range(self.columns)}[codes[0]]
            for column in span:
                line[column] = blank
        elif final == "J":
            if codes[0] == 0:
                for column in range(self.column, self.columns):
                    line[column] = blank
                for row in range(self.row + 1, self.rows):
                    self.grid[row] = [blank] * self.columns
            else:
                self.grid = [[blank] * self.columns for _ in range(self.rows)]
        elif final == "X":
            for column in range(self.column, min(self.columns, self.column + first)):
                line[column] = blank
        elif final == "P":
            del line[self.column:self.column + first]
            line += [blank] * (self.columns - len(line))
        elif final == "@":
            line[self.column:self.column] = [blank] * first
            del line[self.columns:]
        elif final == "b":
            for _ in range(first):
                self._put(self.last)
        elif final in "LM":
            region, self.region = self.region, (self.row, self.region[1])
            self._scroll(-first if final == "L" else first)
            self.region = region
        elif final in "ST":
            self._scroll(first if final == "S" else -first)
        elif final == "r":
            self.region = (first - 1, (codes[1] if len(codes) > 1 and codes[1] else self.rows) - 1)
            self.row = self.column = 0
        elif final not in "chlntq":
            raise AssertionError(f"a sequence that is not understood: {found[0]!r}")
