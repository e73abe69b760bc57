#!/usr/bin/python3
"""Spheres dropped into a box, simulated by Siconos: time a step, contacts, penetration.

The scene: N = nx ny nz spheres of radius 0.05 m and density 1000 kg/m^3 on a lattice of pitch 2.2 r,
jittered sideways by a fixed linear congruential generator, at rest, in a box made of a floor and four
walls (static boxes 0.2 m thick). Friction 0.5, restitution 0, gravity 9.81 m/s^2, step 1e-3 s.

Prints one JSON object a scene to standard output; everything Siconos prints itself is thrown away. Without
--spheres: 100 spheres over 500 steps, and 1,000 over the first 150 (500 would take an hour), those of them whose name
CAROM_BENCH_FILTER matches. A scene that has taken --seconds of CPU time ends there, and `steps` tells how many it made.
Needs Debian's own python3 with python3-siconos, python3-h5py and python3-scipy; without them it prints
{"skipped": "..."} and ends with status 0.
"""

import argparse
import json
import os
import re
import sys
import tempfile
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

RADIUS = 0.05
DENSITY = 1000.0
PITCH = 2.2 * RADIUS
WALL = 0.2  # thickness
LATTICES = {30: (5, 3, 2), 100: (5, 5, 4), 300: (10, 6, 5), 1000: (10, 10, 10)}


def case_name(spheres, steps):
    return f"spheres_{spheres}" + (f"_first_{steps}" if steps != 500 else "")


def jittered_centres(nx, ny, nz):
    state = 12345
    mask = (1 << 64) - 1

    def draw():
        nonlocal state
        state = (6364136223846793005 * state + 1442695040888963407) & mask
        return ((state >> 11) / 2.0**53 * 2.0 - 1.0) * 0.05 * RADIUS

    width, depth = nx * PITCH, ny * PITCH
    centres = []
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                dx = draw()
                dy = draw()
                centres.append((-width / 2 + (i + 0.5) * PITCH + dx,
                                -depth / 2 + (j + 0.5) * PITCH + dy,
                                (k + 0.5) * PITCH))
    return centres


def deepest_overlap(numpy, x, width, depth):
    """Largest overlap of spheres with each other and with the walls, in double precision."""
    difference = x[:, None, :] - x[None, :, :]
    distance = numpy.sqrt(numpy.einsum("ijk,ijk->ij", difference, difference))
    numpy.fill_diagonal(distance, numpy.inf)
    return max(2 * RADIUS - distance.min(),
               RADIUS - x[:, 2].min(),
               (numpy.abs(x[:, 0]) + RADIUS - width / 2).max(),
               (numpy.abs(x[:, 1]) + RADIUS - depth / 2).max(),
               0.0)


def assertions_enabled():
    """Whether the loaded kernel library can fail an assertion; None if that cannot be found out."""
    try:
        with open("/proc/self/maps") as maps:
            files = {line.split()[-1] for line in maps if "libsiconos_kernel" in line}
        with open(files.pop(), "rb") as library:
            return b"__assert_fail" in library.read()
    except (OSError, KeyError):
        return None


class Enough(Exception):
    """The time a scene may take is over."""


def simulate(arguments):
    try:
        import numpy
        import siconos.kernel as kernel
        import siconos.numerics as numerics
        from siconos.io.mechanics_run import MechanicsHdf5Runner
        from siconos.mechanics.collision.bullet import SiconosBulletOptions
        from siconos.mechanics.collision.tools import Contactor
    except ImportError as missing:
        return {"skipped": f"Siconos for Python is not usable here: {missing}"}

    nx, ny, nz = LATTICES[arguments.spheres]
    width, depth = nx * PITCH, ny * PITCH
    height = nz * PITCH + 0.5
    mass = DENSITY * 4.0 / 3.0 * numpy.pi * RADIUS**3
    inertia = 0.4 * mass * RADIUS**2

    # Floor and walls: size and centre of each static box.
    boxes = {
        "floor": ((width + 2 * WALL, depth + 2 * WALL, WALL), (0, 0, -WALL / 2)),
        "left": ((WALL, depth + 2 * WALL, height), (-(width + WALL) / 2, 0, height / 2)),
        "right": ((WALL, depth + 2 * WALL, height), ((width + WALL) / 2, 0, height / 2)),
        "front": ((width, WALL, height), (0, -(depth + WALL) / 2, height / 2)),
        "back": ((width, WALL, height), (0, (depth + WALL) / 2, height / 2)),
    }
    margins = {"insideMargin": 0.0, "outsideMargin": 0.0}

    with MechanicsHdf5Runner() as scene:
        scene.add_primitive_shape("Ball", "Sphere", (RADIUS,), **margins)
        for name, (size, _) in boxes.items():
            scene.add_primitive_shape("Shape_" + name, "Box", size, **margins)
        scene.add_Newton_impact_friction_nsl("contact", mu=0.5, e=0.0)
        for name, (_, centre) in boxes.items():
            scene.add_object(name, [Contactor("Shape_" + name)], translation=list(centre))
        for number, centre in enumerate(jittered_centres(nx, ny, nz)):
            scene.add_object(f"ball{number}", [Contactor("Ball")], translation=list(centre),
                             velocity=[0.0] * 6, mass=mass, inertia=[inertia] * 3)

    solver = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
    solver.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = arguments.iterations
    solver.dparam[numerics.SICONOS_DPARAM_TOL] = arguments.tolerance

    bullet = SiconosBulletOptions()
    bullet.worldScale = 1.0
    bullet.perturbationIterations = 0
    bullet.minimumPointsPerturbationThreshold = 0

    records = []  # seconds, contacts, overlap, residual, iterations
    started = [0.0]

    def start(_):
        started[0] = time.process_time()

    def end(runner):
        seconds = time.process_time() - started[0]
        problem = runner._simulation.oneStepNSProblem(0)
        positions = numpy.array(runner._io.positions(runner._nsds))
        contacts = problem.getSizeOutput() // 3
        records.append((seconds, contacts,
                        deepest_overlap(numpy, positions[:, 1:4], width, depth),
                        solver.dparam[numerics.SICONOS_DPARAM_RESIDU] if contacts else 0.0,
                        solver.iparam[numerics.SICONOS_IPARAM_ITER_DONE] if contacts else 0))
        if time.process_time() - begin > arguments.seconds:
            raise Enough

    wanted = arguments.steps
    begin = time.process_time()
    with MechanicsHdf5Runner(mode="r+") as runner:
        try:
            runner.run(t0=0, T=(wanted + 0.5) * arguments.dt, h=arguments.dt, theta=0.5,
                       Newton_max_iter=1, bullet_options=bullet, solver_options=solver,
                       set_external_forces=None, verbose=False, verbose_progress=False,
                       numerics_verbose=False, violation_verbose=False,
                       output_frequency=10**9, osi=kernel.MoreauJeanOSI,
                       start_run_iteration_hook=start, end_run_iteration_hook=end)
        except Enough:
            pass
        end_velocity = numpy.array(runner._io.velocities(runner._nsds))

    # The first step writes the result file once; it is left out of the times.
    seconds, contacts, overlap, residual, iterations = (numpy.array(x) for x in zip(*records))
    late = slice(-min(100, len(seconds)), None)
    kinetic = 0.5 * (mass * (end_velocity[:, 1:4] ** 2).sum()
                     + inertia * (end_velocity[:, 4:7] ** 2).sum())
    solved = contacts > 0
    return {
        "case": case_name(arguments.spheres, arguments.steps),
        "scheme": "moreau_jean",
        "spheres": arguments.spheres,
        "dt": arguments.dt,
        "steps": int(len(seconds)),
        "tolerance": arguments.tolerance,
        "cpu_seconds_per_step": float(seconds[1:].mean()),
        "cpu_seconds_per_step_last_100": float(seconds[late].mean()),
        "contacts_end": int(contacts[-1]),
        "contacts_max": int(contacts.max()),
        "max_penetration": float(overlap.max()),
        "max_penetration_last_100": float(overlap[late].max()),
        "penetration_end": float(overlap[-1]),
        "largest_residual": float(residual.max()),
        "unsolved_steps": int((iterations >= arguments.iterations).sum()),
        "iterations_median": float(numpy.median(iterations[solved])) if solved.any() else 0.0,
        "kinetic_energy_end": float(kinetic),
        "assertions_enabled": assertions_enabled(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--spheres", type=int, choices=sorted(LATTICES))
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--dt", type=float, default=1e-3)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--iterations", type=int, default=10000, help="limit of NSGS sweeps")
    parser.add_argument("--seconds", type=float, default=240.0, help="limit of CPU time of a scene")
    parser.add_argument("--verbose", action="store_true", help="let Siconos print to stderr")
    arguments = parser.parse_args()

    wanted = [(arguments.spheres, arguments.steps)]
    if arguments.spheres is None:
        filtered = re.compile(os.environ.get("CAROM_BENCH_FILTER", ""))
        wanted = [(n, k) for n, k in ((100, 500), (1000, 150)) if filtered.search(case_name(n, k) + "/moreau_jean")]
    for arguments.spheres, arguments.steps in wanted:
        print(json.dumps(quietly(simulate, arguments)), flush=True)
    return 0


def quietly(act, arguments):
    """Siconos prints from Python and from C: the descriptor itself is diverted while it runs, in a folder of its own."""
    sys.stdout.flush()
    out = os.dup(1)
    sink = os.dup(2) if arguments.verbose else os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    home = os.getcwd()
    try:
        with tempfile.TemporaryDirectory(prefix="carom-peer-") as folder:
            os.chdir(folder)
            try:
                return act(arguments)
            finally:
                os.chdir(home)
    finally:
        sys.stdout.flush()
        os.dup2(out, 1)


if __name__ == "__main__":
    sys.exit(main())
