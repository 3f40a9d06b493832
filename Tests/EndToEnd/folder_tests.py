"""A folder in place of a store, and values looked at whole, in a real terminal."""
import sqlite3
import subprocess
import unittest

from browser_tests import PROGRAM, Session
from sessions import corpus, environment, wait_open


class FolderTests(Session):
    def setUp(self):
        super().setUp()
        self.app = self.folder / "Trails.xcappdata" / "AppData"
        self.store = self.app / "Library" / "Application Support" / "data"
        self.store.parent.mkdir(parents=True)
        self.run_program("demo", "--at", self.store, "--rate", "0", "--dump-screen", "text")

    def run_program(self, *words, status=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, env=environment(self.folder))
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_the_only_store_of_a_folder_opens(self):
        terminal = self.open([PROGRAM, self.app.parent])
        terminal.wait_for(r"storebrowser +data ")
        terminal.wait_for(r"\[2\] Hiker")

    def test_one_of_several_is_chosen(self):
        other = self.app / "Documents" / "other.sqlite"
        other.parent.mkdir()
        with sqlite3.connect(other) as connection:
            connection.execute("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT)")
            connection.execute("INSERT INTO pets (name) VALUES ('Ada')")
        terminal = self.start([PROGRAM, self.app.parent], (100, 30))
        terminal.wait_for(r"2 stores in Trails.xcappdata")
        terminal.wait_for(r"▌ AppData/Library/Application Support/data +Core Data")
        terminal.wait_for(r"  AppData/Documents/other.sqlite +SQLite")
        terminal.send("j", "Enter")
        wait_open(terminal)
        terminal.wait_for(r"pets")
        terminal.wait_for(r"Ada")

    def test_a_command_names_the_stores(self):
        (self.app / "empty").mkdir()
        self.assertIn("there is no store in the folder", self.run_program("entities", self.app / "empty", status=66).stderr)
        self.assertIn("Hiker", self.run_program("entities", self.app.parent).stdout)

    def test_an_xml_store_is_shown(self):
        if corpus.root() is None:
            print(f"left out without the corpus: {self.id()}")
            return
        store = next(corpus.root().glob("fruitsamples+CoreRecipes/**/Jamaican Recipes.crx"))
        terminal = self.open([PROGRAM, store])
        terminal.wait_for(r"RECIPE +4")
        terminal.send("1", "G", "Enter")
        terminal.wait_for(r"copy")


class ViewerTests(Session):
    def test_a_value_is_looked_at_whole_and_copied(self):
        store = self.make_demo()
        with sqlite3.connect(store) as connection:
            name = connection.execute("SELECT ZNAME FROM ZHIKER ORDER BY Z_PK LIMIT 1").fetchone()[0]
        terminal = self.open([PROGRAM, store, "--entity", "Hiker"])
        terminal.send("v")
        terminal.wait_for(r"─ Hiker\.name · \d+ characters ─")
        terminal.wait_for(rf"│ {name} +│")
        terminal.send("y")
        terminal.wait(lambda: terminal.clipboard() == name, "the value in the clipboard")
        terminal.send("Tab")
        terminal.wait_for(r"00000000  ([0-9a-f]{2} ){4}")
        terminal.send("Escape")
        terminal.wait_until_gone(r"00000000")


if __name__ == "__main__":
    unittest.main()
