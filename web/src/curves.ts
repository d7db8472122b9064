// Torques, velocities and positions along the motion with their limits, and their current values. Revolute and
// prismatic coordinates are separate, each with its unit. Pressing a joint's name hides its curves; "only" hides
// those of all others.

import { el } from "./dom";
import type { Motion } from "./motion";
import { fixed } from "./numbers";
import { type Curve, Plot } from "./plot";
import { type Coordinate, type Report, columns } from "./report";
import type { Selection } from "./selection";
import { swatch } from "./theme";

export function curves(report: Report, motion: Motion, selection: Selection): HTMLElement {
  const all = report.robot.coordinates;
  const plots: Plot[] = [];
  const both = (x: number | null): number[] => (x !== null && x > 0 ? [-x, x] : []);
  const ends = (c: Coordinate): number[] => (c.position < 0 ? [] : [c.lower, c.upper].filter((x): x is number => x !== null));
  const timeUnit = motion.timed ? "s" : "sample";
  const add = (title: string, unit: string, slides: boolean, of: (k: number) => Float64Array | null, limits: (c: Coordinate) => number[]): void => {
    const list: Curve[] = [];
    all.forEach((c, k) => {
      const y = c.slides === slides ? of(k) : null;
      if (y) list.push({ name: c.name, y, style: k, limits: limits(c) });
    });
    if (list.length > 0) plots.push(new Plot({ title, unit, x: motion.t, curves: list, clock: motion.clock, height: 118, timeUnit }));
  };
  const position = (k: number): Float64Array | null => (all[k].position >= 0 ? motion.q[all[k].position] : null);
  add(`Torque, ${report.model.brief}`, "N m", false, (k) => motion.tau[k], (c) => both(c.effort));
  add(`Force, ${report.model.brief}`, "N", true, (k) => motion.tau[k], (c) => both(c.effort));
  add("Velocity", "rad/s", false, (k) => motion.v[k], (c) => both(c.velocity));
  add("Velocity", "m/s", true, (k) => motion.v[k], (c) => both(c.velocity));
  add("Position", "rad", false, position, ends);
  add("Position", "m", true, position, ends);

  const broken = new Map(report.motion.limits_broken.map((b) => [`${b.coordinate} ${b.kind}`, b]));
  // A torque with friction is shown with the rigid one, which other programs print.
  const rigid = report.friction ? columns(report.friction.rigid, all.length) : null;
  const cells = all.map((c, k) => {
    const cell = (what: string, kind: string, unit: string): HTMLElement => {
      const b = broken.get(`${c.name} ${kind}`);
      const title = b ? `reaches ${fixed(b.value, 4)} ${unit}; its limit is ${fixed(b.limit, 4)}` : undefined;
      return el("td", { class: "number", "data-what": what, title });
    };
    const bar = el("i");
    return {
      tau: cell("tau", "effort", c.slides ? "N" : "N m"), v: cell("v", "velocity", c.slides ? "m/s" : "rad/s"), q: cell("q", "position", c.slides ? "m" : "rad"),
      rigid: rigid ? el("td", { class: "number", "data-what": "rigid" }) : null,
      bar, load: el("td", { class: "load", title: c.effort !== null ? `of ${fixed(c.effort, 1)} ${c.slides ? "N" : "N m"}` : "no limit in the robot's file" }, el("span", { class: "meter" }, bar)),
      row: el("tr", { "data-coordinate": k }),
    };
  });
  const names = all.map((c, k) => el("button", { type: "button", class: "curve", title: "show or hide its curves", onclick: () => selection.toggle(k) }, swatch(k), el("span", {}, c.name)));
  const solos = all.map((c, k) => el("button", { type: "button", class: "solo", title: `show only the curves of ${c.name}`, "aria-label": `show only ${c.name}`, onclick: () => selection.solo(k) }, "only"));
  all.forEach((_, k) => {
    const x = cells[k];
    x.row.append(...[el("th", { scope: "row" }, names[k]), x.tau, x.rigid, x.load, x.v, x.q, el("td", { class: "solo-cell" }, solos[k])].filter((e) => e !== null));
  });
  const choose = (): void => {
    all.forEach((_, k) => {
      names[k].setAttribute("aria-pressed", String(selection.shows(k)));
      solos[k].setAttribute("aria-pressed", String(selection.isAlone(k)));
      cells[k].row.hidden = !selection.lists(k);
    });
    for (const p of plots) p.show((k) => selection.shows(k));
    const bottom = [...plots].reverse().find((p) => !p.box.hidden);
    for (const p of plots) p.label(timeUnit, p === bottom);
  };
  selection.listen(choose);
  choose();
  const anyLimit = all.some((c) => c.effort !== null);
  motion.clock.listen(() => {
    const k = motion.clock.sample;
    all.forEach((c, i) => {
      const x = cells[i], tau = motion.tau[i][k];
      x.tau.textContent = fixed(tau, 4);
      if (rigid) x.rigid!.textContent = fixed(rigid[i][k], 4);
      x.v.textContent = fixed(motion.v[i][k], 4);
      const q = c.position >= 0 ? motion.q[c.position][k] : null;
      x.q.textContent = q !== null ? fixed(q, 4) : "\u2013";
      const beyond = (value: number, limit: number | null): boolean => limit !== null && limit > 0 && Math.abs(value) > limit;
      x.tau.classList.toggle("over", beyond(tau, c.effort));
      x.v.classList.toggle("over", beyond(motion.v[i][k], c.velocity));
      x.q.classList.toggle("over", q !== null && ((c.lower !== null && q < c.lower - 1e-9) || (c.upper !== null && q > c.upper + 1e-9)));
      if (c.effort) {
        const share = Math.min(1, Math.abs(tau) / c.effort);
        x.bar.style.width = `${(50 * share).toFixed(1)}%`;
        x.bar.style.left = tau < 0 ? `${(50 - 50 * share).toFixed(1)}%` : "50%";
        x.bar.className = Math.abs(tau) > c.effort ? "over" : "";
      }
    });
  });
  const units = all.some((c) => c.slides) ? (all.every((c) => c.slides) ? ["N", "m/s", "m"] : ["N m, N", "rad/s, m/s", "rad, m"]) : ["N m", "rad/s", "rad"];
  const head = (text: string, unit: string): HTMLElement => el("th", { scope: "col", class: "number" }, text, el("span", { class: "unit" }, unit));
  const reset = el("button", { type: "button", class: "quiet small", id: "reset-zoom", hidden: true, onclick: () => motion.clock.zoom(null) }, "Show all of the time");
  motion.clock.onZoom(() => { reset.hidden = motion.clock.range === null; });
  const some = all.some((c) => c.effort !== null || c.velocity !== null || c.lower !== null || c.upper !== null);
  const scale = el("input", { type: "checkbox", id: "scale-limits", onchange: () => { for (const p of plots) p.scaleToLimits(scale.checked); } });
  return el("div", { class: "curves" },
    selection.tools(),
    el("div", { class: "plot-tools" }, some ? el("label", { class: "check", title: "dotted lines are limits; those far from the curves are outside the plot unless this is set" }, scale, "scale to limits (dotted)") : null,
      el("span", { class: "hint" }, "drag to zoom, double-click to reset"), reset),
    el("div", { class: "plots" }, ...plots.map((p) => p.box)),
    el("div", { class: "scroll now-table" }, el("table", { id: "now-table", class: anyLimit ? "" : "limitless" },
      el("caption", { class: "unseen" }, `Values at the current sample; torques: ${report.model.torques}; ${report.model.around}`),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "joint"), head(`torque, ${report.model.brief}`, units[0]), rigid ? head("rigid only", units[0]) : null, el("th", { scope: "col", class: "load" }, "of limit"), head("velocity", units[1]), head("position", units[2]), el("th", { class: "solo-cell" }, el("span", { class: "unseen" }, "show alone")))),
      el("tbody", {}, ...cells.map((x) => x.row)))));
}
