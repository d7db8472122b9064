// Small charts as SVG: axes with round numbers, points joined by lines.

import { svg } from "./dom";
import { short } from "./numbers";

export function ticks(low: number, high: number, about: number): number[] {
  const raw = (high - low) / about || 1, p = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * p).find((s) => s >= raw) ?? 10 * p;
  const all: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) all.push(k * step);
  return all;
}

export interface Line {
  points: [number, number][];
  style: string; // a colour of CSS
  dashed?: boolean;
  dots?: boolean;
  name: string;
}

export function chart(o: { width: number; height: number; x: [number, number]; y: [number, number]; across: string; up: string; lines: Line[]; xTicks?: number[] }): SVGSVGElement {
  const left = 54, right = 14, top = 12, bottom = 38;
  const px = (x: number): number => left + ((x - o.x[0]) / (o.x[1] - o.x[0] || 1)) * (o.width - left - right);
  const py = (y: number): number => o.height - bottom - ((y - o.y[0]) / (o.y[1] - o.y[0] || 1)) * (o.height - top - bottom);
  const out = svg("svg", { viewBox: `0 0 ${o.width} ${o.height}`, class: "chart", role: "img", "aria-label": `${o.up} over ${o.across}` });
  for (const y of ticks(o.y[0], o.y[1], 5))
    out.append(svg("line", { x1: left, x2: o.width - right, y1: py(y), y2: py(y), class: "grid" }), svg("text", { x: left - 7, y: py(y) + 4, class: "tick", "text-anchor": "end" }, short(y)));
  for (const x of o.xTicks ?? ticks(o.x[0], o.x[1], 8))
    out.append(svg("text", { x: px(x), y: o.height - bottom + 17, class: "tick", "text-anchor": "middle" }, short(x)));
  out.append(svg("text", { x: (left + o.width - right) / 2, y: o.height - 5, class: "axis", "text-anchor": "middle" }, o.across));
  out.append(svg("text", { x: 11, y: (top + o.height - bottom) / 2, class: "axis", "text-anchor": "middle", transform: `rotate(-90 11 ${(top + o.height - bottom) / 2})` }, o.up));
  for (const l of o.lines) {
    out.append(svg("polyline", { points: l.points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(" "), fill: "none", style: `stroke:${l.style}`, "stroke-width": l.dashed ? 1.2 : 2, "stroke-dasharray": l.dashed ? "5 4" : undefined }));
    if (l.dots)
      for (const [x, y] of l.points) out.append(svg("circle", { cx: px(x), cy: py(y), r: 3.5, style: `fill:${l.style}` }, svg("title", {}, `${short(x)}: ${short(y)}`)));
  }
  return out;
}

// The legend of a chart.
export interface Key {
  name: string;
  style: string;
}
