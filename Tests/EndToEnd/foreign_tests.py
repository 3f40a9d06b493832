"""What another process commits is seen as the change it is, and the list is then what a fresh fetch has."""
import unittest

from frames import fading, wash
from live_session import LiveSession, shell


class ForeignChangeTests(LiveSession):
    """One change at a time, from the frame that shows it first to the one that shows nothing of it any more."""

    def told(self, terminal, since, text, glyph):
        """The rows with a text that the frames since a commit showed: those with its mark, up to the first without."""
        seen = lambda frame: (row := frame.row(text)) and row.mark == glyph
        first = terminal.wait(seen, f"a row {text} with {glyph}", since)
        calm = lambda frame: (row := frame.row(text)) and not row.mark
        last = terminal.wait(calm, f"a row {text} without a mark", terminal.after(first))
        return [row for frame in [first, *terminal.until(last, terminal.after(first))] if (row := frame.row(text))]

    def assert_fades(self, rows, glyph, role):
        """From the full wash with its glyph through weaker ones to the glyph alone, and then nothing, never backwards."""
        colors = fading(role)
        expected = [(glyph, color) for color in colors] + [(glyph, None), (None, None)]
        seen = [(row.mark, row.back) for row in rows]
        places = [expected.index(state) for state in seen]
        self.assertEqual(places, sorted(places), "a wash comes back")
        self.assertEqual(places[0], 0, f"it does not begin with the whole wash: {seen[0]}")
        self.assertIn((glyph, None), seen, "the glyph goes with the wash")
        self.assert_moves(set(places) & set(range(1, len(colors))), f"it does not fade: {list(dict.fromkeys(seen))}")

    def sorted(self, *keys):
        """The browser beside the store's owner, sorted by the first column; and some keys after that."""
        self.own()
        terminal = self.watch()
        for key in ("s", *keys):
            terminal.send(key)
            terminal.rest()
        self.assertRegex(terminal.frame.text, "↑")
        return terminal

    def gaps(self, frames, glyph, color):
        """The frames in which a line with a glyph is open and empty, on a background of its own."""
        return [frame for frame in frames if any(
            row.mark == glyph and not row.first and row.back == color for row in frame.rows)]

    def test_an_update_washes_its_cell_tells_what_was_and_fades(self):
        def test(subject):
            self.own()
            terminal = self.watch()
            since = terminal.now
            shell(self.store, self.set(3, "Zed"))
            rows = self.told(terminal, since, "Zed", "~")
            self.assert_fades(rows, "~", "changed")
            self.assertEqual(rows[0].first, "Ac3→Zed")
            self.assertEqual(rows[-1].first, "Zed")
            self.assertEqual({row.rest for row in rows}, {None}, "a cell that did not change is washed")
            self.assertEqual(terminal.frame.selected.first, "Aa1")
            self.assert_is_fetched(terminal.frame)
        self.each(test)

    def test_an_insert_opens_a_gap_and_its_row_fades(self):
        def test(subject):
            terminal = self.sorted("j")
            line = terminal.frame.rows.index(terminal.frame.selected)
            since = terminal.now
            shell(self.store, subject.insert.format("Ab9"))
            rows = self.told(terminal, since, "Ab9", "+")
            self.assert_fades(rows, "+", "added")
            self.assertEqual(rows[0].rest, rows[0].back, "the row is not washed as a whole")
            self.assert_moves(self.gaps(terminal.frames[since:], "+", wash("added", 4)), "no gap opens")
            self.assertEqual([row.first for row in terminal.frame.rows[:4]], ["Aa1", "Ab2", "Ab9", "Ac3"])
            self.assert_selection(terminal, since, "Ab2", line)
            self.assert_is_fetched(terminal.frame, "--sort", subject.key)
        self.each(test)

    def assert_selection(self, terminal, since, text, line):
        """The selected object is the same one, on its line, in each frame since a place."""
        places = {(frame.selected.first, frame.rows.index(frame.selected)) for frame in terminal.frames[since:]}
        self.assertEqual(places, {(text, line)}, "the selection did not stay where it was")

    def test_a_delete_leaves_a_tombstone_and_then_the_gap_closes(self):
        def test(subject):
            self.own()
            terminal = self.watch()
            since = terminal.now
            shell(self.store, f"DELETE FROM {subject.table} WHERE Z_PK = 3")
            first = terminal.wait(lambda frame: (row := frame.row("Ac3")) and row.mark == "-", "a tombstone", since)
            last = terminal.wait(lambda frame: not frame.row("Ac3") and frame.rows[2].first == "Ad4", "the end of the gap", since)
            stones = [row for frame in terminal.until(last, since) if (row := frame.row("Ac3")) and row.mark]
            self.assertEqual({(row.mark, row.back, row.rest) for row in stones}, {("-", wash("removed"), wash("removed"))})
            self.assertTrue(all(row.look(2)["struck"] or row.look(2)["dim"] for row in stones), "a tombstone looks like a row")
            self.assert_moves(self.gaps(terminal.until(last, since), "-", wash("removed", 4)), "no gap closes")
            self.assert_moves(last.moment - first.moment > 0.5, "the tombstone goes too soon")
            self.assert_selection(terminal, since, "Aa1", 0)
            terminal.rest()
            self.assert_is_fetched(terminal.frame)
        self.each(test)

    def test_a_change_of_the_sort_key_moves_the_row(self):
        def test(subject):
            terminal = self.sorted()
            since = terminal.now
            shell(self.store, self.set(2, "Ac9"))
            rows = self.told(terminal, since, "Ac9", "↕")
            self.assert_moves((rows[0].back, rows[0].rest) == (wash("moved"),) * 2, "the new place is not washed")
            self.assertIn(("↕", None), [(row.mark, row.back) for row in rows], "the glyph goes with the wash")
            both = [frame for frame in terminal.frames[since:] if [row.mark for row in frame.rows[:4]].count("↕") == 2]
            self.assert_moves(both, "the old place and the new one are not seen together")
            ends = {row.back for frame in both for row in frame.rows[:4] if row.mark == "↕"}
            self.assertLessEqual(ends, set(fading("moved")))
            self.assertEqual([row.first for row in terminal.frame.rows[:4]], ["Aa1", "Ac3", "Ac9", "Ad4"])
            self.assert_selection(terminal, since, "Aa1", 0)
            self.assert_is_fetched(terminal.frame, "--sort", subject.key)
        self.each(test)


if __name__ == "__main__":
    unittest.main()
