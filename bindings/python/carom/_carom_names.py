"""What the compiled module offers under its own name."""
try:
    from ._carom import (Body, Checkpoint, Contact, InputError, Shape, Site, StepProblem, box, capsule, cylinder, diff, disc, half_plane,
                         half_space, polygon, schemes, solvers, sphere)
except ImportError:
    from _carom import (Body, Checkpoint, Contact, InputError, Shape, Site, StepProblem, box, capsule, cylinder, diff, disc, half_plane,
                        half_space, polygon, schemes, solvers, sphere)

__all__ = ["Body", "Checkpoint", "Contact", "InputError", "Shape", "Site", "StepProblem", "box", "capsule", "cylinder", "diff", "disc",
           "half_plane", "half_space", "polygon", "schemes", "solvers", "sphere"]
