"""The rocking block of Acary 2012, section 5.3, written a second time: Moreau-Jean and the direct projection (algorithm 1), the two
corners by cases, plain fixed-point iteration. It shares nothing with Carom.

    python3 rocking_block.py
"""
import math

W, H, M, G, E = 1.0, 1.5, 1.0, 9.81, 0.5
I = M * (W * W + H * H) / 12
DT, STEPS, SETTLED = 1e-2, 200, 1.8


def gaps(q):
    s, c = math.sin(q[2]), math.cos(q[2])
    return [q[1] + side * W / 2 * s - H / 2 * c for side in (1, -1)]


def rows(q):
    s, c = math.sin(q[2]), math.cos(q[2])
    return [(0.0, 1.0, side * W / 2 * c + H / 2 * s) for side in (1, -1)]


def lcp(A, b):
    """0 <= A x + b _|_ x >= 0 for one or two rows, by trying all cases."""
    n = len(b)
    best = None
    for mask in range(2**n):
        on = [i for i in range(n) if mask >> i & 1]
        x = [0.0] * n
        if len(on) == 1:
            x[on[0]] = -b[on[0]] / A[on[0]][on[0]]
        elif len(on) == 2:
            d = A[0][0] * A[1][1] - A[0][1] * A[1][0]
            x = [(-b[0] * A[1][1] + b[1] * A[0][1]) / d, (-b[1] * A[0][0] + b[0] * A[1][0]) / d]
        w = [sum(A[i][j] * x[j] for j in range(n)) + b[i] for i in range(n)]
        worst = min(x + w)
        if best is None or worst > best[0]:
            best = (worst, x)
    return best[1]


def run(project, closed=1e-12):
    inverse = (1 / M, 1 / M, 1 / I)
    dot = lambda a, b: sum(x * y for x, y in zip(a, b))
    q, v = [0.0, 1.0, 0.2], [0.0, 0.0, 0.2]
    deepest = speed = gap = 0.0
    energies = []
    for k in range(STEPS):
        active = [i for i, g in enumerate(gaps(q)) if g <= closed]
        before = [dot(rows(q)[i], v) for i in range(2)]
        free = [v[0], v[1] - DT * G, v[2]]
        new = free
        for _ in range(200):
            q1 = [q[i] + DT * 0.5 * (v[i] + new[i]) for i in range(3)]
            n = rows(q1)
            last = new
            if active:
                A = [[dot(n[i], [inverse[m] * n[j][m] for m in range(3)]) for j in active] for i in active]
                p = lcp(A, [dot(n[i], free) + E * before[i] for i in active])
                new = [free[m] + inverse[m] * sum(n[i][m] * p[a] for a, i in enumerate(active)) for m in range(3)]
            if max(abs(a - b) for a, b in zip(new, last)) < 1e-14:
                break
        q1 = [q[i] + DT * 0.5 * (v[i] + new[i]) for i in range(3)]
        if project:
            bar, delta, tau_of = q1, [0.0] * 3, [0.0, 0.0]
            for _ in range(100):
                g, n = gaps(q1), rows(q1)
                if all(abs(min(g[i], tau_of[i] * dot(n[i], n[i]))) <= 1e-12 for i in range(2)):
                    break
                A = [[dot(n[i], n[j]) for j in range(2)] for i in range(2)]
                tau_of = lcp(A, [g[i] - dot(n[i], delta) for i in range(2)])
                delta = [sum(n[i][m] * tau_of[i] for i in range(2)) for m in range(3)]
                q1 = [bar[m] + delta[m] for m in range(3)]
        q, v = q1, new
        t = (k + 1) * DT
        deepest = min(deepest, *gaps(q))
        energies.append(0.5 * (M * (v[0]**2 + v[1]**2) + I * v[2]**2) + M * G * q[1])
        if t >= SETTLED - 1e-9:
            speed = max(speed, *(abs(x) for x in v))
            gap = max(gap, *(abs(x) for x in gaps(q)))
    return deepest, speed, gap, energies[-1]


if __name__ == "__main__":
    for name, project, closed in (("Moreau-Jean", False, 1e-12), ("direct projection", True, 1e-10)):
        print("%s: smallest gap %.4e m, largest velocity after 1.8 s %.5f, largest |gap| %.4e m, energy at the end %.5f J" % ((name,) + run(project, closed)))
