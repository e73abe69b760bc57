#!/usr/bin/env python3
"""carom resume and diff: a run that was killed, interrupted or ended goes on to the file of the run that was not."""
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from _helpers import BALL, CAROM, SOURCE, carom, scratch

KILLS = int(os.environ.get("CAROM_RESUMES", "4"))


class Resume(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        shutil.copy(SOURCE / "scenarios/slider_crank.toml", self.directory / "crank.toml")
        (self.directory / "ball.toml").write_text(BALL)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def carom(self, *arguments):
        return carom(*arguments, cwd=self.directory)

    def same(self, a, b):
        told = self.carom("diff", a, b)
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        self.assertIn("equal, bit for bit", told.stdout)

    def test_kill_9_at_any_moment(self):
        outcome = self.carom("run", "crank.toml", "--t-end", "1", "--quiet", "--out", "whole.h5").returncode
        self.assertIn(outcome, (0, 1))
        begin = time.monotonic()
        subprocess.run([CAROM, "run", "crank.toml", "--t-end", "1", "--quiet", "--out", "again.h5"], cwd=self.directory)
        seconds = time.monotonic() - begin
        chance, resumed = random.Random(4), 0
        for _ in range(KILLS):
            for left in self.directory.glob("cut.h5*"):
                left.unlink()
            process = subprocess.Popen([CAROM, "run", "crank.toml", "--t-end", "1", "--quiet", "--out", "cut.h5"], cwd=self.directory,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.0, 1.1 * seconds))
            process.kill()
            if process.wait() != -signal.SIGKILL or not (self.directory / "cut.h5").exists():
                continue  # it was done already, or had not begun
            while True:  # resumed runs are killed too
                process = subprocess.Popen([CAROM, "resume", "cut.h5", "--quiet"], cwd=self.directory, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True)
                try:
                    process.wait(chance.uniform(0.2, 3.0) * seconds)
                    break
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
            told = process.stderr.read()
            if "[E0612]" in told:
                continue  # killed before anything was committed
            if "[E0613]" not in told:  # else the killed run was complete, and had only not ended yet
                self.assertEqual(process.returncode, outcome, told)
            self.same("whole.h5", "cut.h5")
            resumed += 1
        self.assertGreater(resumed, 0)

    def test_a_finished_run_goes_on(self):
        self.carom("run", "ball.toml", "--quiet", "--out", "whole.h5")
        self.carom("run", "ball.toml", "--quiet", "--t-end", "0.7", "--out", "half.h5")
        done = self.carom("resume", "half.h5")
        self.assertEqual(done.returncode, 2)
        self.assertIn("E0613", done.stderr)
        done = self.carom("resume", "half.h5", "--t-end", "1.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("going on from t = 0.7", done.stdout)
        self.same("whole.h5", "half.h5")

    def test_a_changed_model_is_refused_and_branched(self):
        self.carom("run", "ball.toml", "--quiet", "--t-end", "0.7", "--out", "half.h5")
        (self.directory / "ball.toml").write_text(BALL.replace("restitution = 0.5", "restitution = 0.9"))
        done = self.carom("resume", "half.h5", "--t-end", "1.5")
        self.assertEqual(done.returncode, 2)
        self.assertIn("E0610", done.stderr)
        self.assertIn("restitution = 0.9", done.stderr)
        done = self.carom("resume", "half.h5", "--t-end", "1.5", "--branch")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.directory / "half.branch.h5").exists())
        done = self.carom("resume", "half.h5", "--t-end", "1.5", "--branch", "law.floor.normal.restitution=0.1", "--out", "other.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = self.carom("diff", "half.branch.h5", "other.h5")
        self.assertEqual(told.returncode, 1)
        self.assertIn("first difference at t = ", told.stdout)

    def test_what_is_no_result(self):
        (self.directory / "no.h5").write_text("nothing")
        self.assertEqual(self.carom("resume", "no.h5").returncode, 4)
        self.assertEqual(self.carom("resume", "missing.h5").returncode, 4)

    def test_diff_tells_a_script(self):
        self.carom("run", "ball.toml", "--quiet", "--out", "a.h5")
        self.carom("run", "ball.toml", "--quiet", "--set", "h=1.0000000001", "--out", "b.h5")
        done = self.carom("diff", "a.h5", "b.h5", "--json")
        self.assertEqual(done.returncode, 1)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertFalse(last["equal"])
        self.assertEqual(self.carom("diff", "a.h5", "b.h5", "--tolerance", "1e-6").returncode, 0)


if __name__ == "__main__":
    unittest.main()
