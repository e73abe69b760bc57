#!/usr/bin/env python3
"""Writes every C++ block of the how-tos to a file of its own, so that the build compiles what they show.

usage: snippets.py SOURCE_DIR OUTPUT_DIR      prints the files
"""
import re
import sys
from pathlib import Path

source, out = Path(sys.argv[1]), Path(sys.argv[2])
out.mkdir(parents=True, exist_ok=True)
wanted = {}
for page in sorted((source / "docs/howto").glob("*.md")):
    for number, block in enumerate(re.findall(r"^```cpp\n(.*?)^```", page.read_text(), re.M | re.S), 1):
        wanted[out / f"{page.stem}_{number}.cc"] = block
for file, text in wanted.items():
    if not file.exists() or file.read_text() != text:
        file.write_text(text)
print(";".join(str(file) for file in wanted), end="")
