"""How closely the store is followed, and what the list does with changes that are out of sight, many, held or deadly."""
import os
import unittest
from pathlib import Path

from frames import fading, wash
from live_session import DEMO, LiveSession, shell


class LivenessTests(LiveSession):
    def setUp(self):
        super().setUp()
        self.prepare(DEMO)

    def owned(self, *options):
        """The browser beside the store's owner."""
        self.own()
        return self.watch(*options)

    def test_changes_out_of_sight_are_counted_at_their_edge_until_one_looks_there(self):
        terminal = self.owned()
        since = terminal.now
        shell(self.store, "; ".join(["BEGIN", *[DEMO.insert.format(f"Below {number}") for number in range(3)], "COMMIT"]))
        frame = terminal.wait_for(r"\b3 below ▾.*\b1 of 253\b", since)
        terminal.wait_for(r"Hiker +\+3", since)
        self.assertEqual([row.mark for row in frame.rows if row.mark], [])
        terminal.wait_for(r"Hiker +253", since)
        since = terminal.send("G")
        frame = terminal.wait(lambda frame: frame.row("Below 2") and "below" not in frame.text, "the last rows", since)
        since = terminal.now
        shell(self.store, self.set(1, "Aa9"), self.set(2, "Ab9"))
        terminal.wait_for(r"▲ 2 above", since)

    def test_a_move_out_of_sight_is_named_at_its_edge(self):
        terminal = self.owned()
        since = terminal.send("s")
        terminal.wait(lambda frame: "↑" in frame.text, "the order", since)
        terminal.rest()
        since = terminal.now
        shell(self.store, self.set(3, "Zzz9"))
        terminal.wait_for(r"↕ Ac3 below", since)
        self.assertEqual(terminal.frame.selected.first, "Aa1")

    def test_a_burst_is_counted_and_washes_nothing(self):
        terminal = self.owned()
        since = terminal.now
        shell(self.store, "UPDATE ZHIKER SET ZNAME = 'Burst ' || Z_PK, Z_OPT = Z_OPT + 1")
        band = terminal.wait_for(r"╰─* ~250 ─", since)
        terminal.wait(lambda frame: frame.row("Burst 1"), "the rows", since)
        calm = terminal.wait(lambda frame: "~250 ─" not in frame.text, "the calm", terminal.after(band))
        lights = {frame.look("● live")["back"] for frame in terminal.until(calm, since)}
        self.assertTrue(lights & set(fading("added")), "the light does not pulse")
        self.assertEqual(calm.look("● live")["back"], calm.look("Demo.sqlite")["back"], "the light goes on pulsing")
        for frame in terminal.frames[since:]:
            self.assertNotIn(wash("changed"), {row.back for row in frame.rows})
        terminal.wait(lambda frame: not any(row.mark for row in frame.rows), "the end of marks")
        self.assert_is_fetched(terminal.frame)

    def test_a_pause_holds_changes_and_then_shows_them_together(self):
        terminal = self.owned()
        terminal.send("p")
        terminal.wait_for(r"◌ paused")
        since = terminal.now
        shell(self.store, self.set(2, "Held1"), self.set(3, "Held2"))
        terminal.wait_for(r"◌ paused \(2 held\)", since)
        terminal.rest()
        self.assertFalse(any("Held" in frame.text for frame in terminal.frames[since:]))
        since = terminal.send("p")
        frame = terminal.wait(lambda frame: frame.row("Held1"), "what was held", since)
        self.assertEqual([frame.row(text).mark for text in ("Held1", "Held2")], ["~", "~"])
        self.assertRegex(frame.text, "● live")

    def test_without_animation_glyphs_come_and_nothing_moves(self):
        terminal = self.owned("--no-animation")
        since = terminal.now
        shell(self.store, self.set(2, "Still"))
        first = terminal.wait(lambda frame: frame.row("Still"), "the change", since)
        last = terminal.wait(lambda frame: frame.row("Still") and not frame.row("Still").mark, "the calm", since)
        shown = {(row.mark, row.back) for frame in terminal.until(last, since) if (row := frame.row("Still"))}
        self.assertEqual(shown, {("~", wash("changed")), ("~", None), (None, None)})
        self.assertEqual(first.row("Still").mark, "~")

    def test_the_selected_object_is_deleted_elsewhere(self):
        terminal = self.owned()
        terminal.send("j")
        terminal.wait_for(r"\b2 of 250\b")
        terminal.rest()
        since = terminal.now
        shell(self.store, "DELETE FROM ZHIKER WHERE Z_PK = 2")
        frame = terminal.wait(lambda frame: frame.row("Ab2") and frame.row("Ab2").mark == "-", "the tombstone", since)
        self.assertTrue(frame.row("Ab2").is_selected, "the cursor leaves before the gap has closed")
        terminal.wait_for(r"\[3\] Ab2 deleted", since)
        last = terminal.wait(lambda frame: frame.selected.first == "Ac3", "the next object", since)
        self.assertIsNone(last.row("Ab2"))
        self.assertEqual({frame.selected.first for frame in terminal.until(last, since)} - {""}, {"Ab2", "Ac3"})
        terminal.wait_for(r"\[3\] Ac3")

    def test_the_inspector_keeps_what_was(self):
        terminal = self.owned()
        since = terminal.now
        shell(self.store, self.set(1, "Aa9"))
        frame = terminal.wait_for(r"name +Aa9", since)
        terminal.wait_for(r"was Aa1", since)
        terminal.wait(lambda frame: not any(row.mark for row in frame.rows), "the calm", terminal.after(frame))
        self.assertRegex(terminal.frame.text, r"was Aa1")

    def test_a_replaced_file_is_told_and_nothing_is_misread(self):
        terminal = self.watch()
        before = [row.first for row in terminal.frame.rows]
        copy = self.folder / "other.sqlite"
        shell(self.store, f"VACUUM INTO '{copy}'")
        shell(copy, "DELETE FROM ZHIKER")
        since = terminal.now
        os.replace(copy, self.store)
        terminal.wait_for(r"disconnected: file replaced", since)
        since = terminal.send("j", "j", "k")
        frame = terminal.wait_for(r"\b2 of 250\b", since)
        self.assertEqual([row.first for row in frame.rows], before)

    def test_a_deleted_file_is_told(self):
        terminal = self.watch()
        before = [row.first for row in terminal.frame.rows]
        since = terminal.now
        for part in ("", "-wal", "-shm"):
            Path(f"{self.store}{part}").unlink(missing_ok=True)
        terminal.wait_for(r"disconnected: file deleted", since)
        since = terminal.send("j")
        frame = terminal.wait_for(r"\b2 of 250\b", since)
        self.assertEqual([row.first for row in frame.rows], before)

    def test_a_changed_schema_is_told(self):
        terminal = self.owned()
        since = terminal.now
        shell(self.store, "ALTER TABLE ZHIKER ADD COLUMN ZNEW INTEGER")
        terminal.wait_for(r"disconnected: .*schema", since)
        terminal.send("j")
        terminal.wait_for(r"\b2 of 250\b")
        self.assertTrue(terminal.is_running())


if __name__ == "__main__":
    unittest.main()
