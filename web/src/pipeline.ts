// Hardware: inverse kinematics on CORDIC boxes, stage by stage, and inverse dynamics as a stream of
// multiplications and additions.

import { card, el, figures, svg } from "./dom";
import { power, seconds, whole } from "./numbers";
import type { PipelineData, Report } from "./report";
import { css } from "./theme";
import { ticks } from "./chart";

const kinds: Record<string, [style: string, says: string]> = {
  circ1: [css(4), "circ1: rotates a vector"], circ2: [css(0), "circ2: length and angle of a vector"],
  lin1: [css(2), "lin1: multiplies"], lin2: [css(5), "lin2: divides"],
  hype1: [css(3), "hype1: hyperbolic rotation"], hype2: [css(1), "hype2: root of a difference of squares"],
};

function boxes(d: NonNullable<PipelineData["ik"]>): SVGSVGElement {
  const column = 92, row = 50, w = 62, h = 34, left = 66, top = 34;
  const rows = new Map<number, number>();
  const count = (stage: number): number => { const k = rows.get(stage) ?? 0; rows.set(stage, k + 1); return k; };
  const perStage = new Map<number, number>();
  for (const b of d.boxes) perStage.set(b.stage, (perStage.get(b.stage) ?? 0) + 1);
  const most = Math.max(...perStage.values(), d.inputs.length * 0.62, d.outputs.length);
  const height = top + most * row + 14, width = left + (d.stages + 0.2) * column + 54;
  const at = (stage: number, k: number, of: number): [number, number] => [left + stage * column, top + (k + (most - of) / 2) * row];
  const place = d.boxes.map((b) => at(b.stage, count(b.stage), perStage.get(b.stage)!));
  const inputAt = d.inputs.map((_, k): [number, number] => [left - 18, top + 10 + (k * (most * row - 20)) / Math.max(1, d.inputs.length - 1)]);
  const outputAt = d.outputs.map((_, k): [number, number] => [left + d.stages * column + 4, top + (k + (most - d.outputs.length) / 2) * row + h / 2]);
  const out = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "boxes", role: "img", style: `--natural:${width}px`, "aria-label": `${d.modules} CORDIC modules in ${d.stages} stages` });
  for (let s = 0; s < d.stages; ++s) {
    if (s % 2 === 0) out.append(svg("rect", { x: left + s * column - 15, y: 22, width: column, height: height - 24, class: "lane" }));
    out.append(svg("text", { x: left + s * column + w / 2, y: 15, class: "tick", "text-anchor": "middle" }, String(s)));
  }
  for (const wire of d.wires) {
    const from = wire.box !== undefined ? [place[wire.box][0] + w, place[wire.box][1] + h * (0.25 + 0.25 * (wire.from_port ?? 0))] : inputAt[wire.input!];
    const to = wire.to !== undefined ? [place[wire.to][0], place[wire.to][1] + h * (0.25 + 0.25 * wire.port)] : outputAt[wire.output!];
    const bend = Math.max(16, (to[0] - from[0]) / 2.6);
    out.append(svg("path", { d: `M${from[0].toFixed(1)} ${from[1].toFixed(1)} C${(from[0] + bend).toFixed(1)} ${from[1].toFixed(1)} ${(to[0] - bend).toFixed(1)} ${to[1].toFixed(1)} ${to[0].toFixed(1)} ${to[1].toFixed(1)}`, class: wire.sign ? "wire sign" : wire.wait > 0 ? "wire waits" : "wire" },
      svg("title", {}, wire.wait > 0 ? `delayed by ${wire.wait} stages` : "not delayed")));
    if (wire.wait > 0 && !wire.sign) out.append(svg("text", { x: to[0] - 11, y: to[1] - 2.5, class: "wait" }, String(wire.wait)));
  }
  d.boxes.forEach((b, k) => {
    const [x, y] = place[k];
    out.append(svg("g", {}, svg("rect", { x, y, width: w, height: h, rx: 5, class: "box", style: `--box:${kinds[b.kind]?.[0] ?? css(7)}` }),
      svg("text", { x: x + w / 2, y: y + 14, class: "box-name", "text-anchor": "middle" }, `T${k + 1}`),
      svg("text", { x: x + w / 2, y: y + 27, class: "box-kind", "text-anchor": "middle" }, b.kind), svg("title", {}, `T${k + 1}: ${b.does}, stage ${b.stage}`)));
  });
  d.inputs.forEach((i, k) => out.append(svg("text", { x: inputAt[k][0] - 5, y: inputAt[k][1] + 4, class: i.sign ? "tick" : "axis", "text-anchor": "end" }, i.name)));
  d.outputs.forEach((o, k) => out.append(svg("text", { x: outputAt[k][0] + 6, y: outputAt[k][1] + 4, class: "axis" }, o)));
  return out;
}

function profile(d: PipelineData["dynamics"]): SVGSVGElement {
  const width = 1000, height = 300, left = 46, right = 10, middle = 196, bottom = 270, top = 8;
  const parts: [number[], string][] = [[d.multiplications, css(0)], [d.additions, css(5)], [d.sines, css(3)]];
  const most = Math.max(...d.multiplications.map((_, k) => parts.reduce((s, [x]) => s + x[k], 0)), 1), waits = Math.max(...d.waiting, 1);
  const w = (width - left - right) / Math.max(d.latency, 1), up = (middle - top) / most, down = (bottom - middle - 18) / waits;
  const out = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "profile", role: "img", "aria-label": "operations that start at every clock, and words in registers" });
  for (const y of ticks(0, most, 4)) out.append(svg("line", { x1: left, x2: width - right, y1: middle - up * y, y2: middle - up * y, class: "grid" }), svg("text", { x: left - 7, y: middle - up * y + 4, class: "tick", "text-anchor": "end" }, String(y)));
  for (let k = 0; k < d.latency; ++k) {
    let y = middle;
    for (const [counts, style] of parts) {
      if (counts[k] === 0) continue;
      y -= up * counts[k];
      out.append(svg("rect", { x: left + w * k + 0.5, y, width: Math.max(w - 1, 0.5), height: up * counts[k], style: `fill:${style}` },
        svg("title", {}, `clock ${k}: ${d.multiplications[k]} multiplications, ${d.additions[k]} additions, ${d.sines[k]} sines start; ${d.waiting[k]} words in registers`)));
    }
    out.append(svg("rect", { x: left + w * k + 0.5, y: middle + 18, width: Math.max(w - 1, 0.5), height: down * d.waiting[k], class: "idle strong" }));
  }
  for (const t of ticks(0, d.latency, 10)) if (t < d.latency) out.append(svg("text", { x: left + w * (t + 0.5), y: middle + 13, class: "tick", "text-anchor": "middle" }, String(t)));
  out.append(svg("text", { x: left - 7, y: middle + 18 + down * waits, class: "tick", "text-anchor": "end" }, String(waits)));
  out.append(svg("text", { x: left, y: height - 6, class: "axis" }, "clock; below, words in registers"));
  return out;
}

export function pipeline(report: Report): HTMLElement | null {
  const data = report.pipeline;
  if (!data) return null;
  const { ik, dynamics: d } = data;
  const used = ik ? [...new Set(ik.boxes.map((b) => b.kind))].sort() : [];
  return card("pipeline", "Pipeline", `Shown: the computation as a circuit. Boxes are arithmetic units, lines carry values between them, and the numbers on lines are clocks of delay. The same equations as hardware that accepts a new sample at every stage. Torques: ${report.model.rigid}; ${report.model.around}.`,
    ik ? el("h3", {}, "Inverse kinematics on CORDIC boxes") : null,
    ik ? figures([whole(ik.modules), "modules"], [whole(ik.stages), "stages from a pose to joint positions"], [whole(ik.buffers), "buffer stages, the minimum for this arrangement"], [whole(ik.tapped_lines), "buffers with several taps"]) : null,
    ik ? el("div", { class: "scroll" }, boxes(ik)) : null,
    ik ? el("div", { class: "key" }, ...used.map((k) => el("span", { style: `--curve:${kinds[k]?.[0]}` }, kinds[k]?.[1] ?? k)), el("span", { class: "right" }, "numbers: delay of a signal in stages")) : null,
    el("h3", {}, "Newton-Euler on multipliers and adders"),
    figures([whole(d.multipliers), "multipliers"], [whole(d.adders), "adders"], [whole(d.sine_units), "sine units"], [whole(d.latency), `clocks from state to torques, a sample every ${d.interval === 1 ? "clock" : `${d.interval} clocks`}`],
      [whole(d.registers), "pipeline registers (words)"], [power(d.max_error), `largest measured error relative to full scale, with words of ${d.word} bits`]),
    el("div", { class: "scroll" }, profile(d)),
    el("div", { class: "key" }, el("span", { style: `--curve:${css(0)}` }, "multiplications that start"), el("span", { style: `--curve:${css(5)}` }, "additions"), el("span", { style: `--curve:${css(3)}` }, "sines with cosines"), el("span", { style: "--curve:var(--idle-strong)" }, "words in registers")),
    el("p", { class: "note" }, `At 100 MHz: torques every ${seconds(d.interval * 1e-8)} with a latency of ${seconds(d.latency * 1e-8)}. Proven error bound: ${power(d.error_bound)} of full scale.`));
}
