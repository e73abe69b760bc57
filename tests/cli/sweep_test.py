#!/usr/bin/env python3
"""carom sweep: the same table for any number of workers and ranks, going on after a kill, and bifurcation diagrams."""
import csv
import json
import os
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

from _helpers import CAROM, SOURCE, carom, scratch

CRANK = SOURCE / "scenarios/slider_crank.toml"
OVER = ["--over", "clearance=2e-4:1e-3:4", "--over", "law.steel.tangential.friction=0,0.1", "--t-end", "0.01", "--measure",
        "worst=max(guide.impulse_normal)"]
MPI = shutil.which("mpirun") and (Path(CAROM).parent / "carom-mpi").exists()


class Sweep(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()

    def tearDown(self):
        shutil.rmtree(self.directory)

    def sweep(self, *arguments):
        return carom("sweep", CRANK, *arguments, cwd=self.directory)

    def text(self, name):
        return (self.directory / name).read_text()

    def test_one_and_two_workers(self):
        for workers in ("1", "2"):
            done = self.sweep(*OVER, "--workers", workers, "--out", f"w{workers}.csv")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.text("w1.csv"), self.text("w2.csv"))
        rows = list(csv.DictReader(self.text("w1.csv").splitlines()))
        self.assertEqual(len(rows), 8)
        self.assertEqual({row["outcome"] for row in rows}, {"finished"})
        # A row is the run it names.
        row = rows[5]
        done = carom("run", CRANK, "--t-end", "0.01", "--set", f"clearance={row['clearance']}", "--set",
                     f"law.steel.tangential.friction={row['law.steel.tangential.friction']}", "--json", "--out", "one.h5", cwd=self.directory)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual(last["largest_normal_impulse"], float(row["worst [kg*m/s]"]))

    @unittest.skipUnless(MPI, "no MPI here")
    def test_ranks(self):
        self.sweep(*OVER, "--workers", "1", "--out", "threads.csv")
        for ranks in ("1", "3"):
            environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                           "LSAN_OPTIONS": "detect_leaks=0"}  # MPI unloads the plug-ins that have lost memory: they have no name then
            done = subprocess.run(["mpirun", "--oversubscribe", "-n", ranks, CAROM, "sweep", str(CRANK), *OVER, "--mpi", "--out", f"r{ranks}.csv"],
                                  cwd=self.directory, env=environment, capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.text(f"r{ranks}.csv"), self.text("threads.csv"))

    def test_goes_on_where_it_was(self):
        self.sweep(*OVER, "--out", "whole.csv")
        lines = self.text("whole.jsonl").splitlines()
        (self.directory / "cut.jsonl").write_text("\n".join(lines[:3]) + "\n" + lines[3][:20])
        done = self.sweep(*OVER, "--out", "cut.csv", "--json")
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["found"], 3)
        self.assertEqual(self.text("cut.csv"), self.text("whole.csv"))

    def test_failed_runs_are_kept_and_named(self):
        done = self.sweep("--over", "clearance=1e-3,-1", "--t-end", "0.001", "--out", "t.csv")
        self.assertEqual(done.returncode, 3)
        self.assertIn("--set clearance=-1", done.stdout)
        self.assertIn("--retry", done.stdout)
        rows = list(csv.DictReader(self.text("t.csv").splitlines()))
        self.assertEqual([row["outcome"] for row in rows], ["finished", "refused"])

    def test_drawn_designs_and_hdf5(self):
        done = self.sweep("--over", "clearance=normal(1e-3, 5e-5)", "--over", "crank_rate=uniform(100, 150)", "--design", "latin_hypercube",
                          "--samples", "6", "--t-end", "0.002", "--out", "t.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("median", done.stdout)
        import h5py
        with h5py.File(self.directory / "t.h5") as file:
            self.assertEqual(len(set(file["parameter/clearance"][:])), 6)
            energy = file["measure/energy_end"]
            self.assertEqual((energy.shape, energy.attrs["unit"]), ((6,), "J"))
            self.assertEqual(list(file["percentile/level"]), [0, 0.05, 0.5, 0.95, 1])
            self.assertEqual(list(file["percentile/measure/energy_end"]), [sorted(energy)[k] for k in (0, 0, 3, 5, 5)])

    def test_units_of_columns(self):
        model = SOURCE / "scenarios/slider_crank_bodies.toml"
        done = carom("sweep", model, "--over", "c=0.5 mm,1 mm", "--over", "mu=0.01,0.1", "--measure", "worst=max(impact)", "--t-end", "1 ms", "--out", "u.h5",
                     "--json", cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        import h5py
        with h5py.File(self.directory / "u.h5") as file:
            self.assertEqual((list(file["parameter/c"]), file["parameter/c"].attrs["unit"]), ([5e-4, 5e-4, 1e-3, 1e-3], "m"))
            self.assertEqual(file["parameter/mu"].attrs["unit"], "1")
            worst = file["measure/worst"]
            self.assertEqual(worst.attrs["unit"], "kg*m/s")
            told = json.loads(done.stdout.splitlines()[-1])["measures"]["worst"]
            self.assertEqual((told["least"], told["largest"], told["unit"]), (min(worst), max(worst), "kg*m/s"))

    def test_a_study_of_the_file(self):
        model = SOURCE / "scenarios/slider_crank_bodies.toml"
        done = carom("sweep", model, "clearance", "--t-end", "1 ms", "--out", "s.csv", cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        rows = list(csv.DictReader(self.text("s.csv").splitlines()))
        self.assertEqual(len(rows), 60)
        self.assertEqual(float(rows[0]["c [m]"]), 1e-4)  # numbers in the unit of the head
        self.assertIn("mu", rows[0])
        self.assertIn("n_hard", rows[0])
        self.assertIn("worst [kg*m/s]", rows[0])
        done = carom("sweep", model, "clearence", cwd=self.directory)
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean 'clearance'", done.stderr)

    def test_studies_of_other_kinds(self):
        model = SOURCE / "scenarios/slider_crank_bodies.toml"
        done = carom("compare", model, "schemes", "--t-end", "1 ms", "--json", cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([json.loads(line)["scheme"] for line in done.stdout.splitlines()],
                         ["moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"])
        done = carom("compare", model, "schemes", "--schemes", "moreau_jean", "--t-end", "1 ms", "--json", cwd=self.directory)
        self.assertEqual(len(done.stdout.splitlines()), 1, "the command line goes before the file")
        # Steps, schemes, end and reference are those of the file: nine steps of each scheme.
        text = model.read_text().replace('geomspace(100 us, 1 us, 9)', 'geomspace(200 us, 50 us, 3)').replace('until     = "60 ms"', 'until     = "2 ms"')
        text = text.replace('{ scheme = "event_driven", tolerance = 1e-12 }', '{ scheme = "moreau_jean", step = "10 us" }')
        text = text.replace('schemes   = ["moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"]', 'schemes   = ["projection_combined"]')
        (self.directory / "short.toml").write_text(text)
        done = carom("converge", "short.toml", "order", "--out", "c", cwd=self.directory)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertIn("to 0.002 s", done.stdout)
        rows = list(csv.DictReader(self.text("c.csv").splitlines()))
        self.assertEqual(len(rows), 3)
        self.assertEqual({row["scheme"] for row in rows}, {"projection_combined"})
        # A study of another kind names the command that runs it.
        for command, study, right in (("sweep", "order", "carom converge"), ("converge", "schemes", "carom compare"), ("compare", "clearance", "carom sweep")):
            done = carom(command, model, study, cwd=self.directory)
            self.assertEqual(done.returncode, 2)
            self.assertIn("E0161", done.stderr)
            self.assertIn(right, done.stderr)

    def test_a_hang_up_under_nohup(self):
        """A long sweep is left alone when its terminal goes away, and goes on."""
        process = subprocess.Popen(["nohup", CAROM, "sweep", str(CRANK), "--over", "clearance=1e-4:2e-3:400", "--workers", "1", "--out", "n.csv"],
                                   cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        journal = self.directory / "n.jsonl"
        for _ in range(600):
            if journal.exists() and journal.stat().st_size > 0:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGHUP)
        before = journal.stat().st_size
        for _ in range(600):
            if journal.stat().st_size > before:
                break
            time.sleep(0.05)
        self.assertGreater(journal.stat().st_size, before, "it goes on")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        rows = list(csv.DictReader(self.text("n.csv").splitlines()))
        self.assertEqual(len(rows), 400)
        self.assertGreater(sum(row["outcome"] == "finished" for row in rows), 0)

    def test_nonsense(self):
        for arguments in (["--over", "clearance"], ["--over", "clearance=1:2:x"], ["--over", "clearance=uniform(1,2)"],
                          ["--over", "clearance=1e-3", "--measure", "x=max(nobody.gap)"], ["--over", "clearance=1e-3", "--section", "1"],
                          ["--over", "clearance=1e-3", "--section", "1", "--show", "nobody.x"]):
            done = self.sweep(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("E0161", done.stderr)
        self.assertIn("E0103", self.sweep("--over", "clearence=1e-3").stderr)

    @unittest.skipIf(MPI, "there is MPI here")
    def test_without_mpi(self):
        done = self.sweep(*OVER, "--mpi")
        self.assertEqual(done.returncode, 4)
        self.assertIn("E0703", done.stderr)

    def test_a_diagram_over_a_study_of_the_file(self):
        model = SOURCE / "scenarios/driven_impact_oscillator.toml"
        done = carom("sweep", model, "frequency", "--skip", "0", "--keep", "1", "--set", "distance=0.1", "--step", "0.05", "--out", "d.csv",
                     cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = list(csv.DictReader(self.text("d.csv").splitlines()))
        self.assertEqual((len(rows), float(rows[0]["omega"]), float(rows[-1]["omega"])), (1000, 2.0, 4.2))

    def test_a_diagram(self):
        model = SOURCE / "scenarios/driven_impact_oscillator.toml"
        done = carom("sweep", model, "--over", "omega=0.8:1:6", "--section", "2*pi/omega", "--show", "mass.velocity", "--skip", "20", "--keep", "10",
                     "--follow", "both", "--out", "d.csv", cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(self.text("d.csv").splitlines()), 1 + 2 * 6 * 10)
        self.assertIn("runs of period", done.stdout)


if __name__ == "__main__":
    unittest.main()
