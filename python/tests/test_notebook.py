"""What people meet first: notebooks, slices, tables, names, messages."""

import os
import re
import subprocess
import sys
import typing
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np

import parid
from parid import _notebook, _typing

try:
    import pandas
except ImportError:
    pandas = None
try:
    import matplotlib
except ImportError:
    matplotlib = None

SOURCE = Path(__file__).resolve().parents[2]
EVIL = '<script>alert("&")</script>'
URDF = """<robot name="{name}"><link name="base"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
 iyz="0"/></inertial></link>
<joint name="{joint}" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" velocity="2" effort="3"/></joint></robot>"""


def evil_robot():
    text = EVIL.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return parid.parse(URDF.format(name=text, joint=text), "urdf")


def parsed(html):
    """Notebooks take fragments; each must be well-formed, and nothing in it may be a script."""
    tree = xml.fromstring(f"<div>{html}</div>")
    tags = {e.tag for e in tree.iter()}
    assert tags <= {"div", "h4", "p", "table", "thead", "tbody", "tr", "th", "td", "img"}, tags
    return tree


class Html(unittest.TestCase):
    def test_objects(self):
        r = parid.load("ur5")
        m = r.motion(rate=20)
        logged = parid.Motion(m.t, m.q, m.v, m.a, r.inverse_dynamics(m.q, m.v, m.a))
        for thing in (r, m, logged, m[:1], r.simulate(time=0.05), r.schedule(2), r.limits(),
                      parid.check("puma560"), parid.load("quadruped")):
            parsed(thing._repr_html_())
        self.assertIn("wrist_3_link", r._repr_html_())
        self.assertIn("no errors", parid.check("puma560")._repr_html_())
        self.assertNotEqual(m._repr_html_(), logged._repr_html_())

    def test_names_are_escaped(self):
        r = evil_robot()
        self.assertEqual(r.name, EVIL)
        m = r.sine(0.1, duration=1.0)
        for html in (r._repr_html_(), r.limits(m)._repr_html_(), m._repr_html_()):
            parsed(html)
            self.assertNotIn("<script", html)
        svg = _notebook.curves(m.t, m.q, [EVIL], EVIL, EVIL)
        self.assertEqual({e.tag.split("}")[1] for e in xml.fromstring(svg).iter()},
                         {"svg", "rect", "text", "polyline"})
        bad = parid.check_text(URDF.format(name="x", joint="y").replace('mass value="1"',
                                                                        'mass value="-1"'), "urdf",
                               file=EVIL)
        self.assertTrue(bad)
        parsed(bad._repr_html_())
        self.assertNotIn("<script", bad._repr_html_())

    def test_curves_show_the_numbers(self):
        t = np.linspace(0, 1, 11)
        svg = _notebook.curves(t, np.stack([t, -2 * t], 1), ["up", "down"], "title")
        tree = xml.fromstring(svg)
        lines = [e.get("points").split() for e in tree.iter() if e.tag.endswith("polyline")]
        self.assertEqual([len(points) for points in lines], [11, 11])
        heights = [float(p.split(",")[1]) for p in lines[0]]
        self.assertEqual(heights, sorted(heights, reverse=True))  # up is up
        texts = [e.text for e in tree.iter() if e.text]
        for text in ("up", "down", "title", "1", "-2"):
            self.assertIn(text, texts)
        xml.fromstring(_notebook.curves(t, np.full((11, 30), np.nan), [], "nothing"))


class Sequence(unittest.TestCase):
    def test_motions_are_sequences(self):
        r = parid.load("planar2")
        m = r.motion(rate=50)
        tau = r.inverse_dynamics(m.q, m.v, m.a)
        log = parid.Trajectory(m.t, m.q, m.v, m.a, tau)
        self.assertIs(parid.Trajectory, parid.Motion)
        part = log[10:20:2]
        self.assertEqual(len(part), 5)
        for name in ("t", "q", "v", "a", "tau"):
            np.testing.assert_array_equal(getattr(part, name), getattr(log, name)[10:20:2])
        samples = list(log)
        self.assertEqual(len(samples), len(m))
        np.testing.assert_array_equal(samples[-1].tau, tau[-1])
        self.assertEqual(log[-1].t, m.t[-1])
        np.testing.assert_array_equal(log[m.t > 1].q, m.q[m.t > 1])
        with self.assertRaises(IndexError):
            log[len(m)]
        whole = log.to_numpy()
        self.assertEqual(whole.shape, (len(m), 9))
        np.testing.assert_array_equal(whole[:, 7:], tau)
        self.assertEqual(log.columns[-1], "tau:2")  # made without a robot
        self.assertEqual(m.columns[1], "q:joint1")
        untimed = parid.Motion(None, m.q, m.v, m.a)
        self.assertEqual(untimed[::2].to_numpy().shape[1], 6)
        self.assertIsNone(untimed[0].t)

    @unittest.skipIf(pandas is None, "python3-pandas is not installed")
    def test_frames_go_and_come_back(self):
        r = parid.load("scara")
        m = r.motion(rate=50)
        frame = m.to_pandas()
        self.assertEqual(list(frame.columns), list(m.columns))
        back = r.motion(frame[frame.columns[::-1]])
        for name in ("t", "q", "v", "a"):
            np.testing.assert_array_equal(getattr(back, name), getattr(m, name))
        np.testing.assert_array_equal(r.inverse_dynamics(frame, frame, frame),
                                      r.inverse_dynamics(m.q, m.v, m.a))
        np.testing.assert_array_equal(r.link_velocity(frame, frame).linear,
                                      r.link_velocity(m.q, m.v).linear)
        only = r.motion(frame[["t"] + [c for c in frame if c.startswith("q:")]], derive=True)
        np.testing.assert_allclose(only.v[5:-5], m.v[5:-5], atol=0.05)
        with self.assertRaisesRegex(parid.Error, "data frame"):
            r.motion(frame.rename(columns={"q:" + r.position_names[0]: "q:elbwo"}))


class Poses(unittest.TestCase):
    def test_quaternions_matrices_and_poses_agree(self):
        r = parid.load("panda")
        q = np.random.default_rng(2).uniform(r.lower, r.upper, (2, 3, 7))
        poses = r.kinematics(q)
        ik = r.inverse_kinematics()
        found = ik.solve(poses, seed=q)
        self.assertEqual((found.q.shape, found.converged.shape), ((2, 3, 7), (2, 3)))
        self.assertTrue(found)
        np.testing.assert_allclose(r.kinematics(found.q).position, poses.position, atol=1e-8)
        x = np.array([[parid.quaternion(R) for R in row] for row in poses.rotation])
        same = ik.solve(poses.position, quaternion=-3 * x, seed=q)  # length and sign do not matter
        np.testing.assert_allclose(same.q, found.q, atol=1e-6)
        one = r.ik(poses.position[0, 0], quaternion=x[0, 0], seed=q[0, 0])
        np.testing.assert_allclose(r.kinematics(one.q).rotation, poses.rotation[0, 0], atol=1e-8)
        np.testing.assert_allclose(parid.rotation(quaternion=x[1, 2]), poses.rotation[1, 2],
                                   atol=1e-12)

    def test_one_orientation_for_many_positions(self):
        r = parid.load("puma560")
        pose = r.kinematics([0.1, -0.7, 1.2, 0.3, 0.4, 0.5])
        positions = pose.position + np.array([[0, 0, 0], [0.01, 0, 0]])
        found = r.ik(positions, pose.rotation)
        self.assertTrue(found)
        reached = r.kinematics(found.q)
        np.testing.assert_allclose(reached.position, positions, atol=1e-8)
        np.testing.assert_allclose(reached.rotation[1], pose.rotation, atol=1e-8)
        branches = r.inverse_kinematics().all(pose)
        self.assertEqual(len(branches), 8)


class Names(unittest.TestCase):
    def test_dir_is_the_public_names(self):
        self.assertEqual(dir(parid), sorted(parid.__all__))
        for name in parid.__all__:
            self.assertTrue(name == "__version__" or not name.startswith("_"), name)
            self.assertTrue(hasattr(parid, name), name)

    def test_literals_are_those_of_the_library(self):
        for literal, names in (
            (_typing.Integrator, parid.integrators()),
            (_typing.Controller, parid.controllers()),
            (_typing.Language, parid.languages()),
            (_typing.Quantity, parid.quantities()),
            (_typing.Scheduler, parid.schedulers()),
            (_typing.ControlGraph, parid.control_graphs()),
        ):
            self.assertEqual(set(typing.get_args(literal)), set(names),
                             "python/parid/_typing.py has another list than the library")
        r = parid.load("planar2")
        batched = typing.get_args(_typing.BatchedQuantity)
        r.compile(*batched, kernel="generic")
        for name in set(parid.quantities()) - set(batched):
            with self.assertRaises(parid.Error):
                r.compile(name)
        for integrator in typing.get_args(_typing.RolloutIntegrator):
            r.generate("rollout", steps=2, integrator=integrator)
        for arrangement in typing.get_args(_typing.Arrangement):
            parid.load("puma560").hardware("ik", arrangement=arrangement)
        for tasks, what in (("rules", "inverse"), ("lean", "inverse"), ("printed", "inverse"),
                            ("coarse", "inverse"), ("graph", "inverse"), ("stages", "orin")):
            self.assertIn(tasks, typing.get_args(_typing.Tasks))
            parid.load("stanford").schedule(2, what, tasks=tasks, scheduler="hlf")
        self.assertEqual(len(typing.get_args(_typing.Tasks)), 6)
        kinds = {j.type for name in ("planar2", "scara", "quadruped")
                 for j in parid.load(name).joints}
        self.assertLessEqual(kinds, set(typing.get_args(_typing.JointType)))
        claims = parid.reproduce("hollerbach")
        self.assertLessEqual({c.verdict for c in claims}, set(typing.get_args(_typing.Verdict)))
        self.assertLessEqual({c.basis for c in claims}, set(typing.get_args(_typing.Basis)))
        for axes in typing.get_args(_typing.Axes):
            r.link_velocity([0, 0], [0, 0], axes=axes)
        for kind in typing.get_args(_typing.KernelKind):
            r.compile("gravity", kernel=kind)
        for how in typing.get_args(_typing.WithinLimits):
            parid.load("ur5").motion(within_limits=how)
        for hold in typing.get_args(_typing.Hold):
            r.simulate(torque=([0.0, 0.1], np.zeros((2, 2))), hold=hold, limits="none")
        for which in typing.get_args(_typing.SimulationLimits):
            r.simulate(time=0.01, limits=which)
        for detail in typing.get_args(_typing.Detail):
            r.flow_diagram("exact", detail)
        for kind in typing.get_args(_typing.ArrayKind):
            r.systolic(kind)
        text = r.to_toml()
        for format in typing.get_args(_typing.Format):
            try:
                parid.parse(text, format)
            except parid.Error as error:
                self.assertNotIn("unknown", str(error))

    @unittest.skipUnless("PARID_PROGRAM" in os.environ, "there is no program")
    def test_every_command_has_a_row(self):
        said = subprocess.run([os.environ["PARID_PROGRAM"], "help"], capture_output=True, text=True,
                              check=True).stdout
        commands = re.findall(r"^  ([a-z]+)  ", said.split("Commands:")[1].split("Options:")[0],
                              re.MULTILINE)
        self.assertGreater(len(commands), 20)
        page = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
        table = page.split("| command | in Python |")[1].split("\n\n")[0]
        rows = dict(re.findall(r"^\| `([a-z]+)` \| (.*) \|$", table, re.MULTILINE))
        self.assertEqual(set(rows), set(commands), "docs/python.md: one row per command")
        r = parid.load("planar2")
        for command, text in rows.items():
            calls = re.findall(r"`(r|parid)\.([a-zA-Z_]+)", text)
            self.assertTrue(calls, command)
            for whose, name in calls:
                self.assertTrue(hasattr(r if whose == "r" else parid, name), f"{whose}.{name}")


class Messages(unittest.TestCase):
    def test_remedies_are_in_python(self):
        e = parid.Error("a.csv:3: too large; use HDF5 with `parid batch`, or --within-limits")
        self.assertEqual((e.file, e.line), ("a.csv", 3))
        self.assertEqual(e.remedy, 'use HDF5 with `parid.run("batch", …)`, or within_limits=')
        self.assertTrue(str(e).endswith(e.remedy))
        with self.assertRaises(parid.Error) as caught:
            parid.load("puma560").motion("gait")
        self.assertNotIn("--", str(caught.exception))

    @unittest.skipUnless("PARID_PROGRAM" in os.environ, "there is no program")
    def test_run(self):
        done = subprocess.run([sys.executable, "-m", "parid", "robots"], capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, parid.run("robots"))
        self.assertEqual(parid.run("robots").split()[0] != "", True)
        self.assertEqual(parid.run("info", "planar2", json_output=True)["robot"], "planar2")
        with self.assertRaisesRegex(parid.Error, "did you mean 'puma560'"):
            parid.run("info", "puma56")
        with self.assertRaisesRegex(parid.Error, "--nonsense"):
            parid.run("info", "planar2", "--nonsense")


@unittest.skipIf(matplotlib is None, "python3-matplotlib is not installed")
class Plots(unittest.TestCase):
    def test_plot(self):
        matplotlib.use("Agg")
        r = parid.load("planar2")
        m = r.motion()
        axes = r.plot(m)
        tau = r.inverse_dynamics(m.q, m.v, m.a)
        np.testing.assert_array_equal(axes.lines[1].get_ydata(), tau[:, 1])
        self.assertEqual([line.get_label() for line in axes.lines], list(r.velocity_names))
        self.assertIs(r.plot(m, "v", axes=axes), axes)
        np.testing.assert_array_equal(axes.lines[2].get_ydata(), m.v[:, 0])
        given = r.plot(m, tau=2 * tau)
        np.testing.assert_array_equal(given.lines[0].get_ydata(), 2 * tau[:, 0])
        for wrong in (lambda: r.plot(m, "x"), lambda: r.plot(m, "q", friction=True),
                      lambda: r.plot(m, tau=tau[:3])):
            self.assertRaises(ValueError, wrong)


if __name__ == "__main__":
    unittest.main()
