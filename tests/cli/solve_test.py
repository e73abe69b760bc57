#!/usr/bin/env python3
"""carom solve: solutions as a file, folders of problems, solvers side by side, contacts that nothing moves."""
import csv
import json
import shutil
import unittest

import h5py
import numpy as np
from _helpers import carom, scratch


def problem(G, q, mu):
    """A text problem of contacts in the plane."""
    G, rows = np.array(G), len(q)
    return f"2\n{len(mu)}\n0\n{rows} {rows}\n{rows} {rows}\n" + "\n".join(
        " ".join(map(repr, map(float, numbers))) for numbers in (G.T.ravel(), q, mu)) + "\n"


class Solve(unittest.TestCase):
    def setUp(self):
        self.directory = scratch()
        # Presses and slips: lambda_N = 1/2, lambda_T = mu lambda_N. Presses and sticks: lambda = -G^-1 q.
        (self.directory / "slips.dat").write_text(problem([[2, 0], [0, 1]], [-1, -3], [0.4]))
        (self.directory / "sticks.dat").write_text(problem([[2, 0.5], [0.5, 1]], [-1, 0.1], [0.9]))

    def tearDown(self):
        shutil.rmtree(self.directory)

    def solve(self, *arguments, code=0):
        result = carom("solve", *arguments, cwd=self.directory)
        self.assertEqual(result.returncode, code, result.stderr)
        return result

    def test_solutions_are_those_of_the_laws(self):
        self.solve(".", "--out", "solutions.h5")
        with h5py.File(self.directory / "solutions.h5") as f:
            self.assertEqual(sorted(f), ["slips", "sticks"])
            slips, sticks = f["slips/automatic"], f["sticks/automatic"]
            np.testing.assert_allclose(slips["lambda"], [0.5, 0.2], atol=1e-12)
            np.testing.assert_allclose(slips["xi"], [0, -2.8], atol=1e-12)
            np.testing.assert_allclose(sticks["lambda"], np.linalg.solve([[2, 0.5], [0.5, 1]], [1, -0.1]), atol=1e-12)
            self.assertEqual(slips.attrs["status"], "solved")
            self.assertLess(slips.attrs["residual"], 1e-12)

    def test_nothing_else_is_replaced(self):
        (self.directory / "mine.h5").write_text("not a solution")
        self.solve("slips.dat", "--out", "mine.h5", code=4)
        self.assertEqual((self.directory / "mine.h5").read_text(), "not a solution")
        self.solve("slips.dat", "--out", "mine.h5", "--force")
        self.solve("sticks.dat", "--out", "mine.h5")  # what it wrote itself it may replace

    def test_profile(self):
        rows = [json.loads(line) for line in self.solve(".", "--solver", "all", "--json", "--profile", "p").stdout.splitlines()]
        solvers = {row["solver"] for row in rows}
        with open(self.directory / "p.csv") as file:
            table = list(csv.DictReader(file))
        for solver in solvers:
            solved = sum(row["solver"] == solver and row["status"] == "solved" for row in rows)
            shares = [float(row[name]) for row in table if row[name := f"{solver}: share of problems solved"]]
            self.assertEqual(shares, sorted(shares))
            self.assertAlmostEqual(shares[-1], solved / 2)

    def test_history(self):
        # A chain of contacts that hand their load on: sweeps need many of them.
        n = 12
        matrix = [[0.0] * (2 * n) for _ in range(2 * n)]
        for k in range(2 * n):
            matrix[k][k] = 2.0
            if k + 2 < 2 * n:
                matrix[k][k + 2] = matrix[k + 2][k] = -0.99
        (self.directory / "chain.dat").write_text(problem(matrix, [-1, 0.1] * n, [0.4] * n))
        row = json.loads(self.solve("chain.dat", "--solver", "projected_gauss_seidel", "--tolerance", "1e-10", "--json",
                                    "--history", "h").stdout)
        with open(self.directory / "h.csv") as file:
            table = list(csv.DictReader(file))
        columns = [name for name in table[0] if "residual" in name]
        residuals = [float(line[columns[0]]) for line in table if line[columns[0]]]
        self.assertGreater(row["iterations"], 10)
        self.assertGreater(len(residuals), 4)
        self.assertEqual(residuals, sorted(residuals, reverse=True), "the best iterate only gets better")
        self.assertAlmostEqual(residuals[-1], row["residual"])
        self.assertLess(residuals[-1], 1e-10)

    def test_contacts_that_nothing_moves_are_told(self):
        (self.directory / "fixed.dat").write_text(
            problem([[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1e-310, 0], [0, 0, 0, 0]], [-1, 0, 0, 0], [0.4, 0.4]))
        self.assertIn("warning[W0601]: fixed.dat: 1 of 2 contacts", self.solve("fixed.dat").stderr)
        self.assertEqual(json.loads(self.solve("fixed.dat", "--json").stdout)["immovable"], 1)
        self.assertEqual(self.solve("slips.dat").stderr, "")

    def test_a_folder_without_problems(self):
        (self.directory / "empty").mkdir()
        self.assertIn("[E0601]", self.solve("empty", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
