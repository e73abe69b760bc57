#!/usr/bin/env python3
"""Every C++ file has the format of .clang-format.

    check_format.py ROOT          what deviates
    check_format.py ROOT --fix    formats all files

Exit code 77: clang-format 14 is not installed (other versions break lines elsewhere)."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOLDERS = ("src", "apps", "bindings", "benchmarks", "examples", "tests")
root = Path(sys.argv[1]).resolve()
fix = sys.argv[2:] == ["--fix"]

program = shutil.which("clang-format-14")
if program is None:
    print("clang-format-14 is not installed: the format is not checked")
    sys.exit(77)

files = sorted(str(p.relative_to(root)) for folder in FOLDERS for p in (root / folder).rglob("*.[hc]*") if p.suffix in (".h", ".cc"))
errors = ""
for begin in range(0, len(files), 50):  # a command line has a limit
    done = subprocess.run([program, "--style=file", "-i" if fix else "--dry-run", *files[begin:begin + 50]], cwd=root,
                          capture_output=True, text=True)
    errors += done.stderr
deviating = sorted(set(re.findall(r"^(\S+):\d+:\d+: (?:warning|error): code should be clang-formatted", errors, re.M)))
for name in deviating:
    print(f"{name}: not in the format of .clang-format; cmake/check_format.py . --fix")
sys.exit(bool(deviating))
