#!/usr/bin/env python3
"""Files that are too deep, too large, no files at all, or damaged: exit 2 and a message, soon and with little memory."""
import json
import os
import resource
import shutil
import subprocess
import time
import unittest

import h5py
import numpy

from _helpers import BALL, CAROM, SANITIZERS, SOURCE, carom, limit_memory, scratch

MEMORY = 2 << 30
SECONDS = 10

# Two contacts in space: identity matrix in blocks.
BLOCKS = "3\n2\n1\n6 6\n2 2 2\n3 6\n3 6\n3 2\n0 1 2\n0 1\n" + "1. 0. 0. 0. 1. 0. 0. 0. 1. " * 2 + "\n-1 0 0 -1 0 0\n0.3 0.3\n"
# One contact in the plane.
DENSE = "2\n1\n0\n2 2\n2 2\n1. 0. 0. 1.\n-1 0\n0.3\n"
COLUMNS = "2\n1\n2\n2 2\n2\nby someone\n2 2\ncol 0 : locations 0 to 0\n0 : 1.0\ncol 1 : locations 1 to 1\n1 : 1.0\n-1 0\n0.3\n"

BAD_PROBLEMS = {
    "row_begin_beyond_the_blocks": BLOCKS.replace("0 1 2\n", "0 100000 2\n"),
    "row_begin_backwards": BLOCKS.replace("0 1 2\n", "0 2 1\n"),
    "no_row_begin": BLOCKS.replace("3 2\n0 1 2\n", "0 2\n"),
    "row_ends_backwards": BLOCKS.replace("3 6\n3 6\n", "6 3\n3 6\n"),
    "block_column_out_of_range": BLOCKS.replace("0 1 2\n0 1\n", "0 1 2\n0 7\n"),
    "many_blocks": BLOCKS.replace("2 2 2\n", "1999999999 2 2\n"),
    "ends_after_the_header": "3\n1\n2\n3 3\n0\n",
    "ends_in_the_header": "3\n1\n",
    "empty": "",
    "no_contacts": "3\n0\n0\n0 0\n0 0\n",
    "words_at_the_end": DENSE + "and more\n",
    "nothing_but_space": " \n \n",
    "many_contacts": "3\n1500000000\n0\n205032704 205032704\n1 1\n1.\n",
    "nan_in_W": DENSE.replace("1. 0. 0. 1.", "1. nan nan 1."),
    "infinity_in_W": DENSE.replace("1. 0. 0. 1.", "1. inf 0. 1."),
    "overflow_in_W": DENSE.replace("1. 0. 0. 1.", "1. 1e999 0. 1."),
    "nan_in_q": DENSE.replace("-1 0", "nan 0"),
    "infinite_friction": DENSE.replace("0.3", "inf"),
    "negative_friction": DENSE.replace("0.3", "-0.3"),
    "column_out_of_range": COLUMNS.replace("col 1", "col 1999999999"),
    "many_locations": COLUMNS.replace("0 to 0", "0 to 1999999999"),
    "long_word": DENSE.replace("-1 0", "x" * 3000000),
}


class HostileFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def run_limited(self, *arguments, code=2, memory=MEMORY):
        def limit():
            limit_memory(memory)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        begin = time.monotonic()
        result = subprocess.run([CAROM, *map(str, arguments)], cwd=self.directory, capture_output=True, timeout=60, preexec_fn=limit)
        text = result.stderr.decode(errors="replace")
        self.assertEqual(result.returncode, code, (arguments, text[-2000:]))
        self.assertLess(time.monotonic() - begin, 4 * SECONDS, arguments)  # of a busy machine
        if code:
            self.assertIn("error[E", text)
        self.assertLess(len(text), 200000, "a message is to be read")
        return text

    def scenario(self, name, text):
        (self.directory / f"{name}.toml").write_text(text)
        return self.run_limited("check", f"{name}.toml")

    def test_nothing_nests_without_end(self):
        height = 'height = "h"'
        for name, formula in {
            "brackets": "(" * 10000 + "1" + ")" * 10000,
            "sum": "1" + "+1" * 50000,
            "minus": "-" * 100000 + "1",
            "calls": "abs(" * 50000 + "1" + ")" * 50000,
            "not": "not " * 50000 + "1",
        }.items():
            with self.subTest(name):
                self.assertIn("[E0130]", self.scenario(name, BALL.replace(height, f'height = "{formula}"')))
        for name, more in {
            "header": "[" + ".".join("a" * 20000) + "]\n",
            "dotted": ".".join("a" * 300000) + " = 1\n",
            "lists": "x = " + "[" * 100000 + "]" * 100000 + "\n",
            "tables": "x = " + "{a=" * 20000 + "1" + "}" * 20000 + "\n",
            "quoted": ".".join(['"a"'] * 100000) + " = 1\n",
        }.items():
            with self.subTest(name):
                self.assertRegex(self.scenario(name, BALL + "[more]\n" + more), r"\[E0114\]|\[E0100\]")
        self.run_limited("check", "header.toml", "--set", "h=" + "[" * 1000)
        self.run_limited("check", "header.toml", "--set", ".".join("a" * 2000) + "=1")

    @unittest.skipIf("address" in SANITIZERS, "memory cannot be limited")
    def test_more_bodies_than_memory(self):
        (self.directory / "crowd.toml").write_text(BALL[:BALL.index("[analytic]")] + """[generate.p]
kind = "sphere_lattice"
counts = [100, 100, 10]
[contact.default]
law = "floor"
[law.floor]
normal = { type = "newton", restitution = 0.5 }
tangential = { type = "coulomb", friction = 0.5 }
[simulation]
t_end = 0.01
step = 1e-3
""")
        self.assertIn("[E0702]", self.run_limited("check", "crowd.toml", code=4, memory=120 << 20))

    def test_long_chains_and_circles_of_parameters(self):
        n = 20000
        chain = "".join(f'p{i} = "p{i + 1} + 1"\n' for i in range(n))
        name = self.directory / "chain.toml"
        name.write_text(BALL.replace("h = 1.0", f'h = "p0"\n{chain}p{n} = 1'))
        self.run_limited("check", "chain.toml", code=0)
        text = self.scenario("circle", BALL.replace("h = 1.0", f'h = "p0"\n{chain}p{n} = "p0"'))
        self.assertIn("[E0133]", text)
        self.assertIn(" -> ... -> ", text)

    def test_many_problems_and_long_names_give_a_short_message(self):
        text = self.scenario("many", BALL + "".join(f"[x{i}]\n" for i in range(50000)))
        self.assertIn("[E0116]", text)
        self.scenario("long_name", BALL + "[" + "n" * 1000000 + "]\n")
        self.scenario("long_line", BALL + "x = { " + ", ".join(f"a{i} = {i}" for i in range(100000)) + " }\n")
        self.scenario("long_value", BALL.replace('"bouncing_ball"', '"' + "b" * 3000000 + '"'))
        self.assertIn("[E0219]", self.scenario("formulas", BALL + "[expect]\n" + "".join(f'x{i} = "1 > 0"\n' for i in range(50000))))
        self.scenario("large", "# " + "x" * (5 << 20))

    def test_pipes_devices_and_folders_are_no_files(self):
        os.mkfifo(self.directory / "pipe")
        flexible = (SOURCE / "scenarios" / "modal_bar.toml").read_text().replace('"bar_mass.mtx"', '"pipe"')
        (self.directory / "flexible.toml").write_text(flexible)
        for command in ("run", "check", "solve", "compare", "converge"):
            for file in ("pipe", "/dev/zero", "/dev/stdin", "."):
                if (command, file) == ("solve", "."):
                    continue  # a folder of problems is right there
                with self.subTest(command=command, file=file):
                    self.assertRegex(self.run_limited(command, file), r"\[E0113\]|\[E0101\]")
        self.assertIn("[E0113]", self.run_limited("check", "flexible.toml"))

    def test_bad_problems(self):
        for name, text in {"blocks": BLOCKS, "dense": DENSE, "columns": COLUMNS}.items():
            (self.directory / f"{name}.dat").write_text(text)
            self.run_limited("solve", f"{name}.dat", code=0)
        for name, text in BAD_PROBLEMS.items():
            with self.subTest(name):
                (self.directory / f"{name}.dat").write_text(text)
                self.assertRegex(self.run_limited("solve", f"{name}.dat"), r"\[E0601\]")

    def hdf5(self, name, **changes):
        parts = {"fclib_local/spacedim": [2], "fclib_local/W/m": [2], "fclib_local/W/n": [2], "fclib_local/W/nz": [-1],
                 "fclib_local/W/p": [0, 1, 2], "fclib_local/W/i": [0, 1], "fclib_local/W/x": [1.0, 1.0],
                 "fclib_local/vectors/q": [-1.0, 0.0], "fclib_local/vectors/mu": [0.3]}
        with h5py.File(self.directory / name, "w") as file:
            for path, value in parts.items():
                value = changes.get(path.rsplit("/", 1)[1], value)
                if isinstance(value, tuple):  # declared, never written
                    file.create_dataset(path, shape=value, dtype="f8")
                else:
                    file[path] = numpy.array(value, dtype="i4" if isinstance(value[0], int) else "f8")
        return name

    def test_hdf5_problems(self):
        self.run_limited("solve", self.hdf5("good.h5"), code=0)
        for name, changes in {
            "declares_a_terabyte": {"x": (10**11,)},
            "declares_more_than_addresses": {"q": (10**18,)},
            "declares_rows": {"m": [2000000000], "n": [2000000000]},
            "nan": {"x": [float("nan"), 1.0]},
            "infinity": {"q": [float("inf"), 1.0]},
            "infinite_friction": {"mu": [float("inf")]},
            "backwards": {"p": [0, 2, 1]},
            "far": {"p": [0, 1, 200000000]},
            "below": {"i": [-1, 1]},
            "storage": {"nz": [-5]},
            "no_rows": {"m": [0], "n": [0], "p": [0], "i": (0,), "x": (0,), "q": (0,), "mu": (0,)},
        }.items():
            with self.subTest(name):
                self.assertIn("[E0601]", self.run_limited("solve", self.hdf5(f"{name}.h5", **changes)))

    def test_damaged_hdf5_problems(self):
        """Bytes flipped at random: a message or a solution, whatever the library makes of it."""
        self.hdf5("whole.h5")
        whole = (self.directory / "whole.h5").read_bytes()
        random = numpy.random.default_rng(3)
        for trial in range(25):
            data = bytearray(whole)
            for place in random.integers(0, len(data) if trial % 2 else 2048, size=1 + trial % 9):
                data[place] = random.integers(256)
            (self.directory / "damaged.h5").write_bytes(data[: len(data) if trial % 5 else random.integers(len(data))])
            result = carom("solve", "damaged.h5", cwd=self.directory)
            self.assertIn(result.returncode, (0, 2, 3), (trial, result.stderr))

    def test_bytes_that_are_no_text(self):
        name = b"\xff\xfe.toml"
        for arguments in ([b"run", name, b"--json"], [b"check", name, b"--json"], [b"solve", name, b"--json"],
                          [b"check", b"ball.toml", b"--json", b"--set", b"title=\xff"],
                          [b"run", b"ball.toml", b"--json", b"--set", b"law.floor.normal.type=\xff\xff"]):
            (self.directory / "ball.toml").write_text(BALL)
            result = subprocess.run([CAROM.encode(), *arguments], cwd=self.directory, capture_output=True, timeout=60)
            self.assertIn(result.returncode, (0, 2), (arguments, result.stderr))
            for line in result.stdout.decode().splitlines():
                json.loads(line)
        (self.directory / "broken.toml").write_bytes(BALL.replace("ball", "b\x00ll").encode() + b"# \xff\n")
        self.assertIn("[E0100]", self.run_limited("check", "broken.toml", "--json"))

    def test_command_lines_of_hyphens(self):
        for arguments in (["---"], ["--"], ["-"], ["run", "---"], ["run", "x", "---=1"], ["list", "----"], ["--="], [""], ["run", ""]):
            with self.subTest(arguments):
                result = carom(*arguments, cwd=self.directory)
                self.assertIn(result.returncode, (0, 2), result.stderr)
        self.assertIn("unknown option '---'", carom("---").stderr)


if __name__ == "__main__":
    unittest.main()
