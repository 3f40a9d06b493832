#!/usr/bin/env python3
"""kill_saves.py PROGRAM [COUNT]: kills a program that saves without end, COUNT times (300) in either journal mode.

PROGRAM is the test target SaveLoop. It is stopped at a random moment; the locks on its store tell whether it stands between
BEGIN and COMMIT. Every other life goes on, to be stopped again, until it does. Then it is killed, and the store must be
whole: the state of the last save that was reported, or of the one that was under way. At least a third of the kills must
fall inside a transaction.
"""
import fcntl
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CELLS, TAGS, BLOB = 40, 3, 150_000
WRITE_LOCK_OF_WAL = 120
RESERVED = 0x40000001
FLOCK = "hhqqi4x"  # struct flock on Linux: type, whence, start, length, pid


def is_locked(path, byte):
    """Whether another process has locked a byte of a file."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        asked = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0)
        answer = struct.unpack(FLOCK, fcntl.fcntl(descriptor, fcntl.F_GETLK, asked))
        return answer[0] != fcntl.F_UNLCK
    finally:
        os.close(descriptor)


def is_in_transaction(store, journal):
    if journal == "wal":
        return is_locked(f"{store}-shm", WRITE_LOCK_OF_WAL)
    return is_locked(store, RESERVED)


class Torn(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Torn(text)


def saved_number(store):
    """The number of the save whose state the store is in; raises Torn for a state that no save leaves behind."""
    connection = sqlite3.connect(store)
    try:
        def rows(sql):
            return connection.execute(sql).fetchall()

        require(rows("PRAGMA integrity_check") == [("ok",)], "integrity_check")
        numbers = {
            number for table in ("ZCELL", "ZTAG", "ZLINE", "ZGUEST") for number, in rows(f"SELECT ZNUMBER FROM {table}")}
        require(len(numbers) == 1, f"numbers of several saves: {sorted(numbers)}")
        number = numbers.pop()
        require(rows("SELECT count(*) FROM ZCELL") == [(CELLS,)], "cells")
        guests = rows("SELECT Z_PK, ZDATA FROM ZGUEST")
        require(len(guests) == 1, f"{len(guests)} guests")
        require(rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Guest'") == [(guests[0][0],)], "Z_MAX")
        require(guests[0][0] == number + 1, "key of the guest")
        versions = rows("SELECT DISTINCT Z_OPT FROM ZCELL UNION SELECT Z_OPT FROM ZTAG UNION SELECT Z_OPT FROM ZLINE")
        require(versions == [(number + 1,)], f"versions {versions} after save {number}")
        joins = rows("SELECT * FROM (SELECT name FROM sqlite_schema WHERE name GLOB 'Z_[0-9]*' AND type = 'table')")
        columns = [row[1] for row in rows(f"PRAGMA table_info({joins[0][0]})")]
        tag = next(column for column in columns if column.endswith("TAGS"))
        pairs = rows(f"SELECT {tag}, count(*) FROM {joins[0][0]} GROUP BY 1")
        order = [key for key, in rows("SELECT Z_PK FROM ZTAG ORDER BY Z_PK")]
        require(pairs == [(order[number % TAGS], CELLS)], f"pairs {pairs} after save {number}")
        line = [key for key, in rows("SELECT Z_PK FROM ZCELL WHERE ZLINE = 1 ORDER BY Z_FOK_LINE")]
        turn = number % CELLS
        keys = [key for key, in rows("SELECT Z_PK FROM ZCELL ORDER BY Z_PK")]
        require(line == keys[turn:] + keys[:turn], f"order after save {number}")
        stored = guests[0][1]
        require(len(stored) == 38 and stored[0] == 2, "the guest's data has no file")
        folder = store.parent / f".{store.stem}_SUPPORT" / "_EXTERNAL_DATA"
        data = (folder / stored[1:37].decode()).read_bytes()
        require(data == bytes([number % 256]) * BLOB, f"data after save {number}")
        return number
    finally:
        connection.close()


def kill_once(program, store, journal, chance):
    """One life of the program; answers whether it died in a transaction, and what it had reported."""
    process = subprocess.Popen([program, store], stdout=subprocess.PIPE)
    try:
        first = process.stdout.readline()
        if not first:
            raise SystemExit(f"kill_saves.py: {program} ended with {process.wait()}")
        for _ in range(chance.choice((1, 200))):
            process.send_signal(signal.SIGCONT)
            time.sleep(chance.uniform(0, 0.1))
            process.send_signal(signal.SIGSTOP)
            os.waitpid(process.pid, os.WUNTRACED)
            inside = is_in_transaction(store, journal)
            if inside:
                break
    finally:
        process.kill()
    reported = [first, *process.stdout.read().splitlines()]
    process.stdout.close()
    process.wait()
    return inside, int(reported[-1])


def run(program, count, journal, chance):
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "Loop.sqlite"
        subprocess.run([program, store, "create"], check=True)
        connection = sqlite3.connect(store)
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.close()
        inside = before = after = 0
        for _ in range(count):
            is_inside, reported = kill_once(program, store, journal, chance)
            found = saved_number(store)
            require(found in (reported, reported + 1), f"save {reported} was reported, {found} was found")
            inside += is_inside
            before += found == reported
            after += found == reported + 1
        files = len(list((Path(folder) / ".Loop_SUPPORT" / "_EXTERNAL_DATA").iterdir()))
        print(
            f"{journal}: {count} kills, {inside} between BEGIN and COMMIT; the store was whole each time, "
            f"{before} times before the save, {after} times after it; {found} saves, {files - 1} files left over",
            flush=True)
        return inside


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    program = str(Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    for journal in ("wal", "delete"):
        try:
            inside = run(program, count, journal, chance)
        except Torn as torn:
            raise SystemExit(f"kill_saves.py: {journal}: the store is torn: {torn}")
        if inside * 3 < count:
            raise SystemExit(f"kill_saves.py: {journal}: only {inside} of {count} kills inside a transaction")


if __name__ == "__main__":
    main()
