"""Poses as people give them: rotation matrices, quaternions, results of kinematics()."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._results import Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def rotations(quaternion: ArrayLike) -> Array:
    """Rotation matrices (…, 3, 3) of quaternions x y z w (…, 4), which need not be normalized."""
    x = np.asarray(quaternion, dtype=float)
    if x.ndim < 1 or x.shape[-1] != 4:
        raise ValueError(f"quaternion has shape {x.shape}; give (4,): x y z w, or (…, 4) for many")
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    if not np.all(np.isfinite(length)) or np.any(length == 0):
        raise ValueError("quaternion is zero or not finite; give x y z w")
    u, w = (x / length)[..., :3], (x / length)[..., 3]
    cross = np.zeros(x.shape[:-1] + (3, 3))
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -u[..., 2], u[..., 1], -u[..., 0]
    cross = cross - np.swapaxes(cross, -1, -2)
    result: Array = np.eye(3) + 2 * w[..., None, None] * cross + 2 * cross @ cross
    return result


def as_rotation(rotation: ArrayLike) -> Array:
    """A rotation matrix (…, 3, 3); anything else is refused."""
    R = np.asarray(rotation, dtype=float)
    if R.ndim < 2 or R.shape[-2:] != (3, 3):
        raise ValueError(f"rotation has shape {R.shape}; give (3, 3), or (…, 3, 3) for many")
    return R


def pose_rows(position: ArrayLike, rotation: Optional[ArrayLike],
              quaternion: Optional[ArrayLike]) -> Tuple[Array, Optional[Array]]:
    """Positions (…, 3) and rotations (…, 3, 3) with the same leading dimensions."""
    if rotation is not None and quaternion is not None:
        raise ValueError("give rotation or quaternion, not both")
    if isinstance(position, Pose):
        if rotation is not None or quaternion is not None:
            raise ValueError("position is a pose, which has a rotation; give no other")
        pose: Pose = position
        position, rotation = pose.position, pose.rotation
    p = np.asarray(position, dtype=float)
    if p.ndim < 1 or p.shape[-1] != 3:
        raise ValueError(f"position has shape {p.shape}; give (3,), or (…, 3) for many poses")
    if rotation is not None:
        R = as_rotation(rotation)
    elif quaternion is not None:
        R = rotations(quaternion)
    else:
        return p, None
    try:
        leading = np.broadcast_shapes(p.shape[:-1], R.shape[:-2])
    except ValueError:
        raise ValueError(f"rotation has shape {R.shape}, position {p.shape}; give leading "
                         "dimensions that broadcast") from None
    return np.broadcast_to(p, leading + (3,)), np.broadcast_to(R, leading + (3, 3))
