"""The program of the command line, as a function."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

from ._error import Error
from ._typing import PathLike


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
    raise Error("this installation has no program; install the wheel or Debian's package parid")


def run(command: str, *words: PathLike, json_output: bool = False) -> Any:
    """Run a command of the command line. Returns its output, or with json_output its object.

    For what has no method of its own, such as `parid batch`. Each word is one argument, as in a
    shell but without its quoting. Raises parid.Error if the command refuses its input (exit code
    2); an answer of "no" (exit code 1) is a result.

    >>> parid.run("torque", "planar2").splitlines()[0]
    't,tau:joint1,tau:joint2'
    >>> parid.run("check", "puma560", json_output=True)["errors"]
    []
    """
    options = ["--json"] if json_output else []
    done = subprocess.run([program(), command, *(os.fspath(w) for w in words), *options],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        said = done.stderr.strip() or f"exit code {done.returncode}"
        raise Error(said.removeprefix("parid: ").removeprefix("error: "), of_program=True)
    return json.loads(done.stdout) if json_output else done.stdout
