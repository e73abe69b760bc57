#!/usr/bin/env python3
"""One box on a floor from a model file, two hundred times, with everything left to the defaults: no run fails, no energy comes from nowhere.

Random orientation, size, height and velocity; restitution and friction from 0 to 1, both ends included. Energy may rise in a step by what the solver's
tolerance and rounding leave, never by a part of what the box has."""
import json
import math
import random
import unittest

from _helpers import carom, scratch

MODEL = """schema = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[body.box]
density = "1000 kg/m^3"
shape = {{ type = "box", size = ["{0} m", "{1} m", "{2} m"] }}
position = [0, 0, "{height} m"]
orientation = [{q[0]}, {q[1]}, {q[2]}, {q[3]}]
velocity = ["{v[0]} m/s", "{v[1]} m/s", "{v[2]} m/s"]
spin = ["{w[0]} rad/s", "{w[1]} rad/s", "{w[2]} rad/s"]
[plane.floor]
[contact.default]
law = "dry"
[law.dry]
normal = {{ type = "newton", restitution = {e} }}
tangential = {{ type = "coulomb", friction = {mu} }}
[simulation]
t_end = "0.6 s"
"""


def drop(draw):
    size = [draw.uniform(0.05, 0.3) for _ in range(3)]
    q = [draw.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(x * x for x in q))
    ends = lambda: draw.choice([0.0, 1.0, draw.random(), draw.random(), draw.random()])
    return MODEL.format(*size, q=[x / length for x in q], e=ends(), mu=ends(), height=math.hypot(*size) / 2 + draw.uniform(0, 0.3),
                        v=[draw.gauss(0, 0.5) for _ in range(3)], w=[draw.gauss(0, 3) for _ in range(3)])


class BoxDrops(unittest.TestCase):
    def test_no_run_fails_and_energy_never_rises(self):
        folder, draw = scratch(), random.Random(12)
        file = folder / "box.toml"
        worst = 0.0
        for number in range(200):
            file.write_text(drop(draw))
            result = carom("run", file, "--json", "--out", folder / "box.h5", "--force")
            with self.subTest(number, model=file.read_text()):
                self.assertEqual(result.returncode, 0, result.stderr)
                done = json.loads(result.stdout.splitlines()[-1])
                energy = done["energy"]
                self.assertEqual(done["failed_steps"], 0)
                self.assertTrue(done["judgement"]["sound"], done["judgement"])
                rise = energy["largest_rise"] / max(energy["start"], 1e-3)
                worst = max(worst, rise)
                self.assertLess(rise, 1e-4)
                self.assertLess(energy["end"], energy["start"] * (1 + 1e-4))
        print(f"largest rise of energy in a step, by what the box started with: {worst:.2e}")


if __name__ == "__main__":
    unittest.main()
