"""The public classes: Robot, Table, InverseKinematics, Workspace, MomentumObserver."""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _firmware, _frames, _notebook, _parid
from ._controller import ControllerCore
from ._device import DeviceEngine
from ._error import Error
from ._motion import Motion
from ._plot import plot_motion
from ._poses import as_rotation, pose_rows
from ._results import (
    Body,
    Control,
    DesignCandidate,
    Designs,
    Estimate,
    FaultReport,
    FilterReport,
    Finding,
    Findings,
    Formulation,
    ForwardHessian,
    FrictionScore,
    HeaviestPayload,
    Identification,
    IkBranch,
    IkSolution,
    IkSolutions,
    InverseHessian,
    Joint,
    JointLoad,
    LimitBreak,
    Limits,
    LimitUse,
    LinkExplanation,
    LinkRate,
    OperationalSpaceOfLinks,
    ParallelEvaluation,
    ParallelNetwork,
    PayloadMap,
    PayloadRing,
    Pipeline,
    Placement,
    PolicySearch,
    PolicyStability,
    Program,
    RatedPolicy,
    Reaction,
    ReportPage,
    SamplingRate,
    Schedule,
    Simulation,
    Stability,
    StaleErrors,
    SystolicArray,
    TableError,
    TorqueFit,
)
from ._report import report as _report
from ._typing import (
    Arrangement,
    ArrayKind,
    Axes,
    BatchedQuantity,
    ControlGraph,
    Controller,
    Detail,
    Filter,
    FilterOrNone,
    Format,
    Hold,
    Integrator,
    KernelKind,
    Language,
    Measure,
    PathLike,
    PlotQuantity,
    Quantity,
    RolloutIntegrator,
    Scheduler,
    SimulationLimits,
    StaleQuantity,
    TableKind,
    Target,
    Tasks,
    WithinLimits,
)

Array = NDArray[np.float64]
DataFrame = Any  # pandas.DataFrame, which need not be installed
MotionLike = Union[str, "os.PathLike[str]", Motion]
PolicyLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def _toml(table: Mapping[str, Any]) -> str:
    """An inline TOML table of strings, numbers, booleans, lists and tables."""

    def value(x: Any) -> str:
        if isinstance(x, Mapping):
            return "{" + ", ".join(f"{json.dumps(str(k))} = {value(v)}" for k, v in x.items()) + "}"
        if isinstance(x, (list, tuple)):
            return "[" + ", ".join(value(v) for v in x) + "]"
        if isinstance(x, bool):
            return "true" if x else "false"
        if isinstance(x, str):
            return json.dumps(x)
        if isinstance(x, (int, np.integer)):
            return str(int(x))
        return repr(float(x))

    return "".join(f"{json.dumps(str(k))} = {value(v)}\n" for k, v in table.items())


def _policy_of(policy: PolicyLike) -> str:
    """A name, a path, a text; a dictionary as a text."""
    if isinstance(policy, Mapping):
        return _toml(policy) + "\n"
    return os.fspath(policy)


def _numbers(name: str, x: ArrayLike, count: int = 3) -> Tuple[float, ...]:
    numbers = np.asarray(x, dtype=float).ravel()
    if len(numbers) != count:
        raise ValueError(f"{name} has {len(numbers)} numbers; give {count}")
    return tuple(float(y) for y in numbers)


def _rotation(rotation: Optional[ArrayLike]) -> Tuple[float, ...]:
    return _numbers("rotation", np.eye(3) if rotation is None else as_rotation(rotation), 9)


class Robot(_parid.RobotHandle):
    """An immutable robot, which threads may share.

    >>> r = parid.load("puma560")
    >>> r.name, r.nq, r.nv, r.tip
    ('puma560', 6, 6, 'link6')
    >>> r.velocity_names
    ('joint1', 'joint2', 'joint3', 'joint4', 'joint5', 'joint6')

    Facts: ``name``, ``file``, ``source``, ``summary``, ``nq`` positions, ``nv`` velocities,
    accelerations and torques, ``position_names``, ``velocity_names``, ``links``, ``tip``,
    ``joints``, ``bodies``,
    ``lower``, ``upper``, ``velocity_limits``, ``effort_limits`` (infinite if there are none),
    ``neutral`` (positions inside the limits), ``gravity``, ``mass``, ``regressor_names``,
    ``regressor_parameters``.

    Threads: methods may be called from any thread. For single samples each thread has its own
    workspace, kept with the robot; a batch uses an engine that no other thread is using. Batches
    release Python's lock; single samples of fewer than 256 freedoms do not, because releasing it
    would take longer than the computation.
    """

    __slots__ = ()

    def __init__(self, name: Union[str, os.PathLike[str], _parid.RobotHandle], *,
                 floating: bool = False, strict: bool = False, rotors: bool = True,
                 packages: Optional[Mapping[str, str]] = None,
                 arguments: Optional[Mapping[str, str]] = None) -> None:
        if isinstance(name, _parid.RobotHandle):
            super().__init__(name)
        else:
            super().__init__(os.fspath(name), floating, strict, rotors, dict(packages or {}),
                             dict(arguments or {}))

    def __repr__(self) -> str:
        return f"<parid.Robot {self.name!r}: {self.nq} positions, {self.nv} degrees of freedom>"

    def _repr_html_(self) -> str:
        return _notebook.robot_html(self)

    def __reduce__(self) -> Tuple[Any, ...]:
        return parse, (self.to_toml(), "toml", self.file)

    def __copy__(self) -> Robot:
        return self

    def __deepcopy__(self, memo: Dict[int, Any]) -> Robot:
        return self

    # ---- facts and variations ------------------------------------------------------------------

    @property
    def joints(self) -> List[Joint]:
        """All joints of the file, including fixed and mimic joints.

        >>> [j.type for j in parid.load("scara").joints]
        ['revolute', 'revolute', 'prismatic', 'revolute']
        """
        return [Joint(**j) for j in self._joints()]

    @property
    def bodies(self) -> List[Body]:
        """The inertias of the links.

        >>> parid.load("planar2").bodies[1].mass
        1.0
        """
        return [Body(**b) for b in self._bodies()]

    @property
    def mass(self) -> float:
        """Total mass of all links, in kg.

        >>> parid.load("planar2").mass
        2.0
        """
        return float(sum(b.mass for b in self.bodies))

    def with_gravity(self, gravity: ArrayLike) -> Robot:
        """A copy with other gravity, in m/s², in the root link's frame.

        >>> parid.load("planar2").with_gravity([0, 0, 0]).gravity_torques([0.0, 0.0])
        array([0., 0.])
        """
        return Robot(self._with_gravity(_numbers("gravity", gravity)))

    def with_payload(
        self,
        mass: float,
        centre: ArrayLike = (0.0, 0.0, 0.0),
        inertia: Optional[ArrayLike] = None,
        link: Optional[str] = None,
    ) -> Robot:
        """A copy with a body attached to a link (by default the tip), given in the link's frame.

        inertia is (3, 3) about the body's centre, or Ixx Iyy Izz Ixy Ixz Iyz.

        >>> r = parid.load("planar2").with_payload(2.0)
        >>> r.mass
        4.0
        """
        I = np.zeros(6) if inertia is None else np.asarray(inertia, dtype=float)
        if I.shape == (3, 3):
            I = np.array([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
        if I.shape != (6,):
            raise ValueError(f"inertia has shape {I.shape}; give (3, 3), or (6,): Ixx Iyy Izz Ixy Ixz Iyz")
        centre_of_mass, moments = _numbers("centre", centre), _numbers("inertia", I, 6)
        return Robot(self._with_payload(link or self._only_tip(), mass, centre_of_mass, moments))

    def with_locked(self, positions: Mapping[str, float]) -> Robot:
        """A copy with joints fixed at positions (rad or m). Links on both sides become one body.

        >>> parid.load("planar2").with_locked({"joint2": 0.5}).velocity_names
        ('joint1',)
        """
        return Robot(self._with_locked(dict(positions)))

    def with_frame(self, name: str, link: str, position: ArrayLike = (0.0, 0.0, 0.0),
                   rotation: Optional[ArrayLike] = None) -> Robot:
        """A copy with a frame on a link. It can be named wherever a link can. rotation is (3, 3).

        >>> parid.load("planar2").with_frame("tool", "link2", (0.1, 0, 0)).links[-1]
        'tool'
        """
        return Robot(self._with_frame(name, link, _numbers("position", position),
                                      _rotation(rotation)))

    def with_tip(self, link: str) -> Robot:
        """A copy with another tip link.

        >>> parid.load("planar2").with_tip("link1").tip
        'link1'
        """
        return Robot(self._with_tip(link))

    def with_attached(self, other: Robot, link: str, prefix: str = "",
                      position: ArrayLike = (0.0, 0.0, 0.0),
                      rotation: Optional[ArrayLike] = None) -> Robot:
        """A copy with another robot attached to a link; a prefix is added to its names.

        >>> arm = parid.load("planar2")
        >>> arm.with_attached(arm, "link2", "hand_", (1, 0, 0)).nv
        4
        """
        return Robot(self._with_attached(other, link, prefix, _numbers("position", position),
                                         _rotation(rotation)))

    def with_mimic(self, joint: str, leader: str, polynomial: Sequence[float] = (0.0, 1.0),
                   four_bar: Optional[Mapping[str, float]] = None) -> Robot:
        """Make a joint's position a polynomial of another's, lowest power first.

        four_bar gives a linkage that the other joint drives: its lengths ground, input, coupler and
        output, and optionally angle (rad, of the input link when its joint is at zero) and crossed.
        The polynomial is then one of the output angle.

        >>> parid.load("planar2").with_mimic("joint2", "joint1", (0, 1, 0.5)).velocity_names
        ('joint1',)
        """
        linkage = None
        if four_bar is not None:
            lengths = {"ground", "input", "coupler", "output"}
            unknown = set(four_bar) - lengths - {"angle", "crossed"}
            if unknown or not lengths <= set(four_bar):
                raise ValueError("four_bar has ground, input, coupler, output, and may have angle and crossed")
            linkage = {"angle": 0.0, "crossed": False, **four_bar}
        return Robot(self._with_mimic(joint, leader, list(polynomial), linkage))

    def without_branch(self, link: str) -> Robot:
        """A copy without a link, its parent joint and everything beyond it.

        >>> parid.load("planar2").without_branch("link2").nv
        1
        """
        return Robot(self._without_branch(link))

    def with_spinning_rotors(self) -> Robot:
        """Let rotors with a reflected inertia spin on the parent links of their joints.

        >>> parid.load("puma560").with_spinning_rotors().joints[0].rotor["ratio"]
        62.6111
        """
        return Robot(self._with_spinning_rotors())

    def without_rotors(self) -> Robot:
        """A copy without rotor inertias, and without elastic joints, which need them."""
        return Robot(self._without_rotors())

    def with_elasticity(self, springs: Mapping[str, Union[float, Tuple[float, float]]]) -> Robot:
        """A copy with springs between motors and links, by joint: stiffness, or (stiffness, damping).

        Only elastic_torques(), and simulate(), control() and stability() with ``elastic=True``,
        depend on them.

        >>> r = parid.load("puma560").with_elasticity({"joint1": (2e4, 10.0)})
        >>> r.elastic_joints[0]["stiffness"]
        20000.0
        """
        pairs = {
            joint: (float(x[0]), float(x[1])) if isinstance(x, (tuple, list)) else (float(x), 0.0)
            for joint, x in springs.items()
        }
        return Robot(self._with_elasticity(pairs))

    def without_elasticity(self) -> Robot:
        """A copy whose transmissions are rigid."""
        return Robot(self._without_elasticity())

    @property
    def elastic_joints(self) -> List[Dict[str, Any]]:
        """The elastic joints: joint, stiffness, damping, rotor_inertia (as the joint sees it)."""
        return self._elastic_joints()

    def elastic_torques(
        self,
        t: ArrayLike,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        jerk: ArrayLike,
        snap: ArrayLike,
        *,
        friction: bool = False,
    ) -> Tuple[Array, Array]:
        """Torques of motors and rigid joints (N, nv), and positions of motors (N, elastic joints).

        t (N,) rises; jerk and snap (N, nv) are the derivatives of a. With damping, the equation of
        the springs is solved along the samples.

        >>> r = parid.load("puma560").with_elasticity({"joint1": 2e4})
        >>> still = np.zeros((2, 6))
        >>> tau, theta = r.elastic_torques([0.0, 1.0], still, still, still, still, still)
        >>> tau.shape, theta.shape
        ((2, 6), (2, 1))
        """
        return self._elastic_torques(t, q, v, a, jerk, snap, friction)

    def named_pose(self, name: str) -> Array:
        """The positions of a configuration that the robot file names; ``poses`` lists them."""
        return self._named_pose(name)

    def check(self) -> Findings:
        """Errors and warnings about the robot's file.

        >>> parid.load("puma560").check()
        []
        """
        return Findings(Finding(**f) for f in self._findings())

    def compile(
        self, *quantities: BatchedQuantity, kernel: KernelKind = "compiled",
        threads: Optional[int] = None
    ) -> Dict[str, str]:
        """Compile the robot's specialized kernels, or load them from the cache.

        Compiling takes about a second per quantity for an arm, loading from the cache or
        generating machine code some milliseconds. Afterwards arrays of samples and single samples
        use the specialized kernel; poses and Jacobians only for arrays. Without this call, torques
        of batches of 200 000 rows and more use the automatic kind; everything else uses generic
        kernels. Quantities: those of ``parid.quantities()`` that are batched; the default is
        inverse. Returns the kind of kernel
        for each: machine if there is no compiler or the program is too long for it, interpreted
        or generic where there is no machine code; ``kernel_note`` has the reason.

        kernel   compiled: by the system's compiler
                 machine: machine code that the library generates, on x86-64, without a compiler
                 automatic: the fastest that is ready without starting the compiler
                 interpreted, or generic (the initial kind)

        >>> r = parid.load("planar2")
        >>> r.compile("inverse", kernel="interpreted")
        {'inverse': 'interpreted'}
        """
        return self._prepare(kernel, list(quantities or ("inverse",)), threads or 0)

    # ---- details of one sample -----------------------------------------------------------------

    def reactions(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> List[Reaction]:
        """Forces and moments in the joints.

        >>> parid.load("planar2").reactions([0, 0], [0, 0], [0, 0])[0].joint
        'joint1'
        """
        return [Reaction(**x) for x in self._reactions(q, v, a)]

    def explain(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> List[LinkExplanation]:
        """Intermediate Newton-Euler quantities, link by link, for checks by hand.

        >>> [e.link for e in parid.load("planar2").explain([0, 0], [0, 0], [0, 0])]
        ['link1', 'link2']
        """
        return [LinkExplanation(**x) for x in self._explain(q, v, a)]

    def torques_by(self, formulation: str, q: ArrayLike, v: ArrayLike, a: ArrayLike, *,
                   processors: Optional[int] = None) -> Array:
        """Torques by one of parid.formulations(), for comparisons; evaluates row by row.

        processors  of lee_chang_pfold: how many the links are divided among, 4 without

        >>> r = parid.load("planar2")
        >>> bool(np.allclose(r.torques_by("hollerbach4", [0, 0], [1, 1], [0, 0]),
        ...                  r.inverse_dynamics([0, 0], [1, 1], [0, 0])))
        True
        """
        (q, v, a), shaped = self._rows(q=q, v=v, a=a)
        return shaped(_parid.torques_by(self, formulation, q, v, a, processors))

    def parallel_evaluation(self, processors: int, *, matrix_cells: int = 0) -> ParallelEvaluation:
        """One evaluation of the inverse dynamics by lee_chang_pfold on this many processors:
        operations of each, words over three networks, distance from the lower bound.

        matrix_cells  of a matrix-multiplier chip beside each processor; 0 without a chip

        >>> e = parid.load("puma560").parallel_evaluation(6)
        >>> e.time, e.over_bound
        ((216, 197), 1.0)
        >>> [(w.network, w.links, w.words) for w in e.networks][0][0]
        'cascade'
        """
        return ParallelEvaluation(
            **{
                k: [ParallelNetwork(**w) for w in v] if k == "networks" else v
                for k, v in _parid.parallel_evaluation(self, processors, matrix_cells).items()
            }
        )

    def compare(
        self, *formulations: str, samples: int = 100, timed: bool = True
    ) -> List[Formulation]:
        """Compare all formulations: agreement, operation counts, depth, time.

        >>> rows = parid.load("planar2").compare("hollerbach4", "hollerbach3", samples=10,
        ...                                      timed=False)
        >>> [(f.id, f.max_relative_error < 1e-12) for f in rows]
        [('hollerbach4', True), ('hollerbach3', True)]
        """
        only = list(formulations) if formulations else None
        return [Formulation(**x) for x in _parid.compare(self, samples, timed, only)]

    # ---- kinematics ------------------------------------------------------------------------------

    def link_velocity(
        self,
        q: ArrayLike,
        v: ArrayLike,
        link: Optional[str] = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        axes: Axes = "root",
    ) -> LinkRate:
        """Velocity of a point of a link (by default the tip), given in the link's frame.

        axes   root or link: the axes of the returned vectors

        >>> parid.load("scara").link_velocity([0, 0, 0, 0], [1, 0, 0, 0]).angular
        array([0., 0., 1.])
        """
        (q, v), shaped = self._rows(q=q, v=v)
        x = shaped(_parid.velocity(self, q, v, link, _numbers("point", point), axes))
        return LinkRate(x[..., :3], x[..., 3:])

    def link_acceleration(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        link: Optional[str] = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        axes: Axes = "root",
    ) -> LinkRate:
        """Acceleration of a point of a link; arguments as for link_velocity.

        >>> parid.load("planar2").link_acceleration([0, 0], [0, 0], [0, 0]).linear
        array([0., 0., 0.])
        """
        (q, v, a), shaped = self._rows(q=q, v=v, a=a)
        x = shaped(_parid.acceleration(self, q, v, a, link, _numbers("point", point), axes))
        return LinkRate(x[..., :3], x[..., 3:])

    def point_jacobian(
        self,
        q: ArrayLike,
        link: Optional[str] = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        axes: Axes = "root",
    ) -> Array:
        """The Jacobian of any point of a link, along root or link axes; see jacobian().

        >>> parid.load("planar2").point_jacobian([0, 0], point=[1, 0, 0]).shape
        (6, 2)
        """
        (q,), shaped = self._rows(q=q)
        return shaped(_parid.jacobian_of(self, q, link, _numbers("point", point), axes))

    def jacobian_rate(
        self,
        q: ArrayLike,
        v: ArrayLike,
        link: Optional[str] = None,
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        axes: Axes = "root",
    ) -> Array:
        """The time derivative of the Jacobian: J a + J_rate v is the link's acceleration.

        >>> r, q, v = parid.load("planar2"), [0.1, 0.2], np.array([1.0, 2.0])
        >>> acceleration = r.link_acceleration(q, v, [0, 0])
        >>> bool(np.allclose((r.jacobian_rate(q, v) @ v)[:3], acceleration.linear))
        True
        """
        (q, v), shaped = self._rows(q=q, v=v)
        return shaped(_parid.jacobian_rate(self, q, v, link, _numbers("point", point), axes))

    def inverse_hessian(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> InverseHessian:
        """All second derivatives of inverse_dynamics, for one sample: a named tuple of tensors.

        >>> r, q, v, a = parid.load("planar2"), np.array([0.1, 0.2]), np.ones(2), np.zeros(2)
        >>> step = np.array([1e-6, 0.0])
        >>> change = r.inverse_gradient(q + step, v, a).dq - r.inverse_gradient(q - step, v, a).dq
        >>> bool(np.allclose(r.inverse_hessian(q, v, a).qq[:, :, 0], change / 2e-6, atol=1e-6))
        True
        """
        return InverseHessian(*_parid.inverse_hessian(self, q, v, a))

    def forward_hessian(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> ForwardHessian:
        """All second derivatives of forward_dynamics, for one sample: a named tuple of tensors.

        >>> parid.load("planar2").forward_hessian([0.1, 0.2], [1, 1], [0, 0]).qtau.shape
        (2, 2, 2)
        """
        return ForwardHessian(*_parid.forward_hessian(self, q, v, tau))

    def jacobian_hessian(self, q: ArrayLike, link: Optional[str] = None) -> Array:
        """The derivative of a link's Jacobian along each position: H[:, :, k], (6, nv, nv).

        >>> r, q, v = parid.load("planar2"), [0.1, 0.2], np.array([1.0, 2.0])
        >>> bool(np.allclose(r.jacobian_hessian(q) @ v, r.jacobian_rate(q, v)))
        True
        """
        return _parid.jacobian_hessian(self, q, link)

    def operational_space_of(self, q: ArrayLike, v: ArrayLike,
                             links: Sequence[str]) -> OperationalSpaceOfLinks:
        """Operational space of several links at once, for one sample: a named tuple.

        >>> r = parid.load("panda")
        >>> x = r.operational_space_of(np.full(7, 0.2), np.zeros(7), [r.links[4], r.tip])
        >>> x.inertia.shape, x.rank
        ((12, 12), 7)
        """
        return OperationalSpaceOfLinks(**_parid.operational_space_of(self, q, v, list(links)))

    def inverse_kinematics(self, link: Optional[str] = None, **options: Any) -> InverseKinematics:
        """A reusable solver for a link (by default the tip); options as for InverseKinematics.

        >>> parid.load("puma560").inverse_kinematics().solver
        'puma'
        """
        return InverseKinematics(self, link, **options)

    def ik(
        self,
        position: ArrayLike,
        rotation: Optional[ArrayLike] = None,
        seed: Optional[ArrayLike] = None,
        link: Optional[str] = None,
        *,
        quaternion: Optional[ArrayLike] = None,
        **options: Any,
    ) -> Union[IkSolution, IkSolutions]:
        """Joint positions for a pose of a link (by default the tip), for occasional calls.

        The orientation is a rotation matrix or a quaternion x y z w; position may be a pose of
        Robot.kinematics.

        >>> r = parid.load("puma560")
        >>> pose = r.kinematics([0.1, -0.7, 1.2, 0.3, 0.4, 0.5])
        >>> found = r.ik(pose.position, pose.rotation)
        >>> found.converged, bool(np.allclose(r.kinematics(found.q).position, pose.position))
        (True, True)
        >>> bool(np.allclose(r.ik(pose).q, found.q))
        True
        >>> by_quaternion = r.ik(pose.position, quaternion=parid.quaternion(pose.rotation))
        >>> bool(np.allclose(by_quaternion.q, found.q))
        True
        """
        solver = InverseKinematics(self, link, **options)
        return solver.solve(position, rotation, seed, quaternion=quaternion)

    # ---- motions ---------------------------------------------------------------------------------

    def motion(
        self,
        what: Union[MotionLike, DataFrame] = "default",
        *,
        rate: Optional[float] = None,
        within_limits: Optional[WithinLimits] = None,
        derive: bool = False,
        torques: bool = False,
    ) -> Motion:
        """A motion by name (parid.motion_names()), from a file of moves (.toml) or of samples, or
        from a pandas data frame with the columns of such a file.

        rate           samples per second, for names and moves
        within_limits  slower, uniform or optimal: re-time the motion to keep torques and speeds
                       within limits
        derive         compute missing velocities and accelerations of a file
        torques        also read measured torques from the file

        >>> r = parid.load("puma560")
        >>> m = r.motion(rate=50)
        >>> tau = r.inverse_dynamics(m.q, m.v, m.a)
        >>> tau.shape == (len(m), 6)
        True
        """
        if isinstance(what, Motion):
            m = what
        elif _frames.is_table(what):
            with _frames.as_file(what) as path:
                m = self._motion(**_parid.motion(self, path, rate, derive,
                                                 within_limits == "optimal", torques))
        else:
            m = self._motion(
                **_parid.motion(self, os.fspath(what), rate, derive, within_limits == "optimal",
                                torques)
            )
        if within_limits is None:
            return m
        samples, factor, binding = _parid.retimed(self, m._tuple(), within_limits)
        return self._motion(**samples, factor=factor, binding=binding)

    def sine(
        self,
        amplitude: ArrayLike,
        frequency: float = 1.0,
        *,
        about: Optional[ArrayLike] = None,
        duration: float = 2 * np.pi,
        rate: float = 100.0,
    ) -> Motion:
        """A sinusoidal motion about a pose (neutral): amplitudes in rad or m, frequency in rad/s.

        >>> parid.load("planar2").sine(0.5, duration=1, rate=10).q.shape
        (11, 2)
        """
        A = np.broadcast_to(np.asarray(amplitude, dtype=float), (self.nq,))
        q = self.neutral if about is None else np.asarray(about, dtype=float)
        return self._motion(**_parid.sine(self, q, A, frequency, duration, rate))

    def plot(self, motion: MotionLike = "default", what: PlotQuantity = "tau", *,
             tau: Optional[ArrayLike] = None, friction: bool = False, axes: Any = None) -> Any:
        """Draw a motion with matplotlib: torques (computed unless given), q, v or a.

        axes   of matplotlib, to draw into; default: new ones, which are returned

        >>> import matplotlib; matplotlib.use("Agg")
        >>> axes = parid.load("planar2").plot()
        >>> axes.get_ylabel(), len(axes.lines)
        ('torque in N m or N', 2)
        """
        m = self.motion(motion)
        if what == "tau":
            if tau is None and friction:
                tau = self.inverse_dynamics_with_friction(m.q, m.v, m.a)
            elif tau is None:
                tau = self.inverse_dynamics(m.q, m.v, m.a)
        elif tau is not None or friction:
            raise ValueError(f"tau and friction are for torques; what is {what!r}")
        return plot_motion(self, m, what, tau, axes)

    def write_motion(self, motion: Motion, path: PathLike) -> None:
        """Write a motion as .csv, .npy, .npz or .h5, for motion() and `parid torque`."""
        _parid.write_motion(self, motion._tuple(), os.fspath(path))

    def broken_limits(self, motion: Motion, tau: Optional[ArrayLike] = None) -> List[LimitBreak]:
        """Limits of position, velocity and torque that a motion exceeds, each at its worst sample.

        >>> r = parid.load("puma560")
        >>> r.broken_limits(r.motion())
        []
        """
        if tau is None:
            tau = self.inverse_dynamics(motion.q, motion.v, motion.a)
        return [LimitBreak(*x) for x in _parid.broken_limits(self, motion._tuple(), tau)]

    def limits(
        self,
        motion: MotionLike = "default",
        tau: Optional[ArrayLike] = None,
        *,
        payload: Optional[float] = None,
        link: Optional[str] = None,
        margin: float = 0.0,
        duty: float = 1.0,
        friction: bool = True,
    ) -> Limits:
        """Whether joints and motors hold along a motion: peak, RMS, share of every limit.

        tau       torques along the motion; computed if not given
        payload   kg at the origin of `link` (the tip); with_payload() gives it a centre and inertia
        margin    share of torque, speed and power limits that stays free
        duty      share of time for which the motion runs, for RMS limits
        friction  count friction of the robot file

        >>> ur5 = parid.load("ur5")
        >>> ur5.limits(payload=3).holds, ur5.limits(payload=20).holds
        (True, False)
        >>> parid.load("chain:3").limits().holds is None  # its file gives no torque limits
        True
        """
        robot = self
        if payload is not None:
            robot = self.with_payload(payload, link=link if link is not None else self._only_tip())
        elif link is not None:
            raise ValueError("link: it is the place of a payload; give payload too")
        m = self.motion(motion)
        d = _parid.limits(robot, m._tuple(), tau, margin, duty, friction)
        joints = []
        for j in d.pop("joints"):
            uses = {u["kind"]: LimitUse(**u) for u in j.pop("uses")}
            joints.append(JointLoad(**j, uses=uses))
        return Limits(joints=joints, **d)

    def heaviest_payload(
        self,
        motion: MotionLike = "default",
        *,
        link: Optional[str] = None,
        centre: Sequence[float] = (0.0, 0.0, 0.0),
        margin: float = 0.0,
        duty: float = 1.0,
        friction: bool = True,
    ) -> HeaviestPayload:
        """The heaviest point mass, in kg, that keeps the torque limits along a motion.

        >>> found = parid.load("ur5").heaviest_payload()
        >>> found.mass > 3, found.empty_holds
        (True, True)
        """
        m = self.motion(motion)
        x, y, z = (float(c) for c in centre)
        return HeaviestPayload(
            *_parid.heaviest_payload(self, m._tuple(), link or "", (x, y, z), margin, duty,
                                     friction)
        )

    def payload_map(
        self,
        *,
        link: Optional[str] = None,
        centre: Sequence[float] = (0.0, 0.0, 0.0),
        margin: float = 0.0,
        poses: int = 20000,
        rings: int = 20,
        seed: int = 1,
    ) -> PayloadMap:
        """The heaviest payload that the robot holds at rest against gravity, by horizontal reach.

        >>> m = parid.load("ur5").payload_map(poses=2000, rings=5)
        >>> m.link, len(m.rings), m.rings[0].everywhere > m.rings[-1].everywhere > 0
        ('wrist_3_link', 5, True)
        """
        x, y, z = (float(c) for c in centre)
        name, everywhere, empty, found = _parid.payload_map(
            self, link or "", (x, y, z), margin, poses, rings, seed
        )
        return PayloadMap(name, everywhere, empty, [PayloadRing(**r) for r in found])

    def sampling_rate(
        self,
        motion: Optional[Motion] = None,
        *,
        stiffness: Optional[float] = None,
        full_torque_at: float = 0.05,
    ) -> Optional[SamplingRate]:
        """Recommended sampling rate along a motion: 20 times the highest natural frequency.

        >>> parid.load("puma560").sampling_rate().rate > 10
        True
        """
        m = motion or self.motion()
        advice = _parid.sampling_rate(self, m._tuple(), stiffness, full_torque_at)
        return None if advice is None else SamplingRate(*advice)

    def report(
        self,
        path: Optional[PathLike] = None,
        motion: MotionLike = "default",
        *,
        payload: Optional[float] = None,
        link: Optional[str] = None,
        friction: bool = False,
        compare: Union[Robot, MotionLike, None] = None,
        compare_payload: Optional[float] = None,
        formulations: bool = False,
        schedule: Optional[int] = None,
        pipeline: bool = False,
        control: Sequence[str] = (),
        stability: bool = False,
        all: bool = False,
    ) -> ReportPage:
        """An HTML page about the robot and a motion, as `parid report` writes it.

        The program `parid` writes the page; it is found on the PATH or by PARID_PROGRAM.

        path          file to write; None: the page is in the result's `html`
        motion        name, file or Motion
        payload       kg at the origin of `link` (the tip)
        friction      count friction of the robot file
        compare       a second run beside the first: another robot, or another motion of this one
        compare_payload
                      a second run with this payload at `link`, in kg; 0: none
        formulations, schedule (processors), pipeline, control (policies), stability
                      studies to include
        all           all studies, and friction if the robot file has any

        >>> ur5 = parid.load("ur5")
        >>> page = ur5.report(payload=20, compare_payload=0)
        >>> page.holds, "compare" in page.sections, page.html.startswith("<!doctype html>")
        (False, True, True)
        """
        if link is not None and payload is None and not compare_payload:
            raise ValueError("link: it is the place of a payload; give payload too")
        return _report(self, path, motion, (payload, compare_payload, link), friction, compare,
                       formulations or all, schedule, pipeline, list(control), stability, all)

    # ---- simulation and control ------------------------------------------------------------------

    def simulate(
        self,
        q: Optional[ArrayLike] = None,
        v: Optional[ArrayLike] = None,
        *,
        time: Optional[float] = None,
        torque: Union[
            None, str, Tuple[ArrayLike, ArrayLike], Callable[[float, Array, Array], ArrayLike]
        ] = None,
        controller: Optional[Controller] = None,
        motion: Optional[MotionLike] = None,
        kp: Optional[ArrayLike] = None,
        kd: Optional[ArrayLike] = None,
        control_rate: Optional[float] = None,
        hold: Hold = "linear",
        friction: bool = False,
        elastic: bool = False,
        measure: Measure = "motor",
        compensate_friction: bool = False,
        limits: SimulationLimits = "position",
        rate: float = 100.0,
        integrator: Integrator = "dopri5",
        step: float = 1e-3,
        tolerance: float = 1e-10,
    ) -> Simulation:
        """Simulate the robot under torques from the state q, v.

        q, v          default: the start of the motion; without a motion, neutral and at rest
        torque        none; (t, tau) arrays; a file; or a function of (t, q, v), evaluated
                      continuously, or control_rate times per second if that is given
        controller    of parid.controllers(), following `motion`, evaluated control_rate (1000)
                      times per second
        friction      include bearing friction and drive losses; joints stick and slip
        elastic       motors of elastic joints move on their own; theta and theta_v are theirs
        measure       what functions and controllers read at elastic joints: motor or link
        compensate_friction   the controller adds the modelled friction at the desired velocity
        limits        limits that end the simulation: position, all (also velocity), none

        >>> r = parid.load("planar2")
        >>> swing = r.simulate([0.5, 0.0], time=1.0, limits="none")
        >>> bool(swing), swing.relative_energy_drift < 1e-7
        (True, True)
        >>> damped = r.simulate(torque=lambda t, q, v: -2 * v, time=0.1, limits="none")
        >>> len(damped.t)
        11
        """
        if torque is not None and controller is not None:
            raise ValueError("give torque or controller, not both")
        if (motion is not None or kp is not None or kd is not None) and controller is None:
            raise ValueError("motion, kp and kd are for a controller; name one")
        if compensate_friction and controller is None:
            raise ValueError("compensate_friction is for a controller; name one")
        reference: Optional[Motion] = None
        if controller is not None:
            reference = self._reference(motion, control_rate or 1000.0)
            if reference.t is None:
                raise ValueError("the motion has no times; a controller needs them")
            time = float(reference.t[-1]) if time is None else time
            q = reference.q[0] if q is None else q
            v = reference.v[0] if v is None else v
        if isinstance(torque, tuple) and np.size(torque[0]) == 0:
            raise ValueError("torque has no times; give the torques of at least one time")
        if isinstance(torque, tuple) and time is None:
            time = float(np.asarray(torque[0])[-1])
        options = dict(
            torque=torque,
            controller=controller,
            motion=None if reference is None else reference._tuple(),
            kp=None if kp is None else np.atleast_1d(np.asarray(kp, dtype=float)),
            kd=None if kd is None else np.atleast_1d(np.asarray(kd, dtype=float)),
            control_rate=control_rate,
            hold=hold,
            friction=friction,
            elastic=elastic,
            measure=measure,
            compensate_friction=compensate_friction,
            limits=limits,
            time=10.0 if time is None else float(time),
            rate=rate,
            integrator=integrator,
            step=step,
            tolerance=tolerance,
        )
        at = self.neutral if q is None else q
        speed = np.zeros(self.nv) if v is None else v
        return Simulation(**_parid.simulate(self, at, speed, options))

    def control(
        self,
        policy: PolicyLike = "exact",
        *,
        law: Controller = "computed_torque",
        model: Optional[Robot] = None,
        motion: Optional[MotionLike] = None,
        pose: Optional[ArrayLike] = None,
        rate: float = 1000.0,
        time: Optional[float] = None,
        kp: Optional[ArrayLike] = None,
        kd: Optional[ArrayLike] = None,
        switch_at: float = 0.0,
        position_noise: float = 0.0,
        velocity_noise: float = 0.0,
        seed: int = 1,
        limit_torques: bool = False,
        friction: bool = False,
        elastic: bool = False,
        measure: Measure = "motor",
        compensate_friction: bool = False,
        start_offset: Optional[ArrayLike] = None,
        lost: float = 1.0,
        record_rate: float = 200.0,
        integrator: Integrator = "dopri5",
    ) -> Control:
        """Simulate the robot under a sampled controller, optionally with stale data.

        policy  one of parid.policies()
        model   the controller's model of the robot
        pose    hold this pose instead of following a motion
        lost    error, in rad or m, above which the run counts as diverged
        elastic motors of elastic joints move on their own; errors are those of links
        measure what the controller reads at elastic joints: motor or link
        seed    seed of the noise and of random policies

        Policies take arguments as on the command line: "binder_herzog_first:wd,alpha,e",
        "yamakita:ac.across,alpha.across", "delayed:2". A table of ages is a path that ends in
        .toml, the text of such a file, or a dictionary of its keys:
        {"base": "hamilton", "equations": {"alpha": {"w": {"own": 0}}}}.

        >>> r = parid.load("planar3")
        >>> run = r.control("exact", rate=500, kp=100, kd=20, motion=r.sine(0.3, duration=0.5))
        >>> bool(run), run.max_error < 0.01
        (True, True)
        """
        options = self._control_options(
            policy=policy, law=law, motion=motion, pose=pose, rate=rate, time=time, kp=kp, kd=kd,
            switch_at=switch_at, position_noise=position_noise, velocity_noise=velocity_noise,
            seed=seed, limit_torques=limit_torques, friction=friction, elastic=elastic,
            measure=measure, compensate_friction=compensate_friction, start_offset=start_offset,
            lost=lost, record_rate=record_rate, integrator=integrator,
        )
        found = _parid.control(self, model or self, options)
        simulation = Simulation(**found.pop("simulation"))
        return Control(**found, simulation=simulation)

    def design(
        self,
        targets: Sequence[str] = (),
        *,
        bandwidth: Optional[float] = None,
        rate: Optional[float] = None,
        goal: str = "bandwidth",
        model: Optional[Robot] = None,
        motion: Optional[MotionLike] = None,
        policies: Sequence[PolicyLike] = (),
        processors: Sequence[int] = (1, 2, 3, 4, 6),
        words: Sequence[int] = (18, 24, 32),
        formulations: Sequence[str] = (),
        fastest_rate: float = 4000.0,
        gain_margin: float = 2.0,
        phase_margin: float = 45.0,
        acceleration: float = 100.0,
        poses: Optional[ArrayLike] = None,
        random_poses: int = 4,
        seed: int = 1,
        threads: int = 0,
    ) -> Designs:
        """Machines, policies and words for a computed-torque controller of this robot, with the
        bandwidth that each reaches (docs/design.md).

        targets   ids of parid.design_targets(), "4x cortex-m4f", files; all if none are given
        bandwidth Hz, that a candidate must reach
        rate      periods per second of every candidate; else as fast as each can
        goal      what is best: bandwidth, cheapest, least-power or fewest-processors
        model     the controller's model of the robot
        motion    along which the tracking error is predicted
        poses     (count, nq) at which a candidate is judged; else neutral and `random_poses`

        >>> found = parid.load("planar3").design(["cortex-m7", "2x cortex-m4f"], bandwidth=10,
        ...                                      random_poses=0)
        >>> found.best.target, found.best.bandwidth >= 9.9
        ('cortex-m7', True)
        >>> sorted(found.files())[:2]
        ['planar3_control.h', 'planar3_control_p1.c']
        """
        options = dict(
            targets=list(targets), bandwidth=bandwidth, rate=rate, goal=goal,
            motion=None if motion is None else _motion_of(motion),
            policies=[_policy_of(p) for p in policies], processors=list(processors),
            words=list(words), formulations=list(formulations), fastest_rate=fastest_rate,
            gain_margin=gain_margin, phase_margin=phase_margin, acceleration=acceleration,
            poses=None if poses is None else np.asarray(poses, dtype=float),
            random_poses=random_poses, seed=seed, threads=threads,
        )
        found = _parid.design(self, model or self, options)
        return Designs(
            candidates=[DesignCandidate(**c) for c in found["candidates"]],
            chosen=found["chosen"], why=found["why"], poses=found["poses"],
            _handle=found["handle"],
        )

    @staticmethod
    def _control_options(**o: Any) -> Dict[str, Any]:
        defaults = dict(
            policy="exact", law="computed_torque", motion=None, pose=None, rate=1000.0, time=None,
            kp=None, kd=None, switch_at=0.0, position_noise=0.0, velocity_noise=0.0, seed=1,
            limit_torques=False, friction=False, elastic=False, measure="motor",
            compensate_friction=False, start_offset=None, lost=1.0, record_rate=200.0, integrator="dopri5",
        )
        unknown = set(o) - set(defaults)
        if unknown:
            raise TypeError(f"unknown option {sorted(unknown)[0]!r}; Robot.control has the list")
        o = {**defaults, **o}
        o["policy"] = _policy_of(o["policy"])
        o["motion"] = _motion_of(o["motion"])
        for gain in ("kp", "kd"):
            if o[gain] is not None:
                o[gain] = np.atleast_1d(np.asarray(o[gain], dtype=float))
        return o

    def detect_fault(
        self,
        fault: Optional[str],
        *,
        model: Optional[Robot] = None,
        gain: float = 50.0,
        threshold: Optional[ArrayLike] = None,
        margin: float = 1.5,
        **options: Any,
    ) -> FaultReport:
        """A run of Robot.control, whose options it takes, while something goes wrong in the robot,
        and what the momentum observer finds of it.

        fault      "loss:JOINT=SHARE@T[+D]", "payload:LINK=KG[,X,Y,Z]@T[+D]",
                   "collision:LINK=FX,FY,FZ[,X,Y,Z]@T[+D]"; None: nothing
        gain       of the observer, 1/s
        threshold  residuals that count as a fault, N m or N; without, `margin` times the largest
                   of a run without the fault and with other noise

        >>> r = parid.load("planar3")
        >>> found = r.detect_fault("loss:joint2=0.5@0.2", motion=r.sine(0.3, duration=0.5))
        >>> bool(found), found.coordinate
        (True, 'joint2')
        """
        o = self._control_options(**options)
        o["fault"] = fault
        o["observer"] = gain
        o["threshold"] = None if threshold is None else np.atleast_1d(
            np.asarray(threshold, dtype=float))
        o["margin"] = margin
        found = _parid.control(self, model or self, o)
        report = found.pop("observer")
        simulation = Simulation(**found.pop("simulation"))
        control = Control(**found, simulation=simulation)
        return FaultReport(**report, control=control)

    def stale_errors(
        self,
        quantity: StaleQuantity = "torque",
        policy: PolicyLike = "binder_herzog",
        *,
        motion: Optional[MotionLike] = None,
        rate: float = 1000.0,
    ) -> StaleErrors:
        """What a policy's old data cost along a motion that is followed exactly.

        quantity   torque; mass: rows of the non-strict mass matrix, neighbours' values as old as
                   n.neighbour; ik: joint-by-joint inverse kinematics of the tip in closed form,
                   positions as old as w.neighbour

        >>> r = parid.load("puma560")
        >>> swing = r.sine(0.2, about=[0.1, -0.7, 1.2, 0.3, 0.4, 0.5], duration=0.5)
        >>> held = r.stale_errors("ik", "binder_herzog", motion=swing)
        >>> drawn = r.stale_errors("ik", "binder_herzog_first", motion=swing)
        >>> drawn.tip < 0.1 * held.tip
        True
        """
        found = _parid.stale_errors(self, quantity, _policy_of(policy), _motion_of(motion), rate)
        return StaleErrors(**found)

    def flow_diagram(self, policy: PolicyLike = "exact", detail: Detail = "blocks",
                     link: int = 0, dot: bool = False) -> str:
        """One control period under a policy, as the text of an SVG or a DOT file.

        detail   blocks, forward, backward, both
        link     one moving link alone, counted from 1 at the base

        >>> parid.load("planar3").flow_diagram("hamilton")[:4]
        '<svg'
        """
        return _parid.flow_diagram(self, _policy_of(policy), detail, link, dot)

    def stability(
        self,
        *policies: PolicyLike,
        law: Controller = "computed_torque",
        model: Optional[Robot] = None,
        poses: Union[None, int, ArrayLike] = None,
        periods: Optional[ArrayLike] = None,
        count: int = 20,
        kp: Optional[ArrayLike] = None,
        kd: Optional[ArrayLike] = None,
        seed: int = 1,
        elastic: bool = False,
        measure: Measure = "motor",
        threads: Optional[int] = None,
    ) -> Stability:
        """Safe sampling periods for policies of stale data (by default all of them).

        poses    (nq,) or (N, nq), or a number of random poses; default: neutral
        periods  in s; default: `count` of them up to slightly above the limit of the exact law
        seed     seed of random poses and of random policies
        elastic  motors of elastic joints move on their own; the law reads `measure`: motor or link

        >>> s = parid.load("planar3").stability("exact", "hamilton", kp=100, kd=20, count=5)
        >>> s["exact"].safe > s["hamilton"].safe > 0
        True
        """
        options = dict(
            policies=[_policy_of(p) for p in policies] or [id for id, _ in _parid.policies()],
            law=law,
            poses=poses,
            periods=periods,
            count=count,
            kp=None if kp is None else np.atleast_1d(np.asarray(kp, dtype=float)),
            kd=None if kd is None else np.atleast_1d(np.asarray(kd, dtype=float)),
            seed=seed,
            elastic=elastic,
            measure=measure,
            threads=threads or 0,
        )
        found = _parid.stability(self, model or self, options)
        rows = [PolicyStability(**row) for row in found.pop("policies")]
        return Stability(policies=rows, **found)

    def synthesize_policy(
        self,
        steps: int = 1,
        *,
        poses: Union[int, ArrayLike] = 5,
        max_age: int = 2,
        every: bool = False,
        starts: int = 2,
        law: Controller = "computed_torque",
        model: Optional[Robot] = None,
        kp: Optional[ArrayLike] = None,
        kd: Optional[ArrayLike] = None,
        seed: int = 1,
        elastic: bool = False,
        measure: str = "motor",
        threads: Optional[int] = None,
    ) -> PolicySearch:
        """Search the policy of stale data that is safe for the longest period.

        steps    at most so many blocks of equations in sequence per period
        poses    (nq,) or (N, nq), or a number of random poses: the period is safe at each
        max_age  ages of values up to this, in periods
        every    try every table with the same ages in all links, which proves the best of them
        starts   climb from so many of the best starting tables

        >>> r = parid.load("planar2")
        >>> found = r.synthesize_policy(1, poses=[0.3, 0.4], max_age=1, starts=1)
        >>> found.best.period >= found.published[0].period
        True
        >>> bool(abs(r.stability(found.best.policy, poses=[0.3, 0.4])[
        ...     "found"].safe / found.best.period - 1) < 1e-2)
        True
        """
        options = dict(
            steps=steps,
            poses=poses,
            max_age=max_age,
            every=every,
            starts=starts,
            law=law,
            kp=None if kp is None else np.atleast_1d(np.asarray(kp, dtype=float)),
            kd=None if kd is None else np.atleast_1d(np.asarray(kd, dtype=float)),
            seed=seed,
            elastic=elastic,
            measure=measure,
            threads=threads or 0,
        )
        found = _parid.synthesize(self, model or self, options)
        published = [RatedPolicy(**row) for row in found.pop("published")]
        return PolicySearch(best=RatedPolicy(**found.pop("best")), published=published, **found)

    # ---- identification --------------------------------------------------------------------------

    def exciting_motion(self, seconds: float = 10.0, *, rate: float = 100.0, share: float = 0.8,
                        acceleration: Optional[float] = None) -> Motion:
        """An excitation motion for identification, within `share` of the limits.

        It keeps the limits of position and velocity and, with the inertias and friction of the
        robot file, those of effort. `acceleration` limits all accelerations, in rad/s² or m/s².
        Check it before you run it: collisions are not considered.

        >>> parid.load("planar2").exciting_motion(2.0).t[-1]
        2.0
        """
        return self._motion(
            **_parid.exciting_motion(self, seconds, rate, share, acceleration)[0])

    def filter_motion(self, motion: Motion, filter: Filter = "butterworth",
                      cutoff: Optional[float] = None) -> Tuple[Motion, FilterReport]:
        """Filter positions without delay, with velocities and accelerations from them.

        filter   butterworth (forward and backward) or savitzky-golay
        cutoff   in Hz; default: from the spectrum of the positions

        >>> r = parid.load("planar2")
        >>> m = r.exciting_motion(4.0)
        >>> log = parid.Motion.measured(m.t, m.q, np.zeros((len(m), 2)))
        >>> smooth, used = r.filter_motion(log, cutoff=8)
        >>> used.cutoff, bool(np.allclose(smooth.v[50:-50], m.v[50:-50], atol=1e-3))
        (8.0, True)
        """
        d, used = _parid.filter_motion(self, _without_derivatives(motion),
                                       dict(filter=filter, cutoff=cutoff))
        return replace(self._motion(**d), tau=motion.tau), FilterReport(**used)

    def identify(
        self,
        *logs: Motion,
        friction: Union[bool, str] = True,
        rotors: bool = False,
        drives: bool = False,
        offsets: bool = False,
        robust: bool = False,
        rest_velocity: float = 0.0,
        filter: FilterOrNone = "none",
        cutoff: Optional[float] = None,
        max_residual: float = 0.2,
        max_noise_ratio: float = 2.0,
    ) -> Identification:
        """Identify inertias, friction and drives from motions with measured torques (Motion.tau).

        friction         none, viscous, coulomb (or True), asymmetric, stribeck; auto: the one that
                         predicts torques best, by cross-validation
        filter           butterworth or savitzky-golay: v and a are computed from filtered
                         positions, and torques are filtered alike; none: v and a of the logs
        cutoff           of the filter, in Hz; default: from the spectrum of the positions
        max_residual     raises Error if the residual exceeds this fraction of the torques
        max_noise_ratio  warns if a joint's residual exceeds this many times the noise of the logs

        >>> r = parid.load("planar2")
        >>> m = r.exciting_motion(2.0)
        >>> heavy = r.with_payload(1.0)                       # the real robot
        >>> log = parid.Motion(m.t, m.q, m.v, m.a, heavy.inverse_dynamics(m.q, m.v, m.a))
        >>> found = r.identify(log)
        >>> found.residual_given > 0.1, found.residual < 1e-6
        (True, True)
        >>> tau = found.robot.inverse_dynamics(m.q, m.v, m.a)
        >>> bool(np.allclose(tau, log.tau, atol=1e-4))
        True
        >>> raw = parid.Motion.measured(m.t, m.q, log.tau)    # positions and torques only
        >>> r.identify(raw, filter="butterworth", friction="auto").friction
        'none'
        """
        for log in logs:
            if log.tau is None:
                raise ValueError("a log has no torques; give Motion(t, q, v, a, tau)")
            if filter == "none" and np.isnan(log.v).all():
                raise Error("a log has no velocities and accelerations; use filter='butterworth', "
                            "which computes them")
        model = friction if isinstance(friction, str) else "coulomb" if friction else "none"
        options = dict(
            friction=model,
            rotors=rotors,
            drives=drives,
            offsets=offsets,
            robust=robust,
            rest_velocity=rest_velocity,
            filter=filter,
            cutoff=cutoff,
            max_residual=max_residual,
            max_noise_ratio=max_noise_ratio,
        )
        given = [m._tuple() if filter == "none" else _without_derivatives(m) for m in logs]
        robot, facts, estimates = _parid.identify(
            self, [(*m, log.tau) for m, log in zip(given, logs)], options)
        if facts["verdict"] == "poor":
            raise Error(facts["notes"][0])
        if facts["verdict"] == "above noise":
            warnings.warn(facts["notes"][0], RuntimeWarning, stacklevel=2)
        facts["torques"] = [TorqueFit(**f) for f in facts["torques"]]
        facts["filters"] = [FilterReport(**f) for f in facts["filters"]]
        facts["friction_scores"] = [FrictionScore(**s) for s in facts["friction_scores"]]
        return Identification(robot=Robot(robot), estimates=[Estimate(**e) for e in estimates],
                              **facts)

    # ---- programs, tasks, hardware ---------------------------------------------------------------

    def generate(
        self,
        what: Quantity = "inverse",
        language: Language = "c",
        *,
        single_precision: bool = False,
        libm: bool = False,
        lanes: int = 0,
        fma: bool = False,
        casadi: bool = False,
        inputs: Sequence[str] = (),
        base: bool = False,
        standard_parameters: bool = False,
        friction: bool = False,
        link: Optional[str] = None,
        point: ArrayLike = (0.0, 0.0, 0.0),
        steps: int = 10,
        dt: float = 1e-3,
        integrator: RolloutIntegrator = "euler",
        path: bool = False,
        target: Optional[Target] = None,
    ) -> Program:
        """Generate the robot's specialized program, without zeros, ones and unneeded parameters.

        what      a name of parid.quantities(); language: one of parid.languages()
        casadi    C: external functions of CasADi with derivatives (docs/casadi.md)
        inputs    arguments instead of constants: parameters, gravity, payload, wrench, friction, dt
        base      only base parameters, in pi or in the columns of `regressor`
        target    cortex-m4: also a CMake project with start-up code, tests on this machine and on
                  the board, and the cost of an evaluation (`cost`), in single precision

        >>> p = parid.load("puma560").generate("inverse")
        >>> sorted(p.files)
        ['puma560_inverse.c', 'puma560_inverse.h']
        >>> p.takes, p.gives
        ({'q': 6, 'v': 6, 'a': 6}, {'tau': 6})
        """
        if target is not None:
            if target != "cortex-m4":
                raise ValueError(f"unknown target {target!r}; choose from cortex-m4")
            if language != "c" or lanes or libm or inputs:
                raise ValueError("target: a program for cortex-m4 is in C, for one sample, without "
                                 "libm and without additional inputs")
            _firmware.reference(self, what, friction, link)
            single_precision = True
        if casadi and (language != "c" or single_precision or target is not None):
            raise ValueError("casadi: its functions are in C and in double precision; omit "
                             "language, single_precision and target")
        options = dict(
            language=language,
            single_precision=single_precision,
            libm=libm,
            lanes=lanes,
            fma=fma,
            casadi=casadi,
            inputs=list(inputs),
            base=base,
            standard_parameters=standard_parameters,
            friction=friction,
            link=link,
            point=_numbers("point", point),
            steps=steps,
            dt=dt,
            integrator=integrator,
            path=path,
        )
        program = Program(**_parid.generate(self, what, options))
        return program if target is None else _firmware.project(self, program, friction, link)

    def schedule(
        self,
        processors: int = 4,
        what: Union[Quantity, ControlGraph] = "inverse",
        *,
        tasks: Optional[Tasks] = None,
        grain: Optional[int] = None,
        scheduler: Scheduler = "exact",
        seconds: float = 10.0,
        friction: bool = False,
        latency: int = 0,
        per_word: int = 0,
        weights: Optional[Mapping[str, int]] = None,
        speeds: Optional[Sequence[float]] = None,
    ) -> Schedule:
        """Schedule the robot's computation on p processors by one of parid.schedulers().

        what     a name of parid.quantities(), or a whole control step: orin or hierarchy
        tasks    rules, lean, printed, coarse, graph, or stages of a control step; default: rules
                 if applicable
        grain    maximum number of operations in a task of `graph`; default: 1
        weights  units of time by operation: multiply, add, divide, root, sine (with its cosine),
                 arctangent; default: 1 each, so that `total` counts operations
        speeds   relative speed of each processor; times are then in sixtieths of their unit
        seconds  time limit of a search

        >>> s = parid.load("stanford").schedule(4)
        >>> s.makespan, s.optimal
        (39, True)
        >>> s = parid.load("puma560").schedule(2, "ik", weights={"root": 4}, scheduler="hlf")
        >>> s.total == sum(s.operations.values()) + 3 * s.operations["square_roots"]
        True
        """
        return schedule_of(
            self,
            processors,
            what=what,
            tasks=tasks,
            grain=grain,
            scheduler=scheduler,
            seconds=seconds,
            friction=friction,
            latency=latency,
            per_word=per_word,
            weights=weights,
            speeds=speeds,
        )

    def hardware(
        self,
        what: Quantity = "inverse",
        *,
        word: Optional[int] = None,
        units: Optional[int] = None,
        link: Optional[str] = None,
        arrangement: Arrangement = "paper",
        guard: int = 6,
        serial: bool = False,
        max_error: Optional[float] = None,
        floating: Optional[Tuple[int, int]] = None,
        method: Optional[str] = None,
        velocity: float = 5.0,
        acceleration: float = 20.0,
        effort: float = 100.0,
    ) -> Pipeline:
        """Generate a balanced hardware pipeline with its Verilog.

        what       ik: inverse kinematics on CORDIC boxes; inverse, forward, mass, jacobian,
                   inverse_gradient and others: on multipliers, adders, sine units and dividers
        word       bits of a number, 6 to 100 (24 for ik, 32 for dynamics); with max_error the
                   longest (64)
        units      number of shared multipliers and of adders; default: one unit per operation
        serial     one multiplier, one adder and one CORDIC rotation, with the values in a memory
        max_error  choose the format of every signal so that no output is off by more than this
                   fraction of its largest value
        floating   (exponent bits, mantissa bits) of floating-point units
        method     program of inverse, bias and gravity: specialized or a formulation
        link       ik, and quantities of a link: its name; default: the tip
        velocity, acceleration, effort
                   ranges of inputs of joints without limits, SI units

        >>> p = parid.load("puma560").hardware("ik")
        >>> p.modules, p.stages, p.buffers
        (25, 18, 141)
        >>> parid.load("puma560").hardware("inverse", serial=True).interval
        4461
        >>> p = parid.load("planar2").hardware("inverse", max_error=1e-4)
        >>> p.max_error < p.error_bound < 1e-4
        True
        """
        return Pipeline(**_parid.hardware(self, what, link, arrangement, word, guard, units,
                                          serial, max_error, floating, method, velocity,
                                          acceleration, effort))

    def pipeline(self, what: Quantity = "inverse", **options: Any) -> Pipeline:
        """Deprecated: use hardware(). Removed in the next release."""
        warnings.warn("Robot.pipeline() is now Robot.hardware()", DeprecationWarning, stacklevel=2)
        return self.hardware(what, **options)

    def controller_core(
        self,
        law: Controller = "computed_torque",
        *,
        setpoint: Optional[str] = None,
        link: Optional[str] = None,
        arrangement: str = "fastest",
        word: int = 32,
        guard: int = 6,
        interval: int = 24,
        window: int = 1,
        rate: float = 1000.0,
        clock: float = 100e6,
        kp: Optional[ArrayLike] = None,
        kd: Optional[ArrayLike] = None,
        velocity: float = 5.0,
        acceleration: float = 100.0,
        position_error: float = 0.25,
    ) -> ControllerCore:
        """Generate a controller as hardware: set points and measured positions in, torques out.

        setpoint  pose of `link` (default: the tip), or joint; default: pose if the arm has a closed
                  form of inverse kinematics
        word      bits of a word, 12 to 64
        interval  clocks per sample; 1: unrolled
        window    samples between the positions whose difference is a velocity
        rate      samples per second; clock in Hz
        velocity, acceleration, position_error
                  ranges, beyond which values are limited; velocity: of joints without a limit

        >>> core = parid.load("puma560").controller_core()
        >>> core.interval, core.setpoint, core.max_error < core.error_bound
        (24, 'pose', True)
        """
        options = dict(
            law=law, setpoint=setpoint, link=link, arrangement=arrangement, word=word, guard=guard,
            interval=interval, window=window, rate=rate, clock=clock, kp=kp, kd=kd,
            velocity=velocity, acceleration=acceleration, position_error=position_error,
        )
        return ControllerCore(_parid.controller_core(self, options))

    def systolic(self, kind: ArrayKind = "linear", *, folded: bool = False,
                 word: int = 24) -> SystolicArray:
        """Inverse dynamics on Lathrop's array of vector processors, with Verilog of a processor.

        kind    linear: a node per link; log: links combined in pairs, pairs in fours, …
        folded  onto one node of the linear array, or one tier of the other, its results fed back
        word    bits of a number in the Verilog, 6 to 100

        Interval and latency are the paper's: 1 clock for a sum, 3 for a matrix times a vector. The
        processor in the Verilog loads its operands first and takes 2 and 4.

        >>> a = parid.load("puma560").systolic("linear")
        >>> a.interval, a.formula_backward, a.formula_forward
        (4, 132, 48)
        >>> a.max_error < 1e-12
        True
        """
        return SystolicArray(**_parid.systolic(self, kind, folded, word))

    def device_engine(
        self,
        *quantities: str,
        device: Union[str, int] = "",
        link: str = "",
        float32: bool = False,
        launch_rows: int = 65536,
    ) -> DeviceEngine:
        """Prepare batches on an OpenCL device (parid.devices); torques if no quantity is named.

        ``device`` is a part of its name or its number in the list; empty: the first GPU, or the
        first device. Programs have a stationary base and no external wrenches. Memory for
        ``launch_rows`` samples is allocated; longer batches take several launches.

        >>> try:
        ...     engine = parid.load("puma560").device_engine("inverse", "mass")
        ...     M = engine.evaluate("mass", np.zeros((1000, 6)))
        ... except parid.Error:
        ...     M = None  # there is no OpenCL, or no device
        """
        return DeviceEngine(
            self, quantities or ("inverse",), device, link, float32, launch_rows
        )

    def table(
        self,
        kind: TableKind = "configuration",
        *,
        points: Union[int, Sequence[int]] = (),
        memory: float = 2,
        tilings: int = 128,
        cells: int = 1 << 16,
        lessons: int = 400_000,
        threads: int = 0,
        load: Optional[PathLike] = None,
    ) -> Table:
        """A torque table of this robot, built here or loaded from a file of Table.save.

        kind     configuration (G, J, C by position), state (J by position, the rest by state), or
                 cmac (a hashed, trained table)
        points   along each axis: one number for all, or one for each coordinate; default: 9, or
                 1 tile for cmac
        memory   GB; larger tables are refused
        tilings, cells, lessons   for cmac

        >>> r = parid.load("planar2")
        >>> t = r.table(points=33)
        >>> t.error(samples=200).rms_relative_error < 0.02
        True
        >>> t.torque([0.1, 0.2], [0, 0], [0, 0]).shape
        (2,)
        """
        if load is not None:
            return Table(_parid.load_table(self, os.fspath(load)))
        each = [points] if isinstance(points, int) else list(points)
        return Table(_parid.build_table(self, kind, each, memory, tilings, cells, lessons, threads))

    def _rows(self, **arrays: ArrayLike) -> Tuple[List[Array], Callable[[Array], Array]]:
        """Arguments with leading dimensions as rows, and the way back of a result."""
        widths = {"q": self.nq}
        found = [self._columns(name, x) for name, x in arrays.items()]
        for (name, _), x in zip(arrays.items(), found):
            n = widths.get(name, self.nv)
            if x.ndim < 1 or x.shape[-1] != n:
                raise ValueError(f"{name} has shape {x.shape}; {self.name!r} needs ({n},) for one "
                                 f"sample, (N, {n}) or (…, {n}) for many")
        leading = np.broadcast_shapes(*(x.shape[:-1] for x in found))
        if len(leading) < 2 and all(x.shape[:-1] in ((), leading) for x in found):
            return found, lambda result: result
        rows = [np.broadcast_to(x, leading + x.shape[-1:]).reshape(-1, x.shape[-1]) for x in found]
        return rows, lambda result: result.reshape(leading + result.shape[1:])

    def _columns(self, name: str, x: ArrayLike) -> Array:
        if _frames.is_table(x):
            names = self.position_names if name == "q" else self.velocity_names
            return np.asarray(_frames.columns_by_name(x, name, names), dtype=float)
        return np.asarray(x, dtype=float)

    def _motion(self, **samples: Any) -> Motion:
        return Motion(**samples, position_names=tuple(self.position_names),
                      velocity_names=tuple(self.velocity_names))

    def _reference(self, motion: Optional[MotionLike], rate: float) -> Motion:
        if motion is None or isinstance(motion, Motion):
            return self.motion() if motion is None else motion
        named = isinstance(motion, str) and _parid.is_motion_name(motion)
        return self.motion(motion, rate=rate if named else None)


class Table:
    """A table of torques (Robot.table).

    ``kind``, ``bytes``, and the ``multiplications`` and ``additions`` of one torque.
    """

    __slots__ = ("_table",)

    def __init__(self, table: _parid.TableHandle) -> None:
        self._table = table

    def __repr__(self) -> str:
        return f"<parid.Table: {self.kind}, {self.bytes} bytes>"

    @property
    def kind(self) -> str:
        return self._table.kind

    @property
    def bytes(self) -> int:
        return self._table.bytes

    @property
    def multiplications(self) -> float:
        return self._table.multiplications

    @property
    def additions(self) -> float:
        return self._table.additions

    def torque(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """Interpolated torques of one sample, (nv,), or of rows, (N, nv)."""
        return self._table.torque(q, v, a)

    def error(self, *, samples: int = 2000, robot: Optional[Robot] = None) -> TableError:
        """Compare with exact torques at random states.

        robot   default: the table's robot; or another one, such as one with a payload
        """
        return TableError(**self._table.error(samples, robot))

    def save(self, path: PathLike) -> None:
        """Write the table to a file with a checksum, for Robot.table(load=…)."""
        self._table.save(os.fspath(path))


def _without_derivatives(m: Motion) -> Tuple[Optional[Array], Array, Array, Array]:
    """Times and positions, for filters, which compute the rest."""
    return m.t, m.q, np.zeros(np.shape(m.v)), np.zeros(np.shape(m.a))


def _motion_of(motion: Optional[MotionLike]) -> Any:
    if motion is None:
        return None
    return motion._tuple() if isinstance(motion, Motion) else os.fspath(motion)


def parse(text: str, format: Format = "automatic", file: str = "text", *, floating: bool = False,
          strict: bool = False, rotors: bool = True, packages: Optional[Mapping[str, str]] = None,
          arguments: Optional[Mapping[str, str]] = None) -> Robot:
    """Load a robot from the text of a robot file: urdf, xacro, mjcf, sdf or toml.

    By default the content determines the format.

    >>> r = parid.load("planar2")
    >>> parid.parse(r.to_toml(), "toml").nv
    2
    """
    return Robot(Robot._parsed(text, format, file, floating, strict, rotors, dict(packages or {}),
                               dict(arguments or {})))


def schedule_of(source: Union[PathLike, Robot], processors: int = 4, **options: Any) -> Schedule:
    """Robot.schedule for a robot by name or path, or for a file of tasks, FILE.stg.

    >>> parid.schedule_of("orthogonal:6", 4, tasks="printed").tasks
    230
    """
    usual = dict(
        what="inverse",
        tasks=None,
        grain=None,
        scheduler="exact",
        seconds=10.0,
        friction=False,
        latency=0,
        per_word=0,
        weights=None,
        speeds=None,
    )
    unknown = set(options) - set(usual)
    if unknown:
        raise TypeError(f"schedule_of() has no option {sorted(unknown)[0]!r}")
    given: Union[str, Robot] = source if isinstance(source, Robot) else os.fspath(source)
    found = _parid.schedule(given, processors, {**usual, **options})
    placements = [Placement(*x) for x in found.pop("placements")]
    return Schedule(placements=placements, **found)


class InverseKinematics:
    """A reusable solver of inverse kinematics for one link.

    Closed-form for arms with the axes of a PUMA or a Stanford arm, numeric for all others; within
    the joints' limits. Not thread-safe.

    offset, offset_rotation   the pose of a tip in the link's frame, such as that of a tool; poses
                              that are given are then the tip's

    >>> r = parid.load("panda")
    >>> ik = parid.InverseKinematics(r)
    >>> q = np.random.default_rng(1).uniform(r.lower, r.upper, (100, 7))
    >>> poses = r.kinematics(q)
    >>> found = ik.solve(poses.position, poses.rotation)
    >>> bool(found), found.q.shape
    (True, (100, 7))
    """

    def __init__(
        self,
        robot: Robot,
        link: Optional[str] = None,
        *,
        position_tolerance: float = 1e-9,
        angle_tolerance: float = 1e-9,
        attempts: int = 128,
        steps: int = 40,
        closed_form: bool = True,
        threads: Optional[int] = None,
        offset: ArrayLike = (0.0, 0.0, 0.0),
        offset_rotation: Optional[ArrayLike] = None,
    ) -> None:
        self._ik = _parid.InverseKinematics(
            robot, link, position_tolerance, angle_tolerance, attempts, steps, closed_form, threads
            or 0, _numbers("offset", offset), _rotation(offset_rotation)
        )
        self.robot = robot

    @property
    def link(self) -> str:
        """The link whose poses are solved."""
        return self._ik.link

    @property
    def solver(self) -> str:
        """How solve finds solutions: the name of the closed form, or numeric."""
        return self._ik.solver

    @property
    def closed_form(self) -> str:
        """The closed form that `all` uses; empty without one.

        >>> parid.load("ur5").inverse_kinematics().closed_form
        'three_parallel'
        """
        return self._ik.closed_form

    @property
    def closed_form_text(self) -> str:
        """The closed form in words; without one the reason why there is none."""
        return self._ik.closed_form_text

    @property
    def redundancy(self) -> str:
        """What a seven-axis arm is given besides the pose: arm_angle, last_joint; else empty."""
        return self._ik.redundancy

    def solve(
        self,
        position: ArrayLike,
        rotation: Optional[ArrayLike] = None,
        seed: Optional[ArrayLike] = None,
        *,
        quaternion: Optional[ArrayLike] = None,
    ) -> Union[IkSolution, IkSolutions]:
        """One pose, or many: position (3,) or (…, 3), rotation (3, 3) or (…, 3, 3).

        quaternion   instead of a rotation matrix: x y z w, (4,) or (…, 4), of any length but zero

        A pose of Robot.kinematics is a position and a rotation. Without an orientation any is
        accepted. The result is the branch nearest to the seed, (nq,) or (…, nq), or the result of
        a search from the seed.

        >>> ik = parid.load("puma560").inverse_kinematics()
        >>> far = ik.solve([9, 0, 0], np.eye(3))
        >>> bool(far), far.why != ""
        (False, True)
        """
        p, R = pose_rows(position, rotation, quaternion)
        if p.ndim == 1:
            if R is None:
                return IkSolution(*self._ik.solve_position(_numbers("position", p), seed))
            return IkSolution(*self._ik.solve_pose(R, _numbers("position", p), seed))
        if R is None:
            raise ValueError(
                "rows of positions need rotations (…, 3, 3) or quaternions (…, 4); without them, "
                "solve one by one")
        leading = p.shape[:-1]
        seeds = None
        if seed is not None:
            seeds = np.broadcast_to(np.asarray(seed, dtype=float), leading + (self.robot.nq,))
            seeds = seeds.reshape(-1, self.robot.nq)
        found = IkSolutions(*self._ik.solve_rows(R.reshape(-1, 3, 3), p.reshape(-1, 3), seeds))
        return found if len(leading) == 1 else found._reshaped(leading)

    def all(
        self, position: ArrayLike, rotation: Optional[ArrayLike] = None,
        seed: Optional[ArrayLike] = None, *, quaternion: Optional[ArrayLike] = None,
        redundancy: Optional[float] = None
    ) -> List[IkBranch]:
        """Every branch of a closed form that reaches the pose, including those beyond limits.

        redundancy   of a seven-axis arm, rad: the arm angle, or the last joint's position; by
                     default that of the seed

        >>> r = parid.load("puma560")
        >>> pose = r.kinematics([0.1, -0.7, 1.2, 0.3, 0.4, 0.5])
        >>> len(r.inverse_kinematics().all(pose.position, pose.rotation))
        8
        >>> r = parid.load("panda")
        >>> pose = r.kinematics([0.1, -0.7, 0.2, -1.5, 0.4, 1.5, 0.3])
        >>> ik = r.inverse_kinematics()
        >>> {round(float(b.q[6]), 3) for b in ik.all(pose.position, pose.rotation, redundancy=0.3)}
        {0.3}
        """
        p, R = pose_rows(position, rotation, quaternion)
        if R is None:
            raise ValueError("give the rotation or the quaternion of the pose")
        found = self._ik.all(R, _numbers("position", p), seed, redundancy)
        return [IkBranch(*b) for b in found]


class Workspace(_parid.WorkspaceHandle):
    """A robot with external loads: a moving base, wrenches on its links.

    Has every array method of Robot (inverse_dynamics, forward_dynamics, …), with the external
    loads. The loads may be changed at any time.

    >>> r = parid.load("planar2")
    >>> w = parid.Workspace(r)
    >>> w.set_wrench("link2", force=[0, 0, -5])
    >>> w.set_base_motion(linear_acceleration=[0, 0, 1])
    >>> bool(np.any(w.inverse_dynamics([0, 0], [0, 0], [0, 0]) !=
    ...             r.inverse_dynamics([0, 0], [0, 0], [0, 0])))
    True
    """

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        self.robot = robot

    def set_base_motion(
        self,
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_acceleration: ArrayLike = (0.0, 0.0, 0.0),
        linear_acceleration: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Set the motion of the root link's origin, in the root link's frame."""
        self._set_base_motion(
            _numbers("angular_velocity", angular_velocity),
            _numbers("angular_acceleration", angular_acceleration),
            _numbers("linear_acceleration", linear_acceleration),
        )

    def set_wrench(
        self,
        link: Optional[str] = None,
        force: ArrayLike = (0.0, 0.0, 0.0),
        moment: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Set the only external wrench: on a link (the tip), at its origin, in its frame."""
        self._add_wrench(link or self.robot.tip, _numbers("force", force),
                         _numbers("moment", moment), True)

    def add_wrench(
        self,
        link: Optional[str] = None,
        force: ArrayLike = (0.0, 0.0, 0.0),
        moment: ArrayLike = (0.0, 0.0, 0.0),
    ) -> None:
        """Add an external wrench; arguments as for set_wrench."""
        self._add_wrench(link or self.robot.tip, _numbers("force", force),
                         _numbers("moment", moment), False)


class MomentumObserver:
    """Estimates external torques from motion and motor torques, without accelerations.

    gain in 1/s: an estimate has 63 % of a sudden torque after 1/gain.

    >>> r = parid.load("planar2")
    >>> observer = parid.MomentumObserver(r, gain=50)
    >>> q, v = np.zeros(2), np.zeros(2)
    >>> observer.reset(q, v)
    >>> for _ in range(500):                     # held at rest by 1 N m above gravity
    ...     estimate = observer.update(1e-3, q, v, r.gravity_torques(q) + [1.0, 0.0])
    >>> estimate.round(6) + 0.0
    array([-1.,  0.])
    """

    def __init__(self, robot: Robot, gain: float) -> None:
        self._observer = _parid.MomentumObserver(robot, gain)

    def reset(self, q: ArrayLike, v: ArrayLike) -> None:
        """Start at this state with an estimate of zero."""
        self._observer.reset(q, v)

    def update(self, dt: float, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """Update with the present state and the motor torques of the last dt seconds."""
        return self._observer.update(dt, q, v, tau)
