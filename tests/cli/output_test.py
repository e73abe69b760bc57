#!/usr/bin/env python3
"""What is written where: nothing of the user is replaced, models stay in their folder, names do not command the
terminal, and every error is told to scripts too."""
import json
import os
import pty
import shutil
import subprocess
import unittest

import h5py
from _helpers import BALL, CAROM, SOURCE, carom, scratch


class Output(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        (self.directory / "ball.toml").write_text(BALL)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def carom(self, *arguments, code=0, cwd=None):
        result = carom(*arguments, cwd=cwd or self.directory)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    # ---- files that are there

    def test_a_file_of_the_user_stays(self):
        with h5py.File(self.directory / "data.h5", "w") as f:
            f["mine"] = 1.0
        for name, content in {"empty.h5": b"", "short.h5": b"abc", "seven.h5": b"\x89HDF\r\n\x1a", "text.h5": b"a file of mine\n" * 9,
                              "data.h5": (self.directory / "data.h5").read_bytes()}.items():
            with self.subTest(name):
                file = self.directory / name
                file.write_bytes(content)
                text = self.carom("run", "ball.toml", "--out", name, code=4).stderr
                self.assertIn("--force", text)
                self.assertEqual(file.read_bytes(), content)
                self.carom("run", "ball.toml", "--out", name, "--force")
                with h5py.File(file) as f:
                    self.assertEqual(f.attrs["outcome"], "finished")
        self.assertEqual([name for name in os.listdir(self.directory) if "part" in name], [])

    def test_a_result_of_the_same_model_gives_way_one_of_another_does_not(self):
        (self.directory / "other.toml").write_text(BALL.replace('title = "ball"', 'title = "other"'))
        self.carom("run", "ball.toml")
        self.carom("run", "ball.toml", "--step", "0.005")
        self.assertIn("no recording of other.toml", self.carom("run", "other.toml", code=4).stderr)
        (self.directory / "ball.toml").write_text(BALL.replace("t_end = 1.5", "t_end = 1"))  # edited: still the same model
        self.carom("run", "ball.toml")
        with h5py.File(self.directory / "ball.h5") as f:
            self.assertEqual(f.attrs["model"], "ball.toml")
            self.assertAlmostEqual(f["time"][-1], 1.0)

    def test_folders_and_devices_are_no_outputs(self):
        (self.directory / "folder.h5").mkdir()
        os.mkfifo(self.directory / "pipe.h5")
        for name in ("folder.h5", "pipe.h5", "/dev/null"):
            with self.subTest(name):
                self.carom("run", "ball.toml", "--out", name, "--force", code=4)
        self.assertFalse(os.path.isfile("/dev/null"))

    def test_tables_and_pictures_of_the_user_stay(self):
        for command, names in {"compare": ["ball.compare.csv"], "converge": ["ball.converge.csv", "ball.converge.png"]}.items():
            for name in names:
                with self.subTest(name):
                    for old in self.directory.glob("ball.*.*"):
                        old.unlink()
                    file = self.directory / name
                    file.write_text("mine")
                    words = (command, "ball.toml", "--schemes", "moreau_jean", *(["--steps", "0.02,0.005,3"] if command == "converge" else []))
                    self.assertIn("--force", carom(*words, cwd=self.directory).stderr)
                    self.assertEqual(file.read_text(), "mine")
                    self.assertNotEqual(carom(*words, "--force", cwd=self.directory).returncode, 4)
                    self.assertNotEqual(file.read_bytes(), b"mine")
                    self.assertNotEqual(carom(*words, cwd=self.directory).returncode, 4)  # its own gives way

    def test_a_reproduction_is_printed_even_if_its_files_are_refused(self):
        identity = carom("reproduce", "--json").stdout.splitlines()
        identity = [json.loads(line)["id"] for line in identity]
        self.assertIn("acary-2012-fig-8", identity)
        out = self.directory / "out"
        self.carom("reproduce", "acary-2012-fig-8", "--out", out)
        table = sorted(out.glob("*.csv"))[0]
        table.write_text("mine")
        result = self.carom("reproduce", "acary-2012-fig-8", "--out", out, code=4)
        self.assertIn("verdict", result.stdout)
        self.assertIn(table.name, result.stderr)
        self.assertEqual(table.read_text(), "mine")

    # ---- files that a model names

    def test_output_stays_inside(self):
        for name in ("../out.h5", "/tmp/carom_outside.h5", "sub/../../out.h5", "link/out.h5"):
            with self.subTest(name):
                model = self.directory / "model"
                shutil.rmtree(model, ignore_errors=True)
                model.mkdir()
                (model / "link").symlink_to("..")
                (model / "ball.toml").write_text(BALL.replace('file = "ball.h5"', f'file = "{name}"'))
                text = self.carom("run", "ball.toml", cwd=model, code=2).stderr
                self.assertIn("error[E0118]", text)
                self.assertIn("--allow-outside", text)
                self.assertFalse((self.directory / "out.h5").exists())
                if not name.startswith("/"):
                    (model / "sub").mkdir()
                    self.carom("run", "ball.toml", "--allow-outside", cwd=model)
                    (self.directory / "out.h5").unlink()
        (self.directory / "model" / "ball.toml").write_text(BALL.replace('file = "ball.h5"', 'file = "sub/ball.h5"'))
        self.carom("run", "ball.toml", cwd=self.directory / "model")  # below is fine
        self.carom("run", "ball.toml", "--set", "output.file=../mine.h5", cwd=self.directory / "model")  # and so is what one types

    def test_matrices_stay_inside(self):
        model = self.directory / "model"
        model.mkdir()
        for file in (SOURCE / "scenarios").glob("*"):
            if file.suffix == ".mtx" or file.name == "modal_bar.toml":
                shutil.copy(file, model)
        for folder in (SOURCE / "scenarios").iterdir():
            if folder.is_dir():
                shutil.copytree(folder, model / folder.name)
        self.carom("check", model / "modal_bar.toml")
        text = (model / "modal_bar.toml").read_text()
        line = next(line for line in text.splitlines() if line.strip().startswith("mass ="))
        name = line.split('"')[1]
        outside = self.directory / "outside.mtx"
        shutil.copy(model / name, outside)
        for path in ("../outside.mtx", str(outside)):
            with self.subTest(path):
                (model / "modal_bar.toml").write_text(text.replace(f'"{name}"', f'"{path}"', 1))
                self.assertIn("error[E0118]", self.carom("check", model / "modal_bar.toml", code=2).stderr)
                self.carom("check", model / "modal_bar.toml", "--allow-outside")

    # ---- what reaches the terminal

    def test_names_do_not_command_the_terminal(self):
        evil = "\\u001b]0;owned\\u0007 \\u001b[2J \\u009b31m \\u202e \\r x"
        model = BALL.replace('title = "ball"', f'title = "{evil}"') + f'[measure]\n"a{evil}" = "max(floor.gap)"\n'
        model += f'[expect]\n"b{evil}" = "max(floor.gap) > 0"\n'
        (self.directory / "evil.toml").write_text(model)
        (self.directory / "bad.toml").write_text(model.replace("mass = 1", f'mass = 1\n"{evil}" = 3'))
        (self.directory / "\x1b[2Jname.toml").write_text(BALL)
        commands = [("run", "evil.toml"), ("run", "evil.toml", "--json"), ("check", "evil.toml"), ("check", "evil.toml", "--json"),
                    ("compare", "evil.toml", "--schemes", "moreau_jean"), ("compare", "evil.toml", "--json", "--schemes", "moreau_jean"),
                    ("run", "bad.toml"), ("check", "bad.toml", "--json"), ("run", "\x1b[2Jname.toml", "--out", "n.h5"), ("run", "no\x1bsuch.toml"),
                    ("run", "ball.toml", "--out", "no\x1b/such.h5"), ("\x1b[2J",), ("run", "--\x1b[2J"), ("run", "a\udc9bb.toml")]
        for command in commands:
            with self.subTest(command):
                result = subprocess.run([CAROM, *map(os.fsencode, command)], cwd=self.directory, capture_output=True, timeout=60)
                for stream in (result.stdout, result.stderr):
                    text = stream.decode()  # valid UTF-8 in any case
                    self.assertEqual([c for c in text if ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160 or c == "\u202e"], [], text)
                self.assertIn(result.returncode, (0, 2, 4))
                self.assertGreater(len(result.stdout + result.stderr), 0)
                if "--json" in command:
                    titles = [json.loads(line) for line in result.stdout.splitlines()]
                    if "title" in titles[0]:
                        self.assertIn("\x1b]0;owned", titles[0]["title"])  # a script gets the name as it is

    def test_names_do_not_forge_lines(self):
        # A line break in a name, a title or a path stays within its line: nothing of what follows it begins one.
        forged = "expect all ok"
        evil = f"a\\n{forged}\\r\\n{forged}\\t"
        titled = BALL.replace('title = "ball"', f'title = "{evil}"').replace('"floor"', f'"{evil}"').replace("law.floor", f'law."{evil}"')
        (self.directory / "titled.toml").write_text(titled + f'[law."unused{evil}"]\nnormal = {{ restitution = 1 }}\n')
        file = f"b\n{forged}.toml"
        (self.directory / file).write_text(BALL + f'[measure]\nlowest = "min(floor.gap)"\n[expect]\nup = """floor.gap(1)\n> 0"""\n')
        bad = {"key": ("mass = 1", f'mass = 1\n"{evil}" = 3'), "word": ('"moreau_jean"', f'"{evil}"'),
               "formula": ('height = "h"', f'height = "{evil}"'), "law": ('law = "floor"', f'law = "{evil}"'),
               "measure": ("[output]", f'[measure]\n"{evil}" = "1"\n[output]'), "expect": ("[output]", f'[expect]\n"{evil}" = "1 > 0"\n[output]'),
               "signal": ("[output]", f'[output.signal]\n"{evil}" = "t"\n[output]'),
               "parameter": ("h = 1.0", f'h = 1.0\n"{evil}" = 1')}
        for name, (old, new) in bad.items():
            self.assertIn(old, BALL)
            (self.directory / f"bad_{name}.toml").write_text(BALL.replace(old, new, 1))
        (self.directory / "bad_body.toml").write_text(f'schema = 1\nunits.bare = "SI"\n[body."{evil}"]\nmass = 1\ninertia = [1, 1, 1]\n'
                                                      "[simulation]\nt_end = 1\nstep = 0.1\n")
        commands = [("run", "titled.toml"), ("check", "titled.toml"), ("compare", "titled.toml", "--schemes", "moreau_jean,consistent_elastic"),
                    ("converge", "titled.toml", "--schemes", "moreau_jean", "--steps", "1e-2,1e-3,3"),
                    ("run", file, "--out", "n.h5"), ("check", file), ("run", "no" + file), ("run", "ball.toml", "--out", f"no/{file}"),
                    ("run", "ball.toml", "--set", f"a\n{forged}=1"), ("run", "ball.toml", "--scheme", f"a\n{forged}"),
                    (f"a\n{forged}",), ("run", f"--a\n{forged}"), ("solve", f"no\n{forged}"), *[("run", f"bad_{name}.toml") for name in (*bad, "body")]]
        for command in commands:
            with self.subTest(command):
                result = self.carom(*command, code=None)
                text = result.stdout + result.stderr
                self.assertIn(forged, text)
                self.assertEqual([line for line in text.splitlines() if line.lstrip().startswith(forged)], [], text)
                if command[-1].startswith("bad_"):
                    self.assertEqual(result.returncode, 2, text)
        self.assertEqual(json.loads(self.carom("check", "titled.toml", "--json").stdout)["title"], evil.encode().decode("unicode_escape"))

    def test_the_bar_of_a_terminal_still_works(self):
        master, slave = pty.openpty()
        process = subprocess.Popen([CAROM, "run", "ball.toml", "--t-end", "3000", "--step", "1e-2"], cwd=self.directory, stdout=slave)
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        process.wait()
        os.close(master)
        self.assertIn(b"\r[#", text)
        self.assertIn(b"\x1b[K", text)
        self.assertIn(b"done", text)

    # ---- errors for scripts

    def test_warnings_are_told_to_scripts(self):
        unused = BALL + "[law.other]\nnormal = { restitution = 1 }\n"
        (self.directory / "unused.toml").write_text(unused)
        result = self.carom("run", "unused.toml", "--json")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        warning, = [line for line in lines if line["event"] == "warning"]
        self.assertEqual((warning["code"], warning["line"]), ("W0130", unused.splitlines().index("[law.other]") + 1))
        self.assertIn("law.other", warning["message"])
        self.assertIn("warning[W0130]", result.stderr)
        self.assertEqual([warning["code"] for warning in json.loads(self.carom("check", "unused.toml", "--json").stdout)["warnings"]],
                         ["W0130"])
        # What only the start shows: a step that is long for the gap.
        long = ("ball.toml", "--set", "analytic.height=1e-3", "--set", "analytic.velocity=-1", "--step", "1e-3")
        warning, = json.loads(self.carom("check", *long, "--json").stdout)["warnings"]
        self.assertEqual(warning["code"], "W0304")
        text = self.carom("check", *long).stdout
        self.assertIn("warning[W0304]: " + warning["message"], text)
        self.assertIn(warning["hint"], text)
        self.assertEqual(json.loads(self.carom("check", "ball.toml", "--json").stdout)["warnings"], [])

    def test_every_error_is_told_to_scripts(self):
        (self.directory / "mine.h5").write_text("mine")
        cases = {("run", "ball.toml", "--json", "--stepp", "1"): ("E0001", 2), ("rum", "ball.toml", "--json"): ("E0001", 2),
                 ("run", "--json"): ("E0001", 2), ("solve", "--json", "--tolerance", "7", "x.dat"): ("E0001", 2),
                 ("run", "ball.toml", "--json", "--out", "mine.h5"): ("E0701", 4),
                 ("run", "ball.toml", "--json", "--out", "no/such.h5"): ("E0701", 4),
                 ("run", "ball.toml", "--json", "--set", "x=1"): ("E0103", 2)}
        for arguments, (name, code) in cases.items():
            with self.subTest(arguments):
                result = self.carom(*arguments, code=code)
                lines = [json.loads(line) for line in result.stdout.splitlines()]
                self.assertEqual(lines[-1]["event"], "error")
                self.assertEqual(lines[-1]["code"], name)
                self.assertIn(lines[-1]["message"].splitlines()[0], result.stderr)  # and a person reads it too
                self.assertEqual(self.carom(*[word for word in arguments if word != "--json"], code=code).stdout.count('"event"'), 0)


if __name__ == "__main__":
    unittest.main()
