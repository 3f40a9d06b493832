"""The commands that change and follow stores, on copies of real ones; the sqlite3 program writes and reads beside them."""
import json
import os
import queue
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from sessions import corpus, environment
from tmux import Terminal, wait_until

PROGRAM = Path(os.environ.get("STOREBROWSER_PROGRAM", "/nonexistent"))
CARS = "/SampleModel/Fixtures/SampleModel_V2.sqlite"
MOODS = "/Moody 5.moody"


def sqlite(store, sql):
    """What the sqlite3 program prints, line by line."""
    run = subprocess.run(
        ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 10000", store], input=sql, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return run.stdout.splitlines()


def contents(folder):
    """Every file below a folder with its bytes."""
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Commands(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="storebrowser-e2e-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def store(self, suffix):
        """A copy of a store of the corpus, in a folder of its own, and the beginning of its objects' URIs."""
        source = next(file for path, file in corpus.stores() if path.endswith(suffix))
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        store = corpus.copy_store(source, folder)
        return store, "x-coredata://" + sqlite(store, "SELECT Z_UUID FROM Z_METADATA")[0]

    def environment(self):
        return {**os.environ, **environment(self.folder)}

    def run_program(self, *words, status=0):
        run = subprocess.run(
            [PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, env=self.environment(), timeout=60, check=False)
        self.assertEqual(run.returncode, status, run.stderr)
        if status == 0:
            self.assertEqual(run.stderr, "")
        else:
            self.assertEqual(run.stdout, "")
            self.assertRegex(run.stderr, r"\Astorebrowser: [^\n]+\n\Z")
        return run.stdout if status == 0 else run.stderr

    def show(self, store, uri):
        return json.loads(self.run_program("show", store, uri, "--format", "ndjson"))


@unittest.skipIf(corpus.root() is None, "left out without the corpus")
class EditingTests(Commands):
    def rows(self, store, table, without):
        return sqlite(store, f"SELECT * FROM {table} WHERE Z_PK NOT IN ({without}) ORDER BY Z_PK")

    def test_set_raises_the_version_by_one_and_leaves_every_other_row_of_the_table_alone(self):
        store, base = self.store(CARS)
        before = self.rows(store, "ZCAR", "1")
        version = int(sqlite(store, "SELECT Z_OPT FROM ZCAR WHERE Z_PK = 1")[0])
        self.run_program("set", store, f"{base}/Car/p1", "maker=Škoda", "model:=null", "markedForDeletionAsOf=2025-11-02T18:04:05.25Z")
        self.assertEqual(
            sqlite(store, "SELECT Z_OPT, ZMAKER, ZMODEL IS NULL, ZMARKEDFORDELETIONASOF FROM ZCAR WHERE Z_PK = 1"),
            [f"{version + 1}|Škoda|1|783799445.25"])
        self.assertEqual(self.rows(store, "ZCAR", "1"), before)
        self.assertEqual(sqlite(store, "PRAGMA integrity_check"), ["ok"])

    def test_set_changes_both_ends_of_a_relationship(self):
        store, base = self.store(CARS)
        old = int(sqlite(store, "SELECT ZOWNER FROM ZCAR WHERE Z_PK = 1")[0])
        new = next(key for key in (1, 2, 3) if key != old)
        car, version = f"{base}/Car/p1", int(sqlite(store, "SELECT Z_OPT FROM ZCAR WHERE Z_PK = 1")[0])
        self.run_program("set", store, car, f"owner={base}/Person/p{new}")
        self.assertEqual(sqlite(store, "SELECT ZOWNER, Z_OPT FROM ZCAR WHERE Z_PK = 1"), [f"{new}|{version + 1}"])
        self.assertIn(car, self.show(store, f"{base}/Person/p{new}")["cars"])
        self.assertNotIn(car, self.show(store, f"{base}/Person/p{old}")["cars"])
        # From the other end: one out, one in.
        self.run_program("set", store, f"{base}/Person/p{old}", f"cars+={car}", f"cars+={base}/Car/p2")
        self.assertEqual(sqlite(store, "SELECT ZOWNER FROM ZCAR WHERE Z_PK IN (1, 2)"), [str(old)] * 2)
        self.run_program("set", store, f"{base}/Person/p{old}", f"cars-={car}")
        self.assertEqual(sqlite(store, "SELECT ZOWNER IS NULL FROM ZCAR WHERE Z_PK = 1"), ["1"])
        self.assertIsNone(self.show(store, car)["owner"])

    def test_insert_prints_the_uri_of_a_row_with_the_next_key(self):
        store, base = self.store(CARS)
        uri = self.run_program("insert", store, "Person", "firstName=Ada", "lastName=L.", "updatedAt=2025-01-02T03:04:05Z",
                               f"cars:=[\"{base}/Car/p3\"]").strip()
        self.assertEqual(uri, f"{base}/Person/p21")
        self.assertEqual(sqlite(store, "SELECT Z_OPT, ZFIRSTNAME, ZLASTNAME FROM ZPERSON WHERE Z_PK = 21"), ["1|Ada|L."])
        self.assertEqual(sqlite(store, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'"), ["21"])
        self.assertEqual(sqlite(store, "SELECT ZOWNER FROM ZCAR WHERE Z_PK = 3"), ["21"])
        told = json.loads(self.run_program("insert", store, "LuxuryCar", "isLimitedEdition=yes", "numberPlate=X-1", "--format", "ndjson"))
        self.assertEqual((told["entity"], told["isLimitedEdition"], told["numberPlate"]), ("LuxuryCar", True, "X-1"))
        self.assertEqual(told, self.show(store, told["objectID"]))

    def test_a_file_and_base64_become_data(self):
        store, base = self.store(MOODS)
        (self.folder / "bytes").write_bytes(bytes(range(48)))
        self.run_program("set", store, f"{base}/Mood/p1", f"colors=@{self.folder / 'bytes'}")
        self.assertEqual(sqlite(store, "SELECT hex(ZCOLORS) FROM ZMOOD WHERE Z_PK = 1"), [bytes(range(48)).hex().upper()])
        self.run_program("set", store, f"{base}/Mood/p1", "colors=base64:AQID")
        self.assertEqual(sqlite(store, "SELECT hex(ZCOLORS) FROM ZMOOD WHERE Z_PK = 1"), ["010203"])

    def test_a_delete_does_what_its_dry_run_said(self):
        for suffix, entity, key in ((MOODS, "Country", 2), (MOODS, "Mood", 2), (CARS, "Person", 17), (CARS, "Car", 1)):
            with self.subTest(f"{entity} of {suffix}"):
                store, base = self.store(suffix)
                words = ("delete", store, f"{base}/{entity}/p{key}")
                lines = [json.loads(line) for line in self.run_program(*words, "--dry-run").splitlines()]
                gone = {line["objectID"] for line in lines if line["type"] == "delete"}
                self.assertIn(f"{base}/{entity}/p{key}", gone)
                self.run_program(*words)
                for line in lines:
                    if line["objectID"] in gone:
                        self.run_program("show", store, line["objectID"], status=1)
                        continue
                    now = self.show(store, line["objectID"])
                    for name, values in line["changed"].items():
                        self.assertEqual(now[name], values[-1], line)
                self.assertEqual(sqlite(store, "PRAGMA integrity_check"), ["ok"])

    def test_a_dry_run_prints_the_change_and_changes_no_byte(self):
        for suffix, entity, assignment, key in ((CARS, "Car", "maker=New", "maker"), (MOODS, "Mood", "rating=7", "rating")):
            store, base = self.store(suffix)
            uri = f"{base}/{entity}/p1"
            before, was = contents(store.parent), self.show(store, uri)
            [line] = self.run_program("set", store, uri, assignment, "--dry-run").splitlines()
            change = json.loads(line)
            self.assertEqual(list(change)[:6], ["at", "type", "objectID", "entity", "changed", "values"])
            self.assertEqual((change["type"], change["objectID"], change["entity"]), ("update", uri, entity))
            new = json.loads(f'"{assignment.partition("=")[2]}"') if key == "maker" else 7
            self.assertEqual(change["changed"], {key: [was[key], new]})
            self.assertEqual(change["values"][key], new)
            if entity == "Car":
                words = ("insert", store, entity, assignment, "numberPlate=X-9", "--dry-run")
                [line] = self.run_program(*words).splitlines()
                self.assertEqual(json.loads(line)["type"], "insert")
                self.run_program("delete", store, uri, "--dry-run")
            self.assertEqual(contents(store.parent), before)

    def test_what_cannot_be_done_ends_with_its_status_and_changes_nothing(self):
        store, base = self.store(CARS)
        car, person = f"{base}/Car/p1", f"{base}/Person/p1"
        taken = sqlite(store, "SELECT ZNUMBERPLATE FROM ZCAR WHERE Z_PK = 2")[0]
        before = sqlite(store, ".dump")
        for status, words in (
            (64, ("set", store, car)), (64, ("set", store, car, "maker")), (64, ("set", store, car, "makr=x")),
            (64, ("set", store, car, "maker+=x")), (64, ("set", store, car, f"owner+={person}")), (64, ("set", store, "p1", "maker=x")),
            (64, ("insert", store, "Carr")), (64, ("delete", store)), (64, ("set", store, car, "maker=x", "--read-only")),
            (65, ("set", store, car, "markedForDeletionAsOf=soon")), (65, ("set", store, car, "maker:=5")),
            (65, ("set", store, car, "maker:=")), (65, ("set", store, car, f"owner={car}")),
            (66, ("set", self.folder / "none.sqlite", car, "maker=x")),
            (1, ("set", store, f"{base}/Car/p9999", "maker=x")), (1, ("delete", store, "x-coredata://OTHER/Car/p1")),
            (1, ("set", store, car, f"numberPlate={taken}")),
        ):
            with self.subTest(" ".join(map(str, words[:1] + words[2:]))):
                self.run_program(*words, status=status)
        self.assertEqual(sqlite(store, ".dump"), before)


class Watch:
    """`watch` as a process: its lines as they come."""

    def __init__(self, test, *words):
        self.process = subprocess.Popen(
            [PROGRAM, "watch", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=test.environment())
        test.addCleanup(self.end)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        # A watcher is ready once it has asked the system for notices of the files.
        wait_until(self.has_notices, "notices of the store's files", 20)

    def has_notices(self):
        descriptors = Path(f"/proc/{self.process.pid}/fd")
        return any("inotify" in os.readlink(link) for link in descriptors.iterdir()) if self.process.poll() is None else False

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def next(self):
        return self.lines.get(timeout=20)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(20)
        self.reader.join(20)
        self.process.stdout.close()
        self.process.stderr.close()


@unittest.skipIf(corpus.root() is None, "left out without the corpus")
class WatchTests(Commands):
    def test_a_commit_of_sqlite3_is_told_as_the_change_it_is(self):
        for suffix in (CARS, MOODS):
            with self.subTest(suffix):
                store, base = self.store(suffix)
                watch = Watch(self, store)
                table, entity, column, key, text = (
                    ("ZCAR", "Car", "ZMAKER", "maker", True) if suffix == CARS else ("ZMOOD", "Mood", "ZRATING", "rating", False))
                old = sqlite(store, f"SELECT {column} FROM {table} WHERE Z_PK = 1")[0]
                old = old if text else int(old)
                number = sqlite(store, f"SELECT Z_ENT FROM {table} WHERE Z_PK = 1")[0]
                new = "Lada" if text else 5
                literal = f"'{new}'" if text else new
                sqlite(store, f"UPDATE {table} SET {column} = {literal}, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
                line = watch.next()
                self.assertEqual((line["type"], line["objectID"], line["entity"]), ("update", f"{base}/{entity}/p1", entity))
                self.assertEqual(line["changed"], {key: [old, new]})
                self.assertEqual(line["values"][key], new)
                sqlite(store, f"INSERT INTO {table} (Z_PK, Z_ENT, Z_OPT, {column}) VALUES (900, {number}, 1, {literal})")
                line = watch.next()
                self.assertEqual((line["type"], line["objectID"]), ("insert", f"{base}/{entity}/p900"))
                self.assertEqual(line["changed"][key], [None, new])
                sqlite(store, f"DELETE FROM {table} WHERE Z_PK = 900")
                line = watch.next()
                self.assertEqual((line["type"], line["objectID"]), ("delete", f"{base}/{entity}/p900"))
                self.assertEqual((line["changed"][key], line["values"]), ([new, None], {}))
                watch.process.send_signal(signal.SIGTERM)
                self.assertEqual(watch.process.wait(20), 0)
                self.assertTrue(watch.lines.empty())

    def test_a_save_of_another_process_of_ours_is_told_too(self):
        store, base = self.store(MOODS)
        watch = Watch(self, store, "Country")
        self.run_program("set", store, f"{base}/Mood/p1", "rating=3")
        self.run_program("set", store, f"{base}/Country/p1", "numberOfMoods=42")
        line = watch.next()
        while "numberOfMoods" not in (line["changed"] or {}):
            self.assertEqual(line["entity"], "Country")
            line = watch.next()
        self.assertEqual(line["changed"]["numberOfMoods"], [1, 42])
        watch.process.send_signal(signal.SIGINT)
        self.assertEqual(watch.process.wait(20), 0)

    def test_it_ends_when_nobody_reads_it_any_more(self):
        store, _ = self.store(MOODS)
        command = subprocess.Popen([PROGRAM, "watch", store], stdout=subprocess.PIPE, env=self.environment())
        command.stdout.close()
        self.assertEqual(command.wait(20), 0)

    def test_a_store_that_is_replaced_ends_it_with_one_line(self):
        store, _ = self.store(CARS)
        watch = Watch(self, store)
        other, _ = self.store(CARS)
        os.replace(other, store)
        self.assertEqual(watch.process.wait(20), 1)
        self.assertRegex(watch.process.stderr.read(), r"\Astorebrowser: [^\n]*file replaced[^\n]*\n\Z")


class DemoWriterTests(Commands):
    def versions(self, store):
        """The sum of the versions and the number of rows of each table."""
        tables = ("HIKER", "PARK", "SIGHTING", "TRAIL", "WAYPOINT")
        lines = sqlite(store, "".join(f"SELECT sum(Z_OPT), count(*) FROM Z{table};" for table in tables))
        return [int(number) for line in lines for number in line.split("|")]

    def test_the_writer_changes_the_demo_keeps_its_size_and_ends_with_its_input(self):
        store = self.folder / "Demo.sqlite"
        self.run_program("demo", "--at", store, "--rows", "400", "--dump-screen", "text")
        before = self.versions(store)
        writer = subprocess.Popen(
            [PROGRAM, "demo", "--writer-only", "--at", store, "--rows", "400", "--rate", "200"], stdin=subprocess.PIPE,
            env=self.environment())
        self.addCleanup(writer.wait, 20)
        self.addCleanup(writer.kill)
        wait_until(lambda: sum(self.versions(store)) > sum(before) + 300, "300 changes", 60)
        writer.stdin.close()
        self.assertEqual(writer.wait(20), 0)
        after = self.versions(store)
        self.assertEqual(sqlite(store, "PRAGMA integrity_check"), ["ok"])
        self.assertLess(abs(sum(after[1::2]) - sum(before[1::2])), 120)

    def test_the_second_process_never_outlives_the_browser(self):
        command = [PROGRAM, "demo", "--rows", "400", "--rate", "20", "--writer-process"]
        for number in (signal.SIGKILL, signal.SIGTERM):
            with Terminal(command, size=(120, 36), env=environment(self.folder), cwd=self.folder) as terminal:
                terminal.wait_for("q quit", 20)
                child = wait_until(lambda: self.children(terminal.pid), "the second process", 20)[0]
                self.assertIn(b"--writer-only", Path(f"/proc/{child}/cmdline").read_bytes())
                os.kill(terminal.pid, number)
                wait_until(lambda: not self.is_running(child), "the end of the second process", 20)

    def children(self, pid):
        return subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()

    def is_running(self, pid):
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False


if __name__ == "__main__":
    unittest.main()
