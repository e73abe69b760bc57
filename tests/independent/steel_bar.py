"""The steel bar of Acary 2012, section 6.2, written a second time: Moreau-Jean by eliminating a tridiagonal matrix.

It shares nothing with Carom. Rows "independent run" of acary-2012-fig-12 to 15 hold its numbers.

    python3 steel_bar.py
"""
import math

LENGTH, SECTION, DENSITY, YOUNG = 1.0, math.pi * 1e-4, 7800.0, 2.1e11
SPEED, GAP, LESS, END = 0.1, 5e-5, 1e-12, 1e-3


class Tridiagonal:
    """Symmetric, constant off-diagonals; the first and last diagonal entries differ from the others."""

    def __init__(self, n, end, middle, off):
        self.off, self.ratio, self.pivot = off, [0.0] * n, [0.0] * n
        for i in range(n):
            d = end if i in (0, n - 1) else middle
            self.pivot[i] = d - (off * self.ratio[i - 1] if i else 0.0)
            self.ratio[i] = off / self.pivot[i]

    def solve(self, x):
        n = len(x)
        y = [0.0] * n
        for i in range(n):
            y[i] = (x[i] - (self.off * y[i - 1] if i else 0.0)) / self.pivot[i]
        for i in range(n - 2, -1, -1):
            y[i] -= self.ratio[i] * y[i + 1]
        return y


class Run:
    def __init__(self, elements, dt, e=0.0, gamma=0.5, theta=0.5, young=YOUNG):
        n, l = elements + 1, LENGTH / elements
        m, k = DENSITY * SECTION * l / 6, young * SECTION / l
        s = (theta * dt) ** 2 * k
        A = Tridiagonal(n, 2 * m + s, 4 * m + 2 * s, m - s)
        unit = [1.0] + [0.0] * elements
        response = A.solve(unit)
        q, v, gap = [0.0] * n, [-SPEED] * n, GAP - LESS
        self.impulse = self.violation = 0.0
        self.forces, self.times, self.rebound, self.closings, touching = [], [], None, 0, False
        self.energy = []
        for step in range(round(END / dt)):
            x = [q[i] + theta * dt * v[i] for i in range(n)]
            load = [0.0] * n
            for i in range(elements):
                f = k * (x[i + 1] - x[i]) * dt
                load[i] += f
                load[i + 1] -= f
            dv = A.solve(load)
            p = 0.0
            before = v[0]
            if gap + q[0] + gamma * dt * v[0] <= 1e-12 * LENGTH:
                p = max(0.0, -(v[0] + dv[0] + e * v[0]) / response[0])
            new = [v[i] + dv[i] + p * response[i] for i in range(n)]
            for i in range(n):
                q[i] += dt * (theta * new[i] + (1 - theta) * v[i])
            v = new
            self.impulse += p
            self.forces.append(p / dt)
            self.times.append((step + 1) * dt)
            self.violation = max(self.violation, -(gap + q[0]))
            if p > 0 and self.rebound is None:
                self.rebound = v[0] / before
            self.closings += p > 0 and not touching
            touching = p > 0
        kinetic = sum(m * (v[i] ** 2 + v[i] * v[i + 1] + v[i + 1] ** 2) for i in range(elements))
        self.kept = (kinetic + 0.5 * k * sum((q[i + 1] - q[i]) ** 2 for i in range(elements))) / (
            0.5 * DENSITY * SECTION * LENGTH * SPEED**2)
        c = math.sqrt(young / DENSITY)
        inside = [f for t, f in zip(self.times, self.forces) if 0.2 <= (t - gap / SPEED) * c / (2 * LENGTH) <= 0.8]
        self.mean = sum(inside) / len(inside)
        self.largest = max(self.forces)
        pushed = [t for t, f in zip(self.times, self.forces) if f > 0]
        self.duration = pushed[-1] - pushed[0] + dt


if __name__ == "__main__":
    for elements, dt, e in ((1000, 2e-6, 0), (1000, 5e-5, 0), (1000, 5e-7, 0), (100, 2e-6, 0), (25, 2e-6, 0), (10, 2e-6, 0), (100, 2e-5, 0),
                            (100, 2e-7, 0), (100, 2e-6, 0.95), (1000, 2e-6, 0.95)):
        run = Run(elements, dt, e)
        print("N %d, dt %g, e %g: mean %.4f N, largest %.2f N, contact %.5e s, violation %.4e m, impulse/(m v) %.5f, "
              "energy kept %.5f, closings %d, rebound %s" %
              (elements, dt, e, run.mean, run.largest, run.duration, run.violation,
               run.impulse / (DENSITY * SECTION * LENGTH * SPEED), run.kept, run.closings, run.rebound))
