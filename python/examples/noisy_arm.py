"""Identify a simulated arm that is measured as real arms are, and compare with the truth.

    python3 noisy_arm.py [ROBOT] [LOG.csv]

The arm moves along an excitation motion. Its log has

    positions  of encoders on the motor side of elastic joints, with 16 bits per turn and noise of
               1e-4 rad, at 100 Hz
    torques    with viscous and Coulomb friction, noise of 2 % and a delay of 1 ms

The robot file that identification starts from has wrong masses. The table shows the error of the
torques that the identified robot predicts along another motion, without friction, and what the
program itself says about the fit. With a second argument the log is written as CSV.
"""

import sys
import warnings

import numpy as np

import parid


def measured(robot, motion, rng, *, noise=1e-4, bits=16, stiffness=2e4, torque_noise=0.02,
             delay=1e-3):
    """The log of a motion. The torque at a joint bends its spring, which its encoder sees."""
    joint = robot.inverse_dynamics(motion.q, motion.v, motion.a)
    tau = joint + 0.5 * motion.v + np.sign(motion.v)
    late = np.array([np.interp(motion.t - delay, motion.t, column) for column in tau.T]).T
    q = motion.q + (joint / stiffness if stiffness else 0)
    q = q + noise * rng.standard_normal(q.shape)
    if bits:
        step = 2 * np.pi / 2**bits
        q = step * np.round(q / step)
    rms = np.sqrt(np.mean(joint**2, axis=0))
    late = late + torque_noise * rms * rng.standard_normal(late.shape)
    return parid.Motion.measured(motion.t, q, late)


def torque_error(truth, found, motion):
    """RMS error of predicted torques over RMS torque."""
    right = truth.inverse_dynamics(motion.q, motion.v, motion.a)
    wrong = found.inverse_dynamics(motion.q, motion.v, motion.a) - right
    return np.sqrt(np.sum(wrong**2) / np.sum(right**2))


def differences(log):
    """Velocities and accelerations by central differences, without a filter."""
    v = np.gradient(log.q, log.t, axis=0)
    return parid.Motion(log.t, log.q, v, np.gradient(v, log.t, axis=0), log.tau)


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "ur5"
    truth = parid.load(name)
    start = truth.with_payload(1.5)  # the robot file is wrong by a tool that is not there
    rng = np.random.default_rng(1)
    motion, other = truth.exciting_motion(10.0), truth.exciting_motion(7.0)
    ideal = dict(noise=0, bits=0, stiffness=0, torque_noise=0, delay=0)
    cases = [
        ("encoder noise 1e-4 rad", dict(ideal, noise=1e-4)),
        ("16 bits per turn", dict(ideal, bits=16)),
        ("torque noise 2 %", dict(ideal, torque_noise=0.02)),
        ("torques 1 ms late", dict(ideal, delay=1e-3)),
        ("springs of 2e4 N m/rad", dict(ideal, stiffness=2e4)),
        ("all together", {}),
    ]
    print(f"{name}: torque error before identification "
          f"{100 * torque_error(truth, start, other):.2f} %")
    print(f"{'log':<24} {'filter':<16} {'cut-off':>8} {'residual':>9} {'noise':>8} "
          f"{'torque error':>13}  verdict")
    warnings.simplefilter("ignore", RuntimeWarning)
    for label, how in cases:
        log = measured(truth, motion, rng, **how)
        for kind in ("none", "butterworth", "savitzky-golay"):
            given = differences(log) if kind == "none" else log
            found = start.identify(given, filter=kind, max_residual=10)
            verdict = found.verdict if found.residual < 0.2 else "poor"
            cutoff = f"{found.filters[0].cutoff:.2f}" if kind != "none" else "-"
            print(f"{label:<24} {kind:<16} {cutoff:>8} {100 * found.residual:>8.2f}% "
                  f"{100 * found.noise:>7.2f}% "
                  f"{100 * torque_error(truth, found.robot, other):>12.2f}%  {verdict}")
    if len(sys.argv) > 2:
        names = truth.velocity_names
        header = ",".join(["t"] + [f"q:{n}" for n in names] + [f"tau:{n}" for n in names])
        np.savetxt(sys.argv[2], np.column_stack([log.t, log.q, log.tau]), delimiter=",",
                   header=header, comments="")


if __name__ == "__main__":
    main()
