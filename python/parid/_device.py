"""OpenCL devices, and batches on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple, Sequence, Tuple, Union

from . import _parid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from ._robot import Robot


class Device(NamedTuple):
    """An OpenCL device of this machine (devices)."""

    name: str
    platform: str
    version: str
    kind: str
    double_precision: bool
    compute_units: int
    memory: int


def devices() -> List[Device]:
    """Return the OpenCL devices of this machine; an empty list if there is none.

    Raises Error if OpenCL is not installed; the message says what to install.
    """
    return [Device(**d) for d in _parid.devices()]


class DeviceEngine:
    """Batches of a robot's quantities on an OpenCL device (Robot.device_engine)."""

    __slots__ = ("_engine",)

    def __init__(
        self,
        robot: Robot,
        quantities: Sequence[str],
        device: Union[str, int],
        link: str,
        float32: bool,
        launch_rows: int,
    ) -> None:
        self._engine = _parid.DeviceHandle(
            robot, list(quantities), str(device), link, float32, launch_rows
        )

    def __repr__(self) -> str:
        return f"<parid.DeviceEngine: {self.device.name}>"

    @property
    def device(self) -> Device:
        """The device that computes."""
        return Device(**self._engine.device())

    @property
    def float32(self) -> bool:
        """Whether arrays are of float32; else float64."""
        return self._engine.float32()

    def evaluate(
        self, quantity: str, *arrays: ArrayLike
    ) -> Union[NDArray[np.floating[Any]], Tuple[NDArray[np.floating[Any]], ...]]:
        """Compute one of the engine's quantities for many samples.

        Takes one array (N, n) per input of the quantity, in the order of the quantity's inputs, and
        returns an array (N, m), or a tuple of arrays for quantities with several outputs. A matrix
        is one row of numbers, row by row.
        """
        out = self._engine.evaluate(quantity, *arrays)
        return out[0] if len(out) == 1 else tuple(out)

    def inverse(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike
    ) -> NDArray[np.floating[Any]]:
        """Compute joint torques (N, nv) from positions, velocities and accelerations."""
        return self._engine.evaluate("inverse", q, v, a)[0]
