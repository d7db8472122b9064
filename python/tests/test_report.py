"""Robot.report: the page of `parid report`."""

import json
import os
import re
import tempfile
import unittest
from unittest import mock

import parid


def data_of(html):
    return json.loads(re.search(r'id="data">(.*?)</script>', html, re.S).group(1))


class Report(unittest.TestCase):
    def test_verdict_is_that_of_limits(self):
        ur5 = parid.load("ur5")
        for mass in (1.0, 20.0):
            page = ur5.report(payload=mass)
            limits = ur5.limits(payload=mass)
            self.assertEqual(page.holds, limits.holds)
            joints = data_of(page.html)["limits"]["joints"]
            for shown, wanted in zip(joints, limits.joints):
                self.assertAlmostEqual(shown["peak"], wanted.peak, places=9)

    def test_writes_a_file_with_the_robot_as_it_is(self):
        robot = parid.load("panda").with_locked({"joint2": 0.3}).with_gravity((0, 0, -1.62))
        motion = robot.sine(0.2, duration=1, rate=20)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            page = robot.report(path, motion)
            self.assertEqual((page.file, page.html), (path, None))
            with open(path, encoding="utf-8") as file:
                data = data_of(file.read())
        self.assertEqual(data["robot"]["nv"], robot.nv)
        self.assertEqual(data["robot"]["gravity"], [0, 0, -1.62])
        self.assertEqual(data["motion"]["rows"], len(motion))
        self.assertNotIn("formulations", data)

    def test_compares_robots_payloads_and_motions(self):
        ur5 = parid.load("ur5")
        with_payload = data_of(ur5.report(payload=5, compare_payload=0).html)["compare"]
        self.assertEqual(with_payload["labels"][1], "no payload")
        robots = data_of(ur5.report(compare=parid.load("puma560")).html)["compare"]
        self.assertEqual(robots["labels"], ["ur5", "puma560"])
        motions = data_of(ur5.report(compare="in-turn").html)["compare"]
        self.assertEqual(motions["labels"], ["default", "in-turn"])
        with self.assertRaisesRegex(parid.Error, "degrees of freedom"):
            ur5.report(compare=parid.load("panda"))

    def test_names_are_data(self):
        name = "<script>alert(1)</script>"
        text = parid.load("planar2").to_toml().replace('"planar2"', json.dumps(name))
        html = parid.parse(text, "toml").report().html
        self.assertNotIn(name, html)
        self.assertEqual(data_of(html)["robot"]["name"], name)

    def test_without_the_program(self):
        with mock.patch.dict(os.environ, {"PARID_PROGRAM": "/nowhere/parid"}):
            with self.assertRaisesRegex(parid.Error, "PARID_PROGRAM"):
                parid.load("planar2").report()
        with self.assertRaisesRegex(ValueError, "payload"):
            parid.load("planar2").report(link="link2")


if __name__ == "__main__":
    unittest.main()
