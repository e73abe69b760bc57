"""What a run will write is told before it starts, once it is more than a gigabyte; nothing is thinned unasked."""
import os
import re
import subprocess
import sys
import time
import unittest

from _helpers import BALL, CAROM, carom, scratch, sphere_lattice

UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}

# Nine balls at rest on a floor: contacts in every step.
BALLS = sphere_lattice((3, 3, 1), pitch=0.2, origin=(0, 0, -0.05), restitution=0, simulation="""[simulation]
scheme = "moreau_jean"
step = 1e-3
t_end = 0.5
[output]
file = "balls.h5"
""")


def told(text):
    """Bytes of results and of contacts in a warning W0305."""
    match = re.search(r"at least ([\d.]+) (\w+) of results(?: and up to ([\d.]+) (\w+) for (\d+) contacts)?", text)
    return match and (float(match[1]) * UNITS[match[2]], float(match[3] or 0) * UNITS[match[4] or "B"])


class Forecast(unittest.TestCase):
    def setUp(self):
        self.folder = scratch()

    def check(self, text, *more):
        (self.folder / "model.toml").write_text(text)
        return carom("check", "model.toml", *more, cwd=self.folder)

    def test_small_runs_are_silent(self):
        self.assertNotIn("W0305", self.check(BALLS).stderr)

    def test_the_limit_is_a_gigabyte(self):
        # Bytes grow with the number of steps: find the number the program says for one that is announced, and go below.
        much = told(self.check(BALLS, "--t-end", "5000").stderr)
        self.assertTrue(much)
        total = sum(much)
        self.assertGreater(total, 1e9)
        below, above = (5000 * share * 1e9 / total for share in (0.9, 1.1))
        self.assertNotIn("W0305", self.check(BALLS, "--t-end", str(below)).stderr)
        self.assertIn("W0305", self.check(BALLS, "--t-end", str(above)).stderr)

    def test_what_is_told_is_what_is_written(self):
        results, contacts = told(self.check(BALLS, "--t-end", "5000").stderr)
        per_second = (results + contacts) / 5000
        carom("run", "model.toml", cwd=self.folder)
        few = (self.folder / "balls.h5").stat().st_size
        carom("run", "model.toml", "--t-end", "2.5", cwd=self.folder)
        written = ((self.folder / "balls.h5").stat().st_size - few) / 2.0
        self.assertLess(abs(written / per_second - 1), 0.35, f"{written} bytes a second written, {per_second} told")

    def test_it_is_told_before_the_run_and_nothing_is_thinned(self):
        (self.folder / "model.toml").write_text(BALL.replace("t_end = 1.5", "t_end = 1e6").replace("step = 0.01", "step = 1e-4"))
        run = subprocess.Popen([CAROM, "run", "model.toml"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        begin, said = time.time(), ""
        while "W0305" not in said and time.time() - begin < 60:
            said += run.stderr.readline()
        time.sleep(0.5)
        run.send_signal(2)
        out, _ = run.communicate(timeout=60)
        self.assertIn("W0305", said)
        self.assertEqual(run.returncode, 130)
        import h5py
        with h5py.File(self.folder / "ball.h5") as file:
            steps, samples = len(file["stats/dt"]), len(file["time"])
        self.assertGreater(steps, 10)
        self.assertEqual(samples, steps + 1, "every step is a sample unless fields = { every = ... } is asked for")

    def test_thinned_on_request(self):
        (self.folder / "model.toml").write_text(BALLS + 'fields = { every = 0.01 }\ncontacts = "none"\n')
        carom("run", "model.toml", cwd=self.folder)
        import h5py
        with h5py.File(self.folder / "balls.h5") as file:
            self.assertEqual(len(file["time"]), 51)
        whole = told(self.check(BALLS, "--t-end", "50000").stderr)
        less = told(self.check(BALLS + 'fields = { every = 0.01 }\ncontacts = "none"\n', "--t-end", "50000").stderr)
        self.assertEqual(less[1], 0)
        self.assertLess(less[0], whole[0] / 5)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
