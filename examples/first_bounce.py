"""A ball above a floor, built in Python.      ./carom python examples/first_bounce.py"""
import carom
import numpy as np

m = carom.Model("planar")
m.set_gravity([0, -9.81])
ball = m.add_body(name="ball", mass=1.0, inertia=4e-3, position=[0, 1.1])
m.add_surface(body=ball, shape=carom.disc(0.1))
m.add_surface(body=m.ground(), shape=carom.half_plane(), name="floor")
m.set_default_contact(carom.Contact(restitution=0.8))

r = m.run(t_end=1.5, step=1e-3)
print(r)
fall = np.sqrt(2 * 1.0 / 9.81)
first = r.contacts["t"][0]
print(f"first impact at {first:.3f} s; it falls for {fall:.3f} s")
print(f"largest blow {r.contacts['impulse_n'].max():.4f} N s; (1 + e) m v = {1.8 * 9.81 * fall:.4f} N s")
