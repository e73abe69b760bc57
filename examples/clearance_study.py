"""What play in the guide of a slider-crank costs: a table and a plot.      ./carom python examples/clearance_study.py [PLOT.png]"""
import sys
from pathlib import Path

import carom
import numpy as np

m = carom.load(Path(__file__).parents[1] / "scenarios/slider_crank.toml", set={"simulation.t_end": 0.05})
table = m.sweep({"clearance": np.linspace(1e-4, 1e-3, 5), "law.steel.tangential.friction": [0, 0.01, 0.1]},
                measure={"worst": "max(guide.impulse_normal)", "loss": "last(energy.impact_loss)"})
c, mu, worst = table.grid("clearance", "law.steel.tangential.friction", "worst")
for k, clearance in enumerate(c):
    print(f"clearance {1e3 * clearance:.3f} mm   largest blow " + "  ".join(f"mu = {f:g}: {1e3 * x:.2f} mN s" for f, x in zip(mu, worst[k])))
if len(sys.argv) > 1:
    import matplotlib.pyplot as plt
    plt.plot(1e3 * c, 1e3 * worst, "o-", label=[f"mu = {f:g}" for f in mu])
    plt.xlabel("clearance [mm]"), plt.ylabel("largest blow [mN s]"), plt.legend(), plt.savefig(sys.argv[1])
