// The schedule of the torque computation on processors, and the speed-up with more processors.

import { chart } from "./chart";
import { card, el, figures, svg } from "./dom";
import { fixed, whole } from "./numbers";
import type { Report, ScheduleData, ScheduleRun } from "./report";
import { css } from "./theme";

function gantt(d: ScheduleData, run: ScheduleRun): SVGSVGElement {
  const width = 1000, left = 34, row = Math.max(16, Math.min(34, 420 / run.processors)), top = 6, bottom = 26;
  const height = top + row * run.processors + bottom, scale = (width - left - 8) / Math.max(run.makespan, 1);
  const out = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "gantt", role: "img", "aria-label": `${d.tasks} tasks on ${run.processors} processors, ${run.makespan} ${d.unit}` });
  for (let p = 0; p < run.processors; ++p) {
    const y = top + row * p;
    out.append(svg("rect", { x: left, y: y + 1, width: scale * run.makespan, height: row - 3, class: "idle" }), svg("text", { x: left - 8, y: y + row / 2 + 4, class: "tick", "text-anchor": "end" }, String(p + 1)));
  }
  run.start?.forEach((start, k) => {
    const w = scale * d.durations[k], y = top + row * run.on![k];
    const joint = d.joints[k];
    const box = svg("rect", { x: left + scale * start + 0.4, y: y + 1.5, width: Math.max(w - 0.8, 0.4), height: row - 4, rx: Math.min(2.5, w / 5), style: `fill:${joint > 0 ? css(joint - 1) : "var(--muted)"}` },
      svg("title", {}, `${d.names[k]}${joint > 0 ? `, joint ${joint}` : ""}: ${start} to ${start + d.durations[k]} on processor ${run.on![k] + 1}`));
    out.append(box);
    if (w > 6.5 * d.names[k].length && row > 15) out.append(svg("text", { x: left + scale * start + w / 2, y: y + row / 2 + 3.5, class: "task", "text-anchor": "middle" }, d.names[k]));
  });
  const step = Math.max(1, Math.ceil(run.makespan / 12));
  for (let t = 0; t <= run.makespan; t += step) out.append(svg("text", { x: left + scale * t, y: height - 10, class: "tick", "text-anchor": "middle" }, String(t)));
  return out;
}

export function schedule(report: Report): HTMLElement | null {
  const d = report.schedule;
  if (!d) return null;
  const holder = el("div", { class: "scroll" }), facts = el("div");
  const joints = [...new Set(d.joints)].filter((j) => j > 0).sort((a, b) => a - b);
  const show = (run: ScheduleRun): void => {
    facts.replaceChildren(figures(
      [whole(run.makespan), `makespan in ${d.unit}${run.optimal ? " (optimal)" : ` (lower bound: ${whole(run.lower_bound)})`}`],
      [`${fixed(run.speedup, 2)}\u00d7`, "speed-up"],
      [`${fixed(100 * run.efficiency, 1)} %`, "efficiency: share of the processors\u2019 time in use"],
      [whole(d.tasks), `tasks: ${whole(d.total)} ${d.unit} of work, critical path ${whole(d.critical_path)}`]));
    holder.replaceChildren(run.start ? gantt(d, run) : el("p", { class: "note" }, "Too many tasks to draw."));
  };
  const picks = d.runs.map((run) => {
    const input = el("input", { type: "radio", name: "processors", value: run.processors, checked: run.processors === d.asked, onchange: () => show(run) });
    return el("label", {}, input, el("span", {}, String(run.processors)));
  });
  show(d.runs.find((r) => r.processors === d.asked) ?? d.runs[0]);
  const most = d.runs[d.runs.length - 1].processors, bound = d.total / d.critical_path;
  const top = Math.max(...d.runs.map((r) => r.speedup), Math.min(bound, most)) * 1.08;
  const speed = chart({
    width: 580, height: 270, x: [1, Math.max(most, 2)], y: [0, top], across: "processors", up: "speed-up", xTicks: d.runs.filter((r) => most <= 16 || r.processors % 4 === 0).map((r) => r.processors),
    lines: [
      { name: "ideal", points: [[1, 1], [Math.min(most, top), Math.min(most, top)]], style: "var(--muted)", dashed: true },
      { name: "critical path", points: [[1, bound], [most, bound]].filter(([, y]) => y <= top) as [number, number][], style: css(1), dashed: true },
      { name: "ours", points: d.runs.map((r) => [r.processors, r.speedup]), style: css(0), dots: true },
    ],
  });
  const use = chart({
    width: 580, height: 270, x: [1, Math.max(most, 2)], y: [0, 100], across: "processors", up: "efficiency, %", xTicks: d.runs.filter((r) => most <= 16 || r.processors % 4 === 0).map((r) => r.processors),
    lines: [{ name: "ours", points: d.runs.map((r) => [r.processors, 100 * r.efficiency]), style: css(2), dots: true }],
  });
  return card("schedule", "Schedule", "Shown: how far several processors would shorten one torque computation. A row is a processor, time runs to the right, grey is idle. The torque computation as tasks on parallel processors: rigid bodies and rotors of the robot file, without friction and payload. Each box is a task, in the colour of its joint; point at a box to see its name.",
    el("fieldset", { class: "picks" }, el("legend", {}, "Processors"), ...picks), facts, holder,
    el("div", { class: "key" }, ...joints.map((j) => el("span", { style: `--curve:${css(j - 1)}` }, `joint ${j}`)), el("span", { class: "right" }, `time in ${d.unit}`)),
    el("div", { class: "pair" },
      el("figure", {}, speed, el("figcaption", {}, "Speed-up: ours, ideal (grey), and the limit by the critical path (orange)")),
      el("figure", {}, use, el("figcaption", {}, "Efficiency: share of the processors\u2019 time in use"))),
    d.note ? el("p", { class: "note" }, d.note) : null);
}
