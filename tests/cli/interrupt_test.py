#!/usr/bin/env python3
"""Ctrl-C, SIGTERM, SIGHUP and a reader that goes away, sent to every command that takes its time."""
import csv
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import termios
import time
import unittest

import h5py
from _helpers import BALL, CAROM, SOURCE, scratch

# A second on a quiet machine; what does not listen takes for ever.
SOON = 5
LONG = ("--t-end", "1e5", "--step", "1e-3")
# So many bodies that reading them and making their result file take a while.
MANY = """schema = 1
[units]
bare = "SI"
[generate.pile]
kind = "sphere_lattice"
name = "ball"
counts = [20, 20, 20]
radius = 0.05
density = 1000
pitch = 0.21
origin = [0, 0, 1000]
[simulation]
t_end = 1
step = 1e-3
scheme = "moreau_jean"
"""


# One contact in the plane.
ONE_CONTACT = "2\n1\n0\n2 2\n2 2\n1. 0. 0. 1.\n-1 0\n0.3\n"


class Interrupt(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        (self.directory / "ball.toml").write_text(BALL)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def start(self, *arguments, **more):
        return subprocess.Popen([CAROM, *map(str, arguments)], cwd=self.directory, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def wait_for(self, name):
        for _ in range(3000):
            if (self.directory / name).exists():
                return
            time.sleep(0.01)
        self.fail(f"{name} was not made")

    def wait_until_ready(self, process):
        """It handles signals: on a busy machine its start takes a while."""
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status") as status:
                caught = next((line for line in status if line.startswith("SigCgt")), "SigCgt: 0")
            if int(caught.split()[1], 16) >> (signal.SIGALRM - 1) & 1:
                return
            time.sleep(0.01)

    def outcome(self, process, seconds=20):
        """Exit code, output, errors, and how long it took from now on."""
        begin = time.monotonic()
        out, err = process.communicate(timeout=seconds)
        return process.returncode, out, err, time.monotonic() - begin

    def whole(self, outcome="interrupted"):
        with h5py.File(self.directory / "ball.h5") as f:
            self.assertEqual(f.attrs["outcome"], outcome)
            self.assertEqual(len(f["time"]), len(f["stats/t"]) + 1)
            self.assertEqual(f["time"][-1], f["checkpoint"][sorted(f["checkpoint"])[-1]].attrs["t"])
        self.assertEqual([name for name in os.listdir(self.directory) if "part" in name], [])

    def test_run_ends_after_its_step_and_the_file_is_whole(self):
        for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(which):
                (self.directory / "ball.h5").unlink(missing_ok=True)
                process = self.start("run", "ball.toml", *LONG)
                self.wait_for("ball.h5")
                process.send_signal(which)
                code, out, err, seconds = self.outcome(process)
                self.assertEqual(code, 130, err)
                self.assertIn("interrupted", out)
                self.whole()

    def test_a_hang_up_that_is_ignored_stays_ignored(self):
        process = self.start("run", "ball.toml", *LONG, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for("ball.h5")
        process.send_signal(signal.SIGHUP)
        time.sleep(0.5)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(self.outcome(process)[0], 130)

    def test_a_reader_that_goes_away(self):
        # Without a terminal a run prints its first line at once and the next after ten seconds: its report is what
        # nobody reads.
        process = self.start("run", "ball.toml", "--t-end", "150", "--json")
        self.assertIn("start", process.stdout.readline())
        process.stdout.close()
        process.stdout = None
        code, _, err, _ = self.outcome(process, 60)
        self.assertEqual((code, err), (141, ""))
        self.whole("finished")

    def test_a_reader_that_goes_away_during_the_run(self):
        # A terminal is written to ten times a second; when its other side is closed the run gets SIGHUP.
        master, slave = os.openpty()
        process = subprocess.Popen([CAROM, "run", "ball.toml", *LONG], cwd=self.directory, stdout=slave, stderr=slave,
                                   stdin=slave, start_new_session=True,
                                   preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.wait_for("ball.h5")
        os.read(master, 100)
        os.close(master)
        self.assertEqual(process.wait(20), 130)
        self.whole()

    def test_every_command_ends_within_a_second(self):
        crank = SOURCE / "scenarios" / "slider_crank.toml"
        (self.directory / "many.toml").write_text(MANY)
        commands = {
            "reproduce": ("reproduce", "acary-2012-table-3"),
            "check": ("check", "many.toml"),
        }
        for name, arguments in commands.items():
            with self.subTest(name):
                process = self.start(*arguments)
                self.wait_until_ready(process)
                time.sleep(0.3)
                if process.poll() is not None:
                    self.fail(f"{name} was done before it could be interrupted: {process.communicate()}")
                process.send_signal(signal.SIGINT)
                code, _, err, seconds = self.outcome(process)
                self.assertEqual((code, err.splitlines()[-1]), (130, "interrupted"))
                self.assertLess(seconds, SOON)

    def interrupted_study(self, *arguments):
        process = self.start(*arguments)
        self.wait_until_ready(process)
        time.sleep(1.0)
        if process.poll() is not None:
            self.fail(f"done before it could be interrupted: {process.communicate()}")
        process.send_signal(signal.SIGINT)
        return self.outcome(process)

    def test_compare_keeps_its_finished_rows(self):
        # The same run so often that some are done after a second, and most are not.
        many = 2000
        arguments = ("compare", "ball.toml", "--t-end", "150", "--schemes", ",".join(["moreau_jean"] * many))
        for more in ((), ("--json",)):
            with self.subTest(more):
                code, out, err, seconds = self.interrupted_study(*arguments, *more)
                self.assertEqual(code, 130, err)
                self.assertLess(seconds, SOON)
                told = re.search(rf"interrupted in moreau_jean: (\d+) of {many} schemes are finished and kept", err)
                self.assertTrue(told, err)
                done = int(told[1])
                self.assertTrue(0 < done < many, err)
                with open(self.directory / "ball.compare.csv") as file:
                    self.assertEqual([row["outcome"] for row in csv.DictReader(file)], ["finished"] * done)
                rows = [line for line in out.splitlines() if "sound" in line]
                self.assertEqual(len(rows), done)
                if more:
                    self.assertEqual(json.loads(out.splitlines()[-1]),
                                     {"event": "interrupted", "scheme": "moreau_jean", "finished": done, "of": many})

    def test_converge_keeps_its_finished_rows(self):
        # The exact solution is known; the last step of the first scheme is so short that it takes for ever.
        arguments = ("converge", "ball.toml", "--schemes", "moreau_jean,schatzman_paoli", "--steps", "1e-2,1e-8,4")
        code, out, err, seconds = self.interrupted_study(*arguments)
        self.assertEqual(code, 130, err)
        self.assertLess(seconds, SOON)
        self.assertIn("interrupted in moreau_jean: 0 of 2 schemes are finished and kept", err)
        self.assertIn("no statement", out)
        self.assertIn("interrupted before it was judged", out)
        with open(self.directory / "ball.converge.csv") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 0)
        self.assertLess(len(rows), 4)
        self.assertTrue(all(float(row["position_max"]) > 0 for row in rows))

    def test_converge_without_a_reference_has_nothing_to_keep(self):
        crank = SOURCE / "scenarios" / "slider_crank.toml"
        code, out, err, _ = self.interrupted_study("converge", crank, "--t-end", "100", "--schemes", "moreau_jean")
        self.assertEqual((code, out), (130, ""))
        self.assertIn("interrupted in reference: 0 of 1 schemes are finished and kept", err)

    def test_solve_keeps_the_rows_it_printed(self):
        # One problem after another; each row is printed when it is done.
        (self.directory / "one.dat").write_text(ONE_CONTACT)
        process = self.start("solve", *["one.dat"] * 50000)
        lines = [process.stdout.readline() for _ in range(3)]
        self.assertIn("contacts", lines[0])
        self.assertIn("solved", lines[2])
        process.send_signal(signal.SIGINT)
        # Read by the same reader: `communicate` does not know what that one holds already.
        rest, err = process.stdout.read().splitlines(), process.stderr.read()
        process.stdout.close()
        process.stderr.close()
        self.assertEqual((process.wait(), err), (130, "interrupted\n"))
        self.assertEqual([line for line in rest if "solved" not in line], [])
        self.assertLess(len(rest), 49990)

    def test_bench_takes_its_programs_along(self):
        # Programs are looked for beside the program itself.
        copy = self.directory / "carom"
        shutil.copy(CAROM, copy)
        (self.directory / "bench_slow").write_text(f"#!/bin/sh\necho $$ > {self.directory}/child\nexec sleep 100\n")
        (self.directory / "bench_slow").chmod(0o755)
        process = subprocess.Popen([copy, "bench", "slow"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for("child")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        code, _, err, seconds = self.outcome(process)
        self.assertEqual((code, err), (130, "interrupted\n"))
        self.assertLess(seconds, SOON)
        child = int((self.directory / "child").read_text())
        for _ in range(100):
            if not os.path.exists(f"/proc/{child}") or "State:\tZ" in open(f"/proc/{child}/status").read():
                return
            time.sleep(0.02)
        self.fail("the benchmark runs on")

    def test_what_takes_long_is_announced_and_a_second_signal_ends_it(self):
        # Stopped in the midst of it, any run takes long. Whether it is still at it when it is stopped is a matter of luck.
        (self.directory / "many.toml").write_text(MANY)
        for _ in range(20):
            (self.directory / "many.h5").unlink(missing_ok=True)
            process = self.start("run", "many.toml")
            self.wait_for("many.h5.carom-part")
            process.send_signal(signal.SIGINT)
            time.sleep(0.03)
            process.send_signal(signal.SIGSTOP)
            time.sleep(1.2)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
            code, _, err, seconds = self.outcome(process)
            self.assertEqual(code, 130, err)
            self.assertLess(seconds, SOON)
            self.assertEqual([name for name in os.listdir(self.directory) if "part" in name], [])  # nothing half done stays
            if "as soon as the step it computes is done" in err:
                return
        self.fail("never announced: " + err)


if __name__ == "__main__":
    unittest.main()
