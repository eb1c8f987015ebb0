"""Data sets in the package: a CSV file and a page on its origin each, read when asked for.

References
----------
.. [1] R. A. Fisher: The use of multiple measurements in taxonomic problems. Annals of Eugenics
   7(2), 1936, 179-188.
.. [2] T. M. Mitchell: Machine Learning. McGraw-Hill 1997, table 3.2.
.. [3] K. B. Gorman, T. D. Williams, W. R. Fraser: Ecological sexual dimorphism and environmental
   variability within a community of Antarctic penguins. PLoS ONE 9(3), 2014, e90081.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from learnable.core.frames import as_frame as frame_of


@dataclass(frozen=True, eq=False)
class DataSet:
    """A table with a target.

    Attributes
    ----------
    data : array (n, d) or data frame
        The columns to learn from.
    target : array (n,) or series
        The class of each row, by name.
    feature_names : list of str
        Names of the columns.
    target_names : array (K,)
        The classes in alphabetical order.
    frame : data frame or None
        Columns and target together, with ``as_frame=True``.
    DESCR : str
        What it is, where it comes from, its licence.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> iris = load_iris()
    >>> iris.data.shape, iris["target_names"].tolist()
    ((150, 4), ['setosa', 'versicolor', 'virginica'])
    """

    data: Any
    target: Any
    feature_names: list[str]
    target_names: NDArray[Any]
    frame: Any
    DESCR: str

    def __getitem__(self, name: str) -> Any:
        """Return an attribute by name."""
        if name not in self.__dataclass_fields__:
            raise KeyError(name)
        return getattr(self, name)

    def __repr__(self) -> str:
        n, d = self.data.shape
        return f"DataSet({n} rows, {d} columns, classes {', '.join(self.target_names)})"


def load_iris(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return the iris flowers: four lengths, three species, 150 rows.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` alone.
    as_frame : bool, default=False
        Return a data frame (pandas, polars or pyarrow, the first that is installed) and a series.

    Returns
    -------
    DataSet, or tuple of data and target
        The data as floats, the target as names of species.

    References
    ----------
    R. A. Fisher: The use of multiple measurements in taxonomic problems. Annals of Eugenics 7(2),
    1936, 179-188.

    Examples
    --------
    >>> from learnable.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> X[0].tolist(), str(y[0])
    ([5.1, 3.5, 1.4, 0.2], 'setosa')
    """
    return _load("iris", np.float64, return_X_y=return_X_y, as_frame=as_frame)


def load_play_tennis(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return the fourteen days of PlayTennis: outlook, temperature, humidity, wind, and play.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` alone.
    as_frame : bool, default=False
        Return a data frame (pandas, polars or pyarrow, the first that is installed) and a series.

    Returns
    -------
    DataSet, or tuple of data and target
        Everything as text; a row of the table in Mitchell's book is a row here.

    References
    ----------
    T. M. Mitchell: Machine Learning. McGraw-Hill 1997, table 3.2.

    Examples
    --------
    >>> from learnable.datasets import load_play_tennis
    >>> X, y = load_play_tennis(return_X_y=True)
    >>> X[0].tolist(), str(y[0])
    (['Sunny', 'Hot', 'High', 'Weak'], 'No')
    """
    return _load("play_tennis", np.str_, return_X_y=return_X_y, as_frame=as_frame)


def load_penguins(*, return_X_y: bool = False, as_frame: bool = False) -> Any:
    """Return the penguins of Palmer Station: island, four sizes, sex, year, species; 344 rows.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` alone.
    as_frame : bool, default=False
        Return a data frame (pandas, polars or pyarrow, the first that is installed) and a series.

    Returns
    -------
    DataSet, or tuple of data and target
        Numbers, names and missing cells (None) side by side.

    References
    ----------
    K. B. Gorman, T. D. Williams, W. R. Fraser: Ecological sexual dimorphism and environmental
    variability within a community of Antarctic penguins. PLoS ONE 9(3), 2014, e90081.

    Examples
    --------
    >>> from learnable.datasets import load_penguins
    >>> X, y = load_penguins(return_X_y=True)
    >>> X[3].tolist(), str(y[3])
    (['Torgersen', None, None, None, None, None, 2007.0], 'Adelie')
    """
    return _load("penguins", np.object_, return_X_y=return_X_y, as_frame=as_frame)


def path_of(name: str) -> Path:
    """Return where the CSV file of a data set lies.

    Examples
    --------
    >>> from learnable.datasets import path_of
    >>> path_of("penguins").name
    'penguins.csv'
    """
    return Path(str(files("learnable.datasets") / "data" / f"{name}.csv"))


def _load(name: str, kind: Any, *, return_X_y: bool, as_frame: bool) -> Any:
    folder = files("learnable.datasets") / "data"
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        header, *table = csv.reader(lines)
    cells = np.array(table)
    data, target, frame = _cells(cells[:, :-1], kind), cells[:, -1], None
    names = np.unique(target)
    if as_frame:
        data, target, frame = _framed(header, data, target)
    if return_X_y:
        return data, target
    about = (folder / f"{name}.md").read_text(encoding="utf-8")
    return DataSet(data, target, header[:-1], names, frame, about)


def _cells(cells: NDArray[np.str_], kind: Any) -> NDArray[Any]:
    """Return cells as one kind; as objects, numbers are floats and empty cells None."""
    if kind is not np.object_:
        return cells.astype(kind)
    made = np.empty(cells.shape, dtype=object)
    for j, column in enumerate(cells.T.tolist()):
        numeric = all(not cell or _is_number(cell) for cell in column)
        made[:, j] = [(float(cell) if numeric else cell) if cell else None for cell in column]
    return made


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _framed(header: list[str], data: Any, target: Any) -> tuple[Any, Any, Any]:
    import narwhals.stable.v2 as nw

    columns = dict(zip(header, [*data.T, target], strict=True))
    frame = nw.from_native(frame_of({k: v.tolist() for k, v in columns.items()}), eager_only=True)
    return frame[header[:-1]].to_native(), frame[header[-1]].to_native(), frame.to_native()
