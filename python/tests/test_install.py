"""`pip install .` in a virtual environment of Debian's Python, without a network, from a build that
is there."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def can():
    try:
        import ensurepip  # noqa: F401
        import setuptools  # noqa: F401
        import wheel  # noqa: F401
    except ImportError:
        return False
    return "PARID_BUILD_DIR" in os.environ


@unittest.skipUnless(can(), "python3-venv, python3-setuptools or python3-wheel is not installed")
class Install(unittest.TestCase):
    def ran(self, *words, **more):
        clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PIP_INDEX_URL")}
        ran = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=clean,
                             **more)
        self.assertEqual(ran.returncode, 0, ran.stdout[-4000:] + ran.stderr[-4000:])
        return ran.stdout.strip()

    def test_pip(self):
        with tempfile.TemporaryDirectory() as folder:
            # pip builds where the sources are: give it their names, in a place of their own
            source = Path(folder) / "source"
            source.mkdir()
            for name in SOURCE.iterdir():
                if name.name not in ("build", "python", ".git"):
                    (source / name.name).symlink_to(name)
            (source / "python").mkdir()
            for name in (SOURCE / "python").iterdir():
                (source / "python" / name.name).symlink_to(name)
            environment = Path(folder) / "env"
            self.ran(sys.executable, "-m", "venv", "--system-site-packages", environment)
            python = environment / "bin" / "python"
            self.ran(python, "-m", "pip", "install", "--no-build-isolation", "--no-index",
                     "--no-deps", source)
            where = self.ran(python, "-c", "import parid; print(parid.__file__)", cwd="/")
            self.assertTrue(where.startswith(str(environment)), where)
            library = self.ran(
                python,
                "-c",
                "import parid; print([l.split()[-1] for l in open('/proc/self/maps') if '/_parid.' in l][0])",
                cwd="/",
            )
            # its own, not the build's
            self.assertTrue(library.startswith(str(environment)), library)
            tau = self.ran(
                python, "-c", "import parid; print(parid.load('planar2').gravity_torques([0, 0]))",
                cwd="/"
            )
            self.assertEqual(tau, "[19.62   4.905]")
            self.assertTrue((Path(where).parent / "py.typed").exists())
            if (Path(os.environ["PARID_BUILD_DIR"]) / "libparid-hdf5.so").exists():
                r = "import parid; r = parid.load('planar2'); "
                self.ran(python, "-c", r
                         + "r.write_motion(r.motion(), 'm.h5'); assert len(r.motion('m.h5')) == 201",
                         cwd=folder)
            self.assertIn("parid", self.ran(python, "-m", "pip", "list"))

    def test_cmake_puts_it_where_debian_looks(self):
        with tempfile.TemporaryDirectory() as folder:
            cmake, build = os.environ["PARID_CMAKE"], os.environ["PARID_BUILD_DIR"]
            stage = {**os.environ, "DESTDIR": folder}
            for prefix in ("/usr", "/usr/local"):
                subprocess.run(
                    [cmake, "--install", build, "--component", "python", "--prefix", prefix],
                    check=True,
                    env=stage,
                    capture_output=True,
                )
            version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
            for place in ("usr/lib/python3", f"usr/local/lib/{version}"):
                package = Path(folder) / place / "dist-packages" / "parid"
                self.assertTrue((package / "__init__.py").exists(), package)
                self.assertTrue((package / "_parid.pyi").exists())
                self.assertEqual(len(list(package.glob("_parid.*.so"))), 1)
                self.assertFalse(list(package.rglob("__pycache__")))


if __name__ == "__main__":
    unittest.main()
