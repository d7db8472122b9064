"""HTML of results in notebooks. Every text is escaped, pictures are SVG without scripts."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Sequence

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._motion import Motion
    from ._results import Finding, Limits, Simulation
    from ._robot import Robot

    Array = NDArray[np.float64]

_COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f")
_MOST_CURVES, _MOST_ROWS, _POINTS = 12, 60, 400


def number(x: Any) -> str:
    """Four digits; what is infinite is not given."""
    if x is None or (isinstance(x, float) and not np.isfinite(x)):
        return "–"
    return f"{x:.4g}" if isinstance(x, (float, np.floating)) else str(x)


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; long ones end in an ellipsis."""
    lines = ["<table><thead><tr>", *(f"<th>{escape(h)}</th>" for h in head), "</tr></thead><tbody>"]
    all_rows = list(rows)
    for row in all_rows[:_MOST_ROWS]:
        lines += ["<tr>", *(f"<td>{escape(number(x))}</td>" for x in row), "</tr>"]
    if len(all_rows) > _MOST_ROWS:
        lines.append(f'<tr><td colspan="{len(head)}">… {len(all_rows)} rows in all</td></tr>')
    return "".join(lines + ["</tbody></table>"])


def picture(svg: str) -> str:
    """An SVG as an image, in which browsers run no scripts."""
    data = base64.b64encode(svg.encode("utf-8")).decode("ascii")
    return f'<img alt="" style="max-width:100%" src="data:image/svg+xml;base64,{data}"/>'


def curves(t: Array, y: Array, names: Sequence[str], title: str, x_title: str = "t in s") -> str:
    """The SVG of columns over time, with the smallest and largest values as ticks."""
    width, height, left, top, right = 640, 240, 64, 24, 130
    shown = min(y.shape[1], _MOST_CURVES)
    values = y[:, :shown]
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if high == low:
        low, high = low - 1.0, high + 1.0
    start, end = float(t[0]), float(t[-1]) if t[-1] > t[0] else float(t[0]) + 1.0
    plot_width, plot_height = width - left - right, height - 2 * top

    def across(x: float) -> float:
        return left + plot_width * (x - start) / (end - start)

    def down(x: float) -> float:
        return top + plot_height * (high - x) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="14">{escape(title)}</text>',
        f'<rect x="{left}" y="{top}" width="{plot_width}" height="{plot_height}" fill="none" '
        'stroke="#999"/>',
    ]
    if low < 0 < high:
        parts.append(f'<line x1="{left}" x2="{left + plot_width}" y1="{down(0):.1f}" '
                     f'y2="{down(0):.1f}" stroke="#ccc"/>')
    for value in (low, high):
        parts.append(f'<text x="{left - 6}" y="{down(value) + 4:.1f}" '
                     f'text-anchor="end">{escape(number(value))}</text>')
    for value, anchor in ((start, "start"), (end, "end")):
        parts.append(f'<text x="{across(value):.1f}" y="{height - 8}" '
                     f'text-anchor="{anchor}">{escape(number(value))}</text>')
    parts.append(f'<text x="{left + plot_width / 2:.0f}" y="{height - 8}" '
                 f'text-anchor="middle">{escape(x_title)}</text>')
    step = max(1, len(t) // _POINTS)
    for k in range(shown):
        points = " ".join(f"{across(float(a)):.1f},{down(float(b)):.1f}"
                          for a, b in zip(t[::step], values[::step, k]) if np.isfinite(b))
        colour = _COLOURS[k % len(_COLOURS)]
        parts.append(f'<polyline fill="none" stroke="{colour}" points="{points}"/>')
        name = names[k] if k < len(names) else str(k + 1)
        name = name if len(name) <= 18 else name[:17] + "…"
        parts.append(f'<text x="{left + plot_width + 8}" y="{top + 12 + 15 * k}" '
                     f'fill="{colour}">{escape(name)}</text>')
    if y.shape[1] > shown:
        parts.append(f'<text x="{left + plot_width + 8}" y="{top + 12 + 15 * shown}">'
                     f'… {y.shape[1]} in all</text>')
    return "".join(parts + ["</svg>"])


# ---- pages of single objects ---------------------------------------------------------------------


def robot_html(robot: Robot) -> str:
    facts = [("file", robot.file or "built in"), ("positions", robot.nq),
             ("degrees of freedom", robot.nv), ("mass, kg", robot.mass), ("tip", robot.tip)]
    joints = table(
        ["joint", "type", "parent", "child", "lower", "upper", "velocity", "effort"],
        ([j.name, j.type, j.parent, j.child, j.lower, j.upper, j.velocity, j.effort]
         for j in robot.joints),
    )
    summary = f"<p>{escape(robot.summary)}</p>" if robot.summary else ""
    return f"<h4>{escape(robot.name)}</h4>{summary}{table(['', ''], facts)}{joints}"


def motion_html(motion: Motion) -> str:
    t = motion.t if motion.t is not None else np.arange(len(motion), dtype=float)
    x_title = "t in s" if motion.t is not None else "sample"
    if len(motion) < 2:
        return f"<p>{escape(repr(motion))}</p>"
    if motion.tau is not None:
        svg = curves(t, motion.tau, motion.velocity_names, "torques in N m or N", x_title)
    else:
        svg = curves(t, motion.q, motion.position_names, "positions in rad or m", x_title)
    return f"<p>{len(motion)} samples</p>{picture(svg)}"


def simulation_html(simulation: Simulation) -> str:
    end = simulation.end + (f": {simulation.why}" if simulation.why else "")
    drift = number(simulation.relative_energy_drift)
    text = (f"<p>{escape(end)}, t = {number(simulation.ended_at)} s, {simulation.steps} steps, "
            f"relative energy drift {drift}</p>")
    if len(simulation.t) < 2:
        return text
    names: List[str] = []
    return (text + picture(curves(simulation.t, simulation.q, names, "positions in rad or m"))
            + picture(curves(simulation.t, simulation.tau, names, "torques in N m or N")))


def findings_html(findings: Sequence[Finding]) -> str:
    if not findings:
        return "<p>OK: no errors, no warnings</p>"
    return table(["severity", "place", "message", "remedy", "code"],
                 ([f.severity, f"{f.file}:{f.line}" if f.line > 0 else f.file, f.message, f.remedy,
                   f.code] for f in findings))


def limits_html(limits: Limits) -> str:
    verdict: Optional[str] = {True: "The limits hold.", False: "Limits are exceeded.",
                              None: "Nothing is exceeded, but a joint has no torque limit."}[
                                  limits.holds]
    rows = ([j.name, j.peak, j.rms, j.limit, f"{100 * j.share:.0f} %", j.peak_speed, j.peak_power]
            for j in limits.joints)
    return f"<p>{verdict}</p>" + table(
        ["joint", "peak torque", "RMS", "limit", "share", "peak speed", "peak power, W"], rows)
