"""Two writers, one store: what another process commits is seen as the change it is, and what is edited here is there."""
import os
import subprocess
import unittest
from types import SimpleNamespace

import ansi
from browser_tests import PROGRAM, Session
from sessions import corpus, environment

#: A subject and a list of it in which each object has a first column of text.
DEMO = SimpleNamespace(
    label="the demo", suffix=None, entity="Hiker", table="ZHIKER", column="ZNAME", key="name",
    insert="INSERT INTO ZHIKER (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT max(Z_PK) + 1, min(Z_ENT), 1, '{}' FROM ZHIKER")
PEOPLE = SimpleNamespace(
    label="CoreDataPlus SampleModel_V2", suffix="/SampleModel/Fixtures/SampleModel_V2.sqlite", entity="Person",
    table="ZPERSON", column="ZFIRSTNAME", key="firstName",
    insert="INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZFIRSTNAME, ZLASTNAME) "
           "SELECT max(Z_PK) + 1, min(Z_ENT), 1, '{0}', 'New' FROM ZPERSON")
MOODS = SimpleNamespace(
    label="objcio Moody 5", suffix="/Moody 5.moody", entity="Mood", table="ZMOOD", column="ZCREATORID", key="creatorID",
    insert="INSERT INTO ZMOOD (Z_PK, Z_ENT, Z_OPT, ZCREATORID, ZRATING, ZDATE, ZLATITUDE, ZLONGITUDE) "
           "SELECT max(Z_PK) + 1, min(Z_ENT), 1, '{}', 0, 464442000, 1, 2 FROM ZMOOD")
SUBJECTS = [DEMO, PEOPLE, MOODS]
GLYPHS = {"+", "~", "-", "↕"}


def shell(store, *statements):
    """Runs statements in the real sqlite3 program, each a commit of its own; answers what they print."""
    done = subprocess.run(
        ["sqlite3", "-cmd", ".timeout 5000", str(store), *statements], capture_output=True, text=True, timeout=30)
    if done.returncode or done.stderr:
        raise AssertionError(f"sqlite3: {done.stderr.strip()}")
    return done.stdout.strip()


class Row:
    """One row of the list as it is on screen."""

    def __init__(self, line, text, styles):
        self.line, self.text, self.styles = line, text, styles

    @property
    def gutter(self):
        return self.text[:2]

    @property
    def is_selected(self):
        return "▌" in self.gutter

    @property
    def mark(self):
        return next((glyph for glyph in self.gutter if glyph in GLYPHS), None)

    @property
    def washes(self):
        """The backgrounds in the row's cells."""
        return {dict(style)["back"] for style in self.styles[2:]} - {None}


class LiveSession(Session):
    """A browser on a subject, and what can be read off its list."""

    def open_on(self, subject, *options, size=(120, 36)):
        if subject.suffix is not None and corpus.root() is None:
            self.skipTest("left out without the corpus")
        if subject.suffix is None:
            self.store = self.folder / "Demo.sqlite"
            subprocess.run(
                [PROGRAM, "demo", "--at", self.store, "--rate", "0", "--dump-screen", "text"], check=True,
                stdout=subprocess.DEVNULL, env={**os.environ, **environment(self.folder)})
            command = [PROGRAM, self.store]
        else:
            command = self.command(subject.suffix)
            self.store = command[1]
        self.subject = subject
        terminal = self.open([*command, "--entity", subject.entity, *options], size)
        terminal.wait_for(r"\b1 of ")
        return terminal

    def rows(self, terminal):
        """The rows of the list, from the top."""
        capture = terminal.capture().split("\n")
        style, found = ansi.Style(), []
        lines = []
        for line in capture:
            cells = []
            for _, text, _, key in ansi.runs(line, style):
                for glyph in text:
                    cells += [(glyph, key)] + [("", key)] * (ansi.width(glyph) - 1)
            lines.append(cells)
        top = next(number for number, cells in enumerate(lines) if "[2]" in "".join(glyph for glyph, _ in cells))
        border = [column for column, (glyph, _) in enumerate(lines[top]) if glyph in "╭╮"]
        mark = next(column for column, (glyph, _) in enumerate(lines[top]) if glyph == "2" and lines[top][column - 1][0] == "[")
        left = max(column for column in border if column < mark)
        right = min(column for column in border if column > mark)
        for number in range(top + 2, len(lines)):
            cells = lines[number]
            if len(cells) <= left or cells[left][0] != "│":
                break
            inside = cells[left + 1:right]
            text = "".join(glyph for glyph, _ in inside)
            if text.strip():
                found.append(Row(number, text, [key for _, key in inside]))
        return found

    def row(self, terminal, text, timeout=10):
        """The row that has a text, once there is one."""
        return terminal.wait(lambda: next((row for row in self.rows(terminal) if text in row.text), None), f"a row {text}", timeout)

    def selected(self, terminal):
        return next(row for row in self.rows(terminal) if row.is_selected)


class EditingTests(LiveSession):
    """What is edited in the browser is in the file, as the format wants it."""

    def each(self, test):
        for subject in SUBJECTS:
            with self.subTest(subject.label):
                self.setUp()
                test(subject)

    def value(self, key, column=None):
        return shell(self.store, f"SELECT {column or self.subject.column}, Z_OPT FROM {self.subject.table} WHERE Z_PK = {key}")

    def type_edit(self, terminal, text):
        """Edits the current cell: clears the editor and types."""
        terminal.send("e")
        terminal.wait_for(r"accept|Enter|↵")
        terminal.send("C-u")
        terminal.type(text)
        terminal.send("Enter")

    def test_an_edit_is_saved_with_its_version_one_higher(self):
        def test(subject):
            terminal = self.open_on(subject, "--edit")
            before, version = self.value(1).rsplit("|", 1)
            self.type_edit(terminal, "Edited here")
            terminal.wait_for(r"●")
            self.assertEqual(self.value(1), f"{before}|{version}", "written before the save")
            terminal.send("C-s")
            terminal.wait(lambda: self.value(1) == f"Edited here|{int(version) + 1}", "the save")
            terminal.wait_for(r"Saved 1 object")
            self.assertEqual(shell(self.store, "PRAGMA integrity_check"), "ok")
        self.each(test)

    def test_undo_redo_and_discard_before_the_save(self):
        terminal = self.open_on(DEMO, "--edit")
        self.type_edit(terminal, "First")
        self.row(terminal, "First")
        terminal.send("u")
        terminal.wait(lambda: not any("First" in row.text for row in self.rows(terminal)), "the undo")
        terminal.send("C-r")
        self.row(terminal, "First")
        terminal.send("D")
        terminal.wait(lambda: not any("First" in row.text for row in self.rows(terminal)), "the discard")

    def test_a_locked_store_asks_once(self):
        terminal = self.open_on(DEMO)
        terminal.send("e")
        terminal.wait_for(r"[Uu]nlock")
        terminal.send("Escape")
        terminal.settle()
        self.assertEqual(self.value(1).rsplit("|", 1)[1], "1")

    def test_a_read_only_store_says_why_it_cannot_be_edited(self):
        terminal = self.open_on(DEMO, "--read-only")
        terminal.send("e")
        terminal.wait_for(r"read-only")

    def test_a_conflict_shows_three_values_and_mine_can_be_kept(self):
        terminal = self.open_on(DEMO, "--edit")
        self.type_edit(terminal, "Mine")
        terminal.wait_for(r"●")
        shell(self.store, "UPDATE ZHIKER SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
        terminal.settle()
        terminal.send("C-s")
        screen = terminal.wait(lambda: (lambda t: t if "Mine" in t and "Theirs" in t else None)(terminal.text()), "the conflict")
        self.assertRegex(screen, r"(?i)base|was")
        self.assertEqual(self.value(1), "Theirs|2", "written over")
        terminal.send("m")
        terminal.send("Enter")
        terminal.wait(lambda: self.value(1) == "Mine|3", "my value")

    def test_a_plain_sql_edit_that_forgets_the_version_is_a_conflict_as_well(self):
        terminal = self.open_on(DEMO, "--edit")
        self.type_edit(terminal, "Mine")
        terminal.wait_for(r"●")
        shell(self.store, "UPDATE ZHIKER SET ZNAME = 'Theirs' WHERE Z_PK = 1")
        terminal.settle()
        terminal.send("C-s")
        terminal.wait(lambda: "Theirs" in terminal.text() and "Mine" in terminal.text(), "the conflict")
        self.assertEqual(self.value(1), "Theirs|1", "written over")


if __name__ == "__main__":
    unittest.main()
