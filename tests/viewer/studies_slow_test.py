"""Pages of compare, converge, sweep and reproduce, in a real browser."""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from _browser import SOURCE, need_browser

browser = need_browser()
CAROM = os.environ["CAROM"]
folder = Path(tempfile.mkdtemp(prefix="studies_", dir=os.getcwd()))
CRANK = SOURCE / "scenarios" / "slider_crank.toml"


def carom(*words, fine=(0,)):
    result = subprocess.run([CAROM, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=900)
    assert result.returncode in fine, f"carom {words}: {result.stdout}{result.stderr}"
    return result.stdout


grid = ("sweep", CRANK, "--t-end", "0.03", "--over", "clearance=2e-4:2e-3:4", "--over", "law.steel.tangential.friction=0,0.01,0.1",
        "--measure", "worst=max(guide.impulse_normal)", "--measure", "knocks=impacts(guide.c1)")
carom(*grid, "--report", "grid.html")
assert "12 of them done before" in carom(*grid, "--report", "grid.html"), "the page of a finished sweep needs no run"
carom("sweep", CRANK, "--t-end", "0.01", "--over", "clearance=uniform(1e-4, 1e-3)", "--design", "random", "--samples", "20", "-o", "drawn.csv",
      "--measure", "worst=max(guide.impulse_normal)", "--report", "drawn.html")
carom("sweep", SOURCE / "scenarios" / "driven_impact_oscillator.toml", "--set", "distance=0", "--over", "omega=2:4:40", "--section", "2*pi/omega",
      "--show", "mass.velocity", "--against", "mass.position", "--skip", "40", "--keep", "20", "--report", "diagram.html")
carom("converge", SOURCE / "scenarios" / "bouncing_ball.toml", "--schemes", "moreau_jean", "--steps", "1e-2,1e-3,4", "--report", "orders.html", fine=(0, 1))
carom("reproduce", "acary-2012-fig-8", "--report", "book.html")
test = subprocess.run(["node", str(SOURCE / "tests/viewer/studies.mjs"), browser, str(folder)], capture_output=True, text=True, timeout=900)
print(test.stdout, test.stderr)
sys.exit(test.returncode)
