"""Robots and their files: facts, variations, findings, messages; threads."""

import copy
import gc
import os
import pickle
import signal
import sys
import tempfile
import threading
import time
import tracemalloc
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

import parid

WRONG = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><inertial><mass value="1"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <axis xyz="0 0 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""


class Files(unittest.TestCase):
    def test_errors_have_place_and_remedy(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arm.urdf"
            path.write_text(WRONG)
            with self.assertRaises(parid.Error) as caught:
                parid.load(path)
            error = caught.exception
            self.assertEqual(error.file, str(path))
            self.assertGreater(error.line, 0)
            self.assertTrue(error.message)
            self.assertTrue(error.remedy)
            self.assertIn(f":{error.line}: ", str(error))
            found = parid.check(path)
            self.assertEqual({f.code for f in found if f.severity == "error"},
                             {"triangle-inequality", "zero-axis"})
            self.assertEqual([f.line for f in found if f.code == "zero-axis"], [8])
            self.assertIn("arm.urdf:8: error: joint 'shoulder' has a zero axis", str(found[-1]))
        self.assertEqual(len(parid.check_text(WRONG)), len(found))

    def test_text_that_is_no_robot(self):
        with self.assertRaises(parid.Error) as caught:
            parid.parse("<robot", "urdf", "half.urdf")
        self.assertEqual(caught.exception.file, "half.urdf")
        with self.assertRaisesRegex(parid.Error, "choose from automatic, urdf"):
            parid.parse("", "xml")
        with self.assertRaises(parid.Error):
            parid.load("/nowhere/arm.urdf")

    def test_judged_by_use(self):
        light = """<robot name="light"><link name="a"/><link name="b"/>
        <joint name="wrist" type="revolute"><parent link="a"/><child link="b"/>
        <axis xyz="0 0 1"/></joint></robot>"""
        r = parid.parse(light)
        np.testing.assert_array_equal(r.inverse_dynamics([0.1], [0.2], [0.3]), [0.0])
        with self.assertRaisesRegex(parid.Error, "'wrist'.*singular"):
            r.forward_dynamics([0.1], [0.2], [0.3])
        with self.assertRaisesRegex(parid.Error, "'wrist'"):
            r.forward_dynamics(np.zeros((9, 1)), np.zeros((9, 1)), np.zeros((9, 1)))
        with self.assertRaisesRegex(parid.Error, "'wrist'"):
            parid.parse(light, strict=True)

    def test_robots_from_parts(self):
        arm = parid.load("planar2")
        both = arm.with_attached(arm, "link2", "hand_", (1, 0, 0))
        self.assertEqual(both.nv, 4)
        self.assertEqual(both.without_branch("hand_base").velocity_names, arm.velocity_names)
        framed = arm.with_frame("tool", "link2", (0.1, 0, 0))
        p = framed.kinematics([0.0, 0.0], "tool").position
        p0 = framed.kinematics([0.0, 0.0], "link2").position
        np.testing.assert_allclose(np.linalg.norm(p - p0), 0.1, atol=1e-15)

    def test_written_and_read_again(self):
        r = parid.load("panda").with_payload(2, [0, 0, 0.1], np.diag([0.1, 0.1, 0.1]))
        q, v, a = np.random.default_rng(1).uniform(-1, 1, (3, 7))
        tau = r.inverse_dynamics(q, v, a)
        for again in (
            parid.parse(r.to_toml(), "toml"),
            parid.parse(r.to_urdf(), "urdf"),
            pickle.loads(pickle.dumps(r)),
        ):
            self.assertIs(type(again), parid.Robot)
            np.testing.assert_allclose(again.inverse_dynamics(q, v, a), tau, atol=1e-12)
        self.assertIs(copy.deepcopy(r), r)

    def test_results_can_be_pickled(self):
        r = parid.load("planar2")
        g = pickle.loads(pickle.dumps(r.inverse_gradient([0, 0], [0, 0], [0, 0])))
        self.assertIsInstance(g, parid.InverseGradient)
        self.assertEqual(len(pickle.loads(pickle.dumps(r.motion())).q), 201)


class Facts(unittest.TestCase):
    def test_limits(self):
        r = parid.load("panda")
        self.assertTrue(np.all(r.lower < r.upper))
        self.assertTrue(np.all((r.lower <= r.neutral) & (r.neutral <= r.upper)))
        self.assertTrue(np.isinf(parid.load("chain:3").effort_limits).all())

    def test_a_limit_of_zero_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "zero.toml"
            file.write_text(
                "convention = \"modified\"\n[[joint]]\nlower = -1\nupper = 1\nvelocity = 0\neffort = 0\n"
                "mass = 1\ncom = [0.1, 0, 0]\ninertia = [0.1, 0.1, 0.1]\n"
            )
            r = parid.load(file)
        self.assertTrue(np.isinf(r.effort_limits).all() and np.isinf(r.velocity_limits).all())
        self.assertEqual(r.broken_limits(r.motion()), [])

    def test_variations_leave_the_robot_alone(self):
        r = parid.load("ur5")
        q = np.full(6, 0.3)
        before = r.gravity_torques(q)
        heavy, moon = r.with_payload(5), r.with_gravity([0, 0, -1.62])
        self.assertIs(type(heavy), parid.Robot)
        self.assertFalse(np.allclose(heavy.gravity_torques(q), before))
        np.testing.assert_allclose(moon.gravity_torques(q), before * 1.62 / 9.81, atol=1e-12)
        np.testing.assert_array_equal(r.gravity_torques(q), before)
        for wrong in (lambda: r.with_payload(-1), lambda: r.with_payload(1, inertia=np.eye(4))):
            self.assertRaises(ValueError, wrong)
        with self.assertRaisesRegex(parid.Error, "has no link"):
            r.with_payload(1, link="gripper")

    def test_subclasses(self):
        class Mine(parid.Robot):
            def gravity_power(self, q, v):
                return self.gravity_torques(q) @ v

        self.assertEqual(Mine("planar2").gravity_power([0, 0], [0, 0]), 0)

        class Careless(parid.Robot):
            def __init__(self):
                pass

        with self.assertRaises(TypeError):
            Careless().gravity_torques([0, 0])


class Threads(unittest.TestCase):
    def test_one_robot_many_threads(self):
        r = parid.load("panda")
        rng = np.random.default_rng(3)
        work = [rng.uniform(-1, 1, (3, rows, 7)) for rows in (1, 700, 3, 1500) for _ in range(6)]
        want = [r.inverse_dynamics(*x, threads=1) for x in work]

        def one(x):
            rows = np.array([r.inverse_dynamics(q, v, a) for q, v, a in zip(*x)])
            return rows, r.inverse_dynamics(*x, threads=2), r.mass_matrix(x[0])

        with ThreadPoolExecutor(4) as pool:
            for (rows, batch, _), y in zip(pool.map(one, work), want):
                np.testing.assert_array_equal(batch, y)
                np.testing.assert_allclose(rows, y, rtol=0, atol=1e-11)

    def test_after_fork(self):
        r = parid.load("panda")
        q = np.random.default_rng(4).uniform(-1, 1, (3000, 7))
        want = r.gravity_torques(q, threads=2)  # makes threads, which a child does not have
        child = os.fork()
        if child == 0:
            good = np.array_equal(r.gravity_torques(q, threads=2), want)
            del r
            os._exit(0 if good else 1)
        for _ in range(600):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            time.sleep(0.05)
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            self.fail("the child waits for threads that it does not have")
        self.assertEqual(status, 0)

    def test_batches_can_be_interrupted(self):
        r = parid.load("humanoid")
        r.compile(kernel="generic")
        rows, row = 30_000_000, np.zeros(r.nv)  # half a minute, in no memory
        q, v = np.broadcast_to(r.neutral, (rows, r.nq)), np.zeros(r.nv)
        out = np.lib.stride_tricks.as_strided(row, (rows, r.nv), (0, 8))
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            r.inverse_dynamics(q, v, v, out=out)
        self.assertEqual(r.gravity_torques(q[:3]).shape, (3, r.nv))  # and it goes on

    def test_nothing_leaks(self):
        r = parid.load("planar2")
        q, f, whole = np.zeros((50, 2)), np.zeros(2, np.float32), [0, 0]
        out = np.zeros((50, 2))

        def calls():
            r.inverse_dynamics(q, q, q, out=out)
            r.inverse_dynamics(q, q, q.astype(int))
            r.inverse_gradient(f, f, f)
            r.kinematics(whole, "link1")
            r.energy(q[:, ::-1], q)
            for wrong in ((q, q), (q, q, q[:3]), (q, "x", q)):
                with self.assertRaises((TypeError, ValueError)):
                    r.inverse_dynamics(*wrong)

        for _ in range(20):
            calls()
        gc.collect()
        counts = [sys.getrefcount(x) for x in (q, f, out, r, np.dtype(float),
                                               parid.InverseGradient)]
        tracemalloc.start()
        for _ in range(400):  # free lists of the interpreter fill, now that they are traced
            calls()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(1000):
            calls()
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        after = [sys.getrefcount(x) for x in (q, f, out, r, np.dtype(float), parid.InverseGradient)]
        self.assertLess(grown, 20_000)
        for x, y in zip(counts, after):
            self.assertLess(abs(y - x), 20)

    def test_batches_let_others_run(self):
        r = parid.load("humanoid")
        r.compile(kernel="generic")
        q = np.tile(r.neutral, (60_000, 1))
        v = np.zeros((60_000, r.nv))
        ticks, over = [0], threading.Event()

        def tick():
            while not over.is_set():
                ticks[0] += 1

        def work():
            r.forward_gradient(q[:400], v[:400], v[:400], threads=1)
            before = ticks[0]
            r.inverse_dynamics(q, v, v, threads=1)
            during.append(ticks[0] - before)

        during = []
        other = threading.Thread(target=tick)
        other.start()
        work()
        over.set()
        other.join()
        self.assertGreater(during[0], 0)


if __name__ == "__main__":
    unittest.main()
