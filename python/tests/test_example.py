"""The example with pictures, run whole."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import matplotlib
except ImportError:
    matplotlib = None

EXAMPLE = Path(__file__).parents[1] / "examples" / "first_look.py"


@unittest.skipUnless(matplotlib, "python3-matplotlib is not installed")
class Example(unittest.TestCase):
    def test_first_look(self):
        import matplotlib.image
        import numpy as np

        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([sys.executable, str(EXAMPLE), folder], capture_output=True,
                                 text=True)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("multiplications", ran.stdout)
            for name in ("torques", "workspace", "control"):
                picture = matplotlib.image.imread(Path(folder) / f"{name}.png")
                self.assertGreater(np.std(picture[..., :3]), 0.05, name)  # something is drawn


class NoisyArm(unittest.TestCase):
    def test_filters_recover_the_arm(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.csv"
            ran = subprocess.run(
                [sys.executable, str(EXAMPLE.with_name("noisy_arm.py")), "ur5", str(log)],
                capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertTrue(log.read_text().startswith("t,q:"))
        rows = [line for line in ran.stdout.splitlines() if line.startswith("all together")]
        self.assertEqual(len(rows), 3)
        for row in rows[1:]:  # with a filter; the torque error is in percent
            self.assertLess(float(row.split("%")[-2]), 2.0, row)
            self.assertTrue(row.endswith("good"), row)
        self.assertGreater(float(rows[0].split("%")[-2]), 1.0, rows[0])


if __name__ == "__main__":
    unittest.main()
