"""--help of every command has an example, and an example is a command line that the program understands."""
import re
import sys
import unittest

from _helpers import carom, scratch


def commands():
    lines = carom("--help").stdout.split("Subcommands:")[1].splitlines()
    return [line.split()[0] for line in lines if re.match(r"  \w", line)]


class Help(unittest.TestCase):
    def test_every_command_has_an_example(self):
        self.assertGreater(len(commands()), 18)
        for name in commands():
            with self.subTest(name):
                text = carom(name, "--help").stdout
                self.assertRegex(text, rf"(?ms)^Examples?:\n.*^  .*carom {name}\b", text)

    def test_options_of_examples_exist(self):
        for name in commands():
            text = carom(name, "--help").stdout
            options = set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", text.split("Example")[0]))
            for line in re.findall(rf"^  .*?carom {name} ([^#\n]*)", text.split("Example", 1)[-1], re.M):
                for word in re.split(r"\s{3,}", line)[0].split():  # behind three spaces: what it does
                    if word.startswith("--") or re.fullmatch("-[a-z]", word):
                        self.assertIn(word, options, f"carom {name} {line}")

    def test_a_file_that_is_there_stays_until_force(self):
        folder = scratch()
        (folder / "arm.urdf").write_text("""<robot name="arm"><link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>""")
        for line in (["new", "bouncing-ball", "demo"], ["import", "arm.urdf", "-o", "arm.toml"]):
            with self.subTest(line[0]):
                self.assertEqual(carom(*line, cwd=folder).returncode, 0)
                again = carom(*line, cwd=folder)
                self.assertEqual(again.returncode, 4, again.stdout + again.stderr)
                self.assertIn("--force", again.stderr)
                self.assertEqual(carom(*line, "--force", cwd=folder).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
