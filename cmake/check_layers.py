#!/usr/bin/env python3
"""Holds every #include line under src/ and apps/ to the table in cmake/layers.txt, and every namespace to its layer.

usage: check_layers.py [SOURCE_DIR]      prints file:line and the broken rule; exit 1 if there is one
"""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
NAMESPACE = re.compile(r"^namespace carom(?:::(inline )?(\w+))?\b")
# Layers whose names are not lifted into carom, and namespaces beside that of their layer.
OWN_NAMESPACES = {"geometry": {"geometry"}, "model": {"model", "analytic", None}, "cli": {"cli", "fmi"}}
SUFFIXES = {".h", ".cc", ".def", ".inc"}


def read_table(path):
    """Returns ({layer: layers it may include}, {third-party prefix: layers that may include it})."""
    layers, third_party = {}, {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            name, _, allowed = line.partition(":")
            (third_party if name.startswith("<") else layers)[name.lstrip("<")] = allowed.split()
    for number, (layer, allowed) in enumerate(layers.items()):
        above = set(allowed) - set(list(layers)[:number])
        if above:
            sys.exit(f"{path}: {layer} may only name layers listed before it, not {', '.join(sorted(above))}")
    return layers, third_party


def layer_of(path):
    """The layer a file (relative to the source directory) belongs to, None if to none (src/carom/carom.h)."""
    if path.parts[0] == "apps":
        return "cli"
    return path.parts[2] if len(path.parts) > 3 else None


def broken_rule(layer, quote, target, layers, third_party):
    """Why this include is not allowed, or None."""
    if quote == "<":
        for prefix, users in third_party.items():
            if target.startswith(prefix) and layer not in users:
                return f"only {', '.join(users)} may include <{target}>"
        if target.startswith("carom/"):
            return f'write #include "{target}" with quotes'
        return None
    parts = target.split("/")
    if parts[0] != "carom":
        return None if layer == "cli" else f'"{target}" is not named from the root: "carom/<layer>/..."'
    included = parts[1] if len(parts) > 2 else None
    if layer in (None, included):
        return None
    if included is None:
        return f'"{target}" is for users of the library, not for its layers'
    if included not in layers:
        return f"{included} is no layer (cmake/layers.txt)"
    if included not in layers[layer]:
        return f"{layer} may include only {', '.join([layer, *layers[layer]])}; not {included}"
    return None


def wrong_namespace(layer, lifted, name, layers):
    """Why a file of this layer may not open this namespace, or None. Of a lower layer it may: to name what it needs."""
    if layer is None or name in OWN_NAMESPACES.get(layer, ()):
        return None
    if lifted and name in [layer, *layers[layer]] and name not in OWN_NAMESPACES:
        return None
    return f"the namespace of {layer} is carom::{'' if layer in OWN_NAMESPACES else 'inline '}{layer}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    layers, third_party = read_table(root / "cmake" / "layers.txt")
    errors = []
    files = sorted(f for top in ("src", "apps") for f in (root / top).rglob("*") if f.suffix in SUFFIXES)
    for file in files:
        name = file.relative_to(root)
        layer = layer_of(name)
        if layer is not None and layer not in layers:
            errors.append(f"{name}:1: {layer} is no layer (cmake/layers.txt)")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            rule = match and broken_rule(layer, *match.groups(), layers, third_party)
            if not match and (opened := NAMESPACE.match(line)):
                rule = wrong_namespace(layer, *opened.groups(), layers)
            if rule:
                errors.append(f"{name}:{number}: {rule}")
    print(*errors, sep="\n") if errors else print(f"{len(files)} files keep the layers")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
