"""What the pages show is true: every block of README.md, CONTRIBUTING.md and docs/ is run, page by page, block after block.

A page has a folder of its own, in which `scenarios` and `examples` lie and `carom` and `./carom` are the program under test.

    ```sh        run by bash; exit 0 is wanted
    ```toml      a fragment: it has no unknown key, word or unit; so are indented blocks that begin with a table
    ```python    run by carom-python, all blocks of a page as one script
    ```text      not run

A comment in the line before a block says otherwise:

    <!-- file: NAME -->                 the block is the file NAME; a model is checked
    <!-- added to NAME -->              put at the end of NAME, which is checked
    <!-- replaces [TABLE] in NAME -->   instead of that table
    <!-- output -->                     a text: its lines stand in the output of the commands before, in this order; ... stands for anything
    <!-- exit 2 -->                     the exit code that is wanted
    <!-- slow -->                       run by the slow tests only
    <!-- not run: WHY -->               commands of the launcher, of other machines
"""
import os
import re
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

CAROM = Path(os.environ["CAROM"])
SOURCE = Path(os.environ["CAROM_SOURCE"])
# Of a fragment: what it may not be refused for. That bodies or a run are missing is no fault of it.
FAULTS = {"E0100", "E0102", "E0110", "E0115", "E0120", "E0123", "E0124", "E0125", "E0126", "E0137"}
BLOCK = re.compile(r"^(?P<indent> *)(?:<!-- (?P<mark>.*?) -->\n(?P=indent))?```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```", re.M | re.S)


@dataclass
class Block:
    page: str
    line: int
    language: str
    mark: str
    text: str

    @property
    def slow(self):
        return self.mark == "slow"

    @property
    def run(self):
        return not self.mark.startswith("not run")

    def __str__(self):
        return f"{self.page}:{self.line}"


def pages():
    return [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").rglob("*.md"))]


def blocks(page):
    text = page.read_text()
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        indent = match["indent"]
        body = "".join(row[len(indent):] if row.startswith(indent) else row for row in match["text"].splitlines(keepends=True))
        yield Block(str(page.relative_to(SOURCE)), line, match["language"], match["mark"] or "", body)


def indented_fragments(page):
    """Tables of model files that stand indented, without a fence."""
    text = BLOCK.sub(lambda match: "\n" * match.group(0).count("\n"), page.read_text())
    for match in re.finditer(r"(?<=\n\n)((?:    [^\n]*\n)+)", text):
        body = "".join(line[4:] for line in match[1].splitlines(keepends=True))
        if re.match(r"\[[a-z]|schema =", body):
            yield Block(str(page.relative_to(SOURCE)), text.count("\n", 0, match.start()) + 1, "toml", "", body)


def escaped(page):
    """Commands in blocks that are no fences, which nothing would run."""
    outside = BLOCK.sub(lambda match: "\n" * match.group(0).count("\n"), page.read_text())
    return [f"{page.relative_to(SOURCE)}:{number}: {line.strip()}" for number, line in enumerate(outside.splitlines(), 1)
            if re.match(r"    +(\./)?(carom|mpirun|cmake|pip|python3?) ", line)]


class Folder:
    """Where the blocks of one page run."""

    def __init__(self):
        self.kept = tempfile.TemporaryDirectory(prefix="page_")  # gone with this object
        self.path = Path(self.kept.name)
        for name in ("scenarios", "examples"):
            (self.path / name).symlink_to(SOURCE / name)
        launcher = self.path / "carom"  # what ./carom does once all is built
        launcher.write_text(f'#!/bin/bash\n[ "$1" = python ] && {{ shift; exec "{CAROM.parent}/carom-python" "$@"; }}\nexec "{CAROM}" "$@"\n')
        launcher.chmod(launcher.stat().st_mode | stat.S_IXUSR)
        self.environment = {**os.environ, "PATH": f"{self.path}:{os.environ['PATH']}", "CAROM_ROOT": str(SOURCE)}
        self.output = ""

    def bash(self, text, wanted=0):
        done = subprocess.run(["bash", "-e", "-c", text], cwd=self.path, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, text=True, timeout=900)
        self.output = done.stdout
        assert done.returncode == wanted, f"exit {done.returncode}, not {wanted}\n{text}\n{done.stdout[-3000:]}"

    def check_model(self, name):
        self.bash(f"carom check {name}")

    def fragment(self, text):
        if not text.startswith("schema"):
            text = "schema = 1\n" + text
        if "[units]" not in text:
            text += '\n[units]\nbare = "SI"\n'
        if not re.search(r"^\[(body|analytic|flexible|generate)", text, re.M):  # joints and forces belong to bodies
            text += '\n[body.another]\nmass = "1 kg"\n'
        faults = self.faults(text)
        if faults and "[world]" not in text:  # it may be one of the plane
            faults = self.faults(text + "\n[world]\ndimension = 2\n")
        assert not faults, f"{text}\n{faults}"

    def faults(self, text):
        (self.path / "fragment.toml").write_text(text)
        done = subprocess.run([CAROM, "check", "fragment.toml"], cwd=self.path, capture_output=True, text=True, timeout=60)
        return done.stderr if FAULTS & set(re.findall(r"error\[(E\d{4})\]", done.stderr)) else ""

    def look_for(self, lines):
        at = 0
        for line in filter(None, (line.strip() for line in lines.splitlines())):
            pattern = r"[^\n]*?".join(re.escape(part) for part in line.split("..."))
            found = re.compile(pattern).search(self.output, at)
            assert found, f"the output has no line '{line}':\n{self.output[-3000:]}"
            at = found.end()

    def toml(self, block):
        if match := re.fullmatch(r"file: (\S+)", block.mark):
            (self.path / match[1]).write_text(block.text)
            self.check_model(match[1])
        elif match := re.fullmatch(r"added to (\S+)", block.mark):
            file = self.path / match[1]
            file.write_text(file.read_text() + "\n" + block.text)
            self.check_model(match[1])
        elif match := re.fullmatch(r"replaces \[(\S+)\] in (\S+)", block.mark):
            file = self.path / match[2]
            text, count = re.subn(rf"^\[{re.escape(match[1])}\]\n.*?(?=^\[)", lambda _: block.text + "\n", file.read_text(), flags=re.M | re.S)
            assert count == 1, f"{match[2]} has {count} tables [{match[1]}]"
            file.write_text(text)
            self.check_model(match[2])
        else:
            assert not block.mark, f"what is '{block.mark}'?"
            self.fragment(block.text)


def run_page(page, slow):
    """Runs its blocks; the slow ones only if asked for. How many were run."""
    all_blocks = [block for block in blocks(page) if block.language in ("sh", "toml", "python", "text")]
    all_blocks += indented_fragments(page)
    if slow and not any(block.slow for block in all_blocks):
        return 0
    folder, count, script = Folder(), 0, ""
    for block in all_blocks:
        if not block.run or (block.slow and not slow):
            continue
        try:
            if block.language == "sh":
                match = re.fullmatch(r"exit (\d+)", block.mark)
                assert match or block.mark in ("", "slow"), f"what is '{block.mark}'?"
                folder.bash(block.text, int(match[1]) if match else 0)
            elif block.language == "toml":
                folder.toml(block)
            elif block.language == "text" and block.mark == "output":
                folder.look_for(block.text)
            elif block.language == "python":
                script += block.text + "\n"
            else:
                continue
        except AssertionError as error:
            raise AssertionError(f"{block}: {error}") from None
        count += 1
    if script and (CAROM.parent / "carom-python").exists():
        (folder.path / "page.py").write_text(script)
        folder.bash("./carom python page.py")
    return count
