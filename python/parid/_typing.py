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
Quantity = Literal[
    "inverse", "forward", "mass", "inverse_mass", "bias", "gravity", "coriolis",
    "coriolis_product", "inverse_gradient", "forward_gradient", "inverse_vjp", "forward_vjp",
    "inverse_jvp", "forward_jvp", "inverse_hvp", "inverse_parameter_vjp", "forward_parameter_vjp",
    "inverse_parameter_jvp", "forward_parameter_jvp", "regressor", "energy", "energy_gradient",
    "centroidal", "centre", "operational", "kinematics", "jacobian", "jacobian_local",
    "jacobian_world", "jacobian_rate", "ik", "ik_step", "computed_torque", "rollout",
    "elastic_inverse", "elastic_forward",
]
Scheduler = Literal[
    "dhanaraj", "layer_packing", "hlf", "cp_misf", "dhlf_misf", "joint_levels", "luh_lin", "heft",
    "df_ihs", "a_star", "exact",
]
BatchedQuantity = Literal[
    "inverse", "forward", "mass", "inverse_mass", "bias", "gravity", "coriolis",
    "coriolis_product", "inverse_gradient", "forward_gradient", "inverse_vjp", "forward_vjp",
    "inverse_jvp", "forward_jvp", "inverse_hvp", "inverse_parameter_vjp", "forward_parameter_vjp",
    "inverse_parameter_jvp", "forward_parameter_jvp", "regressor", "energy", "energy_gradient",
    "centroidal", "centre", "operational", "kinematics", "jacobian", "jacobian_local",
    "jacobian_world", "jacobian_rate", "elastic_inverse", "elastic_forward",
]
ControlGraph = Literal["orin", "hierarchy"]
Tasks = Literal["rules", "lean", "printed", "coarse", "graph", "stages"]
StaleQuantity = Literal["torque", "mass", "ik"]
Measure = Literal["motor", "link"]
Filter = Literal["butterworth", "savitzky-golay"]
FilterOrNone = Literal["none", "butterworth", "savitzky-golay"]
Arrangement = Literal["paper", "fewest", "fastest"]
RolloutIntegrator = Literal["euler", "rk4"]

# In results.
Severity = Literal["error", "warning"]
JointType = Literal[
    "revolute", "continuous", "prismatic", "fixed", "planar", "spherical", "floating"
]
LimitKind = Literal[
    "position", "velocity", "effort", "continuous_effort", "motor_torque",
    "motor_continuous_torque", "motor_speed", "motor_power",
]
SimulationEnd = Literal["finished", "diverged", "limit", "stalled"]
Verdict = Literal["reproduced", "refuted", "not derivable"]
Basis = Literal["computed", "arithmetic", "cited"]
