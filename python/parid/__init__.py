"""Parid: a compiler for robot dynamics.

>>> import parid
>>> r = parid.load("panda")                     # or "arm.urdf", "arm.toml"
>>> q, v, a = r.neutral, np.zeros(7), np.zeros(7)
>>> tau = r.inverse_dynamics(q, v, a)           # one sample
>>> tau.shape
(7,)
>>> many = r.inverse_dynamics(np.tile(q, (10_000, 1)), v, a)   # rows are samples
>>> many.shape
(10000, 7)

docs/python.md is the guide; every method has an example.
"""

from __future__ import annotations

import os
import warnings
from typing import Dict, List, Mapping, Optional, Tuple

# First, so that a sub-interpreter is refused before NumPy is loaded into it. The module's
# initialisation, which refuses it too, is not run again by a second import.
from . import _parid

_parid._require_main_interpreter()

import numpy as np  # noqa: E402
from numpy.typing import ArrayLike, NDArray  # noqa: E402

from ._controller import ControllerCore
from ._device import Device, DeviceEngine, devices
from ._error import Error
from ._motion import Motion, Sample
from ._parid import __version__, available_cores, instruction_set
from ._program import run
from ._results import (
    Body,
    CentreOfMass,
    CentroidalMomentum,
    Claim,
    Control,
    DesignCandidate,
    Designs,
    DesignVerification,
    DifferenceDerivatives,
    ElasticAccelerations,
    ElasticTorques,
    Energy,
    EnergyGradient,
    Erratum,
    Estimate,
    FaultReport,
    FilterReport,
    Finding,
    Findings,
    FirmwareCost,
    Formulation,
    ForwardGradient,
    ForwardHessian,
    Friction,
    FrictionScore,
    HeaviestPayload,
    Identification,
    IkBranch,
    IkSolution,
    IkSolutions,
    IntegrateDerivatives,
    InverseGradient,
    InverseHessian,
    Joint,
    JointLoad,
    LimitBreak,
    Limits,
    LimitUse,
    LinkExplanation,
    LinkRate,
    OperationalSpace,
    OperationalSpaceOfLinks,
    ParallelEvaluation,
    ParallelNetwork,
    ParameterGradient,
    PayloadMap,
    PayloadRing,
    Pipeline,
    Placement,
    PolicySearch,
    PolicyStability,
    Pose,
    Program,
    RatedPolicy,
    Reaction,
    ReportPage,
    Sampling,
    SamplingRate,
    Schedule,
    Simulation,
    Stability,
    StaleErrors,
    SystolicArray,
    TableError,
    TorqueFit,
    Tracking,
)
from ._robot import (
    InverseKinematics,
    MomentumObserver,
    PolicyLike,
    Robot,
    Table,
    Workspace,
    _policy_of,
    parse,
    schedule_of,
)
from ._typing import Format, PathLike


def load(name: PathLike, *, floating: bool = False, strict: bool = False, rotors: bool = True,
         packages: Optional[Mapping[str, str]] = None,
         arguments: Optional[Mapping[str, str]] = None) -> Robot:
    """Load a robot by a built-in name ("puma560", "chain:12") or from a robot file.

    floating   give the robot a floating base: a floating joint named after the root link
    strict     refuse a robot with any physical error
    rotors     False: leave out the rotor inertias that the file gives
    packages   directories of packages by name, for package:// and model://
    arguments  of a xacro file, by name

    Raises parid.Error with file, line and remedy if the file cannot be interpreted. A quantity that
    is undefined, such as forward dynamics of a robot with a singular mass matrix, raises
    parid.Error when it is computed.

    >>> parid.load("ur5")
    <parid.Robot 'ur5': 6 positions, 6 degrees of freedom>
    """
    return Robot(name, floating=floating, strict=strict, rotors=rotors, packages=packages,
                 arguments=arguments)


def robots() -> Dict[str, str]:
    """List the built-in robots: names and descriptions.

    >>> "puma560" in parid.robots()
    True
    """
    return {name: summary for name, _, summary in _parid.robots()}


def check(name: PathLike, *, floating: bool = False) -> Findings:
    """Check a robot file for physical errors and probable mistakes, with lines and remedies.

    >>> parid.check("puma560")
    []
    """
    return Findings(Finding(**f) for f in _parid.check(os.fspath(name), floating))


def check_text(text: str, format: Format = "urdf", file: str = "text") -> Findings:
    """Check the text of a robot file.

    >>> arm = '<robot name="arm"><link name="base"/></robot>'
    >>> [f.severity for f in parid.check_text(arm)]
    []
    """
    return Findings(Finding(**f) for f in _parid.check_text(text, format, file, False))


def rotation(*, quaternion: ArrayLike = (), rpy: ArrayLike = ()) -> NDArray[np.float64]:
    """A rotation matrix from a quaternion x y z w, or from roll, pitch and yaw about fixed axes.

    >>> parid.rotation(rpy=[0, 0, np.pi / 2]).round(12) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    x, angles = np.asarray(quaternion, dtype=float), np.asarray(rpy, dtype=float)
    if (x.shape, angles.shape) == ((4,), (0,)):
        return _parid.rotation_of_quaternion(tuple(x))
    if (x.shape, angles.shape) == ((0,), (3,)):
        return _parid.rotation_of_rpy(tuple(angles))
    raise ValueError("give quaternion=(x, y, z, w) or rpy=(roll, pitch, yaw)")


def quaternion(rotation: ArrayLike) -> NDArray[np.float64]:
    """The quaternion x y z w of a rotation matrix, with w ≥ 0.

    >>> parid.quaternion(np.eye(3))
    array([0., 0., 0., 1.])
    """
    return _parid.quaternion_of_rotation(np.asarray(rotation, dtype=float))


def motion_names() -> Dict[str, str]:
    """The named motions of Robot.motion, with descriptions."""
    return dict(_parid.motion_names())


def integrators() -> Dict[str, str]:
    """The integrators of Robot.simulate, with descriptions."""
    return dict(_parid.integrators())


def controllers() -> Dict[str, str]:
    """The controllers of Robot.simulate and laws of Robot.control, with descriptions."""
    return dict(_parid.controllers())


def policies() -> Dict[str, str]:
    """The policies of stale data for Robot.control and Robot.stability, with descriptions."""
    return dict(_parid.policies())


def policy_table(policy: PolicyLike) -> str:
    """The ages of a policy as the text of a TOML file, which Robot.control reads.

    >>> print(parid.policy_table({"base": "delayed:2", "name": "late"}).splitlines()[1])
    name = "late"
    """
    return _parid.policy_table(_policy_of(policy))


def formulations() -> Dict[str, bool]:
    """The formulations of inverse dynamics, and whether each is exact."""
    return dict(_parid.formulations())


def schedulers() -> Dict[str, str]:
    """The schedulers of Robot.schedule, with descriptions."""
    return dict(_parid.schedulers())


def design_targets() -> Dict[str, str]:
    """The machines that Robot.design compares, with their titles."""
    return dict(_parid.design_targets())


def design_target_file(target: str) -> str:
    """The file of a target, with the source of every figure.

    >>> "[sources]" in parid.design_target_file("cortex-m7")
    True
    """
    return _parid.design_target_file(target)


def measure_design_target(title: str = "this machine") -> str:
    """The file of a target for this machine, measured for about a second."""
    return _parid.measure_design_target(title)


def design_assumptions() -> Dict[str, str]:
    """What the figures of Robot.design assume, by figure."""
    return dict(_parid.design_assumptions())


def control_graphs() -> Dict[str, str]:
    """Whole control steps for Robot.schedule."""
    return dict(_parid.control_graphs())


def quantities() -> Dict[str, Tuple[str, str, str]]:
    """The quantities that Robot.generate computes: inputs, outputs, meaning.

    >>> parid.quantities()["inverse"][:2]
    ('q, v, a', 'tau')
    """
    return {name: (takes, gives, says) for name, takes, gives, says in _parid.quantities()}


def words() -> Dict[str, Tuple[str, str, str]]:
    """Deprecated: use parid.quantities(). Removed in the next release."""
    warnings.warn("parid.words() is now parid.quantities()", DeprecationWarning, stacklevel=2)
    return quantities()


def languages() -> Dict[str, str]:
    """The output languages of Robot.generate, with descriptions."""
    return dict(_parid.languages())


def papers() -> Dict[str, str]:
    """The papers of parid.reproduce: names and titles.

    >>> list(parid.papers())
    ['hollerbach', 'lathrop', 'lee-chang', 'dhanaraj', 'hamilton']
    """
    return dict(_parid.papers())


def reproduce(paper: Optional[str] = None) -> List[Claim]:
    """Compare the claims of one of parid.papers(), or of all, with our computed values.

    Takes seconds for one paper, a minute or two for all.

    >>> table = [c for c in parid.reproduce("hollerbach") if c.where == "Table II"]
    >>> [(c.printed, c.ours) for c in table if c.verdict == "refuted"]
    [('66271', '67143'), ('7051', '7045')]
    """
    return [Claim(**c) for c in _parid.reproduce(paper)]


def errata(paper: Optional[str] = None) -> List[Erratum]:
    """Errata of the equations of one of parid.papers(), or of all.

    >>> [e.corrected for e in parid.errata("lathrop")]
    ['2 (S + Q)']
    """
    return [Erratum(**e) for e in _parid.errata(paper)]


Trajectory = Motion  #: the name that other libraries use


def __dir__() -> List[str]:
    return sorted(__all__)


__all__ = [
    "Body",
    "CentreOfMass",
    "CentroidalMomentum",
    "Claim",
    "Control",
    "ControllerCore",
    "DesignCandidate",
    "DesignVerification",
    "Designs",
    "Device",
    "DeviceEngine",
    "DifferenceDerivatives",
    "ElasticAccelerations",
    "ElasticTorques",
    "Energy",
    "EnergyGradient",
    "Erratum",
    "Error",
    "Estimate",
    "FaultReport",
    "FilterReport",
    "Finding",
    "Findings",
    "FirmwareCost",
    "Formulation",
    "ForwardGradient",
    "ForwardHessian",
    "Friction",
    "FrictionScore",
    "HeaviestPayload",
    "Identification",
    "IkBranch",
    "IkSolution",
    "IkSolutions",
    "IntegrateDerivatives",
    "InverseGradient",
    "InverseHessian",
    "InverseKinematics",
    "Joint",
    "JointLoad",
    "LimitBreak",
    "Limits",
    "LimitUse",
    "LinkExplanation",
    "LinkRate",
    "MomentumObserver",
    "Motion",
    "OperationalSpace",
    "OperationalSpaceOfLinks",
    "ParallelEvaluation",
    "ParallelNetwork",
    "ParameterGradient",
    "PayloadMap",
    "PayloadRing",
    "Pipeline",
    "Placement",
    "PolicySearch",
    "PolicyStability",
    "Pose",
    "Program",
    "RatedPolicy",
    "Reaction",
    "ReportPage",
    "Robot",
    "Sample",
    "Sampling",
    "SamplingRate",
    "Schedule",
    "Simulation",
    "Stability",
    "StaleErrors",
    "SystolicArray",
    "Table",
    "TableError",
    "TorqueFit",
    "Tracking",
    "Trajectory",
    "Workspace",
    "__version__",
    "available_cores",
    "check",
    "check_text",
    "control_graphs",
    "controllers",
    "design_assumptions",
    "design_target_file",
    "design_targets",
    "devices",
    "errata",
    "formulations",
    "instruction_set",
    "integrators",
    "languages",
    "load",
    "measure_design_target",
    "motion_names",
    "papers",
    "parse",
    "policies",
    "policy_table",
    "quantities",
    "quaternion",
    "reproduce",
    "robots",
    "rotation",
    "run",
    "schedule_of",
    "schedulers",
    "words",
]

for _name in __all__:  # shown under their public module
    _thing = globals()[_name]
    if getattr(_thing, "__module__", "").startswith("parid._"):
        _thing.__module__ = "parid"
