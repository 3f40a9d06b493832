"""A terminal of one's own to run a program in: tmux on its own socket, without anybody's configuration.

Nothing here sleeps for luck: what is waited for is a condition with a deadline, and a deadline that passes is a failure
that shows the screen.
"""
import os
import re
import shlex
import signal
import subprocess
import tempfile
import termios
import time

import ansi

POLL = 0.02


class Timeout(AssertionError):
    """What was waited for did not come."""


def wait_until(condition, what, timeout=10):
    """Polls until the condition is true and answers its value; raises Timeout when the deadline passes."""
    deadline = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Timeout(f"{what} did not come in {timeout} s")
        time.sleep(POLL)


class Terminal:
    """One window of tmux with one program in it; a context manager."""

    def __init__(self, command, size=(80, 24), env=None, cwd=None):
        self.command, self.size, self.cwd = command, size, cwd
        self.env = {
            "PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "tmux-256color", "LC_ALL": "C.UTF-8",
            **(env or {})}
        self._folder = tempfile.TemporaryDirectory(prefix="storebrowser-tmux-")

    def __enter__(self):
        words = ["env", "-i", *(f"{key}={value}" for key, value in self.env.items()), *map(str, self.command)]
        self._tmux(
            "start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";",
            "set-option", "-g", "default-terminal", "tmux-256color", ";", "set-option", "-g", "status", "off", ";",
            "set-option", "-g", "set-clipboard", "on", ";",
            "new-session", "-d", "-s", "main", "-x", str(self.size[0]), "-y", str(self.size[1]),
            *(["-c", str(self.cwd)] if self.cwd else []), "exec " + shlex.join(words))
        self.pid = int(self.ask("pane_pid"))
        self.tty = self.ask("pane_tty")
        return self

    def __exit__(self, *_):
        self.close()
        self._folder.cleanup()

    def close(self):
        """Takes the terminal away, as closing its window would."""
        subprocess.run(["tmux", "-S", self._socket(), "kill-server"], capture_output=True)

    def _socket(self):
        return os.path.join(self._folder.name, "socket")

    def _tmux(self, *arguments):
        done = subprocess.run(
            ["tmux", "-S", self._socket(), "-f", "/dev/null", *arguments], capture_output=True, text=True, timeout=30)
        if done.returncode:
            raise RuntimeError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def ask(self, variable):
        """The value of one of tmux's format variables for the pane, as text."""
        return self.ask_all(variable)[0]

    def ask_all(self, *variables):
        """The values of several variables, all of one moment."""
        marks = "\t".join("#{" + variable + "}" for variable in variables)
        return self._tmux("display-message", "-p", "-t", "main", marks).rstrip("\n").split("\t")

    # Doing

    def send(self, *keys):
        """Presses keys by tmux's names: Down, Enter, BSpace, C-c, j …"""
        self._tmux("send-keys", "-t", "main", *keys)

    def type(self, text):
        """Types text as it is."""
        self._tmux("send-keys", "-t", "main", "-l", "--", text)

    def mouse(self, column, row, button=0):
        """Clicks a cell, counted from 0, as a terminal reports it (SGR mode)."""
        for final in "Mm":
            codes = f"\x1b[<{button};{column + 1};{row + 1}{final}".encode()
            self._tmux("send-keys", "-t", "main", "-H", *(f"{byte:02x}" for byte in codes))

    def resize(self, columns, rows):
        self._tmux("resize-window", "-t", "main", "-x", str(columns), "-y", str(rows))
        self.size = (columns, rows)

    # Looking

    def text(self):
        """The screen as text, a line a row, without trailing blanks."""
        return self._tmux("capture-pane", "-p", "-t", "main")

    def styled(self):
        """The screen with its styles, to compare with another (see ansi.canonical)."""
        return ansi.canonical(self.capture())

    def capture(self):
        """The screen as text with escape sequences for its colours, blanks included."""
        return self._tmux("capture-pane", "-p", "-e", "-N", "-t", "main")

    def clipboard(self):
        """What the program has put into the terminal's clipboard (OSC 52); empty when it has put nothing there."""
        if not self._tmux("list-buffers"):
            return ""
        return self._tmux("show-buffer")

    def modes(self):
        """The terminal's line settings, comparable (what `stty -g` prints)."""
        descriptor = os.open(self.tty, os.O_RDWR | os.O_NOCTTY)
        try:
            return termios.tcgetattr(descriptor)
        finally:
            os.close(descriptor)

    def is_given_back(self):
        """Whether the alternate screen, the mouse and the keypad are left and the cursor can be seen."""
        flags = self.ask_all("alternate_on", "cursor_flag", "mouse_any_flag", "keypad_flag", "keypad_cursor_flag")
        return flags == ["0", "1", "0", "0", "0"]

    # Waiting

    def wait(self, condition, what, timeout=10):
        """Polls until the condition is true and answers its value."""
        try:
            return wait_until(condition, what, timeout)
        except Timeout as error:
            raise Timeout(f"{error}; the screen is:\n{self.text()}") from None

    def wait_for(self, pattern, timeout=10):
        """Waits until the screen matches a regular expression (multi-line) and answers the match."""
        expression = re.compile(pattern, re.MULTILINE)
        return self.wait(lambda: expression.search(self.text()), f"/{pattern}/", timeout)

    def wait_until_gone(self, pattern, timeout=10):
        """Waits until the screen no longer matches a regular expression."""
        expression = re.compile(pattern, re.MULTILINE)
        self.wait(lambda: not expression.search(self.text()), f"the end of /{pattern}/", timeout)

    def settle(self, timeout=10):
        """Waits until the screen stays the same for six looks on end, and answers it."""
        seen = []

        def is_still():
            seen.append(self.styled())
            return len(seen) >= 6 and len(set(seen[-6:])) == 1
        self.wait(is_still, "a still screen", timeout)
        return self.text()

    def is_dead(self):
        return self.ask("pane_dead") == "1"

    def wait_end(self, timeout=10):
        """Waits for the program's end and answers its exit status, or the signal's number negated."""
        def status():
            dead, status, number = self.ask_all("pane_dead", "pane_dead_status", "pane_dead_signal")
            if dead == "1" and not status + number:
                os.kill(int(self.ask("pid")), signal.SIGCHLD)  # tmux 3.3 now and then misses the signal and never asks
            return (-int(number) if number else int(status),) if status + number else None
        return self.wait(status, "the program's end", timeout)[0]
