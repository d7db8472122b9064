"""Builds the Python package by CMake: `pip install .` in a virtual environment.

Without a network, with Debian's packages (./run has the list):

    /usr/bin/python3 -m venv --system-site-packages env
    env/bin/pip install --no-build-isolation .

PARID_BUILD_DIR names a CMake build folder that is there already, so that nothing is compiled twice.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
CMAKE = os.environ.get("PARID_CMAKE", "cmake")


def cmake(words):
    subprocess.run([CMAKE, *map(str, words)], check=True)


class ByCMake(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("PARID_BUILD_DIR")
        folder = Path(given) if given else Path(self.build_temp).resolve() / "cmake"
        if not (folder / "CMakeCache.txt").exists():
            folder.mkdir(parents=True, exist_ok=True)
            words = ["-DCMAKE_BUILD_TYPE=Release", "-DPARID_TESTS=OFF", "-DPARID_BENCH=OFF",
                     "-DPARID_PYTHON=ON"]
            if shutil.which("ninja"):
                words.append("-GNinja")
            cmake(["-S", HERE, "-B", folder, f"-DPython3_EXECUTABLE={sys.executable}", *words])
        cmake(["--build", folder, "--parallel", os.cpu_count() or 1, "--target", "_parid",
               "parid_program"])
        staged = Path(self.build_temp).resolve() / "staged"
        shutil.rmtree(staged, ignore_errors=True)
        cmake(["--install", folder, "--component", "python", "--prefix", staged])
        module = next(staged.rglob("_parid*.so"), None)
        if module is None:
            raise SystemExit("parid: CMake made no Python module; python3-dev, python3-numpy and pybind11-dev are needed")
        if not module.name.endswith(sysconfig.get_config_var("EXT_SUFFIX")):
            raise SystemExit(f"parid: {module.name} is for another Python than {sys.executable}; leave PARID_BUILD_DIR out")
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(module, target)
        (target.parent / "bin").mkdir(exist_ok=True)
        shutil.copy2(folder / "parid", target.parent / "bin" / "parid")
        # the module holds the library, and looks beside itself for what reads HDF5
        hdf5 = folder / "libparid-hdf5.so"
        if hdf5.exists():
            shutil.copy2(hdf5, target.parent / hdf5.name)


# as PEP 440 writes release candidates: 1.0.0rc1
version = (HERE / "VERSION.txt").read_text().strip().replace("-rc.", "rc")
setup(
    name="parid",
    version=version,
    description="A compiler for robot dynamics",
    long_description=(HERE / "docs" / "python.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="BSD-3-Clause",
    python_requires=">=3.10",
    install_requires=["numpy>=1.22"],
    packages=["parid"],
    scripts=["python/scripts/parid"],
    package_dir={"": "python"},
    package_data={"parid": ["py.typed", "*.pyi", "firmware/*"]},
    ext_modules=[Extension("parid._parid", sources=[])],
    cmdclass={"build_ext": ByCMake},
    zip_safe=False,
)
