"""Pictures of motions. matplotlib is imported when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from ._motion import Motion
    from ._robot import Robot

_LABELS = {"tau": "torque in N m or N", "q": "position in rad or m",
           "v": "velocity in rad/s or m/s", "a": "acceleration in rad/s² or m/s²"}


def plot_motion(robot: Robot, motion: Motion, what: str, tau: Optional[ArrayLike],
                axes: Any) -> Any:
    """Draw one quantity of a motion over time, a line for each coordinate."""
    if what not in _LABELS:
        raise ValueError(f"unknown quantity {what!r}; choose from {', '.join(_LABELS)}")
    if axes is None:
        try:
            from matplotlib import pyplot  # type: ignore[import]
        except ImportError:
            raise ImportError("matplotlib is not installed; install it, or give axes") from None
        _, axes = pyplot.subplots()
    y = np.asarray(tau if what == "tau" else getattr(motion, what))
    if y.ndim != 2 or len(y) != len(motion):
        raise ValueError(f"tau has shape {y.shape}; the motion has {len(motion)} samples")
    names = robot.position_names if what == "q" else robot.velocity_names
    t = np.arange(len(motion)) if motion.t is None else motion.t
    for name, column in zip(names, y.T):
        axes.plot(t, column, label=name)
    axes.set_xlabel("sample" if motion.t is None else "t in s")
    axes.set_ylabel(_LABELS[what])
    axes.set_title(robot.name)
    axes.legend(fontsize="small")
    return axes
