"""What an ELF file needs: libraries, run paths, and versions of the symbols that it takes from
them. Reads 64-bit little-endian files without any tool, so that the same code reads files of
another architecture."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Set, Tuple

MACHINES = {62: "x86_64", 183: "aarch64"}
_LOAD, _DYNAMIC = 1, 2
_NEEDED, _STRTAB, _SONAME, _RPATH, _RUNPATH = 1, 5, 14, 15, 29
_VERNEED, _VERNEEDNUM = 0x6FFFFFFE, 0x6FFFFFFF


@dataclass
class Elf:
    """The dynamic section of a program or library."""

    machine: str
    needed: List[str] = field(default_factory=list)
    soname: str = ""
    run_paths: List[str] = field(default_factory=list)
    versions: Dict[str, Set[str]] = field(default_factory=dict)  #: by library: GLIBC_2.34, …


def is_elf(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def read(path: Path) -> Elf:
    data = path.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError(f"{path}: not a 64-bit little-endian ELF file")
    (machine,) = struct.unpack_from("<H", data, 18)
    (offset,) = struct.unpack_from("<Q", data, 32)
    entry_size, entries = struct.unpack_from("<HH", data, 54)
    loads: List[Tuple[int, int, int]] = []
    dynamic = (0, 0)
    for k in range(entries):
        kind, _, at, address, _, size = struct.unpack_from("<IIQQQQ", data, offset + k * entry_size)
        if kind == _LOAD:
            loads.append((address, at, size))
        elif kind == _DYNAMIC:
            dynamic = (at, size)
    elf = Elf(MACHINES.get(machine, f"machine {machine}"))

    def place(address: int) -> int:
        for start, at, size in loads:
            if start <= address < start + size:
                return at + address - start
        raise ValueError(f"{path}: address {address:#x} is outside of the file")

    tags: List[Tuple[int, int]] = []
    for at in range(dynamic[0], sum(dynamic), 16):
        tag, value = struct.unpack_from("<qQ", data, at)
        if tag == 0:
            break
        tags.append((tag, value))
    values = dict(tags)
    if _STRTAB not in values:
        return elf
    strings = place(values[_STRTAB])

    def text(index: int) -> str:
        return data[strings + index: data.index(b"\0", strings + index)].decode()

    elf.needed = [text(value) for tag, value in tags if tag == _NEEDED]
    elf.soname = next((text(value) for tag, value in tags if tag == _SONAME), "")
    paths = [text(value) for tag, value in tags if tag in (_RPATH, _RUNPATH)]
    elf.run_paths = [path for each in paths for path in each.split(":")]
    at = place(values[_VERNEED]) if _VERNEED in values else 0
    for _ in range(values.get(_VERNEEDNUM, 0)):
        _, count, file, first, following = struct.unpack_from("<HHIII", data, at)
        one, names = at + first, elf.versions.setdefault(text(file), set())
        for _ in range(count):
            _, _, _, name, after = struct.unpack_from("<IHHII", data, one)
            names.add(text(name))
            one += after
        at += following
    return elf
