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


if __name__ == "__main__":
    unittest.main()
