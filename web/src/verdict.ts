// Whether joints and motors hold along the motion: one row per joint, as `parid limits` has it.

import { card, el } from "./dom";
import type { Motion } from "./motion";
import { fixed, short } from "./numbers";
import type { LimitUse, Limits, Load, Report } from "./report";
import type { Selection } from "./selection";
import { swatch } from "./theme";

const units = { torque: ["N m", "N"], speed: ["rad/s", "m/s"], position: ["rad", "m"] } as const;
export const unit = (of: keyof typeof units, slides: boolean): string => units[of][slides ? 1 : 0];

export const percent = (share: number): string => `${fixed(100 * share, share < 0.0995 ? 1 : 0)} %`;

// The share of a limit with a bar, red beyond it.
export function used(u: LimitUse | undefined): HTMLElement {
  if (!u || u.limit === null) return el("span", { class: "none" }, u ? "no limit given" : "\u2013");
  if (u.share === null) return el("span", { class: u.holds ? "" : "broken" }, u.holds ? "holds" : "exceeded");
  return el("span", { class: `used${u.holds === false ? " broken" : ""}` },
    el("span", { class: "bar" }, el("i", { style: `width:${Math.min(100, 100 * u.share).toFixed(1)}%` })), percent(u.share));
}

const kinds: Record<string, string> = {
  effort: "torque", velocity: "speed", position: "position", continuous_effort: "RMS torque", motor_torque: "motor torque",
  motor_continuous_torque: "motor RMS torque", motor_speed: "motor speed", motor_power: "motor power",
};

// "torque exceeded", "holds", or which limit is missing.
function verdictOf(l: Load, broken: Limits["limits_broken"]): [text: string, kind: "bad" | "good" | "unknown" | "none"] {
  const mine = broken.filter((b) => b.coordinate === l.name);
  if (mine.length > 0) return [`${mine.map((b) => kinds[b.kind] ?? b.kind).join(", ")} exceeded`, "bad"];
  if (!l.actuated) return [l.mimics ? "no motor (mimic)" : "no motor", "none"];
  const torque = l.effort?.limit ?? l.motor_torque?.limit ?? null;
  return torque === null ? ["no torque limit given", "unknown"] : ["holds", "good"];
}

export function answer(l: Limits): [word: string, kind: "bad" | "good" | "unknown", text: string] {
  const n = l.limits_broken.length, margin = l.margin > 0 ? ` with a margin of ${percent(l.margin)}` : "";
  if (n > 0) return ["NO", "bad", `${n} limit${n === 1 ? " is" : "s are"} exceeded${margin}`];
  const missing = l.limits_missing.effort;
  if (l.holds === null) return ["UNKNOWN", "unknown", `no limit is exceeded, but the robot file gives no torque limit for ${missing.length > 6 ? `${missing.length} joints` : missing.join(", ")}`];
  return ["YES", "good", `all limits hold${margin}`];
}

function motors(l: Limits): HTMLElement | null {
  const rows = l.joints.filter((j) => j.motor_torque);
  if (rows.length === 0) return null;
  const cell = (label: string, u: LimitUse | undefined, name: string): HTMLElement[] => [
    el("td", { class: "number", "data-label": `${label}, ${name}` }, u && u.value !== null ? short(Math.abs(u.value)) : "\u2013"), el("td", { "data-label": `${label}, used` }, used(u))];
  return el("div", {}, el("h3", {}, "Motors, at the shaft"), el("div", { class: "scroll" }, el("table", { class: "stack tight", id: "motors" },
    el("thead", {}, el("tr", {}, ...["motor", "gear", "peak, N m", "used", "RMS, N m", "used", "speed, rad/s", "used", "power, W", "used"].map((h, k) => el("th", { scope: "col", class: k > 0 && h !== "used" ? "number" : undefined }, h)))),
    el("tbody", {}, ...rows.map((j) => el("tr", {}, el("th", { scope: "row" }, j.name), el("td", { class: "number", "data-label": "gear" }, short(j.gear_ratio)),
      ...cell("peak", j.motor_torque, "N m"), ...cell("RMS", j.motor_continuous_torque, "N m"), ...cell("speed", j.motor_speed, "rad/s"), ...cell("power", j.motor_power, "W")))))));
}

export function verdict(report: Report, motion: Motion, selection: Selection): HTMLElement {
  const l = report.limits, [word, kind, text] = answer(l);
  const when = (j: { t?: number | null; sample?: number | null }): string => (j.t !== null && j.t !== undefined ? `${short(j.t)} s` : j.sample !== null && j.sample !== undefined ? `sample ${j.sample}` : "\u2013");
  const jump = (j: { t?: number | null; sample?: number | null }, what: string): HTMLElement | string => {
    if (j.sample === null || j.sample === undefined) return "\u2013";
    return el("button", { type: "button", class: "link", title: `go to the ${what}`, onclick: () => { motion.clock.play(false); motion.clock.seek(j.t ?? Math.floor(j.sample! / report.motion.stride) + 1); } }, when(j));
  };
  const cells = (j: Load, k: number): HTMLElement => {
    const slides = j.slides, effort = j.effort, [says, how] = verdictOf(j, l.limits_broken);
    const torque = j.peak !== null && !j.mimics;
    const row = el("tr", { "data-joint": k, class: how === "bad" ? "bad" : undefined },
      el("th", { scope: "row" }, k < report.robot.coordinates.length ? swatch(k) : null, j.name),
      el("td", { class: "number", "data-label": "peak torque" }, torque ? `${short(j.peak!)} ${unit("torque", slides)}` : "\u2013"),
      el("td", { class: "number", "data-label": "at" }, torque ? jump({ t: j.t ?? effort?.t, sample: j.sample ?? effort?.sample }, "peak torque") : "\u2013"),
      el("td", { class: `number${j.continuous_effort?.holds === false ? " broken" : ""}`, "data-label": "RMS", title: j.continuous_effort && j.continuous_effort.limit !== null ? `continuous limit: ${short(j.continuous_effort.limit)} ${unit("torque", slides)}` : undefined },
        j.rms !== null && torque ? short(j.rms) : "\u2013", j.continuous_effort && j.continuous_effort.share !== null ? ` (${percent(j.continuous_effort.share)})` : ""),
      el("td", { class: "number", "data-label": "limit" }, effort && effort.limit !== null ? short(effort.limit) : j.actuated ? el("span", { class: "none" }, "no limit given") : "\u2013"),
      el("td", { "data-label": "of limit" }, effort && effort.limit !== null ? used(effort) : "\u2013"),
      el("td", { class: "number", "data-label": "speed" }, j.velocity && j.velocity.value !== null ? `${short(Math.abs(j.velocity.value))} ${unit("speed", slides)}` : "\u2013"),
      el("td", { "data-label": "of limit" }, used(j.velocity)),
      el("td", { class: "number", "data-label": "positions" }, j.positions ? `${short(j.positions[0], 3)} \u2026 ${short(j.positions[1], 3)} ${unit("position", slides)}` : "\u2013"),
      el("td", { "data-label": "of range" }, used(j.position)),
      el("td", { class: `says-${how}`, "data-label": "verdict" }, says));
    return row;
  };
  const rows = l.joints.map(cells);
  const head = ["joint", "peak torque", "at", "RMS", "limit", "of limit", "speed", "of limit", "positions", "of range", "verdict"];
  const filter = (): void => rows.forEach((r, k) => r.classList.toggle("filtered", k < report.robot.coordinates.length ? !selection.lists(k) && !r.classList.contains("bad") : selection.limited));
  const part = el("p", { class: "note screen-only", hidden: true }, "The joints of the chosen group, and all that exceed a limit. ", el("button", { type: "button", class: "link", onclick: () => selection.all() }, `List all ${l.joints.length}`));
  // All joints are listed until a group is chosen.
  selection.listen(() => { filter(); part.hidden = !rows.some((r) => r.classList.contains("filtered")); });
  const unit_of = (kind: string, slides: boolean): string => (kind === "position" ? unit("position", slides) : kind === "velocity" ? unit("speed", slides) : kind === "motor_speed" ? "rad/s" : kind === "motor_power" ? "W" : kind.startsWith("motor") ? "N m" : unit("torque", slides));
  const broken = l.limits_broken.map((b) => {
    const slides = l.joints.find((j) => j.name === b.coordinate)?.slides ?? false, u = unit_of(b.kind, slides);
    const over = b.share !== null && b.kind !== "position" ? ` (${percent(b.share)}): undersized by ${percent(b.share / (1 - l.margin) - 1)}` : "";
    return el("li", {}, el("b", {}, b.coordinate), `: ${kinds[b.kind] ?? b.kind} ${b.value === null ? "" : short(b.kind === "position" ? b.value : Math.abs(b.value))} ${u}${b.sample !== undefined && b.sample !== null ? ` at ${b.t !== null && b.t !== undefined ? `t = ${short(b.t)} s` : `sample ${b.sample}`}` : ""}, limit ${b.limit === null ? "" : short(b.kind === "position" ? b.limit : Math.abs(b.limit))} ${u}${over}`);
  });
  const power = `Power of all joints: at most ${short(l.peak_power, 3)} W taken, ${short(l.regenerative_power, 3)} W given back.`;
  const note = report.model.friction_omitted ? " Friction of the robot file is not counted; write the page with --friction to count it." : "";
  return card("verdict", "Do the joints hold?", `Largest use of each limit along the motion, as in parid limits.${note} Press a time to see the robot there.`,
    el("p", { class: `answer says-${kind}`, id: "answer" }, el("b", {}, word), ` ${text}`),
    broken.length > 0 ? el("ul", { class: "broken-list" }, ...broken) : null,
    el("div", { class: `scroll verdict${rows.length > 14 ? " tall" : ""}` }, el("table", { class: "stack tight", id: "verdict-table" }, el("caption", { class: "unseen" }, "Peak and RMS torque, speed and positions of each joint with its limits"),
      el("thead", {}, el("tr", {}, ...head.map((h, k) => el("th", { scope: "col", class: [1, 2, 3, 4, 6, 8].includes(k) ? "number" : undefined }, h)))),
      el("tbody", {}, ...rows))),
    part,
    motors(l),
    el("p", { class: "note" }, power, l.limits_missing.velocity.length > 0 ? ` The robot file gives no speed limit for ${l.limits_missing.velocity.length > 8 ? `${l.limits_missing.velocity.length} joints` : l.limits_missing.velocity.join(", ")}.` : ""));
}
