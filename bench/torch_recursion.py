"""parid.torch beside Newton and Euler's recursion written in torch tensors.

    ./run python bench/torch_recursion.py [ROBOT] [ROWS]

Torques of ROWS random states (100 000) and their backward pass by positions, velocities and
accelerations, in double precision, best of some rounds that take turns. The recursion is that of a
chain of revolute joints, with one batched operation per vector and link; its torques and gradients
are compared with Parid's first.
"""

import sys
import time

import numpy as np
import torch

import parid
import parid.torch


class Recursion:
    """The torques of a chain of revolute joints, by torch alone."""

    def __init__(self, robot, dtype=torch.float64):
        as_tensor = lambda x: torch.tensor(np.asarray(x), dtype=dtype)  # noqa: E731
        moving = [j for j in robot.joints if j.type in ("revolute", "continuous")]
        if len(moving) != robot.nv or robot.nq != robot.nv:
            raise SystemExit(f"{robot.name} is not a chain of revolute joints")
        self.gravity = as_tensor(robot.gravity)
        self.links = []
        zero = np.zeros(robot.nq)
        R_parent, p_parent, before = np.eye(3), np.zeros(3), None
        for k, joint in enumerate(moving):
            if before is not None and not self._carries(robot, before, joint.parent):
                raise SystemExit(f"{robot.name} is a tree")
            pose = robot.kinematics(zero, joint.child)
            R, p = R_parent.T @ pose.rotation, R_parent.T @ (pose.position - p_parent)
            n = np.asarray(joint.axis)
            cross = np.cross(np.eye(3), n)
            outer = np.outer(n, n)
            m, first, second = np.split(robot.regressor_parameters[10 * k:10 * k + 10], [1, 4])
            xx, yy, zz, xy, xz, yz = second
            moments = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            inertia = np.trace(moments) * np.eye(3) - moments
            # The rotation is fixed + cos(q) even + sin(q) odd.
            self.links.append([as_tensor(x) for x in (
                R @ outer, R @ (np.eye(3) - outer), R @ cross, p, n, m, first, inertia)])
            R_parent, p_parent, before = pose.rotation, pose.position, joint.child
        self.rotors = as_tensor([j.rotor_inertia for j in moving])

    @staticmethod
    def _carries(robot, link, other):
        parents = {j.child: (j.parent, j.type) for j in robot.joints}
        while other != link and other in parents and parents[other][1] == "fixed":
            other = parents[other][0]
        return other == link

    def __call__(self, q, v, a):
        rows = q.shape[0]
        sine, cosine = torch.sin(q), torch.cos(q)
        w = wd = torch.zeros(rows, 3, dtype=q.dtype)
        acc = (-self.gravity).expand(rows, 3)
        turns, forces, moments = [], [], []

        def down(R, x):  # Rᵀ x, row by row
            return (x.unsqueeze(1) @ R).squeeze(1)

        for k, (fixed, even, odd, p, n, m, first, inertia) in enumerate(self.links):
            R = fixed + cosine[:, k, None, None] * even + sine[:, k, None, None] * odd
            arm = p.expand(rows, 3)
            acc = down(R, acc + torch.cross(wd, arm, dim=1)
                       + torch.cross(w, torch.cross(w, arm, dim=1), dim=1))
            w, wd = down(R, w), down(R, wd)
            spin = v[:, k, None] * n
            wd = wd + torch.cross(w, spin, dim=1) + a[:, k, None] * n
            w = w + spin
            h = first.expand(rows, 3)
            force = m * acc + torch.cross(wd, h, dim=1) + torch.cross(
                w, torch.cross(w, h, dim=1), dim=1)
            moment = wd @ inertia + torch.cross(w, w @ inertia, dim=1) + torch.cross(h, acc, dim=1)
            turns.append(R)
            forces.append(force)
            moments.append(moment)
        tau = [None] * len(self.links)
        force, moment = forces[-1], moments[-1]
        for k in reversed(range(len(self.links))):
            tau[k] = moment @ self.links[k][4] + self.rotors[k] * a[:, k]
            if k == 0:
                break
            R, arm = turns[k], self.links[k][3].expand(rows, 3)
            up = (R @ force.unsqueeze(2)).squeeze(2)
            moment = (moments[k - 1] + (R @ moment.unsqueeze(2)).squeeze(2)
                      + torch.cross(arm, up, dim=1))
            force = forces[k - 1] + up
        return torch.stack(tau, 1)


def both(function, state):
    for x in state:
        x.grad = None
    tau = function(*state)
    tau.square().sum().backward()
    return tau.detach(), [x.grad for x in state]


def main(words):
    robot = parid.load(words[0] if words else "panda")
    rows = int(words[1]) if len(words) > 1 else 100_000
    rng = np.random.default_rng(1)
    state = [torch.tensor(rng.uniform(-1, 1, (rows, robot.nv)), requires_grad=True)
             for _ in range(3)]
    torch.set_num_threads(parid.available_cores())
    recursion = Recursion(robot)
    functions = {"torch tensors": recursion,
                 "parid.torch": lambda *x: parid.torch.inverse_dynamics(robot, *x)}
    few = [x[:50].detach().clone().requires_grad_() for x in state]
    (tau, grads), (own, mine) = (both(f, few) for f in functions.values())
    assert torch.allclose(tau, own, rtol=1e-9, atol=1e-9)
    assert all(torch.allclose(x, y, rtol=1e-8, atol=1e-8) for x, y in zip(grads, mine))
    best = {name: float("inf") for name in (*functions, "parid.torch, compiled")}

    def rounds(names):
        for _ in range(5):
            for name, function in names.items():
                start = time.perf_counter()
                both(function, state)
                best[name] = min(best[name], time.perf_counter() - start)

    rounds(functions)
    kinds = [robot.compile("inverse"), robot.compile("inverse_vjp")]
    if all("compiled" in kind.values() for kind in kinds):
        rounds({"parid.torch, compiled": functions["parid.torch"]})
    print(f"{robot.name}, {rows} rows, forward and backward, {torch.get_num_threads()} threads")
    for name, seconds in best.items():
        if seconds < float("inf"):
            print(f"{name:<24}{1e3 * seconds:9.1f} ms{best['torch tensors'] / seconds:8.1f}x")


if __name__ == "__main__":
    main(sys.argv[1:])
