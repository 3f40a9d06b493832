"""The checks are checked: values by hand, and faults planted in a stand-in for the program must be found."""
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path

import checksums
import compare_values
import corpus
import values
from hostile_bytes import HostileBytes

HERE = Path(__file__).parent


class ValueTests(unittest.TestCase):
    def test_dates(self):
        for seconds, text in [
            (0, "2001-01-01T00:00:00Z"), (783799445.25, "2025-11-02T18:04:05.25Z"), (-1, "2000-12-31T23:59:59Z"),
            (-0.000001, "2000-12-31T23:59:59.999999Z"), (-63114076800, "0001-01-01T00:00:00Z"),
            (252455616000, "+010001-01-01T00:00:00Z"), (68169600, "2003-03-01T00:00:00Z"),
            (99705600, "2004-02-29T00:00:00Z"),
        ]:
            self.assertEqual(values.date(seconds), text)
        self.assertEqual(values.date(123456789012345), 123456789012345)

    def test_reals_are_the_shortest_that_read_back(self):
        self.assertEqual(values.real(0.10000000149011612, is_float=True), Decimal("0.1"))
        self.assertEqual(values.real(0.1, is_float=False), Decimal("0.1"))
        self.assertEqual(values.real(float("-inf"), is_float=False), "-inf")

    def test_decimals_are_plain(self):
        for stored, text in [(3, "3"), (3.3333333332999993, "3.3333333332999993"), (1e21, "1" + "0" * 21), (2.5e-7, "0.00000025")]:
            self.assertEqual(values.decimal(stored), text)

    def test_binaries_and_their_tags(self):
        self.assertEqual(values.binary(b"ab"), {"bytes": 2, "base64": "YWI="})
        self.assertEqual(values.external(b"\x01ab", HERE), b"ab")
        self.assertIsNone(values.external(b"\x02" + b"0" * 36 + b"\0", HERE))

    def test_what_is_the_same_and_what_is_not(self):
        for expected, actual, same in [
            (1, 1, True), (1, True, False), (True, 1, False), (1, compare_values.Number("1.0"), False),
            (2**53 + 1, 2**53, False), (Decimal("1.5"), compare_values.Number("1.5"), True), (Decimal(2), 2, True),
            (Decimal("0.1"), compare_values.Number("0.10000000000000001"), False), ("a", "a", True), ("é", "e\u0301", False),
            (None, None, True), (None, 0, False), (0, None, False), ("1", 1, False),
            ({"bytes": 1, "base64": "YQ=="}, {"bytes": 1, "base64": "YQ=="}, True),
            ({"bytes": 1, "base64": "YQ=="}, {"bytes": 1, "base64": "YR=="}, False),
            ({"bytes": 1, "base64": "YQ=="}, {"bytes": 1, "class": "NSArray", "value": []}, True),
            ({"bytes": 1, "base64": "YQ=="}, {"bytes": 2, "class": "NSArray", "value": []}, False),
        ]:
            self.assertEqual(compare_values.is_same(expected, actual), same, (expected, actual))


class HostileBytesTests(unittest.TestCase):
    def test_the_damage_is_that_of_the_swift_tests(self):
        """The digest stands in HostileBytesTests.swift too."""
        numbers, content, digest = HostileBytes(9), bytes(index * 7 % 256 for index in range(5000)), hashlib.sha256()
        for _ in range(200):
            digest.update(numbers.page_damaged(content))
        self.assertEqual(digest.hexdigest(), "a694bdef914722ab26d8e5d5c6e673e130b31f5cbf884200128a5dc933715c82")


class FactsTests(unittest.TestCase):
    def test_every_kind_of_change_is_seen(self):
        def touch(folder):
            os.utime(folder / "a", ns=(1, 1))

        def write(folder):
            state = (folder / "a").stat()
            (folder / "a").write_bytes(b"2")
            os.utime(folder / "a", ns=(state.st_atime_ns, state.st_mtime_ns))

        def replace(folder):
            (folder / "b").write_bytes(b"1")
            os.utime(folder / "b", ns=(0, (folder / "a").stat().st_mtime_ns))
            (folder / "b").replace(folder / "a")

        cases = [(touch, "a: time"), (write, "a: checksum"), (replace, "a: inode"),
                 (lambda folder: (folder / "a-shm").touch(), "a-shm is new"), (lambda folder: (folder / "a").unlink(), "a is gone")]
        for change, words in cases:
            with self.subTest(words), tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                (folder / "a").write_bytes(b"1")
                before = checksums.facts(folder)
                self.assertEqual(list(checksums.changes(before, checksums.facts(folder))), [])
                change(folder)
                self.assertTrue(any(line.startswith(words) for line in checksums.changes(before, checksums.facts(folder))))


@unittest.skipIf(corpus.root() is None, "the corpus is absent: 8 comparisons left out")
class PlantedFaultTests(unittest.TestCase):
    def compare(self, fault, suffix):
        store = next(file for path, file in corpus.stores() if path.endswith(suffix))
        return subprocess.run(
            [sys.executable, HERE / "compare_values.py", HERE / "fake_program.py", store], capture_output=True, text=True,
            env={**os.environ, "FAULT": fault})

    def test_a_faultless_program_passes(self):
        done = self.compare("", "SampleStore2.1.sqlite")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^objects: [1-9]")

    def test_every_planted_fault_is_found(self):
        for fault in ("integer", "drop", "base64", "text", "float", "key", "rows"):
            with self.subTest(fault):
                done = self.compare(fault, "Moody 5.moody")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout, r"(?m)^differences: [1-9]")


if __name__ == "__main__":
    unittest.main()
