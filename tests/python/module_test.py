#!/usr/bin/env python3
"""The Python module, its examples, and the blocks of docs/python.md, in the Python of the build."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(os.environ["CAROM"]).parent / "carom-python"
SOURCE = Path(os.environ["CAROM_SOURCE"])


def python(*arguments, **keep):
    return subprocess.run([str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, timeout=600, **keep)


@unittest.skipUnless(PROGRAM.exists(), "this build has no Python module (pybind11-dev)")
class Module(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=os.getcwd())
        self.addCleanup(self.folder.cleanup)

    def test_api(self):
        done = python(SOURCE / "tests/python/_api.py", cwd=self.folder.name)
        self.assertEqual(done.returncode, 0, done.stderr[-4000:])

    def test_examples(self):
        wanted = {"first_bounce": r"finished.*sound", "clearance_study": r"clearance 1\.000 mm", "controlled_crank": r"held: crank speed",
                  "own_scheme": r"difference of height \d\.\de-(0[89]|1\d)|difference of height 0", "step_and_go_back": r"torque 3\.0 N m"}
        scripts = sorted((SOURCE / "examples").glob("*.py"))
        self.assertEqual([s.stem for s in scripts], sorted(wanted))
        for script in scripts:
            with self.subTest(script.name):
                done = python(script, cwd=self.folder.name)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                self.assertRegex(done.stdout, wanted[script.stem])

    def test_the_guide(self):
        """What docs/python.md shows runs, block after block."""
        blocks = re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs/python.md").read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 3)
        script = Path(self.folder.name) / "guide.py"
        script.write_text("import os\nos.chdir(os.environ['CAROM_SOURCE'])\n" + "\n".join(blocks))
        done = python(script)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])

    def test_stubs_know_every_name(self):
        done = python("-c", "import carom, inspect; print(*carom.__all__, sep='\\n')")
        stubs = (SOURCE / "bindings/python/carom/__init__.pyi").read_text()
        for name in done.stdout.split():
            self.assertRegex(stubs, rf"\b(class|def) {name}\b", name)


if __name__ == "__main__":
    unittest.main()
