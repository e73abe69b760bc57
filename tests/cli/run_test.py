#!/usr/bin/env python3
"""carom run, check and list from the outside; result files are read with h5py alone."""
import fcntl
import json
import math
import shutil
import signal
import subprocess
import time
import unittest

import h5py
from _helpers import BALL, CAROM, SOURCE, carom, scratch


DROP = """schema = 1
units.bare = "SI"
[world]
gravity = [0, 0, 0]
[body.sphere]
density = 1000
shape = { type = "sphere", radius = 0.01 }
position = [0, 0, 0.03]
velocity = [0, 0, -10]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[contact.default]
law = "soft"
[law.soft]
normal = { restitution = 0 }
[simulation]
t_end = 0.02
step = 0.005
scheme = "moreau_jean"
[simulation.moreau_jean]
theta = 1
[output]
contacts = "every_step"
"""


class Run(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        (self.directory / "ball.toml").write_text(BALL)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def carom(self, *arguments, code=0):
        result = carom(*arguments, cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def test_shipped_scenarios_are_not_everywhere(self):
        self.assertIn("[E0112]", self.carom("list", "scenarios", code=2).stderr)

    def test_result_file(self):
        text = self.carom("run", "ball.toml").stdout
        for part in ("carom 0.1.0  ball  moreau_jean", "150 steps", "deepest penetration", "energy 2 ->",
                     "normal impulse", "wrote  ball.h5"):
            self.assertIn(part, text)
        self.assertFalse((self.directory / "ball.problem.h5").exists())
        with h5py.File(self.directory / "ball.h5") as f:
            self.assertEqual(f.attrs["format"], 3)
            self.assertEqual(f.attrs["outcome"], "finished")
            self.assertEqual(f["model/source"][()].decode(), BALL)
            resolved = json.loads(f["model/resolved"][()])
            self.assertEqual(resolved["simulation"]["scheme"]["name"], "moreau_jean")
            self.assertEqual(resolved["model"]["parameters"]["height"], 1.0)
            self.assertEqual(f["time"].shape, (151,))
            self.assertEqual(f["time"].attrs["unit"], "s")
            y = f["coordinate/ball.height"][:]
            self.assertEqual(f["coordinate/ball.height"].attrs["unit"], "m")
            self.assertEqual(f["velocity/ball.velocity"].attrs["unit"], "m/s")
            self.assertEqual(resolved["state"]["/coordinate/ball.height"]["unit"], "m")
            for k in range(95):  # free fall, exact with constant force
                self.assertAlmostEqual(y[k], 1 - (0.01 * k) ** 2, places=9)
            table = f["contact/table"][:]
            self.assertEqual([n.decode() for n in f["contact/names"][:]], ["floor"])
            self.assertIn("2 slip", f["contact/table"].attrs["status"])
            self.assertIn("pn [N s]", f["contact/table"].attrs["units"])
            impacts = table[table["pn"] > 0]
            self.assertEqual(set(impacts["status"]), {2})  # without friction
            self.assertAlmostEqual(impacts["vn_plus"][0], -0.5 * impacts["vn_minus"][0], places=12)
            # m (v+ - v-) = impulse + force dt
            self.assertAlmostEqual(impacts["pn"][0], impacts["vn_plus"][0] - impacts["vn_minus"][0] + 2 * 0.01,
                                   places=12)
            total = f["energy/total"][:]
            balance = total[0] + f["energy/other_work"][-1] - f["energy/impact_loss"][-1] \
                - f["energy/friction_loss"][-1] + f["energy/scheme_residual"][-1]
            self.assertAlmostEqual(balance, total[-1], places=12)
            self.assertEqual(len(f["stats/newton_iterations"]), 150)
            self.assertEqual(f["event/table"][0]["kind"], 0)
            last = f["checkpoint"][sorted(f["checkpoint"])[-1]]
            self.assertEqual(last["q"][0], y[-1])
            self.assertEqual(last.attrs["t"], f["time"][-1])

    def test_gaps_of_contacts_that_acted_are_never_infinite(self):
        # The contact acts before it is reached and leaves the sphere at rest above the floor, which is not near any more.
        (self.directory / "drop.toml").write_text(DROP)
        self.carom("run", "drop.toml")
        with h5py.File(self.directory / "drop.h5") as f:
            height = f["body/position"][:, 0, 2]
            table = f["contact/table"][:]
            self.assertEqual(list(table["step"]), [1])
            self.assertAlmostEqual(table["gap"][0], height[1] - 0.01, places=15)
            self.assertGreater(table["gap"][0], 0.01)

    def test_bodies(self):
        model = SOURCE / "scenarios" / "sliding_block.toml"
        text = model.read_text()
        (self.directory / "block.toml").write_text(text[: text.index("[expect]")])  # it does not stop that early
        self.carom("run", "block.toml", "--t-end", "0.1", "--out", "block.h5")
        with h5py.File(self.directory / "block.h5") as f:
            bodies = f["body"]
            self.assertEqual([n.decode() for n in bodies["names"][:]], ["block"])
            n = len(f["time"])
            shapes = {"position": (n, 1, 3), "orientation": (n, 1, 4), "velocity": (n, 1, 3), "spin": (n, 1, 3)}
            units = {"position": "m", "orientation": "1", "velocity": "m/s", "spin": "rad/s"}
            for field, shape in shapes.items():
                self.assertEqual(bodies[field].shape, shape)
                self.assertEqual(bodies[field].attrs["unit"], units[field])
            # v = 2 - mu g t with mu = 0.5
            self.assertAlmostEqual(bodies["velocity"][-1, 0, 0], 2 - 0.5 * 9.81 * 0.1, places=6)
            self.assertLess(abs(bodies["position"][-1, 0, 2] - 0.05), 1e-4)
            table = f["contact/table"][:]
            self.assertEqual(set(table["status"][table["pn"] > 0]), {2})  # it slides all the time

    def test_set_and_options(self):
        self.carom("run", "ball.toml", "--set", "h=0.25", "--set", "law.floor.normal.restitution=0",
                   "--step", "1e-3", "--t-end", "2", "--out", "x.h5", "--quiet")
        with h5py.File(self.directory / "x.h5") as f:
            self.assertEqual(f["options"].attrs["step"], 1e-3)
            self.assertAlmostEqual(f["time"][-1], 2.0)
            y = f["coordinate"][list(f["coordinate"])[0]]
            self.assertEqual(y[0], 0.25)
            self.assertLess(abs(y[-1]), 2e-3)  # landed and stayed

    def test_json(self):
        lines = [json.loads(line) for line in self.carom("run", "ball.toml", "--json").stdout.splitlines()]
        self.assertEqual([lines[0]["event"], lines[-1]["event"]], ["start", "done"])
        self.assertEqual(lines[-1]["steps"], 150)
        self.assertLess(lines[-1]["deepest_gap"], 0)

    def test_same_run_twice_is_the_same(self):
        for name in ("a.h5", "b.h5"):
            self.carom("run", SOURCE / "scenarios" / "slider_crank.toml", "--t-end", "0.02", "--out", name)
        with h5py.File(self.directory / "a.h5") as a, h5py.File(self.directory / "b.h5") as b:
            for path in ("time", "contact/table", "energy/total"):
                self.assertEqual(a[path][:].tobytes(), b[path][:].tobytes())

    def test_expectations(self):
        (self.directory / "e.toml").write_text(BALL + '[expect]\nlow = "max(floor.gap) < h/2"\nlands = "min(floor.gap) < 0.1"\n')
        text = self.carom("run", "e.toml", code=1).stdout
        self.assertRegex(text, r"expect low +BROKEN  \(1 is not < 0.5\)")
        self.assertRegex(text, r"expect lands +ok")

    def test_measures(self):
        # h = t^2: it lands at 1 s with -2 m/s, leaves with half of that.
        (self.directory / "m.toml").write_text(BALL + '[measure]\nhighest = "max(floor.gap)"\nloss = "last(energy.impact_loss)"\n')
        text = self.carom("run", "m.toml").stdout
        self.assertRegex(text, r"measure highest +1\n")
        lines = map(json.loads, self.carom("compare", "m.toml", "--schemes", "moreau_jean", "--json").stdout.splitlines())
        self.assertAlmostEqual(next(lines)["measure"]["loss"], 2 * (1 - 0.5 ** 2), delta=0.05)
        (self.directory / "bad.toml").write_text(BALL + '[measure]\nhighest = "max(flor.gap)"\neach = "floor.gap"\n')
        message = self.carom("check", "bad.toml", code=2).stderr
        self.assertIn("unknown name 'flor.gap'", message)
        self.assertIn("put the steps together", message)

    def failing_solver(self, *more):
        # One sweep of Gauss-Seidel cannot reach 1e-14 on four coupled corners.
        return self.carom("run", SOURCE / "scenarios" / "slider_crank.toml", "--solver", "projected_gauss_seidel",
                          "--set", "simulation.contact.tolerance=1e-15", "--set",
                          "simulation.contact.max_iterations=1", "--set", "simulation.contact.on_failure=stop",
                          "--out", "failed.h5", *more, code=3)

    def test_solver_failure_leaves_a_file(self):
        result = self.failing_solver()
        self.assertIn("error[E0501]", result.stderr)
        self.assertIn("solver", result.stderr)
        with h5py.File(self.directory / "failed.h5") as f:
            self.assertEqual(f.attrs["outcome"], "failed")
            self.assertIn("residual", f.attrs["advice"])
            n = len(f["stats/t"])
            self.assertGreater(n, 10)
            last = f["checkpoint"][sorted(f["checkpoint"])[-1]]
            self.assertEqual(last.attrs["t"], f["stats/t"][n - 1])
            self.assertTrue(all(math.isfinite(x) for x in last["q"][:]))

    def test_solver_failure_keeps_its_problem(self):
        self.assertIn("replay: carom solve failed.problem.h5 --solver all", self.failing_solver().stderr)
        with h5py.File(self.directory / "failed.problem.h5") as f:
            rows = int(f["carom/rows"][:].sum())
            self.assertEqual(f["fclib_local/W/m"][0], rows)
            self.assertEqual(len(f["fclib_local/vectors/q"]), rows)
            self.assertEqual(len(f["carom/guess"]), rows)
            self.assertGreater(rows, 2)  # more than one corner: one alone is solved in one sweep
        solved = {line["solver"]: line for line in map(json.loads, self.carom(
            "solve", "failed.problem.h5", "--solver", "all", "--json").stdout.splitlines())}
        self.assertEqual(solved["automatic"]["rows"], rows)
        self.assertLess(solved["automatic"]["residual"], 1e-12)
        self.assertGreater(solved["projected_gauss_seidel"]["iterations"], 1)

    def test_projections_keep_the_problem_they_failed_on(self):
        result = self.failing_solver("--scheme", "projection_direct")
        self.assertIn("the position projection did not converge", result.stderr)
        with h5py.File(self.directory / "failed.problem.h5") as f:
            self.assertFalse(f["fclib_local/vectors/mu"][:].any())  # gaps know no friction
        self.failing_solver("--scheme", "projection_direct", "--set",
                            "simulation.projection_direct.coupling=coupled")
        with h5py.File(self.directory / "failed.problem.h5") as f:
            laws = [law.decode() for law in f["carom/law"][:]]
            self.assertIn("planar_coulomb", laws)
            self.assertIn("unilateral", laws)
        self.carom("solve", "failed.problem.h5")

    def test_a_problem_that_cannot_be_kept_does_not_hide_the_failure(self):
        (self.directory / "failed.problem.h5").mkdir()
        text = self.failing_solver().stderr
        self.assertIn("error[E0501]", text)
        self.assertIn("the contact problem was not kept", text)

    def interrupted(self, which):
        process = subprocess.Popen([CAROM, "run", "ball.toml", "--t-end", "1e5", "--step", "1e-3"], cwd=self.directory,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(3.5)  # past the first flush
        process.send_signal(which)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_interrupt(self):
        code, out, err = self.interrupted(signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertIn("interrupted", out)
        with h5py.File(self.directory / "ball.h5") as f:
            self.assertEqual(f.attrs["outcome"], "interrupted")
            self.assertEqual(f["time"][-1], f["checkpoint"][sorted(f["checkpoint"])[-1]].attrs["t"])
            self.assertEqual(len(f["time"]), len(f["energy/total"]))
            self.assertEqual(len(f["time"]), len(f["stats/t"]) + 1)

    def test_kill_leaves_what_was_flushed(self):
        code, _, _ = self.interrupted(signal.SIGKILL)
        self.assertEqual(code, -9)
        with h5py.File(self.directory / "ball.h5") as f:
            self.assertEqual(f.attrs["outcome"], "running")
            self.assertGreater(len(f["time"]), 1000)
            self.assertTrue(math.isfinite(f["energy/total"][-1]))

    def test_unwritable_output(self):
        text = self.carom("run", "ball.toml", "--out", "no/such/place.h5", code=4).stderr
        self.assertIn("no/such/place.h5", text)

    def test_check(self):
        text = self.carom("check", SOURCE / "scenarios" / "slider_crank.toml").stdout
        for part in ("3 without contact", "guide.c1 1.000 mm", "energy at start", "schatzman_paoli", "ok"):
            self.assertIn(part, text)
        chain = json.loads(self.carom("check", SOURCE / "scenarios" / "pendulum_chain.toml", "--json").stdout)
        self.assertEqual(chain["joint_rank"], chain["joint_rows"])
        self.assertEqual(chain["redundant_joints"], [])

    def test_check_names_redundant_joints(self):
        chain = (SOURCE / "scenarios" / "pendulum_chain.toml").read_text()
        chain += '[joint.twin]\ntype = "revolute"\nbetween = ["ground", "upper"]\npoint = [0, 0, 0]\naxis = [0, 1, 0]\n'
        (self.directory / "twin.toml").write_text(chain)
        result = json.loads(self.carom("check", "twin.toml", "--json").stdout)
        self.assertEqual(result["joint_rows"] - result["joint_rank"], 5)
        self.assertEqual(result["redundant_joints"], ["twin"])
        self.assertIn("W0231", self.carom("check", "twin.toml").stdout)

    def test_every_scenario_is_good(self):
        for file in sorted((SOURCE / "scenarios").glob("*.toml")):
            with self.subTest(file.name):
                self.assertEqual(self.carom("check", file).stderr, "")

    def test_nothing_of_the_user_is_overwritten(self):
        result = self.carom("run", "ball.toml", "--out", "ball.toml", code=4)
        self.assertIn("no recording", result.stderr)
        self.assertEqual((self.directory / "ball.toml").read_text(), BALL)
        self.carom("run", "ball.toml")
        size = (self.directory / "ball.h5").stat().st_size
        with open(self.directory / "ball.h5", "r+b") as other:  # as a run does while it writes
            fcntl.flock(other, fcntl.LOCK_EX)
            self.assertIn("another program", self.carom("run", "ball.toml", code=4).stderr)
        self.assertEqual((self.directory / "ball.h5").stat().st_size, size)
        self.carom("run", "ball.toml")  # an old recording gives way

    def test_what_was_forgotten_is_said(self):
        (self.directory / "w.toml").write_text(BALL + '[law.spare]\nnormal = { type = "newton", restitution = 0.5 }\n')
        self.assertRegex(self.carom("run", "w.toml").stderr, r"warning\[W0130\]: nothing uses law.spare\n *--> w.toml:\d+")
        self.assertEqual(self.carom("run", "ball.toml", "--out", "b.h5").stderr, "")
        block = (SOURCE / "scenarios" / "sliding_block.toml").read_text().replace('[contact.default]\nlaw = "dry"\n', "")
        (self.directory / "block.toml").write_text(block)
        message = self.carom("check", "block.toml").stderr
        self.assertIn("nothing uses law.dry", message)
        self.assertIn("pass through each other", message)

    def test_scheme_with_parameters(self):
        self.carom("run", "ball.toml", "--scheme", "moreau_jean:theta=1", "--out", "x.h5")
        with h5py.File(self.directory / "x.h5") as f:
            scheme = json.loads(f["model/resolved"][()])["simulation"]["scheme"]
            self.assertEqual(scheme["parameters"]["theta"], 1.0)
        self.assertIn("theta", self.carom("run", "ball.toml", "--scheme", "moreau_jean:teta=1", code=2).stderr)

    def test_a_step_longer_than_the_run_is_an_error(self):
        self.assertIn("no longer than t_end", self.carom("run", "ball.toml", "--step", "5", code=2).stderr)

    def test_list(self):
        for what in ("schemes", "solvers", "models", "laws"):
            lines = self.carom("list", what, "--json").stdout.splitlines()
            self.assertGreater(len(lines), 1)
            self.assertTrue(all("name" in json.loads(line) for line in lines))
        self.assertIn("moreau_jean", self.carom("list", "schemes").stdout)
        self.assertIn("slider_crank.toml", carom("list", "scenarios", cwd=SOURCE).stdout)
        self.assertIn("contensou", self.carom("list", "laws").stdout)
        self.assertIn("slider_crank.toml", carom("list", "scenarios", cwd=self.directory, root=SOURCE).stdout)
        self.assertIn("no folder 'scenarios'", self.carom("list", "scenarios", code=2).stderr)

    def test_help_and_version(self):
        self.assertIn("carom 0.1.0", self.carom("--version").stdout)
        text = self.carom("--help").stdout
        for part in ("run", "check", "list", "Exit codes"):
            self.assertIn(part, text)
        self.assertIn("--set", self.carom("run", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
