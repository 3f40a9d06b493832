"""Who owns the store is never hindered by somebody who looks at it."""
import json
import os
import subprocess
import sys
import time
import unittest

from live_session import DEMO, LiveSession, shell

#: Commits until it is told to end; prints its commits, its errors and the largest log it saw.
OWNER = """
import json, os, sqlite3, sys, time
store, mode, timeout, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
connection = sqlite3.connect(store, isolation_level=None, timeout=timeout)
mode_now = connection.execute("PRAGMA journal_mode = " + mode).fetchone()[0]
assert mode_now == mode, mode_now
connection.execute("PRAGMA wal_autocheckpoint = 0")
connection.execute("UPDATE ZHIKER SET ZSTEPS = ZSTEPS + 1, Z_OPT = Z_OPT + 1 WHERE Z_PK = 1")
print("ready", flush=True)
sys.stdin.readline()
commits, errors, largest, slowest, end = 0, [], 0, 0, time.monotonic() + seconds
while time.monotonic() < end:
    begun = time.monotonic()
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE ZHIKER SET ZSTEPS = ZSTEPS + 1, Z_OPT = Z_OPT + 1 WHERE Z_PK BETWEEN ? AND ?",
                           (commits % 200, commits % 200 + 20))
        connection.execute("COMMIT")
        commits += 1
        if mode == "wal" and commits % 20 == 0:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    except sqlite3.OperationalError as error:
        errors.append(str(error))
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    slowest = max(slowest, time.monotonic() - begun)
    if mode == "wal":
        largest = max(largest, os.path.getsize(store + "-wal"))
    time.sleep(0.005)
connection.close()
print(json.dumps([commits, errors, largest, slowest]))
"""


class OwnerTests(LiveSession):
    SECONDS = 60 if os.environ.get("LONG") else 8

    def owned(self, mode, timeout):
        """A browser that is used all the time while another process commits; answers what the other tells."""
        self.prepare(DEMO)
        shell(self.store, f"PRAGMA journal_mode = {mode}")
        owner = subprocess.Popen(
            [sys.executable, "-c", OWNER, str(self.store), mode, str(timeout), str(self.SECONDS)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(owner.wait, 20)
        self.addCleanup(owner.kill)
        self.assertEqual(owner.stdout.readline(), "ready\n")
        terminal = self.watch()
        self.assertRegex(terminal.frame.text, "● live")
        owner.stdin.write("\n")
        owner.stdin.flush()
        keys = 0
        while owner.poll() is None:
            for key in ("\x04", "G", "g", "s", "j", "k", "Enter", "Backspace", "2", "f", "a", "Enter", "n", "Escape"):
                terminal.send(key)
                time.sleep(0.03)
                keys += 1
        output, problem = owner.communicate(timeout=20)
        self.assertEqual(problem, "")
        commits, errors, largest, slowest = json.loads(output)
        print(f"{mode}: {commits} commits, slowest {slowest * 1000:.0f} ms, log {largest / 1e6:.1f} MB, {keys} keys", file=sys.stderr)
        self.assertEqual(errors, [])
        self.assertTrue(terminal.is_running())
        self.assertGreater(commits, self.SECONDS * 5)
        terminal.rest()
        since = terminal.now
        shell(self.store, self.set(1, "After"))
        terminal.wait_for(r"● live.* [\d,]+ changes", since)
        return largest

    def test_in_wal_mode_without_a_busy_timeout(self):
        largest = self.owned("wal", 0)
        self.assertLess(largest, 8e6, "the log grows without bound")

    def test_in_rollback_mode_with_the_usual_timeout(self):
        self.owned("delete", 5)


if __name__ == "__main__":
    unittest.main()
