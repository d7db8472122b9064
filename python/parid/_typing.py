"""Types that signatures share. A test compares the names with those that the library has."""

from __future__ import annotations

from os import PathLike as _PathLike
from typing import Literal, Union

PathLike = Union[str, "_PathLike[str]"]

Axes = Literal["root", "link"]
WithinLimits = Literal["slower", "uniform", "optimal"]
KernelKind = Literal["compiled", "machine", "automatic", "interpreted", "generic"]
Hold = Literal["linear", "zero"]
SimulationLimits = Literal["position", "all", "none"]
Integrator = Literal["dopri5", "rk4", "symplectic"]
Controller = Literal["pd", "pd+gravity", "computed_torque", "pd+feedforward"]
Language = Literal[
    "c", "cpp", "opencl", "cuda", "js", "fortran", "matlab", "dot", "text", "equations", "latex"
]
Format = Literal["automatic", "urdf", "xacro", "mjcf", "sdf", "toml"]
TableKind = Literal["configuration", "state", "cmac"]
ArrayKind = Literal["linear", "log"]
Detail = Literal["blocks", "forward", "backward", "both"]
Target = Literal["cortex-m4"]
PlotQuantity = Literal["tau", "q", "v", "a"]
