#!/usr/bin/env python3
"""What contradicts itself, means nothing or can never be judged is told with a code, not taken in silence."""
import shutil
import unittest

from _helpers import BALL, carom, scratch

BODIES = """schema = 1
[units]
bare = "SI"
[parameters]
r = 0.1
[world]
gravity = [0, 0, -9.81]
[body.a]
density = 1000
shape = { type = "sphere", radius = "r" }
position = [0, 0, "r"]
[body.b]
density = 1000
shape = { type = "sphere", radius = "r" }
position = [0, 0, 0.5]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[contact.default]
law = "dry"
[law.dry]
normal = { type = "newton", restitution = 0.5 }
tangential = { type = "coulomb", friction = 0.3 }
[simulation]
t_end = 0.01
step = 1e-3
scheme = "moreau_jean"
[output]
file = "d.h5"
"""
PAIR = '[contact.x]\nbetween = ["a", "floor"]\nlaw = "dry"\n'
MARK = "[simulation]\n"

# name: (file, old, new, code, part of the message); codes with W are warnings, the run goes on
CASES = {
    # formulas
    "expectation_not_a_number": (BALL, "[output]", '[expect]\nx = "0/0"\n[output]', "E0134", "compares nothing"),
    "expectation_never_a_number": (BALL, "[output]", '[expect]\nx = "not (0/0 > 5)"\n[output]', "E0135", "not a number"),
    "expectation_root_of_less_than_nothing": (BALL, "[output]", '[expect]\nx = "sqrt(-h) < 1"\n[output]', "E0135", "whatever the run"),
    "expectation_without_comparison": (BALL, "[output]", '[expect]\nx = "min(floor.gap)"\n[output]', "E0134", "comparison"),
    "expectation_number": (BALL, "[output]", "[expect]\nx = 1\n[output]", "E0134", "compares nothing"),
    "expectation_half_compared": (BALL, "[output]", '[expect]\nx = "1 > 0 and min(floor.gap)"\n[output]', "E0134", "compares"),
    "nested_reduction": (BODIES, MARK, '[measure]\nn = "count(sum(contact.impulse_normal) > 0)"\n' + MARK, "E0131", "one number already"),
    "nested_maximum": (BODIES, MARK, '[measure]\nn = "max(sum(contact.impulse_normal))"\n' + MARK, "E0131", "one number already"),
    "gap_of_two_contacts": (BODIES, MARK, '[measure]\nn = "last(floor.gap)"\n' + MARK, "E0131", "stands for 2 contacts"),
    "gap_of_nothing": (BODIES, MARK, "[measure]\nn = \"last('a-c.gap')\"\n" + MARK, "E0131", "unknown name"),
    # names
    "parameter_t": (BALL, "h = 1.0", "h = 1.0\nt = 2", "E0136", "time"),
    "parameter_pi": (BALL, "h = 1.0", "h = 1.0\npi = 3", "E0136", "'pi' already means"),
    "parameter_g0": (BALL, "h = 1.0", "h = 1.0\ng0 = 10", "E0136", "'g0' already means"),
    "parameter_min": (BALL, "h = 1.0", "h = 1.0\nmin = 10", "E0136", "'min' already means"),
    "parameter_and": (BALL, "h = 1.0", "h = 1.0\nand = 10", "E0136", "'and' already means"),
    "parameter_with_a_dot": (BALL, "h = 1.0", 'h = 1.0\n"energy.total" = 10', "E0136", "cannot be the name"),
    "parameter_beside_the_model": (BALL, "h = 1.0", "h = 1.0\nvelocity = 10", "W0135", "another value"),
    "same_name_with_hyphen": (BALL, "h = 1.0", "h = 1.0\nk_1 = 1\nk-1 = 2", "E0115", "same name"),
    "signal_with_slash": (BALL, "[output]", '[output.signal]\n"a/b" = "t"\n[output]', "E0202", "cannot be a name"),
    # values
    "infinite": (BALL, 'height = "h"', 'height = "1/0"', "E0127", "finite"),
    "infinite_literal": (BALL, 'height = "h"', "height = inf", "E0127", "finite"),
    "not_a_number": (BALL, 'height = "h"', 'height = "log(-1)"', "E0127", "finite"),
    "infinite_parameter": (BALL, "h = 1.0", 'h = "exp(1000)"', "E0127", "finite"),
    "infinite_in_a_list": (BODIES, "gravity = [0, 0, -9.81]", "gravity = [0, inf, -9.81]", "E0127", "finite"),
    "integer_no_double_holds": (BALL, "mass = 1", "mass = 9007199254740993", "E0129", "2^53"),
    "integer_17_digits": (BALL, 'height = "h"', "height = 100000000000000000", "E0129", "1.0000000000000000e+17"),
    "law_without_restitution": (BALL, ", restitution = 0.5", "", "E0104", "restitution is missing"),
    "law_without_friction": (BODIES, ", friction = 0.3", "", "E0104", "friction is missing"),
    # scenes
    "density_and_mass": (BODIES, "density = 1000", "density = 1000\nmass = 1", "E0106", "mass beside a density"),
    "density_and_inertia": (BODIES, "density = 1000", "density = 1000\ninertia = [1, 1, 1]", "E0106", "inertia beside"),
    "same_pair_twice": (BODIES, MARK, PAIR + PAIR.replace(".x", ".y") + MARK, "E0106", "same pair"),
    "same_pair_reversed": (BODIES, MARK, PAIR + PAIR.replace(".x", ".y").replace('"a", "floor"', '"floor", "a"') + MARK, "E0106", "same pair"),
    "with_itself": (BODIES, MARK, PAIR.replace('"floor"', '"a"') + MARK, "E0217", "cannot touch itself"),
    "two_planes": (BODIES, MARK, "[plane.wall]\n" + PAIR.replace('"a"', '"wall"') + MARK, "E0217", "planes"),
    "pair_without_shape": (BODIES, 'density = 1000\nshape = { type = "sphere", radius = "r" }\nposition = [0, 0, "r"]',
                           "mass = 1\ninertia = [1, 1, 1]\n" + PAIR, "E0216", "no shape"),
    "body_without_shape": (BODIES, 'density = 1000\nshape = { type = "sphere", radius = "r" }\nposition = [0, 0, "r"]',
                           "mass = 1\ninertia = [1, 1, 1]", "W0133", "body.a can touch nothing"),
    "contact_forgotten": (BODIES, '[contact.default]\nlaw = "dry"', PAIR, "W0133", "body.b can touch nothing"),
    "contact_of_joined": (BODIES, MARK, PAIR.replace('"floor"', '"b"') + '[joint.j]\ntype = "spherical"\nbetween = ["a", "b"]\n'
                          "point = [0, 0, 0.3]\n" + MARK, "W0134", "do not touch"),
    "two_points_for_a_joint": (BODIES, MARK, '[joint.j]\ntype = "spherical"\nbetween = ["a", "b"]\npoint = [0, 0, 0.3]\n'
                               "point_a = [0, 0, 0.2]\n" + MARK, "E0106", "point_a beside point"),
    "lattice_1e20": (BODIES, MARK, '[generate.p]\nkind = "sphere_lattice"\ncounts = [1e20, 1, 1]\n' + MARK, "E0219", "too many"),
    "lattice_2_32": (BODIES, MARK, '[generate.p]\nkind = "sphere_lattice"\ncounts = [4294967297, 1, 1]\n' + MARK, "E0219", "too many"),
    "lattice_1e9": (BODIES, MARK, '[generate.p]\nkind = "sphere_lattice"\ncounts = [1e3, 1e3, 1e3]\n' + MARK, "E0219", "1e+09 bodies"),
    "lattice_half": (BODIES, MARK, '[generate.p]\nkind = "sphere_lattice"\ncounts = [1.5, 1, 1]\n' + MARK, "E0126", "whole numbers"),
    "density_without_shape": (BODIES, 'shape = { type = "sphere", radius = "r" }\n', "", "E0105", "needs a shape"),
    "no_word_for_it": (BODIES, 'type = "newton"', 'type = "neuton"', "E0125", "unknown word"),
    "planes_without_contact": (BODIES, '[contact.default]\nlaw = "dry"\n', "", "W0131",
                               "no law between bodies and planes"),
    # models
    "schema_of_the_future": (BALL, "schema = 1", "schema = 99", "E0107", "schema 99"),
    "two_kinds_of_models": (BALL, "[simulation]", '[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[simulation]', "E0108", "both"),
    "no_model": (BALL, BALL[BALL.index("[analytic]"):BALL.index("[simulation]")], "", "E0109", "no model"),
    "friction_without_tangents": (BALL, "restitution = 0.5 }", 'restitution = 0.5 }\ntangential = { type = "coulomb", friction = 0.1 }',
                                  "E0121", "without tangential motion"),
    "law_without_contacts": (BALL, '"bouncing_ball"', '"pendulum"', "E0143", "has no contacts"),
    # runs
    "step_1e-300": (BALL, "step = 0.01", "step = 1e-300", "E0128", "1.5e+300 steps"),
    "t_end_1e12": (BALL, "t_end = 1.5", "t_end = 1e12", "E0128", "1e+14 steps"),
    "fields_every_1e-14": (BALL, "[output]", "[output]\nfields = { every = 1e-14 }", "W0132", "shorter than the step"),
    "checkpoint_every_1e-14": (BALL, "[output]", "[output]\ncheckpoint = { every = 1e-14 }", "W0132", "shorter than the step"),
    "output_without_a_name": (BODIES, 'file = "d.h5"', 'file = ""', "E0119", "output.file is empty"),
    "keep_1e30": (BALL, "[output]", "[output]\ncheckpoint = { every = 1, keep = 1e30 }", "E0126", "a whole number"),
}


class Contradictions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def test_each_is_told_with_its_code(self):
        for name, (base, old, new, code, part) in CASES.items():
            with self.subTest(name):
                self.assertIn(old, base)
                (self.directory / f"{name}.toml").write_text(base.replace(old, new, 1))
                result = carom("run", f"{name}.toml", "--out", f"{name}.h5", cwd=self.directory)
                self.assertEqual(result.returncode, 0 if code[0] == "W" else 2, result.stdout + result.stderr)
                self.assertIn(f"[{code}]", result.stderr)
                self.assertIn(part, result.stderr)

    def test_the_bases_are_told_nothing(self):
        for name, base in {"ball": BALL, "bodies": BODIES}.items():
            (self.directory / f"{name}.toml").write_text(base)
            result = carom("run", f"{name}.toml", "--out", f"{name}_base.h5", cwd=self.directory)
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_long_run_says_so_before_it_starts(self):
        (self.directory / "long.toml").write_text(BALL)
        result = carom("check", "long.toml", "--t-end", "1e7", cwd=self.directory)
        self.assertEqual(result.returncode, 0)
        self.assertIn("[W0305]", result.stderr)
        self.assertIn("1e+09 steps", result.stderr)
        self.assertRegex(result.stderr, r"at least \d+\.?\d* GB of results")
        result = carom("converge", "long.toml", "--steps", "1e-300,1e-2,5", cwd=self.directory)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("[E0128]", result.stderr)

    def test_an_expectation_that_becomes_no_number_is_not_ok(self):
        (self.directory / "late.toml").write_text(BALL + '[expect]\nx = "not (log(last(t)/last(t) - 1e9) > 5)"\n')
        result = carom("run", "late.toml", cwd=self.directory)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"expect x +not judged")


if __name__ == "__main__":
    unittest.main()
