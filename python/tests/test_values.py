"""Values and text that are refused, by every function that takes them."""

import os
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import parid

NAN, INF = float("nan"), float("inf")


class Text(unittest.TestCase):
    """A NUL, at which C would end a text, and lone surrogates, which UTF-8 does not have."""

    def test_everywhere(self):
        r = parid.load("planar3")
        q = np.zeros(3)
        m = r.motion(rate=10)
        w = parid.Workspace(r)
        urdf = r.to_urdf()
        calls = {
            "load": lambda x: parid.load(x),
            "load, a known name": lambda x: parid.load("planar3" + x),
            "Robot": lambda x: parid.Robot(x),
            "check": lambda x: parid.check(x),
            "parse, text": lambda x: parid.parse(x),
            "parse, format": lambda x: parid.parse(urdf, x),
            "parse, file": lambda x: parid.parse(urdf, "urdf", x),
            "check_text": lambda x: parid.check_text(x),
            "check_text, format": lambda x: parid.check_text(urdf, x),
            "check_text, file": lambda x: parid.check_text(urdf, "urdf", x),
            "kinematics, link": lambda x: r.kinematics(q, link=x),
            "kinematics, a known link": lambda x: r.kinematics(q, link=r.tip + x),
            "jacobian, link": lambda x: r.jacobian(q, x),
            "jacobian, rows": lambda x: r.jacobian(np.zeros((4, 3)), link=x),
            "an argument's name": lambda x: r.gravity_torques(q, **{x: 1}),
            "link_velocity": lambda x: r.link_velocity(q, q, x),
            "link_velocity, axes": lambda x: r.link_velocity(q, q, axes=x),
            "link_acceleration": lambda x: r.link_acceleration(q, q, q, x),
            "point_jacobian": lambda x: r.point_jacobian(q, x),
            "jacobian_rate": lambda x: r.jacobian_rate(q, q, x),
            "inverse_kinematics": lambda x: r.inverse_kinematics(x),
            "with_payload": lambda x: r.with_payload(1, link=x),
            "with_payload, a known link": lambda x: r.with_payload(1, link=r.tip + x),
            "set_wrench": lambda x: w.set_wrench(x),
            "add_wrench": lambda x: w.add_wrench(x),
            "compile": lambda x: r.compile(x, kernel="interpreted"),
            "compile, kernel": lambda x: r.compile(kernel=x),
            "torques_by": lambda x: r.torques_by(x, q, q, q),
            "compare": lambda x: r.compare(x),
            "motion": lambda x: r.motion(x),
            "motion, a file": lambda x: r.motion("/nowhere/" + x + ".csv"),
            "motion, within_limits": lambda x: r.motion(within_limits=x),
            "write_motion": lambda x: r.write_motion(m, "/nowhere/" + x + ".csv"),
            "simulate, torque": lambda x: r.simulate(torque=x),
            "simulate, controller": lambda x: r.simulate(controller=x),
            "simulate, hold": lambda x: r.simulate(torque=([0, 1], np.zeros((2, 3))), hold=x),
            "simulate, limits": lambda x: r.simulate(limits=x),
            "simulate, integrator": lambda x: r.simulate(integrator=x),
            "control, policy": lambda x: r.control(x),
            "control, law": lambda x: r.control(law=x),
            "control, motion": lambda x: r.control(motion=x),
            "control, integrator": lambda x: r.control(integrator=x),
            "stability, policy": lambda x: r.stability(x),
            "stability, law": lambda x: r.stability(law=x),
            "generate, what": lambda x: r.generate(x),
            "generate, language": lambda x: r.generate(language=x),
            "generate, inputs": lambda x: r.generate(inputs=[x]),
            "generate, link": lambda x: r.generate("jacobian", link=x),
            "generate, integrator": lambda x: r.generate("rollout", integrator=x),
            "schedule, what": lambda x: r.schedule(2, x),
            "schedule, tasks": lambda x: r.schedule(2, tasks=x),
            "schedule, scheduler": lambda x: r.schedule(2, scheduler=x),
            "schedule_of": lambda x: parid.schedule_of(x),
            "hardware, what": lambda x: r.hardware(x),
            "hardware, link": lambda x: r.hardware("ik", link=x),
            "hardware, arrangement": lambda x: r.hardware("ik", arrangement=x),
        }
        for name, call in calls.items():
            for bad, what in (
                ("a\0b", "NUL character"),
                ("\0", "NUL character"),
                ("a\ud800b", "lone surrogate, U\\+D800"),
                ("\udcff", "lone surrogate, U\\+DCFF"),
            ):
                with self.subTest(name, text=ascii(bad)):
                    with self.assertRaisesRegex(ValueError, what):
                        call(bad)

    def test_where_and_what(self):
        with self.assertRaises(ValueError) as caught:
            parid.load("puma560\0.urdf")
        self.assertEqual(
            str(caught.exception),
            "'puma560\\x00.urdf': a NUL character at index 7; remove it",
        )
        with self.assertRaises(ValueError) as caught:
            parid.load("\u00e9\ud83d")
        self.assertEqual(
            str(caught.exception),
            "'\\xe9\\ud83d': a lone surrogate, U+D83D, at index 1; remove it",
        )
        with self.assertRaisesRegex(ValueError, "^'a{56}[.]{3}: a NUL"):
            parid.load("a" * 1000 + "\0")

    def test_other_types(self):
        for wrong in (3, None, 1.5, ["planar2"]):
            self.assertRaises(TypeError, parid.load, wrong)
        with self.assertRaises(TypeError):
            parid.load("planar2").kinematics([0, 0], link=3)

    def test_paths_and_what_is_not_ascii(self):
        toml = parid.load("planar2").to_toml().replace("planar2", "\u00e9\U0001f916")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "caf\u00e9.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(toml)
            for given in (path, os.fsencode(path)):
                self.assertEqual(parid.load(given).name, "\u00e9\U0001f916")


class Values(unittest.TestCase):
    """The same that the C interface and the command line refuse."""

    def refused(self, *calls):
        for k, call in enumerate(calls):
            with self.subTest(k), self.assertRaises(ValueError):
                call()

    def test_payload(self):
        r = parid.load("planar2")
        for mass in (-1, 0, -0.0, NAN, INF, -INF):
            with self.assertRaisesRegex(ValueError, "mass: "):
                r.with_payload(mass)
        self.refused(
            lambda: r.with_payload(1, [0, NAN, 0]),
            lambda: r.with_payload(1, [0, INF, 0]),
            lambda: r.with_payload(1, [0, 1]),
            lambda: r.with_payload(1, inertia=[NAN, 0, 0, 0, 0, 0]),
            lambda: r.with_payload(1, inertia=[-1, 1, 1, 0, 0, 0]),
            lambda: r.with_payload(1, inertia=[1, 1, 5, 0, 0, 0]),
            lambda: r.with_gravity([0, 0, NAN]),
            lambda: r.with_gravity([0, 0, -INF]),
            lambda: r.with_gravity([0, 0]),
        )

    def test_surroundings(self):
        w = parid.Workspace(parid.load("planar2"))
        w.set_wrench(force=[1, 2, 3])
        before = w.bias([0.1, 0.2], [0, 0])
        for bad in (NAN, INF, -INF):
            self.refused(
                lambda: w.add_wrench(force=[bad, 0, 0]),
                lambda: w.set_wrench(moment=[0, bad, 0]),
                lambda: w.set_base_motion([bad, 0, 0]),
                lambda: w.set_base_motion((0, 0, 0), [0, bad, 0]),
                lambda: w.set_base_motion(linear_acceleration=[0, 0, bad]),
            )
        self.refused(lambda: w.add_wrench(force=[1]), lambda: w.set_wrench("hand"))
        np.testing.assert_array_equal(w.bias([0.1, 0.2], [0, 0]), before)  # nothing was changed

    def test_counts(self):
        r = parid.load("planar2")
        q = np.zeros((5, 2))
        self.refused(
            lambda: r.gravity_torques(q, threads=-1),
            lambda: r.gravity_torques(q, threads=0),
            lambda: r.gravity_torques(q, threads=5000),
            lambda: r.compile(threads=-1),
            lambda: r.compile(threads=5000),
            lambda: r.stability("exact", count=3, threads=-2),
            lambda: r.inverse_kinematics(threads=-1),
            lambda: r.inverse_kinematics(threads=5000),
            lambda: r.inverse_kinematics(attempts=0),
            lambda: r.inverse_kinematics(steps=-1),
            lambda: r.inverse_kinematics(position_tolerance=NAN),
            lambda: r.compare(samples=0),
            lambda: r.compare(samples=10**15),
            lambda: r.schedule(0),
            lambda: r.schedule(-4),
            lambda: r.schedule(2, latency=-1),
            lambda: r.schedule(2, speeds=[1, 0]),
            lambda: r.schedule(2, speeds=[1, NAN]),
            lambda: r.schedule(2, seconds=0),
            lambda: r.schedule(2, seconds=NAN),
            lambda: r.stability("exact", poses=10**12),
            lambda: r.stability("exact", poses=0),
            lambda: r.stability("exact", count=10**12),
            lambda: r.stability("exact", count=1),
            lambda: r.generate("rollout", steps=0),
            lambda: r.generate("inverse", lanes=-1, language="cpp"),
            lambda: r.generate("inverse", lanes=3, language="cpp"),
            lambda: r.hardware(word=1),
            lambda: r.hardware(units=0),
        )

    def test_times_and_rates(self):
        r = parid.load("planar2")
        for bad in (0, -1, NAN, INF):
            self.refused(
                lambda: r.motion(rate=bad),
                lambda: r.sine(0.5, rate=bad),
                lambda: r.sine(0.5, duration=bad),
                lambda: r.simulate(time=bad),
                lambda: r.simulate(rate=bad),
                lambda: r.simulate(step=bad, integrator="rk4"),
                lambda: r.simulate(tolerance=bad),
                lambda: r.simulate(torque=lambda t, q, v: 0 * v, control_rate=bad),
                lambda: r.control(rate=bad),
                lambda: r.control(record_rate=bad),
                lambda: r.control(lost=bad),
                lambda: r.stability("exact", periods=[bad]),
                lambda: r.exciting_motion(bad),
                lambda: r.exciting_motion(2, rate=bad),
                lambda: r.exciting_motion(2, share=bad),
                lambda: r.sampling_rate(stiffness=bad),
                lambda: r.sampling_rate(full_torque_at=bad),
                lambda: r.generate("rollout", dt=bad),
                lambda: parid.MomentumObserver(r, gain=bad),
            )
        observer = parid.MomentumObserver(r, gain=50)
        for bad in (-1, NAN, INF):
            self.refused(
                lambda: observer.update(bad, [0, 0], [0, 0], [0, 0]),
                lambda: r.control(time=bad),
                lambda: r.control(position_noise=bad),
                lambda: r.control(switch_at=bad),
                lambda: r.identify(r.motion(), rest_velocity=bad),
                lambda: r.filter_motion(r.motion(), cutoff=bad),
            )

    def test_numbers(self):
        r = parid.load("planar2")
        t, q = [0.0, 0.1, 0.2], np.zeros((3, 2))
        for bad in (NAN, INF, -INF):
            wrong = q.copy()
            wrong[1, 0] = bad
            self.refused(
                lambda: r.sine(bad),
                lambda: r.sine(0.5, frequency=bad),
                lambda: r.sine(0.5, about=[bad, 0]),
                lambda: r.simulate([bad, 0]),
                lambda: r.simulate([0, 0], [bad, 0]),
                lambda: r.simulate(torque=(t, wrong)),
                lambda: r.simulate(torque=([0.0, bad, 1.0], q)),
                lambda: r.simulate(controller="pd", kp=bad),
                lambda: r.simulate(controller="pd", motion=parid.Motion(t, wrong, q, q)),
                lambda: r.control(kd=[1, bad]),
                lambda: r.control(pose=[bad, 0], time=0.1),
                lambda: r.control(start_offset=[bad, 0]),
                lambda: r.control(motion=parid.Motion(t, q, wrong, q)),
                lambda: r.stability("exact", poses=[bad, 0]),
                lambda: r.stability("exact", kp=bad),
                lambda: r.generate("jacobian", point=[bad, 0, 0]),
            )
        self.refused(
            lambda: r.simulate(torque=([0.0, 0.2, 0.1], q)),
            lambda: r.simulate(controller="pd", motion=parid.Motion([0.0, 0.2, 0.1], q, q, q)),
            lambda: r.control(motion=parid.Motion([0.0, 0.2, 0.2], q, q, q)),
            lambda: r.simulate(torque=([], np.zeros((0, 2)))),
        )


class Interrupts(unittest.TestCase):
    def test_control_c_ends_a_compiler_that_hangs(self):
        with tempfile.TemporaryDirectory() as folder:
            script, started = os.path.join(folder, "cc"), os.path.join(folder, "started")
            with open(script, "w") as file:
                file.write(
                    "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n"
                    f"echo $$ > '{started}.new'; mv '{started}.new' '{started}'; exec sleep 600\n"
                )
            os.chmod(script, 0o700)
            before = {k: os.environ.get(k) for k in ("PARID_CC", "PARID_CACHE")}
            os.environ.update(PARID_CC=script, PARID_CACHE=os.path.join(folder, "cache"))

            def interrupt():
                while not os.path.exists(started):
                    time.sleep(0.01)
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

            thread = threading.Thread(target=interrupt)
            thread.start()
            try:
                r = parid.load("planar2").with_payload(1.2345)
                with self.assertRaises(KeyboardInterrupt):
                    r.compile()
                    time.sleep(1)  # the interrupt comes at the latest here
                with open(started) as file:
                    process = int(file.read())
                self.assertFalse(os.path.exists(f"/proc/{process}"))
                self.assertIn("interrupted", r.kernel_note)
            finally:
                thread.join()
                for key, value in before.items():
                    if value is None:
                        del os.environ[key]
                    else:
                        os.environ[key] = value


if __name__ == "__main__":
    unittest.main()
