"""Filters typed into the browser: completion, errors under the word, values of the store, filters that are kept."""
import json
import sqlite3
import subprocess
import unittest

from browser_tests import PROGRAM, Session
from sessions import corpus, environment


class FilterTests(Session):
    def setUp(self):
        super().setUp()
        self.store = self.make_demo()

    def browse(self, *options, size=(120, 36)):
        return self.open([PROGRAM, self.store, "--entity", "Hiker", *options], size)

    def count(self, condition):
        """How many hikers sqlite3 finds."""
        with sqlite3.connect(self.store) as connection:
            return connection.execute(f"SELECT count(*) FROM ZHIKER WHERE {condition}").fetchone()[0]

    def grouped(self, condition):
        return f"{self.count(condition):,}"

    def test_a_filter_typed_by_hand_shows_what_sqlite3_finds(self):
        terminal = self.browse()
        terminal.type("/")
        terminal.wait_for(r"filter Hiker:")
        terminal.type('name BEGINSWITH "A"')
        terminal.send("Enter")
        # GLOB minds the case, as BEGINSWITH without options does.
        terminal.wait_for(rf"Hiker ── {self.grouped('ZNAME GLOB ' + repr('A*'))} of [\d,]+ ── name BEG")
        terminal.send("Escape")
        terminal.wait_until_gone(r"BEGINSWITH")

    def test_completion_by_keys_alone(self):
        terminal = self.browse()
        terminal.type("/na")
        terminal.wait_for(r"name +string")
        terminal.send("Tab")
        terminal.wait_for(r"BEGINSWITH +starts with")
        terminal.type('BEG')
        terminal.send("Tab")
        terminal.wait_for(r"name BEGINSWITH *$")
        terminal.type('"A')
        terminal.wait_for(r'│ "A[^│]+" *│')
        terminal.send("Down", "Enter", "Enter")
        terminal.wait_for(r'Hiker ── [\d,]+ of [\d,]+ ── name BEG')

    def test_an_error_stands_under_the_word_that_is_wrong(self):
        for size in ((40, 10), (80, 24), (120, 36)):
            with self.subTest(size=size):
                terminal = self.browse(size=size)
                terminal.type("/nmae == 1")
                terminal.wait_for(r"keypath nmae not")
                terminal.settle()
                lines = terminal.text().splitlines()
                row = next(index for index, line in enumerate(lines) if "keypath nmae" in line)
                self.assertEqual(lines[row].index("^"), lines[row - 1].index("nmae"))
                terminal.send("Escape")
                terminal.wait_until_gone(r"keypath nmae")

    def test_a_saved_filter_is_there_the_next_time(self):
        terminal = self.browse()
        terminal.type('/name BEGINSWITH "A"')
        terminal.send("Enter")
        terminal.wait_for(r"── name BEG")
        terminal.type("w")
        terminal.wait_for(r"save the filter as:")
        terminal.type("With A")
        terminal.send("Enter")
        terminal.wait_for(r"Saved the filter “With A”")
        terminal.wait_for(r"Saved fetches")
        terminal.send("q")
        self.assertEqual(terminal.wait_end(), 0)
        kept = json.loads(next(self.folder.glob("storebrowser/filters/*.json")).read_text())
        self.assertTrue(kept)
        again = self.browse()
        again.wait_for(r"With A")
        again.send("1", "G", "Enter")
        again.wait_for(r"── name BEG")

    def test_a_filter_is_copied_into_the_clipboard_of_the_terminal(self):
        terminal = self.browse("--where", 'name BEGINSWITH "Zo\u00eb"')
        terminal.wait_for(r"── name BEG")
        terminal.type("C")
        terminal.wait_for(r"format string")
        terminal.send("Enter")
        terminal.wait_for(r"Copied as format string")
        terminal.wait(lambda: terminal.clipboard() == 'name BEGINSWITH "Zo\u00eb"', "the filter in the clipboard")

    def test_the_fetches_of_a_model_are_run_from_the_sidebar(self):
        if corpus.root() is None:
            print(f"left out without the corpus: {self.id()}")
            return
        source = next(file for path, file in corpus.stores() if path.endswith("/fetchRequest.sqlite"))
        store = corpus.copy_store(source, self.folder)
        terminal = self.open([PROGRAM, store, "--model", source.with_suffix(".mom")])
        terminal.wait_for(r"Saved fetches.*\n.*LessThan2199.*\n.*MoreThan2000")
        terminal.send("1", "G", "Enter")
        # An end of time, 2000 or 2199, that every event is within.
        terminal.wait_for(r"Event ── 38 of 38 ── timeStamp > ")
        terminal.send("1", "k", "Enter")
        terminal.wait_for(r"Event ── 38 of 38 ── timeStamp < ")

    def test_the_browser_starts_with_a_filter_and_an_order(self):
        terminal = self.browse("--where", 'name BEGINSWITH "A"', "--sort", "name:desc")
        terminal.wait_for(rf"Hiker ── {self.grouped('ZNAME GLOB ' + repr('A*'))} of [\d,]+ ── name BEG[^─]* ── name ↓")

    def test_a_wrong_filter_at_the_start_is_one_line_and_64(self):
        done = subprocess.run(
            [PROGRAM, self.store, "--entity", "Hiker", "--where", "nmae == 1"], capture_output=True, text=True,
            env=environment(self.folder))
        self.assertEqual(done.returncode, 64)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"^storebrowser: --where: at 1: keypath nmae not found in entity Hiker[^\n]*\n$")


if __name__ == "__main__":
    unittest.main()
