// Safe sampling periods: spectral radii of the loop by policy, blue below one.

import { card, el, svg, table } from "./dom";
import { fixed, seconds, short } from "./numbers";
import type { Report, StabilityData } from "./report";

type Row = StabilityData["policies"][number];

function shade(radius: number | null): string {
  const far = radius === null || !Number.isFinite(radius) ? 1 : Math.min(1, Math.abs(Math.log(Math.max(radius, 1e-3))) / Math.log(1.6));
  const share = (28 + 72 * Math.sqrt(far)).toFixed(0);
  return `color-mix(in oklab, var(${radius !== null && radius < 1 ? "--safe" : "--unsafe"}) ${share}%, var(--card))`;
}

function map(d: StabilityData): SVGSVGElement {
  const width = 1000, left = 170, right = 70, row = 26, top = 8, n = d.periods.length;
  const height = top + row * d.policies.length + 44, w = (width - left - right) / n;
  const first = Math.log10(d.periods[0]), last = Math.log10(d.periods[n - 1]);
  const x = (T: number): number => left + w / 2 + ((Math.log10(T) - first) / (last - first)) * (width - left - right - w);
  const out = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "map", role: "img", "aria-label": "spectral radius by policy and sampling period" });
  d.policies.forEach((p, k) => {
    const y = top + row * k;
    out.append(svg("text", { x: left - 10, y: y + row / 2 + 4, class: "axis", "text-anchor": "end" }, p.id, p.what ? svg("title", {}, p.what) : null));
    p.spectral_radius.forEach((r, i) => out.append(svg("rect", { x: left + w * i, y: y + 1.5, width: w + 0.5, height: row - 3, style: `fill:${shade(r)}` },
      svg("title", {}, `${p.id}, ${seconds(d.periods[i])}: spectral radius ${r === null ? "not finite" : fixed(r, 4)}`))));
    if (p.largest_safe_period > 0 && p.largest_safe_period < d.periods[n - 1]) {
      const at = x(p.largest_safe_period);
      out.append(svg("line", { x1: at, x2: at, y1: y, y2: y + row, class: "limit" }));
    }
    for (const T of p.by_pose) if (T > 0 && T < d.periods[n - 1]) out.append(svg("circle", { cx: x(T), cy: y + row / 2, r: 2, class: "pose" }));
    out.append(svg("text", { x: width - right + 8, y: y + row / 2 + 4, class: "tick" }, safe(d, p)));
  });
  const y = height - 26;
  for (let e = Math.ceil(first); e <= Math.floor(last); ++e)
    for (const m of [1, 2, 5]) {
      const T = m * 10 ** e;
      if (T >= d.periods[0] && T <= d.periods[n - 1]) out.append(svg("line", { x1: x(T), x2: x(T), y1: y - 9, y2: y - 4, class: "grid" }), svg("text", { x: x(T), y: y + 8, class: "tick", "text-anchor": "middle" }, seconds(T)));
    }
  out.append(svg("text", { x: (left + width - right) / 2, y: height - 3, class: "axis", "text-anchor": "middle" }, "sampling period"));
  return out;
}

function safe(d: StabilityData, p: Row): string {
  if (p.largest_safe_period <= 0) return "none";
  return `${p.largest_safe_period >= d.periods[d.periods.length - 1] ? "> " : ""}${seconds(p.largest_safe_period)}`;
}

export function stability(report: Report): HTMLElement | null {
  const d = report.stability;
  if (!d) return null;
  return card("stability", "Stability", `Shown: how slow a controller may be before it becomes unstable. A row is a policy, the sampling period grows to the right; blue is stable, orange is not. Stable control periods with torques from stale data (${d.law.replace("_", " ")} law, ${d.poses} random postures; ${report.model.rigid}; ${report.model.around}). The map shows the largest spectral radius over the postures: the loop is stable if it is below one. For random ages (vuskovic) it is that of the worst realisation found, and the line is the period proven for every realisation.`,
    el("div", { class: "scroll" }, map(d)),
    el("div", { class: "key" }, el("span", { style: "--curve:var(--safe)" }, "stable: disturbances decay"), el("span", { style: "--curve:var(--unsafe)" }, "unstable: disturbances grow"), el("span", { class: "right" }, "line: safe in all postures; dots: largest safe period of each")),
    el("details", {}, el("summary", {}, "As a table"), table(d.policies, [
      { head: "policy", text: (p) => el("span", { title: p.what }, p.id), key: (p) => p.id },
      { head: "safe up to", number: true, text: (p) => safe(d, p), key: (p) => p.largest_safe_period },
      { head: "at least, Hz", number: true, text: (p) => (p.largest_safe_period > 0 ? short(1 / p.largest_safe_period) : "\u2013"), key: (p) => (p.largest_safe_period > 0 ? 1 / p.largest_safe_period : Infinity) },
      { head: "steps", title: "sequential blocks of equations in a period", number: true, text: (p) => String(p.steps), key: (p) => p.steps },
      { head: "depth", title: "sequential operations in a period", number: true, text: (p) => String(p.depth), key: (p) => p.depth },
    ], "Safe sampling periods")));
}
