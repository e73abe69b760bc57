#!/usr/bin/env python3
"""Writes files as string literals of a C++ source: embed.py OUT NAME=PATH ...  (declared in src/carom/io/embedded_files.h)"""
import pathlib
import sys


def literal(data: bytes) -> str:
    """Lines of a literal; what is not plain ASCII as octal, question marks too (no trigraphs)."""
    lines = []
    for begin in range(0, len(data), 16384):
        text = "".join(
            {10: "\\n", 9: "\\t", 34: '\\"', 92: "\\\\"}.get(b, chr(b) if 32 <= b < 127 and b != 63 else f"\\{b:03o}")
            for b in data[begin:begin + 16384])
        lines.append(f'"{text}"')
    return "\n".join(lines) or '""'


out, *files = sys.argv[1:]
parts = ['#include "carom/io/embedded_files.h"', "", "namespace carom::inline io {", "namespace {", ""]
table = []
for k, entry in enumerate(files):
    name, path = entry.split("=", 1)
    data = pathlib.Path(path).read_bytes()
    parts.append(f"constexpr char file_{k}[] =\n{literal(data)};\n")
    table.append(f'    {{"{name}", {{file_{k}, {len(data)}}}}},')
parts += ["constexpr EmbeddedFile table[] = {", *table, "};", "", "}  // namespace", "",
          "std::span<const EmbeddedFile> embedded_files() { return table; }", "", "}  // namespace carom::inline io", ""]
pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
pathlib.Path(out).write_text("\n".join(parts))
