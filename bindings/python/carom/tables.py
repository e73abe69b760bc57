"""Tables of sweeps: pandas where it is installed, else a dictionary of arrays."""
import re

import numpy as np

_WORDS = re.compile(r"(linspace|geomspace)\(([^,]+),([^,]+),([^,]+)\)\s*$")
_SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "": 1.0}


def _seconds(text):
    number, unit = re.fullmatch(r"\s*([-+0-9.eE]+)\s*(\w*)\s*", text).groups()
    return float(number) * _SECONDS[unit]


def linspace_words(steps):
    """A list of numbers, or "geomspace(100 us, 1 us, 9)"."""
    if steps is None:
        return []
    if isinstance(steps, str):
        found = _WORDS.match(steps.strip())
        if not found:
            raise ValueError(f"'{steps}' is neither linspace(low, high, count) nor geomspace(low, high, count)")
        return [float(x) for x in getattr(np, found[1])(_seconds(found[2]), _seconds(found[3]), int(found[4]))]
    return [float(x) for x in steps]


class Table(dict):
    """Columns by name; one row a run."""

    def __init__(self, columns, axes):
        super().__init__({name: np.asarray(values) for name, values in columns.items()})
        self.axes = axes

    def __len__(self):
        return len(next(iter(self.values()))) if self.keys() else 0

    def to_pandas(self):
        import pandas as pd

        return pd.DataFrame(dict(self))

    def pivot(self, index, columns, values):
        """As of pandas: one row for each value of `index`, one column for each of `columns`."""
        return self.to_pandas().pivot(index=index, columns=columns, values=values)

    def grid(self, index, columns, values):
        """The same without pandas: two axes and a matrix."""
        x, y = np.unique(self[index]), np.unique(self[columns])
        matrix = np.full((len(x), len(y)), np.nan)
        matrix[np.searchsorted(x, self[index]), np.searchsorted(y, self[columns])] = self[values]
        return x, y, matrix

    def __repr__(self):
        return f"<carom.Table {len(self)} runs: {', '.join(self)}>"

    def _repr_html_(self):
        try:
            return self.to_pandas()._repr_html_()
        except ImportError:
            return None
