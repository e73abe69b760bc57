#!/usr/bin/env python3
"""The scenes that MuJoCo runs beside us (benchmarks/peers/mujoco): both state the same mechanics, and ours keeps what it promises. Skipped where MuJoCo cannot be installed."""
import json
import os
import pathlib
import subprocess
import unittest

from _helpers import scratch

SOURCE = pathlib.Path(os.environ["CAROM_SOURCE"])


class MujocoPeer(unittest.TestCase):
    def compare(self, *arguments):
        words = ["/usr/bin/python3", SOURCE / "benchmarks/peers/mujoco/compare.py", "--carom", os.environ["CAROM"],
                 "--packages", SOURCE / "build/peers/mujoco", *arguments]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, cwd=scratch())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_scenes_are_the_same_and_ours_are_right(self):
        scenes = ("ball", "stack", "sliding_box", "slope", "cam")
        report = json.loads(self.compare("--json", *scenes))
        if "skipped" in report:
            self.skipTest(report["skipped"])
        for scene in ("ball", "stack", "sliding_box", "slope"):  # same masses, places, velocities, gravity
            ours, theirs = report["start_energies"][scene]
            self.assertAlmostEqual(ours, theirs, delta=1e-7 * abs(theirs), msg=scene)
        rows = {(row["scene"], row["what"]): row for row in report["rows"]}
        # In mm. A box stops within a step: mu g dt^2/2 = 1.5e-3 mm.
        for key, tolerance in {("ball", "rebound / approach"): 1e-9, ("stack", "top sinks by"): 1e-6, ("stack", "top drifts by"): 1e-6,
                               ("sliding_box", "stops after"): 1.5e-3, ("slope", "slips in 3 s"): 1e-9, ("cam", "lift is wrong by"): 1e-9,
                               ("sliding_box", "creeps in the next 2 s"): 1e-9, ("cam", "deepest penetration"): 1e-9}.items():
            row = rows[key]
            self.assertAlmostEqual(row["carom"], row["exact"], delta=tolerance, msg=key)
            self.assertGreater(abs(row["mujoco"] - row["exact"]), 0.0, key)  # soft contacts: another model, not a slip of ours

    def test_a_scene_that_is_not_there_is_named(self):
        done = subprocess.run(["/usr/bin/python3", SOURCE / "benchmarks/peers/mujoco/compare.py", "--carom", "x", "--packages", "y", "stak"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no scene 'stak'; there are: cradle", done.stderr)


if __name__ == "__main__":
    unittest.main()
