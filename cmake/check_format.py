#!/usr/bin/env python3
"""Every C++ file has the format of .clang-format, but for those listed in cmake/unformatted.txt, which only becomes shorter.

    check_format.py ROOT          what deviates, and listed files that need the list no more
    check_format.py ROOT --fix    formats all files that are not listed
    check_format.py ROOT --all    formats all files and empties the list
    check_format.py ROOT --list   makes the list anew of all that deviates

Exit code 77: clang-format 14 is not installed (other versions break lines elsewhere)."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDERS = ("src", "apps", "bindings", "benchmarks", "examples", "tests")
root = Path(sys.argv[1]).resolve()
mode = sys.argv[2] if len(sys.argv) > 2 else ""
list_file = root / "cmake/unformatted.txt"

program = shutil.which("clang-format-14")
if program is None:
    print("clang-format-14 is not installed: the format is not checked")
    sys.exit(77)

files = sorted(str(p.relative_to(root)) for folder in FOLDERS for p in (root / folder).rglob("*.[hc]*") if p.suffix in (".h", ".cc"))
listed = [line for line in list_file.read_text().splitlines() if line and not line.startswith("#")] if list_file.exists() else []


def run(options, names):
    errors = ""
    for begin in range(0, len(names), 50):
        done = subprocess.run([program, "--style=file", *options, *names[begin:begin + 50]], cwd=root, capture_output=True, text=True)
        errors += done.stderr
    return errors


def deviating(names):
    seen = set(re.findall(r"^(\S+):\d+:\d+: (?:warning|error): code should be clang-formatted", run(["--dry-run"], names), re.M))
    return [name for name in names if name in seen]


if mode == "--all":
    run(["-i"], files)
    list_file.write_text(list_file.read_text().split("\n\n")[0] + "\n" if list_file.exists() else "")
    sys.exit(0)
if mode == "--list":
    list_file.write_text("# Files that are not in the format of .clang-format yet; the list only becomes shorter (check_format.py).\n\n" +
                         "".join(name + "\n" for name in deviating(files)))
    sys.exit(0)
if mode == "--fix":
    run(["-i"], [name for name in files if name not in listed])
    sys.exit(0)

bad = set(deviating(files))
problems = [f"{name}: not in the format of .clang-format; cmake/check_format.py . --fix" for name in files if name in bad and name not in listed]
problems += [f"{name}: in order or gone: take it off cmake/unformatted.txt" for name in listed if name not in bad]
print("\n".join(problems))
sys.exit(bool(problems))
