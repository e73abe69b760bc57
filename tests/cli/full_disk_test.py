#!/usr/bin/env python3
"""A disk that is full in the middle of a run, or of printing: exit 4, a message, and what was there before.

A limit on the size of files stands for the full disk, so that no rights are needed; where a small file system can be
mounted, it is tried too.
"""
import os
import resource
import shutil
import subprocess
import unittest

import h5py
from _helpers import BALL, CAROM, carom, scratch

LONG = BALL.replace("t_end = 1.5", "t_end = 1e4").replace("step = 0.01", "step = 1e-3") + 'contacts = "none"\nfields = { every = 0.1 }\n[output.signal]\ntwice = "2*t"\n'


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()

    def tearDown(self):
        shutil.rmtree(self.directory)

    def limited(self, size, *arguments, cwd=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        return subprocess.run([CAROM, *arguments], cwd=cwd or self.directory, preexec_fn=limit, capture_output=True,
                              text=True, timeout=120)

    def whole(self, path):
        with h5py.File(path) as f:
            n = len(f["time"])
            for name in ("energy/total", "signal/twice"):
                self.assertEqual(len(f[name]), n)
            steps = f["stats/t"][:]
            self.assertTrue((steps[1:] > steps[:-1]).all())
            self.assertLess(abs(f["time"][-1] - (steps[-1] if len(steps) else 0.0)), 0.11)
            return len(steps)

    def test_the_disk_fills_up_during_a_run(self):
        (self.directory / "long.toml").write_text(LONG)
        result = self.limited(60_000_000, "run", "long.toml", "--out", "long.h5")
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        self.assertIn("error[E0701]", result.stderr)
        self.assertIn("File too large", result.stderr)
        self.assertRegex(result.stderr, r"'long.h5' is whole up to t = ")
        self.assertGreater(self.whole(self.directory / "long.h5"), 1000)
        self.assertEqual(sorted(os.listdir(self.directory)), ["long.h5", "long.toml"])

    def test_no_room_at_all_leaves_the_old_result(self):
        (self.directory / "ball.toml").write_text(BALL)
        self.assertEqual(carom("run", "ball.toml", cwd=self.directory).returncode, 0)
        before = (self.directory / "ball.h5").read_bytes()
        result = self.limited(1000, "run", "ball.toml")
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        self.assertIn("cannot write 'ball.h5'", result.stderr)
        self.assertEqual((self.directory / "ball.h5").read_bytes(), before)

    def test_a_small_file_system(self):
        small = self.directory / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", small], capture_output=True).returncode:
            self.skipTest("no right to mount a file system")
        try:
            (small / "long.toml").write_text(LONG.replace("1e4", "1e3"))
            result = carom("run", "long.toml", cwd=small)
            self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
            self.assertIn("No space left on device", result.stderr)
            self.whole(small / "ball.h5")
            self.assertEqual(sorted(os.listdir(small)), ["ball.h5", "long.toml"])
        finally:
            subprocess.run(["umount", small], check=True)

    def test_output_that_cannot_be_printed(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([CAROM, "list", "schemes"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 4)
        self.assertIn("error[E0701]", result.stderr)


if __name__ == "__main__":
    unittest.main()
