#!/usr/bin/env python3
"""run.py PROGRAM [TEST …]: runs the end-to-end tests under tmux on a compiled storebrowser.

A test is a module, a class or a method: browser_tests, owner_tests.OwnerTests, …; all of them unless some are named.
"""
import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    program = Path(sys.argv[1]).resolve()
    if not os.access(program, os.X_OK):
        raise SystemExit(f"run.py: {program} is no program: build it first, with `make release`")
    os.environ["STOREBROWSER_PROGRAM"] = str(program)
    loader = unittest.defaultTestLoader
    names = sys.argv[2:] or sorted(path.stem for path in Path(__file__).parent.glob("*_tests.py"))
    suite = loader.loadTestsFromNames(names)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
