// The parts of the torque: rigid bodies, bearing friction, drive losses.

import { card, el, svg } from "./dom";
import type { Motion } from "./motion";
import { short } from "./numbers";
import { type Curve, Plot } from "./plot";
import { type Report, columns } from "./report";
import { css } from "./theme";

const known = [["rigid", "bodies and rotors", 0], ["bearing", "bearings", 1], ["drive", "drives", 2]] as const;

export function friction(report: Report, motion: Motion): HTMLElement | null {
  const d = report.friction;
  if (!d) return null;
  const { coordinates } = report.robot, n = coordinates.length;
  const all = { rigid: columns(d.rigid, n), bearing: columns(d.bearing, n), drive: columns(d.drive, n) };
  const parts = known.filter(([id], k) => k === 0 || all[id].some((x) => x.some((y) => y !== 0)));
  // Root mean square over the samples.
  const rms = (x: Float64Array): number => Math.sqrt(x.reduce((s, y) => s + y * y, 0) / Math.max(x.length, 1));
  const sizes = coordinates.map((_, k) => parts.map(([id]) => rms(all[id][k])));
  const width = 560, row = 26, left = 110, right = 130, height = 14 + row * n;
  const bars = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": "share of each part, joint by joint" });
  coordinates.forEach((c, k) => {
    const sum = sizes[k].reduce((a, b) => a + b, 0) || 1, y = 6 + row * k;
    bars.append(svg("text", { x: left - 10, y: y + row / 2 + 3, class: "axis", "text-anchor": "end" }, c.name));
    let x = left;
    sizes[k].forEach((s, i) => {
      const w = (s / sum) * (width - left - right);
      bars.append(svg("rect", { x, y: y + 2, width: w, height: row - 6, style: `fill:${css(parts[i][2])}` }, svg("title", {}, `${parts[i][1]}: ${short(s, 4)} rms`)));
      x += w;
    });
    bars.append(svg("text", { x: width - right + 10, y: y + row / 2 + 3, class: "tick" }, sizes[k].map((s) => short(s, 3)).join(" + ")));
  });
  const curves = (k: number): Curve[] => [...parts.map(([id, name, style]) => ({ name, y: all[id][k], style })), { name: "total", y: motion.tau[k], style: 7 }];
  const start = sizes.map((s) => (s[1] ?? 0) + (s[2] ?? 0)).reduce((best, x, k, list) => (x > list[best] ? k : best), 0);
  const plot = new Plot({ title: "Torque in parts", unit: coordinates[start].slides ? "N" : "N m", x: motion.t, curves: curves(start), clock: motion.clock, height: 210, last: true, across: motion.timed ? "s" : "sample", timeUnit: motion.timed ? "s" : "sample" });
  const pick = el("select", { id: "friction-joint", onchange: () => {
    const k = Number(pick.value);
    plot.set(motion.t, curves(k), coordinates[k].slides ? "N" : "N m");
  } }, ...coordinates.map((c, k) => el("option", { value: k, selected: k === start }, c.name)));
  const unit = coordinates.some((c) => c.slides) ? (coordinates.every((c) => c.slides) ? "N" : "N m or N") : "N m";
  return card("friction", "Friction", `The motor torques along the motion, by part: rigid bodies and rotors, bearing friction, drive losses. ${report.model.around.charAt(0).toUpperCase()}${report.model.around.slice(1)}.`,
    el("div", { class: "key" }, ...parts.map(([, name, style]) => el("span", { style: `--curve:${css(style)}` }, name)), el("span", { style: `--curve:${css(7)}` }, "total")),
    el("div", { class: "pair uneven" }, el("figure", {}, bars, el("figcaption", {}, `Root mean square of each part in ${unit}, and their shares`)),
      el("div", {}, el("p", { class: "row" }, el("label", { for: "friction-joint" }, "Joint "), pick), plot.box)));
}
