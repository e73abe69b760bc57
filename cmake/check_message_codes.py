#!/usr/bin/env python3
"""Every code of a message stands once in src/carom/base/errors.def, no other does, docs/messages.md is that list,
and a test names each.

usage: check_message_codes.py SOURCE_DIR [--write]      --write: makes the table of docs/messages.md anew
"""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
used = {}
for folder in ("src", "apps"):
    for path in sorted((root / folder).rglob("*.[hc]*")):
        for code in re.findall(r"\b[EW]0\d{3}\b", path.read_text()):
            used.setdefault(code, path.relative_to(root))


def text(literals):
    """The text of string literals, one after the other."""
    joined = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
    return joined.replace('\\"', '"').replace("\\\\", "\\")


definitions = (root / "src/carom/base/errors.def").read_text()
literals = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
entries = re.findall(r"^CAROM_MESSAGE\((\w+), " + literals + r",\s+" + literals + r"\)", definitions, re.M)
listed = [code for code, _, _ in entries]
problems = [f"{code} ({used[code]}) is not in errors.def: add a line" for code in sorted(set(used) - set(listed))]
problems += [f"{code} is in errors.def, but no message has it" for code in sorted(set(listed) - set(used))]
problems += [f"{code} stands twice in errors.def" for code in sorted({c for c in listed if listed.count(c) > 1})]
if definitions.count("CAROM_MESSAGE(") != len(entries):
    problems.append("errors.def: an entry is not CAROM_MESSAGE(CODE, \"title\", \"explanation\")")

# E0799 tells of a defect of the program: no input that would make one is known, or it would be mended.
tested = "".join(path.read_text(errors="replace") for path in sorted((root / "tests").rglob("*_*.[cp]*")))
problems += [f"{code}: no test in tests/ names it" for code in listed if code not in tested and code != "E0799"]

page = root / "docs" / "messages.md"
head, _, _ = page.read_text().partition("| code |")
table = "| code | meaning | what to know |\n|---|---|---|\n"
table += "".join(f"| {code} | {text(title)} | {text(why)} |\n" for code, title, why in entries)
if "--write" in sys.argv:
    page.write_text(head + table)
elif page.read_text() != head + table:
    problems.append("docs/messages.md is not what errors.def says: cmake/check_message_codes.py . --write")
print("\n".join(problems))
sys.exit(bool(problems))
