"""Runs the program under test: CAROM is its path, CAROM_SOURCE the source directory."""
import atexit
import os
import resource
import signal
import shutil
import subprocess
import tempfile
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell started this in the background and ignores it
CAROM = os.environ["CAROM"]
SOURCE = Path(os.environ["CAROM_SOURCE"])
SANITIZERS = os.environ.get("CAROM_SANITIZE", "")  # of the program under test
LONGEST = 3000 if SANITIZERS else 300  # seconds of one call


def limit_memory(size):
    """For preexec_fn. The address sanitizer maps more than any machine has."""
    if "address" not in SANITIZERS:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))


BALL = """schema = 1
title = "ball"
[units]
bare = "SI"
[parameters]
h = 1.0
[analytic]
model = "bouncing_ball"
law = "floor"
mass = 1
force = -2
height = "h"
velocity = 0
[law.floor]
normal = { type = "newton", restitution = 0.5 }
[simulation]
t_end = 1.5
step = 0.01
scheme = "moreau_jean"
[simulation.contact]
tolerance = 1e-12
[output]
file = "ball.h5"
"""


def sphere_lattice(counts, simulation, pitch=0.11, origin=(0, 0, 0.051), restitution=0.2):
    """A model of spheres of 5 cm above a floor, in rows; `simulation`: its last tables."""
    return f"""schema = 1
title = "Spheres"
[units]
bare = "SI"
[world]
gravity = [0, 0, -9.81]
[plane.floor]
[law.soft]
normal = {{ type = "newton", restitution = {restitution} }}
[contact.default]
law = "soft"
[generate.ball]
kind = "sphere_lattice"
counts = {list(counts)}
radius = 0.05
pitch = {pitch}
density = 1000
origin = {list(origin)}
{simulation}"""


def carom(*arguments, cwd=None, root=None):
    """root: where the launcher lies, if it is to be known."""
    environment = {key: value for key, value in os.environ.items() if key != "CAROM_ROOT"}
    if root:
        environment["CAROM_ROOT"] = str(root)
    return subprocess.run([CAROM, *map(str, arguments)], cwd=cwd, env=environment, capture_output=True, text=True, timeout=LONGEST)


def scratch():
    """A folder that is gone when the test ends, whatever its end."""
    path = Path(tempfile.mkdtemp(prefix="carom_cli_", dir=os.getcwd()))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path
