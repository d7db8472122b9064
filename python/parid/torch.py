"""Dynamics as differentiable functions of PyTorch.

Every function takes tensors with any leading dimensions, ``(..., nq)`` and ``(..., nv)``, float64
or float32, and returns a tensor of the same type and device. Values and derivatives are computed by
Parid's batch kernels on the CPU: ``robot.compile(...)`` makes them faster here too.

Gradients by positions that hold quaternions (floating and spherical joints) are those of a function
that does not depend on the quaternion's length.

>>> import torch, parid, parid.torch
>>> robot = parid.load("panda")
>>> q = torch.zeros(5, 7, dtype=torch.float64, requires_grad=True)
>>> tau = parid.torch.inverse_dynamics(robot, q, torch.zeros_like(q), torch.zeros_like(q))
>>> tau.sum().backward()
>>> q.grad.shape
torch.Size([5, 7])
"""

# torch's own annotations: its functions take any arguments, its decorators have no types.
# mypy: disable-error-code="override, misc, no-untyped-call"

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np
import torch
from numpy.typing import NDArray

from ._robot import Robot

__all__ = ["forward_dynamics", "inverse_dynamics", "kinematics", "mass_matrix"]

_Tensor = torch.Tensor
_Array = NDArray[Any]


def _rows(x: _Tensor) -> _Array:
    """The tensor's memory as an array; a copy only from another device."""
    rows: _Array = x.detach().cpu().numpy()
    return rows


def _tensor(x: _Array, like: _Tensor) -> _Tensor:
    return torch.from_numpy(np.ascontiguousarray(x)).to(device=like.device, dtype=like.dtype)


def _applied(function: Any, *inputs: Any) -> _Tensor:
    result: _Tensor = function.apply(*inputs)
    return result


def _common(robot: Robot, names: Sequence[str], widths: Sequence[int],
            tensors: Sequence[_Tensor]) -> Tuple[Tuple[int, ...], Sequence[_Tensor]]:
    """Broadcasts leading dimensions; returns them, and the tensors as (rows, width)."""
    for name, width, x in zip(names, widths, tensors):
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"{name} is a {type(x).__name__}; give a torch.Tensor")
        if x.ndim == 0 or x.shape[-1] != width:
            raise ValueError(
                f"{name} has the shape {tuple(x.shape)}; {robot.name} needs (..., {width})")
        if x.dtype not in (torch.float64, torch.float32):
            raise TypeError(f"{name} is {x.dtype}; give float64 or float32")
        if x.dtype != tensors[0].dtype or x.device != tensors[0].device:
            raise TypeError(f"{name} is {x.dtype} on {x.device}, {names[0]} is {tensors[0].dtype} "
                            f"on {tensors[0].device}; give all of one type and device")
    lead = torch.broadcast_shapes(*(x.shape[:-1] for x in tensors))
    return tuple(lead), [x.expand(*lead, x.shape[-1]).reshape(-1, x.shape[-1]) for x in tensors]


def _quaternions(robot: Robot) -> Sequence[Tuple[int, int, int]]:
    """Of each joint whose positions are not a vector: first position and velocity, and the number
    of linear coordinates before the quaternion."""
    found, k, l = [], 0, 0
    for joint in robot.joints:
        if joint.type == "fixed" or joint.mimic is not None:
            continue
        nq, nv = {"floating": (7, 6), "spherical": (4, 3), "planar": (3, 3)}.get(joint.type, (1, 1))
        if nq != nv:
            found.append((k, l, nq - 4))
        k, l = k + nq, l + nv
    return found


def _turn(q: _Tensor, x: _Tensor) -> _Tensor:
    """x turned by quaternions x y z w of any length."""
    v, w = q[..., :3], q[..., 3:]
    t: _Tensor = 2 / (q * q).sum(-1, keepdim=True) * torch.cross(v, x, dim=-1)
    turned: _Tensor = x + w * t + torch.cross(v, t, dim=-1)
    return turned


def _by_positions(robot: Robot, q: _Tensor, by_velocity: _Tensor) -> _Tensor:
    """A gradient along the velocities, (rows, nv), as one by the positions, (rows, nq)."""
    if robot.nq == robot.nv:
        return by_velocity
    parts, k, l = [], 0, 0
    for first, start, linear in _quaternions(robot):
        parts.append(by_velocity[:, l:start])
        turn = q[:, first + linear : first + linear + 4]
        if linear:
            parts.append(_turn(turn, by_velocity[:, start : start + 3]))
        g = by_velocity[:, start + linear : start + linear + 3]
        v, w = turn[:, :3], turn[:, 3:]
        # The rate of the quaternion is half its product with (g, 0); its square length is a quarter.
        product = torch.cat([w * g + torch.cross(v, g, dim=-1), -(v * g).sum(-1, keepdim=True)], -1)
        parts.append(2 / (turn * turn).sum(-1, keepdim=True) * product)
        k, l = first + linear + 4, start + linear + 3
    parts.append(by_velocity[:, l:])
    return torch.cat(parts, -1)


class _Inverse(torch.autograd.Function):
    """(rows, ·) tensors; backward by inverse_vector_product."""

    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor, v: _Tensor, a: _Tensor) -> _Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, v, a)
        return _tensor(robot.inverse_dynamics(_rows(q), _rows(v), _rows(a)), q)

    @staticmethod
    def backward(ctx: Any, w: _Tensor) -> Any:
        q, v, a = ctx.saved_tensors
        gq, gv, ga = _InverseProduct.apply(ctx.robot, q, v, a, w)
        return None, _by_positions(ctx.robot, q, gq), gv, ga


class _InverseProduct(torch.autograd.Function):
    """wᵀ times the derivatives of the torques; backward by their second derivatives."""

    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor, v: _Tensor, a: _Tensor, w: _Tensor) -> Any:
        ctx.robot = robot
        ctx.save_for_backward(q, v, a, w)
        g = robot.inverse_vector_product(_rows(q), _rows(v), _rows(a), _rows(w))
        return _tensor(g.dq, q), _tensor(g.dv, q), _tensor(g.da, q)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, uq: _Tensor, uv: _Tensor, ua: _Tensor) -> Any:
        q, v, a, w = ctx.saved_tensors
        state = [_rows(x) for x in (q, v, a)]
        u = [_rows(x) for x in (uq, uv, ua)]
        h = ctx.robot.inverse_hessian_product(*state, _rows(w), *u)
        along = ctx.robot.inverse_jacobian_product(*state, *u)
        return (None, _by_positions(ctx.robot, q, _tensor(h.dq, q)), _tensor(h.dv, q),
                _tensor(h.da, q), _tensor(along, q))


class _Forward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor, v: _Tensor, tau: _Tensor) -> _Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, v, tau)
        return _tensor(robot.forward_dynamics(_rows(q), _rows(v), _rows(tau)), q)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, w: _Tensor) -> Any:
        q, v, tau = ctx.saved_tensors
        g = ctx.robot.forward_vector_product(_rows(q), _rows(v), _rows(tau), _rows(w))
        return (None, _by_positions(ctx.robot, q, _tensor(g.dq, q)), _tensor(g.dv, q),
                _tensor(g.dtau, q))


class _Mass(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor) -> _Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q)
        return _tensor(robot.mass_matrix(_rows(q)), q)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, G: _Tensor) -> Any:
        # Column j of M is the torque of a unit acceleration j at rest without gravity.
        q, = ctx.saved_tensors
        n, rows = ctx.robot.nv, q.shape[0]
        weightless = ctx.robot.with_gravity((0.0, 0.0, 0.0))
        at = np.repeat(_rows(q), n, axis=0)
        unit = np.tile(np.eye(n, dtype=at.dtype), (rows, 1))
        w = _rows(G.transpose(-1, -2).reshape(rows * n, n).contiguous())
        g = weightless.inverse_vector_product(at, np.zeros_like(unit), unit, w)
        by_velocity = _tensor(g.dq.reshape(rows, n, n).sum(axis=1), q)
        return None, _by_positions(ctx.robot, q, by_velocity)


class _Kinematics(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor, link: Optional[str]) -> Any:
        ctx.robot, ctx.link = robot, link
        pose = robot.kinematics(_rows(q), link)
        R, p = _tensor(pose.rotation, q), _tensor(pose.position, q)
        ctx.save_for_backward(q, R)
        return R, p

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, GR: _Tensor, gp: _Tensor) -> Any:
        # dR = [w]× R: the sum of GR over dR is w · Σ (column of R × column of GR).
        q, R = ctx.saved_tensors
        J = _tensor(ctx.robot.jacobian(_rows(q), ctx.link), q)
        moment = torch.cross(R.transpose(-1, -2), GR.transpose(-1, -2), dim=-1).sum(-2)
        both = torch.cat([gp, moment], -1).unsqueeze(-2)
        return None, _by_positions(ctx.robot, q, (both @ J).squeeze(-2)), None


class _InverseOfRobots(torch.autograd.Function):
    """Every row with inertial parameters of its own; differentiable by all of them."""

    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor, v: _Tensor, a: _Tensor,
                parameters: _Tensor) -> _Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, v, a, parameters)
        return _tensor(robot.inverse_dynamics(_rows(q), _rows(v), _rows(a),
                                              parameters=_rows(parameters)), q)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, w: _Tensor) -> Any:
        q, v, a, parameters = ctx.saved_tensors
        at, pi = [_rows(x) for x in (q, v, a, w)], _rows(parameters)
        by_state: Any = (None, None, None)
        if any(ctx.needs_input_grad[1:4]):
            g = ctx.robot.inverse_vector_product(*at, parameters=pi)
            by_state = (_by_positions(ctx.robot, q, _tensor(g.dq, q)), _tensor(g.dv, q),
                        _tensor(g.da, q))
        by_parameters = None
        if ctx.needs_input_grad[4]:
            by_parameters = _tensor(ctx.robot.inverse_parameter_vector_product(*at).parameters, q)
        return (None, *by_state, by_parameters)


class _ForwardOfRobots(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, robot: Robot, q: _Tensor, v: _Tensor, tau: _Tensor,
                parameters: _Tensor) -> _Tensor:
        ctx.robot = robot
        ctx.save_for_backward(q, v, tau, parameters)
        return _tensor(robot.forward_dynamics(_rows(q), _rows(v), _rows(tau),
                                              parameters=_rows(parameters)), q)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, w: _Tensor) -> Any:
        q, v, tau, parameters = ctx.saved_tensors
        at, pi = [_rows(x) for x in (q, v, tau, w)], _rows(parameters)
        by_state: Any = (None, None, None)
        if any(ctx.needs_input_grad[1:4]):
            g = ctx.robot.forward_vector_product(*at, parameters=pi)
            by_state = (_by_positions(ctx.robot, q, _tensor(g.dq, q)), _tensor(g.dv, q),
                        _tensor(g.dtau, q))
        by_parameters = None
        if ctx.needs_input_grad[4]:
            g = ctx.robot.forward_parameter_vector_product(*at, parameters=pi)
            by_parameters = _tensor(g.parameters, q)
        return (None, *by_state, by_parameters)


def _of_robots(function: Any, robot: Robot, names: Sequence[str], state: Sequence[_Tensor],
               parameters: _Tensor) -> _Tensor:
    count = len(robot.regressor_names)
    if not isinstance(parameters, torch.Tensor):
        raise TypeError(f"parameters is a {type(parameters).__name__}; give a torch.Tensor")
    if parameters.ndim == 0 or parameters.shape[-1] != count:
        raise ValueError(f"parameters has the shape {tuple(parameters.shape)}; {robot.name} needs "
                         f"(..., {count}), in the order of robot.regressor_names")
    lead, tensors = _common(robot, (*names, "parameters"), (robot.nq, robot.nv, robot.nv, count),
                            (*state, parameters.to(getattr(state[0], "dtype", None))))
    return _applied(function, robot, *tensors).reshape(*lead, robot.nv)


def inverse_dynamics(robot: Robot, q: _Tensor, v: _Tensor, a: _Tensor,
                     parameters: Optional[_Tensor] = None) -> _Tensor:
    """Torques, (..., nv), differentiable twice by q, v and a.

    parameters: the inertial parameters of the moving links, (..., parameters), in the order of
    ``robot.regressor_names``, instead of the robot's own: for all rows, or for each. The result is
    differentiable once then, by the parameters too.
    """
    if parameters is not None:
        return _of_robots(_InverseOfRobots, robot, ("q", "v", "a"), (q, v, a), parameters)
    lead, (q, v, a) = _common(robot, ("q", "v", "a"), (robot.nq, robot.nv, robot.nv), (q, v, a))
    return _applied(_Inverse, robot, q, v, a).reshape(*lead, robot.nv)


def forward_dynamics(robot: Robot, q: _Tensor, v: _Tensor, tau: _Tensor,
                     parameters: Optional[_Tensor] = None) -> _Tensor:
    """Accelerations, (..., nv), differentiable by q, v and tau; and by inertial parameters, given as
    to inverse_dynamics."""
    if parameters is not None:
        return _of_robots(_ForwardOfRobots, robot, ("q", "v", "tau"), (q, v, tau), parameters)
    lead, (q, v, tau) = _common(robot, ("q", "v", "tau"), (robot.nq, robot.nv, robot.nv),
                                (q, v, tau))
    return _applied(_Forward, robot, q, v, tau).reshape(*lead, robot.nv)


def mass_matrix(robot: Robot, q: _Tensor) -> _Tensor:
    """The mass matrix, (..., nv, nv), differentiable by q."""
    lead, (q,) = _common(robot, ("q",), (robot.nq,), (q,))
    return _applied(_Mass, robot, q).reshape(*lead, robot.nv, robot.nv)


def kinematics(robot: Robot, q: _Tensor, link: Optional[str] = None) -> Tuple[_Tensor, _Tensor]:
    """Rotation (..., 3, 3) and position (..., 3) of a link, differentiable by q; None: the tip."""
    lead, (q,) = _common(robot, ("q",), (robot.nq,), (q,))
    R, p = _Kinematics.apply(robot, q, link)
    return R.reshape(*lead, 3, 3), p.reshape(*lead, 3)
