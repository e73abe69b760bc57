#!/usr/bin/env python3
"""Runs killed at any moment: the file they leave, read with h5py alone, is the beginning of the run that was not.
And runs that go on: their file can be read meanwhile.

CAROM_KILLS says how often for each number of bodies. With CAROM_KILL_TABLE the outcome of each kill is printed.
"""
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import h5py
import numpy as np
from _helpers import CAROM, scratch

KILLS = int(os.environ.get("CAROM_KILLS", "6"))

MODEL = """schema = 1
[units]
bare = "SI"
[world]
gravity = [0, 0, -9.81]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[generate.pile]
kind = "sphere_lattice"
name = "ball"
counts = COUNTS
radius = 0.05
density = 1000
pitch = 0.21
origin = [0, 0, 0.06]
[contact.default]
law = "bouncy"
[law.bouncy]
normal = { type = "newton", restitution = 0.7 }
[simulation]
t_end = 2000
step = 1e-3
scheme = "moreau_jean"
[output]
file = "run.h5"
checkpoint = { every = 0.05, keep = 3 }
[output.signal]
twice = "2*t"
"""


def columns(file):
    """Every dataset that grows with the samples."""
    found = {"time": file["time"]}
    for group in ("body", "energy", "signal"):
        file[group].visititems(lambda name, x: found.__setitem__(f"{group}/{name}", x) if isinstance(x, h5py.Dataset) and name != "names" else None)
    return found


class Kill(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        self.random = random.Random(20)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def start(self, out):
        return subprocess.Popen([CAROM, "run", "pile.toml", "--quiet", "--out", out], cwd=self.directory,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def same(self, found, wanted, name):
        self.assertTrue(found.tobytes() == wanted.tobytes(), f"{name} is not that of the whole run")

    def check(self, path, whole):
        """Samples that agree; fails with the first thing that does not."""
        with h5py.File(path) as file, h5py.File(whole) as reference:
            self.assertEqual(file.attrs["outcome"], "running")
            samples = len(file["time"])
            known = min(samples, len(reference["time"]))
            wanted = columns(reference)
            found = columns(file)
            self.assertEqual(found.keys(), wanted.keys())
            for name, dataset in found.items():
                self.assertEqual(len(dataset), samples, name)
                self.same(dataset[:known], wanted[name][:known], name)
            times = file["time"][:]
            self.assertTrue((np.diff(times) > 0).all())  # also behind what the reference knows: no zeros
            for name, dataset in file["stats"].items():
                self.assertEqual(len(dataset), samples - 1, name)
                self.same(dataset[: known - 1], reference["stats"][name][: known - 1], name)
            table = file["contact/table"][:]
            steps = min(known - 1, int(table["step"][-1]) if len(table) else 0)
            rows = int((table["step"] <= steps).sum())
            self.same(table[:rows], reference["contact/table"][:rows], "contact/table")
            if len(table):
                self.assertLess(table["contact"].max(), len(file["contact/names"]))
            newest = file["checkpoint"][sorted(file["checkpoint"])[-1]]
            row = int(np.searchsorted(times, newest.attrs["t"]))
            self.assertEqual(times[row], newest.attrs["t"])
            self.same(file["body/position"][row], np.ascontiguousarray(newest["q"][:].reshape(-1, 7)[:, :3]), "checkpoint")
            return samples

    def kills(self, counts, reference_seconds):
        (self.directory / "pile.toml").write_text(MODEL.replace("COUNTS", counts))
        process = self.start("whole.h5")
        time.sleep(reference_seconds)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(300), 130)
        outcomes = []
        for k in range(KILLS):
            run = self.directory / "run.h5"
            run.unlink(missing_ok=True)
            process = self.start("run.h5")
            # some while the file is made, some after one, two or three commits: each makes another file of that name
            seen = set()
            while k % 8 and len(seen) < 1 + k % 3 and process.poll() is None:
                if run.exists():
                    seen.add(run.stat().st_mtime_ns)
                time.sleep(0.005)
            time.sleep(self.random.uniform(0.0, 2.5) if k % 2 else self.random.uniform(0.0, 0.2))
            process.kill()
            process.wait()
            with self.subTest(counts=counts, kill=k):
                outcomes.append(None)
                outcomes[-1] = self.check(run, self.directory / "whole.h5") if run.exists() else 0
        if os.environ.get("CAROM_KILL_TABLE"):
            good = [n for n in outcomes if n is not None]
            print(f"\n{counts}: {KILLS} kills, {outcomes.count(None)} damaged, {good.count(0)} before the first commit, "
                  f"samples {sorted(good)}", flush=True)
        self.assertGreater(sum(1 for n in outcomes if n and n > 1), KILLS // 3)

    def test_the_file_is_read_while_the_run_goes_on(self):
        (self.directory / "pile.toml").write_text(MODEL.replace("COUNTS", "[3, 3, 3]"))
        process = self.start("run.h5")
        run = self.directory / "run.h5"
        while not run.exists():
            time.sleep(0.01)
        kept = h5py.File(run)
        beginning = {name: dataset[:].tobytes() for name, dataset in columns(kept).items()}
        lengths = set()
        end = time.monotonic() + 9
        while time.monotonic() < end:
            with h5py.File(run) as file:
                found = {name: len(dataset[:]) for name, dataset in columns(file).items()}
                self.assertEqual(len(set(found.values())), 1, found)
                lengths.add(len(file["time"]))
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(300), 130)
        self.assertGreater(len(lengths), 2)  # it grew meanwhile
        # The reader that came first still has what it opened.
        self.assertEqual({name: dataset[:].tobytes() for name, dataset in columns(kept).items()}, beginning)
        kept.close()

    def test_1_body(self):
        self.kills("[1, 1, 1]", 7)

    def test_100_bodies(self):
        self.kills("[10, 10, 1]", 7)

    def test_1000_bodies(self):
        self.kills("[10, 10, 10]", 15)


if __name__ == "__main__":
    unittest.main()
