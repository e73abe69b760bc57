"""Carom: nonsmooth mechanics, with contact, impact and friction.

    import carom
    m = carom.load("slider_crank.toml", set={"clearance": 5e-4})
    r = m.run(t_end=0.1)
    print(r.t[-1], r["guide.c1.gap"].min())

Everything is in SI units. Names are those of model files and of the C++ library; docs/python.md is the guide.
"""
try:
    from . import _carom  # the module of a wheel
except ImportError:
    import _carom  # built into carom-python

from ._carom_names import *  # noqa: F401,F403
from ._carom_names import __all__ as _names
from .model import Controller, Model, Scenario, Stepper, load, parse
from .result import Contacts, Page, Quantity, Result
from .tables import Table

__version__ = _carom.__version__
__all__ = ["Contacts", "Controller", "Law", "Model", "Page", "Quantity", "Result", "Scenario", "Scheme", "Stepper", "Table", "load", "parse", *_names]


class Scheme:
    """A time-stepping scheme of one's own: derive from it, write step(problem), and give it to run(scheme=...)."""

    def step(self, problem):
        raise NotImplementedError("step(problem) returns q and v at the end of the step")


class Law:
    """A contact law of one's own: derive from it, write project(x), and give it to Model.use_law(contact, law).

    x and what is returned are impulses of the rows of the contact: normal, tangential (two in space). The law is the inclusion
    lambda = project(lambda - r xi) for any r > 0, with xi = gamma_plus + shift(gamma_minus). derivative(x), a matrix, makes it
    faster; shift(gamma_minus) is restitution times the normal velocity unless written. Built-in laws are a thousand times faster."""

    def project(self, x):
        raise NotImplementedError("project(x) returns the nearest impulses that the law allows")
