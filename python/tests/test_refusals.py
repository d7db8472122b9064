"""What the Python part refuses before anything is computed, and small methods beside the arrays."""

import copy
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import parid
import parid.__main__


class Refusals(unittest.TestCase):
    def setUp(self):
        self.arm = parid.load("puma560")

    def refused(self, kind, text, call, *words, **options):
        with self.assertRaises(kind) as caught:
            call(*words, **options)
        self.assertIn(text, str(caught.exception))

    def test_options_that_exclude_each_other(self):
        arm, motion = self.arm, self.arm.motion()
        nothing = np.zeros((3, arm.nv))
        self.refused(ValueError, "not both", arm.simulate, torque=nothing, controller="pd")
        self.refused(ValueError, "name one", arm.simulate, kp=[1.0] * 6)
        self.refused(ValueError, "name one", arm.simulate, compensate_friction=True)
        self.refused(ValueError, "give payload too", arm.limits, motion, link=arm.tip)
        self.refused(ValueError, "are for torques", arm.plot, motion, what="q", friction=True)
        self.refused(ValueError, "in double precision", arm.generate, casadi=True,
                     single_precision=True)
        self.refused(ValueError, "in double precision", arm.generate, casadi=True, language="js")
        self.refused(parid.Error, "is a derivative", arm.generate, "inverse_vjp", casadi=True)
        self.refused(ValueError, "cortex-m4", arm.generate, target="cortex-m0")
        self.refused(ValueError, "without libm", arm.generate, target="cortex-m4", libm=True)

    def test_unknown_options(self):
        self.refused(TypeError, "no option 'grains'", parid.schedule_of, "puma560", 2, grains=1)
        self.refused(TypeError, "unknown option 'speed'", self.arm.detect_fault, "loss:joint2=0.5@1",
                     speed=2)

    def test_motions_without_times(self):
        bare = parid.Motion(None, np.zeros((3, 6)), np.zeros((3, 6)), np.zeros((3, 6)))
        self.refused(ValueError, "no times", self.arm.simulate, controller="pd", motion=bare)

    def test_poses_and_rotations(self):
        ik, p = self.arm.inverse_kinematics(), [0.4, 0.1, 0.3]
        self.assertEqual(ik.link, self.arm.tip)
        self.refused(ValueError, "rotation or the quaternion", ik.all, p)
        self.refused(ValueError, "not both", ik.solve, p, np.eye(3), quaternion=[0, 0, 0, 1])
        self.refused(ValueError, "give", parid.rotation)
        self.assertEqual(len(parid.motion_names()), len(set(parid.motion_names())))
        self.assertIn("together", parid.motion_names())
        self.assertIn("exact", parid.policies())

    def test_linkages(self):
        robot = parid.load("scara")
        leader, follower = robot.joints[0].name, robot.joints[1].name
        self.refused(ValueError, "four_bar has", robot.with_mimic, follower, leader,
                     four_bar={"ground": 1.0})
        lengths = dict(ground=1.0, input=0.5, coupler=1.0, output=0.7)
        coupled = robot.with_mimic(follower, leader, four_bar=lengths)
        self.assertEqual(coupled.nv, robot.nv - 1)


class SmallMethods(unittest.TestCase):
    def test_copies(self):
        arm = parid.load("puma560")
        self.assertIs(copy.copy(arm), arm)
        state = [np.zeros(6), np.zeros(6), np.ones(6)]
        rotors = arm.inverse_dynamics(*state) - arm.without_rotors().inverse_dynamics(*state)
        wanted = [j.rotor_inertia for j in arm.joints if j.type != "fixed"]
        np.testing.assert_allclose(rotors, wanted, rtol=1e-10)
        np.testing.assert_array_equal(
            arm.without_elasticity().inverse_dynamics(*state), arm.inverse_dynamics(*state))

    def test_tables(self):
        table = parid.load("planar2").table("configuration", points=8)
        self.assertEqual(repr(table), f"<parid.Table: configuration, {table.bytes} bytes>")
        self.assertGreater(table.additions, 0)
        self.assertGreater(table.multiplications, 0)

    def test_policies_from_python(self):
        self.assertEqual(parid._robot._toml({"a": np.int64(1), "b": True, "c": [0.5, "x"]}),
                         '"a" = 1\n"b" = true\n"c" = [0.5, "x"]\n')

    def test_the_program(self):
        words = [sys.executable, "-m", "parid", "robots"]
        ran = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("puma560", ran.stdout)
        self.assertIn("puma560", parid.run("robots"))
        with self.assertRaises(parid.Error) as caught:
            parid.run("torque", "no-such-robot")
        self.assertIn("no-such-robot", str(caught.exception))
        called = []
        with mock.patch("os.execv", lambda path, words: called.append((path, words))), \
                mock.patch("sys.argv", ["parid", "robots"]):
            parid.__main__.main()
        self.assertEqual(called[0][1], ["parid", "robots"])
        with tempfile.TemporaryDirectory() as folder:
            saved = os.environ["PATH"]
            os.environ["PATH"] = folder
            try:
                own = Path(parid.__file__).parent / "bin" / "parid"
                if not own.exists():
                    with self.assertRaises(parid.Error) as caught:
                        parid.run("robots")
                    self.assertIn("no program", str(caught.exception))
                    with self.assertRaises(SystemExit):
                        parid.__main__.main()
            finally:
                os.environ["PATH"] = saved


if __name__ == "__main__":
    unittest.main()
