"""Tables with named columns: pandas' data frames and series as inputs, and as results.

pandas is not required. It is imported only by functions that return its objects.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator, List, Sequence

import numpy as np

from ._error import Error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def _labels(table: Any) -> List[Any]:
    return list(table.columns if hasattr(table, "columns") else table.index)


def is_table(x: Any) -> bool:
    """Whether it is a data frame or a series."""
    return hasattr(x, "iloc") and hasattr(x, "to_numpy")


@contextmanager
def as_file(table: Any) -> Iterator[str]:
    """A data frame as a trajectory file, so that one reader reads both. Errors name the frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frame.csv")
        table.to_csv(path, index=False)
        try:
            yield path
        except Error as error:
            raise Error(str(error).replace(path, "data frame")) from None


def columns_by_name(table: Any, argument: str, names: Sequence[str]) -> NDArray[Any]:
    """The numbers of an argument: columns of a frame, entries of a series.

    Columns are named by argument and coordinate, as in trajectory files (q:shoulder), or by the
    coordinate alone. Their order does not matter, and other columns are left out.
    """
    labels = _labels(table)
    prefixed = [f"{argument}:{name}" for name in names]
    chosen = prefixed if any(label in labels for label in prefixed) else list(names)
    missing = [label for label in chosen if label not in labels]
    if missing:
        has = ", ".join(map(str, labels[:12])) + (", …" if len(labels) > 12 else "")
        raise ValueError(
            f"{argument}: the table has no column {missing[0]!r}; it has {has}. Name columns by "
            f"coordinate ({names[0]!r}) or by argument and coordinate ({prefixed[0]!r})"
        )
    for label in chosen:
        if labels.count(label) > 1:
            raise ValueError(f"{argument}: the table has several columns {label!r}; give one")
    return np.asarray(table[chosen].to_numpy())


def require_pandas() -> Any:
    try:
        import pandas  # type: ignore[import]
    except ImportError:
        raise ImportError("pandas is not installed; use to_numpy(), or install pandas") from None
    return pandas
