"""What the methods of a robot give back where one array is not enough."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._robot import Robot
    from ._typing import PathLike

    Array = NDArray[np.float64]

# ---- of arrays: the names that the compiled methods look for
# ----------------------------------------


class _Brief:
    """Shows itself in a few lines: arrays by their shapes, long lists and texts by their
    lengths."""

    def __repr__(self) -> str:
        def brief(x: object) -> str:
            shape = getattr(x, "shape", None)
            if shape is not None and getattr(x, "size", 0) > 12:
                return f"<array {shape}>"
            if isinstance(x, (str, list, tuple, dict)) and len(repr(x)) > 120:
                return f"<{type(x).__name__} of {len(x)}>"
            return repr(x)

        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        return f"{type(self).__name__}({', '.join(f'{n}={brief(getattr(self, n))}' for n in names)})"


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
    """Where a link stands: x_root = rotation @ x_link + position."""

    rotation: Array
    position: Array


class Energy(NamedTuple):
    """Of all moving links, in the root link's frame."""

    kinetic: Array
    potential: Array
    centre: Array
    centre_velocity: Array
    linear_momentum: Array
    angular_momentum: Array


class Friction(NamedTuple):
    """Torques in parts: rigid bodies, bearings, drives, and the three together."""

    rigid: Array
    bearing: Array
    drive: Array
    total: Array


class LinkRate(NamedTuple):
    """Velocity or acceleration of a point of a link, and of the link's turning."""

    linear: Array
    angular: Array


# ---- facts
# ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Joint:
    """A joint as the robot's file says it."""

    name: str
    type: str
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


@dataclass(frozen=True)
class Body:
    """A link's inertia as the robot's file says it; about its centre, in its frame."""

    name: str
    mass: float
    centre: Array
    inertia: Array  #: (3, 3)


@dataclass(frozen=True)
class Finding:
    """Something in a robot file that cannot be right (error) or is probably not meant (warning)."""

    severity: str
    code: str
    message: str
    remedy: str
    file: str
    line: int

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line > 0 else self.file
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{place}: {self.severity}: {self.message}{remedy} [{self.code}]"


@dataclass(frozen=True)
class Reaction:
    """What the link before exerts on the link that a joint moves, at its origin, in its frame."""

    joint: str
    link: str
    force: Array
    moment: Array


@dataclass(frozen=True)
class LinkExplanation:
    """What Newton-Euler works out for one link, in the link's frame; accelerations are less
    gravity."""

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


# ---- motions
# ------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Motion(_Brief):
    """Samples of a motion: rows of positions, velocities and accelerations, and their instants."""

    t: Optional[Array]
    q: Array
    v: Array
    a: Array
    tau: Optional[Array] = None  #: measured, where a log has them
    factor: float = 1.0  #: how many times as long it takes as before it was re-timed
    binding: List[Tuple[str, str, int, int]] = field(default_factory=list)
    #: what keeps it from going faster: coordinate, kind, first sample, samples

    def __len__(self) -> int:
        return len(self.q)

    def _tuple(self) -> Tuple[Optional[Array], Array, Array, Array]:
        return self.t, self.q, self.v, self.a


class LimitBreak(NamedTuple):
    """Where a motion leaves what the robot can do."""

    coordinate: str
    kind: str
    value: float
    limit: float
    sample: int


class LimitUse(NamedTuple):
    """How far a motion uses one limit; ``limit`` is infinite where the robot file gives none."""

    kind: str
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


class HeaviestPayload(NamedTuple):
    """The heaviest point mass that keeps the torque limits along a motion."""

    mass: float  #: kg; infinite if no torque limit depends on it
    empty_holds: bool  #: False: limits are exceeded without a payload
    joint: str  #: whose limit is reached first
    kind: str


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
    """How often to sample, in Hz, and the natural frequencies that ask for it."""

    rate: float
    servo: float
    gravity: float
    motion: float


@dataclass(frozen=True, repr=False)
class Simulation(_Brief):
    """A robot moved: rows by instant, energies in J, and how it ended."""

    t: Array
    q: Array
    v: Array
    a: Array
    tau: Array
    kinetic: Array
    potential: Array
    work: Array
    losses: Array
    end: str  #: finished, diverged, limit or stalled
    ended_at: float
    coordinate: str
    why: str
    energy_drift: float
    relative_energy_drift: float
    steps: int
    rejected: int
    evaluations: int
    events: int

    def __bool__(self) -> bool:
        return self.end == "finished"

    def motion(self) -> Motion:
        return Motion(self.t, self.q, self.v, self.a)


# ---- inverse kinematics
# -------------------------------------------------------------------------------


@dataclass(frozen=True)
class IkSolution:
    """True where the pose was reached; else q is the nearest that was found, and why says why."""

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
    """Of many poses: rows."""

    converged: NDArray[np.bool_]
    q: Array
    position_error: Array
    angle_error: Array
    why: List[str]

    def __bool__(self) -> bool:
        return bool(np.all(self.converged))


class IkBranch(NamedTuple):
    """One branch of a closed form."""

    number: int
    q: Array
    within_limits: bool
    position_error: float
    angle_error: float


# ---- programs, schedules, hardware, control
# -------------------------------------------------------------


def _write(files: Dict[str, str], directory: PathLike) -> List[Path]:
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


@dataclass(frozen=True, repr=False)
class Program(_Brief):
    """A robot's specialized program: its files by name, and its cost."""

    what: str
    language: str
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

    @property
    def text(self) -> str:
        """The first file, which has the program."""
        return next(iter(self.files.values()))

    def write(self, directory: PathLike) -> List[Path]:
        """Writes all files into a directory, made where it is not there, and gives their paths."""
        return _write(self.files, directory)


class Placement(NamedTuple):
    """A task on a processor, from 0."""

    task: str
    processor: int
    start: int
    end: int


@dataclass(frozen=True, repr=False)
class Schedule(_Brief):
    """Which task runs where and when, checked."""

    source: str
    what: str
    decomposition: str
    unit: str
    note: str
    scheduler: str
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

    @property
    def speedup(self) -> float:
        return self.total / self.makespan if self.makespan else 1.0

    @property
    def efficiency(self) -> float:
        return self.speedup / self.processors


@dataclass(frozen=True, repr=False)
class Pipeline(_Brief):
    """Hardware that takes a sample every `interval` clocks or stages."""

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
    error_bound: Optional[float] = None
    link: Optional[str] = None  #: of ik: whose pose its inputs are
    inputs: Optional[List[str]] = None  #: of ik
    outputs: Optional[List[str]] = None  #: of ik: joints

    def write(self, directory: PathLike) -> List[Path]:
        """Writes the Verilog into a directory and gives the paths."""
        return _write(self.files, directory)


@dataclass(frozen=True, repr=False)
class SystolicArray(_Brief):
    """Lathrop's array of vector processors: a set of torques every `interval` operations."""

    kind: str  #: linear, log
    folded: bool  #: onto one node, or onto the widest tier
    word: int
    backward_processors: int  #: that the array has, from the base to the tip
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
    max_error: float  #: of a stream of states through the array, from the serial sweeps
    files: Dict[str, str] = field(repr=False)

    def write(self, directory: PathLike) -> List[Path]:
        """Writes the Verilog of its processor into a directory and gives the paths."""
        return _write(self.files, directory)


@dataclass(frozen=True)
class TableError:
    """How far a table is from exact torques, over random states."""

    samples: int
    max_relative_error: float  #: of a state's largest torque
    rms_relative_error: float
    max_error: float  #: N m or N


@dataclass(frozen=True)
class Claim:
    """What a paper claims, what our code computes for it, and the verdict."""

    paper: str
    where: str
    what: str
    printed: str
    ours: str
    verdict: str  #: reproduced, refuted, not derivable
    basis: str  #: computed, arithmetic (on printed numbers alone), cited
    reason: str
    code: str  #: that computes ours
    explained: bool  #: the reason was written for this verdict


@dataclass(frozen=True)
class Erratum:
    """What is wrong in a paper's equations, what is right, and its effect on a torque."""

    paper: str
    where: str
    printed: str
    corrected: str
    effect: str
    code: str


@dataclass(frozen=True, repr=False)
class Control(_Brief):
    """A robot under a sampled controller. True unless it was lost."""

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
class PolicyStability(_Brief):
    """One policy of stale data: spectral radii, and the largest period that is safe.

    For random policies (vuskovic), safe is proven for every realisation, and `radius` is that of
    the
    worst realisation found. The mean square and sampled realisations die up to longer periods,
    which are
    not safe; they are looked for at a single pose.
    """

    policy: str
    radius: Array  #: (poses, periods)
    safe_by_pose: Array
    steps: int  #: blocks of equations that wait for one another in a period
    depth: int  #: operations that do
    operations: int
    #: random policies: the period from which a realisation is unstable
    unsafe_by_pose: Optional[Array] = None
    mean_square_period: Optional[float] = None
    realisation_periods: Optional[Array] = None  #: of 16 seeds, growing

    @property
    def safe(self) -> float:
        return float(self.safe_by_pose.min())


@dataclass(frozen=True, repr=False)
class Stability(_Brief):
    """Which sampling periods are safe, policy by policy."""

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
class Estimate:
    """A parameter: what the file says, what the logs say, and what bodies can have."""

    name: str
    kind: str
    unit: str
    meaning: str
    given: float
    value: float
    standard_error: float  #: infinite where the logs do not tell it
    physical: float
    found: bool
    confused_with: Tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Identification(_Brief):
    """What measured torques tell of a robot; residuals are shares of the torques' root mean
    square."""

    robot: Robot  #: with what was found
    samples: int
    equations: int
    condition: float
    residual_given: float  #: of the file's robot
    residual_found: float  #: of the least squares
    residual: float  #: of `robot`, whose bodies can exist
    notes: Tuple[str, ...]
    estimates: List[Estimate] = field(repr=False)


@dataclass(frozen=True)
class Formulation:
    """One way to the same torques: whether it agrees, what it costs."""

    id: str
    exact: bool
    reason: str  #: why it cannot take this robot, or is not traced
    max_relative_error: Optional[float]
    as_written: Optional[Tuple[int, int]]  #: multiplications, additions
    simplified: Optional[Tuple[int, int]]
    customised: Optional[Tuple[int, int]]
    depth: Optional[int]
    nanoseconds: Optional[float]
