"""Annotations and stubs: a type checker takes the package and a program that uses it."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import parid

try:
    import torch
except ImportError:
    torch = None
try:
    import mypy  # noqa: F401
except ImportError:
    mypy = None


@unittest.skipUnless(mypy, "mypy is not installed")
class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.cache = os.environ.get("MYPY_CACHE_DIR", cls.scratch.name)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def checked(self, *words, installed=True):
        path = str(Path(parid.__file__).parent.parent)
        # mypy is silent about packages on PYTHONPATH, as about all that are installed.
        hidden = () if installed else ("PYTHONPATH",)
        ran = subprocess.run(
            [sys.executable, "-m", *words],
            capture_output=True,
            text=True,
            env={**{k: v for k, v in os.environ.items() if k not in hidden},
                 "MYPY_CACHE_DIR": self.cache, "MYPYPATH": path},
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_the_package_and_a_program(self):
        program = Path(__file__).with_name("typed_program.py")
        self.checked("mypy", "--strict", "--warn-unused-ignores", str(program))

    @unittest.skipUnless(torch, "PyTorch is not installed (package python3-torch)")
    def test_the_package_itself(self):
        self.checked("mypy", "--strict", "--warn-unused-ignores", "-p", "parid", installed=False)

    def test_stubs_are_what_is_there(self):
        allowed = Path(self.scratch.name) / "allowed.txt"
        # Names that only stubs have, pybind11's metaclass, and its constructors without signatures.
        allowed.write_text(
            r"parid\._parid\.(_ArrayMethods|Array|ByLink|Out|Outs|Three|_Motion)" + "\n"
            r"parid\._parid\.(InverseKinematics|MomentumObserver|Designed)" + "\n"
            r"parid\._parid\.(Robot|Workspace|Table|Core|Device)Handle" + "\n"
            r"parid\._parid\..*\.__init__" + "\n"
        )
        self.checked(
            "mypy.stubtest", "parid._parid", "--allowlist", str(allowed),
            "--ignore-unused-allowlist"
        )


if __name__ == "__main__":
    unittest.main()
