"""The programs in examples/ build against an installed Carom and say what they should."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["CAROM_SOURCE"])
BUILD = Path(os.environ["CAROM"]).parent.parent
SANITIZE = f"-fsanitize={os.environ['CAROM_SANITIZE']}" if os.environ.get("CAROM_SANITIZE") else ""  # as the library was built


def run(*command, **options):
    result = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if result.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {result.returncode}\n{result.stdout[-4000:]}")
    return result.stdout


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp())
        prefix, build = cls.directory / "installed", cls.directory / "build"
        run("cmake", "--install", BUILD, "--prefix", prefix)
        # Nothing of the source tree may be needed: neither its headers nor its build.
        for file in prefix.rglob("*.cmake"):
            assert str(SOURCE) not in file.read_text(), f"{file} names the source tree"
        shutil.copytree(SOURCE / "examples", cls.directory / "examples")
        run("cmake", "-S", cls.directory / "examples", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
            f"-DCMAKE_CXX_FLAGS={SANITIZE}")
        run("cmake", "--build", build, "--", "-j2")
        cls.prefix, cls.build = prefix, build

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def example(self, name, *arguments):
        self.assertTrue((SOURCE / "examples" / f"{name}.cc").read_text().split("\n")[0].endswith(f"build/examples/{name}")
                        or arguments, "an example opens with its command line")
        return run(self.build / name, *arguments, cwd=self.directory)

    def numbers(self, line):
        return [float(x) for x in re.findall(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?", line)]

    def test_all_are_tested(self):
        tested = {name[5:7] for name in dir(self) if re.match(r"test_\d\d", name)}
        self.assertEqual(tested, {file.name[:2] for file in (SOURCE / "examples").glob("*.cc")})

    def test_01_first_bounce(self):
        lines = self.example("01_first_bounce").splitlines()
        bounces = [line for line in lines if "ball-floor" in line or "floor-ball" in line]
        t = [float(re.search(r"t = ([\d.]+)", line).group(1)) for line in bounces]
        first, flight = (2 * 0.5 / 9.81) ** 0.5, 2 * 0.7 * (2 * 0.5 / 9.81) ** 0.5
        self.assertAlmostEqual(t[0], first, delta=2e-4)
        self.assertAlmostEqual(t[1], first + flight, delta=5e-4)
        for line in bounces[:2]:
            before, after = self.numbers(line.split("N s")[1])[:2]
            self.assertAlmostEqual(after, -0.7 * before, delta=2e-4)

    def test_02_pendulum(self):
        rows = [line.split() for line in self.example("02_pendulum").splitlines()[1:]]
        self.assertEqual([row[0] for row in rows], ["moreau_jean", "projection_combined", "nonsmooth_generalized_alpha"])
        for row in rows:
            start, end, damper, scheme = map(float, row[1:5])
            self.assertAlmostEqual(start + damper + scheme, end, delta=1e-5)  # the audit closes
            self.assertLess(damper, -0.1)
            self.assertLess(abs(scheme), 0.2 * abs(damper))
        self.assertLess(abs(float(rows[2][4])), 1e-4)  # of second order

    def test_03_slider_crank(self):
        rows = [self.numbers(line) for line in self.example("03_slider_crank").splitlines()[1:]]
        self.assertEqual([row[0] for row in rows], [0.1, 0.5, 1.0])
        self.assertAlmostEqual(rows[2][1], 7.126, delta=2e-3)  # as the formulas in maximal coordinates

    def test_04_stack_of_boxes(self):
        text = self.example("04_stack_of_boxes")
        carried, weight = map(float, re.search(r"carries ([\d.]+) N of ([\d.]+) N", text).groups())
        self.assertAlmostEqual(carried, weight, delta=1e-5)
        self.assertLess(float(re.search(r"moved by (\S+) m", text).group(1)), 1e-8)

    def test_05_compare_schemes(self):
        text = self.example("05_compare_schemes")
        self.assertIn("9 velocities, 3 joints with 6 rows of rank 6", text)
        for scheme in ("moreau_jean ", "projection_combined ", "half_explicit_velocity "):
            self.assertRegex(text, scheme + r" +\d")
        self.assertRegex(text, r"moreau_jean_explicit +(cannot: |\d)")

    def test_06_record_and_read(self):
        lines = self.example("06_record_and_read", self.directory / "kept.h5").splitlines()
        self.assertIn("2000 steps", lines[0])
        self.assertIn("angle [rad]", lines[1])
        rows = [self.numbers(line) for line in lines[2:] if "nan" not in line]
        self.assertTrue(all(row[1] > -1.0 - 1e-6 for row in rows), "the limit holds")
        # At rest on the limit the hinge carries the weight and what the limit's moment leaves to it.
        self.assertAlmostEqual(rows[-1][1], -1.0, delta=1e-6)
        self.assertAlmostEqual(rows[-1][2], 9.81, delta=1e-3)

    def test_07_driven_beam(self):
        rows = [line.split() for line in self.example("07_driven_beam").splitlines()[1:]]
        self.assertEqual(len(rows), 3)
        for row in rows:
            start, motor, blows, end, residual = map(float, row[1:6])
            self.assertAlmostEqual(start + motor - blows + residual, end, delta=5e-5)  # the audit closes
            self.assertGreater(motor, 0.5)
            self.assertGreater(blows, 0.02)
            self.assertLess(abs(residual), 0.05 * motor)

    def test_08_struck_structure(self):
        speeds, energies = self.example("08_struck_structure").splitlines()
        before, after = self.numbers(speeds)
        start, lost, end, residual, joints = self.numbers(energies)
        self.assertGreater(after, before + 1.0)
        self.assertAlmostEqual(start - lost + residual, end, delta=5e-6)
        self.assertGreater(lost, 0.02)
        self.assertLess(abs(residual), 0.01 * start)
        self.assertLess(joints, 1e-9)

    def test_09_frame_in_a_pile(self):
        counts, energies = self.example("09_frame_in_a_pile").splitlines()
        balls, steps, failed, sank = self.numbers(counts)
        self.assertEqual((balls, steps, failed), (1000, 50, 0))
        self.assertGreater(sank, 1.0)
        start, dampers, blows, friction, end, residual = self.numbers(energies)
        self.assertAlmostEqual(start + dampers - blows - friction + residual, end, delta=1e-3)
        self.assertLess(abs(residual), 0.02 * (start - end))

    def test_the_installed_program_runs(self):
        self.assertIn("moreau_jean", run(self.prefix / "bin" / "carom", "list", "schemes"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
