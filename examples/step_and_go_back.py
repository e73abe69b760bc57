"""Stepping by hand, saving a moment and trying two futures from it.      ./carom python examples/step_and_go_back.py"""
import carom

m = carom.Model("planar")
m.set_gravity([0, -9.81])
arm = m.add_body(name="arm", mass=1.0, inertia=0.02, position=[0.25, 0])
m.add_joint(name="hinge", kind="revolute", a=m.ground().at([0, 0]), b=arm.at([-0.25, 0]))
m.add_limit(joint="hinge", lower=-1.0, restitution=0.5)
m.add_input(name="motor", joint="hinge")

s = m.scenario("arm", t_end=2.0, step=1e-3, scheme="projection_combined").stepper()
s.advance(0.3)
here = s.save()
for torque in (0.0, 3.0):
    s.restore(here)
    s["motor"] = torque
    s.advance(1.0)
    print(f"torque {torque} N m: angle {s['arm.angle']:.4f} rad at t = {s.t:.3f} s")
