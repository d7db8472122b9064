// Torques, velocities and positions along the motion, and their current values. Revolute and prismatic
// coordinates are separate, each with its unit. Pressing a joint's name hides its curves.

import { el } from "./dom";
import type { Motion } from "./motion";
import { fixed } from "./numbers";
import { type Curve, Plot } from "./plot";
import { type Report, columns } from "./report";
import { css } from "./theme";

export function curves(report: Report, motion: Motion): HTMLElement {
  const all = report.robot.coordinates;
  const plots: Plot[] = [];
  const add = (title: string, unit: string, slides: boolean, of: (k: number) => Float64Array | null): void => {
    const list: Curve[] = [];
    all.forEach((c, k) => {
      const y = c.slides === slides ? of(k) : null;
      if (y) list.push({ name: c.name, y, style: k });
    });
    if (list.length > 0) plots.push(new Plot({ title, unit, x: motion.t, curves: list, clock: motion.clock, height: 106 }));
  };
  const position = (k: number): Float64Array | null => (all[k].position >= 0 ? motion.q[all[k].position] : null);
  add(`Torque, ${report.model.brief}`, "N m", false, (k) => motion.tau[k]);
  add(`Force, ${report.model.brief}`, "N", true, (k) => motion.tau[k]);
  add("Velocity", "rad/s", false, (k) => motion.v[k]);
  add("Velocity", "m/s", true, (k) => motion.v[k]);
  add("Position", "rad", false, position);
  add("Position", "m", true, position);

  const bottom = plots[plots.length - 1];
  bottom?.label(motion.timed ? "s" : "sample");

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
  all.forEach((c, k) => {
    const x = cells[k];
    const name = el("button", { type: "button", class: "curve", "aria-pressed": "true", title: "show or hide its curves", style: `--curve:${css(k)}`, onclick: () => {
      const on = name.getAttribute("aria-pressed") !== "true";
      name.setAttribute("aria-pressed", String(on));
      for (const p of plots) p.toggle(k, on);
    } }, c.name);
    x.row.append(...[el("th", { scope: "row" }, name), x.tau, x.rigid, x.load, x.v, x.q].filter((e) => e !== null));
  });
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
  return el("div", { class: "curves" },
    el("div", { class: "plots" }, ...plots.map((p) => p.box)),
    el("div", { class: "scroll now-table" }, el("table", { id: "now-table", class: anyLimit ? "" : "limitless" },
      el("caption", { class: "unseen" }, `Values at the current sample; torques: ${report.model.torques}; ${report.model.around}`),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "joint"), head(`torque, ${report.model.brief}`, units[0]), rigid ? head("rigid only", units[0]) : null, el("th", { scope: "col", class: "load" }, "of limit"), head("velocity", units[1]), head("position", units[2]))),
      el("tbody", {}, ...cells.map((x) => x.row)))));
}
