"""A store with two at it: the browser in a terminal whose every frame is kept, and the real sqlite3 program beside it."""
import os
import sqlite3
import subprocess
from types import SimpleNamespace

from browser_tests import PROGRAM, Session
from frames import FrameTerminal
from sessions import corpus, environment

#: The first objects of each subject have these texts in the first column, which come first also when it is sorted.
TEXTS = ["Aa1", "Ab2", "Ac3", "Ad4"]

#: Stores, and a list of each in which every object has a first column of text.
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


def shell(store, *statements):
    """Runs statements in the real sqlite3 program, each a commit of its own; answers what they print."""
    done = subprocess.run(
        ["sqlite3", "-cmd", ".timeout 5000", str(store), *statements], capture_output=True, text=True, timeout=60)
    if done.returncode or done.stderr:
        raise AssertionError(f"sqlite3: {done.stderr.strip()}")
    return done.stdout.strip()


class NoMotion(AssertionError):
    """Something was shown, but not how it moves or fades."""


class LiveSession(Session):
    """A browser on a copy of a subject."""

    def each(self, test, attempts=4):
        """Runs a test on each subject, as a sub-test of its own.

        On a busy machine the browser takes its terminal for a slow one and drops the motion for seconds, as it should: where
        that is all that is missed, the test is made again.
        """
        for subject in SUBJECTS:
            with self.subTest(subject.label):
                for attempt in range(attempts):
                    self.setUp()
                    self.prepare(subject)
                    try:
                        test(subject)
                        break
                    except NoMotion:
                        self.doCleanups()
                        if attempt + 1 == attempts:
                            raise

    def prepare(self, subject=DEMO):
        """Copies the subject, with texts that are known."""
        self.subject = subject
        if subject.suffix is None:
            self.store = self.folder / "Demo.sqlite"
            self.run_program("demo", "--at", self.store, "--rate", "0", "--dump-screen", "text")
        elif corpus.root() is None:
            self.skipTest("left out without the corpus")
        else:
            self.store = self.command(subject.suffix)[1]
        shell(self.store, "; ".join(self.set(key, text) for key, text in enumerate(TEXTS, 1)))

    def set(self, key, text):
        """The statement that gives an object another text, as Core Data would."""
        return f"UPDATE {self.subject.table} SET {self.subject.column} = '{text}', Z_OPT = Z_OPT + 1 WHERE Z_PK = {key}"

    def value(self, key):
        """An object's text and version, as `text|version`."""
        return shell(self.store, f"SELECT {self.subject.column}, Z_OPT FROM {self.subject.table} WHERE Z_PK = {key}")

    def run_program(self, *words):
        done = subprocess.run(
            [PROGRAM, *words], capture_output=True, text=True, check=True, env={**os.environ, **environment(self.folder)})
        return done.stdout

    def own(self):
        """Opens the store as the program that owns it does, which keeps it open from then on."""
        owner = sqlite3.connect(self.store, timeout=5)
        self.addCleanup(owner.close)
        owner.execute(self.set(4, TEXTS[3]))
        owner.commit()
        owner.execute(f"SELECT count(*) FROM {self.subject.table}").fetchall()
        return owner

    def watch(self, *options, entity=None, size=(120, 36), rests=True):
        """The browser in a terminal that keeps every frame, once its first rows are there and it is at rest."""
        env = {**os.environ, **environment(self.folder), "LC_ALL": "C.UTF-8"}
        for name in ("COLORTERM", "NO_COLOR"):
            env.pop(name, None)
        terminal = FrameTerminal(
            [PROGRAM, self.store, "--entity", entity or self.subject.entity, *options], size, env)
        self.addCleanup(terminal.close)
        if rests:
            terminal.wait_for(r"\b1 of [\d,]+")
            terminal.rest()
        return terminal

    def assert_moves(self, seen, what):
        if not seen:
            raise NoMotion(what)

    def fetched(self, count, *options):
        """The first column's texts of a fresh fetch, as many as asked for."""
        lines = self.run_program(
            "fetch", self.store, self.subject.entity, "--columns", self.subject.key, "--format", "tsv", *options).splitlines()
        return [line.split("\t")[-1] for line in lines[1:count + 1]]

    def assert_is_fetched(self, frame, *options):
        """What is on screen is what a fresh fetch has, in its order."""
        shown = [row.first for row in frame.rows]
        self.assertEqual(shown, self.fetched(len(shown), *options))
