#!/usr/bin/env python3
"""Nobody above the models asks a system what kind it is: io, study and the program go by System::describe."""
import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
problems = []
for folder in ("src/carom/io", "src/carom/study", "apps"):
    for path in sorted((root / folder).rglob("*.[hc]*")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(r"\b(dynamic|static|reinterpret)_(pointer_)?cast<[^>]*\b(\w*System|\w*Beam|\w*Structure)\b", line):
                problems.append(f"{path.relative_to(root)}:{number}: a cast to a kind of system: {line.strip()}")
print("\n".join(problems))
sys.exit(bool(problems))
