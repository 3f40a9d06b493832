"""The real program in a real terminal: what a person does, and what is left when it is over."""
import functools
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from sessions import Reader, Relationship, corpus, environment, wait_open
from tmux import Terminal, wait_until

HERE = Path(__file__).parent
PROGRAM = Path(os.environ.get("STOREBROWSER_PROGRAM", "/nonexistent"))

#: A name, and the end of the path in the corpus; None is the demo.
SUBJECTS = [
    ("the demo", None),
    ("CoreDataPlus SampleModel_V2", "/SampleModel/Fixtures/SampleModel_V2.sqlite"),
    ("objcio Moody 5", "/Moody 5.moody"),
    ("CareKit 2.1", "/SampleStore2.1.sqlite"),
    ("duckduckgo Bookmarks_V5", "/Bookmarks_V5.sqlite"),
]


class Session(unittest.TestCase):
    """A folder with a copy of the store, and the program opened on it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="storebrowser-e2e-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def command(self, suffix, *options):
        """The words that open a subject; the demo keeps still."""
        if suffix is None:
            return [PROGRAM, "demo", "--rate", "0", *options]
        source = next(file for path, file in corpus.stores() if path.endswith(suffix))
        return [PROGRAM, corpus.copy_store(source, self.folder), *options]

    def start(self, command, size):
        terminal = Terminal(command, size=size, env=environment(self.folder), cwd=self.folder).__enter__()
        self.addCleanup(terminal.__exit__)
        return terminal

    def make_demo(self):
        """The demo's store, which keeps still; answers its file."""
        store = self.folder / "Demo.sqlite"
        subprocess.run(
            [PROGRAM, "demo", "--at", store, "--rate", "0", "--dump-screen", "text"], check=True, capture_output=True,
            env=environment(self.folder))
        return store

    def open(self, command, size=(120, 36)):
        terminal = self.start(command, size)
        wait_open(terminal)
        return terminal

    def press(self, terminal, *keys):
        """Presses keys and answers the screen, with colours, once it is still."""
        terminal.send(*keys)
        terminal.settle()
        return terminal.styled()


def on_every_subject(test):
    """Runs a test on each subject as a sub-test of its own; says what is left out where the corpus is absent."""
    @functools.wraps(test)
    def run(self):
        for label, suffix in SUBJECTS:
            if suffix is not None and corpus.root() is None:
                print(f"left out without the corpus: {self.id()} on {label}")
                continue
            with self.subTest(label):
                test(self, suffix)
    return run


class LookingTests(Session):
    @on_every_subject
    def test_walking_moves_from_object_to_object_and_to_both_ends(self, suffix):
        terminal = self.open(self.command(suffix))
        count = int(terminal.wait_for(r"\b1 of ([\d,]+)")[1].replace(",", ""))
        self.press(terminal, "G")
        self.press(terminal, "g")  # columns have grown to what they will be
        first = terminal.styled()
        for key, position in (("Down", 2), ("j", 3), ("k", 2), ("Up", 1), ("G", count), ("End", count), ("g", 1)):
            terminal.send(key)
            terminal.wait_for(rf"\b{min(position, count):,} of {count:,}\b")
        terminal.wait(lambda: terminal.styled() == first, "the first screen again")

    @on_every_subject
    def test_the_sidebar_has_every_entity_with_its_count(self, suffix):
        command = self.command(suffix)
        terminal = self.open(command)
        store = command[1] if suffix else next(self.folder.glob("storebrowser/*.sqlite"))
        reader = Reader(store)
        self.addCleanup(reader.close)
        for name in reader.entities:
            rows = sum(1 for _ in reader.objects(name))  # with subentities, as the list shows them
            terminal.wait_for(rf"^│[^│]*\b{name[:12]}[^│]*\b{rows:,} *│" if rows else rf"^│[^│]*\b{name[:12]}")

    @on_every_subject
    def test_drilling_in_and_back_returns_to_the_same_screen(self, suffix):
        terminal = self.open(self.command(suffix, *self.rich_entity(suffix)))
        title = list_title(terminal.text())
        before = self.follow(terminal)
        self.assertIsNotNone(before, f"no relationship could be followed:\n{terminal.text()}")
        self.assertIn("›", list_title(terminal.text()), "there is no breadcrumb")
        self.press(terminal, "Down", "Down")
        self.press(terminal, "BSpace")
        self.assertEqual(list_title(terminal.text()), title)
        self.assertEqual(terminal.styled(), before)

    def rich_entity(self, suffix):
        """The words that ask for an entity whose first object has something at the end of a relationship."""
        if suffix is None:
            return []
        reader = Reader(next(file for path, file in corpus.stores() if path.endswith(suffix)))
        self.addCleanup(reader.close)
        for name, entity in sorted(reader.entities.items()):
            for _, _, found in list(reader.objects(name))[:1]:
                if any(found[key] for key, item in entity.properties.items() if isinstance(item, Relationship)):
                    return ["--entity", name]
        raise AssertionError(f"no object of {suffix} is related to another")

    def follow(self, terminal):
        """Goes from column to column until Enter leads to another list; the screen before that, or None."""
        title = list_title(terminal.text())
        for _ in range(60):
            before = terminal.styled()
            self.press(terminal, "Enter")
            if list_title(terminal.text()) != title:
                return before
            self.press(terminal, "2")
            if self.press(terminal, "Right") == before:
                return None
        return None

    @on_every_subject
    def test_sorting_shows_its_direction_and_the_other_one(self, suffix):
        terminal = self.open(self.command(suffix))
        terminal.send("s")
        terminal.wait_for(r"[↑↓]")
        first = arrows(terminal.settle())
        terminal.send("s")
        terminal.wait(lambda: arrows(terminal.text()) not in ([], first), "the other direction")
        self.press(terminal, "G")
        self.press(terminal, "g")
        self.assertFalse(terminal.is_dead())

    @on_every_subject
    def test_finding_shows_matches_and_says_when_there_are_none(self, suffix):
        terminal = self.open(self.command(suffix, *self.rich_entity(suffix)))
        for text, answer in (("zzzzqqqq", r"zzzzqqqq.*\b0 found|[Nn]o match|[Nn]othing|[Nn]ot found|[Nn]o .* contains"),
                             ("e", r"“e” +[\d,]+ (of [\d,]+|found)|[Nn]o match|[Nn]othing|[Nn]ot found|[Nn]o .* contains")):
            terminal.send("f")
            terminal.type(text)
            terminal.send("Enter")
            terminal.wait_for(answer)
            self.press(terminal, "Escape")
        self.press(terminal, "n")
        self.assertFalse(terminal.is_dead())

    def test_the_mouse_selects_and_sorts(self):
        terminal = self.open(self.command(None))
        terminal.wait_for(r"\b1 of ")
        terminal.mouse(40, 5)
        terminal.wait_for(r"\b[2-9] of ")
        terminal.mouse(30, 2)
        terminal.wait_for(r"[↑↓]")

    @on_every_subject
    def test_every_size_is_drawn_and_the_old_one_comes_back_as_it_was(self, suffix):
        sizes = [(20, 5), (21, 6), (30, 8), (40, 10), (60, 15), (80, 24), (100, 30), (120, 36), (160, 48), (200, 60),
                 (250, 80), (300, 100)]
        terminal = self.open(self.command(suffix), size=sizes[-1])
        terminal.resize(120, 36)  # columns have grown to what they will be
        terminal.settle()
        first = terminal.styled()
        for size in sizes + sizes[::-1] + [(1, 1), (300, 3), (3, 100)]:
            terminal.resize(*size)
            screen = terminal.settle()
            self.assertFalse(terminal.is_dead(), f"ended at {size}")
            if size[0] >= 20 and size[1] >= 5:
                self.assertTrue(screen.strip(), f"an empty screen at {size}")
        terminal.resize(120, 36)
        terminal.wait(lambda: terminal.styled() == first, "the first screen again")

    def test_help_opens_and_closes(self):
        terminal = self.open(self.command(None))
        first = terminal.styled()
        self.assertNotEqual(self.press(terminal, "?"), first)
        self.assertEqual(self.press(terminal, "Escape"), first)


class EndingTests(Session):
    """However the program ends, the terminal is as it was."""

    def job(self, suffix=None, shell_options=()):
        """The program as a job of a shell that never mends a terminal: (terminal, settings before, events)."""
        events = Events(Path(tempfile.mkdtemp(dir=self.folder), "events"))
        shell = ["sh", "-c", "read go; exec \"$@\"", "sh", sys.executable, HERE / "job_shell.py", *shell_options, events.path]
        terminal = self.start([*shell, *self.command(suffix)], size=(80, 24))
        before = terminal.modes()
        self.addCleanup(events.kill)
        terminal.send("Enter")
        wait_open(terminal)
        self.assertFalse(terminal.is_given_back(), "the browser did not take the screen")
        return terminal, before, events

    def assert_restored(self, terminal, before, events):
        def is_over():
            if "Press space to interact" in terminal.text():
                terminal.send("q")  # Swift's own crash reporter asks, where it is installed
            return events.has("ended")
        terminal.wait(is_over, "the job's end")
        terminal.wait_for("the job has ended")
        self.assertEqual(terminal.modes(), before, "the line settings are not as before")
        self.assertTrue(terminal.is_given_back(), "the screen, the mouse, the keypad or the cursor was not given back")

    @on_every_subject
    def test_q_ends_with_status_0_on_every_store(self, suffix):
        terminal, before, events = self.job(suffix)
        terminal.send("q")
        self.assert_restored(terminal, before, events)
        self.assertEqual(events.status(), 0)

    def test_signals_and_a_crash_restore_the_terminal(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGTRAP):
            with self.subTest(number.name):
                terminal, before, events = self.job()
                os.kill(events.process(), number)
                self.assert_restored(terminal, before, events)
                if number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGTRAP):
                    self.assertEqual(events.status(), -number.value, "a crash must be seen as one")

    def test_a_stop_gives_the_terminal_back_and_going_on_takes_it_again(self):
        for how in ("SIGTSTP", "^Z"):
            with self.subTest(how):
                terminal, before, events = self.job()
                screen = terminal.styled()
                if how == "^Z":
                    terminal.send("C-z")
                else:
                    os.kill(events.process(), signal.SIGTSTP)
                terminal.wait(lambda: events.has("stopped"), "the stop")
                self.assertEqual(terminal.modes(), before, "the line settings are not as before")
                self.assertTrue(terminal.is_given_back(), "the screen was not given back while stopped")
                terminal.send("Enter")
                terminal.wait(lambda: terminal.styled() == screen, "the same screen again")
                terminal.send("q")
                self.assert_restored(terminal, before, events)

    def test_the_end_of_the_terminal_or_of_input_alone_ends_the_program(self):
        for shell_options in ([], ["--stay"]):
            with self.subTest(" ".join(shell_options) or "with SIGHUP"):
                terminal, _, events = self.job(None, shell_options)
                process = events.process()
                terminal.close()
                wait_until(lambda: is_gone(process), "the program's end")

    def test_a_size_that_changed_while_stopped_is_noticed(self):
        terminal, before, events = self.job()
        os.kill(events.process(), signal.SIGTSTP)
        terminal.wait(lambda: events.has("stopped"), "the stop")
        terminal.resize(100, 30)
        terminal.send("Enter")
        wait_open(terminal)
        self.assertTrue(len(terminal.text().split("\n")[29].strip()) > 0, "the last line of the larger screen is empty")
        terminal.send("q")
        self.assert_restored(terminal, before, events)


class Events:
    """What the shell wrote down about its job."""

    def __init__(self, path):
        self.path = path

    def has(self, word):
        return self.path.exists() and word in self.path.read_text().split()

    def process(self):
        return int(re.search(r"started (\d+)\n", self.path.read_text())[1])

    def status(self):
        return int(re.search(r"ended (-?\d+)\n", self.path.read_text())[1])

    def kill(self):
        """Ends what is left of the job, so that a failed test leaves nothing behind."""
        if self.has("started") and not self.has("ended") and not is_gone(self.process()):
            os.kill(self.process(), signal.SIGKILL)


def is_gone(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def list_title(text):
    """The top border of the list's pane: entity and breadcrumb, or the whole second line where there is one pane."""
    line = text.split("\n")[1] if "\n" in text else ""
    panes = re.findall(r"╭([^╮]*)╮", line)
    return re.split(" ──|─{2}", panes[1] if len(panes) > 1 else line)[0]


def arrows(text):
    return re.findall("[↑↓]", text)
