"""The slider-crank of Acary 2012, section 6.4, written a second time: two angles instead of three, one contact with each wall
instead of four corners (the slider does not turn), Coulomb's law by cases, plain fixed-point iteration in place of Newton.

It shares nothing with Carom. The rows "independent run" of acary-2012-fig-23 to 26 and -table-3 hold its numbers.

    python3 slider_crank.py [dt ...]
"""
import math
import sys

L1, L2, CLEARANCE = 0.153, 0.306, 0.001
M1, M2, M3 = 0.038, 0.038, 0.076
J1, J2 = 7.4e-5, 5.9e-4
GRAVITY, RESTITUTION, FRICTION = 9.81, 0.4, 0.01
END = 0.2

COUPLING = (M2 / 2 + M3) * L1 * L2
INERTIA_1 = J1 + M1 * L1**2 / 4 + (M2 + M3) * L1**2
INERTIA_2 = J2 + M2 * L2**2 / 4 + M3 * L2**2


def forces(a, b, va, vb):
    bend = COUPLING * math.sin(a - b)
    return (-bend * vb * vb - GRAVITY * (M1 / 2 + M2 + M3) * L1 * math.cos(a),
            bend * va * va - GRAVITY * (M2 / 2 + M3) * L2 * math.cos(b))


def solve(m12, x, y):
    d = INERTIA_1 * INERTIA_2 - m12 * m12
    return (INERTIA_2 * x - m12 * y) / d, (INERTIA_1 * y - m12 * x) / d


def coulomb(Gnn, Gnt, Gtt, cn, ct, mu):
    """0 <= xi_n = G p + c  _|_  p_n >= 0, friction against the tangential velocity, by cases."""
    if cn >= 0:
        return 0.0, 0.0
    d = Gnn * Gtt - Gnt * Gnt
    pn, pt = (-Gtt * cn + Gnt * ct) / d, (Gnt * cn - Gnn * ct) / d
    if abs(pt) <= mu * pn:
        return pn, pt
    for side in (1.0, -1.0):
        pn = -cn / (Gnn + side * mu * Gnt)
        pt = side * mu * pn
        if pn >= 0 and side * (Gnt * pn + Gtt * pt + ct) <= 1e-13:
            return pn, pt
    raise ArithmeticError("no case holds")


class Run:
    def __init__(self, dt, gamma=0.0, theta=0.5, e=RESTITUTION, mu=FRICTION):
        self.dt, self.steps = dt, round(END / dt)
        self.deepest, self.first_contact, self.rebound = 0.0, None, None
        a = b = 0.0
        va, vb = 150.0, -75.0
        for k in range(self.steps):
            y = L1 * math.sin(a) + L2 * math.sin(b)
            rate = L1 * math.cos(a) * va + L2 * math.cos(b) * vb
            wall = 0
            for side in (1, -1):  # gap of the upper wall: c - y, of the lower one: c + y
                if CLEARANCE - side * y + gamma * dt * (-side * rate) <= 1e-12 * L1:
                    wall = side
            before = -wall * rate
            wa, wb = va, vb
            for _ in range(60):
                ma, mb = theta * wa + (1 - theta) * va, theta * wb + (1 - theta) * vb
                qa, qb = a + theta * dt * ma, b + theta * dt * mb
                m12 = COUPLING * math.cos(qa - qb)
                fa, fb = forces(qa, qb, ma, mb)
                da, db = solve(m12, dt * fa, dt * fb)
                ua, ub = va + da, vb + db
                pn = pt = 0.0
                if wall:
                    ea, eb = a + dt * ma, b + dt * mb
                    n = (-wall * L1 * math.cos(ea), -wall * L2 * math.cos(eb))
                    t = (-L1 * math.sin(ea), -L2 * math.sin(eb))
                    sn, st = solve(m12, *n), solve(m12, *t)
                    dot = lambda x, z: x[0] * z[0] + x[1] * z[1]
                    pn, pt = coulomb(dot(n, sn), dot(n, st), dot(t, st), dot(n, (ua, ub)) + e * before, dot(t, (ua, ub)), mu)
                    ua += sn[0] * pn + st[0] * pt
                    ub += sn[1] * pn + st[1] * pt
                change = abs(ua - wa) + abs(ub - wb)
                wa, wb = ua, ub
                if change < 1e-12:
                    break
            else:
                raise ArithmeticError("no fixed point at %g s" % (k * dt))
            a += dt * (theta * wa + (1 - theta) * va)
            b += dt * (theta * wb + (1 - theta) * vb)
            va, vb = wa, wb
            gap = CLEARANCE - abs(L1 * math.sin(a) + L2 * math.sin(b))
            self.deepest = min(self.deepest, gap)
            if pn > 0 and self.first_contact is None:
                self.first_contact = (k + 1) * dt
                self.rebound = -wall * (L1 * math.cos(a) * va + L2 * math.cos(b) * vb) / before
        self.turns, self.crank_speed, self.rod_speed = a / (2 * math.pi), va, vb
        self.energy = (0.5 * (INERTIA_1 * va * va + INERTIA_2 * vb * vb) + COUPLING * math.cos(a - b) * va * vb +
                       GRAVITY * ((M1 / 2 + M2 + M3) * L1 * math.sin(a) + (M2 / 2 + M3) * L2 * math.sin(b)))


if __name__ == "__main__":
    for dt in [float(x) for x in sys.argv[1:]] or [1e-4, 1e-5]:
        run = Run(dt)
        print("dt %g: turns %.6f, crank %.4f rad/s, energy %.5f J, violation %.4e m, first impulse %.6e s, rebound %.5f" %
              (dt, run.turns, run.crank_speed, run.energy, -run.deepest, run.first_contact, run.rebound))
