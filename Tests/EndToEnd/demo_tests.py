"""The demo is the same for everybody who asks for the same seed, and so is what happens to it."""
import subprocess
import unittest

from command_tests import PROGRAM, Commands, sqlite, wait_until


class DemoSeedTests(Commands):
    def made(self, name, seed):
        store = self.folder / name
        self.run_program("demo", "--at", store, "--rows", "400", "--seed", str(seed), "--rate", "0", "--dump-screen", "text")
        return store

    def tables(self, store):
        """All tables but the one that holds the identity of the very file."""
        return sqlite(store, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'Z_METADATA' ORDER BY 1")

    def rows(self, store):
        return {table: sqlite(store, f".mode quote\nSELECT * FROM {table} ORDER BY 1") for table in self.tables(store)}

    def changed(self, store, seed, count):
        """At least so many changes of rows, as the writer, a process of its own, made them one after the other."""
        log = "CREATE TABLE LOG (ID INTEGER PRIMARY KEY, WHAT TEXT);"
        for table in self.tables(store):
            columns = sqlite(store, f"SELECT name FROM pragma_table_info('{table}')")
            for verb, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
                values = " || ',' || ".join(f"quote({row}.{column})" for column in columns)
                log += (f"CREATE TRIGGER {table}_{verb} AFTER {verb} ON {table} "
                        f"BEGIN INSERT INTO LOG (WHAT) VALUES ('{verb} {table} ' || {values}); END;")
        sqlite(store, log)
        writer = subprocess.Popen(
            [PROGRAM, "demo", "--writer-only", "--at", store, "--rows", "400", "--seed", str(seed), "--rate", "100"],
            stdin=subprocess.PIPE, env=self.environment())
        self.addCleanup(writer.wait, 20)
        self.addCleanup(writer.kill)
        wait_until(lambda: int(sqlite(store, "SELECT count(*) FROM LOG")[0]) >= count, f"{count} changes", 60)
        writer.stdin.close()
        self.assertEqual(writer.wait(20), 0)
        return sqlite(store, "SELECT WHAT FROM LOG ORDER BY ID")[:count]

    def test_one_seed_makes_equal_stores_in_two_processes_and_another_seed_others(self):
        one, two, other = [self.rows(self.made(f"{number}.sqlite", seed)) for number, seed in enumerate((7, 7, 8))]
        self.assertEqual(one, two)
        self.assertGreater(sum(map(len, one.values())), 300)
        for table in ("ZHIKER", "ZPARK", "ZSIGHTING", "ZTRAIL", "ZWAYPOINT"):
            self.assertNotEqual(one[table], other[table])

    def test_one_seed_makes_equal_changes_in_two_processes(self):
        one, two = [self.changed(self.made(f"{number}.sqlite", 7), 7, 200) for number in range(2)]
        self.assertEqual(one, two)


if __name__ == "__main__":
    unittest.main()
