"""Controllers as hardware."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from numpy.typing import ArrayLike

from . import _parid
from ._results import Tracking, _write
from ._typing import PathLike

if TYPE_CHECKING:
    from ._parid import Array


class ControllerCore:
    """A controller as hardware: figures, Verilog, bit-true model and predicted tracking.

    Made by Robot.controller_core(). docs/robot-computer.md describes the core.
    """

    name: str  #: of the Verilog module
    law: str
    setpoint: str  #: joint, or pose of a link
    setpoint_names: List[str]  #: words of the set point stream
    word: int  #: bits
    interval: int  #: clocks per sample
    latency: int  #: clocks from a set point to its torques
    feedback_latency: int  #: clocks from a measurement to its torques
    registers: int
    units: Dict[str, int]  #: built, by kind
    max_error: float  #: measured, of a torque, as a share of the largest torque of its joint
    error_bound: float  #: proven, likewise
    torque_bound: float  #: proven, N m or N
    position_error: float  #: of the inverse kinematics, m
    orientation_error: float

    def __init__(self, handle: _parid.CoreHandle) -> None:
        self._handle = handle
        for name, value in handle.figures().items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return (f"ControllerCore({self.name!r}, law={self.law!r}, setpoint={self.setpoint!r}, "
                f"interval={self.interval}, latency={self.latency})")

    def step(self, setpoint: ArrayLike, measured: ArrayLike) -> Tuple[Array, List[str]]:
        """One sample of the bit-true model: torques, and the flags of its status word.

        Both arguments are joint positions; a core with pose set points reads the link's pose there.
        The model keeps the filters' past; reset() clears it. The flag `late` depends on clocks and
        is never set.

        >>> core = parid.load("planar2").controller_core()
        >>> tau, status = core.step([0.1, 0.2], [0.1, 0.2])
        >>> tau.shape, status
        ((2,), [])
        """
        return self._handle.step(setpoint, measured)

    def reset(self) -> None:
        """Clear the filters of step(), as a reset of the hardware does."""
        self._handle.reset()

    def predict(self, motion: Any = None) -> Tracking:
        """Predict rms tracking errors of the robot under the core, without simulating either.

        motion  as in Robot.control()

        >>> core = parid.load("planar2").controller_core()
        >>> p = core.predict("pick-and-place")
        >>> p.ideal < p.core
        True
        """
        from ._robot import _motion_of

        return Tracking(**self._handle.predict(_motion_of(motion)))

    def simulate(self, motion: Any = None) -> Tracking:
        """Simulate the robot under the bit-true model with the core's latency.

        >>> core = parid.load("planar2").controller_core()
        >>> p, s = core.predict("pick-and-place"), core.simulate("pick-and-place")
        >>> abs(s.degradation - p.degradation) < 0.1 * p.degradation
        True
        """
        from ._robot import _motion_of

        return Tracking(**self._handle.simulate(_motion_of(motion)))

    def files(self, samples: int = 1000) -> Dict[str, str]:
        """Verilog, test bench with recorded samples, and register map, by file name.

        >>> sorted(parid.load("planar2").controller_core().files(10))[0]
        'planar2_controller.v'
        """
        return self._handle.files(samples)

    def write(self, directory: PathLike, samples: Optional[int] = None) -> List[Path]:
        """Write files() into a directory and return the paths."""
        return _write(self.files(1000 if samples is None else samples), directory)
