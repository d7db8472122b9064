// All formulations of inverse dynamics: agreement, operations and time.

import { card, el, figures, table } from "./dom";
import { power, seconds, whole } from "./numbers";
import type { Formulation, Report } from "./report";

export function formulations(report: Report): HTMLElement | null {
  const data = report.formulations;
  if (!data) return null;
  const can = data.inverse.filter((f) => f.ns !== null), cannot = data.inverse.filter((f) => f.ns === null);
  const slowest = Math.max(...can.map((f) => f.ns ?? 0), 1);
  const count = (x: number | null | undefined): string => (x === null || x === undefined ? "\u2013" : whole(x));
  const time = (f: Formulation, most: number): HTMLElement => el("span", { class: "bar-cell" },
    el("span", { class: "bar" }, el("i", { style: `width:${((100 * (f.ns ?? 0)) / most).toFixed(1)}%` })), el("span", {}, seconds((f.ns ?? 0) * 1e-9)));
  const name = (f: Formulation): HTMLElement => el("span", { title: f.reason }, f.id, f.exact === false ? el("em", { class: "tag" }, "approximate") : null);
  const error = { head: "error", title: "largest difference from Newton-Euler, relative to the largest torque", number: true, text: (f: Formulation) => (f.max_relative_error === null ? "\u2013" : power(f.max_relative_error)), key: (f: Formulation) => f.max_relative_error ?? Infinity };
  const written = [
    { head: "multiplications", title: "as written, nothing folded", number: true, text: (f: Formulation) => count(f.multiplications), key: (f: Formulation) => f.multiplications ?? Infinity },
    { head: "additions", title: "as written, nothing folded", number: true, text: (f: Formulation) => count(f.additions), key: (f: Formulation) => f.additions ?? Infinity },
  ];
  const fastest = can.filter((f) => f.exact !== false).reduce((a, b) => ((a.ns ?? 0) < (b.ns ?? 0) ? a : b), can[0]);
  const leanest = can.filter((f) => f.exact !== false && f.customised).reduce((a: Formulation | null, b) => {
    const n = (f: Formulation): number => f.customised!.multiplications + f.customised!.additions;
    return !a || n(b) < n(a) ? b : a;
  }, null);
  const facts: [string, string][] = [[seconds((fastest.ns ?? 0) * 1e-9), `${fastest.id}, the fastest here`]];
  if (leanest) facts.push([`${whole(leanest.customised!.multiplications)} \u00d7, ${whole(leanest.customised!.additions)} +`, `${leanest.id}, the fewest operations after simplification`]);
  return card("formulations", "Formulations",
    `Shown: how much work the equations of different papers need for the same torques. Rows with an error near 10\u207b\u00b9\u2075 agree to rounding; the shortest bar is the fastest on the machine that wrote this page. The torques of ${can.length} formulations, on ${data.samples} random states (${report.model.rigid}; ${report.model.around}). Operation counts are given for the equations as written and for the simplified program of this robot, without zeros, ones and repeated operations; depth is its critical path in operations.`,
    figures(...facts),
    table(can, [
      { head: "inverse dynamics", text: name, key: (f) => f.id },
      error, ...written,
      { head: "simplified \u00d7", title: "multiplications for this robot", number: true, text: (f) => count(f.customised?.multiplications), key: (f) => f.customised?.multiplications ?? Infinity },
      { head: "simplified +", title: "additions for this robot", number: true, text: (f) => count(f.customised?.additions), key: (f) => f.customised?.additions ?? Infinity },
      { head: "depth", number: true, text: (f) => count(f.depth), key: (f) => f.depth ?? Infinity },
      { head: "time", title: "of one evaluation, without code generation, on the machine that wrote this page", number: true, text: (f) => time(f, slowest), key: (f) => f.ns ?? Infinity },
    ], "Formulations of inverse dynamics", 7),
    data.forward.length > 0 ? table(data.forward, [
      { head: "forward dynamics", text: name, key: (f) => f.id }, error, ...written,
      { head: "time", number: true, text: (f) => time(f, Math.max(...data.forward.map((g) => g.ns ?? 0))), key: (f) => f.ns ?? Infinity },
    ], "Methods of forward dynamics", 4) : null,
    cannot.length > 0 ? el("details", {}, el("summary", {}, `${cannot.length} more do not support this robot`),
      el("ul", {}, ...cannot.map((f) => el("li", {}, el("b", {}, f.id), `: ${f.reason ?? ""}`)))) : null);
}
