"""The wheel of ./run wheel, made from a build that is there: what it needs of a system, and its use
in an environment with and without a compiler."""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "cmake" / "wheel"))
import elf  # noqa: E402
import manylinux  # noqa: E402


def can():
    try:
        import ensurepip  # noqa: F401
        import setuptools  # noqa: F401
    except ImportError:
        return False
    return "PARID_BUILD_DIR" in os.environ and shutil.which("patchelf") is not None


def ran(*words, **more):
    clean = {k: v for k, v in os.environ.items()
             if k not in ("PYTHONPATH", "PIP_INDEX_URL", "PARID_CACHE")}
    environment = {**clean, **more.pop("env", {})}
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, env=environment,
                          **more)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout.strip()


class Policy(unittest.TestCase):
    """The check itself, on small libraries."""

    def setUp(self):
        if shutil.which("cc") is None:
            self.skipTest("there is no compiler")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def shared_object(self, name, text, *options):
        source, target = self.folder / f"{name}.c", self.folder / f"{name}.so"
        source.write_text(text)
        ran("cc", "-shared", "-fPIC", f"-Wl,-soname,{name}.so", source, "-o", target, *options)
        return target

    def test_versions_of_symbols_decide(self):
        old = self.shared_object("old",
                                 "#include <stdlib.h>\nvoid* f(void) { return malloc(1); }\n")
        found = manylinux.needs([old])
        self.assertEqual((found.glibc, found.outside), (17, {}))
        text = ("#include <unistd.h>\n"
                "int close_range(unsigned, unsigned, int); int f(void) { return close_range(9, 9, 0); }\n")
        found = manylinux.needs([self.shared_object("new", text)])  # of glibc 2.34
        self.assertEqual(found.versions["GLIBC"], (2, 34))
        self.assertEqual(found.glibc, 34)
        found.versions["GLIBCXX"] = (3, 4, 30)
        self.assertEqual(found.glibc, 35)
        found.versions["GLIBCXX"] = (3, 9)
        with self.assertRaisesRegex(ValueError, "newer than the table"):
            found.glibc

    def test_libraries_outside_are_found(self):
        inner = self.shared_object("inner", "int g(void) { return 1; }\n")
        text = "int g(void); int f(void) { return g(); }\n"
        absolute = self.shared_object("outer", text, inner, f"-Wl,-rpath,{self.folder}")
        self.assertEqual(manylinux.needs([absolute]).outside, {"inner.so": ["outer.so"]})
        with self.assertRaisesRegex(ValueError, "relative"):
            manylinux.needs([absolute, inner])
        relative = self.shared_object("outer", text, inner, "-Wl,-rpath,$ORIGIN")
        self.assertEqual(manylinux.needs([relative, inner]).outside, {})

    def test_elf_is_read_as_readelf_does(self):
        module = next(Path(os.environ["PARID_BUILD_DIR"]).glob("python/parid/_parid.*.so"), None)
        if module is None or shutil.which("readelf") is None:
            self.skipTest("no module or no readelf")
        x = elf.read(module)
        said = ran("readelf", "--dynamic", "--wide", module)
        self.assertEqual(x.needed, re.findall(r"\(NEEDED\).*\[(.*)\]", said))
        said = ran("readelf", "--version-info", "--wide", module)
        names = {name for all in x.versions.values() for name in all}
        self.assertEqual(names, set(re.findall(r"Name: (\S+)  Flags: \S+  Version:", said)))


@unittest.skipUnless(can(), "patchelf, python3-venv or python3-setuptools is not installed")
class Wheel(unittest.TestCase):
    def test_wheel(self):
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            build = os.environ["PARID_BUILD_DIR"]
            wheel = Path(ran(sys.executable, SOURCE / "cmake/wheel/make_wheel", build, work))
            self.inspect(wheel, work)
            self.use(wheel, work)

    def inspect(self, wheel, work):
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        self.assertRegex(wheel.name, rf"^parid-[0-9.]+(rc[0-9]+)?-{python}-{python}-manylinux_2_\d+_\w+\.whl$")
        self.assertLess(wheel.stat().st_size, 18e6)
        again = Path(ran(sys.executable, SOURCE / "cmake/wheel/make_wheel",
                         os.environ["PARID_BUILD_DIR"], work / "again"))
        self.assertEqual(wheel.read_bytes(), again.read_bytes())
        with zipfile.ZipFile(wheel) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            archive.extractall(work / "inside")
        for name in ("parid/bin/parid", "parid/__main__.py", "parid/py.typed", "parid/_parid.pyi"):
            self.assertIn(name, names)
        self.assertFalse([n for n in names if "hdf5" in n or "mpi" in n.lower().split("/")[-1]])
        found = manylinux.needs(manylinux.binaries(work / "inside"))
        self.assertEqual(found.outside, {})
        self.assertTrue(wheel.name.endswith(found.tag + ".whl"))
        info = next((work / "inside").glob("*.dist-info"))
        said = (info / "METADATA").read_text()
        self.assertIn("Requires-Dist: numpy", said)
        libraries = {p.name for p in (work / "inside/parid/lib").iterdir()}
        licences = (info / "LICENSE.libraries").read_text()
        self.assertEqual(set(re.findall(r"^==== (\S+):", licences, re.MULTILINE)), libraries)

    def use(self, wheel, work):
        environment = work / "env"
        ran(sys.executable, "-m", "venv", "--system-site-packages", environment)
        python = environment / "bin" / "python"
        ran(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
        # no compiler, nothing of the build: only the environment
        bare = {"PATH": str(environment / "bin"), "PARID_CACHE": str(work / "cache"),
                "PYTHONNOUSERSITE": "1"}

        def here(*words):
            return ran(*words, cwd=work, env=bare)

        torque = "import parid; print(parid.load('planar2').gravity_torques([0, 0]), parid.__file__)"
        tau, _, where = here(python, "-c", torque).partition("] ")
        self.assertEqual(tau, "[19.62   4.905")
        self.assertTrue(where.startswith(str(environment)), where)
        script, module = environment / "bin" / "parid", [python, "-m", "parid"]
        version = here(script, "--version")
        self.assertTrue(version.startswith("parid "), version)
        self.assertEqual(here(*module, "--version"), version)
        rows = here(script, "torque", "puma560").splitlines()
        self.assertEqual(len(rows), 202)
        self.assertEqual(here(*module, "torque", "puma560").splitlines(), rows)
        for words in ([script], module):  # nothing but the program's output
            done = subprocess.run([*map(str, words), "robots"], capture_output=True, text=True,
                                  env={**os.environ, **bare}, cwd=work)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        for words in ([script], module):  # exit codes and errors are the program's
            done = subprocess.run([*map(str, words), "info", "puma56"], capture_output=True,
                                  text=True, env={**os.environ, **bare})
            self.assertEqual(done.returncode, 2)
            self.assertIn("did you mean 'puma560'?", done.stderr)
        compile = "import parid; print(parid.load('planar2').compile('inverse')['inverse'])"
        without = "machine" if platform.machine() == "x86_64" else "interpreted"
        self.assertEqual(here(python, "-c", compile), without)
        if shutil.which("cc"):
            bare["PATH"] += os.pathsep + os.path.dirname(shutil.which("cc"))
            self.assertEqual(here(python, "-c", compile), "compiled")
        hdf5 = ("import parid\nr = parid.load('planar2')\n"
                "try:\n    r.write_motion(r.motion(), 'm.h5')\n"
                "except parid.Error as error:\n    print(error)\n")
        self.assertIn("use .npz", here(python, "-c", hdf5))
        npz = ("import parid, numpy as np; r = parid.load('planar2'); "
               "r.write_motion(r.motion(), 'm.npz'); print(len(r.motion('m.npz')))")
        self.assertEqual(here(python, "-c", npz), "201")


if __name__ == "__main__":
    unittest.main()
