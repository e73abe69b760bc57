"""What Python costs: a call of run(), and a controller called before each step.      ./carom python benchmarks/python_overhead.py"""
import time
from pathlib import Path

import carom


def cpu(work, repeats=5):
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        answer = work()
        best = min(best, time.process_time() - begin)
    return best, answer


def motor(controller=None):
    m = carom.Model("planar")
    wheel = m.add_body(name="wheel", mass=1.0, inertia=0.02)
    m.add_joint(name="hinge", kind="revolute", a=m.ground().at([0, 0]), b=wheel.at([0, 0]))
    m.add_input(name="motor", joint="hinge")
    s = m.scenario(t_end=100.0, step=1e-3)
    if controller:
        s.controller("motor")(controller)
    return s


m = carom.load(Path(__file__).parents[1] / "scenarios/slider_crank.toml")
shares = []
for _ in range(5):
    begin = time.perf_counter()
    r = m.run(every=1e-4)
    whole = time.perf_counter() - begin
    shares.append((whole - r.stats.wall_seconds) / whole)
print(f"a call of run(): {100 * min(shares):.3f} % of a run of {r.stats.steps} steps in {r.stats.wall_seconds:.2f} s")

plain, _ = cpu(lambda: motor().run(every=1.0))
called, _ = cpu(lambda: motor(lambda view: 0.0).run(every=1.0))
reading, _ = cpu(lambda: motor(lambda view: -0.1 * view["wheel.rate"]).run(every=1.0))
steps = 100000
print(f"a controller each step: {1e6 * (called - plain) / steps:.2f} us; one that reads an output {1e6 * (reading - plain) / steps:.2f} us "
      f"(a step takes {1e6 * plain / steps:.2f} us)")
