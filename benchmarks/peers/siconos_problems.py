#!/usr/bin/python3
"""One friction problem, solved by one solver of Siconos; `carom bench problems` calls it.

    siconos_problems.py PROBLEM.h5 SOLVER TOLERANCE REACTION_FILE [CPU_SECONDS]

PROBLEM.h5 is in the local layout of FCLib (W, q, mu). SOLVER is nsgs, nsn_ac or admm, each as Siconos sets it up but
for tolerance and number of iterations, starting from zero, on a sparse block matrix. Prints one JSON object and
writes the reactions as bare doubles: whoever calls judges them. The process ends itself after CPU_SECONDS.
Needs Debian's own python3 with python3-siconos and python3-h5py; without them it prints {"skipped": "..."}.
"""

import json
import math
import os
import resource
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"


def solve(path, solver, tolerance, reaction_file):
    try:
        import h5py
        import numpy
        import scipy.sparse
        import siconos.numerics as numerics
    except ImportError as missing:
        return {"skipped": f"Siconos for Python is not usable here: {missing}"}

    with h5py.File(path) as file:
        local = file["fclib_local"]
        W = local["W"]
        shape = (int(W["m"][()].item()), int(W["n"][()].item()))
        kind = int(W["nz"][()].item())  # -1: by columns, -2: by rows
        parts = (W["x"][:], W["i"][:], W["p"][:])
        matrix = (scipy.sparse.csc_matrix if kind == -1 else scipy.sparse.csr_matrix)(parts, shape=shape)
        q, mu = local["vectors/q"][:], local["vectors/mu"][:]

    functions = {"nsgs": (numerics.SICONOS_FRICTION_3D_NSGS, numerics.fc3d_nsgs),
                 "nsn_ac": (numerics.SICONOS_FRICTION_3D_NSN_AC, numerics.fc3d_nonsmooth_Newton_AlartCurnier),
                 "admm": (numerics.SICONOS_FRICTION_3D_ADMM, numerics.fc3d_admm)}
    number, function = functions[solver]
    contacts = len(mu)
    # Through its own file format: the one way in that gives a sparse block matrix.
    text = reaction_file + ".dat"
    write_blocks(text, matrix.tocsr(), q, mu)
    problem = numerics.frictionContactProblemFromFile(text)
    os.remove(text)
    options = numerics.SolverOptions(number)
    options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = {"nsgs": 1000000, "nsn_ac": 1000, "admm": 100000}[solver]
    seconds, spent, repeat = math.inf, 0.0, 0
    while repeat == 0 or (repeat < 5 and spent < 0.2):  # small problems several times, as ours
        reaction, velocity = numpy.zeros(3 * contacts), numpy.zeros(3 * contacts)
        began = time.thread_time()
        info = function(problem, reaction, velocity, options)
        last = time.thread_time() - began
        seconds, spent, repeat = min(seconds, last), spent + last, repeat + 1
    reaction.tofile(reaction_file)
    return {"cpu_seconds": seconds, "info": int(info if info is not None else -1),
            "iterations": int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]),
            "own_error": float(options.dparam[numerics.SICONOS_DPARAM_RESIDU])}


def write_blocks(path, matrix, q, mu):
    """The text format of Siconos with sparse block storage of 3 x 3."""
    blocks = matrix.tobsr((3, 3))
    blocks.sort_indices()
    n, stored = len(mu), len(blocks.indices)
    with open(path, "w") as out:
        out.write(f"3\n{n}\n1\n{3 * n}\n{3 * n}\n")
        out.write(f"{stored}\n{n}\n{n}\n")
        sums = " ".join(str(3 * (k + 1)) for k in range(n))
        out.write(sums + "\n" + sums + "\n")
        out.write(f"{n + 1}\n{stored}\n")
        out.write(" ".join(map(str, blocks.indptr)) + "\n")
        out.write(" ".join(map(str, blocks.indices)) + "\n")
        for number, block in enumerate(blocks.data):
            out.write(f"{number}\n" + "\n".join(f"{x:.17e}" for x in block.T.ravel()) + "\n")
        out.write("\n".join(f"{x:.17e}" for x in q) + "\n")
        out.write("\n".join(f"{x:.17e}" for x in mu) + "\n")


def main():
    path, solver, tolerance, reaction_file = sys.argv[1:5]
    if len(sys.argv) > 5:
        seconds = int(float(sys.argv[5])) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Siconos prints
    result = solve(path, solver, float(tolerance), reaction_file)
    sys.stdout.flush()
    os.dup2(out, 1)
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
