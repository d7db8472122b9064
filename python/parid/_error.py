"""The exception for errors in robots, motions and options: place, message and remedy."""

from __future__ import annotations

import re

_place = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?:(?P<line>\d+):)? (?P<rest>.*)$", re.DOTALL)


#: what a command is called in Python, for remedies that the library words for the command line
_METHODS = {
    "batch": 'parid.run("batch", …)',
    "check": "parid.check()",
    "generate": "Robot.generate()",
    "ik": "Robot.ik()",
    "info": "Robot.joints",
    "limits": "Robot.limits()",
    "motion": "Robot.motion()",
    "robots": "parid.robots()",
    "simulate": "Robot.simulate()",
    "table": "Robot.table()",
    "torque": "Robot.inverse_dynamics()",
}


def in_python(text: str) -> str:
    """A remedy in Python's words: `parid info` is `Robot.joints`, --floating is floating=."""
    text = re.sub(r"`parid ([a-z]+)`",
                  lambda m: f"`{_METHODS[m[1]]}`" if m[1] in _METHODS else m[0], text)
    return re.sub(r"(?<![\w-])--([a-z][a-z-]+)", lambda m: m[1].replace("-", "_") + "=", text)


class Error(ValueError):
    """An invalid robot, motion or option.

    ``str(error)`` is ``file:line: what is wrong; what would be right``; the parts are attributes.

    file     the file, or ""
    line     in it, from 1; 0: the file as a whole, or none
    message  what is wrong
    remedy   what would be right, or ""

    >>> try:
    ...     parid.load("puma56")
    ... except parid.Error as error:
    ...     print(error.remedy)
    did you mean 'puma560'? `robots()` lists the built-in robots
    """

    file: str
    line: int
    message: str
    remedy: str

    def __init__(self, text: str, of_program: bool = False) -> None:
        if not of_program:
            before, separator, remedy = text.partition("; ")
            text = before + separator + in_python(remedy)
        super().__init__(text)
        self.file, self.line, rest = "", 0, text
        found = _place.match(text)
        if found:
            self.file, rest = found["file"], found["rest"]
            self.line = int(found["line"] or 0)
        self.message, _, self.remedy = rest.partition("; ")
