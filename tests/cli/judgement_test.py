#!/usr/bin/env python3
"""What the program says of a run that ended but is not to be believed."""
import csv
import json
import shutil
import unittest

import h5py
from _helpers import BALL, SOURCE, carom, scratch

# Two spheres, one at 1 km/s: with a step of 1 ms it flies over ten times its size in a step.
FAST = """schema = 1
[units]
bare = "SI"
[world]
gravity = [0, 0, 0]
[body.a]
density = 1000
shape = { type = "sphere", radius = 0.05 }
position = [-9.73, 0, 0]
velocity = [1000, 0, 0]
[body.b]
density = 1000
shape = { type = "sphere", radius = 0.05 }
position = [0, 0, 0]
[contact.default]
law = "x"
[law.x]
normal = { type = "newton", restitution = 1 }
[simulation]
t_end = 0.02
step = 0.001
scheme = "moreau_jean"
"""

# Three links and a ball that swings against a wall with much friction: Newton's law gives energy (Kane and Levinson).
KANE = """schema = 1
[units]
bare = "SI"
[world]
gravity = [0, 0, -9.81]
[body.l0]
mass = 0.1
inertia = [0.001, 0.01, 0.01]
position = [0.0857, 0, 1.2]
[body.l1]
mass = 5
inertia = [0.005, 0.01, 0.01]
position = [0.2571, 0, 1.2]
[body.l2]
mass = 0.1
inertia = [0.005, 0.01, 0.01]
position = [0.4285, 0, 1.2]
[body.bob]
density = 2000
shape = { type = "sphere", radius = 0.0467 }
position = [0.5609, 0, 1.2]
[plane.wall]
point = [-0.3, 0, 0]
normal = [1, 0, 0]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[joint.j0]
type = "revolute"
between = ["ground", "l0"]
point = [0, 0, 1.2]
axis = [0, 1, 0]
[joint.j1]
type = "spherical"
between = ["l0", "l1"]
point = [0.1714, 0, 1.2]
[joint.j2]
type = "spherical"
between = ["l1", "l2"]
point = [0.3428, 0, 1.2]
[joint.grip]
type = "fixed"
between = ["l2", "bob"]
point = [0.5142, 0, 1.2]
[contact.default]
law = "x"
[law.x]
normal = { type = "newton", restitution = 0.8 }
tangential = { type = "coulomb", friction = 10, restitution = 0 }
[simulation]
t_end = 0.5
step = 1e-4
scheme = "moreau_jean"
"""


class Judgement(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        for name, text in {"ball": BALL, "fast": FAST, "kane": KANE}.items():
            (self.directory / f"{name}.toml").write_text(text)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def carom(self, *arguments):
        return carom(*arguments, cwd=self.directory)

    def judgement(self, *arguments):
        return json.loads(self.carom("run", *arguments, "--json").stdout.splitlines()[-1])["judgement"]

    def test_a_sound_run_says_so(self):
        result = self.carom("run", "ball.toml", "--strict")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("judged sound", result.stdout)
        self.assertEqual(self.judgement("ball.toml"), {"sound": True, "findings": []})

    def test_a_missed_contact_is_reported(self):
        report = ("--set", "simulation.contact.on_missed=report")
        result = self.carom("run", "fast.toml", *report)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("NOT SOUND  a-b was passed unseen", result.stdout)
        self.assertNotIn("no penetration", result.stdout)
        self.assertEqual(self.carom("run", "fast.toml", "--strict", *report).returncode, 1)
        finding, = self.judgement("fast.toml", *report)["findings"]
        self.assertEqual((finding["flaw"], finding["name"]), ("missed_contact", "a-b"))
        self.assertAlmostEqual(finding["t"], 9.73e-3)

    def test_by_default_the_step_is_halved_for_it(self):
        last = json.loads(self.carom("run", "fast.toml", "--json").stdout.splitlines()[-1])
        self.assertGreater(last["halvings"], 0)
        self.assertNotIn("missed_contact", [finding["flaw"] for finding in last["judgement"]["findings"]])
        self.assertGreater(last["normal_impulse"], 0)  # they met

    def test_limits_can_be_set(self):
        result = self.carom("run", "fast.toml", "--set", "simulation.limits.penetration=0.9")
        self.assertIn("judged sound", result.stdout)
        self.assertEqual(self.carom("run", "fast.toml", "--set", "simulation.limits.penetration=-1").returncode, 2)
        self.assertEqual(self.carom("run", "fast.toml", "--set", "simulation.limits.penetraton=1").returncode, 2)

    def test_the_result_file_keeps_the_judgement(self):
        self.carom("run", "ball.toml", "--set", "simulation.limits.energy=0.07")
        with h5py.File(self.directory / "ball.h5") as file:
            kept = file["judgement"]
            self.assertEqual((kept.attrs["sound"], kept.attrs["limit_energy"], kept.attrs["limit_penetration"]), (1, 0.07, 0.1))
            self.assertEqual({name: len(kept[name]) for name in kept},
                             {name: 0 for name in ("flaw", "name", "text", "t", "value", "share", "limit", "count")})
        told = self.judgement("kane.toml", "--out", "kane.h5")
        self.assertFalse(told["sound"])
        with h5py.File(self.directory / "kane.h5") as file:
            kept = file["judgement"]
            self.assertEqual(kept.attrs["sound"], 0)
            for k, finding in enumerate(told["findings"]):
                for name, value in finding.items():
                    self.assertEqual(kept[name][k].decode() if isinstance(value, str) else kept[name][k], value, name)

    def test_penetration_is_judged_by_the_play_too(self):
        # Moreau and Jean's scheme with a step of 0.2 ms: 0.15 mm into the guide are nothing to a crank of 153 mm, but a seventh of
        # the play of 1 mm.
        crank = SOURCE / "scenarios" / "slider_crank.toml"
        coarse = ("--step", "2e-4", "--set", "output.file=crank.h5")
        result = self.carom("run", crank, *coarse)
        self.assertRegex(result.stdout, r"NOT SOUND  guide\.c\d penetrates by .* of its play")
        finding, = self.judgement(crank, *coarse)["findings"]
        self.assertEqual((finding["flaw"], finding["limit"]), ("play", 0.1))
        self.assertAlmostEqual(finding["share"], finding["value"] / 1e-3)
        with h5py.File(self.directory / "crank.h5") as file:
            judged = file["judgement"]
            self.assertEqual((judged.attrs["sound"], judged.attrs["limit_play"]), (0, 0.1))
            self.assertEqual(judged["flaw"][0].decode(), "play")
            self.assertAlmostEqual(-file["contact/table"]["gap"].min(), finding["value"])
        self.assertTrue(self.judgement(crank, *coarse, "--set", "simulation.limits.play=0.2")["sound"])
        self.assertFalse(self.judgement(crank, "--step", "1e-4", "--set", "simulation.limits.play=0.05", "--out", "crank.h5")["sound"])
        self.assertTrue(self.judgement(crank, *coarse, "--scheme", "projection_combined")["sound"])
        self.assertTrue(self.judgement(crank, "--out", "crank.h5")["sound"])  # as shipped

    def test_energy_of_the_law_is_named_as_such(self):
        finding, *_ = self.judgement("kane.toml")["findings"]
        self.assertEqual(finding["flaw"], "law_energy")
        self.assertIn("not the scheme", finding["text"])
        self.assertIn("bob-", finding["name"])
        self.assertGreater(finding["share"], 0.2)
        without = self.judgement("kane.toml", "--set", "law.x.normal.restitution=0", "--set", "law.x.tangential.friction=0.1")
        self.assertNotIn("law_energy", [finding["flaw"] for finding in without["findings"]])

    def test_compare_marks_the_row(self):
        arguments = ("compare", "fast.toml", "--schemes", "moreau_midpoint,moreau_jean", "--out", "c.csv",
                     "--set", "simulation.contact.on_missed=report")
        result = self.carom(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("! a-b was passed unseen", result.stdout)
        with open(self.directory / "c.csv") as file:
            judged = {row["scheme"]: row["judged"] for row in csv.DictReader(file)}
        self.assertEqual(judged, {"moreau_midpoint": "missed_contact", "moreau_jean": "missed_contact"})
        self.assertEqual(self.carom(*arguments, "--strict").returncode, 1)


if __name__ == "__main__":
    unittest.main()
