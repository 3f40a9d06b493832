"""The first commit to a store that nobody else had open is told like any other."""
import unittest

from live_session import LiveSession, shell


class FirstCommitTests(LiveSession):
    def assert_marked(self, terminal, since, text):
        terminal.wait(lambda frame: (row := frame.row(text)) and row.mark == "~", f"the mark of {text}", since)

    def test_the_first_commit_of_sqlite3_is_told(self):
        def test(subject):
            terminal = self.watch()
            for key, text in ((3, "Zed"), (2, "Yam")):
                since = terminal.now
                shell(self.store, self.set(key, text))
                self.assert_marked(terminal, since, text)
            terminal.wait(lambda frame: not any(row.mark for row in frame.rows), "the end of marks", terminal.now - 1)
            self.assert_is_fetched(terminal.frame)
        self.each(test)

    def test_a_locked_browser_sees_the_first_save_of_another_one(self):
        for first in ("the locked one", "the other one"):
            with self.subTest(f"{first} was opened first"):
                self.setUp()
                self.prepare()
                if first == "the locked one":
                    locked, other = self.watch(), self.watch("--edit")
                else:
                    other, locked = self.watch("--edit"), self.watch()
                other.wait_for(r"keep.*cancel", other.send("e"))
                other.wait_for(r"● not saved", other.send("C-u", "Other", "Enter"))
                since = locked.now
                other.wait_for(r"Saved 1 object", other.send("C-s"))
                self.assert_marked(locked, since, "Other")


if __name__ == "__main__":
    unittest.main()
