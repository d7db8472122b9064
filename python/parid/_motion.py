"""Motions: samples of positions, velocities and accelerations, as sequences and as tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Iterator, List, NamedTuple, Optional, Tuple, Union, overload

import numpy as np

from . import _frames, _notebook
from ._brief import _Brief

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class Sample(NamedTuple):
    """One sample of a motion."""

    t: Optional[float]
    q: Array
    v: Array
    a: Array
    tau: Optional[Array]


@dataclass(frozen=True, repr=False)
class Motion(_Brief):
    """Samples of a motion: rows of positions, velocities and accelerations, and their times.

    A motion is a sequence: ``len(m)``, ``m[3]`` and iteration give samples; ``m[10:20]``,
    ``m[::2]`` and ``m[m.t > 1]`` give motions.

    >>> m = parid.load("planar2").motion(rate=10)
    >>> m[0].q.shape, len(m[::2]) == (len(m) + 1) // 2
    ((2,), True)
    >>> bool(m[m.t >= 1.0].t[0] >= 1.0)
    True
    >>> m.columns
    ('t', 'q:joint1', 'q:joint2', 'v:joint1', 'v:joint2', 'a:joint1', 'a:joint2')
    >>> m.to_numpy().shape == (len(m), 7)
    True
    """

    t: Optional[Array]
    q: Array
    v: Array
    a: Array
    tau: Optional[Array] = None  #: measured, if a log has them
    factor: float = 1.0  #: ratio of its duration to that before re-timing
    binding: List[Tuple[str, str, int, int]] = field(default_factory=list)
    #: active limits: coordinate, kind, first sample, number of samples; a part has none
    position_names: Tuple[str, ...] = field(default=(), metadata={"brief": False})
    #: of the robot that made it
    velocity_names: Tuple[str, ...] = field(default=(), metadata={"brief": False})

    def __len__(self) -> int:
        return len(self.q)

    @overload
    def __getitem__(self, at: int) -> Sample: ...
    @overload
    def __getitem__(self, at: Union[slice, NDArray[Any]]) -> Motion: ...
    def __getitem__(self, at: Any) -> Union[Sample, Motion]:
        if isinstance(at, (int, np.integer)):
            return Sample(None if self.t is None else float(self.t[at]), self.q[at], self.v[at],
                          self.a[at], None if self.tau is None else self.tau[at])
        return replace(self, t=None if self.t is None else self.t[at], q=self.q[at], v=self.v[at],
                       a=self.a[at], tau=None if self.tau is None else self.tau[at], binding=[])

    def __iter__(self) -> Iterator[Sample]:
        return (self[k] for k in range(len(self)))

    @property
    def columns(self) -> Tuple[str, ...]:
        """Names of the columns of to_numpy() and to_pandas(), as in trajectory files."""

        def named(prefix: str, names: Tuple[str, ...], count: int) -> List[str]:
            return [f"{prefix}:{n}" for n in names or tuple(map(str, range(1, count + 1)))]

        all_names = [] if self.t is None else ["t"]
        all_names += named("q", self.position_names, self.q.shape[1])
        for prefix, x in (("v", self.v), ("a", self.a), ("tau", self.tau)):
            if x is not None:
                all_names += named(prefix, self.velocity_names, x.shape[1])
        return tuple(all_names)

    def to_numpy(self) -> Array:
        """All samples in one array, (N, columns): t, q, v, a, tau, as far as they are there."""
        parts = [] if self.t is None else [np.asarray(self.t)[:, None]]
        parts += [x for x in (self.q, self.v, self.a, self.tau) if x is not None]
        return np.hstack(parts)

    def to_pandas(self) -> Any:
        """A pandas data frame with the columns of a trajectory file.

        Robot.motion reads it back, and array methods find their columns in it:
        ``robot.inverse_dynamics(frame, frame, frame)``.
        """
        return _frames.require_pandas().DataFrame(self.to_numpy(), columns=list(self.columns))

    @classmethod
    def measured(cls, t: Array, q: Array, tau: Array) -> Motion:
        """A log of positions and torques, for Robot.identify(filter=…): v and a are NaN."""
        unknown = np.full(np.shape(tau), np.nan)
        return cls(t, q, unknown, unknown, tau)

    def _repr_html_(self) -> str:
        return _notebook.motion_html(self)

    def _tuple(self) -> Tuple[Optional[Array], Array, Array, Array]:
        return self.t, self.q, self.v, self.a
