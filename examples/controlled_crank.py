"""A motor holds the speed of a slider-crank that knocks in its guide.      ./carom python examples/controlled_crank.py"""
import carom
import numpy as np

l1, l2, speed = 0.153, 0.306, 150.0
m = carom.Model("planar")
m.set_gravity([0, -9.81])
crank = m.add_body(name="crank", mass=0.038, inertia=7.4e-5)
rod = m.add_body(name="rod", mass=0.038, inertia=5.9e-4)
slider = m.add_body(name="slider", mass=0.076, inertia=2.7e-6)
m.add_joint(name="bearing", kind="revolute", a=m.ground().at([0, 0]), b=crank.at([-l1 / 2, 0]), start=(0.0, speed))
m.add_joint(name="crankpin", kind="revolute", a=crank.at([l1 / 2, 0]), b=rod.at([-l2 / 2, 0]), start=(0.0, -speed * (1 + l1 / l2)))
m.add_joint(name="wristpin", kind="revolute", a=rod.at([l2 / 2, 0]), b=slider.at([0, 0]), start=(0.0, speed * l1 / l2))
m.add_guide(name="guide", guide=m.ground().at([0, 0]), block=slider.at([0, 0]), half_length=0.05, half_height=0.025, clearance=1e-3,
            law=carom.Contact(restitution=0.4, friction=0.01))
m.add_input(name="motor", joint="bearing")

s = m.scenario("crank", t_end=0.1, step=1e-5)
free = s.run(every=1e-3)


@s.controller("motor", every=1e-4)
def torque(view):
    return -0.05 * (view["crank.rate"] - speed)


held = s.run(every=1e-3)
for name, run in (("free", free), ("held", held)):
    rate = run["crank.rate"]
    print(f"{name}: crank speed {rate.mean():.1f} +- {rate.std():.1f} rad/s, energy {run.summary['end_energy']:.3f} J, "
          f"{len(run.contacts)} contacts and steps")
assert abs(np.asarray(held["crank.rate"])[len(held.t) // 2:].mean() - speed) < abs(np.asarray(free["crank.rate"])[len(free.t) // 2:].mean() - speed)
