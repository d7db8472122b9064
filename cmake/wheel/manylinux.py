#!/usr/bin/python3
"""On which Linux systems the files of a wheel load.

A tag manylinux_2_N (PEP 600) promises that a wheel loads wherever glibc 2.N or newer is installed,
with the C++ library that systems of that age have. This file computes the smallest N from the
versions of the symbols that the files take from system libraries, and finds libraries that such
systems need not have.

    manylinux.py FILE-OR-FOLDER…     list needs, and the tag that follows from them
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
import elf  # noqa: E402

# Libraries that PEP 600 takes for granted, of those that a program without a window may need.
ALLOWED = frozenset(["libgcc_s.so.1", "libstdc++.so.6", "libm.so.6", "libdl.so.2", "librt.so.1",
                     "libc.so.6", "libpthread.so.0", "libutil.so.1", "libresolv.so.2",
                     "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"])

Version = Tuple[int, ...]

# The newest versions of the C++ library's symbols that systems with glibc 2.N have: those of the
# distributions from which PEP 600's policies are made. A version between two rows belongs to the
# next one.
CXX: List[Tuple[int, Dict[str, Version]]] = [
    (17, {"GLIBCXX": (3, 4, 19), "CXXABI": (1, 3, 7), "GCC": (4, 8, 0)}),
    (24, {"GLIBCXX": (3, 4, 22), "CXXABI": (1, 3, 10), "GCC": (4, 8, 0)}),
    (27, {"GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11), "GCC": (7, 0, 0)}),
    (31, {"GLIBCXX": (3, 4, 28), "CXXABI": (1, 3, 12), "GCC": (7, 0, 0)}),
    (34, {"GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (7, 0, 0)}),
    (35, {"GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}),
    (38, {"GLIBCXX": (3, 4, 32), "CXXABI": (1, 3, 14), "GCC": (13, 0, 0)}),
    (39, {"GLIBCXX": (3, 4, 33), "CXXABI": (1, 3, 15), "GCC": (14, 0, 0)}),
]


@dataclass
class Needs:
    """What all the files together need of the system."""

    machine: str = ""
    outside: Dict[str, List[str]] = field(default_factory=dict)  #: library: files that need it
    versions: Dict[str, Version] = field(default_factory=dict)  #: newest by family
    reasons: Dict[str, str] = field(default_factory=dict)  #: of these, the file

    @property
    def glibc(self) -> int:
        """N of glibc 2.N."""
        oldest = max(17, self.versions.get("GLIBC", (2, 17))[1])
        for n, newest in CXX:
            if all(self.versions.get(name, (0,)) <= limit for name, limit in newest.items()):
                return max(oldest, n)
        raise ValueError(f"the C++ library is newer than the table in {__file__}: {self.versions}")

    @property
    def tag(self) -> str:
        return f"manylinux_2_{self.glibc}_{self.machine}"


def needs(files: List[Path]) -> Needs:
    """Of ELF files that are installed together."""
    found = Needs()
    read = {path: elf.read(path) for path in files}
    inside = {x.soname or path.name for path, x in read.items()}
    for path, x in read.items():
        if found.machine not in ("", x.machine):
            raise ValueError(f"{path} is for {x.machine}, others are for {found.machine}")
        found.machine = x.machine
        for library in x.needed:
            if library not in ALLOWED and library not in inside:
                found.outside.setdefault(library, []).append(path.name)
            if library in inside and not all(p.startswith("$ORIGIN") for p in x.run_paths or ["/"]):
                raise ValueError(f"{path} has the run paths {x.run_paths}; they must be relative to $ORIGIN")
        for library, names in x.versions.items():
            if library in inside:
                continue
            for name in names:
                match = re.fullmatch(r"([A-Z]+)_([0-9.]+)", name)
                if match is None:
                    continue  # GLIBC_PRIVATE and the like have no order
                family, version = match[1], tuple(map(int, match[2].split(".")))
                if version > found.versions.get(family, (0,)):
                    found.versions[family], found.reasons[family] = version, path.name
    return found


def binaries(folder: Path) -> List[Path]:
    if folder.is_file():
        return [folder]
    return sorted(p for p in folder.rglob("*") if p.is_file() and elf.is_elf(p))


def report(found: Needs) -> str:
    lines = [f"{family:8} {'.'.join(map(str, version)):8} by {found.reasons[family]}"
             for family, version in sorted(found.versions.items())]
    lines += [f"outside of PEP 600's list: {library}, needed by {', '.join(users)}"
              for library, users in sorted(found.outside.items())]
    return "\n".join(lines + [found.tag])


if __name__ == "__main__":
    all_needs = needs([p for word in sys.argv[1:] for p in binaries(Path(word))])
    print(report(all_needs))
    sys.exit(1 if all_needs.outside else 0)
