"""Whatever is done to the browser while others write its store: it lives, answers, and never shows half a frame."""
import array
import fcntl
import os
import random
import sqlite3
import sys
import termios
import time
import unittest

from browser_tests import PROGRAM
from live_session import DEMO, LiveSession
from pty_screen import PtyScreen
from sessions import environment

#: What is pressed at random; nothing that ends the program, stops it or opens a program of the person's.
KEYS = [
    "j", "k", "h", "l", "g", "G", "\x04", "\x15", "\t", "1", "2", "3", "+", "\r", "\x7f", "s", "f", "n", "N", "a", "é", "日",
    "e", "d", "y", "x", "u", "\x13", "\x0e", "p", "?", "!", "\x1b", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~",
    "\x1b[6~", "\x1b[I", "\x1b[O", "\x1b[200~two\nlines\x1b[201~",
]
SIZES = [(120, 36), (80, 24), (40, 10), (200, 60), (100, 30), (21, 5), (1, 1)]


def terminal_of(descriptor):
    """The path of the terminal that a descriptor is the other end of, as ptsname says it."""
    number = array.array("i", [0])
    fcntl.ioctl(descriptor, 0x80045430, number)  # TIOCGPTN
    return f"/dev/pts/{number[0]}"


class WholeScreen(PtyScreen):
    """A terminal that minds when something is painted outside of a synchronized update."""

    torn = ""
    has_begun = False

    def _put(self, glyph):
        # Before its first frame of that kind the program has not read yet that this terminal knows synchronized updates.
        self.has_begun = self.has_begun or bool(self.frames_open)
        if self.has_begun and not self.frames_open and glyph not in "\r\n\b\a":
            self.torn += glyph
        super()._put(glyph)

    def unread(self):
        """How many bytes of input the program has not taken yet."""
        count = array.array("i", [0])
        fcntl.ioctl(self.slave, termios.FIONREAD, count)
        return count[0]


class RandomEventTests(LiveSession):
    EVENTS = 20_000 if os.environ.get("LONG") else 1_500
    #: A busy machine holds everybody up; on a quiet one nothing takes a tenth of a second.
    LONGEST = 0.1 if os.environ.get("LONG") else 2.0

    def event(self, chance, screen):
        kind = chance.randrange(24)
        if kind == 0:
            screen.resize(*chance.choice(SIZES))
        elif kind < 4:
            column, row = chance.randint(1, 210), chance.randint(1, 62)
            screen.send(f"\x1b[<{chance.choice([0, 0, 32, 64, 65])};{column};{row}{chance.choice('Mm')}")
        else:
            screen.send(chance.choice(KEYS))

    def commit(self, chance, owner):
        row = chance.randint(1, 60)
        statement = chance.choice([
            f"UPDATE ZHIKER SET ZNAME = 'N' || {chance.randint(1, 999)}, Z_OPT = Z_OPT + 1 WHERE Z_PK = {row}",
            f"UPDATE ZHIKER SET ZSTEPS = ZSTEPS + 1 WHERE Z_PK BETWEEN {row} AND {row + chance.choice([0, 3, 60])}",
            f"DELETE FROM ZHIKER WHERE Z_PK = {chance.randint(100, 250)}",
            DEMO.insert.format(f"New {chance.randint(1, 999)}"),
        ])
        try:
            owner.execute(statement)
        except sqlite3.OperationalError as error:  # the browser is saving just now
            self.assertIn("locked", str(error))

    def test_random_keys_mouse_sizes_and_focus_with_a_writer(self):
        self.prepare(DEMO)
        seed = int(os.environ.get("SEED", "1"))
        chance = random.Random(seed)
        owner = sqlite3.connect(self.store, timeout=5, isolation_level=None)
        self.addCleanup(owner.close)
        owner.execute("UPDATE ZHIKER SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
        env = {**os.environ, **environment(self.folder), "LC_ALL": "C.UTF-8"}
        slowest, commits = 0, 0
        with WholeScreen([PROGRAM, self.store, "--entity", "Hiker", "--edit"], (120, 36), env, lambda: None) as screen:
            screen.slave = os.open(terminal_of(screen.descriptor), os.O_RDWR | os.O_NOCTTY)
            self.addCleanup(os.close, screen.slave)
            screen.wait(lambda screen: "1 of " in screen.text(), 20)
            for number in range(self.EVENTS):
                if chance.randrange(6) == 0:
                    self.commit(chance, owner)
                    commits += 1
                sent = time.perf_counter()
                self.event(chance, screen)
                while screen.unread():
                    screen.read(0.0005)
                    self.assertLess(time.perf_counter() - sent, 20, f"event {number} of seed {seed} is not taken")
                slowest = max(slowest, time.perf_counter() - sent)
                screen.read(chance.choice([0, 0, 0, 0.01]))
                self.assertEqual(screen.torn, "", f"painted outside of a frame after event {number} of seed {seed}")
                self.assertFalse(screen.has_ended(), f"the browser ended at event {number} of seed {seed}:\n{screen.text()}")
            print(f"{self.EVENTS} events, {commits} commits; the slowest event was taken after {slowest * 1000:.1f} ms", file=sys.stderr)
            self.assertTrue(screen.has_begun, "no frame was synchronized")
            self.assertLess(slowest, self.LONGEST)
            # What is on screen by differences is what a whole painting shows.
            for _ in range(6):
                screen.send("\x1b")
                screen.drain(0.3)
            screen.resize(110, 34)
            screen.drain(8)
            shown = self.painted(screen)
            screen.resize(112, 34)
            screen.drain(1)
            screen.resize(110, 34)
            screen.drain(1)
            self.assertEqual(self.painted(screen), shown)

    def painted(self, screen):
        return [[(glyph, dict(style or {}).get("back")) for glyph, style in line] for line in screen.grid]


if __name__ == "__main__":
    unittest.main()
