"""Columns, the palette, the model and the clipboard, in a real terminal."""
import json
import os
import sqlite3
import subprocess
import unittest

from browser_tests import PROGRAM, Session
from sessions import corpus, environment


class LooksTests(Session):
    def setUp(self):
        super().setUp()
        self.store = self.make_demo()

    def browse(self, *options, size=(120, 36)):
        return self.open([PROGRAM, self.store, "--entity", "Hiker", *options], size)

    def first(self, column):
        with sqlite3.connect(self.store) as connection:
            return connection.execute(f"SELECT {column} FROM ZHIKER ORDER BY Z_PK LIMIT 1").fetchone()[0]

    def test_a_column_is_hidden_and_shown_again(self):
        terminal = self.browse(size=(80, 24))
        heading = next(line for line in terminal.text().splitlines() if "  name" in line)
        second = heading.split("  name", 1)[1].split()[0]
        terminal.send("c", "j", "Space", "Escape")
        terminal.wait(lambda: f" {second} " not in terminal.text().splitlines()[2], "the column is hidden")
        terminal.send("c", "r", "Escape")
        terminal.wait(lambda: f" {second} " in terminal.text().splitlines()[2], "the column is shown again")

    def test_a_frozen_column_stays_while_others_scroll(self):
        terminal = self.browse(size=(60, 20))
        terminal.send("l", "l")
        name = terminal.settle().splitlines()[-2].split()[0]
        terminal.type("|")
        terminal.wait_for(rf"{name} stays while the others scroll")
        terminal.send("l", "l", "l", "l")
        self.assertRegex(terminal.settle().splitlines()[2], rf"name.*{name}.*")

    def test_the_palette_goes_to_an_entity_by_a_few_letters(self):
        for size in ((40, 10), (80, 24), (200, 60)):
            with self.subTest(size=size):
                terminal = self.browse(size=size)
                terminal.type(":")
                terminal.wait_for(r"Go to or do")
                terminal.type("trl")
                terminal.wait_for(r"Trail +entity")
                terminal.send("Enter")
                terminal.wait_for(r"\[2\] Trail")

    def test_the_model_tells_where_it_came_from_and_leads_to_lists(self):
        terminal = self.browse()
        terminal.type("M")
        terminal.wait_for(r"model: cached in store .*checksum [A-Za-z0-9+/]{43}=")
        terminal.wait_for(r"name +String")
        terminal.resize(40, 10)
        terminal.wait_for(r"─ Model ─")
        terminal.resize(120, 36)
        terminal.wait_for(r"name +String")
        terminal.send("G", "Enter")
        terminal.wait_until_gone(r"─ Model ─")

    def test_values_and_objects_are_copied(self):
        terminal = self.browse()
        terminal.type("y")
        terminal.wait(lambda: terminal.clipboard() == self.first("ZNAME"), "the value in the clipboard")
        terminal.type("Y")
        terminal.wait_for(r"as JSON")
        shown = json.loads(terminal.clipboard())
        self.assertEqual(shown["name"], self.first("ZNAME"))
        self.assertRegex(shown["objectID"], r"^x-coredata://[0-9A-F-]+/Hiker/p\d+$")
        done = subprocess.run(
            [PROGRAM, "show", self.store, shown["objectID"], "--format", "json"], capture_output=True, text=True, check=True,
            env=environment(self.folder))
        self.assertEqual(json.loads(done.stdout), [shown])

    def test_the_desktops_clipboard_gets_the_text_too(self):
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "wl-copy").write_text(f"#!/bin/sh\ncat > {self.folder}/clipboard\necho noise\n")
        os.chmod(programs / "wl-copy", 0o755)
        command = ["env", f"PATH={programs}:{os.environ['PATH']}", "WAYLAND_DISPLAY=wayland-0"]
        terminal = self.open([*command, PROGRAM, self.store, "--entity", "Hiker"])
        terminal.type("y")
        copied = self.folder / "clipboard"
        terminal.wait(lambda: copied.exists() and copied.read_text() == self.first("ZNAME"), "the text in the desktop's clipboard")
        self.assertNotIn("noise", terminal.settle())

    def test_dates_change_their_clock(self):
        terminal = self.open(["env", "TZ=Asia/Tokyo", PROGRAM, self.store, "--entity", "Hiker", "--zone", "Europe/Paris"])
        terminal.type("Z")
        terminal.wait_for(r"Dates are shown in UTC time")
        terminal.type("Z")
        terminal.wait_for(r"Dates are shown in Europe/Paris time")

    def test_a_model_without_cache_says_that_it_is_inferred(self):
        plain = self.folder / "plain.sqlite"
        with sqlite3.connect(plain) as connection:
            connection.execute("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)")
        terminal = self.open([PROGRAM, plain])
        terminal.type("M")
        terminal.wait_for(r"inferred|declared|schema")
        self.assertNotRegex(terminal.text(), r"checksum")


if __name__ == "__main__":
    unittest.main()
