#!/usr/bin/env python3
"""Every model of the gallery and every benchmark runs, is judged sound, and all it expects comes true."""
import unittest

from _helpers import SOURCE, carom, scratch


class Gallery(unittest.TestCase):
    def test_every_model_does_what_it_expects(self):
        models = sorted((SOURCE / "scenarios" / "gallery").glob("*.toml"))
        self.assertGreaterEqual(len(models), 20)
        page = (SOURCE / "docs" / "gallery.md").read_text()
        folder = scratch()
        for model in models:
            with self.subTest(model.stem):
                self.assertIn(model.name, page)
                self.assertIn("[expect]", model.read_text())
                result = carom("run", model, "--out", folder / (model.stem + ".h5"))
                self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])
                self.assertIn("judged sound", result.stdout)

    def test_every_benchmark_in_both_kinds_of_coordinates(self):
        models = sorted((SOURCE / "scenarios" / "benchmarks").glob("*.toml"))
        self.assertGreaterEqual(len(models), 7)
        folder = scratch()
        for model in models:
            for coordinates in ("maximal", "joint"):
                if model.stem == "simple_pendulum_hinge" and coordinates == "maximal":
                    continue  # a body without inertia of its own has only the coordinate of its hinge
                with self.subTest(model.stem + " " + coordinates):
                    result = carom("run", model, "--set", "world.coordinates=" + coordinates, "--out", folder / (model.stem + ".h5"), "--force")
                    self.assertEqual(result.returncode, 0, result.stdout[-2000:] + result.stderr[-2000:])
                    self.assertIn("judged sound", result.stdout)
                    self.assertGreaterEqual(result.stdout.count("  ok  "), 3)


if __name__ == "__main__":
    unittest.main()
