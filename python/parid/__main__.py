"""``python -m parid``: the command line. Runs the program that is installed with the package."""

from __future__ import annotations

import os
import shutil
import sys
from typing import NoReturn


def program() -> str:
    """The path of the program: the package's own, or that of the system (Debian's package)."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "parid")
    if os.path.exists(own):
        return own
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which("parid", path=folder)
        if found is not None:
            with open(found, "rb") as file:
                if file.read(4) == b"\x7fELF":  # not the script of another Python package
                    return found
    sys.exit("parid: this installation has no program; install the wheel or the Debian package parid")


def main() -> NoReturn:
    path = program()
    sys.stdout.flush()
    os.execv(path, ["parid", *sys.argv[1:]])


if __name__ == "__main__":
    main()
