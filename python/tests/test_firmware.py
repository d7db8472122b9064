"""Robot.generate(target="cortex-m4"): a project whose tests pass, and fail for a wrong program."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import parid

TOOLS = all(map(shutil.which, ("arm-none-eabi-gcc", "qemu-system-arm", "cmake", "ninja")))
# Not a built-in robot: a tilted base, a mirrored axis, a sliding joint, a name that is no C name.
URDF = """<robot name="7 up!"><link name="base"/><link name="slide"><inertial>
<origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.2" ixy="0" ixz="0"
 iyz="0.01"/></inertial></link><link name="arm"><inertial><origin xyz="0.2 0.1 0"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="rail" type="prismatic"><origin rpy="0.4 0 0.2"/><parent link="base"/>
<child link="slide"/><axis xyz="0 0 -1"/>
<limit lower="0" upper="0.5" velocity="1" effort="9"/></joint>
<joint name="turn" type="revolute"><origin xyz="0 0.2 0" rpy="0 1 0"/><parent link="slide"/>
<child link="arm"/><axis xyz="0 -1 0"/><limit lower="-1" upper="2" velocity="1" effort="9"/></joint>
</robot>"""


def ran(folder, *words):
    return subprocess.run(words, cwd=folder, capture_output=True, text=True)


class Projects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.robot = parid.parse(URDF)

    def test_runs_on_this_machine_and_notices_a_wrong_program(self):
        if shutil.which("cc") is None:
            self.skipTest("there is no compiler")
        for what in ("forward", "mass", "bias", "gravity", "jacobian", "kinematics",
                     "inverse_gradient", "forward_gradient", "inverse"):
            program = self.robot.generate(what, target="cortex-m4")
            self.assertEqual(program.target, "cortex-m4")
            program.write(self.folder)
            source = next(f for f in program.files if f.endswith(f"_{what}.c"))
            words = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "host.c", "samples.c", source,
                     "-o", "host"]
            done = ran(self.folder, *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = ran(self.folder, "./host")
            self.assertEqual((done.returncode, done.stdout), (0, "8 samples agree\n"), what)
        # one constant of the program wrong by a hundredth
        text = program.files[source]
        number = re.findall(r"[ (]([0-9]+\.[0-9]+)f", text)[-1]
        wrong = text.replace(f"{number}f", f"{float(number) * 1.01!r}f")
        self.assertNotEqual(wrong, text)
        Path(self.folder, source).write_text(wrong)
        ran(self.folder, *words)
        self.assertNotEqual(ran(self.folder, "./host").returncode, 0)

    @unittest.skipUnless(TOOLS, "arm-none-eabi-gcc, qemu-system-arm, cmake or ninja is missing")
    def test_runs_on_the_board(self):
        program = self.robot.generate("inverse", target="cortex-m4")
        self.assertGreater(program.cost.instructions, program.multiplications + program.additions)
        self.assertLess(program.cost.instructions, 400)
        self.assertEqual(program.cost.data, 0)
        self.assertIn(f"{program.cost.instructions} instructions", program.files["README.md"])
        program.write(self.folder)
        for words in (["cmake", "-G", "Ninja", "-B", "board",
                       "-DCMAKE_TOOLCHAIN_FILE=cortex_m4.cmake"], ["cmake", "--build", "board"],
                      ["ctest", "--test-dir", "board", "--no-tests=error"]):
            done = ran(self.folder, *words)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # a wrong expectation ends the run on the board too
        samples = Path(self.folder, "samples.c")
        text = samples.read_text()
        at = text.index("expected[] = {") + len("expected[] = {")
        samples.write_text(text[:at] + " 1e9f + " + text[at:].lstrip())
        ran(self.folder, "cmake", "--build", "board")
        self.assertNotEqual(ran(self.folder, "ctest", "--test-dir", "board").returncode, 0)

    def test_known_cost(self):
        if not TOOLS:
            self.skipTest("arm-none-eabi-gcc or qemu-system-arm is missing")
        cost = parid.load("puma560").generate("inverse", target="cortex-m4").cost
        page = (Path(__file__).resolve().parents[2] / "docs" / "firmware.md").read_text()
        row = re.search(r"\| puma560 inverse \| -O2 \| (\d+) \| \d+ \| (\d+) \|", page)
        self.assertEqual((cost.code, cost.instructions), (int(row[1]), int(row[2])))

    def test_what_cannot_be_tested_is_refused(self):
        for wrong in (
            lambda: self.robot.generate("inverse", target="avr"),
            lambda: self.robot.generate("regressor", target="cortex-m4"),
            lambda: self.robot.generate("inverse", "js", target="cortex-m4"),
            lambda: self.robot.generate("inverse", inputs=["gravity"], target="cortex-m4"),
            lambda: self.robot.generate("forward", friction=True, target="cortex-m4"),
        ):
            with self.assertRaisesRegex(ValueError, "target"):
                wrong()

    def test_without_the_tools_there_is_no_cost(self):
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = self.folder
        program = self.robot.generate("inverse", target="cortex-m4")
        self.assertIsNone(program.cost)
        self.assertIn("not measured", program.files["README.md"])


if __name__ == "__main__":
    unittest.main()
