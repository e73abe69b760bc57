#!/usr/bin/env python3
"""Every bad scenario: exit 2, and a message with code, file, line, key and remedy."""
import json
import shutil
import unittest

from _helpers import BALL, SOURCE, carom, scratch

# name: (old text, new text, code, line, parts of the message)
BAD_BALLS = {
    "misspelt_key": ("restitution = 0.5", "resitution = 0.5", "E0102", 15, ["did you mean 'restitution'", "^"]),
    "misspelt_table": ("[simulation]", "[simulaton]", "E0102", 16, ["did you mean 'simulation'"]),
    "wrong_type": ("t_end = 1.5", "t_end = true", "E0123", 17, ["simulation.t_end wants a number"]),
    "negative_mass": ("mass = 1", "mass = -1", "E0126", 10, ["mass = -1", "0 < mass"]),
    "inconsistent_start": ("h = 1.0", "h = -0.1", "E0218", 7, ["overlap at the start", "floor", "-0.1"]),
    "restitution_above_one": ("restitution = 0.5", "restitution = 1.5", "E0126", 15, ["0 <= restitution <= 1"]),
    "step_zero": ("step = 0.01", "step = 0", "E0126", 18, ["simulation.step", "step > 0"]),
    "step_negative": ("step = 0.01", 'step = "-h"', "E0126", 18, ["step > 0"]),
    "word_of_others": ("step = 0.01", "dt = 0.01", "E0102", 18, ["did you mean 'step'"]),
    "unknown_scheme": ('"moreau_jean"', '"moreau_jaen"', "E0110", 19, ["did you mean 'moreau_jean'"]),
    "bad_toml": ("mass = 1", "mass = = 1", "E0100", 10, ["not valid TOML"]),
    "unknown_model": ('"bouncing_ball"', '"bouncing_bal"', "E0110", 8, ["did you mean 'bouncing_ball'"]),
    "unknown_parameter": ("mass = 1", "maas = 1", "E0102", 10, ["did you mean 'mass'"]),
    "bad_expression": ('height = "h"', 'height = "h +* 2"', "E0130", 12, ["'*' is not expected"]),
    "unknown_name": ('height = "h"', 'height = "hh"', "E0131", 12, ["unknown name 'hh'", "did you mean 'h'"]),
    "unknown_unit": ('height = "h"', 'height = "100 mmm"', "E0138", 12, ["unknown unit 'mmm'", "carom list units"]),
    "unknown_law": ('law = "floor"', 'law = "flor"', "E0142", 9, ["did you mean 'floor'"]),
    "unknown_solver": ("tolerance = 1e-12", 'solver = "newton_semismooth"', "E0110", 21, ["known here"]),
    "bad_solver_parameter": ("tolerance = 1e-12", "tolerance = -1", "E0126", 21, ["tolerance"]),
    "schema_missing": ("schema = 1\n", "", "E0104", None, ["schema = 1"]),
    "units_missing": ('[units]\nbare = "SI"\n', "", "E0124", 15, ['bare = "SI"', "a time (s)"]),
    "units_forbid": ('bare = "SI"', 'bare = "forbid"', "E0124", 17, ['"SI"', "1.5 s"]),
    "units_word": ('bare = "SI"', 'bare = "cgs"', "E0125", 4, ['"SI"']),
    "circle": ("h = 1.0", 'h = "k"\nk = "h"', "E0133", 6, ["h -> k -> h"]),
    "bad_expectation": ('file = "ball.h5"', '[expect]\nx = "min(flor.gap) > 0"', "E0131", 24, ["flor.gap"]),
}


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def refused(self, *arguments):
        result = carom(*arguments, cwd=self.directory)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        return result.stderr

    def test_bad_files(self):
        for name, (old, new, code, line, parts) in BAD_BALLS.items():
            for command in ("run", "check"):
                with self.subTest(name, command=command):
                    self.assertIn(old, BALL)
                    file = self.directory / f"{name}.toml"
                    file.write_text(BALL.replace(old, new, 1))
                    text = self.refused(command, file.name)
                    self.assertIn(f"error[{code}]", text)
                    self.assertIn(f"--> {name}.toml" + (f":{line}:" if line else ""), text)
                    for part in parts:
                        self.assertIn(part, text)
                    self.assertFalse((self.directory / "ball.h5").exists(), "nothing was written")

    def test_the_good_file_is_good(self):
        (self.directory / "good.toml").write_text(BALL)
        self.assertEqual(carom("check", "good.toml", cwd=self.directory).returncode, 0)

    def test_missing_file(self):
        (self.directory / "slider.toml").write_text("")
        text = self.refused("run", "slyder.toml")
        self.assertIn("error[E0101]", text)
        self.assertIn("did you mean 'slider.toml'", text)

    def test_scheme_that_cannot_run_the_model(self):
        model = SOURCE / "scenarios" / "slider_crank.toml"
        text = self.refused("run", model, "--scheme", "schatzman_paoli")
        self.assertIn("error[E0301]", text)
        self.assertIn("friction", text)
        self.assertIn("moreau_jean", text)
        copy = self.directory / "crank.toml"
        copy.write_text(model.read_text().replace('scheme = "moreau_jean"', 'scheme = "schatzman_paoli"', 1))
        self.assertRegex(self.refused("check", copy.name), r"--> crank.toml:\d+:\d+")

    def test_json_tells_problems_as_objects(self):
        (self.directory / "bad.toml").write_text(BALL.replace("restitution", "resitution"))
        result = carom("run", "bad.toml", "--json", cwd=self.directory)
        self.assertEqual(result.returncode, 2)
        problem = json.loads(result.stdout.splitlines()[0])
        self.assertEqual((problem["event"], problem["code"], problem["file"]), ("error", "E0102", "bad.toml"))
        self.assertIn("restitution", problem["hint"])
        self.assertGreater(problem["line"], 0)

    def test_all_problems_at_once(self):
        text = BALL.replace("resti", "resi").replace("t_end = 1.5", "t_end = -1").replace("mass = 1", "mas = 1")
        (self.directory / "many.toml").write_text(text)
        self.assertEqual(self.refused("run", "many.toml").count("error[E"), 3)

    def test_bad_overrides(self):
        (self.directory / "good.toml").write_text(BALL)
        for setting, part in {
            "simulation.step=0": "--> --set simulation.step=0",
            "simulation.stepp=1": "did you mean 'step'",
            "hight=2": "did you mean 'height'",
            "law.floor.normal.restitution=2": "0 <= restitution <= 1",
            "justaname": "name=value",
            "simulation.step.x=1": "it has no parts",
        }.items():
            with self.subTest(setting):
                self.assertIn(part, self.refused("run", "good.toml", "--set", setting))

    def test_bad_command_lines(self):
        self.assertIn("did you mean 'run'", self.refused("runn", "x"))
        self.assertIn("did you mean '--strict'", self.refused("run", "x.toml", "--stric"))
        self.assertIn("did you mean 'schemes'", self.refused("list", "shemes"))
        self.assertIn("carom run --help", self.refused("run"))

    def test_bad_studies(self):
        (self.directory / "good.toml").write_text(BALL)
        for arguments, part in {
            ("--schemes", "half_explicit_runge_kuta"): "did you mean 'half_explicit_runge_kutta'",
            ("--schemes", "half_explicit_runge_kutta:tablau=hem3"): "did you mean 'tableau'",
            ("--schemes", "half_explicit_runge_kutta:tableau=hem33"): "hem3",
            ("--schemes", "half_explicit_runge_kutta:hem3"): "half_explicit_runge_kutta:name=value",
            ("--schemes", "half_explicit_extrapolated:order=2.5"): "whole number",
            ("--reference", "moreau_jaen"): "did you mean 'moreau_jean'",
            ("--windows", "0.2"): "from:until",
            ("--windows", "0.5:0.2"): "from:until",
            ("--windows", "0.2:x"): "from:until",
        }.items():
            with self.subTest(arguments):
                self.assertIn(part, self.refused("converge", "good.toml", *arguments))
        self.assertIn("did you mean 'moreau_jean'", self.refused("compare", "good.toml", "--schemes", "moreau_jaen"))


if __name__ == "__main__":
    unittest.main()
