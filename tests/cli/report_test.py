"""What comes after a run: new, report, view, plot, export, doctor, and what result files hold for them."""
import base64
import json
import re
import struct
import zlib

import h5py
import numpy as np
from _helpers import SOURCE, carom, scratch

folder = scratch()


def good(*words):
    result = carom(*words, cwd=folder)
    assert result.returncode == 0, f"{words}: {result.stdout}{result.stderr}"
    return result.stdout


def page_data(path):
    text = (folder / path).read_text()
    assert text.startswith("<!doctype html><!-- a report of carom -->")
    return json.loads(re.search(r'<script type="application/json" id="carom-data">(.*?)</script>', text, re.S).group(1))


def unpacked(packed):
    """Planes of bytes, deflated, base64: as viewer/src/data.ts reads it."""
    width = 4 if packed["type"] == "f4" else 8
    planes = np.frombuffer(zlib.decompress(base64.b64decode(packed["data"])), np.uint8).reshape(width, -1)
    return np.ascontiguousarray(planes.T).view("<f4" if width == 4 else "<f8").reshape(packed["shape"])


# A template, run and reported by the words that `new` prints.
assert "slider-crank" in good("new")
assert "carom run demo/model.toml" in good("new", "slider_crank", "demo")
again = carom("new", "slider-crank", "demo", cwd=folder)
assert again.returncode == 4 and "exists" in again.stderr, "a model is not overwritten"
unknown = carom("new", "slider-crnk", cwd=folder)
assert unknown.returncode == 2 and "slider-crank" in unknown.stderr
assert "carom report demo/result.h5" in good("run", "demo/model.toml")
good("report", "demo/result.h5")

# What is asked of a picture is checked before a browser is started.
for words in ("t=soon", "t=3kg", "87.3ms", "magnify=0", "size=900", "colour=red"):
    wrong = carom("report", "demo/result.h5", "--png", words, cwd=folder)
    assert wrong.returncode == 2 and "E0103" in wrong.stderr and "--png t=87.3ms" in wrong.stderr, (words, wrong.stderr)

# The page of a sweep: cells of the heat map are rows of the table.
sweep = good("sweep", "demo/model.toml", "--t-end", "0.005", "--over", "clearance=1e-3,2e-3", "--over", "law.steel.tangential.friction=0,0.1,0.2",
             "--measure", "worst=max(guide.impulse_normal)", "--report", "sweep.html")
assert "wrote sweep.html" in sweep
chapters = page_data("sweep.html")["chapters"]
(heat,) = chapters[1]["maps"]
assert heat["x"] == [0.001, 0.002] and heat["y"] == [0, 0.1, 0.2] and np.allclose(heat["y"], [0, 0.1, 0.2]), heat
rows = [line.split(",") for line in (folder / "model.sweep.csv").read_text().splitlines()]
columns = {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}
for run, (c, mu, worst) in enumerate(zip(columns["clearance"], columns["law.steel.tangential.friction"], columns["worst [kg*m/s]"])):
    cell = heat["values"][[0.001, 0.002].index(float(c)) + 2 * [0, 0.1, 0.2].index(float(mu))]
    assert abs(cell - float(worst)) <= 1e-5 * abs(float(worst)) + 1e-12, (run, cell, worst)
assert chapters[0]["tables"][0]["columns"][:3] == ["measure", "least", "5 %"]

# The result: the guide's corners touch where the wall is; world impulses are those of the rows; gaps are those of the poses.
half_height, clearance, half_length = 0.025, 0.001, 0.05
with h5py.File(folder / "demo/result.h5") as f:
    assert f.attrs["format"] == 3
    scene = json.loads(f["model/scene"][()] if f["model/scene"].shape == () else f["model/scene"][0])
    assert scene["frames"] == ["ground", "crank", "rod", "slider"] and scene["planar"]
    table = f["contact/table"][:]
    names = [n.decode() for n in f["contact/names"][:]]
    upper = np.isin(table["contact"], [i for i, n in enumerate(names) if n in ("guide.c1", "guide.c2")])
    wall = np.where(upper, 1, -1) * (half_height + clearance)
    assert np.abs(table["y"] - (wall - np.where(upper, 1, -1) * table["gap"])).max() < 1e-12
    assert np.abs(table["py"] + np.where(upper, 1, -1) * table["pn"]).max() == 0 and (table["px"] == table["pt1"]).all()
    position, turn = f["frame/position"][:], f["frame/orientation"][:]
    slider = [n.decode() for n in f["frame/names"][:]].index("slider")
    angle = 2 * np.arctan2(turn[:, slider, 3], turn[:, slider, 0])
    assert np.abs(np.sin(angle - f["coordinate/slider.angle"][:])).max() < 1e-12
    for k, (sx, sy) in enumerate([(-1, 1), (1, 1), (-1, -1), (1, -1)]):
        corner = position[:, slider, 1] + sx * half_length * np.sin(angle) + sy * half_height * np.cos(angle)
        gap = half_height + clearance - sy * corner
        assert np.abs(gap - f["gap/value"][:, k]).max() < 1e-12, k
    assert [v.decode() for v in f["expectation/verdict"][:]] == ["ok", "ok"]
    times, energy, steps = f["time"][:], f["energy/total"][:], f["stats/t"][:]

# The page holds the same numbers.
run = page_data("demo/result.html")["runs"][0]
assert (unpacked(run["fields"]["/time"]) == times).all()
assert np.abs(unpacked(run["fields"]["/frame/position"]) - position).max() < 1e-7
assert np.abs(unpacked(run["fields"]["/energy/total"]) / energy - 1).max() < 2e-5
assert (unpacked(run["stats"]["t"]) == steps).all()
assert (unpacked(run["contacts"]["contact"]) == table["contact"]).all()
assert np.abs(unpacked(run["contacts"]["pn"]) - table["pn"]).max() <= 2e-5 * table["pn"].max()
assert run["sound"] is True and len(run["expectations"]) == 2 and run["notes"] == []

# Pages replace pages and nothing else; a title cannot break out of its page.
good("report", "demo/result.h5")
(folder / "note.html").write_text("mine")
refused = carom("report", "demo/result.h5", "-o", "note.html", cwd=folder)
assert refused.returncode == 4 and (folder / "note.html").read_text() == "mine"
text = (folder / "demo/model.toml").read_text()
(folder / "evil.toml").write_text(re.sub(r'title = ".*"', 'title = "</script><script>alert(1)</script>"', text).replace("demo/result.h5", "evil.h5"))
good("run", "evil.toml", "--t-end", "0.01")
good("report", "evil.h5")
assert "<script>alert" not in (folder / "evil.html").read_text()
assert page_data("evil.html")["title"] == "</script><script>alert(1)</script>"

# Several runs; a model that has not run; bodies in space.
good("run", "demo/model.toml", "--scheme", "projection_combined", "-o", "combined.h5")
good("report", "demo/result.h5", "combined.h5", "-o", "both.html")
assert [r["label"] for r in page_data("both.html")["runs"]] == ["result", "combined"]
good("view", SOURCE / "scenarios/dominoes.toml", "--no-open", "-o", "pose.html")
pose = page_data("pose.html")
assert pose["pose_only"] and len(pose["runs"][0]["scene"]["shapes"]) > 5
good("run", SOURCE / "scenarios/box_stack.toml", "-o", "stack.h5", "--t-end", "0.2")
with h5py.File(folder / "stack.h5") as f:
    table = f["contact/table"][:]
    names = [n.decode() for n in f["contact/names"][:]]
    assert "frame" not in f, "bodies stand in /body"
    for i, name in enumerate(names):
        rows = table[table["contact"] == i]
        # The first named is lifted by what it stands on, and lifts what stands on it: bottom on the floor at z = 0.
        if name.endswith("-floor") and name.startswith("bottom"):
            assert np.abs(rows["z"]).max() < 1e-3 and (rows["pz"] >= 0).all() and rows["pz"].max() > 0, name
        size = np.sqrt(rows["px"] ** 2 + rows["py"] ** 2 + rows["pz"] ** 2)
        assert np.allclose(size, np.sqrt(rows["pn"] ** 2 + rows["pt1"] ** 2 + rows["pt2"] ** 2), rtol=1e-9, atol=1e-15)
    weight = 9.81 * 1000 * (0.4 * 0.3 * 0.2 + 0.3 * 0.3 * 0.2 + 0.2 * 0.2 * 0.1 + np.pi * 0.05**2 * 0.2)
    floor = np.isin(table["contact"], [i for i, n in enumerate(names) if n.endswith("-floor")])
    last = table["step"] == table["step"].max()
    assert abs(table["pz"][floor & last].sum() / 1e-2 / weight - 1) < 1e-6, "the floor carries the stack"
no_result = carom("report", SOURCE / "README.md", cwd=folder)
assert no_result.returncode in (2, 4) and "error" in no_result.stderr

# Plots.
listing = good("plot", "demo/result.h5")
assert "crank.angle  [rad]" in listing and "guide.c1.gap  [m]" in listing and "turns" in listing
drawn = good("plot", "demo/result.h5", "crank.rate", "min(guide.gap)")
assert drawn.count("|") >= 30 and "crank.rate" in drawn
good("plot", "demo/result.h5", "crank.rate", "2*turns", "-o", "curves.csv")
columns = np.genfromtxt(folder / "curves.csv", delimiter=",", names=True)
assert len(columns) == len(times)
# A spectrum: the rod swings once a turn, 2.88 turns in 0.2 s; lines are 5 Hz apart.
good("plot", "demo/result.h5", "rod.rate", "--spectrum", "-o", "lines.csv")
lines = np.loadtxt(folder / "lines.csv", delimiter=",", skiprows=1)
assert abs(lines[lines[:, 1].argmax(), 0] - 2.88 / 0.2) < 5, lines[lines[:, 1].argmax()]
assert "log10" in good("plot", "demo/result.h5", "rod.rate", "--spectrum")
assert carom("plot", "demo/result.h5", "rod.rate", "--spectrum", "-x", "crank.rate", cwd=folder).returncode == 2
# Sections: the first sample at or behind every impact of a contact; or at multiples of a time.
good("plot", "demo/result.h5", "crank.rate", "-x", "crank.angle", "--impacts", "guide.c2", "-o", "section.csv")
section = np.loadtxt(folder / "section.csv", delimiter=",", skiprows=1)
with h5py.File(folder / "demo/result.h5") as f:
    events, sampled = f["event/table"][:], f["time"][:]
    second = [n.decode() for n in f["contact/names"][:]].index("guide.c2")
    impacts = np.unique(events["t"][(events["kind"] == 0) & (events["contact"] == second)])
    rows = np.unique(np.searchsorted(sampled, impacts * (1 - 1e-12)))
    assert len(rows) > 5 and np.array_equal(section[:, 0], f["coordinate/crank.angle"][:].ravel()[rows])
    assert np.array_equal(section[:, 1], f["velocity/crank.rate"][:].ravel()[rows])
good("plot", "demo/result.h5", "crank.angle", "--section", "40 ms", "-o", "strobe.csv")
assert np.allclose(np.loadtxt(folder / "strobe.csv", delimiter=",", skiprows=1)[:, 0], 0.04 * np.arange(6), atol=1e-12)
for words, code in ((("--impacts", "guid"), "E0131"), (("--section", "-1"), "E0131"), (("--section", "1 ms", "--impacts"), "E0103"),
                    (("--section", "1 ms", "--spectrum"), "E0103")):
    wrong = carom("plot", "demo/result.h5", "crank.rate", *words, cwd=folder)
    assert wrong.returncode == 2 and code in wrong.stderr, (words, wrong.stderr)
wrong = carom("plot", "demo/result.h5", "crank.rat", cwd=folder)
assert wrong.returncode == 2 and "crank.rate" in wrong.stderr

# Exports.
good("export", "demo/result.h5", "csv")
header, *lines = (folder / "demo/result_csv/samples.csv").read_text().splitlines()
assert "t [s]" in header and "energy.total [J]" in header and len(lines) == len(times)
good("export", "demo/result.h5", "vtk", "--every", "100")
collection = (folder / "demo/result_vtk/bodies.pvd").read_text()
files = re.findall(r'file="([^"]+)"', collection)
assert len(files) == (len(times) + 99) // 100
data = (folder / "demo/result_vtk" / files[-1]).read_bytes()
points = int(re.search(rb'NumberOfPoints="(\d+)"', data).group(1))
raw = data.index(b'encoding="raw">\n_') + len(b'encoding="raw">\n_')
assert struct.unpack("<Q", data[raw:raw + 8])[0] == 12 * points, "points come first"
# MATLAB: structs by path, the numbers of the result file to the bit, and units by the same paths.
good("export", "demo/result.h5", "mat", "--every", "20")
try:
    from scipy.io import loadmat
except ImportError:
    print("no scipy: the MAT file is not read")
else:
    mat = loadmat(str(folder / "demo/result.mat"), squeeze_me=True, struct_as_record=False)
    with h5py.File(folder / "demo/result.h5") as f:
        assert np.array_equal(mat["time"], f["time"][::20])
        assert np.array_equal(mat["coordinate"].crank.angle, f["coordinate/crank.angle"][::20].ravel())
        assert np.array_equal(mat["energy"].total, f["energy/total"][::20].ravel())
        for column in ("step", "gap", "pn"):
            assert np.array_equal(getattr(mat["contact"].table, column), f["contact/table"][column]), column
        assert np.array_equal(mat["stats"].solver_iterations, f["stats/solver_iterations"][:].ravel())
        assert list(mat["contact"].names) == [n.decode() for n in f["contact/names"][:]]
    assert mat["unit"].coordinate.crank.angle == "rad" and mat["unit"].contact.table.gap == "m" and mat["unit"].time == "s"
good("export", "demo/result.h5", "gltf", "--every", "20")
gltf = json.loads((folder / "demo/result.gltf").read_text())
assert [n["name"] for n in gltf["nodes"][1:5]] == scene["frames"] and len(gltf["animations"][0]["channels"]) == 6
buffer = base64.b64decode(gltf["buffers"][0]["uri"].split(",")[1])
assert len(buffer) == gltf["buffers"][0]["byteLength"]
channel = next(c for c in gltf["animations"][0]["channels"] if c["target"] == {"node": 4, "path": "translation"})
view = gltf["bufferViews"][gltf["accessors"][gltf["animations"][0]["samplers"][channel["sampler"]]["output"]]["bufferView"]]
moved = np.frombuffer(buffer, "<f4", view["byteLength"] // 4, view["byteOffset"]).reshape(-1, 3)
assert np.abs(moved - position[::20, slider]).max() < 1e-6

# Every scenario that comes with the program can be looked at, and every command shows an example.
for scenario in sorted((SOURCE / "scenarios").glob("*.toml")):
    good("view", scenario, "--no-open", "-o", "look.html")
for command in ("new", "report", "view", "plot", "export", "doctor"):
    assert "Example" in good(command, "--help"), command
assert "self-test" in good("doctor")
