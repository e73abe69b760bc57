#!/usr/bin/env python3
"""A ramp at the friction angle: at 0.999 of mu everything holds, at 1.001 it slides as the closed form says.

    x(t) = 1/2 g cos(a) (tan a - mu) t^2,   tan a = 1.001 mu

Gravity is tilted instead of the floor. The boxes of a stack grip each other more than the floor, so that only its foot slides."""
import math
import shutil
import unittest

import h5py
from _helpers import carom, scratch

MODEL = """schema = 1
[world]
gravity = ["{gx} m/s^2", 0, "{gz} m/s^2"]
[plane.ramp]
[body.box]
count = {count}
density = "800 kg/m^3"
shape = {{ type = "box", size = ["200 mm", "150 mm", "40 mm"] }}
position = [0, 0, "20 mm + i * 40 mm"]
[contact.default]
law = "grip"
[contact.foot]
between = ["box0", "ramp"]
law = "dry"
[law.dry]
normal = {{ type = "newton", restitution = 0 }}
tangential = {{ type = "coulomb", friction = {mu} }}
[law.grip]
normal = {{ type = "newton", restitution = 0 }}
tangential = {{ type = "coulomb", friction = {grip} }}
[simulation]
t_end = "1 s"
step = "2 ms"
scheme = "{scheme}"
"""


class Ramp(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()

    def tearDown(self):
        shutil.rmtree(self.directory)

    def slid(self, count, mu, share, scheme):
        """How far each box came in a second, and how far a block slides."""
        angle = math.atan(share * mu)
        gx, gz = 9.81 * math.sin(angle), 9.81 * math.cos(angle)
        (self.directory / "ramp.toml").write_text(
            MODEL.format(gx=gx, gz=-gz, count=count, mu=mu, grip=2 * mu, scheme=scheme))
        result = carom("run", "ramp.toml", "--force", "--strict", cwd=self.directory)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with h5py.File(self.directory / "ramp.h5") as f:
            way = f["body/position"][-1, :, 0] - f["body/position"][0, :, 0]
        return way, 0.5 * (gx - mu * gz)

    def test_holds_below_and_slides_above(self):
        for scheme in ("moreau_jean", "projection_combined", "ggl_unified"):
            for count, mu in ((1, 0.2), (1, 0.7), (5, 0.3)):
                with self.subTest(scheme=scheme, count=count, mu=mu):
                    way, _ = self.slid(count, mu, 0.999, scheme)
                    self.assertLess(abs(way).max(), 1e-9)
                    way, exact = self.slid(count, mu, 1.001, scheme)
                    for one in way:  # schemes of first order are ahead or behind by a step: 2 ms of 1 s, twice in x
                        self.assertAlmostEqual(one / exact, 1.0, delta=0.005)


if __name__ == "__main__":
    unittest.main()
