"""A time-stepping scheme written in Python: Moreau's midpoint rule, against the built-in one.      ./carom python examples/own_scheme.py"""
import carom
import numpy as np


class Midpoint(carom.Scheme):
    def step(self, s):
        t, q = s.t + s.dt / 2, s.move(s.q, s.dt / 2 * s.v)
        at = s.evaluate(t, q, s.v)
        free = s.v + np.linalg.solve(at["M"], s.dt * at["h"])
        closed = [k for k, gap in enumerate(at["gaps"]) if s.bilateral[k] or gap <= 1e-9]
        v = s.impact(t, q, free, closed)
        return s.move(q, s.dt / 2 * v), v


m = carom.Model("planar")
m.set_gravity([0, -9.81])
ball = m.add_body(name="ball", mass=1.0, inertia=4e-3, position=[0, 1.1], spin=[0, 0, 5])
m.add_surface(body=ball, shape=carom.disc(0.1))
m.add_surface(body=m.ground(), shape=carom.half_plane(), name="floor")
m.set_default_contact(carom.Contact(restitution=0.8, friction=0.3))

own = m.run(t_end=1.0, step=1e-3, scheme=Midpoint())
built_in = m.run(t_end=1.0, step=1e-3, scheme="moreau_midpoint")
print(own)
print(f"largest difference of height {np.abs(own['ball.y'] - built_in['ball.y']).max():.1e} m")
