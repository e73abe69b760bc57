"""The numbers that rows of reproductions call independent are what the programs in tests/independent give."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["CAROM_SOURCE"], "tests", "independent"))

import pendulum
import rocking_block
import slider_crank
import slider_crank_newton
import steel_bar

wrong = []


def expect(what, value, expected, digits):
    if abs(value - expected) > 0.51 * 10.0**-digits:
        wrong.append("%s: %.10g, expected %.10g" % (what, value, expected))


run = slider_crank.Run(1e-4)
expect("turns", run.turns, 2.874785, 6)
expect("crank speed", run.crank_speed, 69.7989, 4)
expect("energy", run.energy, 6.95068, 5)
expect("violation / 1e-4", -run.deepest / 1e-4, 1.0510, 4)
expect("turns at 1e-5", slider_crank.Run(1e-5).turns, 2.877775, 6)


def mean(x):
    return sum(x) / len(x)


for method, dt, tolerance, closed, newton, most, projections, sets, turns in (
        ("moreau_jean", 1e-4, 1e-10, 0.0, 2.4350, 4, 0.0, 0.0, 2.874784),
        ("moreau_jean", 1e-5, 1e-10, 0.0, 1.9971, 3, 0.0, 0.0, 2.877771),
        ("direct", 1e-4, 1e-10, 1e-6, 2.4100, 4, 0.0535, 0.0, 2.875925),
        ("combined", 1e-4, 1e-10, 0.0, 2.5800, 6, 0.1590, 1.1535, 2.875160),
        ("combined", 1e-5, 1e-10, 0.0, 2.1248, 4, 0.01915, 1.1276, 2.877812)):
    run = slider_crank_newton.Run(method, dt, tolerance, closed)
    name = "%s, %g: " % (method, dt)
    expect(name + "Newton", mean(run.newton), newton, 4)
    expect(name + "most Newton", max(run.newton), most, 1)
    expect(name + "projections", mean(run.projection), projections, 5)
    expect(name + "sets", mean(run.index), sets, 4)
    expect(name + "turns", run.turns, turns, 6)

run = steel_bar.Run(1000, 5e-5)
expect("bar, mean force", run.mean, 1260.9446, 4)
expect("bar, energy kept", run.kept, 0.87028, 5)
run = steel_bar.Run(100, 2e-6, 0.95)
expect("bar, largest force", run.largest, 2625.88, 2)
expect("bar, closings", run.closings, 6, 1)
expect("bar, energy kept, e 0.95", run.kept, 0.98253, 5)

deepest, _, gap, _ = rocking_block.run(False)
expect("block, smallest gap / 1e-2", deepest / 1e-2, -1.0771, 4)
expect("block, gap at rest / 1e-3", gap / 1e-3, 2.3734, 4)
expect("block, velocity of the chatter", rocking_block.run(True, 1e-10)[1], 0.27909, 5)

expect("pendulum, angle", pendulum.angle()[0], 19.45221, 5)

if wrong:
    sys.exit("\n".join(wrong))
