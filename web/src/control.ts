// The motion under a sampled controller: position errors by policy of stale data.

import { card, el, table } from "./dom";
import type { Motion } from "./motion";
import { seconds, short } from "./numbers";
import { type Curve, Plot } from "./plot";
import { type Report, columns, doubles } from "./report";
import { swatch } from "./theme";

export function control(report: Report, motion: Motion): HTMLElement | null {
  const d = report.control;
  if (!d) return null;
  const { coordinates } = report.robot;
  const runs = d.runs.map((r) => ({ ...r, x: doubles(r.t), errors: columns(r.error, coordinates.length), taus: columns(r.tau, coordinates.length) }));
  // One time grid for all: that of the longest run; diverged runs end early.
  const longest = runs.reduce((a, b) => (b.x.length > a.x.length ? b : a));
  const padded = (y: Float64Array, scale: number): Float64Array => {
    const out = new Float64Array(longest.x.length).fill(NaN);
    for (let k = 0; k < y.length; ++k) out[k] = scale * y[k];
    return out;
  };
  const error = (k: number): Curve[] => runs.map((r, i) => ({ name: r.id, y: padded(r.errors[k], 1e3), style: i }));
  const tau = (k: number): Curve[] => runs.map((r, i) => ({ name: r.id, y: padded(r.taus[k], 1), style: i }));
  const worst = coordinates.map((_, k) => Math.max(...runs.map((r) => r.errors[k].reduce((m, x) => Math.max(m, Math.abs(x)), 0))));
  const start = worst.indexOf(Math.max(...worst));
  const errors = new Plot({ title: "Position error", unit: coordinates[start].slides ? "mm" : "mrad", x: longest.x, curves: error(start), clock: motion.clock, height: 190 });
  const taus = new Plot({ title: `Torque, ${d.friction ? "rigid + friction" : "rigid"}`, unit: coordinates[start].slides ? "N" : "N m", x: longest.x, curves: tau(start), clock: motion.clock, height: 190, last: true, across: "s" });
  const pick = el("select", { id: "control-joint", onchange: () => {
    const k = Number(pick.value);
    errors.set(longest.x, error(k), coordinates[k].slides ? "mm" : "mrad");
    taus.set(longest.x, tau(k), coordinates[k].slides ? "N" : "N m");
  } }, ...coordinates.map((c, k) => el("option", { value: k, selected: k === start }, c.name)));
  const unit = coordinates.some((c) => c.slides) ? (coordinates.every((c) => c.slides) ? "m" : "rad or m") : "rad";
  return card("control", "Control", `Shown: how much the robot strays from the motion if its controller uses torques from old measurements, as slow computers of the time required. The same motion under a sampled ${d.law.replace("_", " ")} controller, a period of ${seconds(d.period)}${d.friction ? ", with friction and its compensation" : ", without friction"}. The robot: ${report.model.around}; the controller\u2019s model has no payload. Policies differ in the age of the data from which torques are computed. Errors in the table are in ${unit}.`,
    table(runs, [
      { head: "policy", text: (r) => el("span", { class: "curve-name" }, swatch(runs.indexOf(r)), r.id), key: (r) => r.id },
      { head: "largest error", number: true, text: (r) => short(r.max_error, 3), key: (r) => r.max_error },
      { head: "rms", number: true, text: (r) => short(r.rms_error, 3), key: (r) => r.rms_error },
      { head: "at the end", number: true, text: (r) => short(r.final_error, 3), key: (r) => r.final_error },
      { head: "diverged", number: true, text: (r) => (r.diverged_at === null ? "no" : `at ${short(r.diverged_at, 3)} s`), key: (r) => r.diverged_at ?? Infinity },
    ], `Errors of position, ${unit}, by policy`),
    el("p", { class: "row" }, el("label", { for: "control-joint" }, "Joint "), pick, el("span", { class: "note" }, "the vertical line marks the current time")),
    errors.box, taus.box);
}
