"""The program of the command line, as a function."""

from __future__ import annotations

import json
import subprocess
from os import fspath
from typing import Any

from .__main__ import program
from ._error import Error
from ._typing import PathLike


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
    done = subprocess.run([program(), command, *map(fspath, words), *options], capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        said = done.stderr.strip() or f"exit code {done.returncode}"
        raise Error(said.removeprefix("parid: ").removeprefix("error: "), of_program=True)
    return json.loads(done.stdout) if json_output else done.stdout
