#!/usr/bin/python3
"""Learns panda's inertial parameters from samples of torques, with parid.torch on the CPU.

    python3 learn_inertias.py [SAMPLES] [EPOCHS] [PICTURE.svg]

The samples are random states and the torques that the robot needs there, with noise. The model
starts from parameters that are off by a factor between 0.5 and 1.5 and is trained on minibatches.
What remains of the first error is printed for torques that the training has not seen. The picture
is the loss curve.
"""

import math
import sys

import numpy as np

import parid

NOISE = 0.01  # of the standard deviation of each joint's torque


def samples(robot, count, rng):
    low = np.array([joint.lower for joint in robot.joints if joint.type != "fixed"])
    high = np.array([joint.upper for joint in robot.joints if joint.type != "fixed"])
    q = rng.uniform(low, high, (count, robot.nq))
    v = rng.normal(0, 1, (count, robot.nv))
    a = rng.normal(0, 3, (count, robot.nv))
    tau = robot.inverse_dynamics(q, v, a)
    scale = tau.std(axis=0)
    return q, v, a, tau + NOISE * scale * rng.normal(size=tau.shape), scale


def learn(count=100_000, epochs=8, batch=2000, seed=1):
    """(losses of the minibatches, error of unseen torques before and after, both as shares)."""
    import torch
    import parid.torch

    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    robot = parid.load("panda")
    q, v, a, tau, scale = samples(robot, count + 1000, rng)
    data = torch.utils.data.TensorDataset(*(torch.from_numpy(x[:count]) for x in (q, v, a, tau)))
    test = [torch.from_numpy(x[count:]) for x in (q, v, a, tau)]
    scale = torch.from_numpy(scale)

    # Parameters have different units: each is learnt as a share of its link's scale.
    true = torch.from_numpy(robot.regressor_parameters)
    start = true * torch.from_numpy(rng.uniform(0.5, 1.5, true.shape))
    size = true.reshape(-1, 10).abs()
    units = torch.cat([size[:, :1], size[:, 1:4].amax(1, keepdim=True).expand(-1, 3),
                       size[:, 4:].amax(1, keepdim=True).expand(-1, 6)], 1).reshape(-1)
    shares = (start / units).requires_grad_()

    def loss_of(q, v, a, tau):
        off = parid.torch.inverse_dynamics(robot, q, v, a, parameters=shares * units) - tau
        return ((off / scale) ** 2).mean()

    optimizer = torch.optim.Adam([shares], lr=0.02)
    batches = torch.utils.data.BatchSampler(torch.utils.data.RandomSampler(data), batch, False)
    steps = epochs * len(batches)
    falling = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda k: 0.5 * (1 + math.cos(math.pi * k / steps)))
    losses = []
    first = math.sqrt(loss_of(*test).item())
    for _ in range(epochs):
        for rows in batches:
            loss = loss_of(*(x[rows] for x in data.tensors))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            falling.step()
            losses.append(loss.item())
    return losses, first, math.sqrt(loss_of(*test).item())


def curve(losses):
    """An SVG of the loss on a logarithmic axis."""
    wide, high, left, low = 640, 300, 70, 40
    top = math.ceil(math.log10(max(losses)))
    bottom = math.floor(math.log10(min(losses)))

    def at(k, loss):
        x = left + (wide - left - 15) * k / max(1, len(losses) - 1)
        y = 15 + (high - low - 15) * (top - math.log10(loss)) / (top - bottom)
        return f"{x:.1f},{y:.1f}"

    lines = []
    for power in range(bottom, top + 1):
        y = at(0, 10.0 ** power).split(",")[1]
        lines.append(f'<line x1="{left}" x2="{wide - 15}" y1="{y}" y2="{y}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{y}" dy="4" text-anchor="end">1e{power}</text>')
    step = max(1, len(losses) // 300)
    points = " ".join(at(k, losses[k]) for k in range(0, len(losses), step))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
            f'viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" fill="white"/>{"".join(lines)}'
            f'<polyline points="{points}" fill="none" stroke="#0072B2" stroke-width="1.5"/>'
            f'<text x="{wide / 2}" y="{high - 10}" text-anchor="middle">minibatch (0 to '
            f'{len(losses) - 1})</text><text x="14" y="{high / 2}" text-anchor="middle" '
            f'transform="rotate(-90 14 {high / 2})">mean square error / variance</text></svg>\n')


def main(words):
    try:
        import torch  # noqa: F401
    except ImportError:
        print("skipped: PyTorch is not installed (package python3-torch)")
        return
    count = int(words[0]) if words else 100_000
    epochs = int(words[1]) if len(words) > 1 else 8
    losses, first, last = learn(count, epochs)
    print(f"{count} samples, {len(losses)} minibatches")
    print(f"error of unseen torques: {100 * first:.1f} % before, {100 * last:.2f} % after, "
          f"of which the noise is {100 * NOISE:.0f} %")
    if len(words) > 2:
        with open(words[2], "w", encoding="ascii") as file:
            file.write(curve(losses))


if __name__ == "__main__":
    main(sys.argv[1:])
