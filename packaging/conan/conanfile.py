"""A recipe for Conan 2: `conan create packaging/conan` from a checkout."""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.gnu import PkgConfigDeps

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDERS = ("cli", "cmake", "include", "papers", "robots", "src", "web")


class Parid(ConanFile):
    name = "parid"
    license = "BSD-3-Clause"
    description = "A compiler for robot dynamics"
    settings = "os", "arch", "compiler", "build_type"
    package_type = "shared-library"
    requires = ("cli11/2.3.2", "eigen/3.4.0", "fmt/9.1.0", "libyaml/0.2.5", "libzip/1.9.2",
                "coin-lemon/1.3.1", "nlohmann_json/3.11.2", "tinyxml2/9.0.0", "tomlplusplus/3.3.0")
    tool_requires = "pkgconf/2.0.3"

    def set_version(self):
        self.version = load(self, os.path.join(ROOT, "VERSION.txt")).strip()

    def export_sources(self):
        for name in ("CMakeLists.txt", "LICENSE", "README.md", "VERSION.txt"):
            copy(self, name, ROOT, self.export_sources_folder)
        for folder in FOLDERS:
            copy(self, f"{folder}/*", ROOT, self.export_sources_folder,
                 excludes=("*/node_modules/*",))

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for name in ("TESTS", "BENCH", "PYTHON"):
            toolchain.cache_variables[f"PARID_{name}"] = False
        toolchain.cache_variables["PARID_PAGE"] = "plain"
        toolchain.generate()
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "parid")
        self.cpp_info.set_property("cmake_target_name", "parid::parid")
        self.cpp_info.set_property("pkg_config_name", "parid")
        self.cpp_info.libs = ["parid"]
