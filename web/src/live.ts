// Torques computed in the page by the robot's specialized program, for the sliders' values.

import { el, figures } from "./dom";
import type { Motion } from "./motion";
import { fixed, seconds, short } from "./numbers";
import type { Player } from "./player";
import type { Report } from "./report";
import type { Selection } from "./selection";
import { swatch } from "./theme";

type Inverse = (q: number[], v: number[], a: number[], payload: number[]) => { tau: number[] };

declare global {
  // eslint-disable-next-line no-var
  var paridPrograms: { inverse?: Inverse } | undefined;
}

interface Slider {
  row: HTMLElement;
  set: (x: number) => void;
  get: () => number;
}

function slider(name: string, unit: string, low: number, high: number, changed: () => void): Slider {
  const step = 10 ** Math.floor(Math.log10((high - low) / 400));
  const range = el("input", { type: "range", min: low, max: high, step, "aria-label": `${name}, slider` });
  const number = el("input", { type: "number", step, "aria-label": `${name} in ${unit}` });
  let value = 0;
  const decimals = Math.max(0, Math.min(3, Math.ceil(-Math.log10(step))));
  range.addEventListener("input", () => { value = Number(range.value); number.value = value.toFixed(decimals); changed(); });
  number.addEventListener("input", () => {
    if (number.value === "" || !Number.isFinite(Number(number.value))) return;
    value = Number(number.value);
    range.value = String(value);
    changed();
  });
  return {
    row: el("span", { class: "slide" }, range, number),
    set: (x) => { value = x; range.value = String(x); number.value = x.toFixed(decimals); },
    get: () => value,
  };
}

// A quaternion is set by roll, pitch and yaw.
function rpy(x: number, y: number, z: number): number[] {
  const [a, b, c] = [x / 2, y / 2, z / 2].map((k) => [Math.cos(k), Math.sin(k)]);
  return [a[1] * b[0] * c[0] - a[0] * b[1] * c[1], a[0] * b[1] * c[0] + a[1] * b[0] * c[1],
    a[0] * b[0] * c[1] - a[1] * b[1] * c[0], a[0] * b[0] * c[0] + a[1] * b[1] * c[1]];
}
function angles(x: number, y: number, z: number, w: number): number[] {
  return [Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

export function live(report: Report, motion: Motion, player: Player, selection: Selection): HTMLElement | null {
  const found = globalThis.paridPrograms?.inverse, { robot } = report;
  if (!found || !report.live) return null;
  const inverse: Inverse = found;
  const said = report.live;
  const largest = (columns: Float64Array[], k: number): number => columns[k].reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const nice = (x: number): number => { const p = 10 ** Math.floor(Math.log10(x)); return Math.ceil(x / p) * p; };

  // The limits of the robot file, or slightly more than the range of the motion.
  const q = robot.coordinates.map((c) => {
    const wide = c.slides ? Math.max(0.5, c.position >= 0 ? 1.5 * largest(motion.q, c.position) : 0) : Math.PI;
    return slider(`position of ${c.name}`, c.slides ? "m" : "rad", c.position >= 0 && c.lower !== null ? Math.max(c.lower, -20) : -wide, c.position >= 0 && c.upper !== null ? Math.min(c.upper, 20) : wide, moved);
  });
  const v = robot.coordinates.map((c, k) => {
    const most = nice(Math.max(c.velocity ?? 0, 1.2 * largest(motion.v, k), 0.5));
    return slider(`velocity of ${c.name}`, c.slides ? "m/s" : "rad/s", -most, most, solve);
  });
  const a = robot.coordinates.map((c, k) => {
    const most = nice(Math.max(1.5 * largest(motion.a, k), c.slides ? 2 : 5));
    return slider(`acceleration of ${c.name}`, c.slides ? "m/s²" : "rad/s²", -most, most, solve);
  });
  const heaviest = nice(Math.max(1, 0.15 * robot.mass));
  const mass = slider("mass of the payload", "kg", 0, heaviest, solve);
  const offset = ["x", "y", "z"].map((name) => el("input", { type: "number", step: 0.01, value: 0, "aria-label": `${name} of the payload's centre in m`, oninput: solve }));

  const quaternionJoints = robot.joints.filter((j) => j.position >= 0 && (j.type === "floating" || j.type === "spherical"));
  const firstVelocity = (j: (typeof robot.joints)[number]): number => robot.coordinates.findIndex((c) => robot.joints[c.joint] === j) + (j.type === "floating" ? 3 : 0);
  const firstQuaternion = (j: (typeof robot.joints)[number]): number => j.position + (j.type === "floating" ? 3 : 0);

  function positions(): number[] {
    const x = [...robot.neutral];
    robot.coordinates.forEach((c, k) => { if (c.position >= 0) x[c.position] = q[k].get(); });
    for (const j of quaternionJoints) {
      const k = firstVelocity(j);
      x.splice(firstQuaternion(j), 4, ...rpy(q[k].get(), q[k + 1].get(), q[k + 2].get()));
    }
    return x;
  }
  function put(x: number[]): void {
    robot.coordinates.forEach((c, k) => { if (c.position >= 0) q[k].set(x[c.position]); });
    for (const j of quaternionJoints) {
      const i = firstQuaternion(j);
      angles(x[i], x[i + 1], x[i + 2], x[i + 3]).forEach((angle, d) => q[firstVelocity(j) + d].set(angle));
    }
  }
  function payload(): number[] {
    const m = mass.get(), [x, y, z] = offset.map((o) => Number(o.value) || 0);
    return [m, m * x, m * y, m * z, m * x * x, m * y * y, m * z * z, m * x * y, m * x * z, m * y * z];
  }

  const outputs = robot.coordinates.map((_, k) => ({ text: el("span", { "data-live": k }), bar: el("i") }));
  function solve(): void {
    const { tau } = inverse(positions(), v.map((s) => s.get()), a.map((s) => s.get()), payload());
    const scale = Math.max(...tau.map(Math.abs), 1e-9);
    tau.forEach((x, k) => {
      const { effort } = robot.coordinates[k], share = Math.min(1, Math.abs(x) / (effort ?? scale));
      outputs[k].text.textContent = fixed(x, 4);
      outputs[k].text.title = String(x);
      outputs[k].bar.style.width = `${(50 * share).toFixed(1)}%`;
      outputs[k].bar.style.left = x < 0 ? `${(50 - 50 * share).toFixed(1)}%` : "50%";
      outputs[k].bar.className = effort !== null && Math.abs(x) > effort ? "over" : "";
    });
  }
  function moved(): void { player.pose(positions()); solve(); }
  function follow(): void {
    const k = motion.clock.sample;
    put(motion.positions(k));
    v.forEach((s, i) => s.set(motion.v[i][k]));
    a.forEach((s, i) => s.set(motion.a[i][k]));
    solve();
  }
  function take(): void { follow(); moved(); }
  function rest(): void { for (const s of [...v, ...a]) s.set(0); solve(); }
  function neutral(): void { put(robot.neutral); rest(); mass.set(0); for (const o of offset) o.value = "0"; moved(); }

  const u = (text: string, unit: string): HTMLElement => el("th", { scope: "col" }, text, el("span", { class: "unit" }, unit));
  const slides = robot.coordinates.some((c) => c.slides);
  const rows = robot.coordinates.map((c, k) => el("tr", {},
    el("th", { scope: "row" }, swatch(k), c.name),
    el("td", { "data-label": `position, ${c.slides ? "m" : "rad"}` }, q[k].row), el("td", { "data-label": `velocity, ${c.slides ? "m/s" : "rad/s"}` }, v[k].row), el("td", { "data-label": `acceleration, ${c.slides ? "m/s²" : "rad/s²"}` }, a[k].row),
    el("td", { class: "number", "data-label": `torque, ${c.slides ? "N" : "N m"}` }, outputs[k].text, el("span", { class: "meter thin" }, outputs[k].bar))));
  mass.set(0);
  follow();
  const filter = (): void => rows.forEach((r, k) => { r.hidden = !selection.lists(k); });
  selection.listen(filter);
  filter();

  const speed = el("dd", {}, "\u2013");
  const box = el("div", { class: "live" },
    el("p", { class: "says" }, `Torques by ${robot.name}\u2019s specialized program, generated as JavaScript and run in this page: ${report.model.torques}; ${report.model.around}. The payload below is added. The robot is shown in the posture of the sliders.`),
    el("div", { class: "buttons" },
      el("button", { type: "button", id: "take", onclick: take }, "Copy the state at t"),
      el("button", { type: "button", class: "quiet", onclick: rest }, "At rest"),
      el("button", { type: "button", class: "quiet", onclick: neutral }, "Neutral")),
    el("div", { class: "scroll" }, el("table", { class: "live-table stack" },
      el("caption", { class: "unseen" }, "Sliders and the resulting torques"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "joint"), u("position", slides ? "rad, m" : "rad"), u("velocity", slides ? "rad/s, m/s" : "rad/s"), u("acceleration", slides ? "rad/s², m/s²" : "rad/s²"), el("th", { scope: "col", class: "number", title: report.model.brief }, "torque", el("span", { class: "unit" }, slides ? "N m, N" : "N m")))),
      el("tbody", {}, ...rows))),
    el("fieldset", { class: "payload" },
      el("legend", {}, "Payload on ", el("b", {}, robot.links[said.link].name)),
      el("label", {}, "mass", mass.row, "kg"),
      el("span", { class: "offsets" }, "centre", ...offset, "m")),
    figures([`${short(said.multiplications)} \u00d7, ${short(said.additions)} +`, "operations"], [`${said.sincos}`, "sines with cosines"]));
  const list = box.querySelector("dl")!;
  list.append(el("div", {}, speed, el("dt", {}, "for the torques of one state, in this browser")));

  box.addEventListener("open", follow, { once: true }); // the sample that is shown

  // Times one evaluation when the section is first visible, after the page has loaded.
  let timed = false;
  new IntersectionObserver((seen) => {
    if (timed || !seen.some((s) => s.isIntersecting)) return;
    timed = true;
    setTimeout(() => {
      let calls = 200, took = 0;
      const begin = performance.now();
      const x = positions(), w = v.map((s) => s.get()), b = a.map((s) => s.get()), p = payload();
      for (let k = 0; k < 20000 && took < 20; ++k) { // browsers compile a function after many calls
        if (k % 100 === 0) took = performance.now() - begin;
        inverse(x, w, b, p);
      }
      took = 0;
      for (; took < 8 && calls < 1e6; calls *= 4) {
        const start = performance.now();
        for (let k = 0; k < calls; ++k) inverse(x, w, b, p);
        took = performance.now() - start;
        if (took >= 8) break;
      }
      speed.textContent = seconds(took / calls / 1e3);
    }, 300);
  }).observe(box);
  return box;
}
