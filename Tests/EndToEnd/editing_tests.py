"""What is edited in the browser is in the file, as the format wants it, and nobody's change is lost."""
import unittest

from frames import wash
from live_session import DEMO, LiveSession, shell


class EditingTests(LiveSession):
    def edit(self, terminal, text):
        """Edits the current cell: clears its editor, types, and keeps that."""
        self.begin(terminal)
        since = terminal.send("C-u", text, "Enter")
        terminal.wait_for(r"● not saved", since)

    def begin(self, terminal):
        since = terminal.send("e")
        terminal.wait_for(r"keep.*cancel", since)

    def editing(self, *options, subject=DEMO, entity=None):
        self.prepare(subject)
        return self.watch("--edit", *options, entity=entity)

    def test_an_edit_is_saved_with_its_version_one_higher(self):
        def test(subject):
            terminal = self.watch("--edit")
            text, version = self.value(1).split("|")
            self.edit(terminal, "Edited here")
            terminal.rest()
            self.assertEqual(self.value(1), f"{text}|{version}", "written before the save")
            since = terminal.send("C-s")
            terminal.wait_for(r"Saved 1 object", since)
            self.assertEqual(self.value(1), f"Edited here|{int(version) + 1}")
            self.assertEqual(shell(self.store, "PRAGMA integrity_check"), "ok")
            terminal.rest()
            self.assert_is_fetched(terminal.frame)
        self.each(test)

    def test_undo_redo_and_discard_before_the_save(self):
        terminal = self.editing()
        before = self.value(1)
        self.edit(terminal, "First")
        for key, text in (("u", "Aa1"), ("C-r", "First"), ("D", "Aa1")):
            since = terminal.send(key)
            terminal.wait(lambda frame: frame.selected.first.endswith(text), text, since)
            terminal.rest()
        self.assertEqual(self.value(1), before)

    def test_a_locked_store_asks_once(self):
        self.prepare()
        terminal = self.watch()
        since = terminal.send("e")
        terminal.wait_for(r"is locked, so nothing changes by accident", since)
        terminal.rest()
        since = terminal.send("y")
        terminal.wait_for(r"keep.*cancel", since)
        since = terminal.send("C-u", "Unlocked", "Enter", "j", "e")
        terminal.wait_for(r"keep.*cancel", since)
        self.assertFalse(any("is locked" in frame.text for frame in terminal.frames[since:]), "it asks again")

    def test_a_read_only_store_says_why_it_cannot_be_edited(self):
        self.prepare()
        terminal = self.watch("--read-only")
        since = terminal.send("e")
        terminal.wait_for(r"the store was opened with --read-only", since)

    def test_a_delete_shows_what_goes_along_and_takes_it(self):
        terminal = self.editing(entity="Trail")
        trails, waypoints = self.counts()
        mine = int(shell(self.store, "SELECT count(*) FROM ZWAYPOINT WHERE ZTRAIL = 1"))
        since = terminal.send("d")
        terminal.wait_for(rf"deletes {mine} Waypoint too", since)
        self.assertEqual(self.counts(), (trails, waypoints))
        since = terminal.send("y")
        terminal.wait_for(r"Deleted once you save", since)
        terminal.rest()
        self.assertEqual(self.counts(), (trails, waypoints))
        since = terminal.send("C-s")
        terminal.wait_for(r"Saved [\d,]+ objects", since)
        self.assertEqual(self.counts(), (trails - 1, waypoints - mine))
        self.assertEqual(shell(self.store, "SELECT count(*) FROM ZWAYPOINT WHERE ZTRAIL = 1"), "0")
        terminal.wait_for(rf"\b1 of {trails - 1}\b", since)

    def counts(self):
        return tuple(int(shell(self.store, f"SELECT count(*) FROM {table}")) for table in ("ZTRAIL", "ZWAYPOINT"))

    def test_a_conflict_shows_three_values_and_mine_can_be_kept(self):
        for statement, theirs, mine in (
                ("UPDATE ZHIKER SET ZNAME = 'Theirs', Z_OPT = Z_OPT + 1 WHERE Z_PK = 1", "Theirs|3", "Mine|4"),
                # Plain SQL forgets the version; it is a conflict as well.
                ("UPDATE ZHIKER SET ZNAME = 'Theirs' WHERE Z_PK = 1", "Theirs|2", "Mine|3")):
            with self.subTest(statement):
                self.setUp()
                terminal = self.editing()
                self.edit(terminal, "Mine")
                shell(self.store, statement)
                terminal.rest()
                since = terminal.send("C-s")
                frame = terminal.wait_for(r"Changed by others meanwhile", since)
                for text in ("Aa1", "Mine", "Theirs"):
                    self.assertIn(text, frame.text)
                self.assertEqual(self.value(1), theirs, "written over")
                since = terminal.send("m", "Enter")
                terminal.wait_for(r"Saved 1 object", since)
                self.assertEqual(self.value(1), mine)

    def test_changes_of_the_row_being_edited_wait_for_the_end_of_its_editor(self):
        terminal = self.editing()
        self.begin(terminal)
        since = terminal.send("x")
        shell(self.store, self.set(1, "Outside"))
        terminal.wait_for(r"1 change held", since)
        terminal.rest()
        self.assertFalse(any("Outside" in frame.text for frame in terminal.frames[since:]), terminal.frame.text)
        since = terminal.send("Escape")
        frame = terminal.wait(lambda frame: frame.row("Outside"), "what was held", since)
        self.assertEqual(frame.selected.mark, "~")
        terminal.wait_for(r"name +Outside", since)

    def test_pending_edits_are_offered_again_after_a_kill(self):
        terminal = self.editing()
        before = self.value(1)
        self.edit(terminal, "Kept")
        terminal.kill()
        self.assertEqual(self.value(1), before)
        terminal = self.watch("--edit", rests=False)
        frame = terminal.wait_for(r"Unsaved edits of an earlier run")
        self.assertRegex(frame.text, r"● .*name")
        since = terminal.send("y")
        terminal.wait(lambda frame: frame.selected and frame.selected.first == "Kept", "the edit", since)
        since = terminal.send("C-s")
        terminal.wait_for(r"Saved 1 object", since)
        self.assertEqual(self.value(1), "Kept|3")
        terminal.rest()
        self.assertEqual([file.name for file in self.folder.glob("storebrowser/recovery/*")], [])

    def test_two_browsers_of_one_store_see_each_other(self):
        one = self.editing()
        other = self.watch("--edit")
        for author, reader, text in ((one, other, "From one"), (other, one, "From two")):
            self.edit(author, text)
            since = reader.now
            author.send("C-s")
            frame = reader.wait(lambda frame: frame.row(text) and frame.row(text).mark == "~", f"the mark of {text}", since)
            self.assertEqual(frame.row(text).back, wash("changed"))
            author.wait_for("Saved 1 object")
            author.rest()


if __name__ == "__main__":
    unittest.main()
