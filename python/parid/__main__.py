"""``python -m parid``: the command line. Runs the program that is installed with the package."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from ._error import Error
from ._program import program


def main() -> NoReturn:
    try:
        path = program()
    except Error as error:
        sys.exit(f"parid: {error}")
    sys.stdout.flush()
    os.execv(path, ["parid", *sys.argv[1:]])


if __name__ == "__main__":
    main()
