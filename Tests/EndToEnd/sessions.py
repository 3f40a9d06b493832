"""What the end-to-end tests and the checks of files have in common: programs, stores and a session in the browser."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "CorpusChecks"))
import corpus  # noqa: E402, F401  (the folder beside this one)
from cached_model import Relationship  # noqa: E402, F401
from independent_reader import Reader  # noqa: E402, F401


def environment(home, **more):
    """The environment of a program in a test: nothing of the person's own, everything below `home`."""
    return {"HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home), **more}


def wait_open(terminal, timeout=20):
    """Waits until the browser shows its first screen with everything counted, and answers it."""
    terminal.wait_for(r"q quit *$|\b(locked|read-only) *$", timeout)
    return terminal.settle(timeout)


def look_around(terminal):
    """A short session that only looks: walk, both ends, drill in and back, sort twice, find; the browser stays open."""
    wait_open(terminal)
    for keys in (
        ["Down", "Down", "j", "k"], ["G"], ["g"], ["l", "l", "h", "Enter"], ["BSpace", "2", "s"], ["s", "NPage", "PPage"],
        ["Tab", "Down", "Tab", "Down", "Enter"], ["2", "f"], ["e", "Enter"], ["n", "?"], ["Escape"],
    ):
        terminal.send(*keys)
        terminal.settle()
    if terminal.is_dead():
        raise AssertionError(f"the browser ended by itself:\n{terminal.text()}")
