"""The tools are tested themselves: the terminal, and the shell that never mends what a program left broken."""
import os
import re
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import ansi
import capture_to_svg
from tmux import Terminal, Timeout

HERE = Path(__file__).parent


class TerminalTests(unittest.TestCase):
    def test_what_is_typed_is_seen_and_the_end_is_known(self):
        with Terminal(["sh", "-c", "read line; echo got:$line; read line; exit 3"], size=(30, 5)) as terminal:
            terminal.type("hello; $world")
            terminal.send("Enter")
            terminal.wait_for(r"^got:hello; \$world")
            terminal.send("Enter")
            self.assertEqual(terminal.wait_end(), 3)

    def test_a_signal_is_told_from_a_status(self):
        with Terminal(["sh", "-c", "read line; kill -KILL $$"]) as terminal:
            terminal.send("Enter")
            self.assertEqual(terminal.wait_end(), -9)

    def test_what_never_comes_is_a_failure(self):
        with Terminal(["cat"]) as terminal, self.assertRaises(Timeout):
            terminal.wait_for("never", timeout=0.2)

    def test_a_resize_reaches_the_program(self):
        with Terminal(["sh", "-c", "trap 'stty size' WINCH; while :; do read line; done"], size=(80, 24)) as terminal:
            terminal.settle()
            terminal.resize(100, 30)
            terminal.wait_for("^30 100")

    def test_a_screen_not_given_back_is_noticed(self):
        for sequence in (r"\033[?1049h", r"\033[?25l", r"\033[?1000h"):
            with Terminal(["sh", "-c", f"printf '{sequence}ready'; read line"]) as terminal:
                terminal.wait_for("ready")
                self.assertFalse(terminal.is_given_back(), sequence)


class JobShellTests(unittest.TestCase):
    def test_a_broken_terminal_stays_broken_and_a_job_stops_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            events = Path(folder, "events")
            script = "stty -echo; kill -TSTP $$; echo going on; exit 7"
            with Terminal(["python3", HERE / "job_shell.py", events, "sh", "-c", script]) as terminal:
                terminal.wait(lambda: events.exists() and "stopped" in events.read_text(), "the stop")
                before = terminal.modes()
                terminal.send("Enter")
                terminal.wait_for("^going on")
                terminal.wait_for("^the job has ended")
                self.assertEqual(terminal.modes(), before)
                self.assertEqual(before[3] & 0o10, 0, "the shell mended the terminal")
                self.assertTrue(re.fullmatch(r"started \d+\nstopped\nended 7\n", events.read_text()))
                self.assertTrue(terminal.is_given_back())


class PictureTests(unittest.TestCase):
    def test_colours_widths_and_markup_come_through(self):
        picture = capture_to_svg.draw("a\x1b[1;38;2;1;2;3m<茶>\x1b[0m\x1b[48;5;196m b\x1b[49m\n")
        root = ElementTree.fromstring(picture)
        texts = [(item.text, item.get("x"), item.get("fill")) for item in root if item.tag.endswith("text")]
        self.assertEqual(texts, [
            ("a", "0.0", capture_to_svg.FOREGROUND), ("<茶>", "8.4", "#010203"), (" b", "42.0", capture_to_svg.FOREGROUND)])
        self.assertIn('fill="#ff0000"', picture)

    def test_the_same_screen_is_the_same_however_it_was_written(self):
        self.assertEqual(ansi.canonical("\x1b[31mab\x1b[0m c \n"), ansi.canonical("\x1b[31ma\x1b[31mb\x1b[39m c\x1b[32m  \x1b[0m\n"))
        for other in ("\x1b[32mab\x1b[0m c", "\x1b[31mab\x1b[0m d", "\x1b[31mab\x1b[41m \x1b[0mc", "\x1b[31;1mab\x1b[0m c"):
            self.assertNotEqual(ansi.canonical("\x1b[31mab\x1b[0m c"), ansi.canonical(other))


if __name__ == "__main__":
    unittest.main()
