"""Models and what is done with them."""
import html
import sys

try:
    from . import _carom
except ImportError:
    import _carom

from .result import Result
from .tables import Table, linspace_words


def _text(value):
    """A value as --set takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if hasattr(value, "__iter__"):
        return "[" + ", ".join(_text(x) for x in value) + "]"
    return repr(float(value)) if not isinstance(value, int) else str(value)


def _overrides(values):
    return [(str(key), _text(value)) for key, value in (values or {}).items()]


class _Bar:
    """A line that is overwritten on a terminal; nothing elsewhere."""

    def __init__(self):
        self.shown = sys.stderr.isatty()

    def __call__(self, t, t_end, step):
        if self.shown:
            part = min(1.0, t / t_end) if t_end > 0 else 1.0
            sys.stderr.write(f"\r[{'#' * int(30 * part):.<30}] {100 * part:3.0f} %  t = {t:.6g} s  {step} steps\x1b[K")
            sys.stderr.flush()

    def clear(self):
        if self.shown:
            sys.stderr.write("\r\x1b[K")


class Controller:
    """A function called between steps; what it returns becomes the value of an input."""

    def __init__(self, input, function, every=0.0):
        self.input, self.function, self.every = input, function, float(every)

    def __call__(self, view):
        return self.function(view)


class Scenario:
    """A model and what to do with it."""

    def __init__(self, make):
        """make(overrides): the compiled scenario with more values put in."""
        self._make = make
        self._compiled = make([])
        self._controllers = []

    name = property(lambda self: self._compiled.name)
    title = property(lambda self: self._compiled.title)
    parameters = property(lambda self: self._compiled.parameters, doc="numbers by name")
    inputs = property(lambda self: self._compiled.inputs, doc="names of the inputs of the model")
    settings = property(lambda self: self._compiled.settings)

    def check(self):
        """What can be said before a run; raises InputError for what is wrong."""
        return _Report(self._compiled.check(), self._compiled)

    def controller(self, input, every=0.0):
        """A decorator: the function is called before every step, or every so many seconds, and sets the input.

            @m.controller("motor", every=1e-3)
            def torque(s): return -0.2 * (s["bearing.rate"] - 150.0)
        """

        def keep(function):
            self._controllers.append(Controller(input, function, every))
            return function

        return keep

    def _with(self, t_end=None, step=None, scheme=None, solver=None, set=None):
        given = _overrides(set)
        for key, value in (("simulation.t_end", t_end), ("simulation.step", step), ("simulation.contact.solver", solver)):
            if value is not None:
                given.append((key, _text(value)))
        if isinstance(scheme, str):
            word, *parameters = scheme.split(":")
            given.append(("simulation.scheme", word))
            for parameter in parameters:
                key, _, value = parameter.partition("=")
                given.append((f"simulation.{word}.{key}", value))
        return self._make(given) if given else self._compiled

    def run(self, *, t_end=None, step=None, scheme=None, solver=None, set=None, every=0.0, record=None, out="", progress=False,
            controllers=()):
        """Simulates. every: seconds between samples (0: every step); record: {name: formula} kept besides; out: a result file;
        scheme: a name, or an object of one's own with a method step. Ctrl-C returns the result so far (outcome "interrupted")."""
        compiled = self._with(t_end, step, scheme, solver, set)
        own = scheme if scheme is not None and not isinstance(scheme, str) else None
        bar = _Bar() if progress is True else None
        callback = bar or (progress if callable(progress) else None)
        wanted = [(c.input, c.every, c.function) for c in [*self._controllers, *controllers]]
        kept = compiled.run(every=float(every), record=list((record or {}).items()), out=str(out), progress=callback, controllers=wanted,
                            own_scheme=own)
        if bar:
            bar.clear()
        return Result(kept)

    def stepper(self, **settings):
        """The run step by step: inputs, outputs, save and restore."""
        return Stepper(self._with(**settings))

    def converge(self, steps=None, schemes=None, until=0.0, reference="", **settings):
        """Errors over step lengths and the orders they fall with."""
        report = _carom.converge(self._with(**settings), list(schemes or []), linspace_words(steps), float(until), reference)
        return Convergence(report)

    def _repr_html_(self):
        return self.check()._repr_html_()

    def __repr__(self):
        s = self.settings
        return f"<carom.Scenario {self.name}: {s['scheme']}, step {s['step']:g} s, to {s['t_end']:g} s>"


class _FileScenario(Scenario):
    def __init__(self, file, given):
        self._file, self._given = str(file), given
        super().__init__(lambda more: _carom.load(self._file, [*given, *more]))

    def sweep(self, over, measure=None, design="grid", samples=0, seed=1, workers=0, journal="", retry=False):
        """A table of measures over parameters: over = {name: values or "low:high:count" or "normal(mean, deviation)"}."""
        axes, specs = [], []
        for name, values in over.items():
            if isinstance(values, str):
                specs.append(f"{name}={values}")
            else:
                axes.append((name, [_text(x) for x in values]))
        if specs and axes:  # keep the order of the axes: all as words
            axes, specs = [], [f"{n}={v if isinstance(v, str) else ','.join(_text(x) for x in v)}" for n, v in over.items()]
        columns = _carom.sweep(self._file, self._given, axes, specs, list((measure or {}).items()), design, int(samples), int(seed), int(workers),
                               str(journal), retry)
        return Table(columns, list(over))


def load(file, set=None):
    """Reads a model file; set = {name: value} as --set on the command line."""
    return _FileScenario(file, _overrides(set))


def parse(text, set=None, file="model.toml"):
    """The same from a text."""
    given = _overrides(set)
    return Scenario(lambda more: _carom.parse(text, [*given, *more], file))


class Model(_carom.ModelBuilder):
    """A model built in Python, with the names of the C++ ModelBuilder.

        m = carom.Model("planar")
        m.set_gravity([0, -9.81])
        ball = m.add_body(name="ball", mass=1.0, inertia=4e-3, position=[0, 1])
    """

    def use_law(self, contact, law):
        """A law of one's own (carom.Law) for some contacts: "ball-floor", one of the two ("floor"), or a joint with play ("guide").
        They keep the rows they have: give them friction with carom.Contact if the law has any."""
        self.__dict__.setdefault("_laws", []).append((contact, law))

    def scenario(self, name="model", *, t_end=1.0, step=1e-3, scheme="moreau_jean", solver="automatic", measure=None):
        settings = {"simulation.t_end": t_end, "simulation.step": step, "simulation.scheme": scheme, "simulation.contact.solver": solver}

        def make(more):
            now = {**settings, **dict(more)}
            unknown = [key for key in now if key not in settings]
            if unknown:
                raise KeyError(f"a model built in Python has no '{unknown[0]}' to set: build it again")
            return _carom.scenario_of(name, self, float(now["simulation.t_end"]), float(now["simulation.step"]), now["simulation.scheme"],
                                      now["simulation.contact.solver"], list((measure or {}).items()), list(self.__dict__.get("_laws", [])))

        return Scenario(make)

    def run(self, *, name="model", t_end=1.0, step=1e-3, scheme="moreau_jean", solver="automatic", **keep):
        own = None if isinstance(scheme, str) else scheme
        scenario = self.scenario(name, t_end=t_end, step=step, scheme=scheme if own is None else "moreau_jean", solver=solver)
        return scenario.run(scheme=own, **keep)

    def check(self, **settings):
        return self.scenario(**settings).check()


class Stepper(_carom.Stepper):
    """A scenario that its user steps.

        s = m.stepper()
        s["motor"] = 0.1          # an input
        s.advance(0.01)           # to this time
        rate = s["bearing.rate"]  # an output: any formula of one moment
        here = s.save()           # s.restore(here) goes back
    """

    def __iter__(self):
        while self.step():
            yield self


class _Report(dict):
    """What `carom check` tells, as a dictionary that shows itself."""

    def __init__(self, values, compiled):
        super().__init__(values)
        self._title, self._settings = compiled.title, compiled.settings

    def lines(self):
        rank = max(0, self["joint_rank"])
        yield "degrees of freedom", f"{self['velocities'] - rank} without contact ({self['coordinates']} coordinates, {self['velocities']} velocities)"
        yield "joints", f"{self['joints']}, rows {self['joint_rows']}, rank {self['joint_rank']}"
        yield "initial gaps", ", ".join(f"{name} {gap:.4g} m" for name, gap in list(self["gaps"].items())[:8]) or "none near"
        yield "energy at start", f"{self['kinetic'] + self['potential']:.5g} J"
        s = self._settings
        yield "scheme", f"{s['scheme']}, step {s['step']:g} s, to t = {s['t_end']:g} s"
        for warning in self["warnings"]:
            yield "warning", warning

    def __repr__(self):
        return "\n".join([self._title, *(f"  {name:<20} {text}" for name, text in self.lines())])

    def _repr_html_(self):
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(text)}</td></tr>" for name, text in self.lines())
        return f"<b>{html.escape(self._title)}</b><table>{rows}</table>"


class Convergence(dict):
    """Errors and orders, scheme by scheme."""

    @property
    def orders(self):
        return {s["scheme"]: s["orders"] for s in self["schemes"]}

    def plot(self, axes=None):
        """Errors over steps, in matplotlib axes."""
        import matplotlib.pyplot as plt

        axes = axes or plt.subplots()[1]
        for s in self["schemes"]:
            if s["step"]:
                axes.loglog(s["step"], s["position_error"], "o-", label=s["scheme"])
        axes.set_xlabel("step [s]")
        axes.set_ylabel("mean error of q")
        axes.legend()
        return axes

    def __repr__(self):
        lines = [f"reference: {self['reference']}" + ("   chaotic: no orders" if self["chaotic"] else "")]
        for s in self["schemes"]:
            order = s["orders"].get("position_mean")
            lines.append(f"  {s['scheme']:<32} order {order:.2f} (declared {s['declared']:g})  {s['verdict']}" if order is not None
                         else f"  {s['scheme']:<32} {s['verdict']} {s['remark']}")
        return "\n".join(lines)
