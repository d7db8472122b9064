"""The page of `parid report` for a robot in Python: the program writes it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, List, Optional, Tuple, Union

from ._error import Error
from ._motion import Motion
from ._results import ReportPage

if TYPE_CHECKING:
    from ._robot import MotionLike, Robot


def _program() -> str:
    """The program `parid`: that of PARID_PROGRAM, or the first on the PATH."""
    asked = os.environ.get("PARID_PROGRAM")
    found = shutil.which(asked or "parid")
    if found is None:
        raise Error(
            f"the program '{asked or 'parid'}', which writes the page, is not found; install it, "
            "or set PARID_PROGRAM to its path"
        )
    return found


def _robot_file(robot: Robot, folder: pathlib.Path, name: str) -> str:
    """A file with the robot as it is now: its own, which has its visuals, or a new one."""
    from ._robot import Robot as Loaded

    if os.path.isfile(robot.file):
        try:
            if Loaded(robot.file).to_toml() == robot.to_toml():
                return os.path.abspath(robot.file)
        except ValueError:
            pass
    path = folder / f"{name}.toml"
    path.write_text(robot.to_toml(), encoding="utf-8")
    return str(path)


def _motion_words(robot: Robot, motion: MotionLike, folder: pathlib.Path, name: str) -> List[str]:
    if isinstance(motion, Motion):
        path = str(folder / f"{name}.csv")
        robot.write_motion(motion, path)
        return [path]
    text = os.fspath(motion)
    return [os.path.abspath(text)] if os.path.exists(text) else ["--motion", text]


def report(
    robot: Robot,
    path: Union[str, os.PathLike[str], None],
    motion: MotionLike,
    payloads: Tuple[Optional[float], Optional[float], Optional[str]],
    friction: bool,
    compare: Union[Robot, MotionLike, None],
    formulations: bool,
    schedule: Optional[int],
    pipeline: bool,
    control: List[str],
    stability: bool,
    everything: bool,
) -> ReportPage:
    from ._robot import Robot as Loaded

    with tempfile.TemporaryDirectory(prefix="parid-") as made:
        folder = pathlib.Path(made)
        words = [_program(), "report", _robot_file(robot, folder, "robot")]
        words += _motion_words(robot, motion, folder, "motion")
        payload, second, link = payloads
        place = f"{link}:" if link is not None else ""
        if payload is not None:
            words += ["--payload", f"{place}{float(payload)!r}"]
        if second is not None:
            words += ["--compare-payload", f"{place}{float(second)!r}" if second else "none"]
        if isinstance(compare, Loaded):
            words += ["--compare", _robot_file(compare, folder, "compared")]
        elif compare is not None:
            words += ["--compare-motion", _motion_words(robot, compare, folder, "compared")[-1]]
        for on, word in ((friction, "--friction"), (not formulations, "--no-formulations"),
                         (pipeline, "--pipeline"), (stability, "--stability"),
                         (everything, "--all")):
            if on:
                words.append(word)
        if schedule is not None:
            words += ["--schedule", str(int(schedule))]
        if control:
            words += ["--control", ",".join(control)]
        target = os.path.abspath(os.fspath(path)) if path is not None else str(folder / "page.html")
        words += ["--json", "-o", target]
        ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if ran.returncode != 0:
            text = ran.stderr.decode("utf-8", "replace").strip()
            raise Error(text.splitlines()[-1] if text else "parid report failed")
        said = json.loads(ran.stdout)
        html = pathlib.Path(target).read_text(encoding="utf-8") if path is None else None
    return ReportPage(
        file=said["file"] if path is not None else None,
        html=html,
        samples=said["samples"],
        holds=said["holds"],
        model=said["model"],
        sections=said["sections"],
        notes=said["notes"],
    )
