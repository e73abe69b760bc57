"""The way of a new user, to the page in a real browser: new, run, report, view; also two runs side by side and a thousand bodies."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _browser import SOURCE, need_browser

sys.path.append(str(SOURCE / "tests/cli"))
from _helpers import sphere_lattice

browser = need_browser()
CAROM = os.environ["CAROM"]
folder = Path(tempfile.mkdtemp(prefix="page_", dir=os.getcwd()))


def carom(*words):
    result = subprocess.run([CAROM, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, f"carom {words}: {result.stdout}{result.stderr}"
    return result.stdout


carom("new", "slider-crank", "demo")
carom("run", "demo/model.toml")
carom("report", "demo/result.h5", "-o", "run.html")
size = (folder / "run.html").stat().st_size
print(f"20,000 steps: {size / 1e6:.2f} MB")
assert size < 5e6, size
carom("run", "demo/model.toml", "--scheme", "projection_combined", "-o", "combined.h5")
carom("report", "demo/result.h5", "combined.h5", "-o", "compare.html")
carom("report", "demo/result.h5", "--png", "t=40ms,magnify=10,size=900x600", "-o", "scene.png")
carom("view", SOURCE / "scenarios" / "dominoes.toml", "--no-open", "-o", "pose.html")
(folder / "many.toml").write_text(sphere_lattice((10, 10, 10), simulation="""[simulation]
scheme = "moreau_jean"
step = 4e-3
t_end = 0.08
[simulation.contact]
solver = "projected_gauss_seidel"
tolerance = 1e-4
on_failure = "continue"
"""))
carom("run", "many.toml", "-o", "many.h5")
carom("report", "many.h5", "-o", "many.html")
test = subprocess.run(["node", str(SOURCE / "tests/viewer/page.mjs"), browser, str(folder)], capture_output=True, text=True, timeout=900)
print(test.stdout, test.stderr)
for picture in ("report", "report_dark", "compare", "pose", "many"):
    assert (folder / f"{picture}.png").stat().st_size > 20000, picture
sys.exit(test.returncode)
