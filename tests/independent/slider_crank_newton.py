"""Newton, projection and index-set iterations of the slider-crank of Acary 2012, table 3, counted a second time.

Two angles, one contact with each wall, Coulomb's law by cases (slider_crank.py); Newton's loop as printed: it starts at q_k, v_k,
its matrix is M + h theta C + h^2 theta^2 K of each iterate with C and K by differences, it ends when the residual in N s is below a tolerance.
Algorithm 1 projects onto both walls, algorithm 2 grows the set of active walls from none; both project after Newton's loop, along
the gradient of the gap (Euclidean metric), until no gap is below -1e-10 m.

    python3 slider_crank_newton.py [dt ...]
"""
import math
import sys

from slider_crank import (CLEARANCE, COUPLING, END, FRICTION, INERTIA_1, INERTIA_2, L1, L2, RESTITUTION, coulomb, forces)

THETA, VIOLATION = 0.5, 1e-10


def gaps(a, b):
    y = L1 * math.sin(a) + L2 * math.sin(b)
    return {1: CLEARANCE - y, -1: CLEARANCE + y}


def solve(A, x):
    (p, q), (r, s) = A
    d = p * s - q * r
    return (s * x[0] - q * x[1]) / d, (p * x[1] - r * x[0]) / d


def dot(x, y):
    return x[0] * y[0] + x[1] * y[1]


class Run:
    def __init__(self, method, dt, newton_tolerance, activation_tolerance=0.0):
        self.dt, self.tolerance = dt, newton_tolerance
        self.newton, self.projection, self.index = [], [], []
        self.violation = 0.0
        q, v = (0.0, 0.0), (150.0, -75.0)
        for _ in range(round(END / dt)):
            self.counts = [0, 0, 0]
            if method == "combined":
                active, start = set(), None
                while True:
                    self.counts[2] += 1
                    q1, v1, push = self.velocities(q, v, active, start)
                    if active:
                        q1 = self.project(q1, {w for w in active if push.get(w, 0.0) > 0}, active)
                    start = v1
                    grown = active | {w for w, g in gaps(*q1).items() if g <= 0}
                    if grown == active:
                        break
                    active = grown
            else:
                tolerance = activation_tolerance if method == "direct" else 1e-12 * L1
                active = {w for w, g in gaps(*q).items() if g <= tolerance}
                q1, v1, _ = self.velocities(q, v, active, None)
                if method == "direct":
                    q1 = self.project(q1, set(), {1, -1})
            q, v = q1, v1
            self.violation = max(self.violation, -min(gaps(*q).values()))
            for kept, count in zip((self.newton, self.projection, self.index), self.counts):
                kept.append(count)
        self.turns = q[0] / (2 * math.pi)

    def residual(self, q_theta, v_theta, v, v_k):
        m12 = COUPLING * math.cos(q_theta[0] - q_theta[1])
        d = (v[0] - v_k[0], v[1] - v_k[1])
        f = forces(*q_theta, *v_theta)
        return (self.dt * f[0] - INERTIA_1 * d[0] - m12 * d[1], self.dt * f[1] - m12 * d[0] - INERTIA_2 * d[1])

    def matrix(self, q, v):
        h, m12 = self.dt, COUPLING * math.cos(q[0] - q[1])
        A = [[INERTIA_1, m12], [m12, INERTIA_2]]
        for j in range(2):
            for derivative, at, scale, eps in ((0, q, (h * THETA) ** 2, 1e-6), (1, v, h * THETA, 1e-3)):
                up, down = list(at), list(at)
                up[j] += eps
                down[j] -= eps
                fu = forces(*up, *v) if derivative == 0 else forces(*q, *up)
                fd = forces(*down, *v) if derivative == 0 else forces(*q, *down)
                for i in range(2):
                    A[i][j] -= scale * (fu[i] - fd[i]) / (2 * eps)
        return A

    def velocities(self, q_k, v_k, active, start):
        """start: velocity of an earlier pass to go on from; else the loop starts at q_k, v_k as printed."""
        h = self.dt
        v = v_k if start is None else start
        moved = start is not None
        load, push = (0.0, 0.0), {}
        rate = L1 * math.cos(q_k[0]) * v_k[0] + L2 * math.cos(q_k[1]) * v_k[1]
        first = True
        while True:
            v_theta = tuple(THETA * v[i] + (1 - THETA) * v_k[i] for i in range(2))
            if moved:
                q = tuple(q_k[i] + h * v_theta[i] for i in range(2))
                q_theta = tuple(q_k[i] + THETA * h * v_theta[i] for i in range(2))
            else:
                q = q_theta = q_k
            f = self.residual(q_theta, v_theta, v, v_k)
            n = {w: (-w * L1 * math.cos(q[0]), -w * L2 * math.cos(q[1])) for w in active}
            t = (-L1 * math.sin(q[0]), -L2 * math.sin(q[1]))
            if not first:
                load = [0.0, 0.0]
                for w in push:
                    for i in range(2):
                        load[i] += n[w][i] * push[w] + t[i] * self.shear[w]
                if math.hypot(f[0] + load[0], f[1] + load[1]) <= self.tolerance:
                    return q, v, push
            first = False
            A = self.matrix(q_theta, v_theta)
            if not moved:  # h is taken at q_k, and carried on to q_k + h v_theta to first order
                f = list(f)
                for j in range(2):
                    up, down = list(q_theta), list(q_theta)
                    up[j] += 1e-6
                    down[j] -= 1e-6
                    fu, fd = forces(*up, *v_theta), forces(*down, *v_theta)
                    for i in range(2):
                        f[i] += h * THETA * (fu[i] - fd[i]) / 2e-6 * h * v_theta[j]
            self.counts[0] += 1
            dv = solve(A, f)
            push, self.shear = {}, {}
            u = [v[0] + dv[0], v[1] + dv[1]]
            for w in active:  # never both walls at once
                sn, st = solve(A, n[w]), solve(A, t)
                pn, pt = coulomb(dot(n[w], sn), dot(n[w], st), dot(t, st), dot(n[w], u) + RESTITUTION * (-w * rate), dot(t, u), FRICTION)
                push[w], self.shear[w] = pn, pt
                u = [u[i] + sn[i] * pn + st[i] * pt for i in range(2)]
            v, moved = tuple(u), True

    def project(self, q, equalities, walls):
        bar, delta = q, (0.0, 0.0)
        touched = set()
        while True:
            g = gaps(*q)
            wrong = {w for w in walls if (abs(g[w]) if w in equalities else -g[w]) > VIOLATION}
            if not wrong:
                return q
            touched |= wrong
            self.counts[1] += 1
            (w,) = touched
            n = (-w * L1 * math.cos(q[0]), -w * L2 * math.cos(q[1]))
            tau = -(g[w] - dot(n, delta)) / dot(n, n)
            if w not in equalities:
                tau = max(0.0, tau)
            delta = (tau * n[0], tau * n[1])
            q = (bar[0] + delta[0], bar[1] + delta[1])


if __name__ == "__main__":
    for dt in [float(x) for x in sys.argv[1:]] or [1e-4, 1e-5]:
        for name, method, tolerance, closed in (("Moreau-Jean, 1e-10 N s", "moreau_jean", 1e-10, 0.0), ("algorithm 1, 1e-6 N s", "direct", 1e-6, 1e-6),
                                                ("algorithm 1, 1e-10 N s", "direct", 1e-10, 1e-6),
                                                ("algorithm 2, 1e-6 N s", "combined", 1e-6, 0.0), ("algorithm 2, 1e-10 N s", "combined", 1e-10, 0.0)):
            run = Run(method, dt, tolerance, closed)
            mean = lambda x: sum(x) / len(x)
            print("dt %g, %s: violation %.3e m, Newton %.4f/%d, projection %.5f/%d, index sets %.4f/%d, turns %.6f" %
                  (dt, name, run.violation, mean(run.newton), max(run.newton), mean(run.projection), max(run.projection), mean(run.index),
                   max(run.index), run.turns))
