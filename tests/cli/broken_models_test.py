#!/usr/bin/env python3
"""Mechanisms with one mistake each: exit 2, the expected code at the expected line, and what to do about it."""
import shutil
import unittest

from _helpers import SOURCE, carom, scratch

CRANK = (SOURCE / "scenarios" / "slider_crank_bodies.toml").read_text()

# (old text, new text, code, part of the message); the line is that of the new text.
BROKEN = {
    # units
    "bare_length": ('half_length = "a"', "half_length = 0.05", "E0124", "a length (m)"),
    "bare_time": ('t_end  = "200 ms"', "t_end  = 0.2", "E0124", "1.5 s"),
    "bare_gravity": ('"-9.81 m/s^2"', "-9.81", "E0124", 'bare = "SI"'),
    "mass_in_seconds": ('mass    = "76 g"', 'mass    = "76 ms"', "E0137", "a mass (kg), not a time (s)"),
    "inertia_as_mass": ('"2.7e-6 kg*m^2"', '"2.7e-6 kg"', "E0137", "an inertia (kg*m^2)"),
    "unknown_unit": ('b     = "25 mm"', 'b     = "25 mmm"', "E0138", "carom list units"),
    "misspelt_unit": ('mass    = "76 g"', 'mass    = "76 grm"', "E0138", "unknown unit"),
    "spaces_in_unit": ('"150 rad/s"', '"150 rad / sec"', "E0131", "unknown name 'sec'"),
    "metres_plus_seconds": ('half_length = "a"', 'half_length = "a + 1 s"', "E0137", "a length (m) and a time (s)"),
    "sine_of_length": ('half_length = "a"', 'half_length = "a*sin(b)"', "E0137", "an angle or a pure number"),
    "root_of_length": ('half_height = "b"', 'half_height = "sqrt(b)"', "E0137", "a length (m)"),
    "length_as_exponent": ('half_height = "b"', 'half_height = "b^b"', "E0137", "pure number"),
    "hertz_for_omega": ('rate = "omega" }', 'rate = "150 Hz" }', "E0137", "rpm"),
    "degrees_for_restitution": ('restitution = "e_n"', 'restitution = "1 deg"', "E0137", "pure number"),
    "wrong_report_unit": ('length = "mm"', 'length = "ms"', "E0137", "a length"),
    "report_kind": ('length = "mm", angle', 'lenght = "mm", angle', "E0102", "did you mean 'length'"),
    "bare_word": ('bare   = "forbid"', 'bare   = "imperial"', "E0125", "SI"),
    "bound_in_other_unit": ('min = "0 mm", doc = "crank length"', 'min = "1 kg", doc = "crank length"', "E0137", "a length"),
    "expectation_units": ("-c/20", "-omega/20", "E0137", "not of one kind"),
    # parameters
    "below_minimum": ('value = "306 mm"', 'value = "100 mm"', "E0126", "L2 >= 0.153"),
    "circle": ('b     = "25 mm"', 'b     = "25*c"', "E0133", "->"),
    "unknown_parameter": ('clearance   = "c"', 'clearance   = "cc"', "E0131", "did you mean 'c'"),
    "parameter_named_t": ('b     = "25 mm"', 't     = "25 mm"', "E0136", "time"),
    "half_a_formula": ('half_height = "b"', 'half_height = "b +"', "E0130", "ends too early"),
    "text_for_number": ('e_n   = { value = 0.4', 'e_n   = { value = true', "E0123", "wants a number"),
    # world, bodies
    "dimension": ("dimension = 2 ", "dimension = 4 ", "E0126", "2 to 3"),
    "three_in_plane": ('gravity   = [0, "-9.81 m/s^2"]', 'gravity   = ["-9.81 m/s^2"]', "E0123", "two numbers"),
    "negative_mass": ('mass    = "76 g"', 'mass    = "-76 g"', "E0126", "mass > 0"),
    "zero_inertia": ('"2.7e-6 kg*m^2"', '"0 kg*m^2"', "E0207", "positive"),
    "list_for_inertia": ('inertia = "2.7e-6 kg*m^2"', 'inertia = ["1 kg*m^2", "1 kg*m^2", "1 kg*m^2"]', "E0123", "one number in the plane"),
    "no_mass": ('mass    = "76 g"\n', "\n", "E0104", "mass"),
    "density_too": ('mass    = "76 g"', 'density = "76 kg/m^2"\nmass = "76 g"', "E0106", "keep the density"),
    "unknown_key": ("points  = { W = [0, 0] }", "pionts  = { W = [0, 0] }", "E0102", "did you mean 'points'"),
    "three_in_point": ("points  = { W = [0, 0] }", "points  = { W = [0, 0, 0] }", "E0123", "2 numbers"),
    "orientation_in_plane": ("points  = { W = [0, 0] }", "points  = { W = [0, 0] }\norientation = [1, 0, 0, 0]", "E0108", "angle"),
    "shape_type": ('shape.block = { type = "box"', 'shape.block = { type = "bax"', "E0125", "did you mean 'box'"),
    "shape_of_others": ('shape.block = { type = "box"', 'shape.block = { type = "half-plane"', "E0125", "did you mean 'half_space'"),
    "shape_of_space": ('shape.block = { type = "box", size = ["2*a", "2*b", "30 mm"] }', 'shape.block = { type = "capsule", radius = "b", length = "a" }', "E0220", "the plane"),
    "shape_size": ('size = ["2*a", "2*b", "30 mm"]', 'size = ["2*a", 0, "30 mm"]', "E0205", "positive"),
    "shape_without_size": ('{ type = "box", size = ["2*a", "2*b", "30 mm"] }', '{ type = "disc" }', "E0104", "radius"),
    "body_called_ground": ("[body.slider]", "[body.ground]", "E0202", "fixed world"),
    # joints
    "joint_type": ('type    = "revolute"\nbetween = ["rod.W"', 'type    = "revolut"\nbetween = ["rod.W"', "E0110", "did you mean 'revolute'"),
    "joint_of_others": ('type    = "revolute"\nbetween = ["rod.W"', 'type    = "hinge"\nbetween = ["rod.W"', "E0110", "did you mean 'revolute'"),
    "joint_without_name": ('[joint.crankpin]\ntype    = "revolute"', '[joint]\ntype    = "revolute"', "E0123", "[joint.NAME]"),
    "joint_of_space": ('type    = "revolute"\nbetween = ["rod.W"', 'type    = "universal"\nbetween = ["rod.W"', "E0223", "the plane"),
    "unknown_body": ('["rod.W", "slider.W"]', '["rod.W", "slidr.W"]', "E0141", "did you mean 'slider'"),
    "unknown_point": ('["rod.W", "slider.W"]', '["rod.X", "slider.W"]', "E0144", "rod has no point 'X'"),
    "one_place": ('["rod.W", "slider.W"]', '["rod.W"]', "E0123", "two places"),
    "same_body": ('["rod.W", "slider.W"]', '["rod.W", "rod.P"]', "E0211", "two different bodies"),
    "no_between": ('between = ["rod.W", "slider.W"]', "", "E0104", "between"),
    "clearance_key": ('clearance   = "c"', 'clearence   = "c"', "E0102", "did you mean 'clearance'"),
    "negative_clearance": ('clearance   = "c"', 'clearance   = "-c"', "E0126", "clearance > 0"),
    "no_law": ('law         = "steel"', 'law         = "stel"', "E0142", "did you mean 'steel'"),
    "axis_word": ('axis        = "x"', 'axis        = "u"', "E0125", "x, y, z"),
    "axis_zero": ('axis        = "x"', "axis        = [0, 0]", "E0212", "direction"),
    # laws, start, run
    "restitution_above_one": ("e_n   = { value = 0.4,", "e_n   = { value = 1.4,", "E0126", "e_n <= 1"),
    "restitution_out_of_range": ('restitution = "e_n"', 'restitution = "e_n + 1"', "E0126", "0 <= restitution <= 1"),
    "law_type": ('type = "coulomb"', 'type = "columb"', "E0125", "did you mean 'coulomb'"),
    "start_of_no_joint": ("wristpin = {", "wristpn = {", "E0141", "did you mean 'wristpin'"),
    "displacement_of_a_turn": ('wristpin = { angle = "0 deg"', 'wristpin = { displacement = "0 mm"', "E0108", "angle"),
    "not_assembled": ('wristpin = { angle = "0 deg"', 'guide2 = { angle = "0 deg"', "E0141", "no joint"),
    "scheme": ('scheme = "moreau_jean"  ', 'scheme = "moreau_jaen"  ', "E0110", "did you mean 'moreau_jean'"),
    "scheme_that_cannot": ('scheme = "moreau_jean"  ', 'scheme = "schatzman_paoli"  ', "E0301", "friction"),
    "interval": ('fields     = { every = "100 us" }', 'fields     = { every = "100 mm" }', "E0137", "a time (s), not a length (m)"),
    "signal": ('y_slider  = "body.slider.y"', 'y_slider  = "body.slidr.y"', "E0131", "unknown name"),
    "expectation": ('"min(joint.guide.gap) > -c/20"', '"min(joint.guide.gap)"', "E0134", "compares nothing"),
    "study_kind": ('kind    = "sweep"', 'kind    = "sweeep"', "E0125", "did you mean 'sweep'"),
    "study_axis": ('over    = { c = "linspace(0.1 mm, 2 mm, 20)"', 'over    = { d = "linspace(0.1 mm, 2 mm, 20)"', "E0141", "no parameter 'd'"),
    "study_values": ('"linspace(0.1 mm, 2 mm, 20)"', '"linspace(0.1 mm, 2 mm)"', "E0123", "linspace"),
    "study_unit": ('"linspace(0.1 mm, 2 mm, 20)"', '"linspace(0.1 ms, 2 ms, 20)"', "E0137", "a length (m), not a time (s)"),
}


class BrokenModels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def test_the_whole_one_is_whole(self):
        (self.directory / "whole.toml").write_text(CRANK)
        result = carom("check", "whole.toml", cwd=self.directory)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_there_are_sixty(self):
        self.assertGreaterEqual(len(BROKEN), 60)

    def test_each_mistake_is_told_where_it_stands(self):
        for name, (old, new, code, part) in BROKEN.items():
            with self.subTest(name):
                self.assertEqual(CRANK.count(old), 1, old)
                text = CRANK.replace(old, new)
                (self.directory / f"{name}.toml").write_text(text)
                result = carom("check", f"{name}.toml", cwd=self.directory)
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertIn(f"error[{code}]", result.stderr)
                self.assertIn(part, result.stderr)
                first = text[: text.find(new)].count("\n") + 1 if new.strip() else 0
                lines = range(first, first + new.count("\n") + 1)
                if new.strip() and code not in ("E0104",):
                    self.assertTrue(any(f"--> {name}.toml:{line}:" in result.stderr for line in lines), result.stderr)


if __name__ == "__main__":
    unittest.main()
