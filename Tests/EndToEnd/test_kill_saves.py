"""The killer's own eyes: locks of another process are seen, and half a save is called so."""
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

import kill_saves

# A store as SaveLoop has it after `number` saves, without the framework's tables that are not looked at.
SCHEMA = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE ZCELL (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZNUMBER INTEGER, ZLINE INTEGER, Z_FOK_LINE INTEGER);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZNUMBER INTEGER);
    CREATE TABLE ZLINE (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZNUMBER INTEGER);
    CREATE TABLE ZGUEST (Z_PK INTEGER PRIMARY KEY, Z_OPT INTEGER, ZNUMBER INTEGER, ZDATA BLOB);
    CREATE TABLE Z_1TAGS (Z_1CELLS INTEGER, Z_4TAGS INTEGER);
"""


class KillerTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.store = Path(self.folder.name) / "Loop.sqlite"

    def test_a_transaction_of_another_process_is_seen_by_its_lock(self):
        for journal in ("wal", "delete"):
            with subprocess.Popen(
                    ["sqlite3", self.store], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
                def run(sql):
                    other.stdin.write(f"{sql}\n.print done\n")
                    other.stdin.flush()
                    while other.stdout.readline() != "done\n":
                        pass

                run(f"PRAGMA journal_mode = {journal}; CREATE TABLE IF NOT EXISTS t (a); SELECT * FROM t;")
                self.assertFalse(kill_saves.is_in_transaction(self.store, journal))
                run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1);")
                self.assertTrue(kill_saves.is_in_transaction(self.store, journal))
                run("COMMIT;")
                self.assertFalse(kill_saves.is_in_transaction(self.store, journal))
                other.stdin.close()

    def make(self, number):
        cells, tags = range(1, kill_saves.CELLS + 1), range(1, kill_saves.TAGS + 1)
        connection = sqlite3.connect(self.store)
        connection.executescript(SCHEMA)
        turn = number % kill_saves.CELLS
        connection.executemany(
            "INSERT INTO ZCELL VALUES (?, ?, ?, 1, ?)",
            [(key, number + 1, number, (key - 1 - turn) % kill_saves.CELLS) for key in cells])
        connection.executemany("INSERT INTO ZTAG VALUES (?, ?, ?)", [(key, number + 1, number) for key in tags])
        connection.execute("INSERT INTO ZLINE VALUES (1, ?, ?)", (number + 1, number))
        connection.executemany(
            "INSERT INTO Z_1TAGS VALUES (?, ?)", [(key, tags[number % kill_saves.TAGS]) for key in cells])
        name = "12345678-1234-1234-1234-123456789ABC"
        connection.execute(
            "INSERT INTO ZGUEST VALUES (?, 1, ?, ?)", (number + 1, number, b"\2" + name.encode() + b"\0"))
        connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (2, 'Guest', 0, ?)", (number + 1,))
        connection.commit()
        connection.close()
        data = Path(self.folder.name) / ".Loop_SUPPORT" / "_EXTERNAL_DATA" / name
        data.parent.mkdir(parents=True)
        data.write_bytes(bytes([number % 256]) * kill_saves.BLOB)
        return data

    def test_a_whole_store_tells_its_number_and_a_torn_one_is_called_torn(self):
        data = self.make(301)
        self.assertEqual(kill_saves.saved_number(self.store), 301)
        for tear, mend in [
                ("UPDATE ZCELL SET ZNUMBER = 300 WHERE Z_PK = 7", "UPDATE ZCELL SET ZNUMBER = 301"),
                ("UPDATE ZTAG SET Z_OPT = 301 WHERE Z_PK = 1", "UPDATE ZTAG SET Z_OPT = 302"),
                ("UPDATE Z_1TAGS SET Z_4TAGS = 1 WHERE Z_1CELLS = 3", "UPDATE Z_1TAGS SET Z_4TAGS = 2"),
                ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1", "UPDATE Z_PRIMARYKEY SET Z_MAX = 302"),
                ("UPDATE ZCELL SET Z_FOK_LINE = 99 WHERE Z_PK = 22", "UPDATE ZCELL SET Z_FOK_LINE = 0 WHERE Z_PK = 22"),
                ("INSERT INTO ZGUEST VALUES (9, 1, 301, NULL)", "DELETE FROM ZGUEST WHERE Z_PK = 9")]:
            self.change(tear)
            with self.assertRaises(kill_saves.Torn, msg=tear):
                kill_saves.saved_number(self.store)
            self.change(mend)
            self.assertEqual(kill_saves.saved_number(self.store), 301)
        data.write_bytes(b"\0" * kill_saves.BLOB)
        with self.assertRaises(kill_saves.Torn):
            kill_saves.saved_number(self.store)

    def change(self, sql):
        connection = sqlite3.connect(self.store)
        connection.execute(sql)
        connection.commit()
        connection.close()


if __name__ == "__main__":
    unittest.main()
