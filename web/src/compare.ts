// Two runs side by side: assumptions, loads of each joint, and curves of one joint.

import { card, el } from "./dom";
import type { Motion } from "./motion";
import { fixed, short } from "./numbers";
import { type Curve, Plot } from "./plot";
import { type Comparison, type Load, type Report, columns, doubles } from "./report";
import { swatch } from "./theme";
import { answer, percent, unit, used } from "./verdict";

// Values of a curve at other instants: linear in between, nothing beyond its ends.
function at(x: Float64Array, y: Float64Array, to: Float64Array): Float64Array {
  const out = new Float64Array(to.length).fill(NaN);
  for (let i = 0, k = 0; i < to.length; ++i) {
    if (to[i] < x[0] || to[i] > x[x.length - 1]) continue;
    while (k + 1 < x.length && x[k + 1] < to[i]) ++k;
    const next = Math.min(k + 1, x.length - 1), share = x[next] > x[k] ? (to[i] - x[k]) / (x[next] - x[k]) : 0;
    out[i] = y[k] + share * (y[next] - y[k]);
  }
  return out;
}

const change = (a: number | null, b: number | null): string => {
  if (a === null || b === null) return "\u2013";
  const from = Math.abs(a), to = Math.abs(b);
  if (from < 1e-12) return to < 1e-12 ? "0 %" : "\u2013";
  const share = (100 * (to - from)) / from;
  return `${share > 0 ? "+" : ""}${fixed(share, Math.abs(share) < 9.95 ? 1 : 0)} %`;
};

function assumptions(report: Report, c: Comparison): HTMLElement {
  const b = new Map(c.model.assumptions);
  return el("div", { class: "scroll" }, el("table", { id: "compare-assumptions" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, ""), el("th", { scope: "col" }, swatch(0), c.labels[0]), el("th", { scope: "col" }, swatch(1), c.labels[1]))),
    el("tbody", {}, ...report.model.assumptions.map(([name, text]) => el("tr", { class: b.get(name) !== text ? "differs" : undefined }, el("th", { scope: "row" }, name), el("td", {}, text), el("td", {}, b.get(name) ?? "\u2013"))),
      el("tr", {}, el("th", { scope: "row" }, "verdict"), ...[report.limits, c.limits].map((l) => { const [word, kind, text] = answer(l); return el("td", { class: `says-${kind}` }, `${word}: ${text}`); })))));
}

export function compare(report: Report, motion: Motion): HTMLElement | null {
  const c = report.compare;
  if (!c) return null;
  const mine = report.robot.coordinates;
  const t = c.motion.t ? doubles(c.motion.t) : Float64Array.from({ length: c.motion.rows }, (_, k) => k + 1);
  const other = { q: columns(c.motion.q, c.nq), v: columns(c.motion.v, c.coordinates.length), tau: columns(c.motion.tau, c.coordinates.length) };
  const x = Float64Array.from([...new Set([...motion.t, ...t])].sort((a, b) => a - b));
  const pair = (a: Float64Array | null, b: Float64Array | null, limits: number[][]): Curve[] => [
    ...(a ? [{ name: c.labels[0], y: at(motion.t, a, x), style: 0, limits: limits[0] }] : []), ...(b ? [{ name: c.labels[1], y: at(t, b, x), style: 1, dashed: true, limits: limits[1] }] : [])];
  const both = (l: number | null): number[] => (l !== null && l > 0 ? [-l, l] : []);
  const curves = (k: number): Record<"torque" | "speed" | "position", Curve[]> => {
    const [i, j] = c.pairs[k], a = mine[i], b = c.coordinates[j];
    return {
      torque: pair(motion.tau[i], other.tau[j], [both(a.effort), both(b.effort)]),
      speed: pair(motion.v[i], other.v[j], [both(a.velocity), both(b.velocity)]),
      position: pair(a.position >= 0 ? motion.q[a.position] : null, b.position >= 0 ? other.q[b.position] : null, [a, b].map((z) => [z.lower, z.upper].filter((y): y is number => y !== null && z.position >= 0))),
    };
  };
  const loads = (k: number): [Load, Load] => [report.limits.joints[c.pairs[k][0]], c.limits.joints[c.pairs[k][1]]];
  const differs = (k: number): number => Math.abs(Math.abs(loads(k)[1].peak ?? 0) - Math.abs(loads(k)[0].peak ?? 0));
  const most = c.pairs.reduce((best, _, k) => (differs(k) > differs(best) ? k : best), 0);
  const slides = (k: number): boolean => mine[c.pairs[k][0]].slides;
  const first = curves(most), timeUnit = motion.timed ? "s" : "sample";
  const plots = (["torque", "speed", "position"] as const).map((of, k) => ({ of, plot: new Plot({ title: { torque: "Torque", speed: "Velocity", position: "Position" }[of], unit: unit(of, slides(most)), x, curves: first[of], clock: motion.clock, height: k === 2 ? 158 : 140, last: k === 2, across: timeUnit, timeUnit }) }));
  const pick = el("select", { id: "compare-joint", onchange: () => choose(Number(pick.value)) }, ...c.pairs.map(([i], k) => el("option", { value: k, selected: k === most }, mine[i].name)));
  function choose(k: number): void {
    pick.value = String(k);
    const next = curves(k);
    for (const { of, plot } of plots) plot.set(x, next[of], unit(of, slides(k)));
  }
  const rows = c.pairs.map(([i, j], k) => {
    const [a, b] = loads(k), name = mine[i].name === c.coordinates[j].name ? mine[i].name : `${mine[i].name} / ${c.coordinates[j].name}`;
    const number = (label: string, value: number | null): HTMLElement => el("td", { class: "number", "data-label": label }, value === null ? "\u2013" : short(Math.abs(value)));
    return el("tr", { "data-pair": k }, el("th", { scope: "row" }, el("button", { type: "button", class: "link", title: "show its curves", onclick: () => choose(k) }, name)),
      number(`peak, ${c.labels[0]}`, a.peak), number(`peak, ${c.labels[1]}`, b.peak), el("td", { class: "number", "data-label": "change of peak" }, change(a.peak, b.peak)),
      number(`RMS, ${c.labels[0]}`, a.rms), number(`RMS, ${c.labels[1]}`, b.rms), el("td", { class: "number", "data-label": "change of RMS" }, change(a.rms, b.rms)),
      el("td", { "data-label": `of limit, ${c.labels[0]}` }, used(a.effort)), el("td", { "data-label": `of limit, ${c.labels[1]}` }, used(b.effort)));
  });
  const head = (text: string, over: number): HTMLElement => el("th", { scope: "colgroup", colspan: over, class: "over-columns" }, text);
  const alone = c.alone.map((names, k) => (names.length > 0 ? `Only in ${c.labels[k]}: ${names.length > 12 ? `${names.slice(0, 12).join(", ")} and ${names.length - 12} more` : names.join(", ")}. ` : "")).join("");
  const worst = (l: Comparison["limits"]): string => { const s = Math.max(...l.joints.map((j) => j.effort?.share ?? 0)); return s > 0 ? percent(s) : "no limit given"; };
  return card("compare", "Comparison", `Run A: ${c.labels[0]}. Run B: ${c.labels[1]}. Most used torque limit: ${worst(report.limits)} in A, ${worst(c.limits)} in B. Differing assumptions are in bold.`,
    assumptions(report, c),
    el("div", { class: "scroll" }, el("table", { class: "stack tight", id: "compare-table" }, el("caption", { class: "unseen" }, "Torques of both runs"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col", rowspan: 2 }, "joint"), head(`peak torque, ${mine.some((m) => m.slides) ? "N m or N" : "N m"}`, 3), head("RMS torque", 3), head("of limit", 2)),
        el("tr", {}, ...[...Array(2)].flatMap(() => [el("th", { class: "number" }, swatch(0), "A"), el("th", { class: "number" }, swatch(1), "B"), el("th", { class: "number" }, "change")]), el("th", {}, swatch(0), "A"), el("th", {}, swatch(1), "B"))),
      el("tbody", {}, ...rows))),
    alone ? el("p", { class: "note" }, alone) : null,
    el("p", { class: "row" }, el("label", { for: "compare-joint" }, "Joint "), pick, el("span", { class: "note" }, `A: ${c.labels[0]}, solid; B: ${c.labels[1]}, dashed; dotted lines: limits`)),
    ...plots.map((p) => p.plot.box));
}
