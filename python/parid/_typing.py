"""Types that signatures share."""

from __future__ import annotations

from os import PathLike as _PathLike
from typing import Union

PathLike = Union[str, "_PathLike[str]"]
