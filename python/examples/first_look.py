# %% [markdown]
# # A first look at an arm
#
# Cells as notebooks have them: open this file in VS Code, Spyder or Jupyter (by jupytext), or run
# it whole.
# Pictures go to the folder named on the command line, or here.

# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import parid

folder = Path(sys.argv[1]) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else Path(".")
folder.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# A robot by name or from a robot file, and a motion within its limits.

# %%
arm = parid.load("panda")
motion = arm.motion(rate=200)
tau = arm.inverse_dynamics(motion.q, motion.v, motion.a)
print(arm, f"{len(motion)} samples, {motion.t[-1]:.2f} s")
for name, peak, limit in zip(arm.velocity_names, np.abs(tau).max(axis=0), arm.effort_limits):
    print(f"  {name:<14} {peak:7.2f} N m, {100 * peak / limit:3.0f} % of what its motor can")

# %% [markdown]
# What makes these torques: gravity, and motion. And what 3 kg in the hand add.

# %%
gravity = arm.gravity_torques(motion.q)
heavy = arm.with_payload(3.0, [0, 0, 0.1])
loaded = heavy.inverse_dynamics(motion.q, motion.v, motion.a)

# Okabe and Ito's colours, which the colour-blind can tell apart
colours = ["#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000"]
figure, axes = plt.subplots(3, 1, figsize=(8, 9), sharex=True, constrained_layout=True)
hand = arm.kinematics(motion.q).position
for k, name in enumerate("xyz"):
    axes[0].plot(motion.t, hand[:, k], color="black", ls=["-", "--", ":"][k], label=name)
for k, name in enumerate(arm.velocity_names):
    axes[1].plot(motion.t, tau[:, k], color=colours[k], label=name)
    axes[1].plot(motion.t, gravity[:, k], color=colours[k], ls=":", lw=1)
    axes[2].plot(motion.t, loaded[:, k] - tau[:, k], color=colours[k])
axes[0].set_ylabel("the hand (m)")
axes[0].legend()
axes[1].legend(ncol=4, fontsize="small")
axes[1].set_ylabel("torque (N m)\ndotted: gravity's part")
axes[2].set_ylabel("what 3 kg add (N m)")
axes[2].set_xlabel("t (s)")
figure.suptitle("Panda along a minimum-jerk motion")
figure.savefig(folder / "torques.png", dpi=110)

# %% [markdown]
# Faster: the same path, as fast as the motors allow.

# %%
fast = arm.motion(motion, within_limits="uniform")
print(f"uniformly faster: {fast.t[-1]:.2f} s; at the limit:",
      *(b[0] + " " + b[1] for b in fast.binding))

# %% [markdown]
# Ten thousand poses at once: where the hand can be, and how well it can move there.

# %%
rng = np.random.default_rng(1)
q = rng.uniform(arm.lower, arm.upper, (10_000, arm.nq))
hand = arm.kinematics(q).position
J = arm.jacobian(q)[:, :3]
dexterity = np.sqrt(np.linalg.det(J @ J.transpose(0, 2, 1)))
figure, axis = plt.subplots(figsize=(5, 5.5), constrained_layout=True)
reach = np.hypot(hand[:, 0], hand[:, 1])
dots = axis.scatter(reach, hand[:, 2], c=dexterity, s=3, cmap="viridis")
figure.colorbar(dots, label="manipulability √det(J Jᵀ)")
axis.set(xlabel="distance from the axis (m)", ylabel="height (m)",
         title="Panda: where the hand can be", aspect="equal")
figure.savefig(folder / "workspace.png", dpi=110)

# %% [markdown]
# Let it move: computed torque at 1 kHz with 1 kg in the hand, of which the controller knows, or
# does not.

# %%
truth = arm.with_payload(1.0, [0, 0, 0.1])
figure, axes = plt.subplots(2, 1, figsize=(8, 6), sharex=True, constrained_layout=True)
for model, what, colour in [(truth, "knows of it", colours[0]), (arm, "does not", colours[3])]:
    run = truth.control(model=model, rate=1000, motion=motion, kp=400, kd=40)
    s = run.simulation
    wanted = np.stack([np.interp(s.t, motion.t, motion.q[:, k]) for k in range(arm.nq)], axis=1)
    axes[0].semilogy(s.t[1:], 1e3 * np.abs(wanted - s.q)[1:].max(axis=1), color=colour, label=what)
    axes[1].plot(s.t, s.tau[:, 3], color=colour, lw=1)
    print(f"a controller that {what}: {1e3 * run.max_error:.3g} mrad off at most")
axes[0].set_ylabel("largest error (mrad)")
axes[0].legend()
axes[1].set_ylabel("torque of joint 4 (N m)")
axes[1].set_xlabel("t (s)")
figure.suptitle("Computed torque, and 1 kg in the hand")
figure.savefig(folder / "control.png", dpi=110)

# %% [markdown]
# And its specialized program, for a microcontroller.

# %%
program = arm.generate("inverse", single_precision=True)
print(f"{program.multiplications} multiplications, {program.additions} additions; files:",
      *program.files)
