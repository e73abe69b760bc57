#!/usr/bin/env python3
"""Joins sources into fewer translation units: most of a compilation is instantiating the same templates again.

usage: unity.py FOLDER LINES SOURCE...      writes FOLDER/NAME_N.cc, each with sources of LINES lines together, and
                                            prints their paths, one a line

A unit includes the headers of all its sources, then the sources one by one. What a source keeps to itself, in an
anonymous namespace, gets the source's name in front while it is read, by a macro: two sources of one unit may use the
same name. A name that the source also uses for a member or a test, or that adds to functions of a header, cannot be
treated so; then no other source of the unit may have it. Sources keep their order, so that neighbours, which use the
same templates, meet.
"""
import re
import sys
from functools import lru_cache
from pathlib import Path

# Declarations begin in column 0 in the project's format; what is indented is local to something else.
TYPE = re.compile(r"^(?:template.*> )?(?:class|struct|enum class|enum|union|concept) (\w+)")
ALIAS = re.compile(r"^(?:using|namespace) (?:[\w:]*::)?(\w+)(?: =.*)?;$")
FUNCTION = re.compile(r"^(?!\w+\()[\w:<>,&*\[\] ]*?\b(\w+)\(")
VALUE = re.compile(r"\b(\w+)(?:\[[^\]]*\])* =(?: |$)")
OWN_HEADER = re.compile(r'^#include "(.*)"', re.M)
OBJECT = re.compile(r"^[\w:<>,&* ]* (\w+)(?:\[[^\]]*\])*[;{]")

FOUND_BY_NAME = {"PrintTo", "type", "value"}  # by GoogleTest and its macros


def declared(line):
    """The names that a line declares, if it begins in column 0."""
    if not line[:1].isalpha() or re.match("static_assert|using|namespace|friend|return|.*\\boperator\\b", line):
        return []
    if match := TYPE.match(line) or FUNCTION.match(line):
        return [match.group(1)]
    return VALUE.findall(line) or OBJECT.findall(line)


def headers_of(path, text):
    """The project's own headers that a file includes."""
    places = [Path("src"), Path("tests"), path.parent]
    return [place / name for name in OWN_HEADER.findall(text) for place in places if (place / name).exists()]


@lru_cache(maxsize=None)
def functions_of(header):
    """Free functions of a header and of what it includes. One of the same name in a source adds to them, and must be
    found under the same name."""
    text = header.read_text()
    names = {m.group(1) for line in text.splitlines() if (m := FUNCTION.match(line))}
    return frozenset(names.union(*map(functions_of, headers_of(header, text))))


class Source:
    def __init__(self, path):
        self.path, text = path, path.read_text()
        self.lines = text.count("\n")
        head = text.split("\nnamespace ", 1)[0]
        self.headers = [] if "\n#if" in head else re.findall(r"^#include .*(?:\.h\"|>)", head, re.M)
        # What replaces the allocation of a whole program would be inlined into its neighbours.
        self.alone = bool(re.search(r"^void\* operator new|^#include .*\.cc\"", text, re.M))
        self.renamed = []
        # {name: None}, or {name: text} for what may be said twice in the same words
        self.kept = dict.fromkeys(re.findall(r"^#define (\w+)", text, re.M))
        self.kept["using namespace"] = " ".join(sorted(set(re.findall(r"^using namespace .*", text, re.M))))
        self._find_local_names(text)

    def _find_local_names(self, text):
        shared = set().union(*map(functions_of, headers_of(self.path, text)))
        names, inside = {}, False
        for line in text.splitlines():
            if line.startswith("namespace {"):
                inside = True
            elif line.rstrip() == "}  // namespace":
                inside = False
            elif alias := ALIAS.match(line):
                self.kept[alias.group(1)] = line
            elif inside:
                names.update(dict.fromkeys(declared(line)))
        for name in names:
            if name in shared | FOUND_BY_NAME or re.search(rf"(\.|->|::|~)\s*{name}\b|\b(TEST|INSTANTIATE)\w*\([^)]*\b{name}\b", text):
                self.kept[name] = None
            else:
                self.renamed.append(name)

    def text(self):
        prefix = re.sub(r"\W", "_", self.path.stem)
        lines = [f"#define {name} {prefix}_{name}" for name in self.renamed]
        lines.append(f'#include "{self.path}"')
        lines += [f"#undef {name}" for name in self.renamed]
        return "\n".join(lines) + "\n"


class Unit:
    def __init__(self):
        self.sources, self.kept, self.lines = [], {}, 0

    def takes(self, source, most):
        if source.alone or any(s.alone for s in self.sources):
            return False
        same = self.kept.keys() & source.kept.keys()
        return self.lines + source.lines <= most and all(
            source.kept[n] is not None and source.kept[n] == self.kept[n] for n in same)

    def add(self, source):
        self.sources.append(source)
        self.kept |= source.kept
        self.lines += source.lines

    def text(self):
        headers = dict.fromkeys(h for source in self.sources for h in source.headers)
        return "\n".join([*headers, ""]) + "".join(source.text() for source in self.sources)


def units_of(paths, most):
    units = []
    for source in map(Source, paths):
        unit = next((u for u in units if u.takes(source, most)), None)
        if unit is None:
            unit = Unit()
            units.append(unit)
        unit.add(source)
    return units


def main():
    folder, most = Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for number, unit in enumerate(units_of(map(Path, sys.argv[3:]), most)):
        path = folder / f"{folder.name}_{number}.cc"
        if not path.exists() or path.read_text() != unit.text():  # a file that did not change is not compiled again
            path.write_text(unit.text())
        made.append(path)
    for old in set(folder.glob("*.cc")) - set(made):
        old.unlink()
    print("\n".join(map(str, made)))


main()
