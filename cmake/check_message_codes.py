#!/usr/bin/env python3
"""Every code of a message stands once in the table of docs/messages.md, and no other does."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
used = {}
for folder in ("src", "apps"):
    for path in sorted((root / folder).rglob("*.[hc]*")):
        for code in re.findall(r"\b[EW]0\d{3}\b", path.read_text()):
            used.setdefault(code, path.relative_to(root))
listed = re.findall(r"^\| ([EW]\d{4}) \|", (root / "docs" / "messages.md").read_text(), re.M)
problems = [f"{code} ({used[code]}) is not in docs/messages.md: add a line" for code in sorted(set(used) - set(listed))]
problems += [f"{code} is in docs/messages.md, but no message has it" for code in sorted(set(listed) - set(used))]
problems += [f"{code} stands twice in docs/messages.md" for code in sorted({c for c in listed if listed.count(c) > 1})]
print("\n".join(problems))
sys.exit(bool(problems))
