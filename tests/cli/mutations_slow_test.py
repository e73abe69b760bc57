#!/usr/bin/env python3
"""Every shipped scenario and some stored problems, broken in many ways: lines left out, doubled or moved, values replaced, bytes
garbled. Whatever comes of it is an exit code with a message: never a signal, never more than ten seconds or two GiB."""
import os
import random
import re
import resource
import shutil
import subprocess
import unittest

from _helpers import CAROM, SANITIZERS, SOURCE, limit_memory, scratch

MEMORY = 2 << 30
SECONDS = 60 if SANITIZERS else 10  # of processor time
PER_SCENARIO = int(os.environ.get("CAROM_MUTATIONS", 12))

VALUES = ["0", "-1", "1", "2", "1.5", "1e-300", "1e-14", "1e9", "1e20", "1e300", "-1e300", "nan", "inf", "-inf", "9007199254740993", "2147483648",
          "4294967297", '"1/0"', '"0/0"', '"pi"', '"t"', '""', '"x"', "true", "[]", "[1, 2, 3]", "{}", "1979-05-27", '"' + "(" * 300 + '"', "'''\n'''"]


def broken(text, chance):
    lines = text.splitlines(keepends=True)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        at = chance.randrange(len(lines))
        way = chance.randrange(8)
        if way == 0:
            del lines[at]
        elif way == 1:
            lines.insert(chance.randrange(len(lines) + 1), lines[at])
        elif way == 2:
            lines[at] = re.sub(r"=.*", lambda _: "= " + chance.choice(VALUES), lines[at], count=1)
        elif way in (3, 4):  # one number of the line
            numbers = list(re.finditer(r"-?\d[\d.e+-]*", lines[at]))
            if numbers:
                number = chance.choice(numbers)
                lines[at] = lines[at][:number.start()] + chance.choice(VALUES) + lines[at][number.end():]
        elif way == 5:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif way == 6:
            cut = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:cut] + chr(chance.choice([0, 9, 34, 39, 46, 61, 91, 93, 123, 125, 0x7F, 0xE9, 0x1F600])) + lines[at][cut:]
        else:
            words = re.findall(r"[A-Za-z_]+", lines[at])
            if words:
                lines[at] = lines[at].replace(chance.choice(words), chance.choice(["t", "pi", "ground", "none", "x", "default", "law", "body"]), 1)
        if not lines:
            return ""
    return "".join(lines)


class Mutations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()
        for matrix in (SOURCE / "scenarios").glob("*.mtx"):
            shutil.copy(matrix, cls.directory)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def try_out(self, what, *arguments):
        def limit():
            limit_memory(MEMORY)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        result = subprocess.run([CAROM, *map(str, arguments)], cwd=self.directory, capture_output=True, timeout=600, preexec_fn=limit)
        text = result.stderr.decode(errors="replace")
        if arguments[0] == "solve" and result.returncode == 3:  # what each solver came to stands in the table
            text += "error[E]" if b"not converged" in result.stdout else ""
        with self.subTest(what, arguments=arguments):
            kept = SOURCE / "build" / "mutation_findings"
            if result.returncode not in (0, 1, 2, 3) or (result.returncode in (2, 3) and "error[E" not in text):
                kept.mkdir(parents=True, exist_ok=True)
                shutil.copy(self.directory / arguments[1], kept / f"{what.replace(' ', '_')}_{arguments[1]}")
            self.assertIn(result.returncode, (0, 1, 2, 3), text[-1500:])
            if result.returncode in (2, 3):
                self.assertIn("error[E", text)

    def test_scenarios(self):
        for file in sorted((SOURCE / "scenarios").glob("*.toml")):
            text = file.read_text()
            chance = random.Random(file.name)
            step = re.search(r"^step *= *([\d.e+-]+)", text, re.M)
            for number in range(PER_SCENARIO):
                (self.directory / file.name).write_text(broken(text, chance))
                run = number % 4 == 3 and step
                arguments = ("run", file.name, "--t-end", 20 * float(step.group(1))) if run else ("check", file.name)
                self.try_out(f"mutation {number}", *arguments)

    def test_matrices(self):
        chance = random.Random("matrices")
        shutil.copy(SOURCE / "scenarios" / "modal_bar.toml", self.directory / "bar.toml")
        text = (SOURCE / "scenarios" / "bar_mass.mtx").read_text()
        for number in range(2 * PER_SCENARIO):
            (self.directory / "bar_mass.mtx").write_text(broken(text, chance))
            self.try_out(f"matrix {number}", "check", "bar.toml")
        shutil.copy(SOURCE / "scenarios" / "bar_mass.mtx", self.directory)

    def test_problems(self):
        chance = random.Random("problems")
        for folder, name in (("problem_text", "blocks.dat"), ("problem_text", "dense.dat"), ("problem_text", "columns.dat")):
            text = (SOURCE / "tests" / "fuzz" / "corpus" / folder / name).read_text()
            for number in range(2 * PER_SCENARIO):
                (self.directory / name).write_text(broken(text, chance))
                self.try_out(f"problem {number}", "solve", name, "--solver", chance.choice(["all", "automatic"]))


if __name__ == "__main__":
    unittest.main()
