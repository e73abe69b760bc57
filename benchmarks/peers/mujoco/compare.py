#!/usr/bin/python3
"""The same scenes in Carom and in MuJoCo, side by side: penetration, energy, restitution, slip.

    ./carom bench mujoco            or: compare.py --carom PROGRAM --packages FOLDER [--json] [SCENE ...]

Each scene is a pair of files here, NAME.toml and NAME.xml, with the same bodies, gravity and step. Carom runs with the scheme it chooses. MuJoCo runs twice: as it is, and
with contact parameters chosen for the scene (stiffer contacts, an elliptic cone, or the spring and damper that give the asked restitution). FOLDER has @mujoco/mujoco
in node_modules; where it cannot be installed the comparison says so and ends with status 0."""
import argparse
import csv
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "@mujoco/mujoco@3.14.0"
STIFF = 'solref="0.002 1" solimp="0.99 0.999 0.001"'
FIRM = 'cone="elliptic" impratio="10"'
G = 9.81


class Run:
    """Series of one run: t, energy, gap (smallest, None where nothing is near), and named coordinates."""

    def __init__(self, t, energy, gap, named):
        self.t, self.energy, self.gap, self.named = t, energy, gap, named

    def __getitem__(self, name):
        return self.named[name]

    def depth(self, start=0.0):
        return max([0.0] + [-g for t, g in zip(self.t, self.gap) if g is not None and t >= start])

    def rise(self):
        """The most the energy is above an earlier value."""
        lowest, rise = self.energy[0], 0.0
        for e in self.energy:
            lowest, rise = min(lowest, e), max(rise, e - lowest)
        return rise


def crossing(t, x, level):
    """When x first falls below the level."""
    return next((s for s, value in zip(t, x) if value < level), math.inf)


# What is asked of each scene: rows of (what, exact value, unit, how to read it from a run).
def cradle(r):
    swing = lambda x, z: math.degrees(math.atan2(abs(x), -z))
    span = [i for i, t in enumerate(r.t) if 0.2 < t < 0.7]
    kept = (r.energy[-1] - r["rest"]) / (r.energy[0] - r["rest"])
    return [("last ball rises to", 30.0, "deg", max(swing(r["x4"][i], r["z4"][i]) for i in span)),
            ("energy kept after 1 s", 100.0, "%", 100 * kept),
            ("deepest penetration", 0.0, "mm", 1e3 * r.depth())]


def ball(r):
    fall = min(r["vz"])
    return [("rebound / approach", 0.5, "", max(r["vz"]) / -fall),
            ("height of the rebound", 250.0, "mm", 1e3 * (max(z for t, z in zip(r.t, r["z"]) if t > 0.5) - 0.1)),
            ("deepest penetration", 0.0, "mm", 1e3 * r.depth())]


def dominoes(r):
    return [("last domino down at", None, "s", crossing(r.t, r["z9"], 0.015)),
            ("energy rises by", 0.0, "uJ", 1e6 * r.rise()),
            ("deepest penetration", 0.0, "mm", 1e3 * r.depth())]


def stack(r):
    return [("top sinks by", 0.0, "mm", 1e3 * (0.95 - min(r["z9"]))),
            ("top drifts by", 0.0, "mm", 1e3 * max(abs(x) for x in r["x9"])),
            ("deepest penetration", 0.0, "mm", 1e3 * r.depth())]


def sliding_box(r):
    way = 4.0 / (2 * 0.3 * G)
    rest = [x for t, x in zip(r.t, r["x"]) if t >= 1.0]
    return [("stops after", 1e3 * way, "mm", 1e3 * rest[0]),
            ("creeps in the next 2 s", 0.0, "mm", 1e3 * (rest[-1] - rest[0])),
            ("deepest penetration", 0.0, "mm", 1e3 * r.depth())]


def slope(r):
    return [("slips in 3 s", 0.0, "mm", 1e3 * (r["x"][-1] - r["x"][0]))]


def cam(r):
    exact = [0.035 + 0.005 * math.sin(20 * math.pi * t) for t in r.t]
    late = [abs(z - e) for t, z, e in zip(r.t, r["z"], exact) if t >= 0.1]
    return [("lift is wrong by", 0.0, "mm", 1e3 * max(late)),
            ("deepest penetration", 0.0, "mm", 1e3 * r.depth(0.1))]


# Scene, seconds, MuJoCo's start (qpos, qvel by number), its tuned settings, columns of its series.
SCENES = {
    "cradle": (cradle, 1.0, {"qpos": {0: math.pi / 6}}, {"contact": 'solref="-2e7 0"'}, {"x4": ("x", 5, 0), "z4": ("x", 5, 2)}),
    "ball": (ball, 0.8, {}, {"contact": 'solref="0.01 0.29"'}, {"z": ("x", 1, 2), "vz": ("v", 0, 2)}),
    "dominoes": (dominoes, 1.0, {"qvel": {0: 0.12, 4: 5.0}}, {"contact": STIFF, "option": FIRM}, {"z9": ("x", 10, 2)}),
    "stack": (stack, 2.0, {}, {"contact": STIFF, "option": FIRM}, {"x9": ("x", 10, 0), "z9": ("x", 10, 2)}),
    "sliding_box": (sliding_box, 3.0, {"qvel": {0: 2.0}}, {"contact": STIFF, "option": FIRM}, {"x": ("x", 1, 0)}),
    "slope": (slope, 3.0, {}, {"contact": STIFF, "option": FIRM}, {"x": ("x", 1, 0)}),
    "cam": (cam, 0.5, {"qvel": {0: 20 * math.pi, 1: 0.1 * math.pi}}, {"contact": STIFF}, {"z": ("x", 2, 2)}),
}
OFFSET = {"cradle": {"x4": 0.1604}}  # of a column: the last string's hinge


def ours(program, name, folder):
    result = folder / f"{name}.h5"
    for words in (["run", HERE / f"{name}.toml", "--out", result, "--force", "--quiet"],
                  ["export", result, "csv", "-o", folder / name]):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"carom {words[0]} {name}: {done.stderr}")
    with open(folder / name / "samples.csv", newline="") as file:
        table = list(csv.DictReader(file))
    column = lambda key: [float(row[key]) if row[key] not in ("", "inf", "nan") else None for row in table]
    named = {key[len("signal."):].split(" ")[0]: column(key) for key in table[0] if key.startswith("signal.")}
    return Run(column("t [s]"), column("energy.total [J]"), named.pop("gap"), named)


def theirs(name, seconds, start, settings, columns, packages):
    words = ["node", str(HERE / "run.mjs"), str(HERE / f"{name}.xml"), str(seconds), json.dumps({**start, **settings})]
    done = subprocess.run(words, cwd=packages, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"mujoco, {name}: {done.stderr}")
    data = json.loads(done.stdout.splitlines()[-1])
    named = {}
    for key, (what, body, axis) in columns.items():
        offset = OFFSET.get(name, {}).get(key, 0.0)
        named[key] = [row[3 * body + axis if what == "x" else axis] - offset for row in data[what]]
    return data["version"], Run(data["t"], data["energy"], data["gap"], named)


def rest_energy(run):
    """All five balls hanging at rest: 5 m g L below the hinges."""
    mass = 1000 * 4 / 3 * math.pi * 0.02**3
    run.named["rest"] = -5 * mass * G * 0.2


def installed(packages):
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "Node and npm are not installed"
    packages.mkdir(parents=True, exist_ok=True)
    if (packages / "node_modules" / "@mujoco" / "mujoco").exists():
        return None
    (packages / "package.json").write_text('{"private": true}\n')
    done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", PACKAGE], cwd=packages, capture_output=True, text=True)
    return None if done.returncode == 0 else f"npm install {PACKAGE}: " + (done.stderr.strip().splitlines() or ["failed"])[-1]


def shown(value):
    if value is None:
        return ""
    if math.isinf(value):
        return "never"
    return "0" if value == 0 else f"{value:.3g}" if abs(value) < 1e-3 or abs(value) >= 1e4 else f"{value:.4g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carom", required=True)
    parser.add_argument("--packages", required=True, type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("scenes", nargs="*")
    options = parser.parse_args()
    unknown = [name for name in options.scenes if name not in SCENES]
    if unknown:
        sys.exit(f"no scene '{unknown[0]}'; there are: {', '.join(SCENES)}")
    why_not = installed(options.packages)
    if why_not:
        print(json.dumps({"skipped": why_not}) if options.json else f"the comparison with MuJoCo is left out: {why_not}")
        return

    rows, starts = [], {}
    for name in options.scenes or SCENES:
        ask, seconds, start, tuned, columns = SCENES[name]
        with tempfile.TemporaryDirectory() as folder:
            runs = [ours(options.carom, name, pathlib.Path(folder))]
        for settings in ({}, tuned):
            version, run = theirs(name, seconds, start, settings, columns, options.packages)
            runs.append(run)
        starts[name] = [run.energy[0] for run in runs[:2]]
        for run in runs:
            rest_energy(run)
        for (what, exact, unit, a), (*_, b), (*_, c) in zip(*map(ask, runs)):
            rows.append({"scene": name, "what": what, "unit": unit, "exact": exact, "carom": a, "mujoco": b, "mujoco_tuned": c})
    if options.json:
        print(json.dumps({"mujoco": version, "start_energies": starts, "rows": rows}, indent=2))
        return
    print(f"{'scene':<12} {'what':<30} {'exact':>10} {'Carom':>12} {'MuJoCo':>12} {'tuned':>12}")
    for row in rows:
        label = f"{row['what']}{', ' + row['unit'] if row['unit'] else ''}"
        print(f"{row['scene']:<12} {label:<30} {shown(row['exact']):>10} {shown(row['carom']):>12} {shown(row['mujoco']):>12} {shown(row['mujoco_tuned']):>12}")
    print(f"MuJoCo {version} (WASM), step 1 ms, the cradle 0.1 ms; tuned: stiffer contacts and an elliptic cone, or the spring and damper of the asked restitution")


if __name__ == "__main__":
    main()
