#!/usr/bin/env python3
"""carom export MODEL fmu: the archive, and the library in it, driven by a small importer written in C (_fmi_importer.c)."""
import math
import os
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

from _helpers import SOURCE, carom, scratch

CRANK = SOURCE / "scenarios/slider_crank_bodies.toml"
COMPILER = shutil.which("cc") or shutil.which("gcc")

WHEEL = """schema = 1
[parameters]
J = { value = "0.02 kg*m^2", min = "0.001 kg*m^2", doc = "of the wheel" }
ratio = 2.0
[world]
dimension = 2
[ground.points]
O = [0, 0]
[body.wheel]
mass = "1 kg"
inertia = "J"
points = { O = [0, 0], P = ["0.1 m", 0] }
[joint.hinge]
type = "revolute"
between = ["ground.O", "wheel.O"]
[input.motor]
joint = "hinge"
[input.push]
at = "wheel.P"
torque = "z"
start = "0 N*m"
[simulation]
t_end = "1 s"
step = "1 ms"
scheme = "moreau_jean"
[output.signal]
rate = "joint.hinge.rate"
turns = "joint.hinge.angle / (2*pi)"
"""


class Fmu:
    """An unpacked FMU and the program that loads it."""
    importer = None

    def __init__(self, archive, folder, guid=None):
        self.folder = folder
        with zipfile.ZipFile(archive) as file:
            assert file.testzip() is None
            file.extractall(folder)  # without permissions, as most hosts do
        root = ElementTree.parse(folder / "modelDescription.xml").getroot()
        self.root = root
        self.identifier = root.find("CoSimulation").get("modelIdentifier")
        self.variables = {v.get("name"): v for v in root.find("ModelVariables")}
        self.number = {name: int(v.get("valueReference")) for name, v in self.variables.items()}
        self.guid = guid or root.get("guid")
        self.process = None
        self.log = []

    def open(self, resources=None):
        library = self.folder / f"binaries/linux64/{self.identifier}.so"
        uri = resources or (self.folder / "resources").as_uri()
        self.process = subprocess.Popen([Fmu.importer, str(library), self.guid, uri], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "platform default version 2.0\n"
        return self

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(30)
            self.process.stdout.close()
            self.process = None

    def __call__(self, *words):
        """Status and answers of a command; messages go to the log."""
        self.process.stdin.write(" ".join(w.hex() if isinstance(w, float) else str(w) for w in words) + "\n")
        self.process.stdin.flush()
        answers = []
        while True:
            line = self.process.stdout.readline()
            assert line, "the importer ended"
            if line.startswith("= "):
                return int(line[2:]), answers
            if line.startswith("log "):
                self.log.append(line[4:].strip())
            else:
                answers.append(float.fromhex(line))

    def ok(self, *words):
        status, answers = self(*words)
        assert status == 0, (words, status, self.log)
        return answers

    def get(self, name):
        return self.ok("get", self.number[name])[0]

    def set(self, name, value):
        self.ok("set", self.number[name], float(value))

    def start(self, stop=""):
        self.ok("instantiate")
        self.ok("setup", 0.0, stop)
        self.ok("enter")
        self.ok("exit")
        return self


@unittest.skipUnless(COMPILER, "no C compiler here")
class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = scratch()
        Fmu.importer = cls.directory / "importer"
        subprocess.run([COMPILER, "-std=gnu11", "-O1", "-o", Fmu.importer, SOURCE / "tests/cli/_fmi_importer.c", "-ldl"], check=True)
        (cls.directory / "wheel.toml").write_text(WHEEL)
        for model in (CRANK, cls.directory / "wheel.toml"):
            done = carom("export", model, "fmu", cwd=cls.directory)
            assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def fmu(self, name, **how):
        unit = Fmu(self.directory / f"{name}.fmu", Path(scratch()), **how)
        self.addCleanup(lambda: shutil.rmtree(unit.folder))
        self.addCleanup(unit.close)
        return unit

    def test_the_description(self):
        unit = self.fmu("wheel")
        root = unit.root
        self.assertEqual((root.tag, root.get("fmiVersion")), ("fmiModelDescription", "2.0"))
        self.assertEqual([child.tag for child in root], ["CoSimulation", "UnitDefinitions", "LogCategories", "DefaultExperiment", "ModelVariables",
                                                         "ModelStructure"])
        kinds = {name: v.get("causality") for name, v in unit.variables.items()}
        self.assertEqual(kinds, {"J": "parameter", "ratio": "parameter", "simulation.step": "parameter", "motor": "input", "push": "input",
                                 "rate": "output", "turns": "output"})
        self.assertEqual([int(v.get("valueReference")) for v in root.find("ModelVariables")], list(range(7)))
        self.assertEqual(unit.variables["J"].find("Real").attrib, {"unit": "kg*m^2", "start": "0.02"})
        self.assertEqual(unit.variables["J"].get("description"), "of the wheel")
        units = {u.get("name"): (u.find("BaseUnit").attrib if u.find("BaseUnit") is not None else None) for u in root.find("UnitDefinitions")}
        self.assertEqual(units["kg*m^2"], {"kg": "1", "m": "2"})
        for variable in unit.variables.values():
            self.assertIn(variable.find("Real").get("unit"), [None, *units])
        self.assertEqual(unit.variables["rate"].find("Real").get("unit"), "rad/s")
        self.assertEqual(units[unit.variables["motor"].find("Real").get("unit")], {"kg": "1", "m": "2", "s": "-2"})
        self.assertEqual([int(u.get("index")) for u in root.find("ModelStructure/Outputs")], [6, 7])
        experiment = root.find("DefaultExperiment").attrib
        self.assertEqual({k: float(v) for k, v in experiment.items()}, {"startTime": 0, "stopTime": 1, "stepSize": 1e-3})

    def test_the_numbers_are_those_of_a_run(self):
        """The slider-crank at ten communication points: every signal to the bit what carom run records there."""
        import h5py
        done = carom("run", CRANK, "--t-end", "10 ms", "--set", "output.fields.every='1 ms'", "--set", "c='0.5 mm'", "--out", "run.h5", "--quiet",
                     cwd=self.directory)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        unit = self.fmu("slider_crank_bodies").open()
        unit.ok("instantiate")
        unit.set("c", 0.5e-3)
        unit.ok("setup", 0.0, 0.01)
        unit.ok("enter")
        self.assertEqual(unit.get("turns"), 0.0)
        unit.ok("exit")
        with h5py.File(self.directory / "run.h5") as file:
            wanted = {name: file[f"signal/{name}"][:] for name in ("turns", "y_slider", "impact")}
        self.assertEqual(len(wanted["turns"]), 11)
        self.assertGreater(wanted["impact"].sum(), 0.0)
        for k in range(10):
            unit.ok("step", k * 1e-3, 1e-3)
            for name, values in wanted.items():
                self.assertEqual(unit.get(name), values[k + 1], (name, k))
        unit.ok("terminate")
        self.assertEqual(unit.log, [])

    def test_inputs_and_parameters(self):
        unit = self.fmu("wheel").open()
        unit.ok("instantiate")
        unit.set("J", 0.05)
        unit.ok("setup", 0.0)
        unit.ok("enter")
        unit.set("motor", 0.5)
        unit.ok("exit")
        unit.ok("step", 0.0, 0.1)
        self.assertAlmostEqual(unit.get("rate"), 0.5 * 0.1 / 0.05, 12)
        unit.set("motor", 0.0)
        unit.set("push", -1.0)
        unit.ok("step", 0.1, 0.0375)  # between two steps of the scheme
        self.assertAlmostEqual(unit.get("rate"), 1.0 - 0.0375 / 0.05, 12)
        self.assertEqual(unit.get("J"), 0.05)

    def test_inputs_go_with_the_next_step(self):
        """They are read as they were set at once; the last value counts; the numbers are those of inputs that were set before the start."""
        early, late = self.fmu("wheel").open(), self.fmu("wheel").open()
        early.ok("instantiate")
        early.set("motor", 0.5)
        early.set("push", 0.25)
        for words in (("setup", 0.0), ("enter",), ("exit",)):
            early.ok(*words)
        late.start()
        for value in (3.0, -1.0, 0.5):
            late.set("motor", value)
            self.assertEqual(late.get("motor"), value)
        late.set("push", 0.25)
        self.assertEqual(late("set", late.number["motor"], float("nan"))[0], 3, "not a number")
        self.assertEqual(late("set", late.number["rate"], 1.0)[0], 3, "an output")
        self.assertEqual(late.get("motor"), 0.5)
        for k in range(5):
            for unit in (early, late):
                unit.ok("step", 0.01 * k, 0.01)
            self.assertEqual(early.get("rate"), late.get("rate"))
        # A saved state has them, whether or not a step came between.
        late.set("motor", 2.0)
        late.ok("save", "with")
        late.set("motor", 7.0)
        late.ok("restore", "with")
        self.assertEqual(late.get("motor"), 2.0)

    def test_states(self):
        """Back and forth: the same bits, also what was counted on the way (turns), also in another instance."""
        unit = self.fmu("slider_crank_bodies").open().start()
        names = ("turns", "y_slider", "impact")

        def go(u, k):
            u.ok("step", k * 2e-3, 2e-3)
            return [u.get(name) for name in names]

        for k in range(30):
            go(unit, k)
        here = [unit.get(name) for name in names]
        self.assertGreater(here[0], 0.5)  # angles of formulas are counted over turns
        unit.ok("save", "here")
        first = [go(unit, k) for k in range(30, 45)]
        unit.ok("restore", "here")
        self.assertEqual([unit.get(name) for name in names], here)
        self.assertAlmostEqual(unit.ok("time")[0], 60e-3, 12)
        self.assertEqual([go(unit, k) for k in range(30, 45)], first)
        unit.ok("store", "here", "state.bytes")
        unit.ok("forget", "here")
        other = self.fmu("slider_crank_bodies").open().start()
        other.ok("load", "there", "state.bytes")
        other.ok("restore", "there")
        self.assertEqual([other.get(name) for name in names], here)
        self.assertEqual([go(other, k) for k in range(30, 45)], first)
        wheel = self.fmu("wheel").open().start()
        self.assertEqual(wheel("load", "there", "state.bytes")[0], 3)
        self.assertIn("another model", wheel.log[-1])
        os.remove("state.bytes")

    def test_reset_begins_anew(self):
        unit = self.fmu("wheel").open().start()
        unit.set("motor", 1.0)
        unit.ok("step", 0.0, 0.5)
        self.assertGreater(unit.get("rate"), 1.0)
        unit.ok("reset")
        unit.ok("setup", 0.0)
        unit.ok("enter")
        self.assertEqual((unit.get("rate"), unit.get("motor")), (0.0, 0.0))
        unit.ok("exit")
        unit.ok("step", 0.0, 0.5)
        self.assertEqual(unit.get("rate"), 0.0)

    def test_what_is_out_of_order_is_refused_and_changes_nothing(self):
        unit = self.fmu("wheel").open()
        unit.ok("instantiate")

        def refused(text, *words, status=3):
            self.assertEqual(unit(*words)[0], status, words)
            self.assertRegex(unit.log[-1], rf"^{status} logStatus\w+ unit .*{text}")

        refused("fmi2DoStep does not fit here: the instance is instantiated", "step", 0.0, 0.1)
        refused("begins at t = 0", "setup", 5.0)
        refused("no variable with the value reference 99", "set", 99, 1.0)
        refused("no variable with the value reference 99", "get", 99)
        refused("type Real", "integer")
        unit.ok("set", unit.number["J"], -1.0)
        refused("E0126.*J", "enter")  # the message of the program: below the least value of the file
        unit.ok("set", unit.number["J"], 0.02)
        unit.ok("setup", 0.0, 0.2)
        unit.ok("enter")
        unit.ok("exit")
        refused("J is a parameter", "set", unit.number["J"], 1.0)
        refused("rate is an output", "set", unit.number["rate"], 1.0)
        refused("motor is not a number", "set", unit.number["motor"], math.nan)
        refused("must be positive", "step", 0.0, -0.1)
        refused("the instance is at t = 0", "step", 0.05, 0.1)
        refused("beyond the stop time 0.2", "step", 0.0, 0.3)
        refused("no such state", "restore", "nobody")
        unit.set("motor", 1.0)
        unit.ok("step", 0.0, 0.1)
        self.assertAlmostEqual(unit.get("rate"), 5.0, 12)
        unit.ok("terminate")
        self.assertAlmostEqual(unit.get("rate"), 5.0, 12)
        refused("terminated", "step", 0.1, 0.1)

    def test_instances_that_cannot_be(self):
        unit = self.fmu("wheel", guid="{another}").open()
        self.assertEqual(unit("instantiate")[0], 3)
        self.assertIn("guid {another} is not that of this FMU", unit.log[-1])
        exchange = self.fmu("wheel").open()
        self.assertEqual(exchange("instantiate", 0)[0], 3)
        self.assertIn("co-simulation", exchange.log[-1])
        lost = self.fmu("wheel").open(resources="file:///nowhere%20at%20all")
        self.assertEqual(lost("instantiate")[0], 3)
        self.assertIn("/nowhere at all/carom", lost.log[-1])

    def test_a_step_that_fails_is_discarded_where_it_failed(self):
        model = WHEEL.replace('between = ["ground.O", "wheel.O"]', 'between = ["ground.O", "wheel.O"]\ndrive = { torque = "1 N*m * sqrt(0.0505 s - t) / (1 s)^0.5" }')
        (self.directory / "fails.toml").write_text(model)
        self.assertEqual(carom("export", "fails.toml", "fmu", cwd=self.directory).returncode, 0)
        unit = self.fmu("fails").open().start()
        unit.ok("step", 0.0, 0.05)
        unit.ok("save", "good")
        self.assertEqual(unit("step", 0.05, 0.05)[0], 2)
        self.assertIn("logStatusDiscard", unit.log[-1])
        last = unit.ok("time")[0]
        self.assertTrue(0.05 <= last < 0.1, last)
        unit.ok("restore", "good")
        self.assertAlmostEqual(unit.ok("time")[0], 0.05, 12)

    def test_a_host_survives_the_end_of_the_program(self):
        unit = self.fmu("wheel").open().start()
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(unit.process.pid)], capture_output=True, text=True).stdout.split()
        self.assertEqual(len(children), 1)
        os.kill(int(children[0]), signal.SIGKILL)
        self.assertEqual(unit("step", 0.0, 0.1)[0], 4)
        self.assertIn("has ended", unit.log[-1])
        unit.ok("free")

    def test_the_program_ends_with_its_host(self):
        unit = self.fmu("wheel").open().start()
        child = int(subprocess.run(["ps", "-o", "pid=", "--ppid", str(unit.process.pid)], capture_output=True, text=True).stdout)
        unit.process.kill()
        unit.process.wait()
        unit.process.stdin.close()
        unit.process.stdout.close()
        unit.process = None
        for _ in range(100):
            try:
                os.kill(child, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        self.fail("the program outlived its host")

    def test_files_the_model_names_come_along(self):
        folder = self.directory / "parts"
        folder.mkdir()
        (folder / "numbers.toml").write_text('[parameters]\nJ = "0.04 kg*m^2"\n')
        (folder / "pull.csv").write_text("0, 0\n1, 2\n2, 4\n")
        lines = [line for line in WHEEL.splitlines() if not line.startswith("J =")]
        text = "\n".join(["include = [\"numbers.toml\"]", *lines]).replace('[input.push]', '[drive.pull]\njoint = "hinge"\n'
                          'torque = "1 N*m * table(\'pull.csv\', t / (1 s))"\n[input.push]')
        (folder / "model.toml").write_text(text)
        done = carom("export", "parts/model.toml", "fmu", "--out", "parts.fmu", cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        shutil.rmtree(folder)
        unit = self.fmu("parts").open().start()
        self.assertEqual(unit.get("J"), 0.04)
        unit.ok("step", 0.0, 0.5)
        self.assertAlmostEqual(unit.get("rate"), 0.25 / 0.04, 2)  # the integral of 2 t

    def test_outputs_by_formula_and_by_default(self):
        done = carom("export", "wheel.toml", "fmu", "--output", "energy=energy.kinetic", "--set", "J=0.03 kg*m^2", "--out", "more.fmu", cwd=self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        unit = self.fmu("more").open().start()
        unit.set("motor", 0.3)
        unit.ok("step", 0.0, 0.1)
        self.assertAlmostEqual(unit.get("energy"), 0.5 * 0.03 * 1.0**2, 10)
        plain = WHEEL[:WHEEL.index("[output.signal]")]
        (self.directory / "plain.toml").write_text(plain)
        self.assertEqual(carom("export", "plain.toml", "fmu", cwd=self.directory).returncode, 0)
        names = self.fmu("plain").number
        self.assertTrue({"wheel.x", "wheel.angle", "wheel.rate"} <= set(names), names)
        for wrong, code in ((["--output", "x=nobody.gap"], "E0614"), (["--output", "rate=wheel.rate"], "E0614"), (["--set", "Q=1"], "E0103")):
            done = carom("export", "wheel.toml", "fmu", *wrong, "--out", "x.fmu", cwd=self.directory)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn(code, done.stderr)
        (self.directory / "other.txt").write_text("mine")
        done = carom("export", "wheel.toml", "fmu", "--out", "other.txt", cwd=self.directory)
        self.assertEqual(done.returncode, 4)
        self.assertEqual((self.directory / "other.txt").read_text(), "mine")

    def test_inputs_that_mean_nothing(self):
        for lines, code in ((['joint = "hing"'], "E0141"), (["start = 0"], "E0104"), (['at = "wheel.P"'], "E0104"),
                            (['at = "wheel.P"', 'force = "x"', 'torque = "z"'], "E0106"), (['at = "ground.O"', 'force = "x"'], "E0211"),
                            (['at = "wheel.P"', 'force = "z"'], "E0108"), (['at = "wheel.P"', 'torque = [1, 0]'], "E0108"),
                            (['joint = "hinge"', 'start = "1 N"'], "E0137"), (['joint = "hinge"', 'at = "wheel.P"'], "E0106"),
                            (['at = "wheel.P"', "force = [0, 0]"], "E0212")):
            text = WHEEL.replace('[input.motor]\njoint = "hinge"', "[input.motor]\n" + "\n".join(lines))
            (self.directory / "wrong.toml").write_text(text)
            done = carom("check", "wrong.toml", cwd=self.directory)
            self.assertEqual(done.returncode, 2, lines)
            self.assertIn(code, done.stderr, lines)
            self.assertIn("wrong.toml:", done.stderr)


if __name__ == "__main__":
    unittest.main()
