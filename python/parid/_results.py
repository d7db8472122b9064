"""Results of methods that return more than one array."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import (
    TYPE_CHECKING, Any, Dict, List, Literal, NamedTuple, Optional, Sequence, Tuple, Union,
)

import numpy as np

from . import _notebook
from ._brief import _Brief
from ._motion import Motion

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._robot import Robot
    from ._typing import (
        ArrayKind, Basis, JointType, Language, LimitKind, PathLike, Quantity, Scheduler,
        Severity, SimulationEnd, Verdict,
    )

    Array = NDArray[np.float64]

# ---- results of arrays: the compiled methods use these names -------------------------------------


class InverseGradient(NamedTuple):
    """Derivatives of torques by positions, velocities and accelerations."""

    dq: Array
    dv: Array
    da: Array


class ForwardGradient(NamedTuple):
    """Derivatives of accelerations by positions, velocities and torques."""

    dq: Array
    dv: Array
    dtau: Array


class Pose(NamedTuple):
    """The pose of a link: x_root = rotation @ x_link + position."""

    rotation: Array
    position: Array


class Energy(NamedTuple):
    """Energy, centre of mass and momentum of all moving links, in the root link's frame."""

    kinetic: Array
    potential: Array
    centre: Array
    centre_velocity: Array
    linear_momentum: Array
    angular_momentum: Array


class ElasticTorques(NamedTuple):
    """Torques, positions and velocities of the motors of elastic joints, by velocity coordinate.

    At a rigid joint the torque is that of the link, and the motion is the joint's own.
    """

    torques: Array
    motor_positions: Array
    motor_velocities: Array


class ElasticAccelerations(NamedTuple):
    """Accelerations of the links and of the motors of elastic joints, by velocity coordinate."""

    links: Array
    motors: Array


class ParameterGradient(NamedTuple):
    """Derivatives by inertial parameters, in the order of regressor_names, and by gravity."""

    parameters: Array
    gravity: Array


class InverseHessian(NamedTuple):
    """Second derivatives of the torques, each (nv, nv, nv).

    qq[i, j, k] is the derivative of dtau_i/dq_j along q_k, qv that of dtau_i/dv_j along q_k, vv
    that of dtau_i/dv_j along v_k, qa that of the mass matrix M_ij along q_k.
    """

    qq: Array
    qv: Array
    vv: Array
    qa: Array


class ForwardHessian(NamedTuple):
    """Second derivatives of the accelerations, as InverseHessian; qtau[i, j, k] is the derivative of
    the inverse mass matrix along q_k."""

    qq: Array
    qv: Array
    vv: Array
    qtau: Array


class IntegrateDerivatives(NamedTuple):
    """Derivatives of integrate(q, v), each (nv, nv), as velocities at its result."""

    by_q: Array
    by_v: Array


class DifferenceDerivatives(NamedTuple):
    """Derivatives of difference(q0, q1) along velocities at q0 and at q1, each (nv, nv)."""

    by_q0: Array
    by_q1: Array


class OperationalSpaceOfLinks(NamedTuple):
    """Several links at once, six rows for each in the order given: x'' = inverse_inertia @ f +
    free_acceleration for forces and moments f."""

    jacobian: Array
    inverse_inertia: Array
    inertia: Array
    free_acceleration: Array
    bias: Array
    rank: int


class EnergyGradient(NamedTuple):
    """Derivatives of the kinetic energy by q and v, and of the potential energy by q."""

    kinetic_q: Array
    kinetic_v: Array
    potential_q: Array


class CentroidalMomentum(NamedTuple):
    """Centroidal momentum matrix and its time derivative."""

    matrix: Array
    rate: Array


class CentreOfMass(NamedTuple):
    """Centre of mass of the moving links and its Jacobian, in the root link's frame."""

    position: Array
    jacobian: Array


class OperationalSpace(NamedTuple):
    """acceleration = inverse_inertia @ force + free_acceleration, at a link's origin."""

    inverse_inertia: Array
    free_acceleration: Array


class Friction(NamedTuple):
    """Torques by part: rigid bodies, bearings, drives, and their sum."""

    rigid: Array
    bearing: Array
    drive: Array
    total: Array


class LinkRate(NamedTuple):
    """Velocity or acceleration of a point of a link, and angular one of the link."""

    linear: Array
    angular: Array


# ---- facts ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Joint:
    """A joint as given by the robot file."""

    name: str
    type: JointType
    parent: str
    child: str
    axis: Array
    lower: float
    upper: float
    velocity: float
    effort: float
    damping: float
    friction: float
    rotor_inertia: float
    gear_ratio: float
    mimic: Optional[Tuple[str, float, float]]  #: joint, multiplier, offset
    rotor: Optional[Dict[str, Any]]  #: full model: inertia, ratio, axis, link, included
    polynomial: Optional[Sequence[float]]  #: of a mimic that is not linear
    four_bar: Optional[Dict[str, float]]  #: the linkage of a mimic that has one


@dataclass(frozen=True)
class Body:
    """A link's inertia as given by the robot file; about its centre of mass, in its frame."""

    name: str
    mass: float
    centre: Array
    inertia: Array  #: (3, 3)


@dataclass(frozen=True)
class Finding:
    """A physical error in a robot file, or a probable mistake (warning)."""

    severity: Severity
    code: str
    message: str
    remedy: str
    file: str
    line: int

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line > 0 else self.file
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{place}: {self.severity}: {self.message}{remedy} [{self.code}]"


class Findings(List[Finding]):
    """A list of findings, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        return _notebook.findings_html(self)


@dataclass(frozen=True)
class Reaction:
    """Force and moment of the parent on the link of a joint, at its origin, in its frame."""

    joint: str
    link: str
    force: Array
    moment: Array


@dataclass(frozen=True)
class LinkExplanation:
    """Newton-Euler quantities of one link, in the link's frame; accelerations minus gravity."""

    link: str
    joint: str
    parent: str
    mass: float
    centre: Array
    angular_velocity: Array
    angular_acceleration: Array
    acceleration: Array
    centre_acceleration: Array
    force: Array
    moment: Array
    torque: Array


# ---- motions -------------------------------------------------------------------------------------


class LimitBreak(NamedTuple):
    """A limit that a motion exceeds."""

    coordinate: str
    kind: LimitKind
    value: float
    limit: float
    sample: int


class LimitUse(NamedTuple):
    """How far a motion uses one limit; ``limit`` is infinite where the robot file gives none."""

    kind: LimitKind
    value: float
    limit: float
    share: float
    t: Optional[float]
    sample: int
    holds: bool


@dataclass(frozen=True, repr=False)
class JointLoad(_Brief):
    """What a motion asks of one joint: torque in N m (N), speed in rad/s (m/s), power in W."""

    name: str
    peak: float  #: torque of largest magnitude, with its sign
    rms: float
    limit: float  #: of torque; infinite: none is given
    share: float  #: |peak| / limit
    t: Optional[float]  #: of the peak
    sample: int
    actuated: bool
    mimics: str
    peak_speed: float
    rms_speed: float
    lowest: float  #: position
    highest: float
    peak_power: float
    regenerative_power: float
    energy: float
    regenerated_energy: float
    gear_ratio: float
    has_motor: bool
    duty: float  #: largest share of time for which the motion may run; NaN without RMS limit
    undersized: float  #: 0.3: the joint or motor must be 30 % stronger; 0: strong enough
    uses: Dict[str, LimitUse]  #: by kind of limit


@dataclass(frozen=True, repr=False)
class Limits(_Brief):
    """Whether a motion keeps to a robot's limits."""

    holds: Optional[bool]  #: None: nothing is exceeded, but a joint has no torque limit
    joints: List[JointLoad]
    margin: float
    duty: float
    duration: float
    peak_power: float
    regenerative_power: float
    energy: float
    regenerated_energy: float
    without_effort_limit: List[str]
    without_velocity_limit: List[str]

    @property
    def broken(self) -> List[Tuple[str, LimitUse]]:
        """Joints and the limits of theirs that do not hold."""
        return [(j.name, u) for j in self.joints for u in j.uses.values() if not u.holds]

    def _repr_html_(self) -> str:
        return _notebook.limits_html(self)


class HeaviestPayload(NamedTuple):
    """The heaviest point mass that keeps the torque limits along a motion."""

    mass: float  #: kg; infinite if no torque limit depends on it
    empty_holds: bool  #: False: limits are exceeded without a payload
    joint: str  #: whose limit is reached first
    kind: Union[LimitKind, Literal[""]]  #: "": no limit depends on the load


class ReportPage(NamedTuple):
    """A page of Robot.report()."""

    file: Optional[str]  #: path that was written; None: the page is in `html`
    html: Optional[str]
    samples: int
    holds: Optional[bool]  #: None: no limit is exceeded, but a torque limit is not given
    model: str  #: the model of its torques: friction, payload, base, gravity
    sections: List[str]
    notes: List[str]  #: what was left out, and the reason


class PayloadRing(NamedTuple):
    """The static payload between two reaches, in m."""

    start: float
    end: float
    poses: int
    everywhere: float  #: kg that holds in every pose found
    somewhere: float  #: kg that holds in the best pose found
    empty_holds: bool
    coordinate: str  #: whose limit bounds ``everywhere``
    pose: Array


class PayloadMap(NamedTuple):
    """The heaviest payload that a robot holds at rest, by reach."""

    link: str
    everywhere: float
    empty_holds: bool
    rings: List[PayloadRing]


class SamplingRate(NamedTuple):
    """Recommended sampling rate, and the natural frequencies it follows from, in Hz."""

    rate: float
    servo: float
    gravity: float
    motion: float


@dataclass(frozen=True, repr=False)
class Simulation(_Brief):
    """A simulated motion: one row per time, energies in J, and the reason of its end."""

    t: Array
    q: Array
    v: Array
    a: Array
    tau: Array
    kinetic: Array
    potential: Array
    work: Array
    losses: Array
    end: SimulationEnd
    ended_at: float
    coordinate: str
    why: str
    energy_drift: float
    relative_energy_drift: float
    steps: int
    rejected: int
    evaluations: int
    events: int
    theta: Array  #: positions of the motors of elastic joints; empty if they are rigid
    theta_v: Array  #: their velocities

    def __bool__(self) -> bool:
        return self.end == "finished"

    def motion(self) -> Motion:
        return Motion(self.t, self.q, self.v, self.a)

    def _repr_html_(self) -> str:
        return _notebook.simulation_html(self)


# ---- inverse kinematics --------------------------------------------------------------------------


@dataclass(frozen=True)
class IkSolution:
    """True if the pose was reached; else q is the closest solution and `why` the reason."""

    converged: bool
    q: Array
    position_error: float
    angle_error: float
    steps: int
    attempts: int
    why: str

    def __bool__(self) -> bool:
        return self.converged


@dataclass(frozen=True, repr=False)
class IkSolutions(_Brief):
    """Solutions of many poses, one row each."""

    converged: NDArray[np.bool_]
    q: Array
    position_error: Array
    angle_error: Array
    why: List[str]  #: one per pose, in the order of rows

    def __bool__(self) -> bool:
        return bool(np.all(self.converged))

    def _reshaped(self, leading: Tuple[int, ...]) -> IkSolutions:
        return IkSolutions(self.converged.reshape(leading), self.q.reshape(leading + (-1,)),
                           self.position_error.reshape(leading),
                           self.angle_error.reshape(leading), self.why)


class IkBranch(NamedTuple):
    """One branch of a closed form."""

    number: int
    q: Array
    within_limits: bool
    position_error: float
    angle_error: float
    singular: bool = False  #: the Jacobian loses rank here


# ---- programs, schedules, hardware, control ------------------------------------------------------


def _write(files: Dict[str, str], directory: PathLike) -> List[Path]:
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


@dataclass(frozen=True)
class FirmwareCost:
    """The cost of one evaluation on a Cortex-M4F, compiled with -O2 and run under QEMU."""

    instructions: int  #: the same for every input
    code: int  #: bytes, with constants
    data: int  #: bytes of static memory
    stack: int  #: bytes
    compiler: str


@dataclass(frozen=True, repr=False)
class Program(_Brief):
    """A robot's specialized program: its files by name, and its cost."""

    what: Quantity
    language: Language
    files: Dict[str, str] = field(repr=False)
    multiplications: int
    additions: int
    sincos: int
    divisions: int
    square_roots: int
    arc_tangents: int
    fma_slots: int
    critical_path: int
    depth: int
    values_alive: int
    base_parameters: int
    takes: Dict[str, int]
    gives: Dict[str, int]
    parameter_names: Tuple[str, ...] = field(repr=False)
    parameter_values: Array = field(repr=False)
    target: Optional[str] = None
    cost: Optional[FirmwareCost] = None  #: of a target; None without a cross-compiler or QEMU

    @property
    def text(self) -> str:
        """The first file, which contains the program."""
        return next(iter(self.files.values()))

    def write(self, directory: PathLike) -> List[Path]:
        """Write all files into a directory, created if missing, and return their paths."""
        return _write(self.files, directory)


class Placement(NamedTuple):
    """A task on a processor; processors count from 0."""

    task: str
    processor: int
    start: int
    end: int


@dataclass(frozen=True)
class Sampling:
    """How often a schedule can be evaluated."""

    period: float  #: s
    rate: float  #: Hz
    natural_frequency: float  #: Hz


@dataclass(frozen=True, repr=False)
class Schedule(_Brief):
    """A validated schedule: start and processor of each task."""

    source: str
    what: str
    decomposition: str
    unit: str
    note: str
    scheduler: Scheduler
    processors: int
    tasks: int
    edges: int
    total: int
    critical_path: int
    program_critical_path: Optional[int]
    weights: Optional[Dict[str, int]]
    operations: Optional[Dict[str, int]]
    prepared: Optional[Dict[str, int]]
    makespan: int
    lower_bound: int
    optimal: bool
    optimal_for_tasks: bool
    placements: List[Placement] = field(repr=False)
    gantt_svg: str = field(repr=False)
    best_order: Optional[bool] = None
    _draw: Any = field(default=None, repr=False, compare=False)
    _programs: Any = field(default=None, repr=False, compare=False)
    _period: Any = field(default=None, repr=False, compare=False)

    def task_graph(self, format: str = "svg", part: str = "all") -> str:
        """The tasks as a picture: "svg", or "dot" for Graphviz.

        part  a joint, such as "3", "forward" or "backward", or both, such as "3.forward"

        >>> parid.load("planar2").schedule(2).task_graph("dot").startswith("digraph")
        True
        """
        if format not in ("svg", "dot"):
            raise ValueError(f"unknown format {format!r}; choose from svg, dot")
        return str(self._draw(format, part))

    def programs(self) -> Dict[str, str]:
        """C files by name: one for each processor, with the messages that they exchange.

        >>> sorted(parid.load("planar2").schedule(2).programs())[:2]
        ['planar2_inverse.h', 'planar2_inverse_p1.c']
        """
        return dict(self._programs())

    def sampling(self, operation_time: float) -> "Sampling":
        """The period in s that this schedule takes, `operation_time` being that of one operation,
        and the natural frequency in Hz of arms that may be sampled so: a twentieth of the rate.

        >>> round(parid.load("stanford").schedule(4).sampling(45e-6).period, 9)
        0.005265
        """
        return Sampling(*self._period(operation_time))

    def _repr_html_(self) -> str:
        facts = [("tasks", self.tasks), ("processors", self.processors),
                 ("makespan", f"{self.makespan} {self.unit}"), ("lower bound", self.lower_bound),
                 ("optimal", self.optimal), ("speedup", self.speedup),
                 ("efficiency", self.efficiency)]
        return _notebook.table(["", ""], facts) + _notebook.picture(self.gantt_svg)

    @property
    def speedup(self) -> float:
        return self.total / self.makespan if self.makespan else 1.0

    @property
    def efficiency(self) -> float:
        return self.speedup / self.processors


@dataclass(frozen=True, repr=False)
class Pipeline(_Brief):
    """Hardware that accepts a sample every `interval` clocks or stages."""

    what: str
    unit: str
    word: int
    modules: int
    stages: int
    buffers: int
    tapped_lines: int
    interval: int
    latency: int
    max_error: float
    files: Dict[str, str] = field(repr=False)
    svg: Optional[str] = field(default=None, repr=False)
    arrangement: Optional[str] = None
    clocks_per_stage: Optional[int] = None
    multipliers: Optional[int] = None
    adders: Optional[int] = None
    sine_units: Optional[int] = None
    utilisation: Optional[float] = None
    error_bound: Optional[float] = None  #: None: nothing is proven, because the program divides
    dividers: Optional[int] = None
    method: Optional[str] = None  #: the program: specialized or a formulation
    mean_word: Optional[float] = None  #: bits, over all signals
    product_bits: Optional[int] = None  #: of all products, a word times a word
    link: Optional[str] = None  #: ik: the link whose pose is the input
    inputs: Optional[List[str]] = None  #: ik
    outputs: Optional[List[str]] = None  #: ik: joints

    def host_times(self, words_in: int, words_out: int) -> Dict[str, float]:
        """Microseconds that a sample takes on each bus to a host: SPI, AXI4-Lite, AXI4-Stream.

        The machine takes interval / clock. Inverse dynamics of n joints has 3 n words in, n out.
        """
        from . import _parid  # which imports this module

        return _parid.host_times(words_in, words_out, self.word)

    def write(self, directory: PathLike) -> List[Path]:
        """Write the Verilog into a directory and return the paths."""
        return _write(self.files, directory)


@dataclass(frozen=True, repr=False)
class Tracking(_Brief):
    """Tracking under a controller core: rms over coordinates and periods, in rad or m."""

    ideal: float  #: error of the law in double, with exact velocities and without latency
    core: float  #: error of the core
    degradation: float  #: distance between the two motions
    from_filter: Optional[float] = None  #: predicted parts of the degradation
    from_latency: Optional[float] = None
    from_rounding: Optional[float] = None


@dataclass(frozen=True, repr=False)
class SystolicArray(_Brief):
    """Lathrop's array of vector processors: a set of torques every `interval` operations."""

    kind: ArrayKind
    folded: bool  #: onto one node, or onto the widest tier
    word: int
    backward_processors: int  #: of the array, from the base to the tip
    forward_processors: int  #: from the tip to the base
    formula_backward: int  #: by Lathrop's Table 6, every node a general one
    formula_forward: int
    nodes: int
    widest_tier: int
    interval: int
    latency: int
    utilisation: float
    internal_buffers: int
    external_buffers: int
    max_error: float  #: of a stream of states, relative to serial Newton-Euler
    files: Dict[str, str] = field(repr=False)
    #: clock at which each variable is available at the earliest
    variables: Dict[str, int] = field(repr=False)

    def write(self, directory: PathLike) -> List[Path]:
        """Write the Verilog of its processor and the drawings into a directory and return the
        paths."""
        return _write(self.files, directory)


@dataclass(frozen=True)
class TableError:
    """Errors of a table relative to exact torques, over random states."""

    samples: int
    max_relative_error: float  #: relative to a state's largest torque
    rms_relative_error: float
    max_error: float  #: N m or N


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, our computed value, and the verdict."""

    paper: str
    where: str
    what: str
    printed: str
    ours: str
    verdict: Verdict
    basis: Basis  #: arithmetic: on printed numbers only
    reason: str
    code: str  #: source of our value
    explained: bool  #: the reason was written for this verdict


@dataclass(frozen=True)
class Erratum:
    """An error in a paper's equations, its correction, and its effect on a torque."""

    paper: str
    where: str
    printed: str
    corrected: str
    effect: str
    code: str


@dataclass(frozen=True, repr=False)
class Control(_Brief):
    """A robot under a sampled controller. True unless it diverged."""

    policy: str
    law: str
    kp: Array
    kd: Array
    period: float
    periods: int
    limited: int
    max_error: float
    max_error_after_switch: float
    rms_error: float
    final_error: float
    max_error_by_coordinate: Array
    diverged_at: Optional[float]
    simulation: Simulation = field(repr=False)

    def __bool__(self) -> bool:
        return self.diverged_at is None


@dataclass(frozen=True, repr=False)
class DesignCandidate(_Brief):
    """One way to compute a control law on a machine, with what it reaches. True unless refused."""

    id: str
    target: str
    method: str
    policy: str
    formulation: str
    word: str
    processors: int
    units: int  #: multipliers of a fixed-point machine; 0: one per operation
    multiplications: int
    additions: int
    sincos: int
    messages: int
    message_words: int
    oldest: int  #: age of the oldest value that is read, in periods
    step_time: float  #: s
    period: float  #: s
    latency: float  #: s
    reachable: float  #: Hz: bandwidth at the largest gains with the margins
    kp: float
    kd: float
    bandwidth: float  #: Hz, at these gains
    gain_margin: float  #: factor
    phase_margin: float  #: degrees
    largest_period: float  #: s, the largest safe one at these gains
    noise: Optional[float]  #: rad or m, of fixed-point words
    tracking_largest: Optional[float]  #: rad or m, along the motion
    tracking_rms: Optional[float]
    multipliers: Optional[int]
    luts: Optional[int]
    price: Optional[float]  #: USD; None: not known
    power: Optional[float]  #: W; None: not known
    refused: Optional[str]
    front: List[str]  #: criteria by which no other candidate is better

    def __bool__(self) -> bool:
        return self.refused is None


@dataclass(frozen=True, repr=False)
class DesignVerification(_Brief):
    """Predicted, and measured in a simulated loop with the delivered programs."""

    predicted_period: float  #: s, the largest safe one
    period: float  #: s; 0, inf and nan: far off, and hidden by rounding
    predicted_largest: Optional[float]  #: rad or m, along the motion
    largest: Optional[float]
    predicted_rms: Optional[float]
    rms: Optional[float]
    lost: bool


@dataclass(frozen=True, repr=False)
class Designs(_Brief):
    """The candidates of Robot.design, best first. True if one fulfils the wish."""

    candidates: List[DesignCandidate] = field(repr=False)
    chosen: Optional[int]
    why: List[str] = field(repr=False)
    poses: Array = field(repr=False)
    _handle: Any = field(repr=False)

    def __bool__(self) -> bool:
        return self.chosen is not None

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def best(self) -> Optional[DesignCandidate]:
        return None if self.chosen is None else self.candidates[self.chosen]

    def columns(self) -> Dict[str, List[Any]]:
        """The table by columns, as pandas.DataFrame and others take it."""
        names = [f.name for f in fields(DesignCandidate)]
        return {name: [getattr(c, name) for c in self.candidates] for name in names}

    def _index(self, candidate: Optional[int]) -> int:
        index = self.chosen if candidate is None else candidate
        if index is None:
            raise ValueError("no candidate fulfils the wish; give the index of one")
        return index

    def files(self, candidate: Optional[int] = None) -> Dict[str, str]:
        """Programs or Verilog of a candidate (default: the chosen one) and its report, by name."""
        return dict(self._handle.files(self._index(candidate)))

    def verify(self, candidate: Optional[int] = None, *, limit_torques: bool = False,
               friction: bool = False) -> DesignVerification:
        """A simulated loop with the programs of a candidate (default: the chosen one)."""
        return DesignVerification(
            **self._handle.verify(self._index(candidate), limit_torques, friction))

    def picture(self, title: str = "designs") -> str:
        """Bandwidth against price, power, processors and multipliers, as the text of an SVG."""
        return str(self._handle.picture(title))


@dataclass(frozen=True, repr=False)
class FaultReport(_Brief):
    """What the momentum observer found of a fault. True if it was detected."""

    fault: Optional[str]
    threshold: Array  #: N m or N, by coordinate
    detected_at: Optional[float]  #: s
    delay: Optional[float]  #: s, since the start of the fault
    coordinate: Optional[str]  #: whose residual exceeded its threshold first
    outermost: Optional[str]  #: the last one whose residual exceeds its threshold
    peak: Array  #: the largest residuals since the start
    false_alarms: int  #: periods before the start with a residual too large
    t: Array = field(repr=False)
    residual: Array = field(repr=False)  #: (periods, nv)
    control: Control = field(repr=False)

    def __bool__(self) -> bool:
        return self.detected_at is not None


@dataclass(frozen=True, repr=False)
class StaleErrors(_Brief):
    """What old data cost along a motion that is followed exactly, by coordinate."""

    quantity: str
    policy: str
    largest: Array
    rms: Array
    scale: Array  #: the largest exact value; of ik, how far a coordinate moves
    tip: Optional[float]  #: of ik: m, the largest distance of the tip from its path


@dataclass(frozen=True, repr=False)
class PolicyStability(_Brief):
    """One policy of stale data: spectral radii, and the largest safe period.

    For random policies (vuskovic), `safe` is proven for every realisation, and `radius` is that of
    the worst realisation found. The mean square and sampled realisations decay up to longer
    periods, which are not safe; they are computed for a single pose.
    """

    policy: str
    radius: Array  #: (poses, periods)
    safe_by_pose: Array
    steps: int  #: sequential blocks of equations in a period
    depth: int  #: sequential operations in a period
    operations: int
    #: random policies: the period from which a realisation is unstable
    unsafe_by_pose: Optional[Array] = None
    mean_square_period: Optional[float] = None
    realisation_periods: Optional[Array] = None  #: of 16 seeds, ascending

    @property
    def safe(self) -> float:
        return float(self.safe_by_pose.min())


@dataclass(frozen=True, repr=False)
class Stability(_Brief):
    """Safe sampling periods by policy."""

    law: str
    kp: Array
    kd: Array
    periods: Array
    poses: Array
    policies: List[PolicyStability]

    def __getitem__(self, policy: str) -> PolicyStability:
        for row in self.policies:
            if row.policy == policy:
                return row
        raise KeyError(policy)


@dataclass(frozen=True)
class RatedPolicy(_Brief):
    """A policy of stale data and its largest safe sampling periods."""

    policy: str  #: a name, or the text of a table of ages, which Robot.control and others take
    steps: int  #: blocks of equations in sequence per period
    period: float  #: s, of the worst pose
    by_pose: Array  #: s


@dataclass(frozen=True)
class PolicySearch(_Brief):
    """The policy that a search found, beside the published ones with as few steps."""

    best: RatedPolicy
    proven: bool  #: no table with the same ages in all links is safe for longer
    tried: int  #: tables of ages
    poses: Array
    published: List[RatedPolicy]  #: the best first


@dataclass(frozen=True)
class Estimate:
    """A parameter: the file's value, the estimate, and the physically consistent estimate."""

    name: str
    kind: str
    unit: str
    meaning: str
    given: float
    value: float
    standard_error: float  #: infinite if not identifiable
    physical: float
    found: bool
    confused_with: Tuple[str, ...]


class TorqueFit(NamedTuple):
    """Goodness of fit of one torque, as root mean squares over the samples used."""

    coordinate: str
    equations: int
    measured: float  #: the torque itself
    residual_given: float  #: of the robot file
    residual_found: float  #: of the least squares
    residual: float  #: of the physically consistent robot
    noise: float  #: standard deviation of residuals, whose inverse is the weight
    autocorrelation: float
    expected: float  #: residual that the noise of torques and positions explains; nan: unknown


class FilterReport(NamedTuple):
    """The filter that was applied to a log."""

    kind: str
    rate: float  #: samples per second
    cutoff: float  #: Hz
    chosen: bool  #: from the spectrum; False: given
    window: int  #: samples of a Savitzky-Golay window, else 0
    edge: int  #: samples at either end that are less accurate
    position_noise: Tuple[float, ...]  #: standard deviation by coordinate


class FrictionScore(NamedTuple):
    """A friction model in cross-validation; the errors are on blocks that were not used to fit."""

    friction: str
    drives: bool
    parameters: int
    residual: float  #: prediction error over torque
    score: float  #: the same, with each torque relative to its noise
    deviation: float  #: standard error of the difference to the best score
    chosen: bool


@dataclass(frozen=True, repr=False)
class Identification(_Brief):
    """Parameters identified from torques; residuals are fractions of the torques' RMS."""

    robot: Robot  #: with the identified parameters
    samples: int
    equations: int
    condition: float
    residual_given: float  #: of the robot file
    residual_found: float  #: of the least squares
    residual: float  #: of `robot`, which is physically consistent
    noise: float  #: residual that noise explains; nan: unknown
    verdict: str  #: good, above noise, poor
    friction: str  #: the model that was identified
    notes: Tuple[str, ...]
    torques: List[TorqueFit] = field(repr=False)
    filters: List[FilterReport] = field(repr=False)
    friction_scores: List[FrictionScore] = field(repr=False)  #: empty unless friction="auto"
    estimates: List[Estimate] = field(repr=False)


@dataclass(frozen=True)
class ParallelNetwork:
    """What one evaluation on p processors moves over a network."""

    network: str  #: cascade, shuffle or inverse-shuffle
    nodes: int  #: processors; with shuffles, padded to a power of two
    links: int  #: wires with a direction that carry something
    moves: int  #: passes and shuffles, in sequence
    words: int  #: over all wires
    word_times: int  #: moves times their width: if a wire carries a word at a time
    busiest_link_words: int
    #: equation, words of a value, passes, shuffles, words moved; for each recurrence
    recurrences: List[Tuple[str, int, int, int, int]]


@dataclass(frozen=True)
class ParallelEvaluation:
    """One evaluation of the inverse dynamics by lee_chang_pfold on p processors.

    Pairs are multiplications and additions.
    """

    processors: int
    processors_used: int
    links_per_processor: int
    operations: List[Tuple[int, int]]  #: of each processor that is used
    steps: List[Tuple[str, Tuple[int, int]]]  #: equations; of the busiest processor
    time: Tuple[int, int]  #: the sum over the steps
    serial: Tuple[int, int]  #: on one processor
    speedup: float
    k1: float  #: of Theorem 1 of Lee and Chang, in operations
    k2: float
    levels: int
    lower_bound: Tuple[int, int]
    over_bound: float  #: time over lower bound
    networks: List[ParallelNetwork]


@dataclass(frozen=True)
class Formulation:
    """Agreement and cost of one formulation."""

    id: str
    exact: bool
    reason: str  #: why it does not support this robot, or is not traced
    max_relative_error: Optional[float]
    as_written: Optional[Tuple[int, int]]  #: multiplications, additions
    simplified: Optional[Tuple[int, int]]
    customised: Optional[Tuple[int, int]]
    depth: Optional[int]
    nanoseconds: Optional[float]
