"""Tab in a real bash (and in zsh and fish where they are): what completes is what the program has."""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from _helpers import CAROM, SOURCE, carom, scratch

# What a shell does on Tab: the words of the line, the last one being completed.
ASK_BASH = r"""
source <("$1" completion bash)
COMP_WORDS=("${@:2}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_carom
printf '%s\n' "${COMPREPLY[@]}"
"""
# The completer is called as zsh would, with compadd, compset and _files replaced by what tells of them.
ASK_ZSH = r"""
compadd() { shift; print -l -- $@ }
compset() { PREFIX=${PREFIX##*,} }
_files() { print FILES }
source <("$1" completion zsh)
words=("${@:2}"); CURRENT=$#words; PREFIX=$words[-1]
_carom
"""


PLAIN = {key: value for key, value in os.environ.items() if key != "CAROM_ROOT"}


def names(what):
    return [json.loads(line)["name"] for line in carom("list", what, "--json").stdout.splitlines()]


class Completion(unittest.TestCase):
    def bash(self, *words, cwd=None):
        done = subprocess.run(["bash", "-c", ASK_BASH, "bash", CAROM, "carom", *words], capture_output=True, text=True, cwd=cwd, timeout=60, env=PLAIN)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_commands(self):
        every = self.bash("")
        listed = [line.split()[0] for line in carom("--help").stdout.split("Subcommands:")[1].splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertEqual([word for word in every if not word.startswith("-")], listed)
        self.assertGreater(len(listed), 18)
        self.assertEqual(self.bash("res"), ["resume"])
        self.assertEqual(sorted(self.bash("re")), ["report", "reproduce", "resume"])

    def test_options_are_those_of_the_help(self):
        for command in self.bash(""):
            if command.startswith("-"):
                continue
            with self.subTest(command):
                for option in self.bash(command, "--"):
                    self.assertIn(option, carom(command, "--help").stdout)
        self.assertIn("--set", self.bash("run", "--se"))

    def test_values(self):
        self.assertEqual(self.bash("run", "model.toml", "--scheme", ""), names("schemes"))
        self.assertEqual(self.bash("run", "model.toml", "--solver", "aut"), ["automatic"])
        self.assertEqual(self.bash("compare", "m.toml", "--schemes", "moreau_jean,ggl_u"), ["moreau_jean,ggl_unified"])
        self.assertEqual(self.bash("export", "result.h5", ""), ["csv", "vtk", "gltf", "mat", "toml", "fmu"])
        self.assertEqual(self.bash("sweep", "m.toml", "--design", "lat"), ["latin_hypercube"])
        self.assertIn("joints", self.bash("list", "j"))
        self.assertIn("slider-crank", self.bash("new", "slider-c"))
        self.assertEqual(self.bash("explain", "E0124"), ["E0124"])
        self.assertIn("all", self.bash("reproduce", "al"))
        self.assertEqual(self.bash("completion", ""), ["bash", "zsh", "fish"])

    def test_files_otherwise(self):
        folder = scratch()
        (folder / "pendulum.toml").touch()
        self.assertEqual(self.bash("run", "pend", cwd=folder), ["pendulum.toml"])

    def test_tab_in_a_terminal(self):
        """The line as typed into an interactive bash on a terminal of its own."""
        import pty
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], {**os.environ, "PS1": "$ ", "TERM": "dumb",
                                                                         "PATH": f"{Path(CAROM).parent}:{os.environ['PATH']}"})
        os.write(terminal, b"source <(carom completion bash); echo rea''dy\n")
        shown = b""
        while b"ready" not in shown:
            shown += os.read(terminal, 4096)
        os.write(terminal, b"echo carom; carom expl\t E0124\n")
        while b"bare" not in shown and b"without unit" not in shown:
            shown += os.read(terminal, 4096)
        os.write(terminal, b"exit\n")
        os.waitpid(pid, 0)
        os.close(terminal)
        self.assertIn(b"carom explain", shown)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh(self):
        def zsh(*words):
            done = subprocess.run(["zsh", "-f", "-c", ASK_ZSH, "zsh", CAROM, "carom", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stderr, "")
            return done.stdout.split()
        self.assertIn("resume", zsh(""))
        self.assertIn("--schemes", zsh("compare", "m.toml", "--"))
        self.assertEqual(zsh("export", "result.h5", ""), ["csv", "vtk", "gltf", "mat", "toml", "fmu"])
        self.assertEqual(zsh("run", "m.toml", "--scheme", ""), names("schemes"))
        self.assertEqual(zsh("run", "mod"), ["FILES"])

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish(self):
        def fish(line):
            ask = f"'{CAROM}' completion fish | source; complete -C '{line}'"
            done = subprocess.run(["fish", "--no-config", "-c", ask], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stderr, "")
            return [row.split("\t")[0] for row in done.stdout.splitlines()]
        self.assertEqual(fish("carom resu"), ["resume"])
        self.assertIn("--schemes", fish("carom compare --sch"))
        self.assertEqual(sorted(fish("carom run m.toml --scheme moreau_j")), ["moreau_jean", "moreau_jean_explicit", "moreau_jean_symplectic"])

    def test_an_unknown_shell(self):
        self.assertEqual(carom("completion", "tcsh").returncode, 2)

    def test_the_launcher_has_more(self):
        self.assertNotIn(" docs", carom("completion", "bash").stdout.split('["-"]=')[1].splitlines()[0])
        self.assertIn(" test python docs", carom("completion", "bash", root=SOURCE).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
