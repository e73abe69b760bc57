"""The pendulum of Bruels, Acary, Cardona 2018, section 5, in its one angle by the classical Runge-Kutta method.

    python3 pendulum.py
"""
import math

MASS, INERTIA, LENGTH, GRAVITY = 1.0, 0.1, 1.0, 10.0  # gravity towards +y


def angle(end=2.0, steps=20000, t0=math.pi / 6, w0=10.0):
    def rate(y):
        return y[1], MASS * GRAVITY * LENGTH * math.cos(y[0]) / (MASS * LENGTH**2 + INERTIA)

    h, y = end / steps, (t0, w0)
    for _ in range(steps):
        k1 = rate(y)
        k2 = rate([y[i] + h / 2 * k1[i] for i in range(2)])
        k3 = rate([y[i] + h / 2 * k2[i] for i in range(2)])
        k4 = rate([y[i] + h * k3[i] for i in range(2)])
        y = tuple(y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(2))
    return y


if __name__ == "__main__":
    print("angle at 2 s %.8f rad, rate %.8f rad/s" % angle())
