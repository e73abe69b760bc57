"""What a run leaves: arrays, contacts, losses."""
import difflib
import html

import numpy as np

try:
    from . import _carom
except ImportError:
    import _carom

_UNITS = {"m": 1.0, "mm": 1e-3, "um": 1e-6, "s": 1.0, "ms": 1e-3, "us": 1e-6, "rad": 1.0, "deg": np.pi / 180, "N": 1.0, "kN": 1e3,
          "mN": 1e-3, "J": 1.0, "mJ": 1e-3, "N*s": 1.0, "mN*s": 1e-3, "m/s": 1.0, "mm/s": 1e-3, "rad/s": 1.0, "deg/s": np.pi / 180,
          "1": 1.0}


class Quantity(np.ndarray):
    """An array in SI units, a view of the run; to() gives it in another."""

    def to(self, unit):
        try:
            return np.asarray(self) / _UNITS[unit]
        except KeyError:
            raise ValueError(f"unknown unit '{unit}'; known: {', '.join(_UNITS)}") from None


class Contacts(np.ndarray):
    """One record for every active contact and step; names come from `names`."""

    names = ()

    def __array_finalize__(self, other):
        self.names = getattr(other, "names", ())

    def of(self, name):
        """Those of one contact, or of all whose name begins so: "guide"."""
        wanted = [k for k, n in enumerate(self.names) if n == name or n.startswith(name + ".") or name in n.split("-")]
        if not wanted:
            raise KeyError(f"no contact '{name}' ever acted; there were: {', '.join(self.names) or 'none'}")
        return self[np.isin(self["contact"], wanted)]

    def to_pandas(self):
        import pandas as pd

        frame = pd.DataFrame({field: np.asarray(self[field]) for field in self.dtype.names})
        frame.insert(2, "name", np.asarray(self.names, dtype=object)[frame["contact"]] if len(frame) else [])
        return frame


class _Energy:
    def __init__(self, result):
        self._result = result

    def __getattr__(self, name):
        return self._result[f"energy.{name}"]

    def lost(self, kind):
        """What impact, friction or joint took in the whole run."""
        return self._result.summary[f"{kind}_loss"]


class _Stats:
    def __init__(self, summary):
        for name in ("steps", "failed_steps", "halvings", "newton_iterations", "solver_iterations", "step_seconds", "wall_seconds"):
            setattr(self, name, summary[name])


class Page:
    """A page of the viewer: one HTML text that needs nothing else. A notebook shows it, also when it is opened again."""

    def __init__(self, text):
        self.html = text

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self):
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:720px;border:0"></iframe>'


class Result:
    """r.t, r["guide.c1.gap"], r.contacts, r.energy, r.summary. Arrays are views of the run, not copies."""

    def __init__(self, kept):
        self._kept = kept
        self.t = kept.times().view(Quantity)
        self.summary = kept.summary()
        self.stats = _Stats(self.summary)
        self.energy = _Energy(self)

    outcome = property(lambda self: self.summary["outcome"])
    sound = property(lambda self: self.summary["sound"])
    measures = property(lambda self: self.summary["measures"])

    def __getitem__(self, name):
        column = self._kept.column(name)
        if column is None:
            near = difflib.get_close_matches(name, self.names, 3, 0.5)
            hint = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(self.names[:20])}"
            raise KeyError(f"nothing called '{name}' was kept; {hint} Formulas are kept by run(record={{...}})")
        return column.view(Quantity)

    @property
    def names(self):
        return self._kept.names()

    @property
    def contacts(self):
        table = self._kept.contacts().view(Contacts)
        table.names = tuple(self._kept.contact_names())
        return table

    def to_pandas(self):
        import pandas as pd

        return pd.DataFrame({name: np.asarray(self[name]) for name in self.names}, index=pd.Index(np.asarray(self.t), name="t"))

    def plot(self, *names, axes=None):
        """Columns over time, one panel each, in matplotlib axes."""
        import matplotlib.pyplot as plt

        names = names or self.names[:4]
        if axes is None:
            _, axes = plt.subplots(len(names), 1, sharex=True, squeeze=False, figsize=(7, 1 + 2 * len(names)))
            axes = axes[:, 0]
        for panel, name in zip(np.atleast_1d(axes), names):
            panel.plot(self.t, self[name])
            panel.set_ylabel(name)
        np.atleast_1d(axes)[-1].set_xlabel("t [s]")
        return axes

    def view(self):
        """The page of `carom report`, shown in a notebook cell, if the run was kept in a file (run(out=...))."""
        if not self.summary["file"]:
            raise ValueError("the viewer shows result files: run(out='run.h5')")
        return Page(_carom.report_page([self.summary["file"]]))

    def __repr__(self):
        s = self.summary
        return (f"<carom.Result {s['outcome']} at t = {s['t']:g} s: {s['steps']} steps, {len(self.t)} samples, "
                f"energy {s['start_energy']:.5g} -> {s['end_energy']:.5g} J, {'sound' if s['sound'] else 'NOT SOUND'}>")

    def _repr_html_(self):
        s = self.summary
        rows = [("outcome", s["outcome"]), ("t", f"{s['t']:g} s"), ("steps", s["steps"]),
                ("energy", f"{s['start_energy']:.5g} -> {s['end_energy']:.5g} J"), ("judged", "sound" if s["sound"] else "NOT SOUND")]
        rows += [("", finding["text"]) for finding in s["findings"]] + [(name, value) for name, value in s["measures"].items()]
        cells = "".join(f"<tr><th style='text-align:left'>{html.escape(str(a))}</th><td>{html.escape(str(b))}</td></tr>" for a, b in rows)
        return f"<table>{cells}</table>"
