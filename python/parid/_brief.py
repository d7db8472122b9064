"""A short repr of results with arrays."""

from __future__ import annotations

from dataclasses import fields


class _Brief:
    """A short repr: arrays by their shapes, long lists and texts by their lengths."""

    def __repr__(self) -> str:
        def brief(x: object) -> str:
            shape = getattr(x, "shape", None)
            if shape is not None and getattr(x, "size", 0) > 12:
                return f"<array {shape}>"
            if isinstance(x, (str, list, tuple, dict)) and len(repr(x)) > 120:
                return f"<{type(x).__name__} of {len(x)}>"
            return repr(x)

        all_fields = fields(self)
        names = [f.name for f in all_fields if f.metadata.get("brief", True)]
        return f"{type(self).__name__}({', '.join(f'{n}={brief(getattr(self, n))}' for n in names)})"
