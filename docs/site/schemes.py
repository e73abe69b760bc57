"""A page for each scheme: when to choose it, what it promises, the equations its file opens with, its parameters."""
import json
import re

FAMILIES = {"theta": "Moreau and Schatzman-Paoli", "half_explicit": "Half-explicit", "projection": "Projection", "ggl": "Gear-Gupta-Leimkuhler",
            "alpha": "Generalized-alpha", "event_driven": "Located events", "consistent": "Energy-consistent"}
THEORY = {"projection": "projected_schemes", "half_explicit": "half_explicit", "ggl": "ggl", "alpha": "generalized_alpha",
          "event_driven": "event_driven", "consistent": "consistent_schemes"}


def opening_comment(file):
    """The comment a file opens with."""
    lines = []
    for line in file.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line[3:] if line.startswith("// ") else line[2:])
    return "\n".join(lines).strip()


def equations(file):
    """The opening comments of a scheme's file and of the files of its folder that it refers to."""
    parts, waiting, seen = [], [file], set()
    while waiting:
        now = waiting.pop(0)
        if now in seen:
            continue
        seen.add(now)
        text = opening_comment(now)
        parts.append((now.name, text))
        for name in re.findall(r"\b(\w+\.h)\b", text):
            for folder in (file.parent, file.parent.parent):
                if (folder / name).exists():
                    waiting.append(folder / name)
                    break
    return parts


def advice(docs):
    """{scheme: (you have, because)} of the tables of choosing_a_scheme.md."""
    found = {}
    for line in (docs / "choosing_a_scheme.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 3:
            for name in re.findall(r"`(\w+)`", cells[1]):
                found.setdefault(name, (cells[0], cells[2]))
    return found


def parameter_table(parameters):
    lines = ["| parameter | default | meaning |", "|---|---|---|"]
    for p in parameters:
        value = p["default"] if isinstance(p["default"], str) else json.dumps(p["default"])
        words = f" ({', '.join(p['words'])})" if "words" in p else ""
        lines.append(f"| `{p['name']}` | `{value}`{words} | {p['doc'].replace('|', '&#124;')} |")
    return lines


def page(scheme, said, family, parts, chosen):
    yes = [word for word, holds in (("joints or contacts closed at step ends", scheme["position_level"]),
                                    ("velocity constraints at step ends", scheme["velocity_level"]),
                                    ("impact law in every step", scheme["impact_law"]), ("stiff forces", scheme["implicit_force"]),
                                    ("rest after impacts", scheme["rests"]), ("no energy from frictionless contacts", scheme["passive"])) if holds]
    orders = scheme["orders"]
    text = [f"# {scheme['name']}\n", f"{scheme['title'][0].upper()}{scheme['title'][1:]}."]
    if scheme["reference"]:
        text.append(f"After {scheme['reference']}.")
    text += ["", "## When to choose it\n", f"{chosen[0][0].upper()}{chosen[0][1:]}: {chosen[1]}.",
             "How it stands beside the others: [Choosing a scheme](../choosing_a_scheme.md).\n", "## What it promises\n"]
    if scheme["event_driven"]:
        text.append("Errors are set by tolerances, not by the step.")
    else:
        text += ["| | free flight | persistent contact | across impacts |", "|---|---|---|---|",
                 f"| order | {orders['free_flight']:g} | {orders['persistent']:g} | {orders['impact']:g} |"]
    text += ["", f"Keeps: {', '.join(yes)}." if yes else "", f"Treats: {', '.join(scheme['treats'])}.\n", "## Equations\n",
             "As the source opens; symbols: [Notation](../notation.md).\n"]
    for name, comment in parts:
        text += [f"`{name}`\n", "```none", comment, "```\n"]
    if family in THEORY:
        text.append(f"More: [theory](../theory/{THEORY[family]}.md).\n")
    if scheme["parameters"]:
        text += ["## Parameters\n", f"In `[simulation.{scheme['name']}]` of the model file.\n", *parameter_table(scheme["parameters"])]
    text += ["", "## In the words of the program\n", "```text", said, "```\n"]
    return "\n".join(text)


def scheme_pages(carom, root, docs):
    said = re.split(r"\n(?=\S)", carom("list", "schemes").rstrip())
    said = {block.split()[0]: block for block in said}
    chosen = advice(docs)
    schemes = [json.loads(line) for line in carom("list", "schemes", "--json").splitlines()]
    families = {}
    (docs / "schemes").mkdir()
    for scheme in schemes:
        name = scheme["name"]
        (file,) = (root / "src/carom/schemes").glob(f"*/{name}.cc")
        assert name in chosen, f"docs/choosing_a_scheme.md does not say when to choose {name}"
        family = file.parent.name
        families.setdefault(family, []).append(scheme)
        (docs / "schemes" / f"{name}.md").write_text(page(scheme, said[name], family, equations(file), chosen[name]))
    text = ["# Schemes\n", "Which to take: [Choosing a scheme](../choosing_a_scheme.md).\n"]
    for family, title in FAMILIES.items():
        if family not in families:
            continue
        text += [f"## {title}\n", "| scheme | is | order: free, contact, impacts |", "|---|---|---|"]
        for s in families[family]:
            orders = "by tolerance" if s["event_driven"] else f"{s['orders']['free_flight']:g}, {s['orders']['persistent']:g}, {s['orders']['impact']:g}"
            text.append(f"| [{s['name']}]({s['name']}.md) | {s['title']} | {orders} |")
        text.append("")
    text += ["```{toctree}", ":hidden:", *[s["name"] for family in FAMILIES for s in families.get(family, [])], "```\n"]
    (docs / "schemes" / "index.md").write_text("\n".join(text))
